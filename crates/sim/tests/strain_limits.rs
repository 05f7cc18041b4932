//! A strain limit holds at every frame's end, under every solver.

mod common;

use glam::Vec3;
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{Cloth, MassRule, SpringModel};
use tkanina_sim::colliders::{Collider, ColliderShape, ColliderSphere};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::measure;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::{Motion, Pose};
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::world::World;

/// Soft cloth that would stretch to a multiple of its length but for the limit.
fn soft(n: usize, limit: f32) -> Cloth {
    let params = |stiffness| SpringParams { stiffness, damping: 0.002 };
    let springs = SpringModel::Neighbours12 {
        structural: params(8.0),
        shear: params(4.0),
        bend: params(1.0),
    };
    let mass = MassRule::AreaDensity(0.5);
    Cloth { springs, mass, max_stretch: Some(limit), ..common::cloth([n, n], 8.0, 0.0) }
}

fn world(kind: SolverKind, n: usize, pins: &[usize], ball: bool) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let (particles, _) = builder.add_cloth(&soft(n, 0.1));
    for &pin in pins {
        builder.hold(particles.start + pin, AnchorPath::Fixed, Grip::RIGID);
    }
    if ball {
        builder.add_collider(Collider {
            name: "ball".to_owned(),
            shape: ColliderShape::Sphere(ColliderSphere { radius: 0.2 }),
            rest: Pose::at(Vec3::new(0.05, -0.3, 0.0)),
            motion: Motion::Static,
            friction: 0.4,
            restitution: 0.0,
        });
    }
    let (model, state) = builder.build();
    World::new(model, state, kind)
}

fn worst(kind: SolverKind, n: usize, pins: &[usize], ball: bool) -> (f64, f64) {
    let mut world = world(kind, n, pins, ball);
    let substeps = world.substeps_for(1.0 / 60.0) as u32;
    let (mut worst, mut at) = (0.0f64, 0.0);
    for _ in 0..80 {
        world.advance_frame(1.0 / 60.0, substeps).unwrap();
        let stretch = measure::stretch(world.model().edges.edges(), &world.state().x).max;
        if stretch > worst {
            (worst, at) = (stretch, world.state().time);
        }
    }
    (worst, at)
}

#[test]
fn ten_percent_means_ten_and_a_half_at_every_frame_end() {
    let n = 20;
    let row: Vec<usize> = (0..n).collect();
    let (corners, three) = ([0, n - 1], [0, n - 1, n * n - 1]);
    // Explicit Euler and the kinematic method need thousands of steps a frame to be stable.
    let slow = [SolverKind::ExplicitEuler, SolverKind::Kinematic];
    for kind in SolverKind::all().filter(|kind| !slow.contains(kind)) {
        for (pins, ball) in [(&corners[..], false), (&row[..], false), (&three[..], true)] {
            let (stretch, at) = worst(kind, n, pins, ball);
            let case = format!("{}, {} pins, ball: {ball}", kind.name(), pins.len());
            assert!(stretch <= 0.105, "{case}: {stretch:.4} at {at:.2} s");
            assert!(stretch > 0.05, "{case}: {stretch:.4}, nothing to limit");
        }
    }
}
