//! What the trees are made of: the same numbers on every machine.

use glam::Vec3;
use tkanina_sim::aabb::Aabb;

use crate::QUESTIONS;

/// How far the motion moves a box, in its own sizes.
const MOTION: f32 = 0.3;

/// Boxes, where they move to, and what is asked.
pub struct Case {
    pub name: String,
    pub about: &'static str,
    pub boxes: Vec<Aabb>,
    pub moved: Vec<Aabb>,
    pub rays: Vec<Ray>,
    pub questions: Vec<Aabb>,
}

/// A ray of unit direction.
#[derive(Clone, Copy)]
pub struct Ray {
    pub origin: Vec3,
    pub direction: Vec3,
}

impl Case {
    /// The triangles of a crumpled sheet: folds over folds in a space a third as wide as it is.
    pub fn sheet(count: usize) -> Self {
        let cells = ((count / 2) as f32).sqrt().round() as usize;
        let point = |i: usize, j: usize, time: f32| {
            let (u, v) = (i as f32 / cells as f32, j as f32 / cells as f32);
            let (a, b) = (40.0 * u + 7.0 * (3.0 * v).sin(), 31.0 * v + 5.0 * (4.0 * u).cos());
            let fold = Vec3::new(0.12 * a.sin(), 0.15 * (a + 0.7 * b + time).cos(), 0.12 * b.sin());
            Vec3::new(0.35 * u, 0.0, 0.35 * v) + fold
        };
        let triangles = |time: f32| {
            let mut boxes = Vec::with_capacity(2 * cells * cells);
            for (i, j) in (0..cells * cells).map(|c| (c / cells, c % cells)) {
                let [a, b] = [point(i, j, time), point(i + 1, j, time)];
                let [c, d] = [point(i, j + 1, time), point(i + 1, j + 1, time)];
                boxes.push(Aabb::around([a, b, c]));
                boxes.push(Aabb::around([b, d, c]));
            }
            boxes
        };
        // A cell is some 40 · 0.15/cells long in folds.
        let time = MOTION * 40.0 / cells as f32;
        let about = "triangles of a crumpled sheet";
        Self::new(format!("sheet {}", 2 * cells * cells), about, triangles(0.0), triangles(time))
    }

    /// Boxes at random whose pairs are some ten times as many as they.
    pub fn cloud(count: usize) -> Self {
        let mut chance = Chance(0x7ab5);
        let size = 1.3 / (count as f32).cbrt();
        let boxes: Vec<Aabb> = (0..count)
            .map(|_| {
                let (center, half) = (chance.vector(), size * (0.25 + 0.75 * chance.vector()));
                Aabb { min: center - half, max: center + half }
            })
            .collect();
        let moved = boxes
            .iter()
            .map(|b| {
                let way = MOTION * (b.max - b.min) * (2.0 * chance.vector() - 1.0);
                Aabb { min: b.min + way, max: b.max + way }
            })
            .collect();
        Self::new(format!("cloud {count}"), "boxes at random", boxes, moved)
    }

    fn new(name: String, about: &'static str, boxes: Vec<Aabb>, moved: Vec<Aabb>) -> Self {
        let mut chance = Chance(0x0dd5);
        let all = boxes.iter().fold(Aabb::EMPTY, |all, b| all.union(b));
        let (low, size) = (all.min, all.max - all.min);
        let rays = (0..QUESTIONS)
            .map(|_| {
                // From a place in a ring outside to one inside.
                let around = (2.0 * chance.vector() - 1.0).normalize_or(Vec3::X);
                let origin = all.center() + size.length() * around;
                let direction = (low + size * chance.vector() - origin).normalize();
                Ray { origin, direction }
            })
            .collect();
        let questions = (0..QUESTIONS)
            .map(|_| {
                let (center, half) = (low + size * chance.vector(), 0.02 * size);
                Aabb { min: center - half, max: center + half }
            })
            .collect();
        Self { name, about, boxes, moved, rays, questions }
    }
}

/// Numbers in 0 … 1 that look random: x ← x · a + c mod 2⁶⁴, upper bits.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}
