//! Implicit integrators against the oscillator's known answers, and under abuse.

mod common;
mod implicit_kinds;

use std::f64::consts::TAU;

use common::{DOWN, cloth, oscillator, world};
use glam::Vec3;
use implicit_kinds::{ALL, BDF2, EULER, MIDPOINT, SDIRK2, adaptive};
use tkanina_sim::cloth::AngleBending;
use tkanina_sim::measure;
use tkanina_sim::model::Model;
use tkanina_sim::rng::Rng;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::state::State;
use tkanina_sim::world::World;

fn displacement(w: &World) -> f64 {
    f64::from(w.state().x.get(1).x)
}

#[test]
fn orders_of_convergence() {
    let omega = TAU;
    // Where a first-order method errs in amplitude, and a second-order one in phase.
    for (gamma, kinds) in [(0.0, ALL.as_slice()), (0.8, &ALL)] {
        for &kind in kinds {
            let order = if kind == EULER { 1.0 } else { 2.0 };
            let steps = if kind == EULER { 4000 } else { 100 };
            let duration = if kind == EULER { 1.15 } else { 1.25 };
            // ẍ = −ω²x − γẋ.
            let damped = (omega * omega - 0.25 * gamma * gamma).sqrt();
            let (sine, cosine) = (damped * duration).sin_cos();
            let exact =
                0.5 * (-0.5 * gamma * duration).exp() * (cosine + 0.5 * gamma / damped * sine);
            let error = |steps: usize| {
                let mut w = oscillator(kind, omega, gamma, 0.5);
                (0..steps).for_each(|_| w.step(duration / steps as f64));
                displacement(&w) - exact
            };
            let slope = (error(steps) / error(2 * steps)).abs().log2();
            assert!((slope - order).abs() < 0.1, "{kind:?}, γ {gamma}: slope {slope}");
        }
    }
}

#[test]
fn implicit_euler_decays_as_its_law_says() {
    // x⁺(1 + ω²h²) = x + h v: the amplitude shrinks by (1 + ω²h²)^(−1/2) a step.
    let (omega, h) = (10.0f64, 0.02);
    let mut w = oscillator(EULER, omega, 0.0, 0.3);
    // x² + v²/ω² of one mode falls by exactly that factor squared.
    let amplitude = |w: &World| {
        let v = f64::from(w.state().v.get(1).x) / omega;
        displacement(w).hypot(v)
    };
    for step in 0..100 {
        let before = amplitude(&w);
        w.step(h);
        let ratio = amplitude(&w) / before;
        let expected = (1.0 + omega * omega * h * h).powf(-0.5);
        assert!((ratio / expected - 1.0).abs() < 1e-4, "step {step}: {ratio} not {expected}");
    }
}

#[test]
fn midpoint_keeps_the_oscillators_energy() {
    let (omega, h) = (10.0f64, 0.05);
    let mut w = oscillator(MIDPOINT, omega, 0.0, 0.3);
    let start = measure::energy(w.model(), w.state()).total();
    for _ in 0..10_000 {
        w.step(h);
    }
    let end = measure::energy(w.model(), w.state()).total();
    assert!((end / start - 1.0).abs() < 1e-3, "{start} became {end}");
}

#[test]
fn bdf2_survives_changes_of_the_step() {
    let omega = TAU;
    let mut w = oscillator(BDF2, omega, 0.0, 0.5);
    let mut time = 0.0;
    for i in 0..1000 {
        let h = [1e-3, 1e-3, 2e-3, 0.5e-3, 0.5e-3][i % 5];
        w.step(h);
        time += h;
    }
    let exact = 0.5 * (omega * time).cos();
    assert!((displacement(&w) - exact).abs() < 1e-3, "{} not {exact}", displacement(&w));
}

#[test]
fn an_adaptive_step_meets_its_tolerance_and_rests_when_calm() {
    let omega = TAU;
    for tolerance in [1e-3f32, 1e-4, 1e-5] {
        let mut w = oscillator(adaptive(tolerance), omega, 0.0, 0.5);
        let frames = 60;
        let mut last = 0;
        for frame in 1..=frames {
            w.step(1.0 / 30.0);
            let steps = w.effort().inner_steps;
            let taken = (steps - last).max(1) as f64;
            last = steps;
            // Local errors add up: one tolerance a step at most.
            let exact = 0.5 * (omega * f64::from(frame) / 30.0).cos();
            let allowed = f64::from(tolerance) * steps as f64;
            let error = (displacement(&w) - exact).abs();
            assert!(error <= allowed, "{tolerance}, frame {frame}: {error} of {allowed}");
            assert!(taken < 100.0);
        }
    }
    // The tighter, the more steps; and a mass at rest takes one.
    let steps = |tolerance| {
        let mut w = oscillator(adaptive(tolerance), omega, 0.0, 0.5);
        (0..60).for_each(|_| w.step(1.0 / 30.0));
        w.effort().inner_steps
    };
    let counts = [1e-3, 1e-4, 1e-5].map(steps);
    assert!(counts[0] < counts[1] && counts[1] < counts[2], "{counts:?}");
    // Third-order local error: ten times tighter, 10^(1/3) times more steps.
    let ratio = counts[2] as f64 / counts[1] as f64;
    assert!((ratio / 10f64.cbrt() - 1.0).abs() < 0.2, "{counts:?}");
    let mut calm = oscillator(adaptive(1e-5), omega, 0.0, 0.0);
    (0..60).for_each(|_| calm.step(1.0 / 30.0));
    assert_eq!(calm.effort().inner_steps, 60);
}

#[test]
fn an_adaptive_cloth_follows_a_fine_reference_and_takes_fewer_steps_when_it_rests() {
    let sheet = {
        let mut sheet = cloth([8, 8], 40.0, 0.02);
        sheet.damping = 0.02;
        sheet
    };
    let make = |kind| world(DOWN, kind, &sheet, &[0, 7]);
    let mut fine = make(SDIRK2);
    (0..1500).for_each(|_| fine.step(2e-4));
    let mut counts = Vec::new();
    for tolerance in [1e-4, 1e-5] {
        let mut w = make(adaptive(tolerance));
        (0..9).for_each(|_| w.step(1.0 / 30.0));
        let worst = (0..64)
            .map(|i| (w.state().x.get(i) - fine.state().x.get(i)).length())
            .fold(0.0, f32::max);
        let steps = w.effort().inner_steps;
        assert!(worst <= tolerance * steps as f32, "{tolerance}: {worst} after {steps} steps");
        counts.push(steps);
        // At rest a frame takes one or two steps; falling it took several.
        let falling = steps as f64 / 9.0;
        (0..300).for_each(|_| w.step(1.0 / 30.0));
        let before = w.effort().inner_steps;
        (0..10).for_each(|_| w.step(1.0 / 30.0));
        let resting = (w.effort().inner_steps - before) as f64 / 10.0;
        assert!(resting <= 2.0 && resting < 0.5 * falling, "{falling} then {resting}");
    }
    assert!(counts[1] > counts[0], "{counts:?}");
}

/// A cloth of any stiffness, its free points where `place` puts them.
fn abused(kind: SolverKind, stiffness: f32, place: &mut dyn FnMut(Vec3) -> Vec3) -> World {
    let mut sheet = cloth([7, 6], stiffness, 1e-4 * stiffness);
    sheet.bending = Some(AngleBending { stiffness: 1e-4 * stiffness, damping: 0.0 });
    let w = world(DOWN, kind, &sheet, &[0, 6]);
    let (model, mut state): (Model, State) = (w.model().clone(), w.state().clone());
    for i in (0..state.x.len()).filter(|&i| model.inverse_mass[i] > 0.0) {
        let x = place(state.x.get(i));
        state.x.set(i, x);
    }
    World::new(model, state, kind)
}

#[test]
fn no_shape_stiffness_or_step_makes_an_implicit_step_explode() {
    let mut rng = Rng::new(3);
    let mut random = |_: Vec3| {
        let mut c = || rng.between(-1.0, 1.0) as f32;
        Vec3::new(c(), c(), c())
    };
    let mut flat = |x: Vec3| Vec3::new(x.x, 0.0, 0.0);
    let mut point = |_: Vec3| Vec3::ONE;
    let mut inverted = |x: Vec3| -1.5 * x;
    let mut tiny = |x: Vec3| 1e-6 * x;
    let shapes: [(&str, &mut dyn FnMut(Vec3) -> Vec3); 5] = [
        ("random", &mut random),
        ("flattened", &mut flat),
        ("one point", &mut point),
        ("inverted", &mut inverted),
        ("tiny", &mut tiny),
    ];
    for (name, shape) in shapes {
        for kind in ALL {
            for stiffness in [0.1, 100.0, 1e5] {
                for h in [1e-4, 1e-2, 0.1] {
                    let mut w = abused(kind, stiffness, shape);
                    let start = measure::energy(w.model(), w.state());
                    for step in 0..10 {
                        w.step(h);
                        let e = measure::energy(w.model(), w.state());
                        let total = e.total() - start.gravity;
                        // What it had, and what weight gave it while it fell.
                        let fallen = (9.81 * h * f64::from(step + 1)).powi(2) * 0.42 + 4.2;
                        let limit = 2.0 * (start.elastic + fallen);
                        assert!(
                            total.is_finite() && e.kinetic + e.elastic < limit,
                            "{name}, {kind:?}, k {stiffness}, h {h}, step {step}: {e:?}, {start:?}"
                        );
                    }
                }
            }
        }
    }
}
