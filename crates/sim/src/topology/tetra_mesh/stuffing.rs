//! The lattice cut at the surface.

use std::collections::BTreeMap;

use glam::DVec3;

use super::TetraMesh;
use super::bcc::Bcc;
use crate::colliders::NearestTriangle;
use crate::parallel::for_each_heavy_part;

/// A point of the lattice moves onto the surface if that cuts an edge nearer than this part of its
/// length: along edges of cubes, and from corners to centres. Labelle and Shewchuk 2007, table 1.
const NEAR_LONG: f64 = 0.24999;
const NEAR_SHORT: f64 = 0.41189;

/// Fills what a surface encloses.
pub(super) fn stuff(lattice: &Bcc, surface: &NearestTriangle) -> TetraMesh {
    let mut cutter = Cutter::new(lattice, surface);
    cutter.warp();
    lattice.for_each_tetra(|tetra| cutter.cut(tetra));
    cutter.mesh()
}

struct Cutter<'a> {
    lattice: &'a Bcc,
    /// Where nodes are, then where edges are cut. [m]
    places: Vec<DVec3>,
    /// Distance inside the surface of nodes, none where they lie on it. [m]
    depths: Vec<f64>,
    /// The place of each cut, by its edge.
    cuts: BTreeMap<[u32; 2], u32>,
    tetras: Vec<[u32; 4]>,
}

impl<'a> Cutter<'a> {
    fn new(lattice: &'a Bcc, surface: &NearestTriangle) -> Self {
        let places: Vec<DVec3> = (0..lattice.len() as u32).map(|n| lattice.place(n)).collect();
        let mut depths = vec![0.0; places.len()];
        for_each_heavy_part(depths.as_mut_slice(), 64, &|first, part: &mut [f64]| {
            let mut guess = 0;
            for (depth, place) in part.iter_mut().zip(&places[first..]) {
                let distance = surface.distance(*place, &mut guess);
                *depth = if surface.encloses(*place) { distance } else { -distance };
            }
        });
        Self { lattice, places, depths, cuts: BTreeMap::new(), tetras: Vec::new() }
    }

    /// Moves points that are near a cut of one of their edges to the nearest such cut.
    fn warp(&mut self) {
        let mut edges = Vec::new();
        let depths = &self.depths;
        self.lattice.for_each_tetra(|t| {
            for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                if depths[t[i] as usize] * depths[t[j] as usize] < 0.0 {
                    edges.push([t[i], t[j]]);
                    edges.push([t[j], t[i]]);
                }
            }
        });
        edges.sort_unstable();
        edges.dedup();
        for group in edges.chunk_by(|a, b| a[0] == b[0]) {
            let node = group[0][0] as usize;
            let mut nearest: Option<(f64, DVec3)> = None;
            for &[_, other] in group {
                let (a, b) = (self.depths[node], self.depths[other as usize]);
                // The other end may lie on the surface by now.
                if !(a * b < 0.0) {
                    continue;
                }
                let way = self.lattice.place(other) - self.lattice.place(node as u32);
                let same = self.lattice.is_centre(node as u32) == self.lattice.is_centre(other);
                let part = a / (a - b);
                if part < if same { NEAR_LONG } else { NEAR_SHORT } {
                    let length = part * way.length();
                    if nearest.is_none_or(|(least, _)| length < least) {
                        nearest = Some((length, self.places[node] + way * part));
                    }
                }
            }
            if let Some((_, place)) = nearest {
                self.places[node] = place;
                self.depths[node] = 0.0;
            }
        }
    }

    /// Keeps the part of a tetrahedron that is inside.
    fn cut(&mut self, tetra: [u32; 4]) {
        let sign = |v: u32| self.depths[v as usize].partial_cmp(&0.0).map_or(0, |o| o as i8);
        let (mut inside, mut on, mut outside) = (Vec::new(), Vec::new(), Vec::new());
        for v in tetra {
            match sign(v) {
                1 => inside.push(v),
                0 => on.push(v),
                _ => outside.push(v),
            }
        }
        if inside.is_empty() {
            return;
        }
        if outside.is_empty() {
            self.add(tetra);
            return;
        }
        let (a, z) = (inside[0], outside[0]);
        match (inside.len(), outside.len()) {
            (1, _) => {
                let far = outside.iter().map(|&o| self.cut_of(a, o));
                let all: Vec<u32> = [a].into_iter().chain(on.iter().copied()).chain(far).collect();
                self.add([all[0], all[1], all[2], all[3]]);
            }
            // A pyramid over the trapezium of the two insides and their cuts.
            (2, 1) => {
                let b = inside[1];
                let quad = [a, b, self.cut_of(b, z), self.cut_of(a, z)];
                self.add_pyramid(on[0], quad);
            }
            // Prisms: between a corner that is cut off and the face across, or between two edges.
            (3, _) => {
                let top = [0, 1, 2].map(|i| inside[i]);
                let cuts = top.map(|v| self.cut_of(v, z));
                self.add_prism(top, cuts);
            }
            _ => {
                let (b, y) = (inside[1], outside[1]);
                let first = [a, self.cut_of(a, z), self.cut_of(a, y)];
                let second = [b, self.cut_of(b, z), self.cut_of(b, y)];
                self.add_prism(first, second);
            }
        }
    }

    /// The point where the edge from one node to another meets the surface.
    fn cut_of(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (a.min(b), a.max(b));
        let next = self.places.len() as u32;
        let cut = *self.cuts.entry([a, b]).or_insert(next);
        if cut == next {
            let (p, q) = (self.places[a as usize], self.places[b as usize]);
            let (s, t) = (self.depths[a as usize], self.depths[b as usize]);
            self.places.push(p + (q - p) * (s / (s - t)));
        }
        cut
    }

    /// A four-sided face is halved from its corner of least number, so that both its sides agree.
    fn add_pyramid(&mut self, apex: u32, quad: [u32; 4]) {
        let first = least(&quad);
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| quad[(first + i) % 4]);
        self.add([apex, a, b, c]);
        self.add([apex, a, c, d]);
    }

    /// A prism between two triangles, corner to corner: one tetrahedron over the triangle across
    /// from the corner of least number, and a pyramid over the face across from its edge.
    fn add_prism(&mut self, first: [u32; 3], second: [u32; 3]) {
        let all = [first[0], first[1], first[2], second[0], second[1], second[2]];
        let k = least(&all);
        let (near, far) = if k < 3 { (first, second) } else { (second, first) };
        let k = k % 3;
        let (l, m) = ((k + 1) % 3, (k + 2) % 3);
        self.add([near[k], far[0], far[1], far[2]]);
        self.add_pyramid(near[k], [near[l], near[m], far[m], far[l]]);
    }

    /// Adds a tetrahedron the right way round.
    fn add(&mut self, tetra: [u32; 4]) {
        let [a, b, c, d] = tetra;
        let at = tetra.map(|v| self.places[v as usize]);
        let volume = (at[1] - at[0]).dot((at[2] - at[0]).cross(at[3] - at[0]));
        self.tetras.push(if volume > 0.0 { [a, b, c, d] } else { [a, b, d, c] });
    }

    /// All that is used, numbered anew in the same order.
    fn mesh(self) -> TetraMesh {
        let mut number = vec![None; self.places.len()];
        self.tetras.iter().flatten().for_each(|&v| number[v as usize] = Some(0));
        let mut points = Vec::new();
        for (number, place) in number.iter_mut().zip(&self.places) {
            if let Some(number) = number {
                *number = points.len() as u32;
                points.push(place.as_vec3());
            }
        }
        let numbered = |t: [u32; 4]| t.map(|v| number[v as usize].unwrap_or_default());
        let mut mesh =
            TetraMesh { points, tetras: self.tetras.into_iter().map(numbered).collect() };
        // What f32 makes of a tetrahedron is what counts.
        let flat = self.lattice.spacing.powi(3) * 1e-6;
        let kept: Vec<_> =
            mesh.tetras.iter().copied().filter(|&t| mesh.volume_of(t) > flat).collect();
        mesh.tetras = kept;
        mesh
    }
}

/// The place of the least number.
fn least(of: &[u32]) -> usize {
    (0..of.len()).fold(0, |best, i| if of[i] < of[best] { i } else { best })
}
