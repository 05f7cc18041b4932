use super::*;
use crate::rng::Rng;

const PAIRS: [PairKind; 2] = [PairKind::VertexTriangle, PairKind::EdgeEdge];

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

#[track_caller]
fn check(pair: PairKind, points: [DVec3; 4], weights: [f64; 4], distance: f64) {
    // The same everywhere: the second place is exact in binary, so that shapes stay what they are.
    for origin in [DVec3::ZERO, v(1_048_576.0, -65_536.0, 4096.0)] {
        let found = closest(pair, &points.map(|x| x + origin));
        for (found, expected) in found.weights.iter().zip(weights) {
            assert!((found - expected).abs() < 1e-12, "{found} for {expected}");
        }
        assert!((found.distance_squared.sqrt() - distance).abs() < 1e-12);
        assert!((found.gap.length() - distance).abs() < 1e-12);
    }
}

#[test]
fn a_vertex_finds_inside_border_and_corner_of_a_triangle() {
    let (a, b, c) = (v(0.0, 0.0, 0.0), v(4.0, 0.0, 0.0), v(0.0, 4.0, 0.0));
    let vertex = |p, weights, distance| {
        check(PairKind::VertexTriangle, [p, a, b, c], weights, distance);
    };
    vertex(v(1.0, 1.0, 3.0), [1.0, -0.5, -0.25, -0.25], 3.0);
    vertex(v(1.0, 1.0, -3.0), [1.0, -0.5, -0.25, -0.25], 3.0);
    vertex(v(1.0, -4.0, 3.0), [1.0, -0.75, -0.25, 0.0], 5.0);
    vertex(v(-3.0, 2.0, 4.0), [1.0, -0.5, 0.0, -0.5], 5.0);
    vertex(v(4.0, 4.0, 1.0), [1.0, 0.0, -0.5, -0.5], 3.0);
    vertex(v(-3.0, -4.0, 0.0), [1.0, -1.0, 0.0, 0.0], 5.0);
    vertex(v(7.0, -1.0, 4.0), [1.0, 0.0, -1.0, 0.0], 26f64.sqrt());
}

#[test]
fn edges_find_inside_border_and_corners() {
    let edges = |points, weights, distance| check(PairKind::EdgeEdge, points, weights, distance);
    let (a, b) = (v(0.0, 0.0, 0.0), v(4.0, 0.0, 0.0));
    edges([a, b, v(1.0, -1.0, 2.0), v(1.0, 3.0, 2.0)], [0.75, 0.25, -0.75, -0.25], 2.0);
    edges([a, b, v(1.0, 3.0, 4.0), v(1.0, 9.0, 4.0)], [0.75, 0.25, -1.0, 0.0], 5.0);
    edges([a, b, v(7.0, 4.0, -1.0), v(7.0, 4.0, 3.0)], [0.0, 1.0, -0.75, -0.25], 5.0);
    // Parallel: side by side, and one behind the other.
    let beside = closest(PairKind::EdgeEdge, &[a, b, v(1.0, 3.0, 0.0), v(9.0, 3.0, 0.0)]);
    assert_eq!(beside.distance_squared, 9.0);
    edges([a, b, v(7.0, 4.0, 0.0), v(9.0, 4.0, 0.0)], [0.0, 1.0, -1.0, 0.0], 5.0);
}

#[test]
fn sides_without_length_or_area_are_what_is_left_of_them() {
    let (a, b, middle) = (v(0.0, 0.0, 0.0), v(4.0, 0.0, 0.0), v(2.0, 0.0, 0.0));
    let p = v(1.0, 3.0, 4.0);
    for triangle in [[a, b, middle], [a, a, b], [b, a, b], [a, b, b], [middle, a, b]] {
        let found = closest(PairKind::VertexTriangle, &[p, triangle[0], triangle[1], triangle[2]]);
        assert_eq!(found.distance_squared, 25.0, "{triangle:?}");
    }
    let found = closest(PairKind::VertexTriangle, &[p, a, a, a]);
    assert_eq!(found.distance_squared, 26.0);
    check(PairKind::EdgeEdge, [p, p, a, b], [1.0, 0.0, -0.75, -0.25], 5.0);
    check(PairKind::EdgeEdge, [a, b, p, p], [0.75, 0.25, -1.0, 0.0], 5.0);
    check(PairKind::EdgeEdge, [p, p, a, a], [1.0, 0.0, -1.0, 0.0], 26f64.sqrt());
    for pair in PAIRS {
        let found = closest(pair, &[a; 4]);
        assert_eq!((found.distance_squared, found.normal()), (0.0, None));
    }
}

/// Random pairs: well shaped, thin down to nothing, thin with the other side right above; tiny and large.
fn pairs(mut each: impl FnMut(PairKind, [DVec3; 4], f64)) {
    let mut rng = Rng::new(3);
    for round in 0..30_000 {
        let pair = PAIRS[round % 2];
        let mut any = || v(rng.between(-1.0, 1.0), rng.between(-1.0, 1.0), rng.between(-1.0, 1.0));
        let mut x = [any(), any(), any(), any()];
        let noise = any();
        let thin = libm::pow(10.0, rng.between(-18.0, 0.0));
        let (s, t) = (rng.between(-1.0, 2.0), rng.unit());
        if round % 3 > 0 {
            x[3] = match pair {
                PairKind::VertexTriangle => x[1] + (x[2] - x[1]) * s,
                PairKind::EdgeEdge => x[2] + (x[1] - x[0]) * s,
            } + noise * thin;
        }
        if round % 3 > 1 {
            let (u, v) = match pair {
                PairKind::VertexTriangle => (x[2] - x[1], x[3] - x[1]),
                PairKind::EdgeEdge => (x[1] - x[0], x[3] - x[2]),
            };
            let above = u.cross(v).normalize_or_zero() * rng.unit();
            match pair {
                PairKind::VertexTriangle => x[0] = x[1] + (u * t + v * (1.0 - t)) * 0.9 + above,
                PairKind::EdgeEdge => {
                    let shift = x[2] + v * rng.unit() + above - (x[0] + u * t);
                    (x[0], x[1]) = (x[0] + shift, x[1] + shift);
                }
            }
        }
        let scale = [1.0, 1e-9, 1e6][round / 6 % 3];
        each(pair, x.map(|x| x * scale), scale);
    }
}

#[test]
fn weights_belong_to_both_sides_and_give_the_gap() {
    pairs(|pair, x, scale| {
        let found = closest(pair, &x);
        let (a, b) = found.weights.split_at(pair.side_a());
        assert!(a.iter().all(|w| (0.0..=1.0).contains(w)), "{:?}", found.weights);
        assert!(b.iter().all(|w| (-1.0..=0.0).contains(w)), "{:?}", found.weights);
        assert!((a.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        assert!((b.iter().sum::<f64>() + 1.0).abs() < 1e-15);
        let gap: DVec3 = (0..4).map(|i| x[i] * found.weights[i]).sum();
        assert!(gap.distance(found.gap) < 1e-13 * scale, "{gap} {}", found.gap);
    });
}

/// Both sides are convex: g = a* − b* is the shortest if and only if no point of A is behind a* and
/// none of B before b* along g, that is g·(a − b) ≥ g·g for all corners.
#[test]
fn no_corner_lies_nearer_along_the_gap() {
    let mut worst = 0.0_f64;
    pairs(|pair, x, scale| {
        let found = closest(pair, &x);
        for a in 0..pair.side_a() {
            for b in pair.side_a()..4 {
                let short = found.distance_squared - found.gap.dot(x[a] - x[b]);
                worst = worst.max(short / (scale * scale));
            }
        }
    });
    // Sides are up to 5 long: some u l².
    assert!(worst < 1e-13, "{worst:e}");
}

#[test]
fn the_direction_is_known_however_small_the_gap() {
    let (a, b, c) = (v(0.1, 0.3, -0.2), v(1.3, 0.2, 0.7), v(0.4, -0.9, 0.6));
    let normal = (b - a).cross(c - a).normalize();
    for power in 1..14 {
        let height = libm::pow(10.0, f64::from(-power));
        let p = (a + b + c) / 3.0 + normal * height;
        let found = closest(PairKind::VertexTriangle, &[p, a, b, c]).normal();
        assert!(found.is_some_and(|n| n.distance(normal) < 1e-15), "1e-{power}");
        // An edge through p that is parallel with the triangle, against one of its medians.
        let (median, half) = ((b + c) * 0.5 - a, (c - b) * 0.4);
        let found = closest(PairKind::EdgeEdge, &[p - half, p + half, a, a + median]).normal();
        let across = half.cross(median).normalize();
        let across = across * across.dot(normal).signum();
        assert!(found.is_some_and(|n| n.distance(across) < 1e-15), "1e-{power}");
    }
    // Where squares underflow, a direction is either right or not given.
    for power in 100..200 {
        let p = v(0.6, 0.64, 0.48) * libm::pow(10.0, f64::from(-power));
        let found = closest(PairKind::VertexTriangle, &[p, a - a, a - a, a - a]).normal();
        assert!(found.is_none_or(|n| (n.length() - 1.0).abs() < 1e-15), "1e-{power}");
    }
}

#[test]
fn no_point_of_a_fine_grid_is_nearer() {
    const N: i32 = 24;
    let mut rng = Rng::new(4);
    for _ in 0..300 {
        let x: [DVec3; 4] = std::array::from_fn(|_| v(rng.unit(), rng.unit(), rng.unit()));
        for pair in PAIRS {
            let distance = closest(pair, &x).distance_squared.sqrt();
            let mut least = f64::INFINITY;
            for i in 0..=N {
                for j in 0..=N {
                    let (s, t) = (f64::from(i) / f64::from(N), f64::from(j) / f64::from(N));
                    let (a, b) = match pair {
                        PairKind::VertexTriangle => (x[0], x[1].lerp(x[2], s).lerp(x[3], t)),
                        PairKind::EdgeEdge => (x[0].lerp(x[1], s), x[2].lerp(x[3], t)),
                    };
                    least = least.min(a.distance(b));
                }
            }
            // Neither nearer than the answer, nor farther than the grid is wide.
            assert!(least > distance - 1e-14 && least < distance + 0.1, "{least} {distance}");
        }
    }
}

#[test]
fn what_is_no_number_stays_none() {
    for pair in PAIRS {
        for bad in [f64::NAN, f64::INFINITY] {
            let mut x = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
            x[2].y = bad;
            assert_eq!(closest(pair, &[v(bad, bad, bad); 4]).normal(), None);
            let _ = closest(pair, &x);
        }
    }
}
