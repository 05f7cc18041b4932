//! Axis-aligned boxes.

use glam::Vec3;

/// Axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Least corner [m].
    pub min: Vec3,
    /// Greatest corner [m].
    pub max: Vec3,
}

impl Aabb {
    /// The box of nothing: its union with another is that other.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The least box around `points`.
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| Self { min: b.min.min(p), max: b.max.max(p) })
    }

    /// The least box around both.
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Larger by `margin` on every side.
    #[inline]
    pub fn grown(&self, margin: f32) -> Self {
        Self { min: self.min - Vec3::splat(margin), max: self.max + Vec3::splat(margin) }
    }

    /// The box of everything it touches while it is moved by `way`.
    #[inline]
    pub fn swept(&self, way: Vec3) -> Self {
        Self { min: self.min.min(self.min + way), max: self.max.max(self.max + way) }
    }

    /// Whether the two have a point in common. False where a coordinate is not a number.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether all of `other` is inside.
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Half of the surface: how likely a chance line through its surroundings meets it. [m²]
    #[inline]
    pub fn half_area(&self) -> f32 {
        let d = (self.max - self.min).max(Vec3::ZERO);
        d.x * d.y + d.y * d.z + d.z * d.x
    }

    /// The centre. [m]
    pub fn center(&self) -> Vec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// The t in 0 … `most` at which `origin + t · direction` first is inside.
    pub fn ray(&self, origin: Vec3, direction: Vec3, most: f32) -> Option<f32> {
        let (mut enter, mut leave) = (0.0f32, most);
        for axis in 0..3 {
            let (from, way) = (origin[axis], direction[axis]);
            let (low, high) = (self.min[axis], self.max[axis]);
            if way == 0.0 {
                // Neither enters nor leaves across this axis: in all the way, or never.
                if !(low <= from && from <= high) {
                    return None;
                }
                continue;
            }
            let (a, b) = ((low - from) / way, (high - from) / way);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        (enter <= leave).then_some(enter)
    }
}
