//! Order, period, decay and stability of the integrators on the Hooke oscillator.

mod common;

use std::f64::consts::TAU;

use common::{DOWN, cloth, oscillator, world};
use glam::Vec3;
use tkanina_sim::cloth::{AngleBending, SpringModel};
use tkanina_sim::solvers::{SolverKind, stable_step};
use tkanina_sim::world::World;

fn displacement(w: &World) -> f64 {
    f64::from(w.state().x.get(1).x)
}

#[test]
fn verlet_and_symplectic_euler_follow_their_discrete_period() {
    // cos(ω_d h) = 1 − (ωh)²/2.
    let omega = 10.0f64;
    let (h, amplitude) = (0.02, 0.1);
    let discrete = (1.0 - 0.5 * (omega * h) * (omega * h)).acos() / h;
    let period = TAU / discrete;
    for kind in [
        SolverKind::Verlet { loss: 0.0 },
        SolverKind::VelocityVerlet,
        SolverKind::SemiImplicitEuler,
    ] {
        let mut w = oscillator(kind, omega, 0.0, amplitude);
        let mut crossings = common::Crossings::default();
        for _ in 0..4000 {
            crossings.see(w.state().time, displacement(&w));
            w.step(h);
        }
        let count = crossings.times.len();
        let measured = 2.0 * (crossings.times[count - 1] - crossings.times[0]) / (count - 1) as f64;
        assert!((measured / period - 1.0).abs() < 1e-4, "{kind:?}: {measured} not {period}");
        // And that is not the continuous period.
        assert!((measured / (TAU / omega) - 1.0).abs() > 1e-3);
    }
}

#[test]
fn verlet_loss_decays_as_its_recursion_says() {
    // x⁺ = (2 − s)x − (1 − s)x⁻ + h²a: the amplitude shrinks by √(1 − s) a step.
    let (omega, h, s) = (10.0, 0.01, 0.01);
    let mut w = oscillator(SolverKind::Verlet { loss: s as f32 }, omega, 0.0, 0.1);
    let mut before = [0.1, 0.1];
    w.step(h);
    before[1] = displacement(&w);
    for _ in 0..500 {
        let expected = (2.0 - s) * before[1] - (1.0 - s) * before[0] - h * h * 100.0 * before[1];
        w.step(h);
        let x = displacement(&w);
        assert!((x - expected).abs() < 1e-6, "{x} {expected}");
        before = [before[1], x];
    }
}

#[test]
fn orders_of_convergence() {
    let omega = TAU;
    // First-order methods err in amplitude: look off the node. The others err in phase
    // first and in amplitude one order higher: look at the node, where only phase shows.
    let error = |kind, order: f64, steps: usize| {
        let duration = if order < 2.0 { 1.15 } else { 1.25 };
        let exact = 0.5 * (omega * duration).cos();
        let mut w = oscillator(kind, omega, 0.0, 0.5);
        (0..steps).for_each(|_| w.step(duration / steps as f64));
        (displacement(&w) - exact).abs()
    };
    for (kind, order, steps) in [
        (SolverKind::ExplicitEuler, 1.0, 2000),
        (SolverKind::SemiImplicitEuler, 1.0, 400),
        (SolverKind::Kinematic, 1.0, 2000),
        (SolverKind::Verlet { loss: 0.0 }, 2.0, 40),
        (SolverKind::VelocityVerlet, 2.0, 40),
        (SolverKind::Rk4, 4.0, 26),
    ] {
        let slope = (error(kind, order, steps) / error(kind, order, 2 * steps)).log2();
        assert!((slope - order).abs() < 0.1, "{kind:?}: slope {slope}");
    }
}

/// Largest |x| over many steps after a small push.
fn grows(mut w: World, h: f64, steps: usize) -> bool {
    for _ in 0..steps {
        w.step(h);
        let largest = (0..w.state().x.len())
            .map(|i| w.state().v.get(i).length() * h as f32)
            .fold(0.0, f32::max);
        if !(largest < 0.02) {
            return true;
        }
    }
    false
}

#[test]
fn the_oscillator_breaks_at_the_predicted_step_and_not_before() {
    for (kind, gamma) in [
        (SolverKind::Verlet { loss: 0.0 }, 0.0),
        (SolverKind::Verlet { loss: 0.1 }, 0.0),
        (SolverKind::VelocityVerlet, 0.0),
        (SolverKind::SemiImplicitEuler, 3.0),
        (SolverKind::ExplicitEuler, 4.0),
        (SolverKind::Kinematic, 4.0),
        (SolverKind::Rk4, 0.0),
        (SolverKind::Rk4, 5.0),
    ] {
        let make = || oscillator(kind, 20.0, gamma, 1e-4);
        let limit = stable_step(kind, make().model(), &make().state().x).limit;
        if gamma == 0.0 && matches!(kind, SolverKind::Verlet { loss: 0.0 }) {
            assert!((limit * 20.0 - 2.0).abs() < 1e-3, "ωh = 2");
        }
        assert!(!grows(make(), 0.98 * limit, 20_000), "{kind:?} γ = {gamma}: broke below {limit}");
        assert!(grows(make(), 1.02 * limit, 20_000), "{kind:?} γ = {gamma}: held above {limit}");
    }
}

#[test]
fn cloth_breaks_at_the_predicted_step_and_not_before() {
    let mut plate = cloth([8, 7], 100.0, 0.0);
    plate.springs =
        SpringModel::Triangles { warp: 100.0, weft: 70.0, shear: 30.0, damping_ratio: 0.0 };
    plate.bending = Some(AngleBending { stiffness: 1.0, damping: 0.0 });
    plate.plate = true;
    for sheet in [cloth([8, 7], 100.0, 0.0), plate] {
        for kind in [SolverKind::Verlet { loss: 0.0 }, SolverKind::Rk4] {
            let make = || {
                let mut w = world(Vec3::ZERO, kind, &sheet, &[0, 7]);
                w.send(tkanina_sim::commands::Command::Impulse {
                    particles: vec![25],
                    impulse: Vec3::new(1e-6, 1e-6, 2e-6),
                });
                w
            };
            let limit = make().step_advice().limit;
            assert!(!grows(make(), 0.98 * limit, 5000), "{kind:?}: broke below {limit}");
            assert!(grows(make(), 1.02 * limit, 5000), "{kind:?}: held above {limit}");
        }
    }
}

#[test]
fn explicit_euler_has_no_stable_step_without_damping() {
    let w = oscillator(SolverKind::ExplicitEuler, 20.0, 0.0, 0.1);
    assert!(!w.step_advice().has_stable_step());
}

#[test]
fn an_exploding_run_stops_at_the_last_good_frame_and_says_why() {
    let mut w = world(DOWN, SolverKind::Verlet { loss: 0.0 }, &cloth([10, 10], 1e4, 0.0), &[0, 9]);
    let mut good = w.state().clone();
    let explosion = loop {
        match w.advance_frame(1.0 / 60.0, 1) {
            Ok(()) => good = w.state().clone(),
            Err(explosion) => break explosion,
        }
        assert!(w.state().time < 60.0, "a step 30 times too long must explode");
    };
    assert_eq!(w.state(), &good);
    assert!(tkanina_sim::measure::nonfinite(w.state()) == 0);
    let sentence = explosion.to_string();
    assert!(sentence.contains("sheet["), "{sentence}");
    assert!(sentence.contains("above the stable"), "{sentence}");
}
