//! Regular grids of points.

use glam::Vec3;

/// The plane in which a grid lies before it is rotated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridPlane {
    /// First axis x, second y: hangs upright.
    Xy,
    /// First axis x, second z: lies flat.
    Xz,
    /// First axis y, second z.
    Yz,
}

/// `counts[0] × counts[1]` points over `size`, centred on the origin. Point
/// [i, j] lies i steps along the plane's first axis and j along its second and
/// has index j·counts[0] + i.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridShape {
    /// Points along the first and second axis, each at least 2.
    pub counts: [usize; 2],
    /// Side lengths. [m]
    pub size: [f32; 2],
    /// Where it lies.
    pub plane: GridPlane,
}

impl GridShape {
    /// Distance between neighbours along each axis. [m]
    pub fn spacing(&self) -> [f32; 2] {
        [0, 1].map(|axis| self.size[axis] / (self.counts[axis] - 1) as f32)
    }

    /// Index of point [i, j].
    pub fn index(&self, i: usize, j: usize) -> usize {
        j * self.counts[0] + i
    }

    /// All points in index order.
    pub fn points(&self) -> Vec<Vec3> {
        let [first, second] = match self.plane {
            GridPlane::Xy => [Vec3::X, Vec3::Y],
            GridPlane::Xz => [Vec3::X, Vec3::Z],
            GridPlane::Yz => [Vec3::Y, Vec3::Z],
        };
        // Places are measured from the centre in f64, so that opposite sides are exact mirrors.
        let along = |axis: usize, step: usize| {
            let count = (self.counts[axis] - 1) as f64;
            (f64::from(self.size[axis]) * (step as f64 - 0.5 * count) / count) as f32
        };
        let [ni, nj] = self.counts;
        (0..nj)
            .flat_map(|j| (0..ni).map(move |i| (i, j)))
            .map(|(i, j)| first * along(0, i) + second * along(1, j))
            .collect()
    }

    /// Two triangles a cell, the cell's diagonal from [i+1, j] to [i, j+1] (000 §2.1.2).
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let [ni, nj] = self.counts;
        let mut triangles = Vec::with_capacity(2 * (ni - 1) * (nj - 1));
        for j in 0..nj - 1 {
            for i in 0..ni - 1 {
                let at = |i, j| self.index(i, j) as u32;
                triangles.push([at(i, j), at(i, j + 1), at(i + 1, j)]);
                triangles.push([at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)]);
            }
        }
        triangles
    }

    /// Neighbours along the first axis, then along the second.
    pub fn structural_edges(&self) -> Vec<[u32; 2]> {
        let [ni, nj] = self.counts;
        let along = |di: usize, dj: usize| {
            (0..nj - dj).flat_map(move |j| {
                (0..ni - di)
                    .map(move |i| [self.index(i, j) as u32, self.index(i + di, j + dj) as u32])
            })
        };
        along(1, 0).chain(along(0, 1)).collect()
    }

    /// Texture coordinates from 0 to 1 along each axis.
    pub fn uvs(&self) -> Vec<[f32; 2]> {
        let [ni, nj] = self.counts;
        (0..nj)
            .flat_map(|j| (0..ni).map(move |i| (i, j)))
            .map(|(i, j)| [i as f32 / (ni - 1) as f32, j as f32 / (nj - 1) as f32])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::vertex_areas;

    #[test]
    fn area_shares_add_up_to_the_sheet_at_any_resolution() {
        for counts in [[2, 2], [3, 7], [40, 40], [61, 2]] {
            let grid = GridShape { counts, size: [1.5, 0.8], plane: GridPlane::Xz };
            let areas = vertex_areas(&grid.points(), &grid.triangles());
            let total: f64 = areas.iter().map(|&a| f64::from(a)).sum();
            assert!((total - 1.2).abs() < 1e-5, "{counts:?}: {total}");
        }
    }

    #[test]
    fn edges_are_as_many_as_a_grid_has() {
        let grid = GridShape { counts: [4, 6], size: [1.0, 1.0], plane: GridPlane::Xy };
        assert_eq!(grid.structural_edges().len(), 3 * 6 + 4 * 5);
        assert_eq!(grid.triangles().len(), 2 * 3 * 5);
        assert_eq!(grid.points()[grid.index(3, 5)], Vec3::new(0.5, 0.5, 0.0));
    }
}
