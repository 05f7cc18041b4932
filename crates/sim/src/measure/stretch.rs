//! How far structural edges are from their rest length.

use crate::edges::Edge;
use crate::soa::Soa3;

/// Length/rest − 1 over structural edges.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stretch {
    /// Largest; negative if every edge is shorter than at rest.
    pub max: f64,
    /// Mean of |length/rest − 1|.
    pub mean: f64,
    /// The edge of the largest stretch.
    pub worst: Option<[u32; 2]>,
}

/// Stretch over `edges`; zero without edges.
pub fn stretch(edges: &[Edge], x: &Soa3) -> Stretch {
    let mut out = Stretch::default();
    let mut sum = 0.0;
    for edge in edges {
        let [a, b] = edge.ends.map(|e| x.get(e as usize).as_dvec3());
        let value = (b - a).length() / f64::from(edge.rest) - 1.0;
        sum += value.abs();
        if out.worst.is_none() || value > out.max {
            out.max = value;
            out.worst = Some(edge.ends);
        }
    }
    out.mean = if edges.is_empty() { 0.0 } else { sum / edges.len() as f64 };
    out
}
