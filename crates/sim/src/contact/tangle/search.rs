//! Edges that have come out on the other side of a triangle.
//!
//! What only touches is no tangle: a point in a triangle counts if its edges lead to both sides, and
//! an edge across another if that has triangles on both sides.

use glam::Vec3;

use super::joined::Joined;
use crate::aabb::Aabb;
use crate::contact::AabbTree;
use crate::contact::swept::Point4;
use crate::measure::side;

/// An edge through a triangle, both by their numbers in [`Joined`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Piercing {
    pub edge: u32,
    pub triangle: u32,
}

/// A point in a triangle, with the side on which an edge leaves.
type Touch = (u32, u32, i32, u32);

/// An edge across another that is a side of a triangle.
type Rim = (u32, u32, u32);

/// Buffers of a search.
#[derive(Debug, Default)]
pub struct Search {
    pub found: Vec<Piercing>,
    touches: Vec<Touch>,
    rims: Vec<Rim>,
    boxes: Vec<(Aabb, u32)>,
}

impl Search {
    /// Everything with everything.
    pub fn all(&mut self, joined: &Joined, x: &[Point4]) {
        self.begin();
        let boxes: Vec<Aabb> = joined.triangles.iter().map(|t| around(t, x)).collect();
        let tree = AabbTree::of(&boxes, 0.0);
        tree.pairs(|a, b| self.test(joined, [a, b], x));
        self.end();
    }

    /// Some triangles, each named once, with each other.
    pub fn among(&mut self, joined: &Joined, some: &[u32], x: &[Point4]) {
        self.begin();
        let mut boxes = std::mem::take(&mut self.boxes);
        boxes.clear();
        boxes.extend(some.iter().map(|&t| (around(&joined.triangles[t as usize], x), t)));
        boxes.sort_unstable_by(|(a, s), (b, t)| a.min.x.total_cmp(&b.min.x).then(s.cmp(t)));
        for (place, (one, a)) in boxes.iter().enumerate() {
            for (other, b) in &boxes[place + 1..] {
                if other.min.x > one.max.x {
                    break;
                }
                if one.meets(other) {
                    self.test(joined, [*a, *b], x);
                }
            }
        }
        self.boxes = boxes;
        self.end();
    }

    fn begin(&mut self) {
        self.found.clear();
        self.touches.clear();
        self.rims.clear();
    }

    fn end(&mut self) {
        let Self { found, touches, rims, .. } = self;
        touches.sort_unstable();
        for group in touches.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            if group[0].2 < 0 && group[group.len() - 1].2 > 0 {
                found.extend(group.iter().map(|t| Piercing { edge: t.3, triangle: t.1 }));
            }
        }
        rims.sort_unstable();
        rims.dedup();
        for group in rims.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|g| g.len() > 1) {
            found.extend(group.iter().map(|rim| Piercing { edge: rim.0, triangle: rim.2 }));
        }
        found.sort_unstable();
        found.dedup();
    }

    fn test(&mut self, joined: &Joined, [a, b]: [u32; 2], x: &[Point4]) {
        let (body_a, body_b) = (joined.body(a), joined.body(b));
        let itself = body_a == body_b && !joined.rules.touches_itself[body_a as usize];
        if itself || joined.is_led(a) && joined.is_led(b) {
            return;
        }
        for (one, other) in [(a, b), (b, a)] {
            let triangle = joined.triangles[other as usize];
            let corners = triangle.map(|v| at(v, x));
            for edge in joined.edges_of[one as usize] {
                let ends = joined.edges[edge as usize];
                if ends.iter().any(|&v| triangle.iter().any(|&w| joined.same(v, w))) {
                    continue;
                }
                match meeting(ends.map(|v| at(v, x)), corners) {
                    Meeting::None => {}
                    Meeting::Through => self.found.push(Piercing { edge, triangle: other }),
                    Meeting::Across(signs) => {
                        let sides = joined.edges_of[other as usize];
                        let across = (0..3).filter(|&k| signs[k] == 0);
                        self.rims.extend(across.map(|k| (edge, sides[k], other)));
                    }
                    Meeting::From(end, side) => {
                        self.touches.push((ends[end], other, side, edge));
                    }
                }
            }
        }
    }
}

enum Meeting {
    None,
    Through,
    /// Through those sides of the triangle where there is a zero.
    Across([i32; 3]),
    /// One end lies inside the triangle, the other on this side of it.
    From(usize, i32),
}

/// Signs come from exact predicates (Shewchuk 1997).
fn meeting([p, q]: [Vec3; 2], [a, b, c]: [Vec3; 3]) -> Meeting {
    let (over, under) = (side(a, b, c, p), side(a, b, c, q));
    if over * under > 0 || over == 0 && under == 0 {
        return Meeting::None;
    }
    let signs = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    let through = signs.iter().all(|&s| s >= 0) || signs.iter().all(|&s| s <= 0);
    if !through {
        Meeting::None
    } else if over * under < 0 {
        if signs.contains(&0) { Meeting::Across(signs) } else { Meeting::Through }
    } else if signs.contains(&0) {
        Meeting::None
    } else if over == 0 {
        Meeting::From(0, under)
    } else {
        Meeting::From(1, over)
    }
}

/// Where a point is.
pub fn at(v: u32, x: &[Point4]) -> Vec3 {
    Vec3::from_slice(&x[v as usize][..3])
}

fn around(triangle: &[u32; 3], x: &[Point4]) -> Aabb {
    Aabb::around(triangle.iter().map(|&v| at(v, x)))
}
