//! Edges that pass through triangles: the referee of every claim about contact.

use glam::DVec3;

use crate::soa::Soa3;

/// Number of (edge, triangle) pairs that cross, no corner shared. Pairs are
/// found by sorting boxes along x; the answer equals [`count_crossings_brute_force`].
pub fn count_crossings(triangles: &[[u32; 3]], x: &Soa3) -> usize {
    let edges = unique_edges(triangles);
    let mut boxes: Vec<(Bounds, Item)> = triangles
        .iter()
        .enumerate()
        .map(|(i, t)| (Bounds::of(t, x), Item::Triangle(i)))
        .chain(edges.iter().enumerate().map(|(i, e)| (Bounds::of(e, x), Item::Edge(i))))
        .collect();
    boxes.sort_by(|a, b| a.0.low.x.total_cmp(&b.0.low.x));
    let mut active: Vec<usize> = Vec::new();
    let mut count = 0;
    for current in 0..boxes.len() {
        let (bounds, item) = &boxes[current];
        active.retain(|&other| boxes[other].0.high.x >= bounds.low.x);
        for &other in &active {
            let (other_bounds, other_item) = &boxes[other];
            let pair = match (item, other_item) {
                (Item::Edge(e), Item::Triangle(t)) | (Item::Triangle(t), Item::Edge(e)) => (e, t),
                _ => continue,
            };
            if bounds.meets(other_bounds) && crosses(edges[*pair.0], triangles[*pair.1], x) {
                count += 1;
            }
        }
        active.push(current);
    }
    count
}

/// The same by trying every pair.
pub fn count_crossings_brute_force(triangles: &[[u32; 3]], x: &Soa3) -> usize {
    let edges = unique_edges(triangles);
    edges.iter().map(|&e| triangles.iter().filter(|&&t| crosses(e, t, x)).count()).sum()
}

enum Item {
    Edge(usize),
    Triangle(usize),
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
