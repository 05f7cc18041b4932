//! Surfaces that pass through each other come apart over time.
//!
//! Of what a contour is made of, pairs are neither pushed apart nor proved: they may pass. All
//! others keep their proof, so that contours can only move, shrink or grow along themselves, and
//! they do not grow: a step after which more edges pass through triangles than are allowed is not
//! taken by them.

use glam::Vec3;

use super::contour::Contours;
use super::joined::Joined;
use super::search::{Piercing, Search, at};
use super::way_out::{Contour, Way, WayOut, normal, shortening};
use crate::contact::swept::Point4;

/// Speed at which surfaces come apart. [m/s]
const SPEED: f32 = 0.5;

/// What pulls them is no stronger than this: what cannot come apart is not torn apart. [m/s²]
const ACCELERATION: f32 = 100.0;

/// Times that all piercings are gone through in a step.
const PASSES: usize = 4;

/// An edge and a triangle that are to come apart: n·Σ w (y − x) ≥ v h.
#[derive(Clone, Copy, Debug)]
struct Pull {
    points: [u32; 5],
    weights: [f32; 5],
    way: Vec3,
}

/// What a contour has cut off goes along.
#[derive(Clone, Debug, Default)]
struct Part {
    points: Vec<u32>,
    /// Points of the other side, which it comes away from.
    others: Vec<u32>,
    way: Vec3,
}

/// Contours, and what is done about them.
#[derive(Debug)]
pub struct Untangle {
    joined: Joined,
    search: Search,
    contours: Contours,
    way_out: WayOut,
    pulls: Vec<Pull>,
    parts: Vec<Part>,
    /// The contour in which each point has a part, plus one; zero for all others.
    pub marks: Vec<u32>,
    marked: Vec<u32>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

impl Untangle {
    /// Whatever of `joined` is tangled at `x`.
    pub fn find(joined: Joined, x: &[Point4]) -> Self {
        let mut search = Search::default();
        search.all(&joined, x);
        Self {
            search,
            contours: Contours::default(),
            way_out: WayOut::default(),
            pulls: Vec::new(),
            parts: Vec::new(),
            marks: vec![0; joined.rules.body.len()],
            marked: Vec::new(),
            touched: Vec::new(),
            is_touched: vec![false; joined.triangles.len()],
            joined,
        }
    }

    /// Looks at everything again.
    pub fn find_again(&mut self, x: &[Point4]) {
        self.search.all(&self.joined, x);
    }

    /// Nothing is tangled.
    pub fn forget(&mut self) {
        self.search.found.clear();
    }

    /// Edges that pass through triangles, and those.
    pub fn piercings(&self) -> &[Piercing] {
        &self.search.found
    }

    pub fn joined(&self) -> &Joined {
        &self.joined
    }

    /// Finds contours, the ways out of them, and which pairs may pass from now on.
    pub fn plan(&mut self, x: &[Point4]) {
        let Self { joined, search, contours, way_out, pulls, parts, .. } = self;
        let piercings = &search.found;
        contours.find(joined, piercings);
        pulls.clear();
        parts.resize_with(contours.count as usize, Part::default);
        for (number, part) in (0u32..).zip(parts.iter_mut()) {
            let contour = Contour { joined, piercings, contours, number, x };
            let (way, side) = way_out.find(&contour, &mut part.points);
            part.others.clear();
            part.way = match way {
                Way::Whole(way) => {
                    if side {
                        way
                    } else {
                        -way
                    }
                }
                Way::Each => Vec3::ZERO,
            };
            for (p, link) in piercings.iter().zip(&contours.links) {
                if link.contour != number {
                    continue;
                }
                let way = match (way, link.first) {
                    (Way::Whole(way), true) => way,
                    (Way::Whole(way), false) => -way,
                    (Way::Each, _) => shortening(joined, *p, x).normalize_or_zero(),
                };
                pulls.push(pull(joined, *p, way, x));
                let (edge, corners) =
                    (&joined.edges[p.edge as usize], &joined.triangles[p.triangle as usize]);
                let other = if link.first == side { &corners[..] } else { &edge[..] };
                part.others.extend_from_slice(other);
            }
        }
        self.mark();
    }

    /// Marks points of contours. Contours that share a point count as one.
    fn mark(&mut self) {
        for v in self.marked.drain(..) {
            self.marks[v as usize] = 0;
        }
        let mut same: Vec<u32> = (0..=self.contours.count).collect();
        for round in 0..2 {
            for (p, link) in self.search.found.iter().zip(&self.contours.links) {
                let around = self.joined.at_edge(p.edge).chain([p.triangle]);
                for v in around.flat_map(|t| self.joined.triangles[t as usize]) {
                    let own = root(&same, link.contour + 1);
                    let mark = &mut self.marks[v as usize];
                    if round == 1 {
                        *mark = own;
                    } else if *mark == 0 {
                        *mark = own;
                        self.marked.push(v);
                    } else {
                        let other = root(&same, *mark);
                        same[own.max(other) as usize] = own.min(other);
                    }
                }
            }
        }
    }

    /// Pulls surfaces apart on their way from `start` to `end`, so fast and no faster.
    pub fn pull(&self, start: &[Point4], end: &mut [Point4], weights: &[f32], h: f32) {
        let (wanted, most) = (SPEED * h, ACCELERATION * h * h);
        let moved = |v: u32, end: &[Point4]| at(v, end) - at(v, start);
        for _ in 0..PASSES {
            for pull in &self.pulls {
                let each = || pull.points.iter().zip(&pull.weights);
                let apart: Vec3 = each().map(|(&v, &w)| moved(v, end) * w).sum();
                let lack = (wanted - apart.dot(pull.way)).min(most);
                let mobility: f32 = each().map(|(&v, &w)| weights[v as usize] * w * w).sum();
                if lack > 0.0 && mobility > 0.0 {
                    for (&v, &w) in each() {
                        let share = weights[v as usize] * w * lack / mobility;
                        shift(&mut end[v as usize], pull.way * share);
                    }
                }
            }
        }
        for part in &self.parts {
            let sum: f32 = part.others.iter().map(|&v| moved(v, end).dot(part.way)).sum();
            let wanted = wanted + sum / part.others.len().max(1) as f32;
            let mut given = 0.0;
            for &v in &part.points {
                let lack = (wanted - moved(v, end).dot(part.way)).min(most);
                if lack > 0.0 && weights[v as usize] > 0.0 && part.way != Vec3::ZERO {
                    shift(&mut end[v as usize], part.way * lack);
                    given += f64::from(lack) / f64::from(weights[v as usize]);
                }
            }
            self.recoil(part, given, (end, weights));
        }
    }

    /// What a part was given, Σ m Δx [kg m], the body that it comes away from gets in the other
    /// direction, as a whole: pulled at the few points of the contour it would be torn there. What is
    /// led or held bears it.
    fn recoil(&self, part: &Part, given: f64, (end, weights): (&mut [Point4], &[f32])) {
        let Some(&other) = part.others.first().filter(|_| given > 0.0) else { return };
        let body = &self.joined.rules.body;
        let of = body[other as usize];
        let free = || (0..body.len()).filter(|&v| body[v] == of && weights[v] > 0.0);
        let mass: f64 = free().map(|v| 1.0 / f64::from(weights[v])).sum();
        if mass > 0.0 {
            let back = part.way * (-given / mass) as f32;
            free().for_each(|v| shift(&mut end[v], back));
        }
    }

    /// Counts again where points have moved to: something has changed at most at points that
    /// were marked, and at the triangles that have them.
    pub fn count(&mut self, x: &[Point4]) -> usize {
        self.touched.clear();
        for &v in &self.marked {
            for &entry in self.joined.triangles_at.of(v as usize) {
                let t = entry / 3;
                if !std::mem::replace(&mut self.is_touched[t as usize], true) {
                    self.touched.push(t);
                }
            }
        }
        self.touched.iter().for_each(|&t| self.is_touched[t as usize] = false);
        self.search.among(&self.joined, &self.touched, x);
        self.search.found.len()
    }

    /// Triangles that pass through others, by points.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let at = |p: &Piercing| self.joined.at_edge(p.edge).chain([p.triangle]);
        let mut all: Vec<u32> = self.search.found.iter().flat_map(at).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().map(|t| self.joined.triangles[t as usize]).collect()
    }

    /// Points that are part of a contour.
    pub fn marked(&self) -> &[u32] {
        &self.marked
    }
}

fn root(same: &[u32], mut of: u32) -> u32 {
    while same[of as usize] != of {
        of = same[of as usize];
    }
    of
}

fn shift(x: &mut Point4, by: Vec3) {
    (x[0], x[1], x[2]) = (x[0] + by.x, x[1] + by.y, x[2] + by.z);
}

/// A pull at the point in which an edge passes through a triangle.
fn pull(joined: &Joined, p: Piercing, way: Vec3, x: &[Point4]) -> Pull {
    let ([e, f], [a, b, c]) =
        (joined.edges[p.edge as usize], joined.triangles[p.triangle as usize]);
    let n = normal(joined, p.triangle, x);
    let [pe, pf, pa, pb, pc] = [e, f, a, b, c].map(|v| at(v, x));
    let (over, under) = (n.dot(pe - pa), n.dot(pf - pa));
    let s = (over / (over - under)).clamp(0.0, 1.0);
    let s = if s.is_finite() { s } else { 0.5 };
    let through = pe + (pf - pe) * s;
    let area = |u: Vec3, v: Vec3| n.dot((u - through).cross(v - through)).max(0.0);
    let parts = [area(pb, pc), area(pc, pa), area(pa, pb)];
    let whole = parts[0] + parts[1] + parts[2];
    let share = |k: usize| if whole > 0.0 { parts[k] / whole } else { 1.0 / 3.0 };
    Pull { points: [e, f, a, b, c], weights: [1.0 - s, s, -share(0), -share(1), -share(2)], way }
}
