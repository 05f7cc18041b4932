//! Which vertices belong to which region.

use super::connectivity::{Lattice, NOBODY};
use super::runs::{Runs, extend};
use crate::parallel::Parts;

/// A region round each vertex: all that can be reached from it through links without leaving the
/// cube of 2w + 1 nodes a side about it. Rivers and James 2007, section 3.
///
/// Where everything in a cube can be reached, which is nearly everywhere, a region's sums are those
/// of its cube. Elsewhere, beside cracks and between limbs that nearly touch, what cannot be
/// reached is taken away again, run by run.
#[derive(Clone, Debug, PartialEq)]
pub struct Regions {
    lattice: Lattice,
    half: usize,
    /// First vertex of each plane of constant z, and the end.
    pub(super) plane_starts: Vec<u32>,
    /// First place of each slab of constant y in `slab_order`, and the end.
    pub(super) slab_starts: Vec<u32>,
    /// Vertices by y, then x, then z.
    pub(super) slab_order: Vec<u32>,
    /// Their nodes within their slabs, x then z.
    pub(super) slab_places: Vec<u32>,
    /// Nodes of a vertex's cube that its region lacks, in runs along x.
    pub(super) lacks: Runs,
    /// Nodes of a vertex's cube whose regions lack the vertex, in runs along z of slabs.
    pub(super) lacked_by: Runs,
    /// 1/N of each vertex, N being the number of regions that it is in.
    pub(super) inverse_counts: Vec<f64>,
}

/// Regions from which finding them pays on all threads.
const PARALLEL_FROM: usize = 1024;

impl Regions {
    /// Regions of half-width `half`, which sets how stiff the body is: no less than 1.
    pub fn new(lattice: Lattice, half: usize) -> Self {
        let longest = lattice.counts().into_iter().max().unwrap_or(1);
        let half = half.clamp(1, longest.max(1));
        let [nx, ny, nz] = lattice.counts();
        let places: Vec<[usize; 3]> = (0..lattice.len()).map(|v| lattice.place(v)).collect();
        let mut slab_order: Vec<u32> = (0..lattice.len() as u32).collect();
        slab_order.sort_by_key(|&v| {
            let [x, y, z] = places[v as usize];
            (y * nx + x) * nz + z
        });
        let plane_starts = starts(nz, places.iter().map(|at| at[2]));
        let slab_starts = starts(ny, slab_order.iter().map(|&v| places[v as usize][1]));
        let slab_place = |&v: &u32| (places[v as usize][0] * nz + places[v as usize][2]) as u32;
        let slab_places = slab_order.iter().map(slab_place).collect();
        let mut regions = Self {
            lattice,
            half,
            plane_starts,
            slab_starts,
            slab_order,
            slab_places,
            lacks: Runs::default(),
            lacked_by: Runs::default(),
            inverse_counts: Vec::new(),
        };
        regions.find(&places);
        regions
    }

    /// The lattice.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// w.
    pub fn half(&self) -> usize {
        self.half
    }

    /// Regions that lack a part of their cube.
    pub fn incomplete(&self) -> usize {
        (0..self.lattice.len()).filter(|&v| !self.lacks.of(v).is_empty()).count()
    }

    /// Vertices of the region round `vertex`, ascending.
    pub fn members(&self, vertex: usize) -> Vec<usize> {
        let (low, high) = self.cube(self.lattice.place(vertex));
        let lacks = self.lacks.of(vertex);
        let mut members = Vec::new();
        for (y, z) in (low[2]..high[2]).flat_map(|z| (low[1]..high[1]).map(move |y| (y, z))) {
            for v in (low[0]..high[0]).filter_map(|x| self.lattice.vertex_at([x, y, z])) {
                let node = self.lattice.nodes()[v];
                if !lacks.iter().any(|run| (run[0]..=run[1]).contains(&node)) {
                    members.push(v);
                }
            }
        }
        members
    }

    /// First nodes and ends of the cube about a place.
    fn cube(&self, at: [usize; 3]) -> ([usize; 3], [usize; 3]) {
        let counts = self.lattice.counts();
        let low = at.map(|i| i.saturating_sub(self.half));
        (low, [0, 1, 2].map(|d| (at[d] + self.half + 1).min(counts[d])))
    }

    fn find(&mut self, places: &[[usize; 3]]) {
        let [nx, _, nz] = self.lattice.counts();
        let tally = Tally::new(&self.lattice);
        let mut parts: Parts<(Vec<Vec<[u32; 2]>>, Flood)> = Parts::default();
        let found = parts.fill((places.len(), PARALLEL_FROM), &|range, (lists, flood)| {
            lists.clear();
            for v in range {
                let (low, high) = self.cube(places[v]);
                let whole = tally.is_whole(low, high);
                let list =
                    if whole { Vec::new() } else { flood.lacks(&self.lattice, v, (low, high)) };
                lists.push(list);
            }
        });
        let lists: Vec<&[[u32; 2]]> =
            found.iter().flat_map(|(lists, _)| lists.iter().map(Vec::as_slice)).collect();
        let mut counts: Vec<u32> = places
            .iter()
            .map(|&at| {
                let (low, high) = self.cube(at);
                tally.vertices(low, high)
            })
            .collect();
        let mut lacked_by = vec![Vec::new(); places.len()];
        for &region in &self.slab_order {
            let [x, y, z] = places[region as usize];
            let slab_node = ((y * nx + x) * nz + z) as u32;
            for &[first, last] in lists[region as usize] {
                for &v in &self.lattice.vertices()[first as usize..=last as usize] {
                    if v != NOBODY {
                        extend(&mut lacked_by[v as usize], slab_node, nz);
                        counts[v as usize] -= 1;
                    }
                }
            }
        }
        self.lacks = Runs::new(lists.into_iter());
        self.lacked_by = Runs::new(lacked_by.iter().map(Vec::as_slice));
        self.inverse_counts = counts.into_iter().map(|n| 1.0 / f64::from(n.max(1))).collect();
    }
}

/// Where each of `count` groups starts in a list sorted by group, and the end.
fn starts(count: usize, groups: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut starts = vec![0; count + 1];
    groups.for_each(|group| starts[group + 1] += 1);
    for i in 0..count {
        starts[i + 1] += starts[i];
    }
    starts
}

/// Vertices and links in any box, from sums over all boxes that begin at the first node.
struct Tally {
    counts: [usize; 3],
    sums: Vec<[u32; 4]>,
}

impl Tally {
    fn new(lattice: &Lattice) -> Self {
        let [nx, ny, nz] = lattice.counts();
        let (sx, sy) = (nx + 1, ny + 1);
        let mut sums = vec![[0u32; 4]; sx * sy * (nz + 1)];
        for v in 0..lattice.len() {
            let [x, y, z] = lattice.place(v);
            let link = |axis| u32::from(lattice.has_link(v, axis));
            sums[((z + 1) * sy + y + 1) * sx + x + 1] = [1, link(0), link(1), link(2)];
        }
        for step in [1, sx, sx * sy] {
            for i in step..sums.len() {
                // A line's first entry is zero, so that nothing is carried over from the last line.
                let on_line = match step {
                    1 => i % sx != 0,
                    s if s == sx => i / sx % sy != 0,
                    _ => true,
                };
                if on_line {
                    sums[i] = [0, 1, 2, 3].map(|k| sums[i][k] + sums[i - step][k]);
                }
            }
        }
        Self { counts: [nx, ny, nz], sums }
    }

    fn at(&self, [x, y, z]: [usize; 3], which: usize) -> i64 {
        let (sx, sy) = (self.counts[0] + 1, self.counts[1] + 1);
        i64::from(self.sums[(z * sy + y) * sx + x][which])
    }

    fn within(&self, low: [usize; 3], high: [usize; 3], which: usize) -> u32 {
        let mut sum = 0;
        for corner in 0..8usize {
            let at = [0, 1, 2].map(|d| if corner >> d & 1 == 1 { low[d] } else { high[d] });
            sum +=
                if corner.count_ones() % 2 == 0 { self.at(at, which) } else { -self.at(at, which) };
        }
        sum as u32
    }

    fn vertices(&self, low: [usize; 3], high: [usize; 3]) -> u32 {
        self.within(low, high, 0)
    }

    /// Whether a box has all vertices and links that it has room for.
    fn is_whole(&self, low: [usize; 3], high: [usize; 3]) -> bool {
        let size = [0, 1, 2].map(|d| high[d] - low[d]);
        let volume = size.iter().product::<usize>();
        self.vertices(low, high) as usize == volume
            && (0..3).all(|axis| {
                // Links that leave the box begin on its last layer.
                let mut end = high;
                end[axis] -= 1;
                self.within(low, end, axis + 1) as usize == volume / size[axis] * (size[axis] - 1)
            })
    }
}

/// Finds what can be reached.
#[derive(Default)]
struct Flood {
    /// The last flood that reached each vertex.
    reached: Vec<u32>,
    floods: u32,
    open: Vec<u32>,
}

impl Flood {
    /// Runs of nodes of a cube that cannot be reached from a vertex through links within it.
    fn lacks(
        &mut self,
        lattice: &Lattice,
        from: usize,
        (low, high): ([usize; 3], [usize; 3]),
    ) -> Vec<[u32; 2]> {
        self.reached.resize(lattice.len(), 0);
        self.floods += 1;
        self.reached[from] = self.floods;
        self.open.clear();
        self.open.push(from as u32);
        let counts = lattice.counts();
        let steps = [1, counts[0], counts[0] * counts[1]];
        while let Some(v) = self.open.pop() {
            let (v, at) = (v as usize, lattice.place(v as usize));
            let node = lattice.nodes()[v] as usize;
            for axis in 0..3 {
                let up = at[axis] + 1 < high[axis] && lattice.has_link(v, axis);
                let next = up.then(|| lattice.vertices()[node + steps[axis]]);
                let down = (at[axis] > low[axis]).then(|| lattice.vertices()[node - steps[axis]]);
                let before = down.filter(|&u| u != NOBODY && lattice.has_link(u as usize, axis));
                for other in [next, before].into_iter().flatten() {
                    if self.reached[other as usize] != self.floods {
                        self.reached[other as usize] = self.floods;
                        self.open.push(other);
                    }
                }
            }
        }
        let mut runs = Vec::new();
        for (y, z) in (low[2]..high[2]).flat_map(|z| (low[1]..high[1]).map(move |y| (y, z))) {
            for x in low[0]..high[0] {
                let node = (z * counts[1] + y) * counts[0] + x;
                let v = lattice.vertices()[node];
                if v != NOBODY && self.reached[v as usize] != self.floods {
                    extend(&mut runs, node as u32, counts[0]);
                }
            }
        }
        runs
    }
}
