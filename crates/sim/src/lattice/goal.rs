//! Bodies whose points are drawn to where a rigid copy of them would be.

use std::sync::Arc;

use glam::Vec3;

use super::matching::ShapeMatching;
use super::regions::Regions;
use super::whole::WholeMatching;
use crate::soa::Soa3;

/// a = (2πf)²(g − x), and what is not rigid of v fades with e^(−dt).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GoalLaw {
    /// f: how fast points are drawn to their goals. [Hz]
    pub frequency: f64,
    /// d: the rate at which motion that is not rigid fades. [1/s]
    pub damping: f64,
}

impl GoalLaw {
    /// (2πf)². [1/s²]
    pub fn rate(&self) -> f64 {
        let turns = std::f64::consts::TAU * self.frequency;
        turns * turns
    }

    /// α = (2πf)²h²/(1 + (2πf)²h²): the part of the way to its goal that implicit Euler takes a point
    /// in a step, from where it would be without. \[1\]
    pub fn part(&self, h: f64) -> f64 {
        let square = self.rate() * h * h;
        if square.is_finite() { square / (1.0 + square) } else { 1.0 }
    }

    /// 1 − e^(−dh): what a step takes of the motion that is not rigid. \[1\]
    pub fn lost(&self, h: f64) -> f64 {
        -libm::expm1(-self.damping * h)
    }
}

/// A body, or a piece of one, that is drawn to goals.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The body in [`crate::model::Model::bodies`].
    pub body: usize,
    /// The particle of each vertex.
    pub particles: Vec<u32>,
    /// How fast.
    pub law: GoalLaw,
    /// What wants to be rigid.
    pub shape: GoalShape,
}

/// What of a body wants to be rigid.
#[derive(Clone, Debug)]
pub enum GoalShape {
    /// Overlapping regions of a lattice.
    Lattice(LatticeShape),
    /// All of it, resting so. [m]
    Whole(Vec<Vec3>),
}

/// A lattice with its regions.
#[derive(Clone, Debug)]
pub struct LatticeShape {
    /// The regions, and the lattice with them.
    pub regions: Arc<Regions>,
    /// Corners of its cells by vertex: bit d of a corner's number says where it is along axis d.
    pub cells: Vec<[u32; 8]>,
    /// length/rest − 1 beyond which links break; infinite where they do not.
    pub breaks_at: f32,
}

impl Goal {
    /// The lattice, if it is one.
    pub fn lattice(&self) -> Option<&LatticeShape> {
        match &self.shape {
            GoalShape::Lattice(shape) => Some(shape),
            GoalShape::Whole(_) => None,
        }
    }

    /// Rotations that it goes on from.
    pub fn rotations(&self) -> usize {
        match &self.shape {
            GoalShape::Lattice(_) => self.particles.len(),
            GoalShape::Whole(_) => 1,
        }
    }

    /// Masses of its vertices. [kg]
    pub fn masses(&self, mass: &[f32]) -> Vec<f32> {
        self.particles.iter().map(|&p| mass[p as usize]).collect()
    }

    /// ½(2πf)² Σ m̃|x − g|² over all regions: its slope is m(2πf)²(x − g). [J]
    pub fn energy(&self, mass: &[f32], x: &Soa3) -> f64 {
        let rate = 0.5 * self.law.rate();
        if !rate.is_finite() {
            // What is rigid stores nothing.
            return 0.0;
        }
        match &self.shape {
            GoalShape::Lattice(shape) => {
                let points: Vec<Vec3> = self.particles.iter().map(|&p| x.get(p as usize)).collect();
                let mut matching = ShapeMatching::new(shape.regions.clone(), &self.masses(mass));
                rate * matching.misfit(&Soa3::from_points(&points))
            }
            GoalShape::Whole(rest) => {
                let at = |i: usize| x.get(self.particles[i] as usize).as_dvec3();
                let mass = |i: usize| f64::from(mass[self.particles[i] as usize]);
                rate * WholeMatching::misfit(rest, mass, at)
            }
        }
    }
}

/// Squares that only one cell has, each as two triangles that face outwards, in the order of cells.
pub fn outer_faces(cells: &[[u32; 8]]) -> Vec<[u32; 3]> {
    let key = |face: [u32; 4]| {
        let mut sorted = face;
        sorted.sort_unstable();
        sorted
    };
    let all = || cells.iter().flat_map(|cell| (0..6).map(move |side| face(cell, side)));
    let mut keys: Vec<([u32; 4], u32)> = all().map(key).zip(0..).collect();
    keys.sort_unstable();
    let mut outer: Vec<u32> = keys
        .chunk_by(|a, b| a.0 == b.0)
        .filter_map(|group| if let [(_, at)] = group { Some(*at) } else { None })
        .collect();
    outer.sort_unstable();
    let square = |at: u32| {
        let [a, b, c, d] = face(&cells[at as usize / 6], at as usize % 6);
        [[a, b, c], [a, c, d]]
    };
    outer.into_iter().flat_map(square).collect()
}

/// A face of a cell, anticlockwise as seen from outside: sides 2d and 2d + 1 are across axis d.
fn face(cell: &[u32; 8], side: usize) -> [u32; 4] {
    let (axis, far) = (side / 2, side % 2);
    let [u, v] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
    let first = far << axis;
    let corners = if far == 1 { [0, u, u + v, v] } else { [0, v, u + v, u] };
    corners.map(|corner| cell[first + corner])
}
