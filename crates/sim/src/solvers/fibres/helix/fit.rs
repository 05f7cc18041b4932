//! Points become pieces of constant curvature and twist.

use glam::{DMat3, DVec3};

use super::chain::Pull;
use super::layout::{Curve, Layout};
use super::newton::{Alone, Descent, Newton};
use crate::strands::{carry_director, perpendicular};

/// The natural shape of a strand.
#[derive(Clone, Debug)]
pub(super) struct Natural {
    /// Ω = (κ₁, κ₂, τ) of each piece without load. [1/m]
    pub darboux: Vec<DVec3>,
    /// How the frame where the first piece begins is turned against that of the first edge.
    pub kink: DMat3,
    /// By how much frames of pieces are turned about the tangent where each begins, and where the
    /// last ends, against those that are carried along without twist. [rad]
    pub turned: Vec<f64>,
    /// How far the points are from it at most. [m]
    error: f64,
}

/// A fit is as good as that of the natural shape if it misses by so much more at most, as a part of
/// an edge.
const AS_GOOD: f64 = 1e-3;

/// Weight of κ ℓ beside positions in edges: it only decides what positions leave open.
const LIGHT: f64 = 1e-7;

const NEWTON_STEPS: u32 = 60;

/// Turns of a row of points from edge to edge, as rotation vectors in frames that are carried along
/// without twist.
struct Turns {
    /// Along its two directors, at each point but the ends. [rad]
    at: Vec<[f64; 2]>,
    /// The points after the first edge, as they are seen from the second and in the first frame, and
    /// shrunk to where a smooth curve of the strand's length would have them. [m]
    points: Vec<DVec3>,
}

impl Turns {
    fn of(points: &[DVec3], across: Option<DVec3>, edge: f64) -> Self {
        let mut last = points.windows(2).find_map(|e| (e[1] - e[0]).try_normalize());
        let tangent = *last.get_or_insert(DVec3::NEG_Y);
        let across = across
            .and_then(|d| (d - tangent * d.dot(tangent)).try_normalize())
            .unwrap_or_else(|| perpendicular(tangent));
        let first = DMat3::from_cols(across, tangent.cross(across), tangent);
        let (mut tangent, mut across) = (tangent, across);
        let mut at = Vec::with_capacity(points.len());
        let (mut smooth, mut chords) = (0.0, 0.0);
        for (i, ends) in points.windows(2).enumerate() {
            let chord = ends[1] - ends[0];
            let next = chord.try_normalize().unwrap_or(tangent);
            let axis = tangent.cross(next);
            let angle = libm::atan2(axis.length(), tangent.dot(next));
            let turn = axis.normalize_or_zero() * angle;
            if i > 0 {
                at.push([turn.dot(across), turn.dot(tangent.cross(across))]);
                let half = 0.5 * angle;
                let longer = if half > 1e-4 { half / libm::sin(half) } else { 1.0 };
                smooth += longer * chord.length();
                chords += edge;
            }
            across = carry_director(across, tangent, next);
            tangent = next;
        }
        let scale = if smooth > 0.0 && smooth.is_finite() { chords / smooth } else { 1.0 };
        let from = points.get(1).copied().unwrap_or_default();
        let seen = |&p: &DVec3| first.transpose() * (p - from) * scale;
        Self { at, points: points.iter().skip(1).map(seen).collect() }
    }

    /// Curvature at an inner point from the third on, as a complex number. [1/m]
    fn curvature(&self, i: usize, edge: f64) -> [f64; 2] {
        self.at[i].map(|turn| turn / edge)
    }
}

/// Product of a complex number and exp(iφ).
fn turn_by([x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sine, cosine) = libm::sincos(angle);
    [x * cosine - y * sine, x * sine + y * cosine]
}

impl Natural {
    /// Gauss points of a piece: four integrate curves that turn by a radian to a millionth, tighter ones
    /// need more.
    pub fn gauss_points(&self, layout: &Layout) -> usize {
        let tightest = self.darboux.iter().map(|d| d.length()).fold(0.0, f64::max);
        4 + ((0.7 * tightest * layout.length) as usize).min(12)
    }

    /// The pieces whose curve is nearest to `points` [m], edges being `edge` [m] long.
    ///
    /// Along a helix the curvature, seen in frames without twist, goes round at the rate of its
    /// torsion. The frames of a piece go round with it: then curvature and twist are constant.
    pub fn of(points: &[DVec3], edge: f64, layout: &Layout, newton: &mut Newton) -> Self {
        let turns = Turns::of(points, None, edge);
        let rate = rates(&turns, edge, layout);
        let kink = kink(&turns, rate.first().copied().unwrap_or(0.0) * edge);
        let mut natural = Self {
            darboux: rate.iter().map(|&rate| DVec3::Z * rate).collect(),
            kink,
            turned: Vec::new(),
            error: 0.0,
        };
        natural.note_turned(layout);
        let start = bent(&turns, &natural, edge, layout);
        let curve = fitted(&turns, start, &natural, layout, newton, edge);
        natural.error = misses(&turns, &curve);
        natural.darboux = curve.darboux;
        natural.note_turned(layout);
        natural
    }

    /// The pieces of a strand that goes through `points` [m] and has a director across its first
    /// edge; those of the natural shape itself where it has that shape.
    pub fn shaped(
        &self,
        (points, across): (&[DVec3], DVec3),
        edge: f64,
        layout: &Layout,
        newton: &mut Newton,
    ) -> Vec<DVec3> {
        let turns = Turns::of(points, Some(across), edge);
        let mut curve = Curve::new(layout);
        curve.darboux.copy_from_slice(&self.darboux);
        curve.follow(layout, (DVec3::ZERO, self.kink));
        if misses(&turns, &curve) <= 1.01 * self.error + AS_GOOD * edge {
            return curve.darboux;
        }
        let start = bent(&turns, self, edge, layout);
        fitted(&turns, start, self, layout, newton, edge).darboux
    }

    fn note_turned(&mut self, layout: &Layout) {
        self.turned.clear();
        let mut angle = 0.0;
        self.turned.push(angle);
        for darboux in &self.darboux {
            angle += darboux.z * layout.length;
            self.turned.push(angle);
        }
    }

    /// By how much the frame at a distance along the curve is turned. [rad]
    pub fn turned_at(&self, arc: f64, layout: &Layout) -> f64 {
        let k = ((arc / layout.length) as usize).min(layout.pieces - 1);
        self.turned[k] + self.darboux[k].z * (arc - k as f64 * layout.length)
    }
}

/// How fast curvature goes round along each piece. [rad/m]
fn rates(turns: &Turns, edge: f64, layout: &Layout) -> Vec<f64> {
    // Point i + 1 of all is i edges from where the first piece begins.
    let mut sums = vec![[0.0_f64; 2]; layout.pieces];
    for i in 1..turns.at.len().saturating_sub(1) {
        let ([a, b], [c, d]) = (turns.at[i], turns.at[i + 1]);
        let middle = (i as f64 + 0.5) * edge;
        let piece = ((middle / layout.length) as usize).min(layout.pieces - 1);
        sums[piece][0] += c * a + d * b;
        sums[piece][1] += d * a - c * b;
    }
    // Pieces without two turns go on as the one before.
    let mut last = 0.0;
    let rate = |[along, round]: &[f64; 2]| {
        if along * along + round * round > 1e-24 {
            last = libm::atan2(*round, *along) / edge;
        }
        last
    };
    sums.iter().map(rate).collect()
}

/// The frame where the first piece begins, seen from that of the first edge: turned by all of what
/// the points turn there, less the half edge that belongs to the piece.
fn kink(turns: &Turns, round: f64) -> DMat3 {
    let rotation = |[x, y]: [f64; 2]| super::piece::Arc::new(DVec3::new(x, y, 0.0), 1.0).frame();
    match (turns.at.first(), turns.at.get(1)) {
        (Some(&whole), Some(&next)) => {
            let [x, y] = turn_by(next, -0.75 * round);
            rotation(whole) * rotation([-0.5 * x, -0.5 * y])
        }
        (Some(&whole), None) => rotation(whole),
        _ => DMat3::IDENTITY,
    }
}

/// Pieces with the twist of the natural shape, and the mean curvature of the points.
fn bent(turns: &Turns, natural: &Natural, edge: f64, layout: &Layout) -> Vec<DVec3> {
    let mut sums = vec![[0.0_f64; 3]; layout.pieces];
    for i in 1..turns.at.len() {
        let arc = i as f64 * edge;
        let [x, y] = turn_by(turns.curvature(i, edge), -natural.turned_at(arc, layout));
        let piece = ((arc / layout.length) as usize).min(layout.pieces - 1);
        sums[piece] = [sums[piece][0] + x, sums[piece][1] + y, sums[piece][2] + 1.0];
    }
    let mut last = DVec3::ZERO;
    let piece = |(k, [x, y, count]): (usize, &[f64; 3])| {
        if *count > 0.0 {
            last = DVec3::new(x / count, y / count, 0.0);
        }
        last.with_z(natural.darboux[k].z)
    };
    sums.iter().enumerate().map(piece).collect()
}

/// Pieces nearest to the points, from a guess on.
fn fitted(
    turns: &Turns,
    start: Vec<DVec3>,
    natural: &Natural,
    layout: &Layout,
    newton: &mut Newton,
    edge: f64,
) -> Curve {
    let mut curve = Curve::new(layout);
    curve.darboux = start;
    newton.samples.fill(Pull::NONE);
    let weight = 1.0 / (edge * edge);
    for (pull, &target) in newton.nodes.iter_mut().zip(&turns.points) {
        *pull = [Pull::to(target, weight), Pull::NONE];
    }
    newton.darboux.copy_from_slice(&curve.darboux);
    let descent = Descent {
        root: (DVec3::ZERO, natural.kink),
        most: NEWTON_STEPS,
        enough: 1e-18,
        roughly: 1e-18,
        stiffness: DVec3::splat(LIGHT * layout.length * layout.length),
    };
    newton.descend(layout, &mut curve, &descent, &mut Alone);
    newton.nodes.fill([Pull::NONE; 2]);
    curve
}

/// How far the points are from a curve at most. [m]
fn misses(turns: &Turns, curve: &Curve) -> f64 {
    let missed = |(x, p): (&DVec3, &DVec3)| (*x - *p).length();
    curve.nodes.iter().zip(&turns.points).map(missed).fold(0.0, f64::max)
}
