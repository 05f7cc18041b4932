//! A warp/weft grid laid over the flat pattern of a mesh, and the ways between them.

use std::ops::Range;

use glam::{DVec2, Vec3};

use crate::elements::{Spring, Tie, TieEnd};
use crate::model::Model;
use crate::parallel::for_each_part;
use crate::simd::{Kernel, dispatch};
use crate::soa::{Soa3, Soa3Mut, Soa3Ref};

use super::panel::{Panel, doubled};

/// Which nodes carry which particles.
#[derive(Debug)]
pub(super) struct Embedding {
    /// Nodes along both axes.
    pub counts: [usize; 2],
    /// Distances between them. [m]
    pub spacing: [f64; 2],
    /// Whether each node carries anything.
    pub active: Vec<bool>,
    /// The cell of each particle, by its first node, and the place in it.
    cells: Vec<(u32, [f32; 2])>,
    /// For each node the triangle that it lies in or nearest to, and the shares of its
    /// corners; zeros where it carries nothing.
    sources: Vec<([u32; 3], [f32; 3])>,
    /// For each node where its entries start.
    starts: Vec<u32>,
    /// Particles that a node carries, with their shares in it.
    entries: Vec<(u32, f32)>,
}

/// Cells are this much wider than the mesh is fine: then every node carries some particles.
const COARSER: f64 = 1.6;

/// Cells along the longer side at most.
const MOST_CELLS: f64 = 95.0;

/// Cells along either side at least: a mesh too coarse for that is better solved itself.
const FEWEST_CELLS: usize = 8;

/// Places nearer to a node than this part of a cell are that node.
const SNAP: f64 = 1e-4;

impl Embedding {
    /// A grid for `panel`; `None` if the mesh is too coarse or covers itself.
    pub fn of(panel: &Panel) -> Option<Self> {
        let mut used = vec![false; panel.places.len()];
        panel.triangles.iter().flatten().for_each(|&i| used[i as usize] = true);
        let count = used.iter().filter(|&&u| u).count();
        let fine = (panel.area / count.max(1) as f64).sqrt();
        let cell = (COARSER * fine).max(panel.extent.max_element() / MOST_CELLS);
        let cells = [panel.extent.x, panel.extent.y].map(|e| (e / cell).round() as usize);
        if cells.iter().any(|&n| n < FEWEST_CELLS) {
            return None;
        }
        let counts = cells.map(|n| n + 1);
        let spacing = [panel.extent.x / cells[0] as f64, panel.extent.y / cells[1] as f64];
        let mut out = Self {
            counts,
            spacing,
            active: vec![false; counts[0] * counts[1]],
            cells: Vec::with_capacity(used.len()),
            sources: vec![([0; 3], [0.0; 3]); counts[0] * counts[1]],
            starts: Vec::new(),
            entries: Vec::new(),
        };
        for (&place, &used) in panel.places.iter().zip(&used) {
            out.cells.push(out.cell_of(place));
            let (node, at) = out.cells[out.cells.len() - 1];
            if used {
                let nodes = out.nodes(node);
                shares(at).iter().zip(nodes).for_each(|(&w, n)| out.active[n] |= w > 0.0);
            }
        }
        out.find_sources(panel)?;
        out.list_entries(&used);
        Some(out)
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.counts[0] * self.counts[1]
    }

    /// The four nodes of a particle and their shares.
    pub fn carriers(&self, particle: usize) -> [(usize, f32); 4] {
        let (first, at) = self.cells[particle];
        let (nodes, shares) = (self.nodes(first), shares(at));
        std::array::from_fn(|k| (nodes[k], shares[k]))
    }

    /// Particles that a node carries, with their shares in it.
    pub fn carried(&self, node: usize) -> &[(u32, f32)] {
        self.carried_from(node).1
    }

    /// The same, with where they stand among those of all nodes.
    pub fn carried_from(&self, node: usize) -> (usize, &[(u32, f32)]) {
        let (start, end) = (self.starts[node] as usize, self.starts[node + 1] as usize);
        (start, &self.entries[start..end])
    }

    /// Positions and velocities of the particles out of those of the nodes, six numbers each
    /// and two of padding: all that a particle needs of a node is one load.
    pub fn carry(&self, nodes: &[Node], x: Soa3Mut<'_>, v: Soa3Mut<'_>) {
        let ni = self.counts[0];
        let parts = (x, v, self.cells.as_slice());
        for_each_part(parts, 1, &|_, (x, v, cells): (Soa3Mut, Soa3Mut, &[_])| {
            dispatch(Carry { nodes, ni, cells, x, v });
        });
    }

    /// Values at the nodes that give the particles theirs, as nearly as a grid can.
    pub fn fit(&self, particles: Soa3Ref<'_>, nodes: &mut Soa3Mut<'_>) {
        for (node, (corners, shares)) in self.sources.iter().enumerate() {
            let base = particles.get(corners[0] as usize);
            let more = |k: usize| (particles.get(corners[k] as usize) - base) * shares[k];
            nodes.set(node, base + more(1) + more(2));
        }
    }

    fn nodes(&self, first: u32) -> [usize; 4] {
        let (a, ni) = (first as usize, self.counts[0]);
        [a, a + 1, a + ni, a + ni + 1]
    }

    fn cell_of(&self, place: DVec2) -> (u32, [f32; 2]) {
        let along = |axis: usize| {
            let at = place[axis] / self.spacing[axis];
            let cell = at.floor().clamp(0.0, (self.counts[axis] - 2) as f64);
            let part = (at - cell).clamp(0.0, 1.0);
            let nearest = part.round();
            let part = if (part - nearest).abs() < SNAP { nearest } else { part };
            (cell as usize, part as f32)
        };
        let ((i, u), (j, v)) = (along(0), along(1));
        ((j * self.counts[0] + i) as u32, [u, v])
    }

    /// The triangle of each active node. `None` if two lie over each other.
    fn find_sources(&mut self, panel: &Panel) -> Option<()> {
        let mean = panel.area / panel.triangles.len() as f64;
        let mut nearest = vec![f64::INFINITY; self.len()];
        let [ni, nj] = self.counts;
        for &t in &panel.triangles {
            let corners = t.map(|i| panel.places[i as usize]);
            let area = doubled(&panel.places, t);
            // The corners of a sliver say nothing of what lies beside it.
            let sliver = area.abs() < 0.1 * mean;
            let reach = if sliver { 0.0 } else { 1.5 };
            let range = |axis: usize, n: usize| {
                let low = corners.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
                let high = corners.iter().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max);
                let first = (low / self.spacing[axis] - reach).ceil().max(0.0) as usize;
                let end = (high / self.spacing[axis] + reach).floor().max(-1.0) + 1.0;
                first..(end as usize).min(n)
            };
            let (columns, rows) = (range(0, ni), range(1, nj));
            for (i, j) in rows.flat_map(|j| columns.clone().map(move |i| (i, j))) {
                let node = j * ni + i;
                if !self.active[node] || area == 0.0 {
                    continue;
                }
                let at = DVec2::new(i as f64 * self.spacing[0], j as f64 * self.spacing[1]);
                let share = |p: DVec2, q: DVec2| (p - at).perp_dot(q - at) / area;
                let [a, b, c] = corners;
                let shares = [share(b, c), share(c, a), share(a, b)];
                let least = shares.into_iter().fold(f64::INFINITY, f64::min);
                if least > 1e-6 && nearest[node] < 0.0 {
                    return None;
                }
                // Inside: below zero, the more so the further in. Outside: the distance.
                let far = if least >= 0.0 { -least } else { distance(at, corners) };
                if far < nearest[node] && (least >= -1e-9 || !sliver) {
                    nearest[node] = far;
                    self.sources[node] = (t, shares.map(|s| s as f32));
                }
            }
        }
        let found =
            nearest.iter().zip(&self.active).all(|(far, active)| !active || far.is_finite());
        found.then_some(())
    }

    fn list_entries(&mut self, used: &[bool]) {
        let mut lists = vec![Vec::new(); self.len()];
        for (particle, _) in used.iter().enumerate().filter(|(_, used)| **used) {
            for (node, share) in self.carriers(particle).into_iter().filter(|c| c.1 > 0.0) {
                lists[node].push((particle as u32, share));
            }
        }
        self.starts = vec![0];
        for list in &lists {
            self.entries.extend(list);
            self.starts.push(self.entries.len() as u32);
        }
    }
}

/// Position and velocity of a node.
pub(super) type Node = [f32; 8];

struct Carry<'a> {
    nodes: &'a [Node],
    ni: usize,
    cells: &'a [(u32, [f32; 2])],
    x: Soa3Mut<'a>,
    v: Soa3Mut<'a>,
}

impl Kernel for Carry<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { nodes, ni, cells, mut x, mut v } = self;
        for (i, &(first, [u, w])) in cells.iter().enumerate() {
            let at = first as usize;
            let ([a, b], [c, d]) =
                ([nodes[at], nodes[at + 1]], [nodes[at + ni], nodes[at + ni + 1]]);
            let mut out = [0.0; 8];
            for k in 0..8 {
                let (near, far) = (a[k] + u * (b[k] - a[k]), c[k] + u * (d[k] - c[k]));
                out[k] = near + w * (far - near);
            }
            x.set(i, Vec3::new(out[0], out[1], out[2]));
            v.set(i, Vec3::new(out[3], out[4], out[5]));
        }
    }
}

/// Shares of the four nodes of a cell in a place within it.
fn shares([u, v]: [f32; 2]) -> [f32; 4] {
    [(1.0 - u) * (1.0 - v), u * (1.0 - v), (1.0 - u) * v, u * v]
}

/// From a point outside a triangle to it. [m]
fn distance(p: DVec2, [a, b, c]: [DVec2; 3]) -> f64 {
    let to_side = |a: DVec2, b: DVec2| {
        let along = b - a;
        let part = (along.dot(p - a) / along.length_squared()).clamp(0.0, 1.0);
        (a + along * part - p).length()
    };
    to_side(a, b).min(to_side(b, c)).min(to_side(c, a))
}

/// Whether nothing is sewn, tied or sprung to these particles from without.
pub(super) fn stands_alone(model: &Model, particles: &Range<usize>) -> bool {
    let inside = |particle: u32| particles.contains(&(particle as usize));
    let tied = |tie: &Tie| {
        inside(tie.particle) || matches!(tie.end, TieEnd::Particle(other) if inside(other))
    };
    let sprung = |spring: &Spring| inside(spring.ends[0]) != inside(spring.ends[1]);
    !model.ties.iter().any(tied) && !model.springs.springs().iter().any(sprung)
}

/// The largest difference of a coordinate between two sets of points. [m]
pub(super) fn farthest(a: Soa3Ref<'_>, b: &Soa3) -> f32 {
    let of = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    of(a.x, &b.x).max(of(a.y, &b.y)).max(of(a.z, &b.z))
}
