//! The points that a plate may meet.

use glam::{DMat3, DVec3};

use crate::simd::{Kernel, dispatch};

/// Points seen from a plate, in columns: sums over them go through vectors, which are whole.
#[derive(Debug, Default)]
pub(super) struct Pool {
    pub points: Vec<u32>,
    /// [kg]
    pub mass: Vec<f64>,
    /// +1 for what belongs above, −1 for what belongs below. \[1\]
    pub side: Vec<f64>,
    /// How far above the plane that the plate was in. [m]
    pub height: Vec<f64>,
    /// Where along the plate. [m]
    pub along: [Vec<f64>; 2],
}

/// What a plate feels: of all points that are nearer to it than they may be, with
/// lack = half − side (height − q·(1, ξ, η)).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Load {
    /// Σ m lack².
    pub energy: f64,
    /// −Σ m side lack (1, ξ, η).
    pub pull: DVec3,
    /// Σ m (1, ξ, η)(1, ξ, η)ᵀ.
    pub rows: DMat3,
}

impl Pool {
    pub fn clear(&mut self) {
        self.points.clear();
        let [xi, eta] = &mut self.along;
        for column in [&mut self.mass, &mut self.side, &mut self.height, xi, eta] {
            column.clear();
        }
    }

    /// Adds a point of some mass and side; where it is seen is for others to say.
    pub fn push(&mut self, point: u32, mass: f64, side: f64) {
        self.points.push(point);
        self.mass.push(mass);
        self.side.push(side);
        self.height.push(0.0);
        self.along.iter_mut().for_each(|along| along.push(0.0));
    }

    /// Fills the last vector with what weighs nothing. Nothing is added after that.
    pub fn pad(&mut self) {
        let whole = self.mass.len().next_multiple_of(WIDE);
        let [xi, eta] = &mut self.along;
        for column in [&mut self.mass, &mut self.side, &mut self.height, xi, eta] {
            column.resize(whole, 0.0);
        }
    }

    /// By how much a point is nearer than `half` to a plate at height q·(1, ξ, η). [m]
    pub fn lack(&self, k: usize, plate: DVec3, half: f64) -> f64 {
        let basis = DVec3::new(1.0, self.along[0][k], self.along[1][k]);
        half - self.side[k] * (self.height[k] - plate.dot(basis))
    }

    /// What a plate at height q·(1, ξ, η) feels of all.
    pub fn load(&self, plate: DVec3, half: f64) -> Load {
        let mut sums = [0.0; SUMS];
        dispatch(Sums { pool: self, plate: plate.to_array(), half, sums: &mut sums });
        let [energy, a, b, c, m, mx, my, mxx, mxy, myy] = sums;
        Load {
            energy,
            pull: DVec3::new(a, b, c),
            rows: DMat3::from_cols_array(&[m, mx, my, mx, mxx, mxy, my, mxy, myy]),
        }
    }
}

/// Numbers in a vector.
const WIDE: usize = 8;

const SUMS: usize = 10;

struct Sums<'a> {
    pool: &'a Pool,
    plate: [f64; 3],
    half: f64,
    sums: &'a mut [f64; SUMS],
}

impl Kernel for Sums<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { pool, plate: q, half, sums } = self;
        let mut wide = [[0.0f64; WIDE]; SUMS];
        let (mass, side) = (pool.mass.as_chunks::<WIDE>().0, pool.side.as_chunks::<WIDE>().0);
        let height = pool.height.as_chunks::<WIDE>().0;
        let [xi, eta] = pool.along.each_ref().map(|along| along.as_chunks::<WIDE>().0);
        for ((((mass, side), height), xi), eta) in
            mass.iter().zip(side).zip(height).zip(xi).zip(eta)
        {
            for l in 0..WIDE {
                let lack = half - side[l] * (height[l] - (q[0] + q[1] * xi[l] + q[2] * eta[l]));
                let m = if lack > 0.0 { mass[l] } else { 0.0 };
                let push = -m * side[l] * lack;
                wide[0][l] += m * lack * lack;
                wide[1][l] += push;
                wide[2][l] += push * xi[l];
                wide[3][l] += push * eta[l];
                wide[4][l] += m;
                let (mx, my) = (m * xi[l], m * eta[l]);
                wide[5][l] += mx;
                wide[6][l] += my;
                wide[7][l] += mx * xi[l];
                wide[8][l] += mx * eta[l];
                wide[9][l] += my * eta[l];
            }
        }
        for (sum, wide) in sums.iter_mut().zip(wide) {
            *sum = wide.into_iter().fold(0.0, |sum, part| sum + part);
        }
    }
}
