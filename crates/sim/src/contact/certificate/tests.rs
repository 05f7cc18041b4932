use super::*;
use crate::contact::examples::{PAIRS, falling, v};
use crate::rng::Rng;

#[test]
fn the_gap_along_the_plane_is_what_is_left_between() {
    for pair in PAIRS {
        let found = certify(pair, &falling(pair, 1.0, 0.25));
        assert!(found.proves());
        assert_eq!(found.safe_fraction(), 1.0);
        assert!((found.normal - DVec3::Z).length() < 1e-15);
        assert!((found.start - 1.0).abs() < 1e-13 && (found.end - 0.25).abs() < 1e-13);
    }
}

#[test]
fn what_passes_through_is_stopped_at_seven_tenths_of_the_way_to_the_contact() {
    for pair in PAIRS {
        let motion = falling(pair, 1.0, -1.0);
        let found = certify(pair, &motion);
        assert!(!found.proves());
        assert!((found.safe_fraction() - 0.35).abs() < 1e-12, "{}", found.safe_fraction());
        let part = |i: usize| motion.start[i].lerp(motion.end[i], found.safe_fraction());
        let scaled = PairMotion { start: motion.start, end: std::array::from_fn(part) };
        assert!((certify_along(pair, found.normal, &scaled).end - 0.3).abs() < 1e-12);
    }
}

/// Closest at the start across one direction, at the end across another that holds all along.
#[test]
fn the_plane_of_the_end_or_of_the_mean_is_found_where_that_of_the_start_fails() {
    let triangle = [v(0.0, 0.0, 0.0), v(1.0, 1.0, 0.0), v(1.0, -1.0, 0.0)];
    let mut motion = PairMotion::at_rest([DVec3::ZERO, triangle[0], triangle[1], triangle[2]]);
    // From before the corner, a little above, to over the middle.
    (motion.start[0], motion.end[0]) = (v(-0.2, 0.0, 0.1), v(0.6, 0.0, 0.1));
    let pair = PairKind::VertexTriangle;
    let first = closest(pair, &motion.start).normal().unwrap_or_default();
    assert!(!certify_along(pair, first, &motion).proves());
    let found = certify(pair, &motion);
    assert!(found.proves() && (found.normal - DVec3::Z).length() < 1e-15);
    // Past a corner, from one side of it to the other: only the mean of both holds.
    (motion.start[0], motion.end[0]) = (v(-0.1, 0.0, 1.0), v(-0.1, 0.0, -1.0));
    let found = certify(pair, &motion);
    assert!(found.proves() && (found.normal + DVec3::X).length() < 1e-15, "{found:?}");
}

#[test]
fn moving_together_costs_nothing_far_from_the_origin() {
    let mut rng = Rng::new(5);
    for pair in PAIRS {
        for _ in 0..1000 {
            let mut whole = || f64::from((rng.between(-1e9, 1e9)) as i32) / 1024.0;
            let way = v(whole(), whole(), whole());
            let start = falling(pair, 1.0 / 1024.0, 0.0).start.map(|x| x + way);
            let found = certify(pair, &PairMotion { start, end: start.map(|x| x + way) });
            assert!(found.proves());
            assert_eq!(found.start, found.end);
        }
    }
}

#[test]
fn touching_at_the_start_allows_nothing() {
    for pair in PAIRS {
        let found = certify(pair, &falling(pair, 0.0, 1.0));
        assert!(!(found.start > 0.0));
        assert_eq!((found.proves(), found.safe_fraction()), (false, 0.0));
    }
}

/// n·x = −0.047 of the least number there is, of which rounding makes 1 − 0 − 0.
#[test]
fn rounding_of_the_least_numbers_proves_nothing() {
    let least = f64::from_bits(1);
    let mut points = [DVec3::ZERO; 4];
    points[0] = DVec3::splat(least);
    let normal = v(0.8, -0.45, -0.397);
    assert_eq!(normal.dot(points[0]), least);
    let motion = PairMotion::at_rest(points);
    assert!(!certify_along(PairKind::VertexTriangle, normal, &motion).proves());
}

#[test]
fn what_is_no_number_proves_nothing() {
    for pair in PAIRS {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
            for place in 0..24 {
                let mut motion = falling(pair, 1.0, 0.5);
                let points = if place < 12 { &mut motion.start } else { &mut motion.end };
                points[place / 3 % 4][place % 3] = bad;
                for found in [certify(pair, &motion), certify_along(pair, DVec3::Z, &motion)] {
                    assert_eq!((found.proves(), found.safe_fraction()), (false, 0.0));
                }
            }
        }
        let motion = falling(pair, 1.0, 0.5);
        assert!(certify_along(pair, DVec3::Z * 3.0, &motion).proves());
        for bad in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY] {
            assert!(!certify_along(pair, bad, &motion).proves());
        }
    }
}
