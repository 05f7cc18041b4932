//! What has come apart so far.

use super::fracture::cells;
use crate::model::Model;

/// The corners of all triangles once some have come apart.
///
/// Particles have names that never change: those of the whole model their number in it, n in all,
/// and n + k the k-th that came into being.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Torn {
    /// The particle of the whole model that each new one is a copy of.
    pub origins: Vec<u32>,
    /// Corners of all triangles by name, in the order of the whole model's. Those of lattices stay
    /// as they were: what surface they have follows from `cells`.
    pub triangles: Vec<[u32; 3]>,
    /// Corners of all cells of lattices by name, in the order of the whole model's.
    pub cells: Vec<[u32; 8]>,
    /// Edges of cells that are broken, by name, sorted.
    pub links: Vec<[u32; 2]>,
    /// Edges of the whole model's cells that ever broke, sorted. None breaks by stretch twice.
    pub spent: Vec<[u32; 2]>,
}

impl Torn {
    /// Nothing has.
    pub(crate) fn none(whole: &Model) -> Self {
        Self { triangles: whole.triangles.clone(), cells: cells(whole), ..Self::default() }
    }

    /// Whether a link of a lattice, by name, broke before.
    pub(crate) fn is_spent(&self, particles: usize, link: [u32; 2]) -> bool {
        let origins = link.map(|name| self.origin(particles, name));
        self.spent.binary_search(&origins).is_ok()
    }

    /// The particle of the whole model, which has `particles`, that a name is or is a copy of.
    pub(crate) fn origin(&self, particles: usize, name: u32) -> u32 {
        match (name as usize).checked_sub(particles) {
            None => name,
            Some(new) => self.origins[new],
        }
    }

    /// Whether this can have become of `whole`, or what speaks against it.
    pub fn fits(&self, whole: &Model) -> Result<(), String> {
        let count = whole.particle_count();
        let in_body =
            |p: &u32| whole.bodies.iter().any(|body| body.particles.contains(&(*p as usize)));
        if self.triangles.len() != whole.triangles.len() {
            return Err(format!(
                "it has {} triangles, not {}",
                self.triangles.len(),
                whole.triangles.len()
            ));
        }
        if !self.origins.iter().all(in_body) {
            return Err("a new point is the copy of none".to_owned());
        }
        let mut used = vec![false; count + self.origins.len()];
        for (corners, before) in self.triangles.iter().zip(&whole.triangles) {
            for (&name, &origin) in corners.iter().zip(before) {
                let known = (name as usize) < used.len();
                if !known || self.origin(count, name) != origin {
                    return Err("a triangle has another corner than in the scene".to_owned());
                }
                used[name as usize] = true;
            }
        }
        let cells = cells(whole);
        if self.cells.len() != cells.len() {
            return Err(format!("it has {} cells, not {}", self.cells.len(), cells.len()));
        }
        for (&name, &origin) in self.cells.as_flattened().iter().zip(cells.as_flattened()) {
            if name as usize >= used.len() || self.origin(count, name) != origin {
                return Err("a cell has another corner than in the scene".to_owned());
            }
            used[name as usize] = true;
        }
        let sorted = |links: &[[u32; 2]]| links.is_sorted();
        let ends = self.links.as_flattened().iter().all(|&name| (name as usize) < used.len());
        if !ends || !sorted(&self.links) || !sorted(&self.spent) {
            return Err("a broken link joins nothing".to_owned());
        }
        let unused = |name: usize| !used[name];
        let lost = whole.triangles.iter().flatten().any(|&p| unused(p as usize));
        if lost || (count..used.len()).any(unused) {
            return Err("a point has lost its triangles".to_owned());
        }
        Ok(())
    }
}

/// How many pieces the triangles form that hang together by shared particles.
pub fn pieces(particles: usize, triangles: &[[u32; 3]]) -> usize {
    let mut roots: Vec<u32> = (0..particles as u32).collect();
    for &[a, b, c] in triangles {
        for (p, q) in [(a, b), (b, c)] {
            join(&mut roots, p, q);
        }
    }
    let mut found: Vec<u32> = triangles.iter().map(|t| root(&mut roots, t[0])).collect();
    found.sort_unstable();
    found.dedup();
    found.len()
}

/// The least number of a set.
pub(super) fn root(roots: &mut [u32], of: u32) -> u32 {
    let mut at = of;
    while roots[at as usize] != at {
        roots[at as usize] = roots[roots[at as usize] as usize];
        at = roots[at as usize];
    }
    at
}

/// Makes one set of two.
pub(super) fn join(roots: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(roots, a), root(roots, b));
    roots[a.max(b) as usize] = a.min(b);
}
