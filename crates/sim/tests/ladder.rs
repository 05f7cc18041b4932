//! The ladder of checks for any model (001 §9.2), for every integrator.

mod common;

use common::{DOWN, cloth, models, world};
use glam::Vec3;
use tkanina_sim::measure;
use tkanina_sim::solvers::SolverKind;

#[test]
fn one_springs_alone_move_nothing() {
    for kind in SolverKind::EXPLICIT {
        for (name, cloth) in models() {
            let mut w = world(Vec3::ZERO, kind, &cloth, &[]);
            let start = w.state().x.clone();
            for _ in 0..120 {
                w.step(1.0 / 600.0);
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
    let h = 1.0 / 600.0;
    let steps = 600;
    for kind in SolverKind::EXPLICIT {
        for (name, cloth) in models() {
            let mut w = world(DOWN, kind, &cloth, &[]);
            let start = w.state().x.clone();
            (0..steps).for_each(|_| w.step(h));
            let n = f64::from(steps);
            let fallen = match kind {
                // y = −g h² n(n ∓ 1)/2
                SolverKind::ExplicitEuler => n * (n - 1.0),
                SolverKind::SemiImplicitEuler => n * (n + 1.0),
                _ => n * n,
            } * 0.5
                * f64::from(DOWN.y)
                * h
                * h;
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

/// Total energy of a hung cloth at the start of each of `steps` steps, velocities taken at the same
/// moment as positions. Returns (lowest, highest) over each tenth and the largest kinetic energy.
fn energies(kind: SolverKind, h: f64, steps: usize) -> (Vec<(f64, f64)>, f64) {
    let mut sheet = cloth([4, 4], 20.0, 0.0);
    sheet.place.rotation = glam::Quat::from_rotation_x(0.3);
    let mut w = world(DOWN, kind, &sheet, &[0, 3]);
    let mut peak = 0.0f64;
    let mut bands = Vec::new();
    for _ in 0..10 {
        let mut band = (f64::INFINITY, f64::NEG_INFINITY);
        for _ in 0..steps / 10 {
            let mut middle = w.state().clone();
            w.step(h);
            if matches!(kind, SolverKind::Verlet { .. }) {
                for i in 0..middle.v.len() {
                    middle.v.set(i, 0.5 * (middle.v.get(i) + w.state().v.get(i)));
                }
            }
            let e = measure::energy(w.model(), &middle);
            peak = peak.max(e.kinetic);
            band = (band.0.min(e.total()), band.1.max(e.total()));
        }
        bands.push(band);
    }
    (bands, peak)
}

#[test]
fn three_undamped_swinging_neither_dies_nor_grows() {
    // 10⁶ steps: the band stays within 1 % of the largest kinetic energy and does not drift.
    for kind in [SolverKind::Verlet { loss: 0.0 }, SolverKind::VelocityVerlet] {
        let (bands, peak) = energies(kind, 5e-4, 1_000_000);
        let lowest = bands.iter().map(|b| b.0).fold(f64::INFINITY, f64::min);
        let highest = bands.iter().map(|b| b.1).fold(f64::NEG_INFINITY, f64::max);
        assert!(peak > 0.05);
        assert!(highest - lowest < 0.01 * peak, "{kind:?}: band {} of {peak}", highest - lowest);
        let middle = |b: (f64, f64)| 0.5 * (b.0 + b.1);
        let drift = (middle(bands[9]) - middle(bands[0])).abs();
        assert!(drift < 0.005 * peak, "{kind:?}: drift {drift} of {peak}");
    }
}

#[test]
fn three_every_integrator_keeps_energy_at_a_short_step() {
    for kind in SolverKind::EXPLICIT {
        // First-order methods gain or lose h ω² a second: they need the shorter step.
        let (h, steps) = match kind {
            SolverKind::ExplicitEuler | SolverKind::Kinematic => (1e-6, 100_000),
            SolverKind::SemiImplicitEuler => (2e-5, 50_000),
            _ => (5e-4, 10_000),
        };
        let (bands, peak) = energies(kind, h, steps);
        let lowest = bands.iter().map(|b| b.0).fold(f64::INFINITY, f64::min);
        let highest = bands.iter().map(|b| b.1).fold(f64::NEG_INFINITY, f64::max);
        assert!(highest - lowest < 0.01 * peak, "{kind:?}: band {} of {peak}", highest - lowest);
    }
}

#[test]
fn four_damped_cloth_comes_to_rest() {
    for kind in SolverKind::EXPLICIT {
        for (name, mut cloth) in models() {
            cloth.damping = 0.05;
            let mut w = world(DOWN, kind, &cloth, &[0, 6]);
            let mut peak = 0.0f64;
            for _ in 0..5000 {
                w.step(1.0 / 1000.0);
                peak = peak.max(measure::energy(w.model(), w.state()).kinetic);
            }
            let rest = measure::energy(w.model(), w.state()).kinetic;
            assert!(peak > 1e-3, "{kind:?}, {name}: it never moved");
            assert!(rest < 1e-6 * peak, "{kind:?}, {name}: {rest} of {peak}");
        }
    }
}
