//! What bent and twisted strands store.

use crate::model::Model;
use crate::state::State;

use super::{StrandSet, carry_director};

/// Σ ½ EI/l³ |x₋ − 2x + x₊ − b|² + ½ GJ/l m² over the strands of a body that are rods: b the natural
/// bend in the mean of both edges' directors, m the twist from one edge to the next. The first point
/// that bends counts twice where the strand is clamped. [J]
pub fn rod_energy(model: &Model, set: &StrandSet, state: &State) -> f64 {
    let begin = model.bodies[set.body].particles.start;
    let mut sum = 0.0;
    for strand in &set.strands {
        let (first, length) = (strand.first as usize, f64::from(strand.edge));
        let clamped = strand.held().len() > 1;
        let bending = f64::from(set.fibre.bending) / (length * length * length);
        let twisting = f64::from(set.fibre.twisting) / length;
        for i in 1..(strand.count as usize).saturating_sub(1) {
            let at = (first + i) as u32;
            if state.fibres.is_cut([at - 1, at]) || state.fibres.is_cut([at, at + 1]) {
                continue;
            }
            let [a, b, c] = [i - 1, i, i + 1].map(|k| state.x.get(first + k).as_dvec3());
            let [da, db] = [i - 1, i].map(|k| state.fibres.directors.get(first + k).as_dvec3());
            let (ta, tb) = ((b - a).normalize_or_zero(), (c - b).normalize_or_zero());
            let [p, q] = set.bends[first - begin + i].map(f64::from);
            let bend = 0.5 * (p * (da + db) + q * (ta.cross(da) + tb.cross(db)));
            let carried = carry_director(da, ta, tb);
            let (cos, sin) = (carried.dot(db), carried.dot(tb.cross(db)));
            let twist = 2.0 * sin / (1.0 + cos).max(0.05);
            let part = if i == 1 && clamped { 2.0 } else { 1.0 };
            let off = (c - b) - (b - a) - bend;
            sum += 0.5 * part * (bending * off.length_squared() + twisting * twist * twist);
        }
    }
    sum
}
