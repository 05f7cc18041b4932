//! A mesh cut into cubes.

use glam::{DVec3, Vec3};
use thiserror::Error;

use super::connectivity::Lattice;
use super::overlap::triangle_in_cube;
use crate::colliders::NearestTriangle;

/// Cubes of a regular grid that are inside a closed mesh or touched by its surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Voxels {
    counts: [usize; 3],
    spacing: f64,
    origin: DVec3,
    kept: Vec<bool>,
}

/// Cells that the box of a mesh may have: sums then take less than half a gigabyte.
pub const MAX_CELLS: usize = 1 << 20;

/// Why there are no cells.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum VoxelError {
    /// No triangle, or none with points.
    #[error("the mesh has no triangles")]
    Empty,
    /// A coordinate is infinite or not a number, or the size of the mesh is.
    #[error("point {0} of the mesh is not finite")]
    NotFinite(usize),
    /// A triangle has a corner that is none of the points.
    #[error("triangle {0} of the mesh has a corner that is not among its points")]
    NoSuchPoint(usize),
    /// The spacing is not a positive number.
    #[error("spacing {0} m is not a positive number")]
    Spacing(f64),
    /// The mesh is thinner than the spacing everywhere.
    #[error("nothing fits inside the mesh at a spacing of {0} m: use less")]
    TooWide(f64),
    /// More than [`MAX_CELLS`].
    #[error(
        "spacing {spacing} m cuts the mesh into {cells:.3e} cells, more than {MAX_CELLS}: use {enough} m or more"
    )]
    TooMany {
        /// What was asked for. [m]
        spacing: f64,
        /// Cells that it would take.
        cells: f64,
        /// A spacing that is wide enough. [m]
        enough: f64,
    },
}

/// A mesh may reach beyond the cells by this part of one: what is a whole number of cells wide
/// must not get one more by rounding.
const SLACK: f64 = 1e-4;

impl Voxels {
    /// Cells of `spacing` [m] that are inside a mesh or touched by it. What an open mesh has inside
    /// is what it covers from more than half of all sides; which way triangles face does not
    /// matter as long as they agree.
    pub fn of_mesh(
        points: &[Vec3],
        triangles: &[[u32; 3]],
        spacing: f64,
    ) -> Result<Self, VoxelError> {
        let corners = corners(points, triangles)?;
        let (low, high) = corners
            .iter()
            .flatten()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
                (low.min(*p), high.max(*p))
            });
        let (counts, spacing) = counts((high - low).to_array(), spacing)?;
        let size = spacing * DVec3::from_array(counts.map(|n| n as f64));
        let origin = 0.5 * (low + high) - 0.5 * size;
        let all = counts.iter().product();
        let mut voxels = Self { counts, spacing, origin, kept: vec![false; all] };
        for triangle in &corners {
            voxels.keep_touched(*triangle);
        }
        voxels.keep_inside(&NearestTriangle::new(points, triangles));
        Ok(voxels)
    }

    /// Cells of the box along each axis.
    pub fn counts(&self) -> [usize; 3] {
        self.counts
    }

    /// Length of a cell's edges. [m]
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Least corner of the box. [m]
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Whether a cell is kept; those outside the box are not.
    pub fn is_kept(&self, [x, y, z]: [usize; 3]) -> bool {
        let [nx, ny, nz] = self.counts;
        x < nx && y < ny && z < nz && self.kept[(z * ny + y) * nx + x]
    }

    /// Number of cells that are kept.
    pub fn len(&self) -> usize {
        self.kept.iter().filter(|&&kept| kept).count()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The kept cells, in order.
    pub fn cells(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let [nx, ny, _] = self.counts;
        let kept = self.kept.iter().enumerate().filter(|(_, kept)| **kept);
        kept.map(move |(i, _)| [i % nx, i / nx % ny, i / (nx * ny)])
    }

    /// Corners of the kept cells, linked along their edges.
    pub fn lattice(&self) -> Lattice {
        let nodes = self.counts.map(|n| n + 1);
        let mut used = vec![false; nodes.iter().product()];
        for [x, y, z] in self.cells() {
            for corner in 0..8usize {
                let (i, j, k) = (x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2));
                used[(k * nodes[1] + j) * nodes[0] + i] = true;
            }
        }
        let vertices = (0u32..).zip(&used).filter(|(_, used)| **used).map(|(node, _)| node);
        let at = (self.spacing, self.origin);
        let mut lattice = Lattice::with_nodes(nodes, at, vertices.collect());
        self.cells().for_each(|cell| lattice.add_cell(cell));
        lattice
    }

    /// The vertices of each kept cell, in order; bit d of a corner's number says where it is along
    /// axis d. `lattice` is that of these cells.
    pub fn corners_in(&self, lattice: &Lattice) -> Vec<[u32; 8]> {
        let corner = |cell: [usize; 3], k: usize| {
            let at = [0, 1, 2].map(|d| cell[d] + (k >> d & 1));
            lattice.vertex_at(at).map_or(0, |v| v as u32)
        };
        let corners = |cell| [0, 1, 2, 3, 4, 5, 6, 7].map(|k| corner(cell, k));
        self.cells().map(corners).collect()
    }

    /// Keeps more cells until none touch only along an edge or in a corner: the surface then has
    /// two squares at every edge.
    pub fn join_touching(&mut self) {
        let [nx, ny, nz] = self.counts;
        let place = |[x, y, z]: [usize; 3]| (z * ny + y) * nx + x;
        let mut again = true;
        while std::mem::take(&mut again) {
            for z in 0..nz {
                for (x, y) in (0..ny).flat_map(|y| (0..nx).map(move |x| (x, y))) {
                    let high = [x, y, z];
                    let around: [Option<usize>; 8] = std::array::from_fn(|k| {
                        let inside = (0..3).all(|d| k >> d & 1 == 1 || high[d] > 0);
                        inside.then(|| place([0, 1, 2].map(|d| high[d] + (k >> d & 1) - 1)))
                    });
                    let kept = around.map(|cell| cell.is_some_and(|cell| self.kept[cell]));
                    if let Some(more) = lacking(kept) {
                        for (cell, _) in around.iter().zip(more).filter(|(_, more)| *more) {
                            again |= cell.is_some();
                            cell.iter().for_each(|&cell| self.kept[cell] = true);
                        }
                    }
                }
            }
        }
    }

    /// The middle of a cell. [m]
    fn centre(&self, cell: [usize; 3]) -> DVec3 {
        self.origin + self.spacing * DVec3::from_array(cell.map(|i| i as f64 + 0.5))
    }

    fn keep_touched(&mut self, triangle: [DVec3; 3]) {
        let [a, b, c] = triangle.map(|p| (p - self.origin) / self.spacing);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let [nx, ny, _] = self.counts;
        let first =
            [0, 1, 2].map(|d| ((low[d] - SLACK).floor().max(0.0) as usize).min(self.counts[d]));
        let end = [0, 1, 2].map(|d| ((high[d] + SLACK).floor() as usize + 1).min(self.counts[d]));
        for z in first[2]..end[2] {
            for (x, y) in (first[1]..end[1]).flat_map(|y| (first[0]..end[0]).map(move |x| (x, y))) {
                let i = (z * ny + y) * nx + x;
                let half = 0.5 * self.spacing * (1.0 - SLACK);
                if !self.kept[i] && triangle_in_cube(triangle, self.centre([x, y, z]), half) {
                    self.kept[i] = true;
                }
            }
        }
    }

    /// Cells that are not touched hang together in rooms, each inside or outside as a whole.
    fn keep_inside(&mut self, surface: &NearestTriangle) {
        let [nx, ny, nz] = self.counts;
        let steps = [1, nx, nx * ny];
        let mut seen = self.kept.clone();
        let mut room = Vec::new();
        for first in 0..seen.len() {
            if seen[first] {
                continue;
            }
            seen[first] = true;
            room.clear();
            room.push(first);
            let mut open = 0;
            while let Some(&i) = room.get(open) {
                open += 1;
                let at = [i % nx, i / nx % ny, i / (nx * ny)];
                for axis in 0..3 {
                    let (first, last) = (at[axis] == 0, at[axis] + 1 == [nx, ny, nz][axis]);
                    let up = (!last).then(|| i + steps[axis]);
                    let down = (!first).then(|| i - steps[axis]);
                    for next in [up, down].into_iter().flatten() {
                        if !seen[next] {
                            seen[next] = true;
                            room.push(next);
                        }
                    }
                }
            }
            let middle = room[room.len() / 2];
            let at = self.centre([middle % nx, middle / nx % ny, middle / (nx * ny)]);
            if surface.encloses(at) {
                room.iter().for_each(|&i| self.kept[i] = true);
            }
        }
    }
}

/// Which of the eight cells round a node must be kept as well, so that those that are hang together
/// there by faces.
fn lacking(kept: [bool; 8]) -> Option<[bool; 8]> {
    let mut more = [false; 8];
    for (k, axes) in (0..8usize).flat_map(|k| [3usize, 5, 6].map(|axes| (k, axes))) {
        // Two across an edge, and neither of the two beside.
        let low = axes & axes.wrapping_neg();
        let crossed = kept[k] && kept[k ^ axes] && !kept[k ^ low] && !kept[k ^ axes ^ low];
        if crossed {
            more[k ^ low] = true;
            return Some(more);
        }
    }
    let first = kept.iter().position(|&kept| kept)?;
    let mut reached = [false; 8];
    reached[first] = true;
    for _ in 0..7 {
        for k in 0..8usize {
            reached[k] |= kept[k] && [1, 2, 4].iter().any(|d| reached[k ^ d]);
        }
    }
    (reached != kept).then(|| kept.map(|kept| !kept))
}

/// Corners of all triangles, if there are any and all are places.
pub(crate) fn corners(
    points: &[Vec3],
    triangles: &[[u32; 3]],
) -> Result<Vec<[DVec3; 3]>, VoxelError> {
    if triangles.is_empty() {
        return Err(VoxelError::Empty);
    }
    let mut corners = Vec::with_capacity(triangles.len());
    for (t, triangle) in triangles.iter().enumerate() {
        let mut at = [DVec3::ZERO; 3];
        for (to, &i) in at.iter_mut().zip(triangle) {
            let point = points.get(i as usize).ok_or(VoxelError::NoSuchPoint(t))?;
            if !point.is_finite() {
                return Err(VoxelError::NotFinite(i as usize));
            }
            *to = point.as_dvec3();
        }
        corners.push(at);
    }
    Ok(corners)
}

/// Cells along each axis for a mesh of this size.
pub(crate) fn counts(size: [f64; 3], spacing: f64) -> Result<([usize; 3], f64), VoxelError> {
    if !(spacing > 0.0 && spacing.is_finite()) {
        return Err(VoxelError::Spacing(spacing));
    }
    let wanted = size.map(|s| (s / spacing - SLACK).ceil().max(1.0));
    let cells = wanted[0] * wanted[1] * wanted[2];
    if !(cells <= MAX_CELLS as f64) {
        let mut enough = spacing;
        let needs = |h: f64| size.map(|s| (s / h - SLACK).ceil().max(1.0)).iter().product::<f64>();
        while !(needs(enough) <= MAX_CELLS as f64) {
            enough *= 1.25;
        }
        return Err(VoxelError::TooMany { spacing, cells, enough });
    }
    Ok((wanted.map(|n| n as usize), spacing))
}
