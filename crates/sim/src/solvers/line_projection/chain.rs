//! Sixteen chains of distance constraints side by side, each solved exactly.

use crate::elements::rsqrt;
use crate::simd::{Kernel, LANES, Lane, dispatch};

use super::spans::SpanShares;

/// Points of sixteen lines: entry j holds point j of each, by coordinate. [m]
pub(in crate::solvers) type Points = Vec<[Lane; 3]>;

/// Room for lines of `points` points, rounded up to whole squares of lanes.
pub(in crate::solvers) fn points(points: usize) -> Points {
    vec![[Lane::ZERO; 3]; points.max(LANES)]
}

/// Sixteen chains: entry j of an array holds point j of each.
#[derive(Clone, Debug, Default)]
pub(in crate::solvers) struct Strip {
    /// Positions. [m]
    pub x: Points,
    /// Inverse masses. [1/kg]
    pub weight: Vec<Lane>,
    /// Multiplier of the edge from j to j + 1. [kg·m]
    pub multiplier: Vec<Lane>,
    /// Length of that edge towards which it is drawn, where they differ. [m]
    pub rest: Vec<Lane>,
    /// Its 1/(k h²), where they differ. [1/kg]
    pub alpha: Vec<Lane>,
    /// Length towards which the spring from j to j + 2 is drawn, where they differ. [m]
    pub span: Vec<Lane>,
    /// Multiplier of that spring. [kg·m]
    pub spanned: Vec<Lane>,
    /// What it moves its ends by, where it is soft.
    pub shares: SpanShares,
    /// Multipliers of the bow that begins at j, by coordinate. [kg·m]
    pub bent: [Vec<Lane>; 3],
    /// Positions at the start of the step, where dashpots ask for them. [m]
    pub start: Points,
}

/// What elimination leaves of an edge for the way back.
#[derive(Clone, Copy, Debug)]
pub(in crate::solvers) struct Eliminated {
    /// 1/length: directions are made again, which is cheaper than to keep them. [1/m]
    inverse: Lane,
    /// Minus the off-diagonal entry over the pivot before.
    ratio: Lane,
    /// Right-hand side over the pivot.
    value: Lane,
}

impl Eliminated {
    const ZERO: Self = Self { inverse: Lane::ZERO, ratio: Lane::ZERO, value: Lane::ZERO };
}

/// The edges of a strip.
#[derive(Clone, Copy, Debug)]
pub(in crate::solvers) struct EdgeLaw {
    /// 1/(k h²). Never zero: a straight line held at both ends would be singular. [1/kg]
    pub alpha: f32,
    /// Length without force, where all are alike. [m]
    pub rest: f32,
}

impl Strip {
    /// Room for chains of `points` points, rounded up to whole squares of lanes.
    pub fn new(points: usize) -> Self {
        let room = || vec![Lane::ZERO; points.max(LANES)];
        Self {
            x: self::points(points),
            weight: room(),
            multiplier: room(),
            rest: Vec::new(),
            alpha: Vec::new(),
            span: Vec::new(),
            spanned: room(),
            shares: SpanShares::default(),
            bent: [room(), room(), room()],
            start: Points::new(),
        }
    }
}

/// One elimination buffer is enough for all strips that a thread solves in turn.
pub(in crate::solvers) fn elimination(points: usize) -> Vec<Eliminated> {
    vec![Eliminated::ZERO; points]
}

/// (J W Jᵀ + α)Δλ = −C − αλ with C_j = |x_{j+1} − x_j| − L_j, then x += W JᵀΔλ: tridiagonal
/// with diagonal w_j + w_{j+1} + α and off-diagonal −w_j n_{j−1}·n_j, by LDLᵀ.
///
/// `FIRST`: λ is zero before. `VARIED`: L and α are taken from the strip.
pub(in crate::solvers) struct Project<'a, const FIRST: bool, const VARIED: bool> {
    pub strip: &'a mut Strip,
    pub points: usize,
    pub law: EdgeLaw,
    pub scratch: &'a mut [Eliminated],
    /// Whether another round needs the multipliers.
    pub keep: bool,
}

/// What is asked of a solve.
#[derive(Clone, Copy, Debug)]
pub(in crate::solvers) struct Need {
    /// Nothing of this step is known yet.
    pub first: bool,
    /// Edges differ.
    pub varied: bool,
    /// Another round needs the multipliers.
    pub keep: bool,
}

/// [`Project`] as it is needed.
pub(in crate::solvers) fn project(
    strip: &mut Strip,
    points: usize,
    (law, scratch): (EdgeLaw, &mut [Eliminated]),
    Need { first, varied, keep }: Need,
) {
    match (first, varied) {
        (true, false) => dispatch(Project::<true, false> { strip, points, law, scratch, keep }),
        (true, true) => dispatch(Project::<true, true> { strip, points, law, scratch, keep }),
        (false, false) => dispatch(Project::<false, false> { strip, points, law, scratch, keep }),
        (false, true) => dispatch(Project::<false, true> { strip, points, law, scratch, keep }),
    }
}

impl<const FIRST: bool, const VARIED: bool> Kernel for Project<'_, FIRST, VARIED> {
    #[inline(always)]
    fn run(self) {
        let Self { strip, points, law: EdgeLaw { alpha, rest }, scratch, keep } = self;
        if points < 2 {
            return;
        }
        let line = Line::<FIRST, VARIED> {
            x: &mut strip.x[..points],
            weight: &strip.weight[..points],
            multiplier: &mut strip.multiplier[..points],
            rests: if VARIED { &strip.rest[..points] } else { &[] },
            alphas: if VARIED { &strip.alpha[..points] } else { &[] },
            alike: [Lane([rest; LANES]), Lane([alpha; LANES])],
            edges: &mut scratch[..points],
            keep,
        };
        line.solve();
    }
}

/// Chains at work. Each is eliminated from both ends at once, edge by edge towards the middle, and
/// solved from there outwards: a pivot waits for the one before it, and two that wait for different
/// ones keep the processor busy.
struct Line<'a, const FIRST: bool, const VARIED: bool> {
    x: &'a mut [[Lane; 3]],
    weight: &'a [Lane],
    multiplier: &'a mut [Lane],
    rests: &'a [Lane],
    alphas: &'a [Lane],
    /// Length and compliance where all are alike.
    alike: [Lane; 2],
    edges: &'a mut [Eliminated],
    keep: bool,
}

/// One way of elimination: the point that it has come to, and of the edge that led there direction,
/// 1/pivot and right-hand side.
#[derive(Clone, Copy)]
struct Way {
    at: [Lane; 3],
    weight: Lane,
    n: [Lane; 3],
    pivot: Lane,
    value: Lane,
}

/// One way back: the point that it stands at, as it was, and of the edge before it pull,
/// multiplier and ratio.
#[derive(Clone, Copy)]
struct Return {
    at: [Lane; 3],
    pull: [Lane; 3],
    change: Lane,
    ratio: Lane,
}

impl<const FIRST: bool, const VARIED: bool> Line<'_, FIRST, VARIED> {
    #[inline(always)]
    fn solve(mut self) {
        let last = self.x.len() - 1;
        // The way from the first point has an edge more if their number is odd.
        let odd = last % 2;
        let middle = last.div_ceil(2);
        let (mut left, mut right) = (self.begin(0), self.begin(last));
        if odd == 1 {
            left = self.eliminate(left, 1, 0);
        }
        for i in odd..middle {
            left = self.eliminate(left, i + 1, i);
            let to = last - 1 - i + odd;
            right = self.eliminate(right, to, to);
        }
        let (mut left, mut right) = self.meet(middle, left, right);
        for i in (odd..middle.saturating_sub(1)).rev() {
            left = self.go_back(left, i, i);
            let to = last - i + odd;
            right = self.go_back(right, to, to - 1);
        }
        if odd == 1 && middle > 1 {
            left = self.go_back(left, 0, 0);
        }
        self.end(0, left);
        self.end(last, right);
    }

    #[inline(always)]
    fn begin(&self, j: usize) -> Way {
        let (zero, weight) = (Lane::ZERO, self.weight[j]);
        Way { at: self.x[j], weight, n: [zero; 3], pivot: zero, value: zero }
    }

    /// Over edge `e` to point `to`.
    #[inline(always)]
    fn eliminate(&mut self, way: Way, to: usize, e: usize) -> Way {
        // Copies share no memory: only then does the compiler use vectors.
        let Way { at: [x0, y0, z0], weight: w0, n, mut pivot, mut value } = way;
        let [mut nx, mut ny, mut nz] = n;
        let ([x1, y1, z1], w1) = (self.x[to], self.weight[to]);
        let known = if FIRST { Lane::ZERO } else { self.multiplier[e] };
        let rests = if VARIED { self.rests[e] } else { self.alike[0] };
        let alphas = if VARIED { self.alphas[e] } else { self.alike[1] };
        let mut here = Eliminated::ZERO;
        for l in 0..LANES {
            let d = [x1.0[l] - x0.0[l], y1.0[l] - y0.0[l], z1.0[l] - z0.0[l]];
            let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            let inverse = rsqrt(square);
            let m = [d[0] * inverse, d[1] * inverse, d[2] * inverse];
            let mut lack = rests.0[l] - square * inverse;
            if !FIRST {
                lack -= alphas.0[l] * known.0[l];
            }
            let turn = m[0] * nx.0[l] + m[1] * ny.0[l] + m[2] * nz.0[l];
            let off = w0.0[l] * turn;
            let ratio = off * pivot.0[l];
            // Never off²: points that stand for nothing weigh next to nothing.
            let left = w0.0[l] + w1.0[l] + alphas.0[l] - off * ratio;
            let right = lack + ratio * value.0[l];
            (nx.0[l], ny.0[l], nz.0[l]) = (m[0], m[1], m[2]);
            (pivot.0[l], value.0[l]) = (1.0 / left, right);
            here.inverse.0[l] = inverse;
            here.ratio.0[l] = ratio;
            here.value.0[l] = pivot.0[l] * right;
        }
        self.edges[e] = here;
        Way { at: [x1, y1, z1], weight: w1, n: [nx, ny, nz], pivot, value }
    }

    /// The two edges that meet at the `middle`, and that point.
    #[inline(always)]
    fn meet(&mut self, middle: usize, left: Way, right: Way) -> (Return, Return) {
        let Way { at: [mut x, mut y, mut z], weight: w, n: [nx, ny, nz], pivot, value } = left;
        let (p, u) = (pivot, value);
        let Way { n: [mx, my, mz], pivot: q, value: v, .. } = right;
        let (mut ax, mut ay, mut az, mut s) = (Lane::ZERO, Lane::ZERO, Lane::ZERO, Lane::ZERO);
        let (mut bx, mut by, mut bz, mut t) = (Lane::ZERO, Lane::ZERO, Lane::ZERO, Lane::ZERO);
        for l in 0..LANES {
            // Both directions point to the middle.
            let off = w.0[l] * (nx.0[l] * mx.0[l] + ny.0[l] * my.0[l] + nz.0[l] * mz.0[l]);
            let (p, q) = (p.0[l], q.0[l]);
            let (u, v) = (p * u.0[l], q * v.0[l]);
            let inverse = 1.0 / (1.0 - (off * p) * (off * q));
            s.0[l] = (u - off * p * v) * inverse;
            t.0[l] = (v - off * q * u) * inverse;
            ax.0[l] = nx.0[l] * s.0[l];
            ay.0[l] = ny.0[l] * s.0[l];
            az.0[l] = nz.0[l] * s.0[l];
            bx.0[l] = mx.0[l] * t.0[l];
            by.0[l] = my.0[l] * t.0[l];
            bz.0[l] = mz.0[l] * t.0[l];
            x.0[l] += w.0[l] * (ax.0[l] + bx.0[l]);
            y.0[l] += w.0[l] * (ay.0[l] + by.0[l]);
            z.0[l] += w.0[l] * (az.0[l] + bz.0[l]);
        }
        self.x[middle] = [x, y, z];
        let (before, after) = (middle - 1, (middle + 1).min(self.x.len() - 1));
        let ratios = (self.edges[before].ratio, self.edges[after - 1].ratio);
        if self.keep {
            // Of a single edge there is nothing on the other side.
            if after > middle {
                self.learn(middle, t);
            }
            self.learn(before, s);
        }
        let left = Return { at: self.x[before], pull: [ax, ay, az], change: s, ratio: ratios.0 };
        let right = Return { at: self.x[after], pull: [bx, by, bz], change: t, ratio: ratios.1 };
        (left, right)
    }

    /// Over edge `e` to point `to`; the point where it stands is moved.
    #[inline(always)]
    fn go_back(&mut self, way: Return, to: usize, e: usize) -> Return {
        let from = if to > e { e } else { e + 1 };
        let Return { at: [mut x, mut y, mut z], pull, mut change, mut ratio } = way;
        let [mut px, mut py, mut pz] = pull;
        let (edge, w, [x1, y1, z1]) = (self.edges[e], self.weight[from], self.x[to]);
        for l in 0..LANES {
            let lambda = edge.value.0[l] + ratio.0[l] * change.0[l];
            change.0[l] = lambda;
            ratio.0[l] = edge.ratio.0[l];
            let along = edge.inverse.0[l] * lambda;
            let d = [x.0[l] - x1.0[l], y.0[l] - y1.0[l], z.0[l] - z1.0[l]];
            let p = [d[0] * along, d[1] * along, d[2] * along];
            x.0[l] += w.0[l] * (p[0] - px.0[l]);
            y.0[l] += w.0[l] * (p[1] - py.0[l]);
            z.0[l] += w.0[l] * (p[2] - pz.0[l]);
            (px.0[l], py.0[l], pz.0[l]) = (p[0], p[1], p[2]);
        }
        self.x[from] = [x, y, z];
        if self.keep {
            self.learn(e, change);
        }
        Return { at: [x1, y1, z1], pull: [px, py, pz], change, ratio }
    }

    /// The end of a chain, `j`.
    #[inline(always)]
    fn end(&mut self, j: usize, way: Return) {
        let ([mut x, mut y, mut z], w, [px, py, pz]) = (self.x[j], self.weight[j], way.pull);
        for l in 0..LANES {
            x.0[l] -= w.0[l] * px.0[l];
            y.0[l] -= w.0[l] * py.0[l];
            z.0[l] -= w.0[l] * pz.0[l];
        }
        self.x[j] = [x, y, z];
    }

    #[inline(always)]
    fn learn(&mut self, e: usize, change: Lane) {
        let mut known = if FIRST { Lane::ZERO } else { self.multiplier[e] };
        for l in 0..LANES {
            known.0[l] += change.0[l];
        }
        self.multiplier[e] = known;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wavy chains, each another, at their lengths but for small shifts.
    fn wavy(points: usize) -> Strip {
        let mut strip = Strip::new(points);
        for l in 0..LANES {
            let mut at = [0.0, 0.0];
            for j in 0..points {
                let phase = 0.4 * j as f32 + l as f32;
                strip.x[j][0].0[l] = at[0];
                strip.x[j][1].0[l] = at[1] + 5e-4 * libm::sinf(9.0 * phase);
                strip.x[j][2].0[l] = 5e-4 * libm::cosf(7.0 * phase);
                let turn = 0.3 * libm::sinf(phase);
                at = [at[0] + 0.1 * libm::cosf(turn), at[1] + 0.1 * libm::sinf(turn)];
                strip.weight[j].0[l] = if j == 0 { 0.0 } else { 2.0 + 0.1 * l as f32 };
            }
        }
        strip
    }

    fn project(strip: &mut Strip, points: usize, alpha: f32) {
        let law = EdgeLaw { alpha, rest: 0.1 };
        let need = Need { first: true, varied: false, keep: false };
        super::project(strip, points, (law, &mut elimination(points)), need);
    }

    fn worst(strip: &Strip, points: usize) -> f32 {
        let mut worst = 0.0f32;
        for j in 1..points {
            for l in 0..LANES {
                let way = |c: usize| strip.x[j][c].0[l] - strip.x[j - 1][c].0[l];
                let d: f32 = (0..3).map(|c| way(c).powi(2)).sum();
                worst = worst.max((d.sqrt() / 0.1 - 1.0).abs());
            }
        }
        worst
    }

    #[test]
    fn a_long_chain_is_at_its_length_after_two_projections() {
        for points in [2, 3, 20, 200] {
            let mut strip = wavy(points);
            project(&mut strip, points, 1e-6);
            project(&mut strip, points, 1e-6);
            assert!(worst(&strip, points) < 5e-5, "{points}: {}", worst(&strip, points));
            assert_eq!(strip.x[0][0].0, [0.0; LANES], "held points stay");
        }
    }

    #[test]
    fn a_free_chain_keeps_its_momentum() {
        let mut strip = wavy(30);
        strip.weight[0] = strip.weight[1];
        let sum = |strip: &Strip| -> f64 {
            (0..30).map(|j| f64::from(strip.x[j][1].0[3] / strip.weight[j].0[3])).sum()
        };
        let before = sum(&strip);
        project(&mut strip, 30, 1e-6);
        assert!((sum(&strip) - before).abs() < 1e-6);
    }

    #[test]
    fn compliance_gives_the_force_of_the_spring() {
        // One edge, one end held: λ = −C/(w + α), what a spring of stiffness 1/(α h²) gives
        // when its force is taken at the end of the step.
        let mut strip = wavy(2);
        strip.x[1][0] = Lane([0.11; LANES]);
        for l in 0..LANES {
            (strip.x[1][1].0[l], strip.x[1][2].0[l]) = (strip.x[0][1].0[l], strip.x[0][2].0[l]);
        }
        let (alpha, before) = (5.0, strip.x[1][0].0[2]);
        project(&mut strip, 2, alpha);
        let w = strip.weight[1].0[2];
        let expected = before - w * (before - 0.1) / (w + alpha);
        assert!((strip.x[1][0].0[2] - expected).abs() < 1e-6);
    }

    #[test]
    fn points_that_coincide_stay_finite() {
        let mut strip = Strip::new(20);
        strip.weight.fill(Lane([1.0; LANES]));
        project(&mut strip, 20, 1e-9);
        assert!(strip.x.iter().flatten().all(|lane| lane.0.iter().all(|x| x.is_finite())));
    }
}
