//! Edges that pass through triangles: the referee of every claim about contact.

use glam::DVec3;

use crate::soa::Soa3;

/// Number of (edge, triangle) pairs that cross, no corner shared. Pairs are
/// found on a grid of cells; the answer equals [`count_crossings_brute_force`].
pub fn count_crossings(triangles: &[[u32; 3]], x: &Soa3) -> usize {
    let boxes: Vec<Bounds> = triangles.iter().map(|t| Bounds::of(t, x)).collect();
    let Some(cells) = Cells::fitting(&boxes) else { return 0 };
    let mut entries: Vec<(Cell, u32)> = Vec::with_capacity(2 * triangles.len());
    for (i, bounds) in boxes.iter().enumerate() {
        cells.each(bounds, |cell| entries.push((cell, i as u32)));
    }
    entries.sort_unstable();
    let mut count = 0;
    for edge in unique_edges(triangles) {
        let bounds = Bounds::of(&edge, x);
        cells.each(&bounds, |cell| {
            let from = entries.partition_point(|(c, _)| *c < cell);
            for &(_, t) in entries[from..].iter().take_while(|(c, _)| *c == cell) {
                let other = &boxes[t as usize];
                // A pair that shares several cells counts in the first one only.
                let home = cells.of(bounds.low.max(other.low)) == cell;
                if home && bounds.meets(other) && crosses(edge, triangles[t as usize], x) {
                    count += 1;
                }
            }
        });
    }
    count
}

/// The same by trying every pair.
pub fn count_crossings_brute_force(triangles: &[[u32; 3]], x: &Soa3) -> usize {
    let edges = unique_edges(triangles);
    edges.iter().map(|&e| triangles.iter().filter(|&&t| crosses(e, t, x)).count()).sum()
}

type Cell = [i32; 3];

/// Cubes that fill space.
struct Cells {
    size: f64,
}

impl Cells {
    /// Cells about as large as the boxes. A few large boxes make them larger, so
    /// that no box covers very many. `None` if there is nothing finite to put in.
    fn fitting(boxes: &[Bounds]) -> Option<Self> {
        let side = |b: &Bounds| (b.high - b.low).max_element();
        let sum: f64 = boxes.iter().map(side).sum();
        let largest = boxes.iter().map(side).fold(0.0, f64::max);
        let size = (1.5 * sum / boxes.len().max(1) as f64).max(largest / 16.0);
        (size > 0.0 && size.is_finite()).then_some(Self { size })
    }

    fn of(&self, point: DVec3) -> Cell {
        (point / self.size).floor().to_array().map(|c| c as i32)
    }

    fn each(&self, bounds: &Bounds, mut visit: impl FnMut(Cell)) {
        let (low, high) = (self.of(bounds.low), self.of(bounds.high));
        for i in low[0]..=high[0] {
            for j in low[1]..=high[1] {
                for k in low[2]..=high[2] {
                    visit([i, j, k]);
                }
            }
        }
    }
}

struct Bounds {
    low: DVec3,
    high: DVec3,
}

impl Bounds {
    fn of(corners: &[u32], x: &Soa3) -> Self {
        let at = |c: &u32| x.get(*c as usize).as_dvec3();
        let low = corners.iter().map(at).fold(DVec3::INFINITY, DVec3::min);
        let high = corners.iter().map(at).fold(DVec3::NEG_INFINITY, DVec3::max);
        Self { low, high }
    }

    fn meets(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
}

fn unique_edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let mut edges: Vec<[u32; 2]> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Whether the open segment passes through the triangle's inside.
fn crosses(edge: [u32; 2], triangle: [u32; 3], x: &Soa3) -> bool {
    if triangle.iter().any(|c| edge.contains(c)) {
        return false;
    }
    let [p, q] = edge.map(|c| x.get(c as usize).as_dvec3());
    let [a, b, c] = triangle.map(|c| x.get(c as usize).as_dvec3());
    // Signed volumes: the ends lie on either side of the plane, and the line runs
    // past all three sides in the same sense.
    let volume = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| (b - a).cross(c - a).dot(d - a);
    let (from, to) = (volume(a, b, c, p), volume(a, b, c, q));
    if from * to >= 0.0 {
        return false;
    }
    let (u, v, w) = (volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a));
    (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn a_triangle_stuck_through_another_is_found() {
        let points = [
            Vec3::new(-1.0, 0.0, -1.0),
            Vec3::new(1.0, 0.0, -1.0),
            Vec3::new(0.0, 0.0, 1.0),
            Vec3::new(0.0, -0.5, 0.0),
            Vec3::new(0.1, 0.5, 0.0),
            Vec3::new(5.0, 0.5, 0.1),
        ];
        let triangles = [[0, 1, 2], [3, 4, 5]];
        let mut x = Soa3::from_points(&points);
        // Edge 3–4 enters, side 1–2 or edge 3–5 leaves: two crossings in all.
        assert_eq!(count_crossings(&triangles, &x), 2);
        assert_eq!(count_crossings_brute_force(&triangles, &x), 2);
        x.y[3] = 0.1;
        assert_eq!(count_crossings(&triangles, &x), 0);
    }

    #[test]
    fn the_fast_count_equals_the_brute_force_on_random_soup() {
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 40) as f32 / (1 << 24) as f32
        };
        let points: Vec<Vec3> = (0..90).map(|_| Vec3::new(random(), random(), random())).collect();
        let triangles: Vec<[u32; 3]> = (0..30).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let x = Soa3::from_points(&points);
        let count = count_crossings_brute_force(&triangles, &x);
        assert!(count > 20);
        assert_eq!(count_crossings(&triangles, &x), count);
    }
}
