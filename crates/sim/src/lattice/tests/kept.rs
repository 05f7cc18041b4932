//! Momentum, and what falls apart.

use glam::{DVec3, Vec3};

use super::*;

/// Σ m a, Σ m x × a and what they are sums of, in size.
fn moments(m: &[f32], x: &Soa3, a: impl Fn(usize) -> DVec3) -> (DVec3, DVec3, f64) {
    let mut sums = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for (v, &m) in m.iter().enumerate() {
        let a = f64::from(m) * a(v);
        sums.0 += a;
        sums.1 += x.get(v).as_dvec3().cross(a);
        sums.2 += a.length();
    }
    sums
}

#[test]
fn goals_keep_momentum_and_angular_momentum() {
    let mut rng = Rng::new(15);
    for (half, size) in [(1, 0.02), (2, 0.3), (3, 1.0)] {
        let lattice = holed(&mut rng, [7, 6, 8]);
        let m = masses(&mut rng, lattice.len());
        let x = shaken(&mut rng, &lattice, size);
        let goals = goals_of(&lattice, half, &m, &x);
        let way = |v: usize| goals.get(v).as_dvec3() - x.get(v).as_dvec3();
        let (momentum, angular, scale) = moments(&m, &x, way);
        assert!(scale > 0.1 * size);
        assert!(momentum.length() < 1e-6 * scale.max(1.0), "{momentum} of {scale}");
        assert!(angular.length() < 4e-6 * scale.max(1.0), "{angular} of {scale}");
    }
}

#[test]
fn damping_keeps_momentum_and_leaves_rigid_motion() {
    let mut rng = Rng::new(16);
    for half in [1, 3] {
        let lattice = holed(&mut rng, [7, 6, 8]);
        let m = masses(&mut rng, lattice.len());
        let x = shaken(&mut rng, &lattice, 0.02);
        let regions = Arc::new(Regions::new(lattice.clone(), half));
        let mut damping = RegionDamping::new(regions, &m);
        let before: Vec<Vec3> =
            (0..lattice.len()).map(|_| random_point(&mut rng, 1.0).as_vec3()).collect();
        let mut v = Soa3::from_points(&before);
        damping.damp(&x, &mut v, 0.7);
        let change = |i: usize| v.get(i).as_dvec3() - before[i].as_dvec3();
        let (momentum, angular, scale) = moments(&m, &x, change);
        assert!(momentum.length() < 1e-6 * scale, "{momentum} of {scale}");
        assert!(angular.length() < 4e-6 * scale, "{angular} of {scale}");
        let energy = |v: &Soa3| -> f64 {
            (0..v.len()).map(|i| f64::from(m[i] * v.get(i).length_squared())).sum()
        };
        assert!(energy(&v) < 0.8 * energy(&Soa3::from_points(&before)));

        let spin = DVec3::new(0.4, -1.0, 2.0);
        let rigid = |i: usize| (DVec3::X + spin.cross(x.get(i).as_dvec3())).as_vec3();
        let points: Vec<Vec3> = (0..lattice.len()).map(rigid).collect();
        let mut v = Soa3::from_points(&points);
        damping.damp(&x, &mut v, 1.0);
        for (i, was) in points.iter().enumerate() {
            assert!((v.get(i) - *was).length() < 1e-5, "{} {was}", v.get(i));
        }
    }
}

#[test]
fn a_body_pulled_apart_falls_into_two_pieces() {
    let mut lattice = Lattice::block([6, 4, 4], 0.1);
    let apart = |v: usize| {
        let far = if lattice.place(v)[0] >= 3 { 0.2 } else { 0.0 };
        (lattice.rest(v) + far * DVec3::X).as_vec3()
    };
    let x = Soa3::from_points(&(0..lattice.len()).map(apart).collect::<Vec<_>>());
    let mut broken = Vec::new();
    stretched_links(&lattice, &x, 3.5, &mut broken);
    assert!(broken.is_empty() && pieces(&lattice).count == 1);
    stretched_links(&lattice, &x, 2.5, &mut broken);
    assert_eq!(broken.len(), 16);
    broken.iter().for_each(|&(v, axis)| lattice.cut(v as usize, axis as usize));
    let found = pieces(&lattice);
    assert_eq!(found.count, 2);
    assert_eq!(found.of[0], 0);

    // In one lattice or in one each, every piece is its own goal.
    let m = vec![1.0; lattice.len()];
    let goals = goals_of(&lattice, 2, &m, &x);
    for v in 0..lattice.len() {
        assert!((goals.get(v) - x.get(v)).length() < 1e-6, "{v}");
    }
    for piece in 0..2 {
        let vertices = found.vertices(piece);
        assert_eq!(vertices.len(), 48);
        let part = lattice.part(&vertices);
        assert_eq!(part.counts(), [3, 4, 4]);
        assert_eq!(Regions::new(part.clone(), 2).incomplete(), 0);
        for (new, &old) in vertices.iter().enumerate() {
            assert!((part.rest(new) - lattice.rest(old as usize)).length() < 1e-12);
        }
    }
}
