//! Springs once some triangles have come apart.

use super::shares::Shares;
use super::torn::{Torn, join, root};
use super::whole::Whole;
use crate::edges::Edge;
use crate::elements::{Spring, SpringParams};

/// A spring crosses at most so many sides: the knight's move of a grid crosses three.
const FARTHEST: usize = 4;

/// Springs and edges of the whole model as they are now.
///
/// A spring from a to b runs through the triangles on the shortest ways from the fan of a to that
/// of b: the two at an edge, the two of a quad's diagonal, the six round the vertex that a bend
/// spring passes. Where these still hang together, and reach from a copy of a to one of b, there is
/// a spring between the two, with the part of the stiffness that its area is.
pub(super) struct Paths<'a> {
    whole: &'a Whole,
    torn: &'a Torn,
    /// For each particle of the whole model, whether it or a neighbour has come apart.
    near: Vec<bool>,
}

/// What a spring has become: two names and a part of it.
type Strand = ([u32; 2], f64);

impl<'a> Paths<'a> {
    pub fn new(whole: &'a Whole, torn: &'a Torn, shares: &Shares) -> Self {
        let mut near = vec![false; whole.count()];
        for triangle in &whole.model.triangles {
            if triangle.iter().any(|&p| shares.is_split(p)) {
                triangle.iter().for_each(|&p| near[p as usize] = true);
            }
        }
        Self { whole, torn, near }
    }

    /// The springs that one of the whole model has become, by name.
    pub fn springs(&self, spring: &Spring) -> impl Iterator<Item = Spring> {
        let spring = *spring;
        let SpringParams { stiffness, damping } = spring.params;
        self.strands(spring.ends).into_iter().map(move |(ends, part)| Spring {
            ends,
            params: SpringParams {
                stiffness: (f64::from(stiffness) * part) as f32,
                damping: (f64::from(damping) * part) as f32,
            },
            ..spring
        })
    }

    /// The edges that one of the whole model has become, by name.
    pub fn edges(&self, edge: &Edge) -> impl Iterator<Item = Edge> {
        let edge = *edge;
        self.strands(edge.ends).into_iter().map(move |(ends, _)| Edge { ends, ..edge })
    }

    fn strands(&self, ends: [u32; 2]) -> Vec<Strand> {
        if !ends.iter().any(|&end| self.near[end as usize]) {
            return vec![(ends, 1.0)];
        }
        match self.way(ends) {
            Some(way) => self.along(ends, &way),
            // A spring beside the surface, such as one between two bodies.
            None => vec![(ends, 1.0)],
        }
    }

    /// Triangles on the shortest ways from one particle of the whole model to another.
    fn way(&self, [a, b]: [u32; 2]) -> Option<Vec<u32>> {
        let has = |t: u32, p: u32| self.whole.model.triangles[t as usize].contains(&p);
        let fan = self.whole.corners_at(a).iter().map(|corner| corner / 3);
        let mut levels: Vec<Vec<u32>> = vec![fan.collect()];
        let neighbours =
            |t: u32| (3 * t..3 * t + 3).filter_map(|side| Some(self.whole.across(side)? / 3));
        while !levels.last()?.iter().any(|&t| has(t, b)) {
            if levels.len() > FARTHEST {
                return None;
            }
            let mut next: Vec<u32> = Vec::new();
            for t in levels.last()?.iter().flat_map(|&t| neighbours(t)) {
                if !next.contains(&t) && !levels.iter().any(|level| level.contains(&t)) {
                    next.push(t);
                }
            }
            if next.is_empty() {
                return None;
            }
            levels.push(next);
        }
        let mut way: Vec<u32> = levels.pop()?.into_iter().filter(|&t| has(t, b)).collect();
        let mut ahead = way.clone();
        while let Some(level) = levels.pop() {
            ahead = level
                .into_iter()
                .filter(|&t| neighbours(t).any(|next| ahead.contains(&next)))
                .collect();
            way.extend(&ahead);
        }
        way.sort_unstable();
        Some(way)
    }

    /// Springs between copies of the ends that the triangles of `way` still join.
    fn along(&self, ends: [u32; 2], way: &[u32]) -> Vec<Strand> {
        let mut roots: Vec<u32> = (0..way.len() as u32).collect();
        for (i, &t) in (0..).zip(way) {
            for side in 3 * t..3 * t + 3 {
                let other = self.whole.joined(self.torn, side).map(|other| other / 3);
                if let Some(j) = other.and_then(|other| way.binary_search(&other).ok()) {
                    join(&mut roots, i, j as u32);
                }
            }
        }
        // (part of the way, copy, area) at either end.
        let mut copies_of = |end: u32| {
            let mut found: Vec<(u32, u32, f64)> = Vec::new();
            for (i, &t) in (0..).zip(way) {
                let corners = self.whole.model.triangles[t as usize];
                let Some(c) = corners.iter().position(|&p| p == end) else { continue };
                let (of, name) = (root(&mut roots, i), self.torn.triangles[t as usize][c]);
                let area = self.whole.areas[t as usize];
                match found.iter_mut().find(|known| (known.0, known.1) == (of, name)) {
                    Some(known) => known.2 += area,
                    None => found.push((of, name, area)),
                }
            }
            found
        };
        let [starts, stops] = ends.map(&mut copies_of);
        let total: f64 = starts.iter().map(|start| start.2).sum();
        let mut out: Vec<Strand> = Vec::new();
        for &(of, name, area) in &starts {
            let arrive = || stops.iter().filter(move |stop| stop.0 == of);
            let width: f64 = arrive().map(|stop| stop.2).sum();
            for &(_, stop, own) in arrive() {
                let part =
                    if total > 0.0 && width > 0.0 { area / total * (own / width) } else { 1.0 };
                match out.iter_mut().find(|strand| strand.0 == [name, stop]) {
                    Some(strand) => strand.1 += part,
                    None => out.push(([name, stop], part)),
                }
            }
        }
        out
    }
}
