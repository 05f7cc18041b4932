//! Bowing of sixteen lines side by side, each resisted exactly.

use crate::simd::{Kernel, LANES, Lane};

use super::chain::Strip;

/// What elimination leaves of a bow for the way back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bent {
    /// Entries of L one and two before the diagonal.
    near: Lane,
    far: Lane,
    /// Pivot and 1/pivot.
    pivot: [Lane; 2],
    /// Right-hand sides, by coordinate.
    value: [Lane; 3],
}

impl Bent {
    const ZERO: Self =
        Self { near: Lane::ZERO, far: Lane::ZERO, pivot: [Lane::ZERO; 2], value: [Lane::ZERO; 3] };
}

/// Room for the bows of lines of `points` points, with two before and after them that stand
/// for nothing.
pub(super) fn bows(points: usize) -> Vec<Bent> {
    vec![Bent::ZERO; points + 2]
}

/// C_j = x_{j−1} − 2x_j + x_{j+1}, E = Σ½k|C_j − C̄_j|²: what bending costs a line, all of it at
/// once: (D W Dᵀ + α)Δλ = C − C̄ − αλ, x −= W DᵀΔλ, with five diagonals, by LDLᵀ. Linear, and the
/// same for all coordinates, so that it needs no root and one division a point. C̄ is a part of
/// the bows at the start of the step where there are dashpots (see [`super::targets::Targets`]).
///
/// `FIRST`: λ is zero before.
pub(super) struct Straighten<'a, const FIRST: bool> {
    pub strip: &'a mut Strip,
    pub points: usize,
    /// 1/(k h²) of each line. [1/kg]
    pub alpha: Lane,
    /// C̄ over C at the start of the step; zero without dashpots.
    pub of_start: f32,
    pub scratch: &'a mut [Bent],
}

impl<const FIRST: bool> Kernel for Straighten<'_, FIRST> {
    #[inline(always)]
    fn run(self) {
        let Self { strip, points, alpha, of_start, scratch } = self;
        let rows = &mut scratch[..points + 2];
        rows[..2].fill(Bent::ZERO);
        rows[points..].fill(Bent::ZERO);
        factor(&strip.weight[..points], &alpha, rows);
        for c in 0..3 {
            let (x, multiplier) = (&mut strip.x[..points], &mut strip.bent[c][..points]);
            let start = if of_start > 0.0 { &strip.start[..points] } else { &[] };
            for i in 0..points - 2 {
                let mut value = bow([x[i][c], x[i + 1][c], x[i + 2][c]]);
                if of_start > 0.0 {
                    let began = bow([start[i][c], start[i + 1][c], start[i + 2][c]]);
                    (0..LANES).for_each(|l| value.0[l] -= of_start * began.0[l]);
                }
                if !FIRST {
                    let known = multiplier[i];
                    (0..LANES).for_each(|l| value.0[l] -= alpha.0[l] * known.0[l]);
                }
                let (far, near) = (rows[i].value[c], rows[i + 1].value[c]);
                let (of_far, of_near) = (rows[i + 2].far, rows[i + 2].near);
                for l in 0..LANES {
                    value.0[l] -= of_near.0[l] * near.0[l] + of_far.0[l] * far.0[l];
                }
                rows[i + 2].value[c] = value;
            }
            // Multipliers of the bow after, and of the one after that.
            let (mut next, mut last) = (Lane::ZERO, Lane::ZERO);
            for i in (0..points - 2).rev() {
                let (value, inverse) = (rows[i + 2].value[c], rows[i + 2].pivot[1]);
                let (near, far) = (rows[i + 3].near, rows[i + 4].far);
                let mut lambda = Lane::ZERO;
                for l in 0..LANES {
                    lambda.0[l] =
                        value.0[l] * inverse.0[l] - near.0[l] * next.0[l] - far.0[l] * last.0[l];
                }
                (next, last) = (lambda, next);
                let mut known = multiplier[i];
                let (mut x0, mut x1, mut x2) = (x[i][c], x[i + 1][c], x[i + 2][c]);
                let (w0, w1, w2) = (strip.weight[i], strip.weight[i + 1], strip.weight[i + 2]);
                for l in 0..LANES {
                    known.0[l] = if FIRST { lambda.0[l] } else { known.0[l] + lambda.0[l] };
                    x0.0[l] -= w0.0[l] * lambda.0[l];
                    x1.0[l] += 2.0 * w1.0[l] * lambda.0[l];
                    x2.0[l] -= w2.0[l] * lambda.0[l];
                }
                (x[i][c], x[i + 1][c], x[i + 2][c], multiplier[i]) = (x0, x1, x2, known);
            }
        }
    }
}

/// a − 2b + c.
#[inline(always)]
fn bow([a, b, c]: [Lane; 3]) -> Lane {
    Lane(std::array::from_fn(|l| a.0[l] - 2.0 * b.0[l] + c.0[l]))
}

/// L and the pivots of D W Dᵀ + α, from the third row on.
#[inline(always)]
fn factor(weight: &[Lane], alpha: &Lane, rows: &mut [Bent]) {
    // The matrix one before the diagonal, and two before it in this row and the next.
    let (mut off, mut corner, mut next_corner) = (Lane::ZERO, Lane::ZERO, Lane::ZERO);
    for i in 0..weight.len() - 2 {
        let (w0, w1, w2) = (weight[i], weight[i + 1], weight[i + 2]);
        let (before, last) = (rows[i], rows[i + 1]);
        let mut here = Bent::ZERO;
        for l in 0..LANES {
            let far = corner.0[l] * before.pivot[1].0[l];
            let near = (off.0[l] - corner.0[l] * last.near.0[l]) * last.pivot[1].0[l];
            let own = w0.0[l] + 4.0 * w1.0[l] + w2.0[l] + alpha.0[l];
            let pivot = own - near * near * last.pivot[0].0[l] - far * far * before.pivot[0].0[l];
            // Rounding may eat up what a line of light points under a stiff law is left with.
            let pivot = pivot.max(LEAST_PIVOT * own);
            here.far.0[l] = far;
            here.near.0[l] = near;
            here.pivot[0].0[l] = pivot;
            here.pivot[1].0[l] = 1.0 / pivot;
            off.0[l] = -2.0 * (w1.0[l] + w2.0[l]);
            corner.0[l] = next_corner.0[l];
            next_corner.0[l] = w2.0[l];
        }
        rows[i + 2] = here;
    }
}

/// Least pivot over the diagonal entry.
const LEAST_PIVOT: f32 = 1e-7;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::dispatch;

    const POINTS: usize = 24;

    /// Lines of another shape each, with one end held.
    fn crooked() -> Strip {
        let mut strip = Strip::new(POINTS);
        for j in 0..POINTS {
            for l in 0..LANES {
                let phase = 1.3 * j as f32 + l as f32;
                strip.x[j][0].0[l] = 0.01 * j as f32;
                strip.x[j][1].0[l] = 0.03 * libm::sinf(phase);
                strip.x[j][2].0[l] = 0.02 * libm::cosf(0.7 * phase);
                strip.weight[j].0[l] = if j < 2 { 0.0 } else { 3.0 + 0.5 * libm::sinf(phase) };
            }
        }
        strip
    }

    /// Second difference of a line at j, if there is one.
    fn second(x: &[[Lane; 3]], j: usize, (c, l): (usize, usize)) -> f64 {
        match j {
            1.. if j + 1 < POINTS => [(j - 1, 1.0), (j, -2.0), (j + 1, 1.0)]
                .iter()
                .map(|&(at, times)| times * f64::from(x[at][c].0[l]))
                .sum(),
            _ => 0.0,
        }
    }

    #[test]
    fn what_moves_points_is_the_force_of_the_bows_where_they_end() {
        for alpha in [10.0f32, 0.1, 1e-3] {
            let (before, mut strip) = (crooked(), crooked());
            let mut scratch = bows(POINTS);
            dispatch(Straighten::<true> {
                strip: &mut strip,
                points: POINTS,
                alpha: Lane([alpha; LANES]),
                of_start: 0.0,
                scratch: &mut scratch,
            });
            for (c, (x, y)) in (0..3).map(|c| (c, (&strip.x, &before.x))) {
                for (j, l) in (0..POINTS).flat_map(|j| (0..LANES).map(move |l| (j, l))) {
                    // −w ∂E/∂x h²: bows at j and at both neighbours.
                    let bow = |at: Option<usize>| at.map_or(0.0, |at| second(x, at, (c, l)));
                    let pull = bow(j.checked_sub(1)) - 2.0 * bow(Some(j)) + bow(Some(j + 1));
                    let moved = f64::from(x[j][c].0[l]) - f64::from(y[j][c].0[l]);
                    let force = -f64::from(before.weight[j].0[l]) * pull / f64::from(alpha);
                    // What three micrometres off make of the force, at the stiffest.
                    let rounding = 3e-6 * (1.0 + 16.0 * 3.5 / f64::from(alpha));
                    assert!((moved - force).abs() < rounding, "{alpha}: {moved} for {force}");
                }
            }
        }
    }

    #[test]
    fn a_second_round_with_nothing_between_changes_nothing() {
        let mut strip = crooked();
        let mut scratch = bows(POINTS);
        let (points, alpha) = (POINTS, Lane([0.1; LANES]));
        let (of_start, scratch) = (0.0, scratch.as_mut_slice());
        dispatch(Straighten::<true> { strip: &mut strip, points, alpha, of_start, scratch });
        let once = strip.clone();
        dispatch(Straighten::<false> { strip: &mut strip, points, alpha, of_start, scratch });
        for (a, b) in strip.x.iter().flatten().zip(once.x.iter().flatten()) {
            assert!(a.0.iter().zip(&b.0).all(|(a, b)| (a - b).abs() < 2e-6));
        }
    }
}
