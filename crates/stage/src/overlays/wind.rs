//! The wind as arrows around the bodies.

use glam::Vec3;
use tkanina_sim::colliders::prepare_steps;
use tkanina_sim::forces::{Shelter, WindKind, air_velocity};
use tkanina_sim::soa::Soa3;
use tkanina_sim::world::World;

use crate::bounds::Bounds;

/// Arrows along each side of what they stand around.
const COUNTS: [usize; 3] = [5, 4, 3];
/// Space around the bodies, as a share of their diagonal. [1]
const MARGIN: f32 = 0.12;
/// Length of the strongest arrow as a share of the diagonal. [1]
const LENGTH: f32 = 0.14;
/// Length of an arrow where no wind is felt, as a share of the strongest. [1]
const STILL: f32 = 0.06;

/// Arrows at places around the bodies along the wind there, eddies and lee included; where no
/// wind is felt they are stubs.
pub fn arrows(world: &World, out: &mut Vec<[Vec3; 2]>) {
    out.clear();
    let model = world.model();
    let bounds = Bounds::of_points(world.state().x.iter());
    let mean = model.wind.iter().fold(Vec3::ZERO, |sum, wind| sum + wind.kind.direction());
    let Some(forward) = mean.try_normalize().filter(|_| !bounds.is_none()) else { return };
    let diagonal = bounds.diagonal();
    let places = places(bounds);
    let felt = felt(world, &places);
    let strongest = felt.iter().map(|wind| wind.length()).fold(0.0, f32::max);
    for (place, wind) in places.into_iter().zip(felt) {
        let still = !(wind.length() > STILL * strongest);
        let arrow = if still { STILL * forward } else { wind / strongest };
        push_arrow(place, LENGTH * diagonal * arrow, out);
    }
}

/// The wind at places; a wind that is given as a force counts by its share of the strongest.
fn felt(world: &World, places: &[Vec3]) -> Vec<Vec3> {
    let (model, state) = (world.model(), world.state());
    let mut steps = Vec::new();
    let colliders = (model.colliders.as_slice(), state.hands.colliders.as_slice());
    prepare_steps(colliders, state.time, 0.0, model.contact_offset, &mut steps);
    let shelter = Shelter { colliders: &model.colliders, steps: &steps };
    let x = Soa3::from_points(places);
    let mut velocity = Soa3::zeros(places.len());
    air_velocity(&model.wind, shelter, state.time, x.view(), velocity.view_mut());
    let fastest = velocity.iter().map(|v| v.length()).fold(0.0, f32::max);
    let forces: Vec<_> = model
        .wind
        .iter()
        .filter_map(|wind| match wind.kind {
            WindKind::Force { force } => Some((force, wind.sheltered_by.as_slice())),
            _ => None,
        })
        .collect();
    let most = forces.iter().map(|(force, _)| force.length()).fold(0.0, f32::max);
    // Newtons and metres a second do not add up; drawn alike, the strongest of each are equal.
    let scale = if most > 0.0 { (if fastest > 0.0 { fastest } else { 1.0 }) / most } else { 0.0 };
    let at = |(index, place): (usize, &Vec3)| {
        let acting = forces.iter().filter(|(force, by)| !shelter.covers(by, *place, *force));
        acting.fold(velocity.get(index), |sum, (force, _)| sum + scale * *force)
    };
    places.iter().enumerate().map(at).collect()
}

fn places(bounds: Bounds) -> Vec<Vec3> {
    let margin = Vec3::splat(MARGIN * bounds.diagonal());
    let (low, size) = (bounds.low - margin, bounds.high - bounds.low + 2.0 * margin);
    let [nx, ny, nz] = COUNTS;
    let share = |i: usize, n: usize| i as f32 / (n - 1) as f32;
    let all = (0..nx * ny * nz).map(|i| (i % nx, i / nx % ny, i / (nx * ny)));
    all.map(|(i, j, k)| low + size * Vec3::new(share(i, nx), share(j, ny), share(k, nz))).collect()
}

/// A shaft with a head of four barbs, so that it is an arrow from every side.
fn push_arrow(tail: Vec3, along: Vec3, out: &mut Vec<[Vec3; 2]>) {
    let head = tail + along;
    out.push([tail, head]);
    let (across, beside) = along.normalize_or(Vec3::X).any_orthonormal_pair();
    let width = 0.12 * along.length();
    for side in [across, -across, beside, -beside] {
        out.push([head, head - 0.3 * along + width * side]);
    }
}
