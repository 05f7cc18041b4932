//! Slopes by differences, and what Hooke says.

use glam::{DMat3, DQuat, DVec3};

use super::*;
use crate::rng::Rng;

const LAWS: [TetraLaw; 2] = [TetraLaw::NeoHookean, TetraLaw::Corotated];

fn rest() -> [DVec3; 4] {
    [
        DVec3::new(0.1, 0.0, 0.0),
        DVec3::new(1.0, 0.1, 0.0),
        DVec3::new(0.2, 0.9, 0.1),
        DVec3::new(0.1, 0.2, 1.1),
    ]
}

fn tetra(law: TetraLaw) -> ElasticTetra {
    ElasticTetra::at_rest([0, 1, 2, 3], rest(), TetraMaterial::new(law, 50.0, 0.4)).unwrap()
}

fn random(rng: &mut Rng, size: f64) -> [DVec3; 4] {
    let mut c = || rng.between(-size, size);
    [0; 4].map(|_| DVec3::new(c(), c(), c()))
}

/// Stretched, sheared, squeezed, flat, inside out and anything else.
fn shapes() -> Vec<[DVec3; 4]> {
    let mut rng = Rng::new(4);
    let scales = [DVec3::new(1.3, 0.9, 1.1), DVec3::new(0.4, 1.5, 0.8), DVec3::new(1.0, -0.7, 1.2)];
    let mut shapes: Vec<_> = scales.map(|s| rest().map(|x| s * x)).to_vec();
    shapes.extend((0..6).map(|_| random(&mut rng, 1.5)));
    shapes
}

#[test]
fn nothing_pulls_at_rest_or_when_moved_rigidly() {
    for law in LAWS {
        let t = tetra(law);
        let turn = DQuat::from_rotation_y(1.0) * DQuat::from_rotation_x(2.0);
        let f = t.gradient_of_motion(rest().map(|x| turn * x + DVec3::splat(3.0)));
        assert!(t.energy(f).abs() < 1e-12, "{law:?} {}", t.energy(f));
        for corner in 0..4 {
            assert!(t.gradient(t.stress(f), corner).length() < 1e-12, "{law:?}");
        }
    }
}

#[test]
fn gradient_is_the_slope_of_the_energy_in_any_shape() {
    for (law, x) in LAWS.into_iter().flat_map(|law| shapes().into_iter().map(move |x| (law, x))) {
        let t = tetra(law);
        let stress = t.stress(t.gradient_of_motion(x));
        for (corner, axis) in (0..4).flat_map(|c| (0..3).map(move |a| (c, a))) {
            let energy = |shift: f64| {
                let mut x = x;
                x[corner][axis] += shift;
                t.energy(t.gradient_of_motion(x))
            };
            let slope = (energy(1e-5) - energy(-1e-5)) / 2e-5;
            let g = t.gradient(stress, corner)[axis];
            assert!((slope - g).abs() < 1e-6 * (1.0 + g.abs()), "{law:?} {slope} {g}");
        }
    }
}

#[test]
fn curvature_is_the_slope_of_the_gradient_where_nothing_is_left_out() {
    let stretched = DMat3::from_cols(
        DVec3::new(1.1, 0.05, 0.0),
        DVec3::new(-0.03, 1.06, 0.04),
        DVec3::new(0.02, 0.0, 1.08),
    );
    for law in LAWS {
        let t = tetra(law);
        let x = rest().map(|x| stretched * x);
        let curvature = t.curvature(t.gradient_of_motion(x));
        assert!(curvature.values.iter().all(|&v| v > 0.0), "{law:?} {:?}", curvature.values);
        for (column, axis) in (0..4).flat_map(|c| (0..3).map(move |a| (c, a))) {
            let gradient = |shift: f64, row: usize| {
                let mut x = x;
                x[column][axis] += shift;
                t.gradient(t.stress(t.gradient_of_motion(x)), row)
            };
            for row in 0..4 {
                let slope = (gradient(1e-6, row) - gradient(-1e-6, row)) / 2e-6;
                let h = curvature.block(row, column).col(axis);
                assert!((slope - h).length() < 1e-6 * (1.0 + h.length()), "{law:?} {slope} {h}");
            }
        }
    }
}

/// The 12 × 12 second derivative by differences, as p·Hp.
fn differences(t: &ElasticTetra, x: [DVec3; 4], p: [DVec3; 4]) -> f64 {
    let h = 1e-5;
    let gradient = |shift: f64| {
        let moved = [0, 1, 2, 3].map(|i| x[i] + p[i] * shift);
        let stress = t.stress(t.gradient_of_motion(moved));
        (0..4).map(|c| p[c].dot(t.gradient(stress, c))).sum::<f64>()
    };
    (gradient(h) - gradient(-h)) / (2.0 * h)
}

#[test]
fn curvature_has_no_negative_eigenvalue_and_is_never_less_than_the_true_one() {
    let mut rng = Rng::new(9);
    for (law, x) in LAWS.into_iter().flat_map(|law| shapes().into_iter().map(move |x| (law, x))) {
        let t = tetra(law);
        let curvature = t.curvature(t.gradient_of_motion(x));
        for _ in 0..50 {
            let p = random(&mut rng, 1.0);
            let mut sum = 0.0;
            for (row, column) in (0..4).flat_map(|r| (0..4).map(move |c| (r, c))) {
                sum += p[row].dot(curvature.block(row, column) * p[column]);
            }
            let truth = differences(&t, x, p);
            assert!(
                sum >= 0.0 && sum >= truth - 1e-5 * (1.0 + truth.abs()),
                "{law:?} {sum} {truth}"
            );
        }
    }
}

#[test]
fn curvature_equals_the_true_one_plus_what_was_left_out() {
    // With all nine eigenvalues, none cut, p·Hp is the truth in any shape.
    let mut rng = Rng::new(10);
    for (law, x) in LAWS.into_iter().flat_map(|law| shapes().into_iter().map(move |x| (law, x))) {
        let t = tetra(law);
        let f = t.gradient_of_motion(x);
        let mut curvature = t.curvature(f);
        let found = principal(&t.material, Singular::of(f).values);
        for k in 0..3 {
            curvature.values[2 * k] = t.volume * found.twists[k];
            curvature.values[2 * k + 1] = t.volume * found.flips[k];
            curvature.values[6 + k] = t.volume * found.stretches[k];
        }
        for _ in 0..20 {
            let p = random(&mut rng, 1.0);
            let mut sum = 0.0;
            for (row, column) in (0..4).flat_map(|r| (0..4).map(move |c| (r, c))) {
                sum += p[row].dot(curvature.block(row, column) * p[column]);
            }
            let truth = differences(&t, x, p);
            assert!((sum - truth).abs() < 1e-5 * (1.0 + truth.abs()), "{law:?} {sum} {truth}");
        }
    }
}

#[test]
fn small_strains_obey_hooke() {
    let (young, nu) = (50.0, 0.4);
    let (g, lame) = (young / (2.0 * (1.0 + nu)), young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)));
    let e = 1e-5;
    let strains = [
        DMat3::from_diagonal(DVec3::new(e, -0.3 * e, 0.5 * e)),
        DMat3::from_cols(DVec3::new(0.0, e, 0.0), DVec3::new(e, 0.0, 0.0), DVec3::ZERO),
        DMat3::from_diagonal(DVec3::splat(e)),
    ];
    for (law, strain) in LAWS.into_iter().flat_map(|l| strains.map(|s| (l, s))) {
        let material = TetraMaterial::new(law, young, nu);
        let trace = strain.col(0).x + strain.col(1).y + strain.col(2).z;
        let hooke = strain * (2.0 * g) + DMat3::IDENTITY * (lame * trace);
        let stress = material.stress(DMat3::IDENTITY + strain);
        for c in 0..3 {
            let off = (stress.col(c) - hooke.col(c)).length();
            assert!(off < 1e-3 * young * e, "{law:?} {stress} {hooke}");
        }
    }
}

#[test]
fn what_is_flat_or_inside_out_at_rest_is_refused_and_collapse_is_finite() {
    let mut flat = rest();
    flat[3] = flat[1] + flat[2] - flat[0];
    let material = TetraMaterial::new(TetraLaw::NeoHookean, 50.0, 0.4);
    assert!(ElasticTetra::at_rest([0; 4], flat, material).is_none());
    let [a, b, c, d] = rest();
    assert!(ElasticTetra::at_rest([0; 4], [a, c, b, d], material).is_none());
    assert!(ElasticTetra::at_rest([0; 4], [DVec3::NAN; 4], material).is_none());
    for law in LAWS {
        let t = tetra(law);
        for x in [[DVec3::ZERO; 4], [DVec3::ZERO, DVec3::X, DVec3::X, DVec3::X], rest().map(|x| -x)]
        {
            let f = t.gradient_of_motion(x);
            let curvature = t.curvature(f);
            assert!(t.energy(f).is_finite() && t.energy(f) > 0.0, "{law:?}");
            assert!(t.stress(f).is_finite());
            assert!(curvature.values.iter().all(|v| v.is_finite() && *v >= 0.0));
            assert!(curvature.block(1, 2).is_finite());
        }
    }
}
