//! Structural edges: what stretch is measured over and strain limits act on.

mod limits;

pub use limits::StrainLimits;

/// A structural edge with its length at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The two particles.
    pub ends: [u32; 2],
    /// Length at rest. [m]
    pub rest: f32,
    /// Largest allowed length/rest − 1; infinite where there is no limit.
    pub max_stretch: f32,
    /// length/rest − 1 beyond which the cloth tears here; infinite where it does not.
    pub tears_at: f32,
}

/// All structural edges, grouped so that edges of one colour share no particle.
#[derive(Clone, Debug, Default)]
pub struct EdgeBatch {
    edges: Vec<Edge>,
    /// The limited edges, colour after colour.
    limited: Vec<Edge>,
    /// Whether any of them may tear.
    tears: bool,
}

impl EdgeBatch {
    /// A batch over `particles` particles.
    pub fn new(particles: usize, edges: Vec<Edge>) -> Self {
        let limited: Vec<Edge> =
            edges.iter().filter(|e| e.max_stretch.is_finite()).copied().collect();
        let tears = edges.iter().any(|edge| edge.tears_at.is_finite());
        Self { limited: by_colour(particles, limited), edges, tears }
    }

    /// The edges in order.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Whether any edge has a strain limit.
    pub fn has_limits(&self) -> bool {
        !self.limited.is_empty()
    }

    /// Whether any edge may tear.
    pub fn may_tear(&self) -> bool {
        self.tears
    }

    /// The limited edges, colour after colour.
    pub fn limited(&self) -> &[Edge] {
        &self.limited
    }
}

/// Greedy colouring in edge order, then edges sorted by colour: the sweep runs
/// evenly over the cloth instead of dragging it along one direction.
fn by_colour(particles: usize, edges: Vec<Edge>) -> Vec<Edge> {
    let mut taken = vec![0u64; particles];
    let mut coloured: Vec<(u32, Edge)> = edges
        .into_iter()
        .map(|edge| {
            let [a, b] = edge.ends.map(|e| e as usize);
            // Vertices of more than 63 edges share the last colour: order stays fixed, that is all we need.
            let colour = (taken[a] | taken[b]).trailing_ones().min(63);
            taken[a] |= 1 << colour;
            taken[b] |= 1 << colour;
            (colour, edge)
        })
        .collect();
    coloured.sort_by_key(|&(colour, _)| colour);
    coloured.into_iter().map(|(_, edge)| edge).collect()
}
