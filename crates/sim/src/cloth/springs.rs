//! From a cloth's material to the springs of its grid or mesh.

use std::collections::BTreeMap;

use super::rest::RestShape;
use super::{Cloth, SpringModel};
use crate::elements::{
    Spring, SpringKind, SpringParams, StencilSpring, neighbours_12, neighbours_20,
};
use crate::topology::{GridShape, MeshConnections};

/// Springs of a grid cloth.
pub(super) fn stencil_springs(
    cloth: &Cloth,
    grid: &GridShape,
    point_mass: f32,
) -> Vec<StencilSpring> {
    let spacing = grid.spacing();
    match cloth.springs {
        SpringModel::Neighbours20(SpringParams { stiffness, damping }) => {
            neighbours_20(spacing, stiffness, damping)
        }
        SpringModel::Neighbours12 { structural, shear, bend } => {
            neighbours_12(spacing, [structural; 2], shear, [bend; 2])
        }
        SpringModel::Membrane { warp, weft, shear, damping_ratio } => {
            let [dx, dy] = spacing;
            let spring = |stiffness: f32| damped(stiffness, point_mass, damping_ratio);
            // A spring stands for a strip as wide as the spacing across it. The two on
            // the border stand for half a strip: n springs share the n − 1 strips.
            let [ni, nj] = grid.counts.map(|n| n as f32);
            let along_i = warp * dy / dx * (nj - 1.0) / nj;
            let along_j = weft * dx / dy * (ni - 1.0) / ni;
            // Two diagonals of stiffness k give a cell the shear stiffness 2k dx dy/(dx² + dy²).
            let diagonal = shear * (dx * dx + dy * dy) / (2.0 * dx * dy);
            let structural = [spring(along_i), spring(along_j)];
            neighbours_12(spacing, structural, spring(diagonal), [SpringParams::default(); 2])
        }
        SpringModel::Triangles { .. } => Vec::new(),
    }
}

/// c = 2ζ√(k m/2): ζ of critical for two points of mass m on a spring.
fn damped(stiffness: f32, point_mass: f32, ratio: f32) -> SpringParams {
    SpringParams { stiffness, damping: 2.0 * ratio * (0.5 * stiffness * point_mass).sqrt() }
}

/// Springs of a mesh cloth with particle numbers from `first` on.
pub(super) fn mesh_springs(
    cloth: &Cloth,
    shape: &dyn RestShape,
    mesh: &MeshConnections,
    point_mass: f32,
    first: usize,
) -> Vec<Spring> {
    let mut out = Vec::new();
    let mut add = |pairs: &[[u32; 2]], kind, params: &dyn Fn([u32; 2]) -> SpringParams| {
        let springs = pairs.iter().map(|&pair| Spring {
            ends: pair.map(|e| e + first as u32),
            rest: shape.length(pair),
            params: params(pair),
            kind,
        });
        out.extend(springs.filter(|s| s.params != SpringParams::default()));
    };
    match cloth.springs {
        // A mesh has no knight's moves: its other neighbours take the stencil's stiffness.
        SpringModel::Neighbours20(all) => {
            add(&mesh.structural, SpringKind::Structural, &|_| all);
            add(&mesh.shear, SpringKind::Shear, &|_| all);
            add(&mesh.bend, SpringKind::Bend, &|_| all);
        }
        SpringModel::Neighbours12 { structural, shear, bend } => {
            add(&mesh.structural, SpringKind::Structural, &|_| structural);
            add(&mesh.shear, SpringKind::Shear, &|_| shear);
            add(&mesh.bend, SpringKind::Bend, &|_| bend);
        }
        SpringModel::Membrane { warp, weft, shear, damping_ratio } => {
            let areas = edge_areas(shape, mesh);
            let spring = |stiffness: f32| damped(stiffness, point_mass, damping_ratio);
            add(&mesh.structural, SpringKind::Structural, &|pair| {
                // Van Gelder 1998: k = Y·(area of the edge's triangles)/L².
                let area = areas.get(&pair).copied().unwrap_or(0.0);
                let length = shape.length(pair);
                spring(0.5 * (warp + weft) * area / (length * length))
            });
            add(&mesh.shear, SpringKind::Shear, &|_| spring(shear));
        }
        SpringModel::Triangles { .. } => {}
    }
    out
}

/// Area of the triangles at each edge. [m²]
fn edge_areas(shape: &dyn RestShape, mesh: &MeshConnections) -> BTreeMap<[u32; 2], f32> {
    let mut areas = BTreeMap::new();
    for (number, &[a, b, c]) in mesh.triangles.iter().enumerate() {
        let [x, y, z] = shape.triangle(number).map(|p| p.as_vec3());
        let area = 0.5 * (y - x).cross(z - x).length();
        for [p, q] in [[a, b], [b, c], [c, a]] {
            *areas.entry([p.min(q), p.max(q)]).or_insert(0.0) += area;
        }
    }
    areas
}
