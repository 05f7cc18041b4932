//! Runs of nodes, some for each vertex.

use super::node::Node;

/// For each vertex some runs of consecutive nodes, first and last, none beyond its line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Runs {
    /// Where each vertex's runs begin, and the end; empty if nobody has any.
    starts: Vec<u32>,
    runs: Vec<[u32; 2]>,
}

impl Runs {
    /// From each vertex's list.
    pub fn new<'a>(lists: impl Iterator<Item = &'a [[u32; 2]]>) -> Self {
        let (mut starts, mut runs) = (vec![0], Vec::new());
        for list in lists {
            runs.extend_from_slice(list);
            starts.push(runs.len() as u32);
        }
        if runs.is_empty() {
            return Self::default();
        }
        Self { starts, runs }
    }

    /// Whether nobody has any.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Those of a vertex.
    #[inline(always)]
    pub fn of(&self, vertex: usize) -> &[[u32; 2]] {
        match self.starts.get(vertex..vertex + 2) {
            Some(ends) => &self.runs[ends[0] as usize..ends[1] as usize],
            None => &[],
        }
    }

    /// `sum` without what a vertex's runs hold, where `ahead` has sums from the start of each line
    /// of `line` nodes.
    #[inline(always)]
    pub fn taken_from<const N: usize>(
        &self,
        sum: Node<N>,
        vertex: usize,
        (ahead, line): (&[Node<N>], usize),
    ) -> Node<N> {
        let mut sum = sum;
        for &[first, last] in self.of(vertex) {
            sum = sum.minus(&ahead[last as usize]);
            if !(first as usize).is_multiple_of(line) {
                sum = sum.plus(&ahead[first as usize - 1]);
            }
        }
        sum
    }
}

/// Adds a node to a list of runs, which it follows.
pub(super) fn extend(runs: &mut Vec<[u32; 2]>, node: u32, line: usize) {
    match runs.last_mut() {
        Some(run) if run[1] + 1 == node && !(node as usize).is_multiple_of(line) => run[1] = node,
        _ => runs.push([node, node]),
    }
}
