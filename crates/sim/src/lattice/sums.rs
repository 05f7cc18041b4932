//! Sums over all regions and back: along x and y plane by plane, then along z.
//!
//! A part's planes (constant z) and slabs (constant y) are computed from inputs alone and written
//! by one thread, so that neither threads nor cuts can show.

use super::connectivity::NOBODY;
use super::node::Node;
use super::regions::Regions;
use super::window::Line;
use crate::parallel::{Split, for_each_part};
use crate::simd::{Kernel, LANES, dispatch};
use crate::soa::Soa3Mut;

/// One number of each of sixteen regions.
pub(super) type Lanes = [f64; LANES];

/// What of a vertex is summed over regions. All methods here are to be inlined always.
pub(super) trait Load<const N: usize>: Sync {
    /// The summands of a vertex that rests at `rest` from the middle of the box.
    fn load(&self, vertex: usize, rest: [f64; 3]) -> Node<N>;
}

/// What a region makes of its sums.
pub(super) trait Finish<const N: usize>: Sync {
    /// What a region remembers, by place in slab order.
    type Memory: Send;
    /// From the sums over up to sixteen regions, as many as have a memory, to what they say to their
    /// vertices; `first` is the place of the first in slab order.
    fn finish(&self, first: usize, sums: &[Lanes; N], memory: &mut [Self::Memory]) -> [Lanes; N];
}

/// What a vertex makes of the sum over its regions.
pub(super) trait Emit<const N: usize>: Sync {
    /// Changes entry `index` of `out`, which belongs to `vertex`.
    fn emit(&self, vertex: (usize, [f64; 3]), sum: &Node<N>, out: &mut Soa3Mut<'_>, index: usize);
}

/// Memory of the sums.
#[derive(Clone, Debug)]
pub(super) struct Sums<const N: usize> {
    planes: Vec<Node<N>>,
    slabs: Vec<Node<N>>,
    /// Sums from the start of each line: along x of what vertices give, along z of what regions
    /// say. Empty where every region has all of its cube.
    along_x: Vec<Node<N>>,
    along_z: Vec<Node<N>>,
    scratch: Vec<Node<N>>,
}

impl<const N: usize> Sums<N> {
    pub fn new(regions: &Regions) -> Self {
        let counts = regions.lattice().counts();
        let all = counts.iter().product();
        let longest = counts.into_iter().max().unwrap_or(0);
        let ahead = if regions.lacks.is_empty() { 0 } else { all };
        let zeros = |n: usize| vec![Node::ZERO; n];
        Self {
            planes: zeros(all),
            slabs: zeros(all),
            along_x: zeros(ahead),
            along_z: zeros(ahead),
            scratch: zeros(2 * longest * counts[1].max(counts[2])),
        }
    }

    /// Sums over every region of what `load` gives, and what `finish` makes of them.
    pub fn collect<L: Load<N>, F: Finish<N>>(
        &mut self,
        regions: &Regions,
        load: &L,
        (finish, memory): (&F, &mut [F::Memory]),
    ) {
        let [nx, ny, nz] = regions.lattice().counts();
        let line = self.scratch.len() / ny.max(nz).max(1);
        let share = Share {
            first: 0,
            size: nx * ny,
            nodes: &mut self.planes,
            ahead: &mut self.along_x,
            scratch: (&mut self.scratch, line),
            starts: &regions.plane_starts,
            extra: regions.inverse_counts.as_slice(),
        };
        for_each_part(share, nx * ny, &|_, share| dispatch(SumPlanes { regions, load, share }));
        let share = Share {
            first: 0,
            size: nx * nz,
            nodes: &mut self.slabs,
            ahead: &mut self.along_z,
            scratch: (&mut self.scratch, line),
            starts: &regions.slab_starts,
            extra: memory,
        };
        let (planes, along_x) = (self.planes.as_slice(), self.along_x.as_slice());
        for_each_part(share, nx * nz, &|_, share| {
            dispatch(FinishSlabs { regions, finish, planes, along_x, share });
        });
    }

    /// Sums over all regions that a vertex is in of what they say.
    pub fn spread<E: Emit<N>>(&mut self, regions: &Regions, emit: &E, out: Soa3Mut<'_>) {
        let [nx, ny, nz] = regions.lattice().counts();
        let line = self.scratch.len() / ny.max(nz).max(1);
        let share = Share {
            first: 0,
            size: nx * ny,
            nodes: &mut self.planes,
            ahead: &mut [],
            scratch: (&mut self.scratch, line),
            starts: &regions.plane_starts,
            extra: out,
        };
        let (slabs, along_z) = (self.slabs.as_slice(), self.along_z.as_slice());
        for_each_part(share, nx * ny, &|_, share| {
            dispatch(SpreadPlanes { regions, emit, slabs, along_z, share });
        });
    }
}

/// Some planes or slabs and what belongs to their vertices.
struct Share<'a, T, const N: usize> {
    first: usize,
    size: usize,
    nodes: &'a mut [Node<N>],
    /// As many, or none.
    ahead: &'a mut [Node<N>],
    /// Memory for the lines of one plane, which is all that a part needs; and how much that is.
    scratch: (&'a mut [Node<N>], usize),
    starts: &'a [u32],
    extra: T,
}

impl<T: Split, const N: usize> Split for Share<'_, T, N> {
    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn split(self, mid: usize) -> (Self, Self) {
        let planes = mid / self.size;
        let (nodes, nodes_on) = self.nodes.split_at_mut(mid);
        let (ahead, ahead_on) = self.ahead.split_at_mut(mid.min(self.ahead.len()));
        let (scratch, scratch_on) = self.scratch.0.split_at_mut(planes * self.scratch.1);
        let (first, on) = (self.first, self.first + planes);
        let (extra, extra_on) = self.extra.split((self.starts[on] - self.starts[first]) as usize);
        let (size, line, starts) = (self.size, self.scratch.1, self.starts);
        let before = Self { first, size, nodes, ahead, scratch: (scratch, line), starts, extra };
        let after = Self {
            first: on,
            size,
            nodes: nodes_on,
            ahead: ahead_on,
            scratch: (scratch_on, line),
            starts,
            extra: extra_on,
        };
        (before, after)
    }
}

/// Where each node rests from the middle of the box, along one axis. [m]
#[inline(always)]
fn rest_of(regions: &Regions, at: [usize; 3]) -> [f64; 3] {
    let (counts, h) = (regions.lattice().counts(), regions.lattice().spacing());
    [0, 1, 2].map(|d| (at[d] as f64 - 0.5 * (counts[d] - 1) as f64) * h)
}

/// Sums of a plane along y.
#[inline(always)]
fn sum_columns<const N: usize>(plane: &mut [Node<N>], nx: usize, line: &mut Line<'_, N>) {
    let ny = plane.len() / nx;
    for x in 0..nx {
        (0..ny).for_each(|y| line.set(y, plane[y * nx + x]));
        line.sum();
        line.each(|y, sum| plane[y * nx + x] = sum);
    }
}

struct SumPlanes<'a, L, const N: usize> {
    regions: &'a Regions,
    load: &'a L,
    share: Share<'a, &'a [f64], N>,
}

impl<L: Load<N>, const N: usize> Kernel for SumPlanes<'_, L, N> {
    #[inline(always)]
    fn run(self) {
        let Self { regions, load, share } = self;
        let [nx, ny, _] = regions.lattice().counts();
        let vertices = regions.lattice().vertices();
        let scratch = share.scratch.0;
        for (p, plane) in share.nodes.chunks_exact_mut(share.size).enumerate() {
            let z = share.first + p;
            for y in 0..ny {
                let first = (z * ny + y) * nx;
                let mut line = Line::new(scratch, nx, regions.half());
                let mut sum = Node::ZERO;
                for (x, &v) in vertices[first..first + nx].iter().enumerate() {
                    let value = if v == NOBODY {
                        Node::ZERO
                    } else {
                        load.load(v as usize, rest_of(regions, [x, y, z]))
                    };
                    line.set(x, value);
                    if !share.ahead.is_empty() {
                        sum = sum.plus(&value);
                        share.ahead[p * share.size + y * nx + x] = sum;
                    }
                }
                line.sum();
                line.each(|x, sum| plane[y * nx + x] = sum);
            }
            sum_columns(plane, nx, &mut Line::new(scratch, ny, regions.half()));
        }
    }
}

struct FinishSlabs<'a, F: Finish<N>, const N: usize> {
    regions: &'a Regions,
    finish: &'a F,
    planes: &'a [Node<N>],
    along_x: &'a [Node<N>],
    share: Share<'a, &'a mut [F::Memory], N>,
}

impl<F: Finish<N>, const N: usize> Kernel for FinishSlabs<'_, F, N> {
    #[inline(always)]
    fn run(self) {
        let Self { regions, finish, planes, along_x, share } = self;
        let [nx, ny, nz] = regions.lattice().counts();
        let vertices = regions.lattice().vertices();
        let (scratch, base) = (share.scratch.0, share.starts[share.first] as usize);
        for (s, slab) in share.nodes.chunks_exact_mut(share.size).enumerate() {
            let y = share.first + s;
            // Row by row, as they lie in memory.
            for z in 0..nz {
                let first = (z * ny + y) * nx;
                for (x, node) in planes[first..first + nx].iter().enumerate() {
                    slab[x * nz + z] = *node;
                }
            }
            for column in slab.chunks_exact_mut(nz) {
                let mut line = Line::new(scratch, nz, regions.half());
                column.iter().enumerate().for_each(|(z, node)| line.set(z, *node));
                line.sum();
                line.each(|z, sum| column[z] = sum);
            }
            let (from, to) = (share.starts[y] as usize, share.starts[y + 1] as usize);
            for first in (from..to).step_by(LANES) {
                let batch = &regions.slab_order[first..to.min(first + LANES)];
                let places = &regions.slab_places[first..first + batch.len()];
                let mut sums = [[0.0; LANES]; N];
                for (l, (&v, &place)) in batch.iter().zip(places).enumerate() {
                    let sum = slab[place as usize];
                    let sum = regions.lacks.taken_from(sum, v as usize, (along_x, nx));
                    sums.iter_mut().zip(sum.0).for_each(|(to, value)| to[l] = value);
                }
                let memory = &mut share.extra[first - base..first - base + batch.len()];
                let said = finish.finish(first, &sums, memory);
                for (l, &place) in places.iter().enumerate() {
                    let node = &mut slab[place as usize];
                    node.0.iter_mut().zip(&said).for_each(|(to, from)| *to = from[l]);
                }
            }
            for (x, column) in slab.chunks_exact_mut(nz).enumerate() {
                let mut line = Line::new(scratch, nz, regions.half());
                let mut sum = Node::ZERO;
                for (z, node) in column.iter().enumerate() {
                    let empty = vertices[(z * ny + y) * nx + x] == NOBODY;
                    let value = if empty { Node::ZERO } else { *node };
                    line.set(z, value);
                    if !share.ahead.is_empty() {
                        sum = sum.plus(&value);
                        share.ahead[s * share.size + x * nz + z] = sum;
                    }
                }
                line.sum();
                line.each(|z, sum| column[z] = sum);
            }
        }
    }
}

struct SpreadPlanes<'a, E, const N: usize> {
    regions: &'a Regions,
    emit: &'a E,
    slabs: &'a [Node<N>],
    along_z: &'a [Node<N>],
    share: Share<'a, Soa3Mut<'a>, N>,
}

impl<E: Emit<N>, const N: usize> Kernel for SpreadPlanes<'_, E, N> {
    #[inline(always)]
    fn run(self) {
        let Self { regions, emit, slabs, along_z, mut share } = self;
        let [nx, ny, nz] = regions.lattice().counts();
        let vertices = regions.lattice().vertices();
        let (scratch, base) = (share.scratch.0, share.starts[share.first] as usize);
        let planes = share.nodes.len() / share.size;
        // One plane after the other in the same memory, which stays in the nearest cache.
        let plane = &mut share.nodes[..share.size];
        for z in share.first..share.first + planes {
            for y in 0..ny {
                let mut line = Line::new(scratch, nx, regions.half());
                (0..nx).for_each(|x| line.set(x, slabs[(y * nx + x) * nz + z]));
                line.sum();
                line.each(|x, sum| plane[y * nx + x] = sum);
            }
            sum_columns(plane, nx, &mut Line::new(scratch, ny, regions.half()));
            for (y, row) in plane.chunks_exact(nx).enumerate() {
                let first = (z * ny + y) * nx;
                for (x, &v) in vertices[first..first + nx].iter().enumerate() {
                    if v != NOBODY {
                        let v = v as usize;
                        let sum = regions.lacked_by.taken_from(row[x], v, (along_z, nz));
                        let vertex = (v, rest_of(regions, [x, y, z]));
                        emit.emit(vertex, &sum, &mut share.extra, v - base);
                    }
                }
            }
        }
    }
}
