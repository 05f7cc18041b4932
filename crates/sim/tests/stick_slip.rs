//! Friction against elasticity: a strip pressed on the ground holds its end or slips.

mod buckled;
mod implicit_kinds;

use buckled::{Elastica, Press, end};
use implicit_kinds::EULER;
use tkanina_sim::solvers::SolverKind;

/// Where the end of a strip is that was pressed by ε on ground with `share` of the friction that
/// it needs there, a second after.
fn pressed(strain: f64, share: f64, kind: SolverKind) -> f32 {
    let friction = (share * Elastica::pressed(strain).friction()) as f32;
    // At the start H/P is three quarters of what it becomes.
    let press = Press { from: 0.6 * strain, to: strain, time: 1.0, friction };
    let mut world = press.build(kind);
    for _ in 0..4000 {
        world.step(5e-4);
        if end(&world).abs() > 0.1 {
            break;
        }
    }
    end(&world)
}

/// Once it slips H/P rises, so that there is nothing between a creep and a fall.
fn holds_and_slips(strain: f64, [less, more]: [f64; 2], kind: SolverKind) {
    let held = pressed(strain, more, kind);
    assert!(held.abs() < 0.005, "{kind:?}, ε = {strain}: slid {held} m at {more} of the friction");
    let slid = pressed(strain, less, kind);
    assert!(slid < -0.1, "{kind:?}, ε = {strain}: slid {slid} m at {less} of the friction");
}

#[test]
fn the_friction_that_an_elastica_needs_is_the_known_one() {
    for (strain, known) in [(0.01, 0.045), (0.05, 0.104), (0.1, 0.153), (0.2, 0.238), (0.3, 0.326)]
    {
        let found = Elastica::pressed(strain).friction();
        assert!((found - known).abs() < 6e-4, "ε = {strain}: {found}");
    }
}

#[test]
fn a_pressed_strip_holds_above_the_friction_of_the_elastica_and_slips_below() {
    // Measured: both slip at 0.99 and hold at 1.01, also at twice this step. At a fifth of it they
    // slip at 1.01, probably as gaps that lack a five-hundredth of the thickness are let be.
    for strain in [0.05, 0.1, 0.2] {
        for kind in [SolverKind::LineProjection { iterations: None, embed: None }, EULER] {
            holds_and_slips(strain, [0.97, 1.03], kind);
        }
    }
}

#[test]
fn constraints_by_colour_hold_and_slip_nearly_there() {
    // Measured: slips at 1 and holds at 1.1; in longer steps it slips at more.
    for strain in [0.05, 0.1, 0.2] {
        holds_and_slips(strain, [0.95, 1.15], SolverKind::Xpbd { iterations: None });
    }
}

#[test]
fn descent_and_projective_dynamics_hold_and_slip_there_if_they_go_on_to_the_end() {
    // Measured at ε = 0.1 with as many sweeps or rounds as usual: descent still holds at 0.9 and slips at
    // 0.8, projective dynamics slips at 1.1 and holds at 1.2, as bending has not come to its end when
    // the step does. With 30 both slip at 0.97 and hold at 1.03.
    let iterations = Some(30);
    for kind in [SolverKind::VertexDescent { iterations }, SolverKind::Projective { iterations }] {
        holds_and_slips(0.1, [0.95, 1.05], kind);
    }
}
