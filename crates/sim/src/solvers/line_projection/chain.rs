//! Sixteen chains of distance constraints side by side, each solved exactly.

use crate::simd::{Kernel, LANES, Lane, dispatch, inverse_root};

use super::spans::SpanShares;

/// Points of sixteen lines: entry j holds point j of each, by coordinate. [m]
pub(super) type Points = Vec<[Lane; 3]>;

/// Room for lines of `points` points, rounded up to whole squares of lanes.
pub(super) fn points(points: usize) -> Points {
    vec![[Lane::ZERO; 3]; points.max(LANES)]
}

/// Sixteen chains: entry j of an array holds point j of each.
#[derive(Clone, Debug, Default)]
pub(super) struct Strip {
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
    pub start: [Vec<Lane>; 3],
}

/// What elimination leaves of an edge for the way back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eliminated {
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
pub(super) struct EdgeLaw {
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
            start: [const { Vec::new() }; 3],
        }
    }
}

/// One elimination buffer is enough for all strips that a thread solves in turn.
pub(super) fn elimination(points: usize) -> Vec<Eliminated> {
    vec![Eliminated::ZERO; points]
}

/// (J W Jᵀ + α)Δλ = −C − αλ with C_j = |x_{j+1} − x_j| − L_j, then x += W JᵀΔλ: tridiagonal
/// with diagonal w_j + w_{j+1} + α and off-diagonal −w_j n_{j−1}·n_j, by LDLᵀ.
///
/// `FIRST`: λ is zero before. `VARIED`: L and α are taken from the strip.
pub(super) struct Project<'a, const FIRST: bool, const VARIED: bool> {
    pub strip: &'a mut Strip,
    pub points: usize,
    pub law: EdgeLaw,
    pub scratch: &'a mut [Eliminated],
    /// Whether another round needs the multipliers.
    pub keep: bool,
}

/// What is asked of a solve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Need {
    /// Nothing of this step is known yet.
    pub first: bool,
    /// Edges differ.
    pub varied: bool,
    /// Another round needs the multipliers.
    pub keep: bool,
}

/// [`Project`] as it is needed.
pub(super) fn project(
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
        let x = &mut strip.x[..points];
        let weight = &strip.weight[..points];
        let multiplier = &mut strip.multiplier[..points];
        let rests = if VARIED { &strip.rest[..points] } else { &[] };
        let alphas = if VARIED { &strip.alpha[..points] } else { &[] };
        let edges = &mut scratch[..points];
        // Of the edge before: direction, 1/pivot and right-hand side.
        let mut m = [Lane::ZERO; 3];
        let (mut pivot, mut value) = (Lane::ZERO, Lane::ZERO);
        let ([mut x0, mut y0, mut z0], mut w0) = (x[0], weight[0]);
        for j in 1..points {
            // Copies share no memory: only then does the compiler use vectors.
            let ([x1, y1, z1], w1) = (x[j], weight[j]);
            let known = if FIRST { Lane::ZERO } else { multiplier[j - 1] };
            let rests = if VARIED { rests[j - 1] } else { Lane([rest; LANES]) };
            let alphas = if VARIED { alphas[j - 1] } else { Lane([alpha; LANES]) };
            let mut here = Eliminated::ZERO;
            for l in 0..LANES {
                let d = [x1.0[l] - x0.0[l], y1.0[l] - y0.0[l], z1.0[l] - z0.0[l]];
                let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                let inverse = inverse_root(square);
                let n = [d[0] * inverse, d[1] * inverse, d[2] * inverse];
                let mut lack = rests.0[l] - square * inverse;
                if !FIRST {
                    lack -= alphas.0[l] * known.0[l];
                }
                let turn = n[0] * m[0].0[l] + n[1] * m[1].0[l] + n[2] * m[2].0[l];
                let off = w0.0[l] * turn;
                let ratio = off * pivot.0[l];
                // Never off²: points that stand for nothing weigh next to nothing.
                let left = w0.0[l] + w1.0[l] + alphas.0[l] - off * ratio;
                let right = lack + ratio * value.0[l];
                (m[0].0[l], m[1].0[l], m[2].0[l]) = (n[0], n[1], n[2]);
                (pivot.0[l], value.0[l]) = (1.0 / left, right);
                here.inverse.0[l] = inverse;
                here.ratio.0[l] = ratio;
                here.value.0[l] = pivot.0[l] * right;
            }
            edges[j] = here;
            (x0, y0, z0, w0) = (x1, y1, z1, w1);
        }
        // Pull of the edge after the point, and what the way back carries along.
        let mut pull = [Lane::ZERO; 3];
        let (mut change, mut ratio) = (Lane::ZERO, Lane::ZERO);
        let [mut xj, mut yj, mut zj] = x[points - 1];
        for j in (1..points).rev() {
            let (edge, w) = (edges[j], weight[j]);
            let mut known = if FIRST { Lane::ZERO } else { multiplier[j - 1] };
            let [xi, yi, zi] = x[j - 1];
            for l in 0..LANES {
                let lambda = edge.value.0[l] + ratio.0[l] * change.0[l];
                change.0[l] = lambda;
                ratio.0[l] = edge.ratio.0[l];
                known.0[l] += lambda;
                let d = [xj.0[l] - xi.0[l], yj.0[l] - yi.0[l], zj.0[l] - zi.0[l]];
                let along = edge.inverse.0[l] * lambda;
                let p = [d[0] * along, d[1] * along, d[2] * along];
                xj.0[l] += w.0[l] * (p[0] - pull[0].0[l]);
                yj.0[l] += w.0[l] * (p[1] - pull[1].0[l]);
                zj.0[l] += w.0[l] * (p[2] - pull[2].0[l]);
                pull[0].0[l] = p[0];
                pull[1].0[l] = p[1];
                pull[2].0[l] = p[2];
            }
            x[j] = [xj, yj, zj];
            if keep {
                multiplier[j - 1] = known;
            }
            (xj, yj, zj) = (xi, yi, zi);
        }
        let w = weight[0];
        for l in 0..LANES {
            xj.0[l] -= w.0[l] * pull[0].0[l];
            yj.0[l] -= w.0[l] * pull[1].0[l];
            zj.0[l] -= w.0[l] * pull[2].0[l];
        }
        x[0] = [xj, yj, zj];
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
