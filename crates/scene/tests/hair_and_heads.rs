//! Hair stays out of heads and shoulders.

use glam::Vec3;
use tkanina_scene::build::build;
use tkanina_scene::schema::Scene;
use tkanina_sim::colliders::{ColliderShape, DistanceField, Shape};
use tkanina_sim::strands::Strand;
use tkanina_sim::world::World;

/// Deeper than this in the mesh itself a point may never be. [m]
const DEPTH: f32 = 5e-4;

/// How far a point is out of the mesh that a field was made from, negative inside. [m]
fn outside(field: &DistanceField, point: Vec3) -> f32 {
    let (about, outward) = field.sample(point);
    if about > 5e-3 {
        return about;
    }
    let closest = field.mesh().closest(point);
    if (point - closest.point).dot(outward) < 0.0 { -closest.distance } else { closest.distance }
}

/// The deepest that a free point of a strand is in a head. [m]
fn deepest(world: &World) -> f32 {
    let (model, state) = (world.model(), world.state());
    let mut deepest = 0.0f32;
    for (index, collider) in model.colliders.iter().enumerate() {
        let ColliderShape::DistanceField(field) = &collider.shape else { continue };
        let pose = world.collider_pose(index);
        let strands = model.strands.iter().flat_map(|set| &set.strands);
        for particle in strands.flat_map(Strand::particles) {
            if model.inverse_mass[particle] > 0.0 {
                let point = pose.local_point(state.x.get(particle));
                deepest = deepest.max(-outside(field, point));
            }
        }
    }
    deepest
}

#[test]
fn hair_enters_neither_heads_nor_shoulders() {
    for (name, seconds) in [
        ("hair-straight", 3.0),
        ("hair-wavy", 2.0),
        ("hair-curly", 2.0),
        ("wet-hair", 2.0),
        ("long-hair-over-shoulders", 3.0),
    ] {
        let loaded = Scene::open(name, &[]).expect("a scene of this name");
        let mut simulation = build(&loaded).expect("a world");
        let (frame, steps) = (simulation.schedule.frame_s, simulation.schedule.substeps);
        let mut worst = 0.0f32;
        for number in 0..(seconds / frame) as usize {
            simulation.world.advance_frame(frame, steps).expect("no explosion");
            if number % 12 == 0 {
                worst = worst.max(deepest(&simulation.world));
            }
        }
        println!("{name}: {worst} m");
        assert!(worst < DEPTH, "hair of {name} is {worst} m deep in a head");
    }
}
