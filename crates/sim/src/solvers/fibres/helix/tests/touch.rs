//! Contact and friction.

use glam::{Quat, Vec3};

use super::bench::{Bench, G, bow, fibre};
use crate::colliders::{Collider, ColliderPlane, ColliderShape, ColliderSphere, ColliderStep};
use crate::motion::Pose;

fn straight(along: Vec3, edges: usize) -> Vec<Vec3> {
    bow(along, Vec3::Z, edges, (1.0, 0.0))
}

fn collider(shape: ColliderShape, at: Vec3, friction: f32) -> Collider {
    let mut collider = Collider::new("ground", shape, Pose::at(at));
    collider.friction = friction;
    collider
}

/// How far the tip of a strand goes sideways in half a second on a floor of friction ½, and how fast
/// it is then. Gravity leans by so much; the strand is so limp that its clamp holds next to nothing.
fn goes(lean: f32) -> (f64, f64) {
    let floor = collider(ColliderShape::Plane(ColliderPlane), Vec3::Y * -0.02, 0.5);
    let shape = straight(Vec3::X, 16);
    let mut bench = Bench::among(&[(shape.clone(), shape)], fibre(2000.0, 0.46), 8, vec![floor]);
    bench.settle(1.0 / 60.0, 200);
    let before = bench.tip();
    bench.gravity.z = lean * G;
    (0..120).for_each(|_| bench.step(1.0 / 240.0));
    let last = bench.model.particle_count() - 1;
    ((bench.tip() - before).length(), bench.state.v.get(last).length().into())
}

#[test]
fn friction_holds_up_to_its_coefficient() {
    let (held, slid) = (goes(0.45), goes(0.55));
    assert!(held.0 < 2e-3 && held.1 < 5e-4, "{held:?}");
    assert!(slid.0 > 0.01, "{slid:?}");
}

/// A ball that turns to and fro under strands that lie on it makes them stick, slip and lift off all
/// the time. Friction that follows each Newton step makes them 17 a stage.
#[test]
fn strands_that_are_rubbed_take_few_newton_steps() {
    let ball = ColliderShape::Sphere(ColliderSphere { radius: 0.3 });
    let ball = collider(ball, Vec3::new(0.5, -0.3, 0.02), 0.5);
    let shape = |i: u32| {
        let rest = bow(Vec3::X, Vec3::Z, 24, (1.0, 0.5 * f64::from(i)));
        (straight(Vec3::X, 24), rest)
    };
    let shapes: Vec<_> = (0..8).map(shape).collect();
    let mut bench = Bench::among(&shapes, fibre(300.0, 0.46), 8, vec![ball.clone()]);
    let (frames, stages) = (120, 8.0 * 8.0);
    let mut start = ball.rest;
    for i in 1..=frames {
        let turn = Quat::from_rotation_y(libm::sinf(0.1 * i as f32));
        let end = Pose { rotation: turn, ..ball.rest };
        bench.colliders = vec![ColliderStep::new(&ball.shape, start, end, 0.0)];
        bench.step(1.0 / 60.0);
        start = end;
    }
    let steps = bench.helices.iterations() as f64 / (f64::from(frames) * stages);
    assert!(steps < 11.0, "{steps} a stage");
}
