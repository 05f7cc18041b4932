//! The surface φ = 0 as triangles: surface nets (Gibson 1998), then drawn onto φ = 0.

use std::collections::BTreeMap;

use glam::DVec3;

/// A solid: all places where a function is negative.
pub(super) trait Field {
    /// φ, about the distance to the surface. [m]
    fn distance(&self, x: DVec3) -> f64;

    /// Corners of a box that holds the solid, with room around it. [m]
    fn bounds(&self) -> [DVec3; 2];

    /// ∇φ by central differences.
    fn gradient(&self, x: DVec3) -> DVec3 {
        let step = 1e-5;
        let along =
            |e: DVec3| (self.distance(x + e * step) - self.distance(x - e * step)) / (2.0 * step);
        DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
    }
}

/// Rounds of evening out and drawing onto the surface.
const ROUNDS: usize = 4;

/// Vertices and triangles, counter-clockwise seen from outside.
pub(super) fn surface(solid: &impl Field, cell: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let (mut points, quads) = nets(solid, cell);
    let mut triangles = Vec::with_capacity(2 * quads.len());
    let mut near = vec![Vec::new(); points.len()];
    for &[a, b, c, d] in &quads {
        for [p, q] in [[a, b], [b, c], [c, d], [d, a]] {
            near[p as usize].push(q);
            near[q as usize].push(p);
        }
    }
    for _ in 0..ROUNDS {
        let mean = |list: &Vec<u32>| {
            list.iter().map(|&v| points[v as usize]).sum::<DVec3>() / list.len().max(1) as f64
        };
        let means: Vec<DVec3> = near.iter().map(mean).collect();
        for (point, mean) in points.iter_mut().zip(means) {
            *point = onto(solid, 0.5 * (*point + mean));
        }
    }
    for [a, b, c, d] in quads {
        // Along the shorter diagonal.
        let length = |p: u32, q: u32| points[p as usize].distance_squared(points[q as usize]);
        if length(a, c) <= length(b, d) {
            triangles.extend([[a, b, c], [a, c, d]]);
        } else {
            triangles.extend([[a, b, d], [b, c, d]]);
        }
    }
    (points, triangles)
}

/// A vertex in each cell where φ changes its sign, and a face across each side of the grid
/// along which it does.
fn nets(solid: &impl Field, cell: f64) -> (Vec<DVec3>, Vec<[u32; 4]>) {
    let [low, high] = solid.bounds();
    let counts = ((high - low) / cell).ceil() + 1.0;
    let counts = [counts.x as usize, counts.y as usize, counts.z as usize];
    let place = |[i, j, k]: [usize; 3]| low + DVec3::new(i as f64, j as f64, k as f64) * cell;
    let index = |[i, j, k]: [usize; 3]| (k * counts[1] + j) * counts[0] + i;
    let all = || {
        let [ni, nj, nk] = counts;
        (0..nk).flat_map(move |k| (0..nj).flat_map(move |j| (0..ni).map(move |i| [i, j, k])))
    };
    let mut values: Vec<f64> = all().map(|at| solid.distance(place(at))).collect();
    let cells: Vec<[usize; 3]> = all().filter(|at| (0..3).all(|e| at[e] + 1 < counts[e])).collect();
    while cells.iter().fold(false, |any, &at| any | settle(&mut values, corners_of(at).map(index)))
    {
    }
    let inside = |at: [usize; 3]| values[index(at)] < 0.0;
    let mut vertices: BTreeMap<usize, u32> = BTreeMap::new();
    let mut points = Vec::new();
    for &at in &cells {
        let crossings = edges_of(at).filter(|&[p, q]| inside(p) != inside(q)).map(|[p, q]| {
            let (v, w) = (values[index(p)], values[index(q)]);
            place(p) + (place(q) - place(p)) * (v / (v - w))
        });
        let (sum, count) = crossings.fold((DVec3::ZERO, 0), |(s, n), p| (s + p, n + 1));
        if count > 0 {
            vertices.insert(index(at), points.len() as u32);
            points.push(onto(solid, sum / f64::from(count)));
        }
    }
    let mut quads = Vec::new();
    for at in all() {
        for axis in 0..3 {
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
            let mut next = at;
            next[axis] += 1;
            if next[axis] >= counts[axis] || at[u] == 0 || at[v] == 0 || inside(at) == inside(next)
            {
                continue;
            }
            let around = [[1, 1], [0, 1], [0, 0], [1, 0]].map(|[back_u, back_v]| {
                let mut owner = at;
                (owner[u], owner[v]) = (at[u] - back_u, at[v] - back_v);
                vertices.get(&index(owner)).copied()
            });
            if let [Some(a), Some(b), Some(c), Some(d)] = around {
                quads.push(if inside(at) { [a, b, c, d] } else { [d, c, b, a] });
            }
        }
    }
    (points, quads)
}

/// The eight corners of a cell; the bits of a number are the steps along the axes.
fn corners_of([i, j, k]: [usize; 3]) -> [[usize; 3]; 8] {
    std::array::from_fn(|n| [i + (n & 1), j + (n >> 1 & 1), k + (n >> 2)])
}

/// Takes a corner of a cell inside if the surface in it is not one sheet, or meets a face of it
/// in two lines: there more than two faces would share an edge. True if it did.
fn settle(values: &mut [f64], corners: [usize; 8]) -> bool {
    let inside = corners.map(|c| values[c] < 0.0);
    let split_face = (0..3).any(|axis| {
        let [u, v] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
        [0, 1 << axis].into_iter().any(|from| {
            let [a, b, c, d] = [from, from | u, from | u | v, from | v].map(|n| inside[n]);
            a == c && b == d && a != b
        })
    });
    let parts = |side: bool| {
        let mut reached = [false; 8];
        let mut count = 0;
        while let Some(first) = (0..8).find(|&n| inside[n] == side && !reached[n]) {
            count += 1;
            let mut open = vec![first];
            while let Some(n) = open.pop() {
                reached[n] = true;
                let beside = [n ^ 1, n ^ 2, n ^ 4];
                open.extend(beside.iter().filter(|&&m| inside[m] == side && !reached[m]));
            }
        }
        count
    };
    if !split_face && parts(true) <= 1 && parts(false) <= 1 {
        return false;
    }
    let outside = corners.into_iter().filter(|&c| values[c] >= 0.0);
    let Some(least) = outside.min_by(|&a, &b| values[a].total_cmp(&values[b])) else {
        return false;
    };
    values[least] = -f64::MIN_POSITIVE;
    true
}

/// The twelve sides of a cell.
fn edges_of(at: [usize; 3]) -> impl Iterator<Item = [[usize; 3]; 2]> {
    (0..3).flat_map(move |axis| {
        [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[p, q]| {
            let mut from = at;
            from[(axis + 1) % 3] += p;
            from[(axis + 2) % 3] += q;
            let mut to = from;
            to[axis] += 1;
            [from, to]
        })
    })
}

/// The place on φ = 0 below x, by Newton's method along ∇φ.
fn onto(solid: &impl Field, mut x: DVec3) -> DVec3 {
    for _ in 0..3 {
        let gradient = solid.gradient(x);
        let square = gradient.length_squared();
        if square > 1e-6 {
            x -= gradient * (solid.distance(x) / square);
        }
    }
    x
}
