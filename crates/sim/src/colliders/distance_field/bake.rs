//! From a closed mesh to samples.

use std::sync::Arc;

use glam::DVec3;

use super::DistanceField;
use super::grid::Grid;
use crate::aabb::Aabb;
use crate::colliders::ColliderMesh;
use crate::colliders::forms::Triangles;
use crate::colliders::nearest::NearestTriangle;
use crate::parallel::for_each_heavy_part;

/// Most nodes of a grid: 64 MiB of samples.
pub const MAX_NODES: u64 = 16 << 20;

/// Cells along the longest side, unless told otherwise.
const CELLS: f64 = 64.0;

/// Cells beyond the mesh and the contact offset on every side: no path from outside begins
/// in contact.
const MARGIN: f64 = 2.0;

/// Why a mesh makes no field.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FieldError {
    /// It has a border.
    #[error("is not closed: {edges} edges have a triangle on one side only")]
    Open {
        /// How many.
        edges: usize,
    },
    /// It has no inside.
    #[error("encloses nothing")]
    Flat,
    /// The cells are too small for it.
    #[error("takes {nodes} nodes; {MAX_NODES} is the most")]
    TooLarge {
        /// How many nodes.
        nodes: u64,
        /// Size of a cell that would do. [m]
        cell: f64,
    },
}

impl DistanceField {
    /// Samples the distance to a closed mesh, for points kept up to `offset` [m] off it; cells of
    /// size `cell` [m], or 1/64 of the longest side.
    pub fn new(mesh: &Triangles, cell: Option<f64>, offset: f64) -> Result<Self, FieldError> {
        let edges = mesh.open_edges().len();
        if edges > 0 {
            return Err(FieldError::Open { edges });
        }
        let bounds = Aabb::around(mesh.points.iter().copied());
        let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        let longest = (high - low).max_element();
        let cell = cell.unwrap_or(longest / CELLS);
        if !(longest > 0.0 && cell > 0.0) {
            return Err(FieldError::Flat);
        }
        let margin = DVec3::splat(offset + MARGIN * cell);
        let cells = ((high - low + 2.0 * margin) / cell).ceil();
        let count = |scale: f64| (cells / scale + 1.0).to_array().iter().product::<f64>();
        if count(1.0) > MAX_NODES as f64 {
            let needed = libm::cbrt(count(1.0) / MAX_NODES as f64) * 1.05;
            return Err(FieldError::TooLarge { nodes: count(1.0) as u64, cell: cell * needed });
        }
        let nodes = cells.as_uvec3().to_array().map(|n| n + 1);
        let origin = 0.5 * (low + high) - 0.5 * cells * cell;
        let tree = NearestTriangle::new(&mesh.points, &mesh.triangles);
        let mut grid = Grid { origin, cell, nodes, values: Vec::new() };
        grid.values = distances(&grid, &tree);
        give_signs(&mut grid, &tree);
        if grid.values.iter().all(|&value| value >= 0.0) {
            return Err(FieldError::Flat);
        }
        let off = farthest_off(&grid, mesh);
        let mesh = ColliderMesh::new(&mesh.points, &mesh.triangles, bounds);
        Ok(Self { grid: Arc::new(grid), mesh, off })
    }
}

/// |d| at every node. Each search begins with the triangle that the one before it has found.
fn distances(grid: &Grid, tree: &NearestTriangle) -> Vec<f32> {
    let [nx, ny, nz] = grid.nodes.map(|n| n as usize);
    let mut values = vec![0.0f32; nx * ny * nz];
    for_each_heavy_part(values.as_mut_slice(), nx, &|first, part: &mut [f32]| {
        for (row, values) in (first / nx..).zip(part.chunks_mut(nx)) {
            let mut guess = 0;
            for (i, value) in values.iter_mut().enumerate() {
                let node = [i, row % ny, row / ny].map(|n| n as u32);
                *value = tree.distance(grid.node(node), &mut guess) as f32;
            }
        }
    });
    values
}

/// Makes distances inside negative. Two neighbours with |d₁| + |d₂| > c are on the same side, as
/// nothing comes between them; so the winding number is asked once for each part of the grid
/// that hangs together in this way.
fn give_signs(grid: &mut Grid, tree: &NearestTriangle) {
    let [nx, ny, nz] = grid.nodes;
    let strides = [1, nx as usize, nx as usize * ny as usize];
    let mut known = vec![false; grid.values.len()];
    let mut open: Vec<[u32; 3]> = Vec::new();
    let nodes = (0..nz).flat_map(|k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])));
    for start in nodes {
        if std::mem::replace(&mut known[grid.index(start)], true) {
            continue;
        }
        let inside = tree.encloses(grid.node(start));
        open.push(start);
        while let Some(node) = open.pop() {
            let at = grid.index(node);
            let here = grid.values[at];
            for axis in 0..3 {
                for back in [false, true] {
                    let edge = if back { 0 } else { grid.nodes[axis] - 1 };
                    if node[axis] == edge {
                        continue;
                    }
                    let mut other = node;
                    other[axis] = if back { node[axis] - 1 } else { node[axis] + 1 };
                    let next = if back { at - strides[axis] } else { at + strides[axis] };
                    let apart = f64::from(here.abs()) + f64::from(grid.values[next].abs());
                    if !known[next] && apart > grid.cell * (1.0 + 1e-6) {
                        known[next] = true;
                        open.push(other);
                    }
                }
            }
            if inside {
                grid.values[at] = -here;
            }
        }
    }
}

/// Greatest |φ| over vertices, middles of edges and middles of triangles.
fn farthest_off(grid: &Grid, mesh: &Triangles) -> f32 {
    let off = |p: DVec3| grid.at(p).0.abs();
    let of = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| mesh.points[v as usize].as_dvec3());
        let middle = (a + b + c) / 3.0;
        [a, b, c, 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a), middle].map(off)
    };
    mesh.triangles.iter().flat_map(of).fold(0.0, f64::max) as f32
}
