//! Vertex normals of a regular grid.

use crate::elements::grid_tile::{CHUNK, MARGIN, PADDING, Rows, TILE, TILE_SMALL, Tile};
use crate::elements::rsqrt::{Pair, RSQRT_SCALE, rsqrt_scaled};
use crate::parallel::for_each_part;
use crate::simd::{Kernel, LANES, dispatch};
use crate::soa::{Soa3, Soa3Mut, Soa3Ref};

/// n = Σ n̂_t / |Σ n̂_t| over the triangles t at a vertex, n̂_t their unit normals.
///
/// Each cell has two triangles, (i, j), (i, j+1), (i+1, j) and (i, j+1),
/// (i+1, j+1), (i+1, j). Their normals point along e_j × e_i: up for a grid
/// whose i runs along x and j along z. A triangle without area counts nothing;
/// where nothing counts the normal is zero. The grid's `counts` points start at
/// particle `first`, in `x` as in `normals`, which hold the whole world.
pub fn grid_normals(first: usize, counts: [usize; 2], x: &Soa3, normals: &mut Soa3) {
    let [ni, nj] = counts;
    if ni == 0 || nj == 0 {
        return;
    }
    let grid = first..first + ni * nj;
    let x = x.slice(grid.clone());
    for_each_part(normals.slice_mut(grid), ni, &|start, normals: Soa3Mut<'_>| {
        grid_normals_of_rows(counts, start / ni, x, normals);
    });
}

/// The same for the whole rows that `normals` holds, from `first_row` on; `x`
/// holds this grid alone.
#[inline]
pub(crate) fn grid_normals_of_rows(
    counts: [usize; 2],
    first_row: usize,
    x: Soa3Ref<'_>,
    normals: Soa3Mut<'_>,
) {
    if counts[0] <= TILE_SMALL {
        dispatch(NormalKernel::<{ TILE_SMALL + PADDING }> { counts, x, first_row, normals });
    } else {
        dispatch(NormalKernel::<{ TILE + PADDING }> { counts, x, first_row, normals });
    }
}

/// Normals of rows `first_row..`, `normals` holding those rows.
struct NormalKernel<'a, const P: usize> {
    counts: [usize; 2],
    x: Soa3Ref<'a>,
    first_row: usize,
    normals: Soa3Mut<'a>,
}

impl<const P: usize> Kernel for NormalKernel<'_, P> {
    #[inline(always)]
    fn run(self) {
        let [ni, nj] = self.counts;
        let rows = self.first_row..self.first_row + self.normals.len() / ni;
        let world = [self.x.x, self.x.y, self.x.z];
        let mut points = [Rows::<P, 3>::ZERO; 2];
        let mut faces = [Rows::<P, 6>::ZERO; 2];
        let mut result = Rows::<P, 3>::ZERO;
        let tiles = ni.div_ceil(P - PADDING);
        for tile in 0..tiles {
            let tile = Tile::new(tile, tiles, ni);
            faces = if tile.first > 0 { [Rows::ZERO; 2] } else { faces };
            // The cells of the row above meet the part's first row.
            let from = rows.start.saturating_sub(1);
            tile.load(world, from * ni, &mut points[from % 2]);
            for row in from..rows.end {
                let [above, own] = [(row + 1) % 2, row % 2];
                if row + 1 < nj {
                    tile.load(world, (row + 1) * ni, &mut points[above]);
                    face_row(&points[own], &points[above], &tile, &mut faces[own]);
                    if tile.right == 0 {
                        // No cell starts in the last column; what lies beyond is never used.
                        faces[own].0.iter_mut().for_each(|face| face[MARGIN + tile.len - 1] = 0.0);
                    }
                } else {
                    faces[own] = Rows::ZERO;
                }
                if rows.contains(&row) {
                    vertex_row(&faces[above], &faces[own], tile.lanes, &mut result);
                    let at = (row - rows.start) * ni + tile.first;
                    let out = at..at + tile.len;
                    let [x, y, z] = &result.0;
                    self.normals.x[out.clone()].copy_from_slice(&x[MARGIN..MARGIN + tile.len]);
                    self.normals.y[out.clone()].copy_from_slice(&y[MARGIN..MARGIN + tile.len]);
                    self.normals.z[out].copy_from_slice(&z[MARGIN..MARGIN + tile.len]);
                }
            }
        }
    }
}

/// Normals, 1/κ long, of the first and the second triangles of a row's cells.
#[inline(always)]
fn face_row<const P: usize>(
    row: &Rows<P, 3>,
    next: &Rows<P, 3>,
    tile: &Tile,
    out: &mut Rows<P, 6>,
) {
    let (start, len) = tile.span();
    let (row, next, out) = (row.0.as_flattened(), next.0.as_flattened(), out.0.as_flattened_mut());
    for chunk in 0..len / CHUNK {
        let at = start + chunk * CHUNK;
        // One column more than the chunk.
        let row = &row[at..at + 2 * P + CHUNK + 1];
        let next = &next[at..at + 2 * P + CHUNK + 1];
        let out = &mut out[at..at + 5 * P + CHUNK];
        for l in 0..LANES {
            let (p, right) = (point::<P>(row, l), point::<P>(row, l + 1));
            let (below, across) = (point::<P>(next, l), point::<P>(next, l + 1));
            let first = unit_scaled(cross(difference(below, p), difference(right, p)));
            let second = unit_scaled(cross(difference(right, across), difference(below, across)));
            for c in 0..3 {
                out[l + c * P] = first[c].0;
                out[l + c * P + LANES] = first[c].1;
                out[l + (c + 3) * P] = second[c].0;
                out[l + (c + 3) * P + LANES] = second[c].1;
            }
        }
    }
}

/// Unit sum of the triangles of the cells above and below a row.
#[inline(always)]
fn vertex_row<const P: usize>(
    above: &Rows<P, 6>,
    own: &Rows<P, 6>,
    lanes: usize,
    out: &mut Rows<P, 3>,
) {
    let (above, own, out) =
        (above.0.as_flattened(), own.0.as_flattened(), out.0.as_flattened_mut());
    for chunk in 0..lanes.div_ceil(CHUNK) {
        let at = MARGIN + chunk * CHUNK;
        // One column less than the chunk.
        let above = &above[at - 1..at + 5 * P + CHUNK];
        let own = &own[at - 1..at + 5 * P + CHUNK];
        let out = &mut out[at..at + 2 * P + CHUNK];
        for l in 0..LANES {
            // (i, j) is in the first triangle of its own cell, in both of the
            // cell before it and of the cell above it, and in the second of
            // the cell before and above.
            let first = point::<P>(own, l + 1);
            let before = sum(point::<P>(own, l), point::<P>(own, l + 3 * P));
            let up = sum(point::<P>(above, l + 1), point::<P>(above, l + 1 + 3 * P));
            let corner = point::<P>(above, l + 3 * P);
            let n = unit_scaled(sum(sum(first, before), sum(up, corner)));
            for c in 0..3 {
                out[l + c * P] = n[c].0 * RSQRT_SCALE as f32;
                out[l + c * P + LANES] = n[c].1 * RSQRT_SCALE as f32;
            }
        }
    }
}

/// a/(κ|a|), or zero for a zero vector.
#[inline(always)]
fn unit_scaled(a: [Pair; 3]) -> [Pair; 3] {
    let w = rsqrt_scaled(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    [a[0] * w, a[1] * w, a[2] * w]
}

/// The vectors at `at` and a lane further, coordinates being P apart.
#[inline(always)]
fn point<const P: usize>(rows: &[f32], at: usize) -> [Pair; 3] {
    [
        Pair(rows[at], rows[at + LANES]),
        Pair(rows[at + P], rows[at + P + LANES]),
        Pair(rows[at + 2 * P], rows[at + 2 * P + LANES]),
    ]
}

#[inline(always)]
fn sum(a: [Pair; 3], b: [Pair; 3]) -> [Pair; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
fn difference(a: [Pair; 3], b: [Pair; 3]) -> [Pair; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn cross(a: [Pair; 3], b: [Pair; 3]) -> [Pair; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Vec3};

    use super::*;
    use crate::simd::{SimdLevel, at_level};

    fn bumpy(before: usize, [ni, nj]: [usize; 2]) -> Soa3 {
        let mut x = Soa3::zeros(before + ni * nj + 3);
        let mut seed = 99u32;
        for p in 0..x.len() {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let grid = p.saturating_sub(before);
            let height = (seed >> 8) as f32 / (1 << 24) as f32;
            x.set(p, Vec3::new(0.1 * (grid % ni) as f32, 0.1 * height, 0.1 * (grid / ni) as f32));
        }
        x
    }

    fn reference(before: usize, [ni, nj]: [usize; 2], x: &Soa3) -> Vec<DVec3> {
        let mut normals = vec![DVec3::ZERO; x.len()];
        let id = |i: usize, j: usize| before + j * ni + i;
        for j in 0..nj.saturating_sub(1) {
            for i in 0..ni.saturating_sub(1) {
                for [a, b, c] in [
                    [id(i, j), id(i, j + 1), id(i + 1, j)],
                    [id(i, j + 1), id(i + 1, j + 1), id(i + 1, j)],
                ] {
                    let [pa, pb, pc] = [a, b, c].map(|p| x.get(p).as_dvec3());
                    let normal = (pb - pa).cross(pc - pa).normalize_or_zero();
                    normals[a] += normal;
                    normals[b] += normal;
                    normals[c] += normal;
                }
            }
        }
        normals.into_iter().map(|n| n.normalize_or_zero()).collect()
    }

    const SHAPES: [[usize; 2]; 10] = [
        [2, 2],
        [2, 9],
        [9, 2],
        [1, 4],
        [20, 20],
        [64, 5],
        [65, 130],
        [512, 20],
        [513, 20],
        [1100, 9],
    ];

    #[test]
    fn normals_are_the_mean_of_the_triangles() {
        for counts in SHAPES {
            let x = bumpy(3, counts);
            let mut normals = Soa3::zeros(x.len());
            grid_normals(3, counts, &x, &mut normals);
            for (p, (n, expected)) in normals.iter().zip(reference(3, counts, &x)).enumerate() {
                let error = (n.as_dvec3() - expected).length();
                assert!(error < 2e-6, "{counts:?} particle {p}: {n} for {expected}");
            }
        }
    }

    #[test]
    fn bits_are_the_same_for_any_threads_and_instructions() {
        for counts in SHAPES {
            let x = bumpy(3, counts);
            let mut expected = Soa3::zeros(x.len());
            grid_normals(3, counts, &x, &mut expected);
            for threads in [1, 2, 3, 8] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                for level in [SimdLevel::Plain, SimdLevel::Avx2, SimdLevel::Widest] {
                    let mut normals = Soa3::zeros(x.len());
                    at_level(level, || {
                        pool.install(|| grid_normals(3, counts, &x, &mut normals));
                    });
                    assert!(normals == expected, "{counts:?} {threads} threads {level:?}");
                }
            }
        }
    }

    #[test]
    fn a_flat_grid_points_up_and_a_collapsed_one_nowhere() {
        let mut x = bumpy(0, [30, 30]);
        x.y.fill(0.0);
        let mut normals = Soa3::zeros(x.len());
        grid_normals(0, [30, 30], &x, &mut normals);
        assert!((0..900).all(|p| (normals.get(p) - Vec3::Y).length() < 1e-6));
        x.fill(Vec3::ONE);
        grid_normals(0, [30, 30], &x, &mut normals);
        assert!((0..900).all(|p| normals.get(p) == Vec3::ZERO));
    }
}
