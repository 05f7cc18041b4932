//! The plane between the hulls of two sets of points.

use glam::{DMat3, DVec3, Vec3};

use super::extent::{Gather, gather};
use crate::simd::{Kernel, LANES, dispatch};
use crate::soa::Soa3Ref;

/// Steps that are always enough, but for what is all but in one plane or point: then the last is
/// as good as any.
const STEPS: usize = 32;

/// A plane whose gap lacks no more than this part of the distance is near enough: plates turn by themselves
/// to where they are pressed alike.
const ENOUGH: f64 = 0.02;

/// Below this part of the points' distances from each other hulls are taken to meet. \[1\]
const MEETING: f64 = 1e-6;

/// A direction from the hull of `below` to that of `above`, at all moments that are given, across which
/// they are as far apart as they are at all, but for a fiftieth, or at least `enough`. `None` if they meet, or no
/// direction does for all moments. Distances of convex sets by their extreme points: Gilbert, Johnson
/// and Keerthi 1988.
pub(super) fn normal_between(
    moments: &[[Soa3Ref<'_>; 2]],
    first: Vec3,
    enough: f32,
) -> Option<Vec3> {
    let mut way = first.as_dvec3();
    let mut corners = Corners::default();
    let (mut best, mut scale) = (None, 0.0f64);
    for _ in 0..STEPS {
        let normal = way.as_vec3().normalize_or_zero();
        let height = |corner: DVec3| corner.dot(normal.as_dvec3());
        let corner_at = |[above, below]: &[Soa3Ref<'_>; 2]| {
            Some(lowest(above, normal)? - lowest(below, -normal)?)
        };
        let all = moments.iter().filter_map(corner_at);
        let corner = all.min_by(|&a, &b| height(a).total_cmp(&height(b)))?;
        scale = scale.max(corner.length());
        let gap = height(corner);
        if gap > 0.0 && best.is_none_or(|(most, _)| gap > most) {
            best = Some((gap, normal));
        }
        let known = corners.count == 4 || corners.get().contains(&corner);
        let near = corners.count > 0 && way.length() - gap <= ENOUGH * way.length();
        if known || near || gap > f64::from(enough) {
            break;
        }
        corners.push(corner);
        way = corners.nearest_to_origin();
        if way.length() <= MEETING * scale {
            return None;
        }
    }
    best.map(|(_, normal)| normal)
}

/// Up to four corners.
#[derive(Clone, Copy, Debug, Default)]
struct Corners {
    all: [DVec3; 4],
    count: usize,
}

impl Corners {
    fn get(&self) -> &[DVec3] {
        &self.all[..self.count]
    }

    fn push(&mut self, corner: DVec3) {
        self.all[self.count] = corner;
        self.count += 1;
    }

    /// Those whose bits are set.
    fn some(&self, bits: usize) -> Self {
        let mut out = Self::default();
        let set = self.get().iter().enumerate().filter(|(k, _)| bits >> k & 1 == 1);
        set.for_each(|(_, corner)| out.push(*corner));
        out
    }

    /// The point of their hull that is nearest to the origin; those that it does not lie between are
    /// taken out.
    fn nearest_to_origin(&mut self) -> DVec3 {
        let (mut best, mut which) = (self.all[0], 1);
        for bits in 1..1 << self.count {
            let nearest = nearest_between(self.some(bits).get());
            if let Some(point) = nearest.filter(|p| p.length_squared() < best.length_squared()) {
                (best, which) = (point, bits);
            }
        }
        *self = self.some(which);
        best
    }
}

/// The point nearest to the origin of the plane, line or whole space through some corners, if it lies
/// between them.
fn nearest_between(corners: &[DVec3]) -> Option<DVec3> {
    let origin = corners[0];
    let edge = |k: usize| corners.get(k).map_or(DVec3::ZERO, |&c| c - origin);
    let (a, b, c) = (edge(1), edge(2), edge(3));
    let parts = match corners.len() {
        1 => return Some(origin),
        2 => DVec3::new(-origin.dot(a) / a.length_squared(), 0.0, 0.0),
        3 => {
            let (aa, bb, ab) = (a.dot(a), b.dot(b), a.dot(b));
            let (oa, ob) = (-origin.dot(a), -origin.dot(b));
            let area = aa * bb - ab * ab;
            DVec3::new((oa * bb - ob * ab) / area, (ob * aa - oa * ab) / area, 0.0)
        }
        _ => DMat3::from_cols(a, b, c).inverse() * -origin,
    };
    let inside =
        parts.is_finite() && parts.min_element() >= 0.0 && parts.x + parts.y + parts.z <= 1.0;
    inside.then(|| origin + a * parts.x + b * parts.y + c * parts.z)
}

/// The point that lies lowest along a direction.
fn lowest(points: &Soa3Ref<'_>, along: Vec3) -> Option<DVec3> {
    let mut place = usize::MAX;
    dispatch(Lowest { points, along: along.to_array(), place: &mut place });
    (place < points.len()).then(|| points.get(place).as_dvec3())
}

struct Lowest<'a> {
    points: &'a Soa3Ref<'a>,
    along: [f32; 3],
    place: &'a mut usize,
}

struct Least {
    along: [f32; 3],
    number: u32,
    least: [f32; LANES],
    at: [u32; LANES],
}

impl Gather for Least {
    #[inline(always)]
    fn take(&mut self, [x, y, z]: [&[f32; LANES]; 3]) {
        let n = self.along;
        for l in 0..LANES {
            let height = x[l] * n[0] + y[l] * n[1] + z[l] * n[2];
            let lower = height < self.least[l];
            self.least[l] = if lower { height } else { self.least[l] };
            self.at[l] = if lower { self.number } else { self.at[l] };
        }
        self.number += 1;
    }
}

impl Kernel for Lowest<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { points, along, place } = self;
        let (least, at) = ([f32::INFINITY; LANES], [0; LANES]);
        let mut all = Least { along, number: 0, least, at };
        gather(points, &mut all);
        let mut lowest = f32::INFINITY;
        for l in 0..LANES {
            if all.least[l] < lowest {
                lowest = all.least[l];
                *place = (all.at[l] as usize * LANES + l).min(points.len() - 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soa::Soa3;

    fn box_at(centre: Vec3, turn: glam::Quat) -> Soa3 {
        let corner = |k: usize| {
            let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
            centre + turn * (Vec3::new(sign(0), sign(1), sign(2)) * 0.5)
        };
        Soa3::from_points(&(0..8).map(corner).collect::<Vec<_>>())
    }

    fn gap(above: &Soa3, below: &Soa3, n: Vec3) -> f32 {
        let least = above.iter().map(|x| x.dot(n)).fold(f32::INFINITY, f32::min);
        least - below.iter().map(|x| x.dot(n)).fold(f32::NEG_INFINITY, f32::max)
    }

    #[test]
    fn cubes_are_as_far_apart_as_they_are() {
        let turn = glam::Quat::from_rotation_z(std::f32::consts::FRAC_PI_4);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let below = box_at(Vec3::ZERO, glam::Quat::IDENTITY);
        // Face to face, edge to face, corner to corner.
        let shift = Vec3::new(0.1, 1.2, -0.2);
        for (above, expected) in [
            (box_at(shift, glam::Quat::IDENTITY), 0.2),
            (box_at(Vec3::new(0.1, 0.7 + half, 0.0), turn), 0.2),
            (box_at(Vec3::splat(1.1), glam::Quat::IDENTITY), 0.1 * 3.0f32.sqrt()),
        ] {
            for first in [Vec3::Y, Vec3::X, Vec3::new(-0.3, 0.2, 0.9)] {
                let sides = [[above.view(), below.view()]];
                let normal = normal_between(&sides, first, f32::INFINITY).unwrap();
                assert!((gap(&above, &below, normal) - expected).abs() < 0.021 * expected);
            }
        }
    }

    #[test]
    fn what_meets_has_no_plane_between() {
        let below = box_at(Vec3::ZERO, glam::Quat::IDENTITY);
        for shift in [Vec3::ZERO, Vec3::new(0.3, 0.9, 0.2), Vec3::splat(0.99)] {
            let above = box_at(shift, glam::Quat::IDENTITY);
            let sides = [[above.view(), below.view()]];
            assert_eq!(normal_between(&sides, Vec3::Y, f32::INFINITY), None);
        }
    }

    #[test]
    fn one_plane_is_found_for_both_ends_of_a_way_and_none_where_there_is_none() {
        let below = box_at(Vec3::ZERO, glam::Quat::IDENTITY);
        // From beside to above: between both places only slanted planes part them.
        let from = box_at(Vec3::new(1.2, 0.4, 0.0), glam::Quat::IDENTITY);
        let to = box_at(Vec3::new(0.4, 1.2, 0.0), glam::Quat::IDENTITY);
        let moments = [[from.view(), below.view()], [to.view(), below.view()]];
        assert_eq!(normal_between(&moments, Vec3::Y, 0.0), None);
        let from = box_at(Vec3::new(1.2, 0.9, 0.0), glam::Quat::IDENTITY);
        let to = box_at(Vec3::new(0.9, 1.2, 0.0), glam::Quat::IDENTITY);
        let moments = [[from.view(), below.view()], [to.view(), below.view()]];
        let normal = normal_between(&moments, Vec3::Y, f32::INFINITY).unwrap();
        assert!(gap(&from, &below, normal) > 0.0 && gap(&to, &below, normal) > 0.0);
    }
}
