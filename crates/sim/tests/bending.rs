//! Bending of strips against the elastica.

mod common;
mod implicit_kinds;
mod strips;

use std::f32::consts::FRAC_PI_2;

use glam::{Quat, Vec3};
use implicit_kinds::EULER;
use strips::{Stretch, Strip, places, settle, tip};
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

/// The largest distance of a particle from the plane in which the strip started, `normal` to it.
fn out_of_plane(w: &World, normal: Vec3) -> f32 {
    w.state().x.iter().map(|x| x.dot(normal).abs()).fold(0.0, f32::max)
}

/// Bends a strip out of its plane by 2 % of its length and says by what factor that has grown
/// after a while.
fn growth(strip: Strip, turn: Quat) -> f32 {
    let world = strip.build(EULER, turn);
    let (normal, start) = (turn * Vec3::Y, 0.02);
    let mut state = world.state().clone();
    for i in (0..state.x.len()).filter(|&i| world.model().inverse_mass[i] > 0.0) {
        let x = state.x.get(i);
        let along = x.dot(turn * Vec3::X);
        state.x.set(i, x + normal * (start * along * along));
    }
    let mut world = World::new(world.model().clone(), state, EULER);
    (0..60).for_each(|_| world.step(0.5));
    out_of_plane(&world, normal) / start
}

#[test]
fn a_column_buckles_under_its_own_weight_at_7_837() {
    for stretch in [Stretch::Springs, Stretch::Triangles] {
        let upright = Quat::from_rotation_z(FRAC_PI_2);
        let at = |part: f32| growth(Strip::new(stretch, part * 7.837), upright);
        let [below, above] = [0.97, 1.03].map(at);
        println!("{stretch:?} {below} {above}");
        assert!(below < 0.5, "{stretch:?}: 3 % below it grows by {below}");
        assert!(above > 5.0, "{stretch:?}: 3 % above it grows by {above} only");
    }
}

#[test]
fn a_ribbon_on_edge_buckles_sideways() {
    // Γ = 12.85√(2/(1 + ν)), and ν = 0 for our bending.
    let on_edge = Quat::from_rotation_x(FRAC_PI_2);
    for stretch in [Stretch::Springs, Stretch::Triangles] {
        for gamma in [15.0, 16.0, 17.0, 17.6, 18.17, 18.7, 19.0, 20.0] {
            let strip =
                Strip { width: 0.1, across: 4, stiffness: 1e5, ..Strip::new(stretch, gamma) };
            let t = std::time::Instant::now();
            println!("{stretch:?} {gamma}: {} {:?}", growth(strip, on_edge), t.elapsed());
        }
    }
}
