//! Bodies in any shape, on any number of threads.

use glam::{DQuat, DVec3, Vec3};

use super::*;
use crate::simd::{SimdLevel, at_level};

#[test]
fn flat_inverted_and_collapsed_bodies_turn_properly() {
    let lattice = Lattice::block([5, 5, 5], 0.1);
    let m = vec![1.0; lattice.len()];
    let shapes: [(&str, Vec3); 6] = [
        ("flat", Vec3::new(1.0, 0.0, 1.0)),
        ("line", Vec3::new(0.0, 1.0, 0.0)),
        ("point", Vec3::ZERO),
        ("mirrored", Vec3::new(1.0, -1.0, 1.0)),
        ("inside out", Vec3::NEG_ONE),
        ("half a turn", Vec3::new(-1.0, -1.0, 1.0)),
    ];
    for (name, scale) in shapes {
        let points: Vec<Vec3> =
            (0..lattice.len()).map(|v| scale * lattice.rest(v).as_vec3()).collect();
        let x = Soa3::from_points(&points);
        let mut matching = ShapeMatching::new(Arc::new(Regions::new(lattice.clone(), 8)), &m);
        let mut goals = Soa3::zeros(x.len());
        matching.goals(&x, &mut goals);
        for q in matching.rotations() {
            let length = q.iter().map(|c| c * c).sum::<f32>();
            assert!((length - 1.0).abs() < 1e-6, "{name} {q:?}");
        }
        // The goal is a rigid copy, not a mirrored one.
        let at = |v: usize| goals.get(v).as_dvec3();
        let frame = [1, 5, 25].map(|v| at(v) - at(0));
        let volume = frame[0].dot(frame[1].cross(frame[2]));
        assert!((volume - 0.001).abs() < 1e-7, "{name} {volume}");
        // No proper rotation is nearer: a turn about any axis takes it away.
        let score = |turn: DQuat| -> f64 {
            (0..lattice.len()).map(|v| x.get(v).as_dvec3().dot(turn * at(v))).sum()
        };
        let best = score(DQuat::IDENTITY);
        for axis in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE.normalize()] {
            for angle in [0.01, 1.0, 3.1] {
                let other = score(DQuat::from_axis_angle(axis, angle));
                assert!(other <= best + 1e-5, "{name} {axis} {angle} {other} {best}");
            }
        }
        if name == "half a turn" {
            for v in 0..lattice.len() {
                assert!((goals.get(v) - x.get(v)).length() < 1e-6, "{name}");
            }
        }
    }
}

#[test]
fn what_is_not_determined_stays_as_it_was() {
    let lattice = Lattice::block([4, 4, 4], 0.1);
    let m = vec![1.0; lattice.len()];
    let mut matching = ShapeMatching::new(Arc::new(Regions::new(lattice.clone(), 4)), &m);
    let mut goals = Soa3::zeros(lattice.len());
    let turn = DQuat::from_rotation_x(1.0);
    let at = |f: &dyn Fn(usize) -> DVec3| {
        let points: Vec<Vec3> = (0..lattice.len()).map(|v| f(v).as_vec3()).collect();
        Soa3::from_points(&points)
    };
    matching.goals(&at(&|v| turn * lattice.rest(v)), &mut goals);
    let before = goals.clone();
    // All on the x axis: how far it is turned about that nobody can see.
    let thin = at(&|v| turn * lattice.rest(v) * DVec3::X);
    (0..1000).for_each(|_| matching.goals(&thin, &mut goals));
    for v in 0..lattice.len() {
        assert!((goals.get(v) - before.get(v)).length() < 1e-4, "{v}");
    }
}

#[test]
fn abuse_stays_finite() {
    let mut rng = Rng::new(17);
    for round in 0..40 {
        let lattice = holed(&mut rng, [4, 5, 3]);
        let n = lattice.len();
        let size = libm::pow(10.0, rng.between(-40.0, 38.0));
        let wild = |rng: &mut Rng| {
            let p = random_point(rng, 1.0);
            (size * if rng.unit() < 0.3 { DVec3::splat(p.x) } else { p }).as_vec3()
        };
        let x = Soa3::from_points(&(0..n).map(|_| wild(&mut rng)).collect::<Vec<_>>());
        let mut v = Soa3::from_points(&(0..n).map(|_| wild(&mut rng)).collect::<Vec<_>>());
        let masses: Vec<f32> =
            (0..n).map(|i| [1.0, 1e-38, 1e30, 0.0, f32::NAN, -1.0][(i + round) % 6]).collect();
        let regions = Arc::new(Regions::new(lattice, 1 + round % 3));
        let mut matching = ShapeMatching::new(regions.clone(), &masses);
        let mut goals = Soa3::zeros(n);
        matching.goals(&x, &mut goals);
        matching.goals(&goals.clone(), &mut goals);
        RegionDamping::new(regions, &masses).damp(&x, &mut v, 0.5);
        assert!(goals.iter().all(|p| p.is_finite()), "goals {round} {size}");
        assert!(v.iter().all(|p| p.is_finite()), "velocities {round} {size}");
    }
}

#[test]
fn same_bits_on_any_number_of_threads_and_at_any_level() {
    let mut rng = Rng::new(18);
    let mut lattice = Lattice::block([23, 20, 24], 0.05);
    for v in 0..lattice.len() {
        if lattice.place(v)[0] == 9 && lattice.place(v)[1] < 14 {
            lattice.cut(v, 0);
        }
    }
    let m = masses(&mut rng, lattice.len());
    let x = shaken(&mut rng, &lattice, 0.03);
    let regions = Arc::new(Regions::new(lattice, 2));
    assert!(regions.incomplete() > 0);
    let run = || {
        let mut matching = ShapeMatching::new(regions.clone(), &m);
        let (mut goals, mut v) = (Soa3::zeros(x.len()), x.clone());
        (0..2).for_each(|_| matching.goals(&x, &mut goals));
        RegionDamping::new(regions.clone(), &m).damp(&x, &mut v, 0.5);
        (goals, v, matching.rotations().to_vec())
    };
    let expected = at_level(SimdLevel::Plain, || crate::parallel::without_threads(run));
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for level in [SimdLevel::Avx2, SimdLevel::Widest] {
            let found = at_level(level, || pool.install(run));
            assert!(found == expected, "{threads} {level:?}");
        }
    }
}

#[test]
fn nothing_is_allocated_once_it_is_built() {
    let mut rng = Rng::new(19);
    let lattice = holed(&mut rng, [9, 9, 9]);
    let m = masses(&mut rng, lattice.len());
    let (x, mut v) = (shaken(&mut rng, &lattice, 0.01), shaken(&mut rng, &lattice, 0.01));
    let regions = Arc::new(Regions::new(lattice, 2));
    let mut matching = ShapeMatching::new(regions.clone(), &m);
    let mut damping = RegionDamping::new(regions, &m);
    let mut goals = Soa3::zeros(x.len());
    let taken = allocation_counter::measure(|| {
        matching.goals(&x, &mut goals);
        damping.damp(&x, &mut v, 0.5);
    });
    assert_eq!(taken.count_total, 0);
}
