//! Closed solids with evenly spread points: good skins of soft bodies.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

use glam::Vec3;

use super::Triangles;
use super::round::capped;

/// A ball about the origin: an icosahedron whose triangles are cut in four `subdivisions` times:
/// 10·4ⁿ + 2 points.
pub fn ico_sphere(radius: f64, subdivisions: u32) -> Triangles {
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let mut points: Vec<[f64; 3]> = Vec::new();
    for (a, b) in [(1.0, golden), (-1.0, golden), (1.0, -golden), (-1.0, -golden)] {
        points.extend([[0.0, a, b], [a, b, 0.0], [b, 0.0, a]]);
    }
    // Corners at the distance of an edge, 2, from each other.
    let far =
        |i: usize, j: usize| (0..3).map(|d| (points[i][d] - points[j][d]).powi(2)).sum::<f64>();
    let near = |i: usize, j: usize| (far(i, j) - 4.0).abs() < 1e-9;
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if near(i, j) && near(j, k) && near(k, i) {
                    let p = [i, j, k].map(|v| Vec3::from(points[v].map(|c| c as f32)));
                    let outward = (p[1] - p[0]).cross(p[2] - p[0]).dot(p[0]) > 0.0;
                    let [i, j, k] = [i as u32, j as u32, k as u32];
                    triangles.push(if outward { [i, j, k] } else { [i, k, j] });
                }
            }
        }
    }
    for _ in 0..subdivisions {
        let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let mut next = Vec::with_capacity(4 * triangles.len());
        for &[a, b, c] in &triangles {
            let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[p, q]| {
                *middles.entry([p.min(q), p.max(q)]).or_insert_with(|| {
                    let (p, q) = (points[p as usize], points[q as usize]);
                    points.push([p[0] + q[0], p[1] + q[1], p[2] + q[2]]);
                    points.len() as u32 - 1
                })
            });
            next.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = next;
        points.iter_mut().for_each(|p| *p = at_radius(*p, 1.0));
    }
    let point = |p: [f64; 3]| Vec3::from(at_radius(p, radius).map(|c| c as f32));
    Triangles { points: points.into_iter().map(point).collect(), triangles }
}

fn at_radius(p: [f64; 3], radius: f64) -> [f64; 3] {
    let length = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
    p.map(|c| c * radius / length)
}

/// A cylinder along y with half balls for ends, about the origin; `length` without them. `segments`
/// round the axis, along the cylinder and from its end to the pole.
pub fn capsule(radius: f64, length: f64, segments: [u32; 3]) -> Triangles {
    let [around, along, cap] = segments;
    let half = 0.5 * length;
    let arc = |i: u32| {
        let angle = FRAC_PI_2 * f64::from(i) / f64::from(cap);
        (radius * libm::sin(angle), radius * libm::cos(angle))
    };
    let mut profile: Vec<(f64, f64)> = (1..=cap).map(arc).map(|(r, y)| (r, -half - y)).collect();
    if let Some(last) = profile.last_mut() {
        *last = (radius, -half);
    }
    let step = |i: u32| (radius, length * (f64::from(i) / f64::from(along) - 0.5));
    profile.extend((1..=along).map(step));
    profile.extend((1..cap).rev().map(arc).map(|(r, y)| (r, half + y)));
    capped(&profile, around, [-half - radius, half + radius])
}

/// A box about the origin with a point in the middle of every face, as document 003 has it: 14 points.
pub fn centred_box(size: Vec3) -> Triangles {
    let corner = |i: u32| {
        let side = |bit: u32| if i >> bit & 1 == 0 { -0.5 } else { 0.5 };
        Vec3::new(side(0), side(1), side(2)) * size
    };
    let mut mesh = Triangles { points: (0..8).map(corner).collect(), triangles: Vec::new() };
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    for face in faces {
        let sum: Vec3 = face.iter().map(|&v| mesh.points[v as usize]).sum();
        let middle = mesh.point(sum / 4.0);
        for k in 0..4 {
            mesh.triangles.push([face[k], face[(k + 1) % 4], middle]);
        }
    }
    mesh
}

/// Letters that can be built, as squares of rows from the top.
const LETTERS: [(char, [&str; 5]); 6] = [
    ('C', ["###", "#..", "#..", "#..", "###"]),
    ('E', ["###", "#..", "###", "#..", "###"]),
    ('H', ["#.#", "#.#", "###", "#.#", "#.#"]),
    ('L', ["#..", "#..", "#..", "#..", "###"]),
    ('T', ["###", ".#.", ".#.", ".#.", ".#."]),
    ('U', ["#.#", "#.#", "#.#", "#.#", "###"]),
];

/// The letters of [`letter`].
pub fn letters() -> impl Iterator<Item = char> {
    LETTERS.iter().map(|(letter, _)| *letter)
}

/// A letter of three by five squares, a concave solid about the origin that stands upright: `size` in
/// all, each square cut in `cells` along each side, and as finely in depth. `None` for other letters.
pub fn letter(letter: char, size: Vec3, cells: u32) -> Option<Triangles> {
    let (_, rows) = LETTERS.iter().find(|(known, _)| *known == letter)?;
    let n = i64::from(cells.max(1));
    let square = size.x.min(size.y) / (3 * n) as f32;
    let deep = ((size.z / square).round() as i64).max(1);
    let counts = [3 * n, 5 * n, deep];
    let filled = |[i, j, k]: [i64; 3]| {
        let inside = (0..3).all(|d| (0..counts[d]).contains(&[i, j, k][d]));
        inside && rows[(4 - j / n) as usize].as_bytes()[(i / n) as usize] == b'#'
    };
    Some(blocks(counts, filled, size))
}

/// The surface of filled cells of a box about the origin.
fn blocks(counts: [i64; 3], filled: impl Fn([i64; 3]) -> bool, size: Vec3) -> Triangles {
    let mut mesh = Triangles::default();
    let mut numbers: BTreeMap<[i64; 3], u32> = BTreeMap::new();
    let place = |at: [i64; 3]| {
        let part = |d: usize| at[d] as f32 / counts[d] as f32 - 0.5;
        Vec3::new(part(0), part(1), part(2)) * size
    };
    for k in 0..counts[2] {
        for j in 0..counts[1] {
            for i in 0..counts[0] {
                let cell = [i, j, k];
                if !filled(cell) {
                    continue;
                }
                for axis in 0..3 {
                    for side in [0, 1] {
                        let mut next = cell;
                        next[axis] += 2 * side - 1;
                        if filled(next) {
                            continue;
                        }
                        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                        let corner = |a: i64, b: i64| {
                            let mut at = cell;
                            at[axis] += side;
                            at[u] += a;
                            at[v] += b;
                            at
                        };
                        let ring = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                        let mut quad = ring
                            .map(|at| *numbers.entry(at).or_insert_with(|| mesh.point(place(at))));
                        if side == 0 {
                            quad.reverse();
                        }
                        mesh.quad(quad);
                    }
                }
            }
        }
    }
    mesh
}
