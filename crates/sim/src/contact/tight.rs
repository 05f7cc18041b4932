//! Edges that contact must not draw out.

use glam::Vec3;

use super::narrow::Watched;
use super::swept::Point4;
use crate::incidence::Incidence;
use crate::model::Model;

/// l ≤ max(1.03 L, l₀) for the edges of points that were pushed, l₀ the length before: what is wedged
/// is pushed less far apart, and not torn.
#[derive(Debug)]
pub(super) struct Tight {
    /// Ends and the length up to which nobody minds. [m]
    edges: Vec<([u32; 2], f32)>,
    /// Of each point.
    at: Incidence,
    listed: Vec<bool>,
    /// Points that were pushed.
    points: Vec<u32>,
    is_pushed: Vec<bool>,
    /// Edges of points that were pushed, their ends, and how long they may be. [m]
    list: Vec<(u32, [u32; 2], f32)>,
    /// Where points were before. [m]
    before: Vec<Point4>,
}

/// Lengths, as a part of the length at rest, that are no harm.
const HARMLESS: f32 = 1.03;

/// Times that all of them are gone through.
const SWEEPS: usize = 3;

impl Tight {
    /// For the edges of a model, of `points` points with those of meshes.
    pub fn new(model: &Model, points: usize) -> Self {
        let edges = model.edges.edges();
        let ends: Vec<[u32; 2]> = edges.iter().map(|edge| edge.ends).collect();
        Self {
            edges: edges.iter().map(|edge| (edge.ends, HARMLESS * edge.rest)).collect(),
            at: Incidence::new(points, &ends),
            listed: vec![false; edges.len()],
            points: Vec::new(),
            is_pushed: vec![false; points],
            list: Vec::new(),
            before: Vec::new(),
        }
    }

    /// Takes note of where points are before any is pushed.
    pub fn begin(&mut self, y: &[Point4]) {
        self.before.clear();
        self.before.extend_from_slice(y);
        for (edge, ..) in self.list.drain(..) {
            self.listed[edge as usize] = false;
        }
        for point in self.points.drain(..) {
            self.is_pushed[point as usize] = false;
        }
    }

    /// Takes note of the edges of pairs that were pushed.
    pub fn note(&mut self, pairs: &[Watched], pushed: &[u32]) {
        let known = self.points.len();
        for &index in pushed {
            for v in pairs[index as usize].points {
                if !std::mem::replace(&mut self.is_pushed[v as usize], true) {
                    self.points.push(v);
                }
            }
        }
        for &v in &self.points[known..] {
            for &entry in self.at.of(v as usize) {
                let edge = entry / 2;
                if !std::mem::replace(&mut self.listed[edge as usize], true) {
                    let (ends, least) = self.edges[edge as usize];
                    let [a, b] = ends.map(|v| place(&self.before, v));
                    self.list.push((edge, ends, least.max(a.distance(b))));
                }
            }
        }
    }

    /// Draws them together where they are too long; `weights` are inverse masses. [1/kg]
    pub fn draw(&self, weights: &[f32], y: &mut [Point4]) {
        for _ in 0..SWEEPS {
            let mut any = false;
            for &(_, [a, b], most) in &self.list {
                let way = place(y, b) - place(y, a);
                if way.length_squared() <= most * most {
                    continue;
                }
                let long = way.length();
                let [wa, wb] = [weights[a as usize], weights[b as usize]];
                if long <= most || wa + wb <= 0.0 {
                    continue;
                }
                any = true;
                let pull = way * ((long - most) / (long * (wa + wb)));
                for (v, share) in [(a, wa), (b, -wb)] {
                    let y = &mut y[v as usize];
                    for d in 0..3 {
                        y[d] += share * pull[d];
                    }
                }
            }
            if !any {
                break;
            }
        }
    }
}

#[inline(always)]
fn place(x: &[Point4], v: u32) -> Vec3 {
    let x = &x[v as usize];
    Vec3::new(x[0], x[1], x[2])
}
