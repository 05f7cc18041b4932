//! Shapes at rest.

use glam::{DVec3, Quat, Vec3};

use super::bench::{Bench, bow, fibre};
use crate::motion::Pose;
use crate::solvers::fibres::reference::{Hanging, bend_twist_onset, cantilever};

/// G J over E I of hair.
const HAIR: f64 = 0.46;

fn straight(along: Vec3, edges: usize, length: f64) -> Vec<Vec3> {
    bow(along, Vec3::Z, edges, (length, 0.0))
}

#[test]
fn a_cantilever_bends_as_the_elastica() {
    for (gamma, pieces) in [(1.0, 4), (10.0, 8), (50.0, 8), (100.0, 16)] {
        let shape = straight(Vec3::X, 20, 1.0);
        let mut bench = Bench::new(&[(shape.clone(), shape)], fibre(gamma, HAIR), pieces);
        bench.settle(0.05, 200);
        let (tip, known) = (bench.tip(), cantilever(gamma));
        let ratio = -tip.y / tip.x / (known.y / known.x);
        assert!((ratio - 1.0).abs() < 0.03, "{gamma}: {tip} is not {known}");
        assert!((tip.x - known.x).abs() + (tip.y + known.y).abs() < 0.01);
    }
}

/// How far a hair of natural curvature leaves its plane at rest, having been pushed out of it.
fn leaves_plane(gamma: f64, curl: f64) -> f64 {
    let shape = bow(Vec3::NEG_Y, Vec3::X, 32, (1.0, curl));
    let mut bench = Bench::new(&[(shape.clone(), shape)], fibre(gamma, HAIR), 16);
    bench.push.z.fill(0.5);
    bench.settle(0.1, 20);
    bench.push.z.fill(0.0);
    bench.settle(0.1, 200);
    bench.state.x.z.iter().map(|z| z.abs()).fold(0.0, f32::max).into()
}

#[test]
fn a_curl_that_hangs_leaves_its_plane_where_twist_costs_less_than_bending() {
    for gamma in [20.0, 100.0] {
        let onset = bend_twist_onset(gamma, HAIR);
        let (below, above) = (leaves_plane(gamma, 0.97 * onset), leaves_plane(gamma, 1.03 * onset));
        assert!(below < 1e-3, "{gamma}: {below} below the onset");
        assert!(above > 0.05, "{gamma}: {above} above the onset");
    }
}

#[test]
fn the_natural_shape_stays_where_it_is_exactly() {
    // A helix of three turns, held at any angle.
    let helix = |i: usize| {
        let s = 20.0 * i as f32 / 120.0;
        Vec3::new(0.05 * libm::cosf(s), 0.03 * s, 0.05 * libm::sinf(s))
    };
    let shape: Vec<Vec3> = (0..=120).map(helix).collect();
    let mut bench = Bench::new(&[(shape.clone(), shape.clone())], fibre(50.0, HAIR), 12);
    bench.gravity = Vec3::ZERO;
    bench.step(0.01);
    let (x, numbers) = (bench.state.x.clone(), bench.state.fibres.numbers.clone());
    let farthest =
        (0..shape.len()).map(|i| (bench.state.x.get(i) - shape[i]).length()).fold(0.0, f32::max);
    let length: f32 = shape.windows(2).map(|e| (e[1] - e[0]).length()).sum();
    assert!(farthest < 1e-3 * length, "{farthest} of {length}");
    for _ in 0..50 {
        bench.step(0.01);
    }
    assert_eq!(bench.state.x, x);
    assert_eq!(bench.state.fibres.numbers, numbers);
    assert_eq!(bench.fastest(), 0.0);
}

#[test]
fn a_strand_turns_with_its_root_about_its_own_axis() {
    let shape = bow(Vec3::NEG_Y, Vec3::X, 24, (1.0, 2.0));
    let mut bench = Bench::new(&[(shape.clone(), shape)], fibre(10.0, HAIR), 8);
    bench.settle(0.05, 120);
    let before = bench.tip();
    let director = bench.state.fibres.directors.get(20);
    let quarter = std::f32::consts::FRAC_PI_2;
    for i in 1..=200 {
        let turn = Quat::from_rotation_y(quarter * i as f32 / 200.0);
        bench.step_to(0.02, Pose { position: Vec3::ZERO, rotation: turn });
    }
    bench.settle(0.05, 120);
    let turned = glam::DQuat::from_rotation_y(quarter.into()) * before;
    assert!((bench.tip() - turned).length() < 1e-3, "{} is not {turned}", bench.tip());
    let director = Quat::from_rotation_y(quarter) * director;
    assert!((bench.state.fibres.directors.get(20) - director).length() < 1e-2);
}

#[test]
fn the_planar_curl_is_that_of_its_equation() {
    // Below the onset, tip against the hanging elastica.
    let (gamma, curl) = (20.0, 4.0);
    let shape = bow(Vec3::NEG_Y, Vec3::X, 32, (1.0, curl));
    let mut bench = Bench::new(&[(shape.clone(), shape)], fibre(gamma, HAIR), 16);
    bench.settle(0.05, 200);
    let known = Hanging::new(gamma, curl).tip();
    let off = (bench.tip() - DVec3::new(known.x, known.y, 0.0)).length();
    assert!(off < 0.01, "{} is not {known}", bench.tip());
}
