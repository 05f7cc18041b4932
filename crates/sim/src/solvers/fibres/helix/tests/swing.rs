//! Motion.

use glam::{Quat, Vec3};

use super::bench::{Bench, G, bow, fibre};
use crate::colliders::{Collider, ColliderPlane, ColliderShape, ColliderSphere};
use crate::motion::Pose;
use crate::simd::{SimdLevel, at_level};
use crate::solvers::fibres::reference::Links;

fn straight(along: Vec3, edges: usize) -> Vec<Vec3> {
    bow(along, Vec3::Z, edges, (1.0, 0.0))
}

fn curl(towards: Vec3, curl: f64) -> Vec<Vec3> {
    bow(Vec3::NEG_Y, towards, 24, (1.0, curl))
}

#[test]
fn a_strand_swings_as_a_converged_rod() {
    // Γ, and how far from the vertical the clamp points.
    let cases = [(5.0, std::f64::consts::FRAC_PI_2), (20.0, 0.5), (60.0, 0.3)];
    for (gamma, clamp) in cases {
        let along = Vec3::new(clamp.sin() as f32, -clamp.cos() as f32, 0.0);
        let shape = straight(along, 16);
        let mut bench = Bench::new(&[(shape.clone(), shape)], fibre(gamma, 0.46), 8);
        let law = (f64::from(G), f64::from(G) / gamma);
        let [mut coarse, mut fine] = [16, 32].map(|links| Links::straight(links, clamp, law));
        let (h, inner) = (1.0 / 240.0, 16);
        let mut worst = 0.0_f64;
        for _ in 0..360 {
            bench.step(h);
            for _ in 0..inner {
                coarse.step(h / f64::from(inner));
                fine.step(h / f64::from(inner));
            }
            // Both miss by the square of a link's length.
            let known = (fine.tip() * 4.0 - coarse.tip()) / 3.0;
            worst = worst.max((bench.tip().truncate() - known).length());
        }
        assert!(worst < 0.02, "{gamma}: {worst}");
    }
}

/// Seconds between the first and the last upward passage of the tip through its middle, over how
/// many there are between.
fn period(bench: &mut Bench, h: f64, seconds: f64) -> f64 {
    let (mut last, mut times) = (bench.tip().x, Vec::new());
    for i in 1..=(seconds / h) as usize {
        bench.step(h);
        let now = bench.tip().x;
        if last < 0.0 && now >= 0.0 {
            times.push((i as f64 - now / (now - last)) * h);
        }
        last = now;
    }
    (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64
}

#[test]
fn a_clamped_beam_sings_its_note() {
    // ω = 3.5160 √(EI/ρ)/L² without gravity.
    let shape = straight(Vec3::NEG_Y, 16);
    let mut bench = Bench::new(&[(shape.clone(), shape)], fibre(1.0, 0.46), 8);
    bench.gravity = Vec3::ZERO;
    bench.push.x.fill(0.05);
    bench.settle(0.05, 60);
    bench.push.x.fill(0.0);
    let known = std::f64::consts::TAU / (3.5160 * f64::from(G).sqrt());
    let found = period(&mut bench, 0.002, 3.0);
    assert!((found / known - 1.0).abs() < 0.005, "{found} is not {known}");
}

#[test]
fn a_limp_strand_swings_as_a_hanging_chain() {
    // ω = ½ j √(g/L), j = 2.4048; what pieces miss is at the clamp, where a chain has a corner.
    let known = std::f64::consts::TAU / (0.5 * 2.4048 * f64::from(G).sqrt());
    let error = |pieces: u32| {
        let shape = straight(Vec3::NEG_Y, 40);
        let mut bench = Bench::new(&[(shape.clone(), shape)], fibre(1e6, 0.46), pieces);
        bench.push.x.fill(0.1);
        bench.settle(0.1, 40);
        bench.push.x.fill(0.0);
        period(&mut bench, 0.004, 6.0) / known - 1.0
    };
    let [few, many] = [10, 40].map(error);
    assert!(few.abs() < 0.04, "{few} with 10 pieces");
    assert!(many.abs() < 0.01, "{many} with 40 pieces");
}

#[test]
fn energy_never_grows_unasked() {
    for h in [1.0 / 60.0, 1.0 / 240.0, 0.1] {
        let mut bench = Bench::new(
            &[
                (straight(Vec3::X, 24), straight(Vec3::X, 24)),
                (straight(Vec3::NEG_Y, 24), curl(Vec3::X, 9.0)),
                (straight(Vec3::Y, 24), straight(Vec3::Y, 24)),
            ],
            fibre(60.0, 0.46),
            8,
        );
        let first = bench.energy();
        let mut last = first;
        for step in 0..(1.5 / h) as usize {
            bench.step(h);
            let now = bench.energy();
            assert!(now <= last + 1e-9 * first.abs(), "{h} at {step}: {last} to {now}");
            last = now;
        }
    }
}

#[test]
fn roots_that_jerk_leave_strands_finite_and_of_their_length() {
    let shape = curl(Vec3::X, 6.0);
    let mut bench = Bench::new(&[(shape.clone(), shape)], fibre(300.0, 0.46), 8);
    for i in 0..120 {
        let turn = Quat::from_rotation_z(if i % 3 == 0 { 2.0 } else { -1.0 });
        let place = Vec3::X * if i % 2 == 0 { 0.5 } else { -0.5 };
        bench.step_to(1.0 / 60.0, Pose { position: place, rotation: turn });
        let edge = 1.0 / 24.0;
        for k in 1..25 {
            let length = (bench.point(k + 1) - bench.point(k)).length();
            assert!(length < edge * (1.0 + 1e-5), "{i} {k}: {length}");
        }
    }
    bench.settle(0.05, 240);
    assert!(bench.fastest() < 1e-4, "{}", bench.fastest());
}

#[test]
fn no_length_changes_under_any_load() {
    let shape = straight(Vec3::NEG_Y, 24);
    let mut bench = Bench::new(&[(shape.clone(), shape)], fibre(300.0, 0.46), 8);
    bench.gravity *= 1000.0;
    for _ in 0..20 {
        bench.step(1.0 / 240.0);
    }
    assert!((bench.tip() + glam::DVec3::Y).length() < 1e-6, "{}", bench.tip());
}

fn ground(friction: f32) -> Vec<Collider> {
    let ball = ColliderShape::Sphere(ColliderSphere { radius: 0.2 });
    let mut ball = Collider::new("ball", ball, Pose::at(Vec3::new(0.5, -0.3, 0.02)));
    let mut floor =
        Collider::new("floor", ColliderShape::Plane(ColliderPlane), Pose::at(Vec3::Y * -0.45));
    (ball.friction, floor.friction) = (friction, friction);
    vec![ball, floor]
}

#[test]
fn strands_stay_out_of_colliders_and_come_to_rest() {
    let shape = straight(Vec3::X, 32);
    for friction in [0.0, 0.4] {
        let shapes = [(shape.clone(), shape.clone())];
        let mut bench = Bench::among(&shapes, fibre(200.0, 0.46), 12, ground(friction));
        let mut deepest = 0.0_f64;
        for _ in 0..480 {
            bench.step(1.0 / 240.0);
            for i in 0..bench.model.particle_count() {
                let p = bench.point(i);
                let ball = 0.2 - (p - glam::DVec3::new(0.5, -0.3, 0.02)).length();
                deepest = deepest.max(ball).max(-0.45 - p.y);
            }
        }
        bench.settle(0.05, 160);
        assert!(deepest < 5e-4, "{deepest}");
        assert!(bench.fastest() < 5e-4, "{}", bench.fastest());
    }
}

#[test]
fn friction_holds_a_strand_that_gravity_draws_along_the_floor() {
    // Lies on the floor; then gravity leans by less, or more, than friction can hold.
    let floor = |friction: f32| {
        let shape = ColliderShape::Plane(ColliderPlane);
        let mut floor = Collider::new("floor", shape, Pose::at(Vec3::Y * -0.02));
        floor.friction = friction;
        vec![floor]
    };
    let moved = |lean: f32| {
        let shape = straight(Vec3::X, 16);
        let mut bench = Bench::among(&[(shape.clone(), shape)], fibre(2000.0, 0.46), 8, floor(0.5));
        bench.settle(1.0 / 60.0, 200);
        let before = bench.tip();
        bench.gravity.z = lean * G;
        (0..120).for_each(|_| bench.step(1.0 / 240.0));
        (bench.tip() - before).length()
    };
    let (held, slid) = (moved(0.2), moved(0.9));
    assert!(held < 2e-3, "{held}");
    assert!(slid > 0.05, "{slid}");
}

#[test]
fn threads_do_not_show() {
    let run = |threads: usize| {
        let shapes: Vec<_> =
            (0..13).map(|i| (straight(Vec3::X, 24), curl(Vec3::Z, 0.5 * f64::from(i)))).collect();
        let mut bench = Bench::among(&shapes, fibre(100.0, 0.46), 8, ground(0.3));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (0..30).for_each(|_| bench.step(1.0 / 120.0)));
        bench.state
    };
    let one = run(1);
    for threads in [2, 3, 8] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

#[test]
fn vectors_do_not_show() {
    let run = |level| {
        let shape = |i: u32| (straight(Vec3::X, 24), curl(Vec3::Z, 0.5 * f64::from(i)));
        let shapes: Vec<_> = (0..5).map(shape).collect();
        let mut bench = Bench::among(&shapes, fibre(100.0, 0.46), 11, ground(0.3));
        at_level(level, || (0..60).for_each(|_| bench.step(1.0 / 120.0)));
        bench.state
    };
    let widest = run(SimdLevel::Widest);
    for level in [SimdLevel::Plain, SimdLevel::Avx2] {
        assert!(run(level) == widest, "{level:?}");
    }
}

/// A strand costs so much a piece and no more, if Newton's method takes no more steps for many pieces
/// than for few. What that is in time `tkanina bench` says.
#[test]
fn many_pieces_take_no_more_newton_steps_than_few() {
    let steps = |pieces: u32| {
        let shape = |i: u32| (straight(Vec3::X, 24), curl(Vec3::X, 0.1 * f64::from(i)));
        let shapes: Vec<_> = (0..10).map(shape).collect();
        let mut bench = Bench::new(&shapes, fibre(50.0, 0.46), pieces);
        (0..8).for_each(|_| bench.step(1.0 / 240.0));
        let before = bench.helices.iterations();
        (0..40).for_each(|_| bench.step(1.0 / 240.0));
        (bench.helices.iterations() - before) as f64 / 800.0
    };
    let few = steps(4);
    assert!(few < 4.0, "{few} a stage");
    for pieces in [8, 16, 32, 64, 128] {
        let many = steps(pieces);
        assert!(many < 1.2 * few, "{pieces} pieces: {many} a stage, four: {few}");
    }
}
