//! Whether triangles close a volume, and how to make them do so.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::colliders::forms::Triangles;

/// Why triangles do not enclose a volume, by vertex or triangle number counted from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Openings {
    /// Edges with one triangle.
    pub open: Vec<[u32; 2]>,
    /// Edges with more than two.
    pub crowded: Vec<[u32; 2]>,
    /// Edges whose two triangles run along them the same way: one of them is turned over.
    pub flipped: Vec<[u32; 2]>,
    /// Whether all triangles of a part face inwards.
    pub inside_out: bool,
}

impl Openings {
    /// What is wrong with triangles.
    pub fn of(mesh: &Triangles) -> Self {
        let mut out = Self::default();
        for (edge, runs) in sides(&mesh.triangles) {
            match runs.as_slice() {
                [_] => out.open.push(edge),
                [(_, a), (_, b)] if a == b => out.flipped.push(edge),
                [_, _] => {}
                _ => out.crowded.push(edge),
            }
        }
        out.inside_out = out.is_sound() && {
            let parts = Parts::new(mesh);
            // A hollow has its inner side turned to it: only the outermost part counts.
            (0..parts.count).map(|part| parts.volume(mesh, part)).sum::<f64>() < 0.0
        };
        out
    }

    /// The same with vertices that have other numbers.
    pub fn renumbered(mut self, number: impl Fn(u32) -> u32) -> Self {
        for edges in [&mut self.open, &mut self.crowded, &mut self.flipped] {
            edges.iter_mut().for_each(|edge| *edge = edge.map(&number));
        }
        self
    }

    /// Whether a volume is enclosed.
    pub fn is_sound(&self) -> bool {
        self.open.is_empty()
            && self.crowded.is_empty()
            && self.flipped.is_empty()
            && !self.inside_out
    }

    /// One sentence a fault, naming the first few.
    pub fn sentences(&self) -> Vec<String> {
        let list = |edges: &[[u32; 2]]| {
            let shown: Vec<String> =
                edges.iter().take(5).map(|[a, b]| format!("{a}–{b}")).collect();
            let more = if edges.len() > 5 { ", …" } else { "" };
            format!("{}{more}", shown.join(", "))
        };
        let mut out = Vec::new();
        let mut say = |edges: &[[u32; 2]], what: &str| {
            if !edges.is_empty() {
                out.push(format!("{} {what}: {}", edges.len(), list(edges)));
            }
        };
        say(&self.open, "edges border a hole");
        say(&self.crowded, "edges have more than two faces");
        say(&self.flipped, "edges join faces of which one is turned over");
        if self.inside_out {
            out.push("its faces look inwards".to_owned());
        }
        out
    }
}

/// Each edge, lower number first, with its triangles and whether they run from lower to higher.
fn sides(triangles: &[[u32; 3]]) -> BTreeMap<[u32; 2], Vec<(u32, bool)>> {
    let mut sides: BTreeMap<[u32; 2], Vec<(u32, bool)>> = BTreeMap::new();
    for (index, &[a, b, c]) in (0u32..).zip(triangles) {
        for [p, q] in [[a, b], [b, c], [c, a]] {
            sides.entry([p.min(q), p.max(q)]).or_default().push((index, p < q));
        }
    }
    sides
}

/// Triangles joined by edges.
struct Parts {
    of: Vec<u32>,
    count: u32,
}

impl Parts {
    fn new(mesh: &Triangles) -> Self {
        let mut parts = Self { of: vec![u32::MAX; mesh.triangles.len()], count: 0 };
        let sides = sides(&mesh.triangles);
        let neighbours = |t: u32| {
            let [a, b, c] = mesh.triangles[t as usize];
            let edges = [[a, b], [b, c], [c, a]].map(|[p, q]| [p.min(q), p.max(q)]);
            edges.into_iter().filter_map(|edge| sides.get(&edge)).flatten().map(|&(other, _)| other)
        };
        for first in 0..mesh.triangles.len() as u32 {
            if parts.of[first as usize] != u32::MAX {
                continue;
            }
            let mut stack = vec![first];
            while let Some(t) = stack.pop() {
                if std::mem::replace(&mut parts.of[t as usize], parts.count) == u32::MAX {
                    stack.extend(neighbours(t).filter(|&n| parts.of[n as usize] == u32::MAX));
                }
            }
            parts.count += 1;
        }
        parts
    }

    fn volume(&self, mesh: &Triangles, part: u32) -> f64 {
        let own = mesh.triangles.iter().zip(&self.of).filter(|(_, of)| **of == part);
        let six = own.map(|(t, _)| {
            let [a, b, c] = t.map(|v| mesh.points[v as usize].as_dvec3());
            a.dot(b.cross(c))
        });
        six.sum::<f64>() / 6.0
    }
}

/// Turns triangles so that neighbours agree and parts face outwards, and closes holes by a point in
/// their middle. Edges with more than two triangles stay as they are.
pub fn close(mesh: &mut Triangles) {
    orient(mesh);
    fill(mesh);
    orient(mesh);
}

fn orient(mesh: &mut Triangles) {
    let sides = sides(&mesh.triangles);
    let mut turned: Vec<Option<bool>> = vec![None; mesh.triangles.len()];
    for first in 0..mesh.triangles.len() {
        if turned[first].is_some() {
            continue;
        }
        turned[first] = Some(false);
        let mut stack = vec![first as u32];
        while let Some(t) = stack.pop() {
            let own = turned[t as usize] == Some(true);
            let [a, b, c] = mesh.triangles[t as usize];
            for [p, q] in [[a, b], [b, c], [c, a]] {
                let Some(&[one, other]) = sides
                    .get(&[p.min(q), p.max(q)])
                    .map(Vec::as_slice)
                    .and_then(|s| s.first_chunk())
                else {
                    continue;
                };
                let ((_, run), (next, way)) = if one.0 == t { (one, other) } else { (other, one) };
                if turned[next as usize].is_none() {
                    turned[next as usize] = Some(own ^ (run == way));
                    stack.push(next);
                }
            }
        }
    }
    for (triangle, turned) in mesh.triangles.iter_mut().zip(&turned) {
        if *turned == Some(true) {
            triangle.swap(1, 2);
        }
    }
    let parts = Parts::new(mesh);
    let inward: Vec<bool> = (0..parts.count).map(|part| parts.volume(mesh, part) < 0.0).collect();
    for (triangle, &part) in mesh.triangles.iter_mut().zip(&parts.of) {
        if inward[part as usize] {
            triangle.swap(1, 2);
        }
    }
}

fn fill(mesh: &mut Triangles) {
    // From each open edge the way that the missing triangle runs.
    let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for ([a, b], runs) in sides(&mesh.triangles) {
        if let [(_, forwards)] = runs.as_slice() {
            let (from, to) = if *forwards { (b, a) } else { (a, b) };
            next.entry(from).or_default().push(to);
        }
    }
    while let Some((&start, _)) = next.iter().next() {
        let mut path = vec![start];
        while let Some(to) = path.last().and_then(|at| take(&mut next, *at)) {
            // Where the way comes back to itself it has gone round a hole.
            match path.iter().position(|&v| v == to) {
                Some(first) => {
                    let ring: Vec<u32> = path.drain(first..).collect();
                    patch(mesh, &ring);
                    path.push(to);
                }
                None => path.push(to),
            }
        }
    }
}

/// One of the ways on from a point.
fn take(next: &mut BTreeMap<u32, Vec<u32>>, from: u32) -> Option<u32> {
    let ways = next.get_mut(&from)?;
    let to = ways.pop();
    if ways.is_empty() {
        next.remove(&from);
    }
    to
}

/// Closes the hole inside a ring.
fn patch(mesh: &mut Triangles, ring: &[u32]) {
    match *ring {
        [a, b, c] => mesh.triangles.push([a, b, c]),
        [_, _, _, ..] => {
            let sum: Vec3 = ring.iter().map(|&v| mesh.points[v as usize]).sum();
            let middle = mesh.points.len() as u32;
            mesh.points.push(sum / ring.len() as f32);
            for k in 0..ring.len() {
                mesh.triangles.push([ring[k], ring[(k + 1) % ring.len()], middle]);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colliders::forms::{cuboid, torus};

    #[test]
    fn what_is_closed_is_sound_and_what_is_not_is_named() {
        let ring = torus(1.0, 0.3, [12, 8]);
        assert!(Openings::of(&ring).is_sound());
        let mut open = ring.clone();
        let [a, b, _] = open.triangles.pop().unwrap();
        let found = Openings::of(&open);
        assert_eq!(found.open.len(), 3);
        assert!(found.open.contains(&[a.min(b), a.max(b)]));
        let mut turned = ring.clone();
        turned.triangles[5].swap(0, 1);
        assert_eq!(Openings::of(&turned).flipped.len(), 3);
        let mut inside_out = ring.clone();
        inside_out.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        assert!(Openings::of(&inside_out).inside_out);
    }

    #[test]
    fn holes_are_closed_and_faces_turned_round() {
        for whole in [torus(1.0, 0.3, [12, 8]), cuboid(Vec3::ONE, [3, 3, 3])] {
            let mut mesh = whole.clone();
            for t in [3, 4, 11, 12] {
                mesh.triangles[t].swap(0, 1);
            }
            mesh.triangles.drain(20..26);
            mesh.triangles.iter_mut().for_each(|t| t.swap(0, 1));
            assert!(!Openings::of(&mesh).is_sound());
            close(&mut mesh);
            assert_eq!(Openings::of(&mesh), Openings::default());
            assert!((mesh.volume() / whole.volume() - 1.0).abs() < 0.1, "{}", mesh.volume());
        }
    }
}
