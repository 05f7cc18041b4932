//! How far structural edges are from their rest length.

use crate::edges::Edge;
use crate::model::Model;
use crate::soa::Soa3;
use crate::state::State;

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
    over(edges.iter(), x)
}

/// Stretch over all edges of a model that are not cut.
pub fn stretch_of(model: &Model, state: &State) -> Stretch {
    let edges = model.edges.edges();
    if state.fibres.cut.is_empty() {
        return stretch(edges, &state.x);
    }
    over(edges.iter().filter(|edge| !state.fibres.is_cut(edge.ends)), &state.x)
}

fn over<'a>(edges: impl Iterator<Item = &'a Edge>, x: &Soa3) -> Stretch {
    let mut out = Stretch::default();
    let (mut sum, mut count) = (0.0, 0.0);
    for edge in edges {
        count += 1.0;
        let [a, b] = edge.ends.map(|e| x.get(e as usize).as_dvec3());
        let value = (b - a).length() / f64::from(edge.rest) - 1.0;
        sum += value.abs();
        if out.worst.is_none() || value > out.max {
            out.max = value;
            out.worst = Some(edge.ends);
        }
    }
    out.mean = if count == 0.0 { 0.0 } else { sum / count };
    out
}
