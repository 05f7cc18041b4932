//! Putting a garment on: its seams are closed already, now it takes its lengths round a body.

use glam::{DVec3, Vec3};
use tkanina_sim::topology::SewnMesh;

/// What a garment is put on: the nearest place outside, by direction and distance, of a place.
pub type Obstacle<'a> = &'a dyn Fn(Vec3) -> Option<(Vec3, f32)>;

/// Rounds of fitting: lengths spread over some √n edges in n rounds.
const ROUNDS: usize = 600;

/// Part of what a round mends of an edge that is too long, or too short: cloth buckles readily.
const LONG: f64 = 0.9;
const SHORT: f64 = 0.25;
/// The same of two points across an edge, which must come no nearer: keeps folds open.
const SPANS: f64 = 0.15;

/// Moves the start of a garment so that edges get their lengths while all points keep `margin`
/// off the obstacle [m]. Positions alone count: there is no weight and no speed.
pub fn drape(mesh: &mut SewnMesh, obstacle: Option<Obstacle<'_>>, margin: f32) {
    let edges: Vec<([usize; 2], f64)> =
        mesh.lengths().into_iter().map(|(pair, l)| (pair.map(|v| v as usize), l)).collect();
    let spans = spans(mesh);
    let mut x: Vec<DVec3> = mesh.start.iter().map(|p| p.as_dvec3()).collect();
    for _ in 0..ROUNDS {
        for (&([a, b], rest), keep) in edges
            .iter()
            .zip(std::iter::repeat(false))
            .chain(spans.iter().zip(std::iter::repeat(true)))
        {
            let gap = x[b] - x[a];
            let length = gap.length();
            let over = length - rest;
            if length < 1e-9 || keep && over > 0.0 {
                continue;
            }
            let share = match (keep, over > 0.0) {
                (true, _) => SPANS,
                (false, true) => LONG,
                (false, false) => SHORT,
            };
            let shift = gap * (0.5 * share * over / length);
            x[a] += shift;
            x[b] -= shift;
        }
        if let Some(obstacle) = obstacle {
            for p in &mut x {
                if let Some((normal, distance)) = obstacle(p.as_vec3())
                    && distance < margin
                {
                    *p += normal.as_dvec3() * f64::from(margin - distance);
                }
            }
        }
    }
    mesh.start = x.into_iter().map(|p| p.as_vec3()).collect();
}

/// Pairs of points across an edge, with nine tenths of their distance when flat.
fn spans(mesh: &SewnMesh) -> Vec<([usize; 2], f64)> {
    let lengths = mesh.lengths();
    let length = |a: u32, b: u32| lengths.get(&[a.min(b), a.max(b)]).copied().unwrap_or(0.0);
    let flat = |&[f, g, a, b]: &[u32; 4]| {
        let edge = length(a, b).max(1e-9);
        let beside = |far: u32| {
            let (p, q) = (length(far, a), length(far, b));
            let along = (p * p - q * q + edge * edge) / (2.0 * edge);
            (along, (p * p - along * along).max(0.0).sqrt())
        };
        let ((fx, fy), (gx, gy)) = (beside(f), beside(g));
        ([f as usize, g as usize], 0.9 * libm::hypot(fx - gx, fy + gy))
    };
    mesh.connections().hinges.iter().map(flat).collect()
}
