//! Where along a strand its pieces, masses and particles are.

use glam::{DMat3, DVec3};

use super::piece::{Arc, Powers, TOGETHER};

/// A place on a strand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot {
    /// Piece.
    pub piece: u32,
    /// How far from where the piece begins. [m]
    pub s: f64,
}

/// Where along a strand its pieces, masses and particles are.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Pieces.
    pub pieces: usize,
    /// Length of each. [m]
    pub length: f64,
    /// Gauss points of every piece alike, with the length that each stands for. [m]
    pub gauss: Vec<(f64, f64)>,
    /// Particles from the second on; the second is where the first piece begins.
    pub nodes: Vec<Spot>,
}

impl Layout {
    /// `edges` free edges of length `edge` [m] in `pieces` pieces, each with `points` Gauss points.
    pub fn new(edges: usize, edge: f64, pieces: usize, points: usize) -> Self {
        let length = edge * edges as f64 / pieces as f64;
        let spot = |node: usize| {
            let place = node as f64 * pieces as f64 / edges.max(1) as f64;
            let piece = (place as usize).min(pieces - 1);
            Spot { piece: piece as u32, s: (place - piece as f64) * length }
        };
        let gauss = gauss(points).into_iter().map(|(at, part)| (at * length, part * length));
        Self { pieces, length, gauss: gauss.collect(), nodes: (0..=edges).map(spot).collect() }
    }

    /// The place at a distance from where the first piece begins. [m]
    pub fn spot_at(&self, arc: f64) -> Spot {
        let piece = ((arc / self.length) as usize).min(self.pieces - 1);
        Spot { piece: piece as u32, s: arc - piece as f64 * self.length }
    }

    /// Gauss points of all pieces.
    pub fn samples(&self) -> usize {
        self.pieces * self.gauss.len()
    }

    /// How far a place is from where the first piece begins. [m]
    #[cfg(test)]
    fn arc(&self, spot: Spot) -> f64 {
        f64::from(spot.piece) * self.length + spot.s
    }
}

/// Places and weights of Gauss's rule on 0…1: zeros of a Legendre polynomial by Newton's method.
fn gauss(points: usize) -> Vec<(f64, f64)> {
    let n = points as f64;
    let rule = |i: usize| {
        let mut x = libm::cos(std::f64::consts::PI * (i as f64 + 0.75) / (n + 0.5));
        let mut slope = 1.0;
        for _ in 0..20 {
            let (mut last, mut now) = (1.0, x);
            for k in 2..=points {
                let k = k as f64;
                (last, now) = (now, ((2.0 * k - 1.0) * x * now - (k - 1.0) * last) / k);
            }
            slope = n * (x * now - last) / (x * x - 1.0);
            x -= now / slope;
        }
        (0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..points).map(rule).collect()
}

/// A strand's curve: where each piece begins, how it is turned there, and all points in between.
#[derive(Clone, Debug, Default)]
pub(super) struct Curve {
    /// Ω = (κ₁, κ₂, τ) of each piece. [1/m]
    pub darboux: Vec<DVec3>,
    /// Frame where each piece begins, and where the last ends.
    pub frames: Vec<DMat3>,
    /// Those places. [m]
    pub ends: Vec<DVec3>,
    /// All Gauss points, piece after piece. [m]
    pub samples: Vec<DVec3>,
    /// All nodes. [m]
    pub nodes: Vec<DVec3>,
    /// Squares of angles of Gauss points, nodes and ends of pieces, and functions of them.
    squares: Vec<f64>,
    powers: Vec<Powers>,
}

impl Curve {
    /// Straight.
    pub fn new(layout: &Layout) -> Self {
        let (pieces, samples, nodes) = (layout.pieces, layout.samples(), layout.nodes.len());
        let all = (samples + nodes + pieces).next_multiple_of(TOGETHER);
        Self {
            darboux: vec![DVec3::ZERO; pieces],
            frames: vec![DMat3::IDENTITY; pieces + 1],
            ends: vec![DVec3::ZERO; pieces + 1],
            samples: vec![DVec3::ZERO; samples],
            nodes: vec![DVec3::ZERO; nodes],
            squares: vec![0.0; all],
            powers: vec![Powers::default(); all],
        }
    }

    /// Follows the pieces from where the first begins.
    pub fn follow(&mut self, layout: &Layout, (place, frame): (DVec3, DMat3)) {
        self.measure(layout);
        (self.ends[0], self.frames[0]) = (place, frame);
        for k in 0..layout.pieces {
            let arc = self.piece(layout, k);
            self.ends[k + 1] = self.ends[k] + self.frames[k] * arc.way();
            self.frames[k + 1] = self.frames[k] * arc.frame();
        }
        let gauss = layout.gauss.len();
        for i in 0..self.samples.len() {
            let k = i / gauss;
            self.samples[i] = self.ends[k] + self.frames[k] * self.sample(layout, i).way();
        }
        for (node, spot) in layout.nodes.iter().enumerate() {
            let k = spot.piece as usize;
            self.nodes[node] = self.ends[k] + self.frames[k] * self.node(layout, node).way();
        }
    }

    /// Finds the functions of all angles.
    fn measure(&mut self, layout: &Layout) {
        let (samples, rest) = self.squares.split_at_mut(self.samples.len());
        let (nodes, pieces) = rest.split_at_mut(layout.nodes.len());
        let gauss = layout.gauss.len();
        for (k, darboux) in self.darboux.iter().enumerate() {
            let square = darboux.length_squared();
            for (to, &(s, _)) in samples[k * gauss..].iter_mut().zip(&layout.gauss) {
                *to = square * (s * s);
            }
            pieces[k] = square * (layout.length * layout.length);
        }
        for (to, spot) in nodes.iter_mut().zip(&layout.nodes) {
            *to = self.darboux[spot.piece as usize].length_squared() * (spot.s * spot.s);
        }
        Powers::of_all(&self.squares, &mut self.powers);
    }

    /// A Gauss point as it was followed.
    #[inline]
    pub fn sample(&self, layout: &Layout, i: usize) -> Arc {
        let gauss = layout.gauss.len();
        Arc::known(self.darboux[i / gauss], layout.gauss[i % gauss].0, self.powers[i])
    }

    /// A node as it was followed.
    #[inline]
    pub fn node(&self, layout: &Layout, node: usize) -> Arc {
        let Spot { piece, s } = layout.nodes[node];
        Arc::known(self.darboux[piece as usize], s, self.powers[self.samples.len() + node])
    }

    /// A whole piece as it was followed.
    #[inline]
    pub fn piece(&self, layout: &Layout, k: usize) -> Arc {
        let powers = self.powers[self.samples.len() + self.nodes.len() + k];
        Arc::known(self.darboux[k], layout.length, powers)
    }

    /// A point of it. [m]
    #[cfg(test)]
    pub fn point(&self, spot: Spot) -> DVec3 {
        let k = spot.piece as usize;
        self.ends[k] + self.frames[k] * Arc::new(self.darboux[k], spot.s).way()
    }

    /// Its frame there.
    pub fn frame(&self, spot: Spot) -> DMat3 {
        let k = spot.piece as usize;
        self.frames[k] * Arc::new(self.darboux[k], spot.s).frame()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gauss_points_integrate_polynomials() {
        for points in 1..=16 {
            for power in 0..2 * points {
                let sum: f64 = gauss(points).iter().map(|&(x, w)| w * x.powi(power as i32)).sum();
                assert!((sum - 1.0 / (power + 1) as f64).abs() < 1e-13, "{points} {power} {sum}");
            }
        }
    }

    #[test]
    fn nodes_are_at_equal_distances_along_the_curve() {
        let layout = Layout::new(31, 0.01, 8, 4);
        for (i, &spot) in layout.nodes.iter().enumerate() {
            assert!((layout.arc(spot) - 0.01 * i as f64).abs() < 1e-15);
            assert!(spot.s >= 0.0 && spot.s <= layout.length * (1.0 + 1e-12));
        }
    }
}
