//! Seams and soft pins as elements of a stage.

use glam::{DMat3, DVec3};

use super::batch::Element;

/// A spring of no length between two particles: ½k|d|² + ½(c/τ)|d − d̂|².
#[derive(Clone, Copy, Debug)]
pub(super) struct Seam {
    pub ends: [u32; 2],
    pub stiffness: f64,
    pub damping: f64,
    /// Not broken, not ended.
    pub acts: bool,
}

impl Element<2> for Seam {
    /// d̂.
    type Lag = DVec3;
    /// Gradient of the second end, and what its Hessian has on the diagonal.
    type Slopes = (DVec3, f64);

    fn corners(&self) -> [u32; 2] {
        self.ends
    }

    fn lag(&self, [a, b]: [DVec3; 2]) -> DVec3 {
        b - a
    }

    fn energy(&self, lag: &DVec3, [a, b]: [DVec3; 2], rate: f64) -> f64 {
        if !self.acts {
            return 0.0;
        }
        let d = b - a;
        let parted = d - *lag;
        0.5 * (self.stiffness * d.length_squared() + self.damping * rate * parted.length_squared())
    }

    fn slopes(&self, lag: &DVec3, [a, b]: [DVec3; 2], rate: f64) -> Self::Slopes {
        if !self.acts {
            return Self::Slopes::default();
        }
        let d = b - a;
        let damper = self.damping * rate;
        (d * self.stiffness + (d - *lag) * damper, self.stiffness + damper)
    }

    fn gradient(&self, slopes: &Self::Slopes, corner: usize) -> DVec3 {
        if corner == 0 { -slopes.0 } else { slopes.0 }
    }

    fn block(&self, slopes: &Self::Slopes, row: usize, column: usize) -> DMat3 {
        let value = if row == column { slopes.1 } else { -slopes.1 };
        DMat3::from_diagonal(DVec3::splat(value))
    }
}

/// A spring of no length to a point that moves: ½k|x − p|² + ½(c/τ)|x − x̂ − τw|².
#[derive(Clone, Copy, Debug)]
pub(super) struct SoftPin {
    pub particle: u32,
    pub stiffness: f64,
    pub damping: f64,
    /// Not broken, not ended.
    pub acts: bool,
    /// p. [m]
    pub point: DVec3,
    /// w. [m/s]
    pub velocity: DVec3,
}

impl Element<1> for SoftPin {
    /// x̂.
    type Lag = DVec3;
    type Slopes = (DVec3, f64);

    fn corners(&self) -> [u32; 1] {
        [self.particle]
    }

    fn lag(&self, [x]: [DVec3; 1]) -> DVec3 {
        x
    }

    fn energy(&self, lag: &DVec3, [x]: [DVec3; 1], rate: f64) -> f64 {
        if !self.acts {
            return 0.0;
        }
        let moved = x - *lag - self.velocity / rate;
        let away = (x - self.point).length_squared();
        0.5 * (self.stiffness * away + self.damping * rate * moved.length_squared())
    }

    fn slopes(&self, lag: &DVec3, [x]: [DVec3; 1], rate: f64) -> Self::Slopes {
        if !self.acts {
            return Self::Slopes::default();
        }
        let damper = self.damping * rate;
        let moved = x - *lag - self.velocity / rate;
        ((x - self.point) * self.stiffness + moved * damper, self.stiffness + damper)
    }

    fn gradient(&self, slopes: &Self::Slopes, _: usize) -> DVec3 {
        slopes.0
    }

    fn block(&self, slopes: &Self::Slopes, _: usize, _: usize) -> DMat3 {
        DMat3::from_diagonal(DVec3::splat(slopes.1))
    }
}
