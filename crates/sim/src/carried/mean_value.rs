//! Mean value coordinates of a closed surface.

use std::f64::consts::PI;

use glam::{DVec3, Vec3};

use crate::colliders::forms::Triangles;

/// A place nearer to a vertex than this part of the cage's size is at it.
const NEAR: f64 = 1e-9;

/// Half angles of a triangle seen from a place add up to π if that is in it, or nearly so.
const FLAT: f64 = 1e-7;

/// A triangle whose plane holds the place, seen from outside it, says nothing of it.
const EDGE_ON: f64 = 1e-9;

/// wᵥ ∝ ∫ n over the part of the unit ball about x that a vertex's triangles cover, shared among
/// their corners: smooth, 1 at a vertex, linear on every triangle, and Σ wᵥ pᵥ = x. Ju, Schaefer and
/// Warren 2005, "Mean value coordinates for closed triangular meshes".
pub fn mean_value_weights(cage: &Triangles, x: Vec3) -> Vec<(u32, f64)> {
    let x = x.as_dvec3();
    let points: Vec<DVec3> = cage.points.iter().map(|p| p.as_dvec3() - x).collect();
    let size = points.iter().fold(0.0f64, |size, p| size.max(p.length()));
    let at = points.iter().position(|p| p.length() <= NEAR * size);
    if let Some(vertex) = at {
        return vec![(vertex as u32, 1.0)];
    }
    let mut weights = vec![0.0; points.len()];
    for triangle in &cage.triangles {
        let corners = triangle.map(|v| points[v as usize]);
        match seen(corners) {
            Seen::Within(shares) => {
                return triangle.iter().copied().zip(shares).collect();
            }
            Seen::From(shares) => {
                triangle.iter().zip(shares).for_each(|(&v, w)| weights[v as usize] += w);
            }
            Seen::EdgeOn => {}
        }
    }
    let whole: f64 = weights.iter().sum();
    (0..).zip(weights).map(|(v, w)| (v, w / whole)).collect()
}

enum Seen {
    /// The place lies in the triangle: weights of its corners.
    Within([f64; 3]),
    /// What each corner gets.
    From([f64; 3]),
    EdgeOn,
}

/// A triangle with its corners as seen from the place.
fn seen(corners: [DVec3; 3]) -> Seen {
    let lengths = corners.map(DVec3::length);
    let units: [DVec3; 3] = std::array::from_fn(|i| corners[i] / lengths[i]);
    // Angle of the side across from each corner.
    let across: [f64; 3] = std::array::from_fn(|i| {
        let chord = (units[(i + 1) % 3] - units[(i + 2) % 3]).length();
        2.0 * libm::asin((0.5 * chord).min(1.0))
    });
    let half = 0.5 * across.iter().sum::<f64>();
    if PI - half < FLAT {
        let shares = std::array::from_fn(|i| {
            libm::sin(across[i]) * lengths[(i + 1) % 3] * lengths[(i + 2) % 3]
        });
        let whole: f64 = shares.iter().sum();
        return Seen::Within(shares.map(|share| share / whole));
    }
    let sign = units[0].dot(units[1].cross(units[2])).signum();
    let cosines: [f64; 3] = std::array::from_fn(|i| {
        let [j, k] = [(i + 1) % 3, (i + 2) % 3];
        let product = libm::sin(across[j]) * libm::sin(across[k]);
        (2.0 * libm::sin(half) * libm::sin(half - across[i]) / product - 1.0).clamp(-1.0, 1.0)
    });
    let sines = cosines.map(|c| sign * (1.0 - c * c).max(0.0).sqrt());
    if sines.iter().any(|s| s.abs() <= EDGE_ON || !s.is_finite()) {
        return Seen::EdgeOn;
    }
    Seen::From(std::array::from_fn(|i| {
        let [j, k] = [(i + 1) % 3, (i + 2) % 3];
        (across[i] - cosines[j] * across[k] - cosines[k] * across[j])
            / (lengths[i] * libm::sin(across[j]) * sines[k])
    }))
}
