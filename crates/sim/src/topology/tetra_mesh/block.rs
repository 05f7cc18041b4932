//! Boxes, whose faces need no cutting.

use glam::{DVec3, Vec3};

use super::TetraMesh;
use crate::lattice::{VoxelError, counts};

impl TetraMesh {
    /// A box about the origin, with sharp edges: bricks about `spacing` wide [m], each with a point in its
    /// middle. Two middles and each side of the face between them are a tetrahedron, as in
    /// [`TetraMesh::fill`]; at the faces of the box it is a middle and half a face.
    pub fn block(size: Vec3, spacing: f64) -> Result<Self, VoxelError> {
        let size = size.as_dvec3();
        if !(size.is_finite() && size.min_element() > 0.0) {
            return Err(VoxelError::Empty);
        }
        let (cells, _) = counts(size.to_array(), spacing)?;
        let grid = Grid { cells, size };
        let mut mesh = Self { points: grid.points(), tetras: Vec::new() };
        for axis in 0..3 {
            grid.for_each_face(axis, |low, face| match low {
                [Some(a), Some(b)] => {
                    let sides = [0, 1, 2, 3].map(|k| [face[k], face[(k + 1) % 4]]);
                    mesh.tetras.extend(sides.map(|[p, q]| [a, p, q, b]));
                }
                [None, Some(inner)] | [Some(inner), None] => {
                    // Diagonals in turns, so that no direction is stiffer.
                    let first = usize::from(grid.is_odd(inner));
                    let corner = |k: usize| face[(first + k) % 4];
                    for halves in [[0, 1, 2], [0, 2, 3]] {
                        let [p, q, r] = halves.map(corner);
                        mesh.tetras.push([inner, p, q, r]);
                    }
                }
                [None, None] => {}
            });
        }
        // All the same way round.
        for index in 0..mesh.tetras.len() {
            if mesh.volume_of(mesh.tetras[index]) < 0.0 {
                mesh.tetras[index].swap(2, 3);
            }
        }
        Ok(mesh)
    }
}

struct Grid {
    cells: [usize; 3],
    size: DVec3,
}

impl Grid {
    /// Corners of bricks, then their middles, the first axis fastest.
    fn points(&self) -> Vec<Vec3> {
        let [nx, ny, nz] = self.cells;
        let at = |i: f64, j: f64, k: f64| {
            let part = DVec3::new(i / nx as f64, j / ny as f64, k / nz as f64);
            ((part - 0.5) * self.size).as_vec3()
        };
        let mut points = Vec::new();
        for (more, shift) in [(1, 0.0), (0, 0.5)] {
            for k in 0..nz + more {
                for j in 0..ny + more {
                    let row = (0..nx + more).map(|i| [i, j, k].map(|n| n as f64 + shift));
                    points.extend(row.map(|[i, j, k]| at(i, j, k)));
                }
            }
        }
        points
    }

    fn corner(&self, [i, j, k]: [usize; 3]) -> u32 {
        let [nx, ny, _] = self.cells;
        (i + (nx + 1) * (j + (ny + 1) * k)) as u32
    }

    fn middle(&self, [i, j, k]: [usize; 3]) -> u32 {
        let [nx, ny, nz] = self.cells;
        ((nx + 1) * (ny + 1) * (nz + 1) + i + nx * (j + ny * k)) as u32
    }

    /// Whether the brick of a middle would be black on a chequered board.
    fn is_odd(&self, middle: u32) -> bool {
        let [nx, ny, nz] = self.cells;
        let index = middle as usize - (nx + 1) * (ny + 1) * (nz + 1);
        (index % nx + index / nx % ny + index / nx / ny) % 2 == 1
    }

    /// Calls `visit` with the middles below and above, where there are any, and the corners of
    /// every face across an axis.
    fn for_each_face(&self, axis: usize, mut visit: impl FnMut([Option<u32>; 2], [u32; 4])) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for level in 0..=self.cells[axis] {
            for (a, b) in (0..self.cells[u]).flat_map(|a| (0..self.cells[v]).map(move |b| (a, b))) {
                let place = |l: usize, a: usize, b: usize| {
                    let mut at = [0; 3];
                    (at[axis], at[u], at[v]) = (l, a, b);
                    at
                };
                let below = (level > 0).then(|| self.middle(place(level - 1, a, b)));
                let above = (level < self.cells[axis]).then(|| self.middle(place(level, a, b)));
                let corners = [(a, b), (a + 1, b), (a + 1, b + 1), (a, b + 1)];
                visit([below, above], corners.map(|(a, b)| self.corner(place(level, a, b))));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colliders::forms::Triangles;

    #[test]
    fn a_box_is_whole_sharp_and_closed() {
        let size = Vec3::new(1.0, 0.3, 0.2);
        let mesh = TetraMesh::block(size, 0.1).unwrap();
        assert!(mesh.tetras.iter().all(|&t| mesh.volume_of(t) > 1e-5));
        assert!((mesh.volume() - 0.06).abs() < 1e-6, "{}", mesh.volume());
        let skin = Triangles { points: mesh.points.clone(), triangles: mesh.surface() };
        assert!(skin.open_edges().is_empty());
        assert!((skin.volume() - 0.06).abs() < 1e-6, "{}", skin.volume());
        // Only whole faces are shared: 10·3·2 bricks, two triangles for each square outside.
        assert_eq!(skin.triangles.len(), 2 * 2 * (30 + 20 + 6));
        assert!(TetraMesh::block(Vec3::new(1.0, 0.0, 1.0), 0.1).is_err());
        assert!(TetraMesh::block(size, f64::NAN).is_err());
    }
}
