//! Which way surfaces that pass through each other come apart.
//!
//! 1. A contour that cuts a part off: the smaller part goes back through the other surface, along its
//!    normals n: U = Σ ± n. What is in a closed collider goes out.
//! 2. Any other: the way that shortens it most. An edge E that passes through a triangle of normal n, with
//!    segments of the contour leaving along R on both sides: G = Σ R − (E·R)/(E·n) n, and U = Σ ± G
//!    (Volino and Magnenat-Thalmann 2006, eq. 3, for an edge that moves alone).
//! 3. Where all these cancel each edge goes its own way G.

use glam::Vec3;

use super::contour::{Contours, Link};
use super::cut_off::CutOff;
use super::joined::Joined;
use super::search::{Piercing, at};
use crate::contact::swept::Point4;

/// A direction that is less than this part of what it was summed up from is none.
const CLEAR: f32 = 0.1;

/// (E·R)/(E·n) of an edge that all but lies in the triangle says little, and must not drown the others.
const STEEPEST: f32 = 3.0;

/// Buffers.
#[derive(Debug, Default)]
pub struct WayOut {
    cut_off: CutOff,
    cut: Vec<u32>,
    other: Vec<u32>,
}

/// One contour and how to be rid of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// The first side moves this way, relative to the second. Unit vector.
    Whole(Vec3),
    /// Each edge for itself, as [`shortening`] says.
    Each,
}

/// What is known of one contour: all of its piercings with their places in it.
pub struct Contour<'a> {
    pub joined: &'a Joined,
    pub piercings: &'a [Piercing],
    pub contours: &'a Contours,
    pub number: u32,
    pub x: &'a [Point4],
}

impl Contour<'_> {
    fn each(&self) -> impl Iterator<Item = (Piercing, Link)> {
        let links = self.piercings.iter().zip(&self.contours.links);
        links.filter(|(_, link)| link.contour == self.number).map(|(p, link)| (*p, *link))
    }

    /// Edges of one side that pass through the other an odd number of times.
    fn cut_edges(&self, first: bool, out: &mut Vec<u32>) {
        out.clear();
        for (p, _) in self.each().filter(|(_, link)| link.first == first) {
            if out.last() == Some(&p.edge) {
                out.pop();
            } else {
                out.push(p.edge);
            }
        }
    }
}

impl WayOut {
    /// The way out, and in `within` the points that were cut off, with the side they are on.
    pub fn find(&mut self, contour: &Contour<'_>, within: &mut Vec<u32>) -> (Way, bool) {
        within.clear();
        let Some((_, outer)) = contour.each().next() else { return (Way::Each, true) };
        let led = |first: bool| {
            let of = |(p, link): (Piercing, Link)| {
                let edge = contour.joined.at_edge(p.edge).next();
                if link.first == first { edge } else { Some(p.triangle) }
            };
            contour.each().find_map(of).filter(|&t| contour.joined.is_led(t))
        };
        let wholly = |sum: Vec3, count: f32| {
            (sum.length() > CLEAR * count).then(|| Way::Whole(sum.normalize_or_zero()))
        };
        let count = contour.each().count() as f32;
        let sides = [outer.first, !outer.first];
        let obstacle = sides.into_iter().find_map(|first| Some((first, led(first)?)));
        if let Some((first, t)) = obstacle
            && contour.joined.closed[contour.joined.body(t) as usize]
        {
            let sum = self.outwards(contour, !first, within);
            let shorter = || wholly(self.across_shorter(contour, !first), 0.0);
            let way = wholly(sum, count).or_else(shorter);
            let way = match way {
                Some(Way::Whole(way)) if first => Some(Way::Whole(-way)),
                way => way,
            };
            return (way.unwrap_or(Way::Each), !first);
        }
        if let Some((sum, side)) = self.back_through(contour, obstacle.map(|o| !o.0), within) {
            let way = wholly(sum, count).or_else(|| wholly(self.across(contour, true), 0.0));
            return (way.unwrap_or(Way::Each), side);
        }
        let mut sum = Vec3::ZERO;
        for (p, link) in contour.each() {
            let way = shortening(contour.joined, p, contour.x);
            sum += if link.first { way } else { -way };
        }
        (wholly(sum, count).unwrap_or(Way::Each), true)
    }

    /// Σ of the outward normals where the side `cloth` meets a closed collider. Within is what of
    /// the cloth is inside.
    fn outwards(&mut self, contour: &Contour<'_>, cloth: bool, within: &mut Vec<u32>) -> Vec3 {
        let Contour { joined, x, .. } = *contour;
        let mut sum = Vec3::ZERO;
        for (p, link) in contour.each() {
            sum += if link.first == cloth {
                normal(joined, p.triangle, x)
            } else {
                normal_at_edge(joined, p.edge, x)
            };
        }
        contour.cut_edges(cloth, &mut self.cut);
        if let Some(part) = self.cut_off.find(joined, &self.cut) {
            let edge = |p: &Piercing| p.edge == self.cut[0];
            let inside = contour.each().map(|(p, _)| p).find(edge).is_some_and(|p| {
                let v = self.cut_off.parts[part][0];
                let corner = joined.triangles[p.triangle as usize][0];
                normal(joined, p.triangle, x).dot(at(v, x) - at(corner, x)) < 0.0
            });
            if inside {
                within.extend_from_slice(&self.cut_off.parts[part]);
            }
        }
        sum
    }

    /// Σ ± n for what is cut off of one side, and which side that is: the one of which less is
    /// cut off, unless only one of them can move.
    fn back_through(
        &mut self,
        contour: &Contour<'_>,
        movable: Option<bool>,
        within: &mut Vec<u32>,
    ) -> Option<(Vec3, bool)> {
        let mut least: Option<(usize, bool)> = None;
        for first in [true, false] {
            contour.cut_edges(first, &mut self.other);
            if let Some(part) = self.cut_off.find(contour.joined, &self.other) {
                let size = self.cut_off.parts[part].len();
                let better = match (least, movable) {
                    (None, _) => true,
                    (Some(_), Some(movable)) => first == movable,
                    (Some((smallest, _)), None) => size < smallest,
                };
                if better {
                    least = Some((size, first));
                }
            }
        }
        let (_, side) = least?;
        contour.cut_edges(side, &mut self.cut);
        let part = self.cut_off.find(contour.joined, &self.cut)?;
        within.extend_from_slice(&self.cut_off.parts[part]);
        let Contour { joined, x, .. } = *contour;
        let wrong = |v: u32| self.cut_off.part_of(v) == Some(part);
        let mut sum = Vec3::ZERO;
        for (p, link) in contour.each() {
            let corners = joined.triangles[p.triangle as usize];
            let (own, n) = if link.first == side {
                (&joined.edges[p.edge as usize][..], normal(joined, p.triangle, x))
            } else {
                (&corners[..], normal_at_edge(joined, p.edge, x))
            };
            let mean = |wanted: bool| {
                let some = own.iter().filter(|&&v| wrong(v) == wanted);
                let (sum, count) =
                    some.fold((Vec3::ZERO, 0.0), |(s, c), &v| (s + at(v, x), c + 1.0));
                (count > 0.0).then(|| sum / count)
            };
            if let (Some(from), Some(to)) = (mean(true), mean(false)) {
                sum += if n.dot(to - from) < 0.0 { -n } else { n };
            }
        }
        Some((if side { sum } else { -sum }, side))
    }

    /// The direction across cloth in which it is nearer to the end of the collider that it lies through.
    fn across_shorter(&self, contour: &Contour<'_>, cloth: bool) -> Vec3 {
        let Contour { joined, x, .. } = *contour;
        let n = self.across(contour, cloth).normalize_or_zero();
        let mut heights = (0.0, 0.0);
        let mut body = None;
        for (p, link) in contour.each() {
            let edge = joined.edges[p.edge as usize][0];
            let triangle = joined.triangles[p.triangle as usize][0];
            let (own, other) =
                if link.first == cloth { (edge, triangle) } else { (triangle, edge) };
            heights = (heights.0 + n.dot(at(own, x)), heights.1 + 1.0);
            body = body.or(Some(joined.rules.body[other as usize]));
        }
        let height = heights.0 / f32::max(heights.1, 1.0);
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for v in (0u32..).zip(&joined.rules.body).filter(|(_, of)| Some(**of) == body) {
            let along = n.dot(at(v.0, x));
            (low, high) = (low.min(along), high.max(along));
        }
        if high - height <= height - low { n } else { -n }
    }

    /// Σ of the normals of one side.
    fn across(&self, contour: &Contour<'_>, first: bool) -> Vec3 {
        let Contour { joined, x, .. } = *contour;
        let of = |(p, link): (Piercing, Link)| {
            if link.first == first {
                normal_at_edge(joined, p.edge, x)
            } else {
                normal(joined, p.triangle, x)
            }
        };
        contour.each().map(of).sum()
    }
}

/// The way of an edge, relative to the triangle that it passes through, that shortens their contour most.
pub fn shortening(joined: &Joined, piercing: Piercing, x: &[Point4]) -> Vec3 {
    let n = normal(joined, piercing.triangle, x);
    let [p, q] = joined.edges[piercing.edge as usize];
    let along = (at(q, x) - at(p, x)).normalize_or_zero();
    let mut sum = Vec3::ZERO;
    for t in joined.at_edge(piercing.edge) {
        let m = normal(joined, t, x);
        let corners = joined.triangles[t as usize];
        let far = corners.into_iter().find(|&v| v != p && v != q).unwrap_or(p);
        let inwards = m.cross(along);
        let inwards = if inwards.dot(at(far, x) - at(p, x)) < 0.0 { -inwards } else { inwards };
        let r = n.cross(m).normalize_or_zero();
        let r = if r.dot(inwards) < 0.0 { -r } else { r };
        let steep = (along.dot(r) / along.dot(n)).clamp(-STEEPEST, STEEPEST);
        sum += if steep.is_finite() { r - steep * n } else { r };
    }
    sum
}

/// The unit normal of a triangle, or zero.
pub fn normal(joined: &Joined, t: u32, x: &[Point4]) -> Vec3 {
    let [a, b, c] = joined.triangles[t as usize].map(|v| at(v, x));
    (b - a).cross(c - a).normalize_or_zero()
}

fn normal_at_edge(joined: &Joined, edge: u32, x: &[Point4]) -> Vec3 {
    let sum: Vec3 = joined.at_edge(edge).map(|t| normal(joined, t, x)).sum();
    sum.normalize_or_zero()
}
