//! Many points at once are answered as each would be by itself.

use glam::{Quat, Vec3};

use super::response::resolve_singly;
use super::*;
use crate::rng::Rng;
use crate::simd::{LANES, Lane};
use crate::soa::Soa3;

const OFFSET: f32 = 0.002;

fn random(rng: &mut Rng, size: f64) -> Vec3 {
    let mut one = || rng.between(-size, size) as f32;
    Vec3::new(one(), one(), one())
}

/// A ball, a rod, a box and a floor, at rest or on their way, turned by up to `turn` about each axis.
fn colliders(rng: &mut Rng, speed: f64, (turn, floor): (f64, f32)) -> Vec<Collider> {
    let shapes = [
        ColliderShape::Sphere(ColliderSphere { radius: 0.3 }),
        ColliderShape::Capsule(ColliderCapsule { half_length: 0.2, radius: 0.1 }),
        ColliderShape::Box(ColliderBox { half_size: Vec3::new(0.2, 0.1, 0.15) }),
        ColliderShape::Plane(ColliderPlane),
    ];
    let places = [Vec3::ZERO, Vec3::new(0.7, 0.0, 0.0), Vec3::new(-0.8, 0.1, 0.0), Vec3::Y * floor];
    let mut one = |(shape, place): (ColliderShape, Vec3)| {
        let rotation = Quat::from_scaled_axis(random(rng, turn));
        let rest = Pose { position: place, rotation };
        let motion = Motion::Linear { velocity: random(rng, speed) };
        Collider { friction: 0.4, motion, ..Collider::new("one", shape, rest) }
    };
    shapes.into_iter().zip(places).map(&mut one).collect()
}

#[test]
fn lanes_agree_with_single_points() {
    compare(5, (0.3, -0.25));
}

#[test]
fn lanes_agree_with_single_points_where_no_collider_is_turned() {
    // Nothing stands on this floor: a point that is held off it into another collider and slides
    // out again counts both by itself.
    compare(5, (0.0, -0.5));
}

/// Points at random against colliders that are turned by up to `turn` about each axis, over a floor.
fn compare(seed: u64, (turn, floor): (f64, f32)) {
    let mut rng = Rng::new(seed);
    let (mut touched, h) = (0, 1e-3f32);
    for round in 0..60 {
        let colliders = colliders(&mut rng, [0.0, 0.5][round % 2], (turn, floor));
        let mut steps = Vec::new();
        prepare_steps((&colliders, &[]), 0.0, f64::from(h), OFFSET, &mut steps);
        // On or near the surfaces, most of them.
        let mut start = Soa3::default();
        for i in 0..203 {
            let collider = &colliders[i % 4];
            let local = random(&mut rng, 0.35);
            let near = collider.shape.closest(local);
            let off = OFFSET + rng.between(-1e-4, 3e-4) as f32;
            let local = if i % 9 == 0 { local } else { near.point + near.normal * off };
            start.push(collider.rest.point(local));
        }
        let mut v = Soa3::zeros(start.len());
        (0..v.len()).for_each(|i| v.set(i, random(&mut rng, 0.6)));
        let mut x = start.clone();
        (0..x.len()).for_each(|i| x.add(i, v.get(i) * h));
        let weights: Vec<f32> = (0..x.len()).map(|i| if i % 17 == 3 { 0.0 } else { 1.0 }).collect();
        let settings = ContactSettings::new(OFFSET, h, Vec3::NEG_Y * 9.81);
        let (mut alone_x, mut alone_v) = (x.clone(), v.clone());
        let columns = Columns::of(&start, (&x, &v), &weights);
        let particles = |x, v| Particles { x_start: start.view(), x, v, inverse_mass: &weights };
        let count = resolve(&colliders, &steps, &settings, particles(x.view_mut(), v.view_mut()));
        let alone = particles(alone_x.view_mut(), alone_v.view_mut());
        assert_eq!(count, resolve_singly(&colliders, &steps, &settings, alone), "round {round}");
        touched += count;
        for i in 0..x.len() {
            let (off, faster) =
                (x.get(i).distance(alone_x.get(i)), v.get(i).distance(alone_v.get(i)));
            assert!(off < 3e-6 && faster < 3e-4, "round {round}, point {i}: {off} m, {faster} m/s");
        }
        columns.compare(Obstacles { colliders: &colliders, steps: &steps, settings }, (&x, &v));
    }
    assert!(touched > 3000, "{touched} contacts");
}

/// The first points, sixteen side by side.
struct Columns {
    starts: Vec<[Lane; 4]>,
    x: Vec<[Lane; 3]>,
    v: Vec<[Lane; 3]>,
}

impl Columns {
    fn of(start: &Soa3, (x, v): (&Soa3, &Soa3), weights: &[f32]) -> Self {
        let columns = |of: &Soa3| {
            let lanes = |i: usize| [&of.x, &of.y, &of.z].map(|from| Lane::full(from, LANES * i));
            (0..of.len() / LANES).map(lanes).collect::<Vec<_>>()
        };
        let (x, v, starts) = (columns(x), columns(v), columns(start).into_iter().enumerate());
        let whole = |(i, [x, y, z]): (usize, [Lane; 3])| [x, y, z, Lane::full(weights, LANES * i)];
        Self { starts: starts.map(whole).collect(), x, v }
    }

    /// What becomes of them must be what became of the same points in a row.
    fn compare(mut self, obstacles: Obstacles<'_>, (x, v): (&Soa3, &Soa3)) {
        let list: Vec<u32> = (0..self.starts.len() as u32).collect();
        let count = obstacles.resolve_columns(&list, &self.starts, (&mut self.x, &mut self.v));
        assert!(count > 0);
        for (i, l) in (0..list.len()).flat_map(|i| (0..LANES).map(move |l| (i, l))) {
            let at = |of: &[[Lane; 3]]| Vec3::from_array(of[i].map(|lane| lane.0[l]));
            let point = LANES * i + l;
            assert_eq!((at(&self.x), at(&self.v)), (x.get(point), v.get(point)), "{point}");
        }
    }
}
