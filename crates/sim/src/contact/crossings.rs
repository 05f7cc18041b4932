//! Edges that pass through triangles: the check that contact is judged by.

use glam::Vec3;
use robust::{Coord3D, orient3d};

use super::aabb_tree::AabbTree;
use crate::aabb::Aabb;
use crate::elements::TieEnd;
use crate::model::Model;
use crate::state::State;

/// An edge and a triangle that have a point in common.
///
/// Points are numbered as the model's particles; vertices of its mesh colliders follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crossing {
    /// Ends of the edge.
    pub edge: [u32; 2],
    /// Corners of the triangle.
    pub triangle: [u32; 3],
}

/// All crossings of a model's surfaces with themselves, with each other and with mesh colliders, but
/// for those of one body that is not meant to touch itself. Touching counts. Exact: signs of
/// determinants are those of the stored numbers.
pub fn crossings(model: &Model, state: &State) -> Vec<Crossing> {
    let mut points: Vec<Vec3> = state.x.iter().collect();
    let mut triangles = model.triangles.clone();
    let of_cloth = triangles.len();
    let mut next = points.len() as u32;
    for mesh in &model.mesh_colliders {
        let first = next;
        next += mesh.vertex_count() as u32;
        triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| v + first)));
    }
    points.extend(state.obstacles.iter());
    let sewn = sewn_pairs(model);
    let is_sewn = |a: u32, b: u32| sewn.binary_search(&(a.min(b), a.max(b))).is_ok();
    let same = |a: u32, b: u32| a == b || !sewn.is_empty() && is_sewn(a, b);
    let allowed = |a: u32, b: u32| may_touch(model, a, b);
    let around = |t: &[u32; 3]| Aabb::around(t.iter().map(|&v| points[v as usize]));
    let tree = AabbTree::of(&triangles.iter().map(around).collect::<Vec<_>>(), 0.0);
    let mut found = Vec::new();
    let mut test = |from: usize, of: usize| {
        let (one, other) = (triangles[from], triangles[of]);
        for k in 0..3 {
            let edge = [one[k], one[(k + 1) % 3]];
            if edge.iter().any(|&a| other.iter().any(|&b| same(a, b))) {
                continue;
            }
            let ends = edge.map(|v| points[v as usize]);
            if crosses(ends, other.map(|v| points[v as usize])) {
                found.push(Crossing { edge: [edge[0].min(edge[1]), edge[0].max(edge[1])], triangle: other });
            }
        }
    };
    tree.pairs(|a, b| {
        let (a, b) = (a as usize, b as usize);
        let moved = a >= of_cloth && b >= of_cloth;
        if !moved && allowed(triangles[a][0], triangles[b][0]) {
            test(a, b);
            test(b, a);
        }
    });
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether two points belong to what may touch.
fn may_touch(model: &Model, a: u32, b: u32) -> bool {
    let body = |v: u32| model.bodies.iter().position(|b| b.particles.contains(&(v as usize)));
    let (one, other) = (body(a), body(b));
    if one != other {
        return true;
    }
    let law = model.contact.as_ref().zip(one).and_then(|(law, body)| law.bodies.get(body));
    law.is_none_or(|law| law.touches_itself)
}

/// Whether a segment and a triangle have a point in common.
///
/// The ends are on different sides of the triangle's plane, and the line passes all three sides in
/// the same sense. Signs come from exact predicates (Shewchuk 1997).
pub fn crosses([p, q]: [Vec3; 2], [a, b, c]: [Vec3; 3]) -> bool {
    let (over, under) = (side(a, b, c, p), side(a, b, c, q));
    if over * under > 0.0 || over == 0.0 && under == 0.0 {
        return false;
    }
    let (u, v, w) = (side(p, q, a, b), side(p, q, b, c), side(p, q, c, a));
    (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0)
}

fn side(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> f64 {
    let coord = |p: Vec3| Coord3D { x: f64::from(p.x), y: f64::from(p.y), z: f64::from(p.z) };
    let volume = orient3d(coord(a), coord(b), coord(c), coord(d));
    if volume > 0.0 {
        1.0
    } else if volume < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// Pairs that seams join, in order.
fn sewn_pairs(model: &Model) -> Vec<(u32, u32)> {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for tie in &model.ties {
        if let TieEnd::Particle(other) = tie.end {
            pairs.push((tie.particle.min(other), tie.particle.max(other)));
        }
    }
    pairs.sort_unstable();
    pairs
}
