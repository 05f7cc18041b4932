//! Continuous detection and certificates against the truth in whole numbers.

mod exact;

use exact::families::{FAMILIES, Family};
use exact::{gap_is_at_least, touches};
use glam::DVec3;
use tkanina_sim::contact::{PairKind, PairMotion, certify, closest, first_hit};
use tkanina_sim::rng::Rng;

const PAIRS: [PairKind; 2] = [PairKind::VertexTriangle, PairKind::EdgeEdge];
const QUERIES: u32 = 600;

#[derive(Default, Debug)]
struct Tally {
    touching: u32,
    missed: u32,
    false_hits: u32,
    undecided: u32,
    /// Hits whose time is later than the touch.
    late: u32,
    /// Hits given while there still was room.
    early: u32,
    /// Certificates for pairs that do touch.
    false_proofs: u32,
    proofs: u32,
    planes: u32,
    most_planes: u32,
}

#[test]
fn nothing_that_touches_is_missed() {
    let (mut queries, mut apart, mut false_hits) = (0, 0, 0);
    println!(
        "family                              touch missed false undecided late early proofs planes"
    );
    for (number, family) in (0..).zip(FAMILIES) {
        for pair in PAIRS {
            let mut rng = Rng::new(number);
            let mut tally = Tally::default();
            for _ in 0..QUERIES {
                let motion = (family.make)(pair, &mut rng);
                tally.add(pair, &motion);
                queries += 1;
            }
            tally.report(family, pair);
            tally.check(family);
            (apart, false_hits) = (apart + QUERIES - tally.touching, false_hits + tally.false_hits);
        }
    }
    println!("{queries} queries: 0 missed, {false_hits} false hits of {apart} that stay apart");
    assert!(queries >= 20_000, "{queries}");
}

#[test]
fn the_truth_is_right_to_the_last_digit() {
    let v = DVec3::new;
    let at = |z| [v(1.0, 1.0, z), v(0.0, 0.0, 0.0), v(4.0, 0.0, 0.0), v(0.0, 4.0, 0.0)];
    let falling = PairMotion { start: at(1.0), end: at(-1.0) };
    assert!(touches(PairKind::VertexTriangle, &falling, 0.5));
    assert!(!touches(PairKind::VertexTriangle, &falling, 0.5_f64.next_down()));
    assert!(!touches(PairKind::VertexTriangle, &PairMotion::at_rest(falling.start), 1.0));
    // Over the border by the least number there is, and on it.
    for (x, touching) in [(0.0, true), ((-1.0_f64 / 1024.0).next_up(), false), (-5e-324, false)] {
        let mut motion = falling;
        (motion.start[0].x, motion.end[0].x) = (x, x);
        assert_eq!(touches(PairKind::VertexTriangle, &motion, 1.0), touching, "{x}");
    }
    // Along one line, until the ends meet.
    let line = |x| [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(x, 0.0, 0.0), v(x + 1.0, 0.0, 0.0)];
    let meeting = PairMotion { start: line(2.0), end: line(0.0) };
    assert!(touches(PairKind::EdgeEdge, &meeting, 0.5));
    assert!(!touches(PairKind::EdgeEdge, &meeting, 0.5_f64.next_down()));
    // Through the line of the other edge, but beyond its end.
    let crossing = |z| [v(-1.0, 0.0, z), v(1.0, 0.0, z), v(0.0, 1.0, 0.0), v(0.0, 2.0, 0.0)];
    let beyond = PairMotion { start: crossing(1.0), end: crossing(-1.0) };
    assert!(!touches(PairKind::EdgeEdge, &beyond, 1.0));
}

#[test]
fn no_certificate_claims_a_larger_gap_than_there_is() {
    let mut queries = 0;
    for (number, family) in (100..).zip(FAMILIES) {
        for pair in PAIRS {
            let mut rng = Rng::new(number);
            for _ in 0..100 {
                let motion = (family.make)(pair, &mut rng);
                let found = certify(pair, &motion);
                if !(found.start > 0.0) {
                    continue;
                }
                queries += 1;
                for (points, claimed) in [(&motion.start, found.start), (&motion.end, found.end)] {
                    let (a, b) = points.split_at(pair.side_a());
                    let holds =
                        |&a| b.iter().all(|&b| gap_is_at_least(found.normal, a, b, claimed));
                    assert!(a.iter().all(holds), "{}: {motion:?}", family.name);
                }
            }
        }
    }
    assert!(queries > 2000, "{queries}");
}

impl Tally {
    fn add(&mut self, pair: PairKind, motion: &PairMotion) {
        let sweep = first_hit(pair, motion, 0.0);
        let touching = touches(pair, motion, 1.0);
        let proves = certify(pair, motion).proves();
        self.touching += u32::from(touching);
        self.missed += u32::from(touching && sweep.hit.is_none());
        self.false_hits += u32::from(!touching && sweep.hit.is_some());
        self.undecided += u32::from(sweep.undecided);
        self.proofs += u32::from(proves);
        self.false_proofs += u32::from(touching && proves);
        self.planes += sweep.planes;
        self.most_planes = self.most_planes.max(sweep.planes);
        if let Some(time) = sweep.hit {
            self.late += u32::from(time > 0.0 && touching && touches(pair, motion, time));
            self.early += u32::from(!sweep.undecided && room(pair, motion, time));
        }
    }

    fn report(&self, family: &Family, pair: PairKind) {
        println!(
            "{:31} {:4} {:5} {:6} {:5} {:9} {:4} {:5} {:6} {:6.1} ≤ {}",
            family.name,
            if pair == PairKind::EdgeEdge { "edge" } else { "face" },
            self.touching,
            self.missed,
            self.false_hits,
            self.undecided,
            self.late,
            self.early,
            self.proofs,
            f64::from(self.planes) / f64::from(QUERIES),
            self.most_planes
        );
    }

    fn check(&self, family: &Family) {
        if let Some(touching) = family.touching {
            // Of the truth itself.
            assert_eq!(self.touching, if touching { QUERIES } else { 0 }, "{}", family.name);
        }
        assert_eq!(self.missed, 0, "{}", family.name);
        assert_eq!(self.late, 0, "{}", family.name);
        assert_eq!(self.false_proofs, 0, "{}", family.name);
        assert_eq!(self.early, 0, "{}", family.name);
        let apart = QUERIES - self.touching;
        assert!(self.false_hits * 1000 <= family.false_hits * apart, "{}", family.name);
    }
}

/// Whether a pair is still apart by more than detection should stop at: 1e-7 of the longest edge.
fn room(pair: PairKind, motion: &PairMotion, time: f64) -> bool {
    let seen_from_first = |points: &[DVec3; 4]| points.map(|x| x - points[0]);
    let (start, end) = (seen_from_first(&motion.start), seen_from_first(&motion.end));
    let points: [_; 4] = std::array::from_fn(|i| start[i] + (end[i] - start[i]) * time);
    let size = start.iter().chain(&end).map(|x| x.abs().element_sum()).fold(0.0, f64::max);
    let edges: &[(usize, usize)] = match pair {
        PairKind::VertexTriangle => &[(1, 2), (1, 3)],
        PairKind::EdgeEdge => &[(0, 1), (2, 3)],
    };
    let at = |x: &[DVec3; 4]| edges.iter().map(|&(i, j)| x[i].distance(x[j])).fold(0.0, f64::max);
    let length = f64::max(at(&start), at(&end));
    closest(pair, &points).distance_squared.sqrt() > 1.1e-7 * length + 1e-14 * size
}
