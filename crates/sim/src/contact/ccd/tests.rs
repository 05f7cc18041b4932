use super::*;
use crate::contact::examples::{PAIRS, falling, v};
use crate::rng::Rng;

#[test]
fn a_fall_ends_when_height_and_separation_say() {
    for pair in PAIRS {
        for separation in [0.0, 1e-9, 0.1, 0.5] {
            let contact = (1.0 - separation) / 2.0;
            let sweep = first_hit(pair, &falling(pair, 1.0, -1.0), separation);
            let time = sweep.hit.unwrap_or(f64::NAN);
            assert!(time < contact && time > contact - 2e-7, "{time} for {contact}");
            assert!(!sweep.undecided);
            // Ending just above the separation, and just below it.
            let ending = |height| first_hit(pair, &falling(pair, 1.0, height), separation).hit;
            assert_eq!(ending(separation + 1e-12), None);
            assert!(ending(separation - 1e-12).is_some());
        }
    }
}

#[test]
fn within_the_separation_at_the_start_is_a_hit_at_zero_even_when_parting() {
    for pair in PAIRS {
        assert_eq!(first_hit(pair, &falling(pair, 0.1, 1.0), 0.2).hit, Some(0.0));
        assert_eq!(first_hit(pair, &falling(pair, 0.0, 1.0), 0.0).hit, Some(0.0));
        assert_eq!(first_hit(pair, &falling(pair, 0.1, 1.0), 0.1).hit, Some(0.0));
        assert_eq!(first_hit(pair, &falling(pair, 0.1, 1.0), 0.09).hit, None);
        assert_eq!(first_hit(pair, &falling(pair, 1e-12, 1.0), 0.0).hit, None);
        let one = PairMotion::at_rest([DVec3::ONE; 4]);
        assert_eq!(
            first_hit(pair, &one, 0.0),
            Sweep { hit: Some(0.0), planes: 1, undecided: false }
        );
    }
}

/// Distances at many times: neither too near before a hit, nor far from it at a hit.
#[test]
fn separation_is_kept_up_to_the_hit_and_hardly_more() {
    let mut rng = Rng::new(6);
    let (mut hits, mut frees) = (0, 0);
    for round in 0..4000 {
        let mut any = || v(rng.between(-1.0, 1.0), rng.between(-1.0, 1.0), rng.between(-1.0, 1.0));
        let start = [any(), any(), any(), any()];
        let motion = PairMotion { start, end: start.map(|x| x + any()) };
        let separation = [0.3, 0.03, 0.003][round % 3];
        let pair = PAIRS[round / 3 % 2];
        let distance = |t: f64| {
            let points = std::array::from_fn(|i| motion.start[i].lerp(motion.end[i], t));
            closest(pair, &points).distance_squared.sqrt()
        };
        let sweep = first_hit(pair, &motion, separation);
        let until = sweep.hit.unwrap_or(1.0);
        if until > 0.0 {
            let least = (0..=100).map(|i| distance(until * f64::from(i) / 100.0));
            assert!(least.fold(f64::INFINITY, f64::min) > separation - 1e-14);
        }
        if let Some(time) = sweep.hit.filter(|_| !sweep.undecided) {
            assert!(distance(time) < separation + 1e-6, "{time} {}", distance(time));
        }
        if sweep.hit.is_some() { hits += 1 } else { frees += 1 }
    }
    assert!(hits > 500 && frees > 500, "{hits} {frees}");
}

/// Edges that pass while one turns: over t − ½ = τ the height of one above the other is τ² + `above`.
fn tangent(above: f64) -> PairMotion {
    let at = |t: f64| [v(-1.0, t, above), v(1.0, t, above), v(0.0, -1.0, t), v(0.0, 1.0, -t)];
    PairMotion { start: at(-0.5), end: at(0.5) }
}

#[test]
fn the_slowest_approach_ends_within_the_budget_and_before_the_touch() {
    let sweep = first_hit(PairKind::EdgeEdge, &tangent(0.0), 0.0);
    let time = sweep.hit.unwrap_or(f64::NAN);
    assert!(time > 0.45 && time < 0.5, "{time}");
    assert!(sweep.planes <= MOST_PLANES);
    for above in [1e-1, 1e-2, 1e-3] {
        let sweep = first_hit(PairKind::EdgeEdge, &tangent(above), 0.0);
        assert_eq!((sweep.hit, sweep.undecided), (None, false), "{above} {}", sweep.planes);
    }
}

#[test]
fn what_is_no_number_is_an_undecided_hit_at_zero() {
    let undecided = Sweep { hit: Some(0.0), planes: 0, undecided: true };
    for pair in PAIRS {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
            for place in 0..24 {
                let mut motion = falling(pair, 1.0, 0.5);
                let points = if place < 12 { &mut motion.start } else { &mut motion.end };
                points[place / 3 % 4][place % 3] = bad;
                assert_eq!(first_hit(pair, &motion, 0.0), undecided);
            }
        }
        for bad in [f64::NAN, f64::INFINITY, -1.0] {
            assert_eq!(first_hit(pair, &falling(pair, 1.0, 0.5), bad), undecided);
        }
    }
}

/// Sizes from the least number to the largest that is taken: any answer, as long as it comes.
#[test]
fn every_size_gets_an_answer_and_no_miss() {
    for pair in PAIRS {
        for power in -300..=68 {
            let size = libm::pow(10.0, f64::from(power));
            let scaled = |motion: PairMotion| PairMotion {
                start: motion.start.map(|x| x * size),
                end: motion.end.map(|x| x * size),
            };
            assert!(first_hit(pair, &scaled(falling(pair, 1.0, -1.0)), 0.0).hit.is_some());
            let free = first_hit(pair, &scaled(falling(pair, 1.0, 0.5)), 0.0);
            assert!(free.hit.is_none() || power < -70, "1e{power}");
        }
    }
}
