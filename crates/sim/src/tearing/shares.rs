//! What each copy of a particle gets of what the one had.

use super::fracture::cell_counts;
use super::torn::Torn;
use super::whole::Whole;

/// Least part of a particle's mass that a copy gets: a sliver without mass would fly off.
const LEAST: f64 = 1.0 / 64.0;

/// The part of its origin that each particle is, by name: its area among those of all copies.
#[derive(Debug)]
pub(super) struct Shares {
    parts: Vec<f64>,
    /// Copies of each particle that has any, itself among them: origin and name, sorted.
    copies: Vec<(u32, u32)>,
}

impl Shares {
    pub fn of(whole: &Whole, torn: &Torn) -> Self {
        let count = whole.count();
        let mut parts = vec![1.0; count + torn.origins.len()];
        let mut copies: Vec<(u32, u32)> =
            torn.origins.iter().copied().zip(count as u32..).collect();
        copies.extend(torn.origins.iter().map(|&origin| (origin, origin)));
        copies.sort_unstable();
        copies.dedup();
        let cells = cell_counts(whole, torn);
        for group in copies.chunk_by(|a, b| a.0 == b.0) {
            // What is of a lattice is shared out by cells.
            let area = |name: u32| -> f64 {
                if cells[name as usize] > 0 {
                    return f64::from(cells[name as usize]);
                }
                whole.fan(torn, name).map(|corner| whole.areas[corner as usize / 3]).sum()
            };
            let areas: Vec<f64> = group.iter().map(|&(_, name)| area(name)).collect();
            let sum: f64 = areas.iter().sum();
            let raw = |area: f64| {
                let part = if sum > 0.0 { area / sum } else { 1.0 / group.len() as f64 };
                part.max(LEAST)
            };
            let total: f64 = areas.iter().map(|&area| raw(area)).sum();
            for (&(_, name), &area) in group.iter().zip(&areas) {
                parts[name as usize] = raw(area) / total;
            }
        }
        Self { parts, copies }
    }

    /// Whether a particle of the whole model has come apart.
    pub fn is_split(&self, origin: u32) -> bool {
        !self.of_origin(origin).is_empty()
    }

    /// The copies of a particle of the whole model; none if it is one.
    pub fn of_origin(&self, origin: u32) -> &[(u32, u32)] {
        let from = self.copies.partition_point(|copy| copy.0 < origin);
        let to = self.copies.partition_point(|copy| copy.0 <= origin);
        &self.copies[from..to]
    }

    /// Values of the whole model by name: what comes apart is shared out, and the sum over all
    /// copies is exactly what it was.
    pub fn divide(&self, values: &[f32]) -> Vec<f32> {
        let mut out = values.to_vec();
        out.resize(self.parts.len(), 0.0);
        for group in self.copies.chunk_by(|a, b| a.0 == b.0) {
            let whole = values[group[0].0 as usize];
            let part = |name: u32| self.parts[name as usize];
            let largest = group
                .iter()
                .map(|copy| copy.1)
                .reduce(|best, name| if part(name) > part(best) { name } else { best });
            let mut left = whole;
            for &(_, name) in group.iter().filter(|copy| Some(copy.1) != largest) {
                // Rounded to the grid of the whole's own digits, so that differences are exact.
                let own = (whole + (f64::from(whole) * part(name)) as f32) - whole;
                out[name as usize] = own;
                left -= own;
            }
            if let Some(largest) = largest {
                out[largest as usize] = left;
            }
        }
        out
    }

    /// Values of the whole model by name, each copy with its origin's.
    pub fn repeat<T: Copy>(&self, values: &[T], torn: &Torn) -> Vec<T> {
        let copies = torn.origins.iter().map(|&origin| values[origin as usize]);
        values.iter().copied().chain(copies).collect()
    }
}
