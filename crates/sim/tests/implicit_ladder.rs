//! The ladder of checks for any model (001 §9.2), for the implicit integrators.

mod common;
mod implicit_kinds;

use common::{DOWN, cloth, models, world};
use glam::Vec3;
use implicit_kinds::{ALL, BDF2, EULER, MIDPOINT, SDIRK2, adaptive};
use tkanina_sim::measure;
use tkanina_sim::solvers::SolverKind;

#[test]
fn one_springs_alone_move_nothing() {
    for kind in ALL.into_iter().chain([adaptive(1e-5)]) {
        for (name, cloth) in models() {
            let mut w = world(Vec3::ZERO, kind, &cloth, &[]);
            let start = w.state().x.clone();
            for _ in 0..60 {
                w.step(1.0 / 60.0);
            }
            for i in 0..start.len() {
                let moved = (w.state().x.get(i) - start.get(i)).length();
                assert!(moved <= 1e-6, "{kind:?}, {name}: particle {i} moved {moved}");
            }
        }
    }
}

#[test]
fn two_all_fall_alike_and_nothing_stretches() {
    let (h, steps) = (1.0 / 100.0, 100);
    for kind in ALL.into_iter().chain([adaptive(1e-5)]) {
        for (name, cloth) in models() {
            let mut w = world(DOWN, kind, &cloth, &[]);
            let start = w.state().x.clone();
            (0..steps).for_each(|_| w.step(h));
            let n = f64::from(steps);
            // Backward Euler: y = −g h² n(n + 1)/2. The others are exact.
            let squares = if kind == EULER { n * (n + 1.0) } else { n * n };
            let fallen = 0.5 * f64::from(DOWN.y) * h * h * squares;
            for i in 0..start.len() {
                let drop = f64::from(w.state().x.get(i).y - start.get(i).y);
                let error = (drop / fallen - 1.0).abs();
                assert!(error < 1e-5, "{kind:?}, {name}: {drop} instead of {fallen}");
            }
            let elastic = measure::energy(w.model(), w.state()).elastic;
            assert!(elastic < 1e-8, "{kind:?}, {name}: springs hold {elastic} J");
        }
    }
}

/// Lowest and highest total energy of a hung cloth over each tenth of `steps`, and the largest
/// kinetic energy.
fn energies(kind: SolverKind, h: f64, steps: usize) -> (Vec<(f64, f64)>, f64) {
    let mut sheet = cloth([4, 4], 20.0, 0.0);
    sheet.place.rotation = glam::Quat::from_rotation_x(0.3);
    let mut w = world(DOWN, kind, &sheet, &[0, 3]);
    let mut peak = 0.0f64;
    let mut bands = Vec::new();
    for _ in 0..10 {
        let mut band = (f64::INFINITY, f64::NEG_INFINITY);
        for _ in 0..steps / 10 {
            w.step(h);
            let e = measure::energy(w.model(), w.state());
            peak = peak.max(e.kinetic);
            band = (band.0.min(e.total()), band.1.max(e.total()));
        }
        bands.push(band);
    }
    (bands, peak)
}

#[test]
fn three_undamped_swinging_neither_dies_nor_grows() {
    // The midpoint rule for long, the others over a moment: they lose h³ or h² each step.
    for (kind, h, steps) in
        [(MIDPOINT, 1e-3, 40_000), (SDIRK2, 5e-4, 1000), (BDF2, 5e-4, 1000), (EULER, 2e-5, 5000)]
    {
        let (bands, peak) = energies(kind, h, steps);
        let lowest = bands.iter().map(|b| b.0).fold(f64::INFINITY, f64::min);
        let highest = bands.iter().map(|b| b.1).fold(f64::NEG_INFINITY, f64::max);
        assert!(highest - lowest < 0.01 * peak, "{kind:?}: band {} of {peak}", highest - lowest);
        let middle = |b: (f64, f64)| 0.5 * (b.0 + b.1);
        let drift = (middle(bands[9]) - middle(bands[0])).abs();
        assert!(drift < 0.005 * peak, "{kind:?}: drift {drift} of {peak}");
    }
}

#[test]
fn four_damped_cloth_comes_to_rest() {
    for kind in ALL {
        for (name, mut cloth) in models() {
            cloth.damping = 0.05;
            let mut w = world(DOWN, kind, &cloth, &[0, 6]);
            let mut peak = 0.0f64;
            for _ in 0..600 {
                w.step(1.0 / 120.0);
                peak = peak.max(measure::energy(w.model(), w.state()).kinetic);
            }
            let rest = measure::energy(w.model(), w.state()).kinetic;
            assert!(peak > 1e-3, "{kind:?}, {name}: it never moved");
            assert!(rest < 1e-6 * peak, "{kind:?}, {name}: {rest} of {peak}");
        }
    }
}

#[test]
fn a_turning_cloth_feels_no_force_and_keeps_its_turning() {
    for (name, cloth) in models() {
        for kind in [MIDPOINT, SDIRK2] {
            let mut w = world(Vec3::ZERO, kind, &cloth, &[]);
            let mut state = w.state().clone();
            let spin = Vec3::new(0.6, -0.3, 1.1);
            for i in 0..state.x.len() {
                let v = spin.cross(state.x.get(i));
                state.v.set(i, v);
            }
            w.restore(state);
            let before = measure::angular_momentum(w.model(), w.state());
            (0..200).for_each(|_| w.step(1e-3));
            let after = measure::angular_momentum(w.model(), w.state());
            let change = (after - before).length() / before.length();
            assert!(change < 1e-4, "{name}, {kind:?}: {change}");
        }
    }
}
