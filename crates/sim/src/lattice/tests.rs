//! Against sums taken one by one, and against what physics keeps.

mod by_definition;
mod kept;
mod robust;

use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};

use super::*;
use crate::rng::Rng;
use crate::soa::Soa3;

/// A box with holes in it and some links cut.
fn holed(rng: &mut Rng, counts: [usize; 3]) -> Lattice {
    let block = Lattice::block(counts, 0.1);
    let kept: Vec<u32> = (0..block.len() as u32).filter(|_| rng.unit() < 0.8).collect();
    let mut lattice = block.part(&kept);
    for v in 0..lattice.len() {
        for axis in 0..3 {
            if rng.unit() < 0.35 {
                lattice.cut(v, axis);
            }
        }
    }
    lattice
}

fn random_point(rng: &mut Rng, size: f64) -> DVec3 {
    DVec3::new(rng.between(-size, size), rng.between(-size, size), rng.between(-size, size))
}

fn shaken(rng: &mut Rng, lattice: &Lattice, size: f64) -> Soa3 {
    let turn = DQuat::from_rotation_y(0.8) * DQuat::from_rotation_x(-0.4);
    let place = |v: usize| {
        (turn * lattice.rest(v) + DVec3::new(3.0, -1.0, 2.0) + random_point(rng, size)).as_vec3()
    };
    let points: Vec<Vec3> = (0..lattice.len()).map(place).collect();
    Soa3::from_points(&points)
}

fn masses(rng: &mut Rng, n: usize) -> Vec<f32> {
    (0..n).map(|_| rng.between(0.5, 2.0) as f32).collect()
}

fn goals_of(lattice: &Lattice, half: usize, masses: &[f32], x: &Soa3) -> Soa3 {
    let mut goals = Soa3::zeros(x.len());
    let regions = Arc::new(Regions::new(lattice.clone(), half));
    ShapeMatching::new(regions, masses).goals(x, &mut goals);
    goals
}
