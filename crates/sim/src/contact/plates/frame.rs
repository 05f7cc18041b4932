//! A plate's own axes.

use std::ops::Range;

use glam::{DVec2, DVec3, Vec3};

use crate::soa::Soa3;

/// Axes of a plate.
pub(super) struct Frame {
    /// Where they begin. [m]
    pub from: [f32; 3],
    pub normal: Vec3,
    pub axes: [DVec3; 3],
    /// Where the plate's plane is. [m]
    pub height: f64,
}

impl Frame {
    pub fn new(normal: Vec3, from: [f32; 3]) -> Self {
        let up = normal.as_dvec3();
        let (a, b) = up.any_orthonormal_pair();
        Self { from, normal, axes: [a, b, up], height: 0.0 }
    }

    /// The same, turned so that what rose by these slopes from so high lies flat.
    pub fn turned(&self, slope: DVec2, risen: f64) -> Self {
        let [a, b, up] = self.axes;
        let normal = (up - a * slope.x - b * slope.y).normalize();
        Self { height: self.height + risen, ..Self::new(normal.as_vec3(), self.from) }
    }

    /// How far along its axes a place is. [m]
    pub fn of(&self, x: Vec3) -> DVec3 {
        let way = x.as_dvec3() - Vec3::from(self.from).as_dvec3();
        DVec3::from(self.axes.map(|axis| way.dot(axis)))
    }

    /// A way along its axes as one in space. [m]
    pub fn back(&self, way: DVec3) -> DVec3 {
        self.axes[0] * way.x + self.axes[1] * way.y + self.axes[2] * way.z
    }
}

/// A point among those of both.
pub(super) fn origin(points: &[Range<usize>; 2], at: &Soa3) -> [f32; 3] {
    at.get(points[0].start).to_array()
}
