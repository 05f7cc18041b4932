//! What shows that two bodies cannot have met in a step, and what is done where nothing does.

use std::ops::Range;

use glam::Vec3;

use super::extent::{Extent, Plane, sure_gap};
use super::frame::{Frame, origin};
use super::hulls::normal_between;
use super::plate::Plate;
use super::skins::Skin;
use crate::contact::safety::Safety;
use crate::contact::swept::Point4;
use crate::soa::Soa3;

/// Where points start a step and where they would end it. [m]
pub(super) struct Ends<'a> {
    pub start: &'a [Point4],
    pub end: &'a mut [Point4],
}

/// What is held goes this part of its way to the plane.
const SHORT: f64 = 0.9;

impl Plate {
    /// Looks for what parts both all the way: a plane that does where the step starts and where it ends, or one
    /// that turns from one plane to the other.
    pub fn prove(&mut self, skins: &[Skin], start: &Soa3, end: &Soa3) {
        self.next = self.normal;
        self.proved = self.least_gap(skins) > 0.0;
        if self.proved {
            return;
        }
        let sides = |x| self.points(skins).map(|own| Soa3::slice(x, own));
        let parts = |normal: &Vec3| {
            self.gap(*normal, skins, end) > 0.0 && self.gap(*normal, skins, start) > 0.0
        };
        let parts_turning = |to: &Vec3| self.parts_turning(*to, skins, [start, end]);
        let tried = [self.turned, self.normal].into_iter().find(parts);
        let tried = tried.or_else(|| Some(self.turned).filter(parts_turning));
        let search = |moments: &[_]| normal_between(moments, self.turned, self.thickness);
        let found = tried.or_else(|| search(&[sides(start), sides(end)]).filter(parts));
        let found = found.or_else(|| search(&[sides(end)]).filter(parts_turning));
        self.proved = found.is_some();
        self.is_rough |= tried.is_none();
        self.next = found.unwrap_or(self.normal);
    }

    /// Whether a plane parts both all the way that turns evenly from the one that parts them where the step
    /// starts to a normal `to`, and goes with the first body.
    ///
    /// Along n₀ + τ(n₁ − n₀) a point is as high as a parabola in τ, whose Bernstein coefficients
    /// are n₀·x₀, ½(n₀·x₁ + n₁·x₀) and n₁·x₁; the plane's own height may be any line. Where all three are
    /// above for the one and below for the other the parabolas are.
    fn parts_turning(&self, to: Vec3, skins: &[Skin], [start, end]: [&Soa3; 2]) -> bool {
        let points = self.points(skins);
        let way = skins[self.skins[0] as usize].way;
        let from = origin(&points, start);
        let first = Plane { normal: self.normal.to_array(), from };
        let last = Plane { normal: to.to_array(), from: (Vec3::from(from) + way).to_array() };
        let of = |own: Range<usize>| {
            let (start, end) = (start.slice(own.clone()), end.slice(own));
            let between = Extent::between(start, end, [first, last]);
            [Extent::of(start, first), Extent::of(end, last), between]
        };
        let [above, below] = points.map(of);
        let low = below.map(|extent| extent.most + extent.doubt);
        let high = above.map(|extent| extent.least - extent.doubt);
        // Where the plane stands at both ends says where it stands in the middle.
        let lowest = (low[0] + low[1]).max(low[2]) * (1.0 + f32::EPSILON);
        let highest = (high[0] + high[1]).min(high[2]) * (1.0 - f32::EPSILON);
        low[0] < high[0] && low[1] < high[1] && lowest < highest
    }

    /// Holds points back that would leave their side of the plane that parts both at the start.
    pub fn hold(&self, (skins, x): (&[Skin], &Soa3), safety: &mut Safety, ends: Ends<'_>) {
        let Ends { start, end } = ends;
        let points = self.points(skins);
        let [above, below] = self.reach(self.normal, skins, x);
        let place = |x: &Point4| Vec3::from_slice(&x[..3]);
        if sure_gap(above, below) > 0.0 {
            let mut frame = Frame::new(self.normal, origin(&points, x));
            frame.height = f64::midpoint(f64::from(above.least), f64::from(below.most));
            let mut least = f64::INFINITY;
            for (own, side) in points.iter().zip([1.0, -1.0]) {
                let height = |x: &Point4| side * (frame.of(place(x)).z - frame.height);
                for v in own.clone() {
                    let (from, to) = (height(&start[v]), height(&end[v]));
                    if to < (1.0 - SHORT) * from {
                        let part = SHORT * from / (from - to);
                        safety.hold(v, start, end, part as f32);
                    }
                    least = least.min(height(&end[v]));
                }
            }
            if least > f64::from(above.doubt + below.doubt) {
                return;
            }
        }
        // Nothing that stays where it is can meet.
        for v in points.into_iter().flatten() {
            if start[v] != end[v] {
                safety.hold(v, start, end, 0.0);
            }
        }
    }
}
