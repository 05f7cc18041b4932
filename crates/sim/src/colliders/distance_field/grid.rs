//! Samples on a grid, and trilinear between them.

use glam::{DVec3, UVec3};

/// Values at the nodes of a grid, x fastest.
#[derive(Debug)]
pub struct Grid {
    /// Place of the first node. [m]
    pub origin: DVec3,
    /// Distance of neighbouring nodes. [m]
    pub cell: f64,
    /// Nodes along each axis, at least 2.
    pub nodes: [u32; 3],
    /// Signed distance at each. [m]
    pub values: Vec<f32>,
}

/// Below this the gradient is no direction.
const NO_SLOPE: f64 = 1e-6;

/// Steps of Newton's method to the surface. The field is nearly linear: two do.
const PROJECTIONS: usize = 4;

impl Grid {
    /// Number of a node.
    pub fn index(&self, [i, j, k]: [u32; 3]) -> usize {
        let [nx, ny, _] = self.nodes.map(|n| n as usize);
        (k as usize * ny + j as usize) * nx + i as usize
    }

    /// Place of a node. [m]
    pub fn node(&self, node: [u32; 3]) -> DVec3 {
        self.origin + UVec3::from(node).as_dvec3() * self.cell
    }

    /// The corner opposite to the first. [m]
    pub fn end(&self) -> DVec3 {
        self.node(self.nodes.map(|n| n - 1))
    }

    /// Whether a point lies in the grid.
    pub fn holds(&self, p: DVec3) -> bool {
        p.cmpge(self.origin).all() && p.cmple(self.end()).all()
    }

    /// The nearest point of the grid.
    pub fn clamp(&self, p: DVec3) -> DVec3 {
        p.clamp(self.origin, self.end())
    }

    /// A place in units of cells from the first node.
    pub fn units(&self, p: DVec3) -> DVec3 {
        (p - self.origin) / self.cell
    }

    /// The cell that a place in units lies in; the nearest if it lies outside.
    pub fn cell_of(&self, units: DVec3) -> [u32; 3] {
        let last = UVec3::from(self.nodes).as_dvec3() - 2.0;
        units.floor().clamp(DVec3::ZERO, last).as_uvec3().to_array()
    }

    /// Values at the corners of a cell, x fastest.
    pub fn corners(&self, cell: [u32; 3]) -> [f64; 8] {
        let [nx, ny, _] = self.nodes.map(|n| n as usize);
        let first = self.index(cell);
        std::array::from_fn(|i| {
            let at = first + (i & 1) + (i >> 1 & 1) * nx + (i >> 2) * nx * ny;
            f64::from(self.values[at])
        })
    }

    /// φ and ∇φ at a point of the grid, or of its nearest cell's continuation.
    pub fn at(&self, p: DVec3) -> (f64, DVec3) {
        let units = self.units(p);
        let cell = self.cell_of(units);
        let (value, slope) = trilinear(&self.corners(cell), units - UVec3::from(cell).as_dvec3());
        (value, slope / self.cell)
    }

    /// The point of the surface φ = `level` near `p`, and its normal, by Newton's method along
    /// the gradient: x −= ∇φ (φ − level)/|∇φ|².
    pub fn project(&self, mut p: DVec3, level: f64) -> (DVec3, DVec3) {
        let mut normal = DVec3::Y;
        for _ in 0..PROJECTIONS {
            let (value, slope) = self.at(p);
            let size = slope.length_squared();
            if size < NO_SLOPE {
                break;
            }
            normal = slope / size.sqrt();
            // Where the gradient is short, on ridges, the surface is no farther than φ says.
            let way = (value - level) / size.sqrt().max(0.5);
            p -= normal * way;
            if way.abs() < 1e-9 {
                break;
            }
        }
        (p, normal)
    }
}

/// φ(u) = Σ corners · Π (uₐ or 1 − uₐ), and its derivatives.
pub fn trilinear(c: &[f64; 8], u: DVec3) -> (f64, DVec3) {
    let mix = |a: f64, b: f64, s: f64| a + (b - a) * s;
    let along_x: [f64; 4] = std::array::from_fn(|i| mix(c[2 * i], c[2 * i + 1], u.x));
    let slope_x: [f64; 4] = std::array::from_fn(|i| c[2 * i + 1] - c[2 * i]);
    let along_y = [mix(along_x[0], along_x[1], u.y), mix(along_x[2], along_x[3], u.y)];
    let value = mix(along_y[0], along_y[1], u.z);
    let dx = mix(mix(slope_x[0], slope_x[1], u.y), mix(slope_x[2], slope_x[3], u.y), u.z);
    let dy = mix(along_x[1] - along_x[0], along_x[3] - along_x[2], u.z);
    (value, DVec3::new(dx, dy, along_y[1] - along_y[0]))
}
