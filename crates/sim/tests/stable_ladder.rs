//! The ladder of checks for any model (001 §9.2), for every stable method and kind of element.

mod common;

use common::{DOWN, models, world};
use glam::Vec3;
use tkanina_sim::cloth::Cloth;
use tkanina_sim::measure;
use tkanina_sim::solvers::{SolverKind, refusal};
use tkanina_sim::world::World;

/// Calls `check` with a world of each model and method that suit each other.
fn for_each_pairing(
    gravity: Vec3,
    pins: &[usize],
    change: impl Fn(&mut Cloth),
    mut check: impl FnMut(&str, World),
) {
    let mut refused = 0;
    for kind in SolverKind::STABLE {
        for (name, mut cloth) in models() {
            change(&mut cloth);
            let w = world(gravity, kind, &cloth, pins);
            if refusal(kind, w.model()).is_some() {
                refused += 1;
                continue;
            }
            check(&format!("{}, {name}", kind.name()), w);
        }
    }
    assert_eq!(refused, 2, "triangles under line projection");
}

#[test]
fn one_elements_alone_move_nothing() {
    let nothing = |_: &mut Cloth| {};
    for_each_pairing(Vec3::ZERO, &[], nothing, |what, mut w| {
        let start = w.state().x.clone();
        (0..60).for_each(|_| w.step(1.0 / 60.0));
        let ways = w.state().x.iter().zip(start.iter()).map(|(x, start)| (x - start).length());
        let farthest = ways.fold(0.0, f32::max);
        assert!(farthest <= 1e-6, "{what}: moved {farthest} m");
    });
}

#[test]
fn two_all_fall_alike_and_nothing_stretches() {
    let (h, steps) = (1.0 / 100.0, 100);
    let nothing = |_: &mut Cloth| {};
    for_each_pairing(DOWN, &[], nothing, |what, mut w| {
        let start = w.state().x.clone();
        let kind = w.solver_kind();
        (0..steps).for_each(|_| w.step(h));
        let n = f64::from(steps);
        // Methods of second order are exact, the others do backward Euler's −g h² n(n + 1)/2.
        let squares = match kind {
            SolverKind::ImplicitMidpoint(_) | SolverKind::Bdf2(_) | SolverKind::Sdirk2 { .. } => {
                n * n
            }
            _ => n * (n + 1.0),
        };
        let fallen = 0.5 * f64::from(DOWN.y) * h * h * squares;
        for (x, start) in w.state().x.iter().zip(start.iter()) {
            let drop = f64::from(x.y - start.y);
            assert!((drop / fallen - 1.0).abs() < 1e-5, "{what}: {drop} instead of {fallen}");
        }
        let elastic = measure::energy(w.model(), w.state()).elastic;
        assert!(elastic < 1e-7, "{what}: elements hold {elastic} J");
    });
}

#[test]
fn four_damped_cloth_comes_to_rest() {
    for_each_pairing(
        DOWN,
        &[0, 6],
        |cloth| cloth.damping = 0.05,
        |what, mut w| {
            let mut peak = 0.0f64;
            for _ in 0..240 {
                w.step(1.0 / 60.0);
                peak = peak.max(measure::energy(w.model(), w.state()).kinetic);
            }
            let rest = measure::energy(w.model(), w.state()).kinetic;
            assert!(peak > 1e-3, "{what}: it never moved");
            assert!(rest < 1e-6 * peak, "{what}: {rest} J of {peak} J");
        },
    );
}
