//! What scissors have left of a strand.

use super::super::layout::Layout;

/// A piece that is cut is as stiff as what is left of it, but no less than this part. [1]
const LEAST: f64 = 0.05;

/// What is left of a strand between its root and its first cut. Pieces beyond have no mass and touch
/// nothing: they are wherever the last of the others leads.
#[derive(Clone, Debug)]
pub(in super::super) struct Left {
    /// Nodes.
    pub nodes: usize,
    /// Gauss points with any mass.
    pub samples: usize,
    /// Pieces with any.
    pub pieces: usize,
    /// What is left of the length that each Gauss point stands for, as a part of it.
    of_samples: Vec<f64>,
}

impl Left {
    /// Nothing is cut.
    pub fn all(layout: &Layout) -> Self {
        Self {
            nodes: layout.nodes.len(),
            samples: layout.samples(),
            pieces: layout.pieces,
            of_samples: vec![1.0; layout.samples()],
        }
    }

    /// All up to a node that is the last, and half of the edge behind it; all there is if none is said.
    /// `stiffness` is that of each piece as a part of a whole one's.
    pub fn cut(&mut self, layout: &Layout, last: Option<usize>, edge: f64, stiffness: &mut [f64]) {
        let nodes = last.map_or(layout.nodes.len(), |last| last + 1);
        if nodes == self.nodes {
            return;
        }
        self.nodes = nodes;
        let end = last.map_or(f64::INFINITY, |last| (last as f64 + 0.5) * edge);
        let mut samples = self.of_samples.iter_mut();
        (self.samples, self.pieces) = (0, 0);
        for (k, stiffness) in stiffness.iter_mut().enumerate() {
            let mut begin = k as f64 * layout.length;
            let part = (end - begin) / layout.length;
            *stiffness = if part > 0.0 { part.clamp(LEAST, 1.0) } else { 1.0 };
            self.pieces += usize::from(part > 0.0);
            // Gauss points stand for lengths one behind the other.
            for (&(_, length), part) in layout.gauss.iter().zip(&mut samples) {
                *part = ((end - begin) / length).clamp(0.0, 1.0);
                self.samples += usize::from(*part > 0.0);
                begin += length;
            }
        }
    }

    /// What is left of the length of a Gauss point, as a part of it.
    pub fn of_sample(&self, i: usize) -> f64 {
        self.of_samples[i]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_has_its_length() {
        let edge = 0.01;
        let layout = Layout::new(24, edge, 5, 4);
        let mut left = Left::all(&layout);
        let mut stiffness = vec![1.0; 5];
        for last in [0, 3, 10, 23] {
            left.cut(&layout, Some(last), edge, &mut stiffness);
            let length = |i: usize| left.of_sample(i) * layout.gauss[i % 4].1;
            let sum: f64 = (0..layout.samples()).map(length).sum();
            assert!((sum - (last as f64 + 0.5) * edge).abs() < 1e-12, "{last}: {sum}");
            assert_eq!(left.nodes, last + 1);
            assert!((0..left.samples).all(|i| left.of_sample(i) > 0.0));
            assert!((left.samples..layout.samples()).all(|i| left.of_sample(i) == 0.0));
        }
        left.cut(&layout, None, edge, &mut stiffness);
        assert!(stiffness.iter().all(|&part| part == 1.0));
        assert_eq!((left.samples, left.pieces, left.nodes), (20, 5, 25));
    }
}
