//! Vertices of a regular lattice and the links between them.

use glam::DVec3;

/// Where a node of the box has no vertex.
pub const NOBODY: u32 = u32::MAX;

/// Vertices at some nodes of a box of regular spacing, with links between neighbours along axes.
/// Nodes are counted along x first, then y, then z; vertices in the order of their nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Lattice {
    counts: [usize; 3],
    spacing: f64,
    origin: DVec3,
    nodes: Vec<u32>,
    vertex_at: Vec<u32>,
    links: Vec<u8>,
    cells: Vec<u8>,
}

impl Lattice {
    /// All nodes of a box, at least one each way, about the origin, `spacing` apart [m].
    pub fn block(counts: [usize; 3], spacing: f64) -> Self {
        let counts = counts.map(|n| n.max(1));
        let origin = DVec3::from_array(counts.map(|n| -0.5 * spacing * (n - 1) as f64));
        let all = counts.iter().product::<usize>() as u32;
        let mut block = Self::with_nodes(counts, (spacing, origin), (0..all).collect());
        for v in 0..block.len() {
            let at = block.place(v);
            for axis in 0..3 {
                block.links[v] |= u8::from(at[axis] + 1 < counts[axis]) << axis;
            }
            let sides = |axis: usize| {
                (u8::from(at[axis] > 0) + u8::from(at[axis] + 1 < counts[axis])).max(1)
            };
            block.cells[v] = sides(0) * sides(1) * sides(2);
        }
        block
    }

    /// Vertices at `nodes`, ascending, without links; the first node of the box is at the origin.
    pub(super) fn with_nodes(
        counts: [usize; 3],
        (spacing, origin): (f64, DVec3),
        nodes: Vec<u32>,
    ) -> Self {
        let mut vertex_at = vec![NOBODY; counts.iter().product()];
        for (v, &node) in (0..).zip(&nodes) {
            vertex_at[node as usize] = v;
        }
        let (links, cells) = (vec![0; nodes.len()], vec![0; nodes.len()]);
        Self { counts, spacing, origin, nodes, vertex_at, links, cells }
    }

    /// Links the vertices of a cell whose least corner is `at`, and counts it with them.
    pub(super) fn add_cell(&mut self, at: [usize; 3]) {
        for corner in 0..8usize {
            let to = [0, 1, 2].map(|axis| at[axis] + (corner >> axis & 1));
            let Some(v) = self.vertex_at(to) else { continue };
            self.cells[v] += 1;
            self.links[v] |= !corner as u8 & 7;
        }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Nodes of the box along each axis.
    pub fn counts(&self) -> [usize; 3] {
        self.counts
    }

    /// Length of a link at rest. [m]
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// The node of each vertex.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The vertex at each node, or [`NOBODY`].
    pub fn vertices(&self) -> &[u32] {
        &self.vertex_at
    }

    /// Steps along each axis from the first node to a vertex.
    #[inline]
    pub fn place(&self, vertex: usize) -> [usize; 3] {
        let (node, [nx, ny, _]) = (self.nodes[vertex] as usize, self.counts);
        [node % nx, node / nx % ny, node / (nx * ny)]
    }

    /// Where a vertex is at rest. [m]
    pub fn rest(&self, vertex: usize) -> DVec3 {
        self.origin + self.spacing * DVec3::from_array(self.place(vertex).map(|i| i as f64))
    }

    /// Where the first node of the box is. [m]
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The middle of the box. [m]
    pub(super) fn middle(&self) -> DVec3 {
        let size = DVec3::from_array(self.counts.map(|n| (n - 1) as f64));
        self.origin + 0.5 * self.spacing * size
    }

    /// The vertex at some steps from the first node.
    #[inline]
    pub fn vertex_at(&self, at: [usize; 3]) -> Option<usize> {
        let [nx, ny, nz] = self.counts;
        if at[0] >= nx || at[1] >= ny || at[2] >= nz {
            return None;
        }
        let v = self.vertex_at[(at[2] * ny + at[1]) * nx + at[0]];
        (v != NOBODY).then_some(v as usize)
    }

    /// Share of a cell's volume that goes with a vertex: an eighth of every cell at it, so that its
    /// mass is density · spacing³ times this. \[1\]
    pub fn volume_share(&self, vertex: usize) -> f64 {
        f64::from(self.cells[vertex]) / 8.0
    }

    /// Whether a vertex is linked to the next one along an axis.
    #[inline]
    pub fn has_link(&self, vertex: usize, axis: usize) -> bool {
        self.links[vertex] >> axis & 1 == 1
    }

    /// Takes away the link from a vertex to the next one along an axis, if there is one.
    pub fn cut(&mut self, vertex: usize, axis: usize) {
        self.links[vertex] &= !(1 << axis);
    }

    /// The vertex at the other end of a vertex's link along an axis.
    #[inline]
    pub fn next(&self, vertex: usize, axis: usize) -> Option<usize> {
        let step = [1, self.counts[0], self.counts[0] * self.counts[1]][axis];
        let linked = self.has_link(vertex, axis);
        linked.then(|| self.vertex_at[self.nodes[vertex] as usize + step] as usize)
    }

    /// All links: their ends.
    pub fn links(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        (0..self.len())
            .flat_map(move |v| (0..3).filter_map(move |axis| Some([v, self.next(v, axis)?])))
    }

    /// The lattice of some of the vertices, ascending, with the links among them.
    pub fn part(&self, vertices: &[u32]) -> Self {
        let nodes = vertices.iter().map(|&v| self.nodes[v as usize]).collect();
        let mut part = Self::with_nodes(self.counts, (self.spacing, self.origin), nodes);
        for (new, &old) in vertices.iter().enumerate() {
            let old = old as usize;
            part.cells[new] = self.cells[old];
            for axis in 0..3 {
                let other = self.next(old, axis).map(|other| self.nodes[other] as usize);
                let kept = other.is_some_and(|node| part.vertex_at[node] != NOBODY);
                part.links[new] |= u8::from(kept) << axis;
            }
        }
        part.trimmed()
    }

    /// The lattice of vertices at some `nodes` of this one's box, ascending, linked along the edges
    /// of `cells` but for those that are `broken`. Corners of cells are vertices, as in
    /// [`super::LatticeShape`].
    pub(crate) fn of_cells(
        of: &Self,
        nodes: Vec<u32>,
        cells: &[[u32; 8]],
        broken: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let mut lattice = Self::with_nodes(of.counts, (of.spacing, of.origin), nodes);
        for cell in cells {
            for (k, v) in cell.iter().map(|&v| v as usize).enumerate() {
                lattice.cells[v] += 1;
                for axis in (0..3).filter(|axis| k >> axis & 1 == 0) {
                    let holds = !broken(v, cell[k + (1 << axis)] as usize);
                    lattice.links[v] |= u8::from(holds) << axis;
                }
            }
        }
        lattice.trimmed()
    }

    /// The same in the least box.
    fn trimmed(self) -> Self {
        let (mut low, mut high) = ([usize::MAX; 3], [0; 3]);
        for at in (0..self.len()).map(|v| self.place(v)) {
            low = [0, 1, 2].map(|d| low[d].min(at[d]));
            high = [0, 1, 2].map(|d| high[d].max(at[d] + 1));
        }
        if self.is_empty() || (low == [0; 3] && high == self.counts) {
            return self;
        }
        let counts = [0, 1, 2].map(|d| high[d] - low[d]);
        let nodes = (0..self.len()).map(|v| {
            let at = self.place(v);
            let [x, y, z] = [0, 1, 2].map(|d| at[d] - low[d]);
            ((z * counts[1] + y) * counts[0] + x) as u32
        });
        let origin = self.origin + self.spacing * DVec3::from_array(low.map(|i| i as f64));
        let trimmed = Self::with_nodes(counts, (self.spacing, origin), nodes.collect());
        Self { links: self.links, cells: self.cells, ..trimmed }
    }
}
