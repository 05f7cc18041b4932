//! Links that break, and what then hangs together.

use super::connectivity::{Lattice, NOBODY};
use crate::soa::Soa3;

/// Links longer than `limit` times their length at rest, each as its vertex and axis, in order.
/// [`Lattice::cut`] takes them away; regions are then to be found anew.
pub fn stretched_links(lattice: &Lattice, x: &Soa3, limit: f32, broken: &mut Vec<(u32, u8)>) {
    broken.clear();
    let most = f64::from(limit) * lattice.spacing();
    if x.len() != lattice.len() || !(most > 0.0) {
        return;
    }
    for v in 0..lattice.len() {
        for axis in 0..3 {
            let Some(next) = lattice.next(v, axis) else { continue };
            let length = (x.get(next).as_dvec3() - x.get(v).as_dvec3()).length();
            if length > most {
                broken.push((v as u32, axis as u8));
            }
        }
    }
}

/// What hangs together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// The piece of each vertex. Pieces are counted by their first vertices.
    pub of: Vec<u32>,
    /// Number of pieces.
    pub count: usize,
}

impl Pieces {
    /// Vertices of a piece, ascending: [`Lattice::part`] makes it a lattice of its own.
    pub fn vertices(&self, piece: usize) -> Vec<u32> {
        (0u32..).zip(&self.of).filter(|&(_, &of)| of as usize == piece).map(|(v, _)| v).collect()
    }
}

/// Vertices that are joined by links.
pub fn pieces(lattice: &Lattice) -> Pieces {
    let mut of = vec![NOBODY; lattice.len()];
    let mut count = 0;
    let mut open = Vec::new();
    let back = backward(lattice);
    for first in 0..lattice.len() {
        if of[first] != NOBODY {
            continue;
        }
        of[first] = count;
        open.push(first);
        while let Some(v) = open.pop() {
            for (axis, &last) in back[v].iter().enumerate() {
                let before = (last != NOBODY).then_some(last as usize);
                for other in [lattice.next(v, axis), before].into_iter().flatten() {
                    if of[other] == NOBODY {
                        of[other] = count;
                        open.push(other);
                    }
                }
            }
        }
        count += 1;
    }
    Pieces { of, count: count as usize }
}

/// The vertex that is linked to each one from before it, along each axis.
fn backward(lattice: &Lattice) -> Vec<[u32; 3]> {
    let mut back = vec![[NOBODY; 3]; lattice.len()];
    for (v, axis) in (0..lattice.len()).flat_map(|v| (0..3).map(move |axis| (v, axis))) {
        if let Some(next) = lattice.next(v, axis) {
            back[next][axis] = v as u32;
        }
    }
    back
}
