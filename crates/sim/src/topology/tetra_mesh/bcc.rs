//! The body-centred cubic lattice.

use glam::DVec3;

/// Corners of cubes and their centres. Nodes: all corners, x first, then all centres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bcc {
    /// Cubes along each axis.
    pub cells: [usize; 3],
    /// Length of their edges. [m]
    pub spacing: f64,
    /// Least corner. [m]
    pub origin: DVec3,
}

impl Bcc {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.corners() + self.cells.iter().product::<usize>()
    }

    fn corners(&self) -> usize {
        self.cells.iter().map(|n| n + 1).product()
    }

    fn corner(&self, [x, y, z]: [usize; 3]) -> u32 {
        ((z * (self.cells[1] + 1) + y) * (self.cells[0] + 1) + x) as u32
    }

    fn centre(&self, [x, y, z]: [usize; 3]) -> u32 {
        (self.corners() + (z * self.cells[1] + y) * self.cells[0] + x) as u32
    }

    /// Whether a node is the centre of a cube.
    pub fn is_centre(&self, node: u32) -> bool {
        node as usize >= self.corners()
    }

    /// Where a node is. [m]
    pub fn place(&self, node: u32) -> DVec3 {
        let (i, counts, shift) = match (node as usize).checked_sub(self.corners()) {
            Some(i) => (i, self.cells, 0.5),
            None => (node as usize, self.cells.map(|n| n + 1), 0.0),
        };
        let at = [i % counts[0], i / counts[0] % counts[1], i / (counts[0] * counts[1])];
        self.origin + self.spacing * DVec3::from_array(at.map(|i| i as f64 + shift))
    }

    /// All tetrahedra, each once: two neighbouring centres and an edge of the face between them.
    pub fn for_each_tetra(&self, mut take: impl FnMut([u32; 4])) {
        let [nx, ny, nz] = self.cells;
        let cubes =
            (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
        for at in cubes {
            for axis in 0..3 {
                let mut next = at;
                next[axis] += 1;
                if next[axis] == self.cells[axis] {
                    continue;
                }
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let corner = |i: usize, j: usize| {
                    let mut c = next;
                    c[u] += i;
                    c[v] += j;
                    self.corner(c)
                };
                let ring = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                for k in 0..4 {
                    // Seen along the axis from the first centre the ring goes round clockwise, so
                    // that this order has positive volume.
                    take([self.centre(at), self.centre(next), ring[k], ring[(k + 1) % 4]]);
                }
            }
        }
    }
}
