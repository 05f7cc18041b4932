//! Shapes for many points at once: which paths are free, and which end where it is plain how they are
//! put out.

use super::round::SAME_SIDE;
use super::{ColliderShape, Shape};
use crate::simd::three::{Three, add, dot, larger, scale, smaller, sub};

/// What of a shape is needed for many points.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// All within a radius of a segment on the local Y axis: spheres and capsules.
    Round(Round),
    /// All below y = 0.
    Below(Below),
    /// Somewhere in a box: nothing is known but that what is far from it is free.
    Within(Within),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    half_length: f32,
    radius: f32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Below;

#[derive(Clone, Copy, Debug)]
pub(super) struct Within {
    low: Three,
    high: Three,
}

impl Form {
    pub fn of(shape: &ColliderShape) -> Self {
        match shape {
            ColliderShape::Sphere(ball) => {
                Self::Round(Round { half_length: 0.0, radius: ball.radius })
            }
            ColliderShape::Capsule(rod) => {
                Self::Round(Round { half_length: rod.half_length.max(0.0), radius: rod.radius })
            }
            ColliderShape::Plane(_) => Self::Below(Below),
            _ => {
                let bounds = shape.aabb();
                Self::Within(Within { low: bounds.min.to_array(), high: bounds.max.to_array() })
            }
        }
    }
}

/// What is known of a point's path, in the frame of a collider.
#[derive(Clone, Copy)]
pub(super) struct Meeting {
    /// It is free.
    pub far: bool,
    /// It ends inside, and where it is put out is known.
    pub held: bool,
    /// As in [`super::Hit`].
    pub fraction: f32,
    pub point: Three,
    pub normal: Three,
}

pub(super) trait Meet: Copy {
    /// A path `from` → `to` against the shape grown by `offset`.
    fn meet(self, from: Three, to: Three, offset: f32) -> Meeting;
}

/// More than rounding does to a distance.
const SURELY: f32 = 1.000_01;

impl Meet for Round {
    #[inline(always)]
    fn meet(self, from: Three, to: Three, offset: f32) -> Meeting {
        let reach = self.radius + offset;
        let core = |p: Three| smaller(larger(p[1], -self.half_length), self.half_length);
        let (low, high) = (core(from), core(to));
        let start = [from[0], from[1] - low, from[2]];
        let end = [to[0], to[1] - high, to[2]];
        let path = sub(to, from);
        let (at_start, at_end) = (dot(start, start), dot(end, end));
        let inside = at_start < reach * reach;
        let ends_inside = at_end < reach * reach;
        let further = SURELY * (reach + at_most_long(path));
        let away = at_end > further * further;
        // The distance from a convex shape grows all along a path that begins by leaving, and falls
        // all along one that ends by coming nearer.
        let leaves = !ends_inside & (dot(start, path) > 0.0);
        let falls_short = !inside & !ends_inside & (dot(end, path) <= 0.0);
        let normal = scale(end, 1.0 / at_end.sqrt());
        let along = dot(start, end);
        let same_side =
            (along > 0.0) & (along * along >= SAME_SIDE * SAME_SIDE * (at_start * at_end));
        Meeting {
            far: away | leaves | falls_short,
            held: inside & ends_inside & same_side,
            fraction: 0.0,
            point: add([0.0, high, 0.0], scale(normal, reach)),
            normal,
        }
    }
}

impl Meet for Below {
    #[inline(always)]
    fn meet(self, from: Three, to: Three, offset: f32) -> Meeting {
        let held = to[1] < offset;
        let above = larger(from[1] - offset, 0.0);
        let fraction = above / (above + (offset - to[1]));
        let point = [to[0], offset, to[2]];
        Meeting { far: !held, held, fraction, point, normal: [0.0, 1.0, 0.0] }
    }
}

impl Meet for Within {
    #[inline(always)]
    fn meet(self, from: Three, to: Three, offset: f32) -> Meeting {
        let path = sub(to, from);
        let reach = SURELY * (offset + at_most_long(path));
        let beyond = |d: usize| larger(self.low[d] - to[d], to[d] - self.high[d]);
        let far = larger(larger(beyond(0), beyond(1)), beyond(2)) > reach;
        Meeting { far, held: false, fraction: 0.0, point: [0.0; 3], normal: [0.0; 3] }
    }
}

/// |v| or more, without a root.
#[inline(always)]
fn at_most_long(v: Three) -> f32 {
    v[0].abs() + v[1].abs() + v[2].abs()
}
