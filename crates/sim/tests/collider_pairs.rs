//! Friction of single bodies on planes, boxes, spheres and capsules.

mod common;

use common::touching::{DESCENT, LINES, THICKNESS, law, sheet};
use glam::{Quat, Vec3};
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::colliders::{
    Collider, ColliderBox, ColliderCapsule, ColliderPlane, ColliderShape, ColliderSphere,
};
use tkanina_sim::contact::Rub;
use tkanina_sim::motion::Pose;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::topology::GridPlane;
use tkanina_sim::world::World;

const ANGLE: f32 = 20.0;

/// An incline of each kind. Round ones are not flat, but large.
fn inclines() -> Vec<(&'static str, Collider)> {
    let turn = Quat::from_rotation_z(ANGLE.to_radians());
    let at = |depth: f32| Pose { position: turn * Vec3::new(0.0, -depth, 0.0), rotation: turn };
    let lying = turn * Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let far = 100.0;
    let plane = ColliderShape::Plane(ColliderPlane {});
    let block = ColliderShape::Box(ColliderBox { half_size: Vec3::new(5.0, 0.5, 5.0) });
    let ball = ColliderShape::Sphere(ColliderSphere { radius: far });
    let rod = ColliderShape::Capsule(ColliderCapsule { radius: far, half_length: 5.0 });
    vec![
        ("plane", Collider::new("plane", plane, at(0.0))),
        ("box", Collider::new("box", block, at(0.5))),
        ("sphere", Collider::new("sphere", ball, at(far))),
        ("capsule", Collider::new("capsule", rod, Pose { rotation: lying, ..at(far) })),
    ]
}

/// Ways down the incline in a second of two sheets, the first of which may have a friction of its own.
fn slide(collider: &Collider, own: Option<f32>, others: f32, kind: SolverKind) -> [f32; 2] {
    let turn = Quat::from_rotation_z(ANGLE.to_radians());
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    for (name, z) in [("own", -0.8), ("other", 0.8)] {
        let up = turn * Vec3::new(0.0, 1.001 * THICKNESS, 0.0);
        let place = Pose { position: up + Vec3::Z * z, rotation: turn };
        builder.add_cloth(&sheet(name, 5, place, GridPlane::Xz));
    }
    builder.add_collider(Collider { friction: others, ..collider.clone() });
    builder.set_contact_offset(THICKNESS);
    builder.set_contact(law(2, 0.3));
    if let Some(friction) = own {
        builder.set_rub(0, 0, Rub { friction, restitution: 0.0 });
    }
    let (model, state) = builder.build();
    let mut world = World::new(model, state, kind);
    let middle = |world: &World, body: usize| {
        let all = world.model().bodies[body].particles.clone();
        let count = all.len() as f32;
        all.map(|i| world.state().x.get(i)).sum::<Vec3>() / count
    };
    let before = [0, 1].map(|body| middle(&world, body));
    let substeps = (world.substeps_for(1.0 / 60.0) as u32).max(16);
    for _ in 0..60 {
        world.advance_frame(1.0 / 60.0, substeps).unwrap();
    }
    [0, 1].map(|body| -(turn.inverse() * (middle(&world, body) - before[body])).x)
}

const KINDS: [SolverKind; 3] = [LINES, DESCENT, SolverKind::Xpbd { iterations: None }];

#[test]
fn a_body_slides_on_planes_and_boxes_by_the_friction_of_the_pair() {
    let angle = ANGLE.to_radians();
    // s = ½ g (sin α − μ cos α) t².
    let way = |friction: f32| 0.5 * 9.81 * (angle.sin() - friction * angle.cos());
    for (name, collider) in &inclines()[..2] {
        for kind in KINDS {
            let [held, slid] = slide(collider, Some(0.45), 0.1, kind);
            assert!(held.abs() < 2e-3, "{name}, {kind:?}: μ = 0.45 slid {held} m");
            let wanted = way(0.1);
            assert!((slid / wanted - 1.0).abs() < 0.03, "{name}, {kind:?}: {slid} m, not {wanted}");
            let [slid, held] = slide(collider, Some(0.2), 0.45, kind);
            let wanted = way(0.2);
            assert!((slid / wanted - 1.0).abs() < 0.03, "{name}, {kind:?}: {slid} m, not {wanted}");
            assert!(held.abs() < 2e-3, "{name}, {kind:?}: the other one slid {held} m");
        }
    }
}

#[test]
fn a_pair_rubs_as_if_the_collider_had_its_friction() {
    for (name, collider) in inclines() {
        for kind in KINDS {
            for (own, others) in [(0.2, 0.45), (0.45, 0.1)] {
                let [one, other] = slide(&collider, Some(own), others, kind);
                let same = [own, others].map(|friction| slide(&collider, None, friction, kind));
                assert!((one - same[0][0]).abs() < 1e-4, "{name}, {kind:?}: {one}, {same:?}");
                assert!((other - same[1][1]).abs() < 1e-4, "{name}, {kind:?}: {other}, {same:?}");
                assert!((one - other).abs() > 0.3, "{name}, {kind:?}: {one} and {other}");
            }
        }
    }
}
