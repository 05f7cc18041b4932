//! Regions and goals as they are defined.

use glam::{DMat3, DQuat, DVec3};

use super::*;

/// What can be reached through links inside the cube, found by walking until nothing changes.
fn walked(lattice: &Lattice, half: usize, from: usize) -> Vec<usize> {
    let centre = lattice.place(from);
    let near = |v: usize| {
        let at = lattice.place(v);
        (0..3).all(|d| at[d].abs_diff(centre[d]) <= half)
    };
    let mut reached = vec![false; lattice.len()];
    reached[from] = true;
    loop {
        let mut more = false;
        for [a, b] in lattice.links() {
            if near(a) && near(b) && reached[a] != reached[b] {
                (reached[a], reached[b], more) = (true, true, true);
            }
        }
        if !more {
            return (0..lattice.len()).filter(|&v| reached[v]).collect();
        }
    }
}

/// The rotation next to A by Jacobi rotations of AᵀA: slow, and nothing like the one under test.
fn polar(a: DMat3) -> DMat3 {
    let mut s = a.transpose() * a;
    let mut v = DMat3::IDENTITY;
    for _ in 0..60 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if s.col(p)[q].abs() < 1e-300 {
                continue;
            }
            let angle = 0.5 * (2.0 * s.col(p)[q]).atan2(s.col(p)[p] - s.col(q)[q]);
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = angle.cos();
            turn.col_mut(q)[q] = angle.cos();
            turn.col_mut(p)[q] = angle.sin();
            turn.col_mut(q)[p] = -angle.sin();
            s = turn.transpose() * s * turn;
            v *= turn;
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| s.col(j)[j].total_cmp(&s.col(i)[i]));
    let [v0, v1] = [v.col(order[0]), v.col(order[1])];
    let v2 = v0.cross(v1);
    let u0 = (a * v0).normalize();
    let u1 = (a * v1 - u0 * u0.dot(a * v1)).normalize();
    let u2 = u0.cross(u1);
    DMat3::from_cols(u0, u1, u2) * DMat3::from_cols(v0, v1, v2).transpose()
}

/// Goals by the definition.
fn brute_goals(lattice: &Lattice, half: usize, masses: &[f32], x: &Soa3) -> Vec<DVec3> {
    let n = lattice.len();
    let regions: Vec<Vec<usize>> = (0..n).map(|r| walked(lattice, half, r)).collect();
    let mut counts = vec![0.0; n];
    regions.iter().flatten().for_each(|&i| counts[i] += 1.0);
    let mut goals = vec![DVec3::ZERO; n];
    for members in &regions {
        let m = |i: usize| f64::from(masses[i]) / counts[i];
        let at = |i: usize| x.get(i).as_dvec3();
        let total: f64 = members.iter().map(|&i| m(i)).sum();
        let c = members.iter().map(|&i| m(i) * at(i)).sum::<DVec3>() / total;
        let c0 = members.iter().map(|&i| m(i) * lattice.rest(i)).sum::<DVec3>() / total;
        let mut a = DMat3::ZERO;
        for &i in members {
            let (p, p0) = (at(i) - c, lattice.rest(i) - c0);
            a += m(i) * DMat3::from_cols(p * p0.x, p * p0.y, p * p0.z);
        }
        // On a line or in a point the rotation is not determined, and nor is what it does there.
        let rank = members.iter().any(|&i| {
            let p0 = lattice.rest(i) - c0;
            members.iter().any(|&j| p0.cross(lattice.rest(j) - c0).length() > 1e-6)
        });
        let r = if rank { polar(a) } else { line(members, lattice, x) };
        for &i in members {
            goals[i] += (r * (lattice.rest(i) - c0) + c) / counts[i];
        }
    }
    goals
}

/// A rotation that takes a line to the best line.
fn line(members: &[usize], lattice: &Lattice, x: &Soa3) -> DMat3 {
    let (&a, &b) = (members.first().unwrap(), members.last().unwrap());
    if a == b {
        return DMat3::IDENTITY;
    }
    let along = (lattice.rest(b) - lattice.rest(a)).normalize();
    let middle: DVec3 =
        members.iter().map(|&i| lattice.rest(i)).sum::<DVec3>() / members.len() as f64;
    let mut sum = DVec3::ZERO;
    for &i in members {
        // Close to the weights in use, and exact for two vertices; see where it is called.
        sum += x.get(i).as_dvec3() * (lattice.rest(i) - middle).dot(along);
    }
    DMat3::from_quat(DQuat::from_rotation_arc(along, sum.normalize()))
}

#[test]
fn regions_are_what_links_reach_within_the_cube() {
    let mut rng = Rng::new(11);
    for half in 1..=4 {
        for counts in [[5, 6, 7], [9, 4, 3], [1, 8, 5]] {
            let lattice = holed(&mut rng, counts);
            let regions = Regions::new(lattice.clone(), half);
            let mut of = vec![0.0; lattice.len()];
            for v in 0..lattice.len() {
                let members = regions.members(v);
                assert_eq!(members, walked(&lattice, half, v), "{counts:?} {half} {v}");
                members.iter().for_each(|&i| of[i] += 1.0);
            }
            for (v, count) in of.iter().enumerate() {
                assert_eq!(regions.inverse_counts[v], 1.0 / count);
            }
            assert!(regions.incomplete() > 0);
        }
    }
}

#[test]
fn a_whole_block_has_no_incomplete_region() {
    for half in [1, 2, 30] {
        assert_eq!(Regions::new(Lattice::block([6, 5, 4], 0.1), half).incomplete(), 0);
    }
}

#[test]
fn goals_are_those_of_sums_taken_one_by_one() {
    let mut rng = Rng::new(12);
    for half in 1..=4 {
        let lattice = holed(&mut rng, [6, 5, 7]);
        let masses = vec![1.0; lattice.len()];
        let x = shaken(&mut rng, &lattice, 0.04);
        let (goals, expected) =
            (goals_of(&lattice, half, &masses, &x), brute_goals(&lattice, half, &masses, &x));
        let mut checked = 0;
        for (v, expected) in expected.iter().enumerate() {
            // A line of three or more has weights that the shortcut of the test does not know.
            let straight = walked(&lattice, half, v).iter().any(|&r| {
                let members = walked(&lattice, half, r);
                let a = lattice.rest(members[0]);
                let d = lattice.rest(*members.last().unwrap()) - a;
                members.len() > 1
                    && members.iter().all(|&i| d.cross(lattice.rest(i) - a).length() < 1e-9)
            });
            if straight {
                continue;
            }
            checked += 1;
            let off = (goals.get(v).as_dvec3() - *expected).length();
            assert!(off < 1e-6, "{half} {v} {off}");
        }
        assert!(checked > lattice.len() / 2, "{checked} of {}", lattice.len());
    }
}

#[test]
fn one_region_for_all_is_shape_matching_of_the_whole() {
    let mut rng = Rng::new(13);
    let lattice = Lattice::block([5, 4, 6], 0.1);
    let m = masses(&mut rng, lattice.len());
    let x = shaken(&mut rng, &lattice, 0.05);
    let goals = goals_of(&lattice, 6, &m, &x);
    let at = |v: usize| x.get(v).as_dvec3();
    let all = 0..lattice.len();
    let mass = |v: usize| f64::from(m[v]);
    let total: f64 = all.clone().map(mass).sum();
    let c = all.clone().map(|v| mass(v) * at(v)).sum::<DVec3>() / total;
    let c0 = all.clone().map(|v| mass(v) * lattice.rest(v)).sum::<DVec3>() / total;
    let mut a = DMat3::ZERO;
    for v in all.clone() {
        let (p, p0) = (mass(v) * (at(v) - c), lattice.rest(v) - c0);
        a += DMat3::from_cols(p * p0.x, p * p0.y, p * p0.z);
    }
    let r = polar(a);
    for v in all {
        let off = (goals.get(v).as_dvec3() - (r * (lattice.rest(v) - c0) + c)).length();
        assert!(off < 1e-6, "{v} {off}");
    }
}

#[test]
fn what_moves_rigidly_is_its_own_goal() {
    let mut rng = Rng::new(14);
    for half in [1, 3] {
        for lattice in [holed(&mut rng, [7, 7, 7]), Lattice::block([12, 12, 12], 0.1)] {
            let m = masses(&mut rng, lattice.len());
            let x = shaken(&mut rng, &lattice, 0.0);
            let goals = goals_of(&lattice, half, &m, &x);
            for v in 0..lattice.len() {
                let off = (goals.get(v) - x.get(v)).length();
                assert!(off < 1e-6, "{half} {v} {off}");
            }
        }
    }
}
