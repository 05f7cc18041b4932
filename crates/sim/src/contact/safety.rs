//! Proof that a step lets nothing through, and what is done where there is none.

use std::ops::Range;

use glam::{DVec3, Vec3};

use super::certificate::certify;
use super::closest::closest;
use super::narrow::{Watched, sure_gap};
use super::pair::{PairKind, PairMotion};
use super::swept::Point4;
use super::watch::Watch;
use crate::parallel::{Parts, for_each_part};

/// Rounds in which pairs without proof get a part of their way; then they stay where they are.
const ROUNDS: u32 = 8;

/// A little more than one: for rounding.
const ONCE: f32 = 1.01;

/// Pairs from which on threads help.
const MANY: usize = 1024;

/// Buffers of the proof.
#[derive(Debug, Default)]
pub(super) struct Safety {
    /// Pairs to be looked at, of either kind.
    doubtful: [Vec<u32>; 2],
    /// Squares of how far points are off their paths, as it was last measured. [m²]
    pub off: Vec<f32>,
    /// The same, and not squared. [m]
    far: Vec<f32>,
    /// Points that were held back since that was last [forgotten](Safety::forget_held_back), each once.
    pub held_back: Vec<u32>,
    is_held_back: Vec<bool>,
    /// Points that moved in the last round.
    moved: Vec<bool>,
    /// Meshes that go as a whole or not at all, and the part of their way that pairs allow.
    rigid: Vec<(Range<usize>, f32)>,
    parts: Parts<Vec<u32>>,
}

impl Safety {
    /// For meshes that go as a whole: ranges of points.
    pub fn new(rigid: impl Iterator<Item = Range<usize>>) -> Self {
        Self { rigid: rigid.map(|mesh| (mesh, 1.0)).collect(), ..Self::default() }
    }

    /// Makes room for so many points.
    pub fn begin(&mut self, points: usize) {
        self.off.resize(points, 0.0);
        self.far.resize(points, 0.0);
        self.is_held_back.resize(points, false);
        self.moved.resize(points, false);
    }

    /// Holds points back on their way from `start` to `end` until every watched pair has a plane
    /// that separates it at both: then none has crossed.
    pub fn secure(&mut self, watch: &mut Watch, start: &[Point4], end: &mut [Point4]) {
        watch.off_paths(end, &mut self.off);
        self.secure_measured(watch, start, end);
    }

    /// The same where `off` says how far off their paths points are at `end`.
    pub fn secure_measured(&mut self, watch: &mut Watch, start: &[Point4], end: &mut [Point4]) {
        let both = (self.far.as_mut_slice(), self.off.as_slice());
        for_each_part(both, 1, &|_, (far, off): (&mut [f32], &[f32])| {
            far.iter_mut().zip(off).for_each(|(far, off)| *far = off.sqrt());
        });
        // Of the gap along the paths neither side takes more than its points are off them.
        let is_asked = |safety: &Self, kind: usize, pair: &Watched| {
            let [a, b, c, d] = pair.points.map(|v| safety.far[v as usize]);
            let both = if kind == 0 { a + b.max(c).max(d) } else { a.max(b) + c.max(d) };
            both * ONCE >= pair.sure
        };
        self.find_doubtful(watch, is_asked, [start, end]);
        let mut round = 0;
        while self.doubtful.iter().any(|pairs| !pairs.is_empty()) {
            let mut changed = false;
            for kind in 0..2 {
                let doubtful = std::mem::take(&mut self.doubtful[kind]);
                for &index in &doubtful {
                    let pair = &mut watch.pairs[kind][index as usize];
                    let part = prove(kind, pair, start, end);
                    if part >= 1.0 {
                        continue;
                    }
                    let part = if round < ROUNDS { part as f32 } else { 0.0 };
                    for v in pair.points.map(|v| v as usize) {
                        match self.rigid.iter_mut().find(|(mesh, _)| mesh.contains(&v)) {
                            Some((_, least)) => *least = least.min(part),
                            None => changed |= self.hold(v, start, end, part),
                        }
                    }
                }
                self.doubtful[kind] = doubtful;
            }
            for mesh in 0..self.rigid.len() {
                let part = std::mem::replace(&mut self.rigid[mesh].1, 1.0);
                if part < 1.0 {
                    for v in self.rigid[mesh].0.clone() {
                        changed |= self.hold(v, start, end, part);
                    }
                }
            }
            let is_asked = |safety: &Self, _: usize, pair: &Watched| {
                pair.points.iter().any(|&v| safety.moved[v as usize])
            };
            self.find_doubtful(watch, is_asked, [start, end]);
            self.moved.fill(false);
            // A way so short that a part of it is the whole goes on as none.
            round = if changed { round + 1 } else { ROUNDS };
        }
    }

    /// Another motion begins, of which nothing was held back yet.
    pub fn forget_held_back(&mut self) {
        for i in self.held_back.drain(..) {
            self.is_held_back[i as usize] = false;
        }
    }

    /// Holds one point back. Returns whether that changes anything.
    pub(super) fn hold(
        &mut self,
        v: usize,
        start: &[Point4],
        end: &mut [Point4],
        part: f32,
    ) -> bool {
        self.moved[v] = true;
        if !std::mem::replace(&mut self.is_held_back[v], true) {
            self.held_back.push(v as u32);
        }
        hold_back(&start[v], &mut end[v], part)
    }

    /// Notes which of the pairs that are asked have no proof.
    fn find_doubtful(
        &mut self,
        watch: &Watch,
        is_asked: impl Fn(&Self, usize, &Watched) -> bool + Sync,
        [start, end]: [&[Point4]; 2],
    ) {
        let mut parts = std::mem::take(&mut self.parts);
        for (kind, pairs) in watch.pairs.iter().enumerate() {
            let mut doubtful = std::mem::take(&mut self.doubtful[kind]);
            let safety = &*self;
            parts.gather((pairs.len(), MANY), &mut doubtful, &|range, doubtful| {
                for (index, pair) in (range.start as u32..).zip(&pairs[range]) {
                    if is_asked(safety, kind, pair) && !is_proved(kind, pair, start, end) {
                        doubtful.push(index);
                    }
                }
            });
            self.doubtful[kind] = doubtful;
        }
        self.parts = parts;
    }
}

fn is_proved(kind: usize, pair: &Watched, start: &[Point4], end: &[Point4]) -> bool {
    let at = |x: &[Point4]| match kind {
        0 => sure_gap::<1>(pair.points, pair.normal, x),
        _ => sure_gap::<2>(pair.points, pair.normal, x),
    };
    at(end) > 0.0 && (pair.apart || at(start) > 0.0)
}

/// The part of its way that a pair may go, in double precision, with the best plane there is.
fn prove(kind: usize, pair: &mut Watched, start: &[Point4], end: &[Point4]) -> f64 {
    let kind = [PairKind::VertexTriangle, PairKind::EdgeEdge][kind];
    let of = |x: &[Point4]| pair.points.map(|v| Vec3::from_slice(&x[v as usize][..3]));
    let (from, to) = (of(start), of(end));
    if from == to {
        return 1.0;
    }
    let certificate = certify(kind, &PairMotion::of_state(from, to));
    if certificate.normal != DVec3::ZERO {
        pair.normal = certificate.normal.as_vec3().to_array();
        let near = closest(kind, &from.map(Vec3::as_dvec3));
        pair.weights = near.weights.map(|w| w as f32);
        // Rounded it is the plane of another proof.
        (pair.near, pair.sure, pair.apart) = (true, f32::NEG_INFINITY, false);
    }
    certificate.safe_fraction()
}

/// Whether a pair is apart in double precision; if so it gets the plane that shows it.
pub(super) fn is_apart(kind: usize, pair: &mut Watched, at: &[Point4]) -> bool {
    let kind = [PairKind::VertexTriangle, PairKind::EdgeEdge][kind];
    let points = pair.points.map(|v| Vec3::from_slice(&at[v as usize][..3]));
    let certificate = certify(kind, &PairMotion::of_state(points, points));
    if certificate.start > 0.0 {
        pair.normal = certificate.normal.as_vec3().to_array();
        let near = closest(kind, &points.map(Vec3::as_dvec3));
        pair.weights = near.weights.map(|w| w as f32);
        (pair.near, pair.sure, pair.apart) = (true, f32::NEG_INFINITY, false);
    }
    certificate.start > 0.0
}

/// Goes a part of the way. Returns whether that changes anything.
fn hold_back(start: &Point4, end: &mut Point4, part: f32) -> bool {
    let before = *end;
    for d in 0..3 {
        end[d] = if part > 0.0 { start[d] + part * (end[d] - start[d]) } else { start[d] };
    }
    *end != before
}
