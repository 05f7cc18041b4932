//! Bending of strips against the elastica.

mod common;
mod implicit_kinds;
mod strips;

use std::f32::consts::FRAC_PI_2;

use common::G;
use glam::{Quat, Vec3};
use implicit_kinds::EULER;
use strips::{Stretch, Strip, places, settle, tip};
use tkanina_sim::solvers::{Newton, SolverKind};
use tkanina_sim::world::World;

/// Drop over reach of a heavy elastica clamped level: θ″ = −Γ(1 − s)cos θ, θ(0) = 0, θ′(1) = 0,
/// by shooting from the free end in classical Runge–Kutta steps.
fn drop_over_reach(gamma: f64) -> f64 {
    let shoot = |end: f64| {
        let steps = 4000;
        let h = 1.0 / f64::from(steps);
        // σ = 1 − s; d/dσ of (θ, θ′, drop, reach).
        let rate =
            |sigma: f64, y: [f64; 4]| [y[1], -gamma * sigma * y[0].cos(), y[0].sin(), y[0].cos()];
        let mut y = [end, 0.0, 0.0, 0.0];
        for i in 0..steps {
            let sigma = f64::from(i) * h;
            let go = |k: [f64; 4], by: f64| [0, 1, 2, 3].map(|n| y[n] + by * k[n]);
            let k1 = rate(sigma, y);
            let k2 = rate(sigma + 0.5 * h, go(k1, 0.5 * h));
            let k3 = rate(sigma + 0.5 * h, go(k2, 0.5 * h));
            let k4 = rate(sigma + h, go(k3, h));
            y = [0, 1, 2, 3].map(|n| y[n] + h / 6.0 * (k1[n] + 2.0 * k2[n] + 2.0 * k3[n] + k4[n]));
        }
        y
    };
    // Of several equilibria the hanging one: its end is the steepest.
    let steep = |digits: f64| 0.5 * std::f64::consts::PI - 10f64.powf(-digits);
    let mut digits = 13.0;
    while shoot(steep(digits))[0] > 0.0 {
        digits -= 0.05;
    }
    let (mut low, mut high) = (steep(digits), steep(digits + 0.05));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if shoot(middle)[0] < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let [_, _, drop, reach] = shoot(0.5 * (low + high));
    drop / reach
}

#[test]
fn the_elastica_is_that_of_the_table() {
    for (gamma, known) in [
        (0.1, 0.0125),
        (1.0, 0.1246),
        (5.0, 0.5857),
        (10.0, 1.0668),
        (100.0, 5.888),
        (500.0, 14.77),
    ] {
        let found = drop_over_reach(gamma);
        assert!((found / known - 1.0).abs() < 2e-3, "Γ {gamma}: {found}, the table says {known}");
    }
}

#[test]
fn a_cantilever_bends_as_the_elastica() {
    for stretch in [Stretch::Springs, Stretch::Triangles] {
        for along_weft in [false, true] {
            for gamma in [1.0, 10.0, 100.0] {
                let strip = Strip { along_weft, ..Strip::new(stretch, gamma) };
                let mut w = strip.build(EULER, Quat::IDENTITY);
                let start = places(&w);
                settle(&mut w, 0.2, 400);
                let end = tip(&w, &start, Quat::IDENTITY);
                let found = f64::from(-end.y / end.x);
                let known = drop_over_reach(f64::from(gamma));
                let error = found / known - 1.0;
                let case = format!("{stretch:?}, weft {along_weft}, Γ {gamma}");
                assert!(error.abs() < 0.01, "{case}: {found} instead of {known}");
            }
        }
    }
}

/// How far the tip of a strip goes out of its plane when a hundredth of a percent of its weight
/// pushes it that way, over what it would do if its weight did not help: Γ/8 of the push.
fn magnified(strip: Strip, turn: Quat) -> f64 {
    let upright = strip.build(EULER, turn);
    let (normal, push) = (turn * Vec3::Y, 1e-4);
    let mut model = upright.model().clone();
    model.gravity += normal * (push * G);
    let exact = Newton { iterations: Some(30), tolerance: Some(1e-6) };
    let kind = SolverKind::ImplicitEuler(exact);
    let mut world = World::new(model, upright.state().clone(), kind);
    let start = places(&world);
    (0..25).for_each(|_| world.step(1.0));
    let deflection = tip(&world, &start, turn).dot(normal);
    f64::from(deflection) / (f64::from(strip.gamma * push) / 8.0)
}

#[test]
fn a_column_buckles_under_its_own_weight_at_7_837() {
    // 1/m falls to zero along an almost straight line (Southwell).
    let upright = Quat::from_rotation_z(FRAC_PI_2);
    for stretch in [Stretch::Springs, Stretch::Triangles] {
        let [lower, upper] = [5.0, 6.0].map(|g| 1.0 / magnified(Strip::new(stretch, g), upright));
        let critical = 6.0 + upper / (lower - upper);
        assert!((critical / 7.837 - 1.0).abs() < 0.03, "{stretch:?}: {critical}");
    }
}

/// 1/m of a perfect ribbon on edge: u″ = ½Γσ²ψ and gψ″ = −¼Γ²σ⁴ψ with ψ = push + twist, σ from the
/// free end, g = GJ/EI. It buckles where that is zero.
fn perfect_ribbon(gamma: f64, torsion: f64) -> f64 {
    let (steps, strength) = (2000, gamma * gamma / (4.0 * torsion));
    let h = 1.0 / f64::from(steps);
    let rate = |s: f64, y: [f64; 3]| [y[1], -strength * s.powi(4) * y[0], s.powi(3) * y[0]];
    let mut y = [1.0, 0.0, 0.0];
    for i in 0..steps {
        let s = f64::from(i) * h;
        let first = rate(s, y);
        let half = [0, 1, 2].map(|n| y[n] + 0.5 * h * first[n]);
        let second = rate(s + 0.5 * h, half);
        y = [0, 1, 2].map(|n| y[n] + h * second[n]);
    }
    y[0] / (4.0 * y[2])
}

#[test]
fn a_ribbon_on_edge_buckles_sideways() {
    // Γ = 12.85√(2/(1 + ν)); our plate has ν = 0. The clamp keeps the first cell from twisting,
    // an error of one cell's length: 7 % at 40 cells, below 5 % at 80.
    let (torsion, known) = (2.0, 12.85 * 2f64.sqrt());
    assert!(perfect_ribbon(known, torsion).abs() < 2e-3);
    let on_edge = Quat::from_rotation_x(FRAC_PI_2);
    for stretch in [Stretch::Springs, Stretch::Triangles] {
        let (gamma, width) = (12.0, 1.0 / 80.0);
        let stiffness = 100.0 / (width * width);
        let ribbon = Strip { width, cells: 80, stiffness, ..Strip::new(stretch, gamma) };
        let found = 1.0 / magnified(ribbon, on_edge);
        // The Γ at which a perfect ribbon would magnify as much, against the one there is.
        let (mut low, mut high) = (0.0, known);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if perfect_ribbon(middle, torsion) > found {
                low = middle;
            } else {
                high = middle;
            }
        }
        let critical = known * f64::from(gamma) / low;
        assert!((critical / known - 1.0).abs() < 0.05, "{stretch:?}: {critical}, not {known}");
    }
}
