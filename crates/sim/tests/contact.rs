//! Friction and restitution on a plane, through whole worlds and every integrator.

mod common;

use common::{DOWN, G};
use glam::{Quat, Vec3};
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::colliders::{Collider, ColliderPlane, ColliderShape};
use tkanina_sim::motion::Pose;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::world::World;

/// A particle on a plane tilted by `degrees` about z; downhill is −x.
fn on_incline(kind: SolverKind, degrees: f32, friction: f32) -> World {
    let mut b = ModelBuilder::new(DOWN);
    let rotation = Quat::from_rotation_z(degrees.to_radians());
    let pose = Pose { position: Vec3::ZERO, rotation };
    let mut plane = Collider::new("slope", ColliderShape::Plane(ColliderPlane), pose);
    plane.friction = friction;
    b.add_collider(plane);
    b.add_particle(0.1, Vec3::ZERO, Vec3::ZERO);
    let (model, state) = b.build();
    World::new(model, state, kind)
}

#[test]
fn a_point_sticks_below_the_friction_angle_and_slides_above() {
    let friction = 0.5f32;
    let angle = friction.atan().to_degrees();
    for kind in SolverKind::EXPLICIT {
        let mut sticks = on_incline(kind, angle - 0.1, friction);
        (0..2000).for_each(|_| sticks.step(1e-3));
        let moved = sticks.state().x.get(0).length();
        assert!(moved < 1e-4, "{kind:?}: crept {moved} m in 2 s");

        let mut slides = on_incline(kind, angle + 0.1, friction);
        (0..2000).for_each(|_| slides.step(1e-3));
        let moved = slides.state().x.get(0).length();
        // a = g(sin α − μ cos α) ≈ g·0.1°·√(1 + μ²)
        assert!(moved > 0.01, "{kind:?}: stuck, moved {moved} m");
    }
}

#[test]
fn a_sliding_point_accelerates_as_coulomb_says() {
    let (friction, degrees) = (0.3f32, 35.0f32);
    let (sin, cos) = degrees.to_radians().sin_cos();
    let a = G * (sin - friction * cos);
    for kind in SolverKind::EXPLICIT {
        let mut w = on_incline(kind, degrees, friction);
        (0..1000).for_each(|_| w.step(1e-3));
        let speed = w.state().v.get(0).length();
        assert!((speed / a - 1.0).abs() < 0.01, "{kind:?}: {speed} m/s after 1 s, not {a}");
        let way = w.state().x.get(0).length();
        assert!((way / (0.5 * a) - 1.0).abs() < 0.01, "{kind:?}: {way} m not {}", 0.5 * a);
    }
}

#[test]
fn bounce_height_is_restitution_squared() {
    for kind in SolverKind::EXPLICIT {
        for restitution in [0.3f32, 0.5, 0.8, 1.0] {
            let mut b = ModelBuilder::new(DOWN);
            let pose = Pose::at(Vec3::ZERO);
            let mut floor = Collider::new("floor", ColliderShape::Plane(ColliderPlane), pose);
            floor.restitution = restitution;
            b.add_collider(floor);
            b.add_particle(0.1, Vec3::Y, Vec3::ZERO);
            let (model, state) = b.build();
            let mut w = World::new(model, state, kind);
            let mut lowest_seen = false;
            let mut top = 0.0f32;
            for _ in 0..12_000 {
                w.step(1e-4);
                let (y, vy) = (w.state().x.get(0).y, w.state().v.get(0).y);
                lowest_seen |= vy > 0.0;
                if lowest_seen {
                    top = top.max(y);
                    if vy < 0.0 {
                        break;
                    }
                }
            }
            let expected = restitution * restitution;
            assert!((top / expected - 1.0).abs() < 0.01, "{kind:?} e = {restitution}: {top}");
        }
    }
}
