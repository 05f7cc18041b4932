//! Edges of a mesh as lines: near-straight paths that share no edge.

use glam::DVec3;

/// Vertices in order, and the number of the edge after each but the last.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Path {
    pub vertices: Vec<u32>,
    pub edges: Vec<u32>,
}

/// A path goes on where it turns by less than this: cos of some 50°. Beyond it a line's
/// forces no longer run along it, and a longer line gains nothing.
const STRAIGHT: f64 = 0.6;

/// Covers every edge exactly once, seeds in the order given: each path takes at either end
/// the straightest edge that is left, and never comes back to a vertex of its own.
/// `rest` holds the place of each vertex at rest, where there is one.
pub(super) fn cover(edges: &[[u32; 2]], seeds: &[u32], rest: &[Option<DVec3>]) -> Vec<Path> {
    let mut near = vec![Vec::<(u32, u32)>::new(); rest.len()];
    for (number, &[a, b]) in edges.iter().enumerate() {
        near[a as usize].push((b, number as u32));
        near[b as usize].push((a, number as u32));
    }
    let mut cover =
        Cover { near, rest, used: vec![false; edges.len()], seen: vec![u32::MAX; rest.len()] };
    let mut out = Vec::new();
    for &seed in seeds {
        if !cover.used[seed as usize] {
            out.push(cover.path(seed, edges[seed as usize], out.len() as u32));
        }
    }
    out
}

struct Cover<'a> {
    near: Vec<Vec<(u32, u32)>>,
    rest: &'a [Option<DVec3>],
    used: Vec<bool>,
    /// The path that each vertex was last found on.
    seen: Vec<u32>,
}

impl Cover<'_> {
    fn path(&mut self, seed: u32, [a, b]: [u32; 2], number: u32) -> Path {
        self.used[seed as usize] = true;
        self.seen[a as usize] = number;
        self.seen[b as usize] = number;
        let (mut vertices, mut edges) = (vec![a, b], vec![seed]);
        for _ in 0..2 {
            let mut ends = [vertices[vertices.len() - 2], vertices[vertices.len() - 1]];
            while let Some((next, edge)) = self.straightest(ends, number) {
                self.used[edge as usize] = true;
                self.seen[next as usize] = number;
                vertices.push(next);
                edges.push(edge);
                ends = [ends[1], next];
            }
            vertices.reverse();
            edges.reverse();
        }
        Path { vertices, edges }
    }

    fn straightest(&self, [before, at]: [u32; 2], number: u32) -> Option<(u32, u32)> {
        let near = &self.near[at as usize];
        let free = |&&(next, edge): &&(u32, u32)| {
            !self.used[edge as usize] && self.seen[next as usize] != number
        };
        let mut best: Option<(f64, (u32, u32))> = None;
        for &step in near.iter().filter(free) {
            let along = self.along([before, at, step.0], near.len());
            if along > best.map_or(STRAIGHT, |(most, _)| most) {
                best = Some((along, step));
            }
        }
        best.map(|(_, step)| step)
    }

    /// cos of the turn; a chain without a rest shape goes on wherever it has but one way.
    fn along(&self, points: [u32; 3], degree: usize) -> f64 {
        let [Some(a), Some(b), Some(c)] = points.map(|p| self.rest[p as usize]) else {
            return if degree == 2 { 1.0 } else { 0.0 };
        };
        (b - a).normalize_or_zero().dot((c - b).normalize_or_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::IrregularSheet;

    /// Sides of all triangles, each once.
    fn sides(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
        let mut out: Vec<[u32; 2]> = triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    #[test]
    fn every_edge_is_covered_once_by_lines_that_are_long_and_straight() {
        let sheet = IrregularSheet::new([24, 20], [2.0, 2.0], 3);
        let edges = sides(&sheet.triangles);
        let rest: Vec<_> = sheet.points.iter().map(|p| Some(p.as_dvec3())).collect();
        let seeds: Vec<u32> = (0..edges.len() as u32).collect();
        let paths = cover(&edges, &seeds, &rest);
        let mut count = vec![0; edges.len()];
        for Path { vertices, edges: along } in &paths {
            assert_eq!(vertices.len(), along.len() + 1);
            for (ends, &edge) in vertices.windows(2).zip(along) {
                let (a, b) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                assert_eq!(edges[edge as usize], [a, b]);
                count[edge as usize] += 1;
            }
            let mut distinct = vertices.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), vertices.len(), "a path came back to itself");
        }
        assert!(count.iter().all(|&n| n == 1));
        assert!(edges.len() > 4 * paths.len(), "{} edges, {} paths", edges.len(), paths.len());
    }

    #[test]
    fn chains_without_a_shape_are_one_line() {
        let edges: Vec<[u32; 2]> = vec![[0, 1], [2, 1], [2, 3], [3, 4], [3, 5]];
        let paths = cover(&edges, &[1, 0, 2, 3, 4], &[None; 6]);
        assert_eq!(paths.len(), 3);
        let mut whole = paths[0].vertices.clone();
        whole.sort_unstable();
        assert_eq!(whole, [0, 1, 2, 3]);
    }
}
