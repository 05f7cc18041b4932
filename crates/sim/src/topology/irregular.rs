//! An irregular triangle mesh of a flat sheet, for tests and benchmarks.

use std::collections::BTreeMap;

use glam::{DVec2, Vec3};

use crate::rng::Rng;

/// Points of a sheet in the plane y = 0 and triangles over them, none like another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IrregularSheet {
    /// Points. [m]
    pub points: Vec<Vec3>,
    /// Triangles, all turned the same way.
    pub triangles: Vec<[u32; 3]>,
    /// Place in the sheet, from 0 to 1 each way.
    pub uvs: Vec<[f32; 2]>,
}

/// How far points are moved off their places, as a part of the spacing.
const JITTER: f64 = 0.25;

impl IrregularSheet {
    /// A sheet of `size` [m] with counts[0]·counts[1] points, at least two each way: a grid
    /// shaken by `seed`, corners in place and borders straight, then the Delaunay
    /// triangulation of that (Lawson 1977: edges are flipped until every circle is empty).
    pub fn new(counts: [usize; 2], size: [f32; 2], seed: u64) -> Self {
        let [ni, nj] = counts.map(|n| n.max(2));
        let mut rng = Rng::new(seed);
        let mut places = Vec::with_capacity(ni * nj);
        for (i, j) in (0..nj).flat_map(|j| (0..ni).map(move |i| (i, j))) {
            let mut at = |k: usize, n: usize| {
                let shake = rng.between(-JITTER, JITTER);
                let k = k as f64 + if k == 0 || k + 1 == n { 0.0 } else { shake };
                k / (n - 1) as f64
            };
            places.push(DVec2::new(at(i, ni), at(j, nj)));
        }
        let mut triangles = Vec::with_capacity(2 * (ni - 1) * (nj - 1));
        for (i, j) in (0..nj - 1).flat_map(|j| (0..ni - 1).map(move |i| (i, j))) {
            let a = (j * ni + i) as u32;
            let [b, c, d] = [a + 1, a + ni as u32, a + ni as u32 + 1];
            triangles.extend([[a, b, c], [b, d, c]]);
        }
        let size = DVec2::new(f64::from(size[0]), f64::from(size[1]));
        let flat: Vec<DVec2> = places.iter().map(|&p| p * size).collect();
        while flip(&flat, &mut triangles) {}
        Self {
            points: flat.iter().map(|p| Vec3::new(p.x as f32, 0.0, p.y as f32)).collect(),
            triangles,
            uvs: places.iter().map(|p| [p.x as f32, p.y as f32]).collect(),
        }
    }

    /// The triangles as faces of any number of corners.
    pub fn faces(&self) -> Vec<Vec<u32>> {
        self.triangles.iter().map(|t| t.to_vec()).collect()
    }
}

/// Flips edges whose circles are not empty, no triangle twice. False if there are none.
fn flip(points: &[DVec2], triangles: &mut [[u32; 3]]) -> bool {
    let mut sides: BTreeMap<[u32; 2], [(usize, usize); 2]> = BTreeMap::new();
    let nobody = (usize::MAX, 0);
    for (index, t) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            let users = sides.entry([a.min(b), a.max(b)]).or_insert([nobody; 2]);
            users[usize::from(users[0] != nobody)] = (index, k);
        }
    }
    let mut changed = vec![false; triangles.len()];
    let mut any = false;
    for [(s, k), (t, l)] in sides.into_values().filter(|users| users[1] != nobody) {
        if changed[s] || changed[t] {
            continue;
        }
        let [a, b, c] = [0, 1, 2].map(|i| triangles[s][(k + i) % 3]);
        let d = triangles[t][(l + 2) % 3];
        let at = [a, b, c, d].map(|i| points[i as usize]);
        if in_circle(at) && turns(at[0], at[3], at[2]) && turns(at[3], at[1], at[2]) {
            (triangles[s], triangles[t]) = ([a, d, c], [d, b, c]);
            (changed[s], changed[t], any) = (true, true, true);
        }
    }
    any
}

/// Whether d lies inside the circle through a, b and c, by more than rounding.
fn in_circle([a, b, c, d]: [DVec2; 4]) -> bool {
    let [a, b, c] = [a - d, b - d, c - d];
    let [aa, bb, cc] = [a, b, c].map(DVec2::length_squared);
    let determinant = aa * b.perp_dot(c) - bb * a.perp_dot(c) + cc * a.perp_dot(b);
    determinant > 1e-12 * aa * (bb + cc)
}

fn turns(a: DVec2, b: DVec2, c: DVec2) -> bool {
    (b - a).perp_dot(c - a) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_cover_the_sheet_and_their_circles_are_empty() {
        let sheet = IrregularSheet::new([14, 11], [2.0, 1.5], 5);
        let at = |i: u32| {
            let p = sheet.points[i as usize];
            DVec2::new(f64::from(p.x), f64::from(p.z))
        };
        let mut area = 0.0;
        for &t in &sheet.triangles {
            let [a, b, c] = t.map(at);
            assert!(turns(a, b, c), "{t:?}");
            area += 0.5 * (b - a).perp_dot(c - a);
            let inside = |d: u32| !t.contains(&d) && in_circle([a, b, c, at(d)]);
            assert!(!(0..sheet.points.len() as u32).any(inside), "{t:?}");
        }
        assert!((area - 3.0).abs() < 1e-6);
        assert_eq!(sheet.triangles.len(), 2 * 13 * 10);
    }
}
