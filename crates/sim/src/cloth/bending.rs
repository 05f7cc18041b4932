//! From a cloth's bending stiffness to hinges.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3, Vec3};

use super::AngleBending;
use super::rest::RestShape;
use crate::elements::{AngleBend, BendCoupling};

/// Hinges and which of them act together.
pub(super) type Bends = (Vec<AngleBend>, Vec<BendCoupling>);

/// Hinges of their own, each with the law of 001 (eq. 3.2).
pub(super) fn plain_hinges(rest: &dyn RestShape, hinges: &[[u32; 4]], law: AngleBending) -> Bends {
    let make = |corners: &[u32; 4]| {
        let x = rest.hinge(*corners);
        AngleBend::at_rest(*corners, x, law.stiffness, law.damping)
    };
    (hinges.iter().filter_map(make).collect(), Vec::new())
}

/// Hinges that bend together as an isotropic plate of rigidity B = k/4 without Poisson's effect.
///
/// The turn θ at each side of a triangle, over the height h on it, gives the curvature
/// κ = Σ(θ/h)n nᵀ, n being the side's normal in the plane: exact for every quadratic shape
/// (Morley's element; Grinspun et al. 2006). The energy A·½B|κ|² of each triangle is
/// ½ΣQθθ′ with Q = A B(n·n′)²/(h h′). A free border turns as it likes, so that its
/// part of Q is eliminated. Hinges alone would lack what couples two sides: they are three times
/// too stiff across one diagonal of a grid, and a strip of them twists when it is bent.
pub(super) fn plate_hinges(
    rest: &dyn RestShape,
    triangles: &[[u32; 3]],
    hinges: &[[u32; 4]],
    law: AngleBending,
) -> Bends {
    let (mut bends, _) = plain_hinges(rest, hinges, law);
    let alone: Vec<f32> = bends.iter().map(|bend| bend.stiffness).collect();
    bends.iter_mut().for_each(|bend| bend.stiffness = 0.0);
    let by_edge: BTreeMap<[u32; 2], usize> =
        bends.iter().enumerate().map(|(i, b)| (edge(b.corners[2], b.corners[3]), i)).collect();
    let mut couplings = Vec::new();
    for (triangle, corners) in triangles.iter().enumerate() {
        let side = |i: usize| edge(corners[(i + 1) % 3], corners[(i + 2) % 3]);
        let own = [0, 1, 2].map(|i| by_edge.get(&side(i)).copied());
        let x = rest.triangle(triangle);
        let Some(q) = plate_stiffness(x, 0.25 * f64::from(law.stiffness)) else { continue };
        let q = without(q, own.map(|hinge| hinge.is_none()));
        let normal = (x[1] - x[0]).cross(x[2] - x[0]);
        for (i, hinge) in own.iter().enumerate().filter_map(|(i, hinge)| Some((i, (*hinge)?))) {
            // ¼Kθ² = ½Qθ².
            bends[hinge].stiffness += (2.0 * q.col(i)[i]) as f32;
        }
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let (Some(a), Some(b)) = (own[i], own[j]) else { continue };
            let signs = [a, b].map(|hinge| sense(&bends[hinge], rest, normal));
            let stiffness = (q.col(i)[j] * signs[0] * signs[1]) as f32;
            if stiffness.abs() > 1e-6 * law.stiffness {
                let (hinges, triangle) = ([a as u32, b as u32], triangle as u32);
                let shares = [i, j].map(|side| q.col(side)[side] as f32);
                couplings.push(BendCoupling { hinges, stiffness, shares, triangle });
            }
        }
    }
    // Damping keeps its share of the stiffness.
    for (bend, alone) in bends.iter_mut().zip(alone) {
        bend.damping *= if alone > 0.0 { bend.stiffness / alone } else { 1.0 };
    }
    (bends, couplings)
}

/// Q of a triangle, the i-th side being that opposite corner i; `None` if it has no area.
fn plate_stiffness(x: [DVec3; 3], rigidity: f64) -> Option<DMat3> {
    let normal = (x[1] - x[0]).cross(x[2] - x[0]);
    let doubled = normal.length();
    let sides = [0, 1, 2].map(|i| x[(i + 2) % 3] - x[(i + 1) % 3]);
    let longest = sides.iter().map(|s| s.length_squared()).fold(0.0, f64::max);
    if !(doubled > 1e-6 * longest) {
        return None;
    }
    let across = sides.map(|side| side.cross(normal).normalize());
    // 1/h = side/2A.
    let slopes = sides.map(|side| side.length() / doubled);
    let entry = |i: usize, j: usize| {
        let cosine = across[i].dot(across[j]);
        0.5 * doubled * rigidity * cosine * cosine * slopes[i] * slopes[j]
    };
    let column = |j: usize| DVec3::new(entry(0, j), entry(1, j), entry(2, j));
    Some(DMat3::from_cols(column(0), column(1), column(2)))
}

/// Q where the sides that are `free` turn so as to store the least.
fn without(mut q: DMat3, free: [bool; 3]) -> DMat3 {
    for i in (0..3).filter(|&i| free[i]) {
        let (column, own) = (q.col(i), q.col(i)[i]);
        for j in 0..3 {
            *q.col_mut(j) -= if own > 0.0 { column * (column[j] / own) } else { DVec3::ZERO };
        }
        // Rounding must not leave anything of it.
        *q.col_mut(i) = DVec3::ZERO;
        (0..3).for_each(|j| q.col_mut(j)[i] = 0.0);
    }
    q
}

/// 1 if a hinge's angle counts from the side to which `normal` points, else −1.
fn sense(bend: &AngleBend, rest: &dyn RestShape, normal: DVec3) -> f64 {
    let [a, b, start, end] = rest.hinge(bend.corners).map(Vec3::as_dvec3);
    let normals = [(a - start).cross(a - end), (b - end).cross(b - start)];
    // Of the two the one of this triangle is parallel to its normal.
    let cosines = normals.map(|n| n.normalize_or_zero().dot(normal));
    let own = if cosines[0].abs() >= cosines[1].abs() { cosines[0] } else { cosines[1] };
    if own < 0.0 { -1.0 } else { 1.0 }
}

fn edge(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloth::rest::PlacedShape;
    use crate::elements::AngleBendBatch;
    use crate::soa::Soa3;
    use crate::topology::{GridPlane, GridShape, hinges};

    /// Energy by area over ½Bκ² of a grid rolled up slightly along `angle` [°].
    fn rigidity(angle: f64, plate: bool) -> f64 {
        let grid = GridShape { counts: [41, 41], size: [1.0, 1.0], plane: GridPlane::Xz };
        let (points, triangles) = (grid.points(), grid.triangles());
        let law = AngleBending { stiffness: 4.0, damping: 0.0 };
        let joints = hinges(&triangles);
        let rest = PlacedShape { points: &points, triangles: &triangles };
        let (bends, couplings) = if plate {
            plate_hinges(&rest, &triangles, &joints, law)
        } else {
            plain_hinges(&rest, &joints, law)
        };
        let batch = AngleBendBatch::coupled(points.len(), bends, couplings);
        let curvature = 0.2f32;
        let (sine, cosine) = (angle.to_radians().sin() as f32, angle.to_radians().cos() as f32);
        let bend = |p: &Vec3| {
            let along = cosine * p.x + sine * p.z;
            Vec3::new(p.x, 0.5 * curvature * along * along, p.z)
        };
        let bent: Vec<Vec3> = points.iter().map(bend).collect();
        batch.energy(&Soa3::from_points(&bent)) / (0.5 * f64::from(curvature * curvature))
    }

    #[test]
    fn a_plate_is_as_stiff_in_every_direction() {
        for angle in [0.0, 22.5, 45.0, 70.0, 90.0, 112.5, 135.0] {
            let found = rigidity(angle, true);
            assert!((found - 1.0).abs() < 0.05, "{angle}°: {found}");
        }
    }

    #[test]
    fn hinges_alone_follow_their_direction() {
        // 1 − 2σ + 4σ², σ = ½sin 2α: one diagonal of the grid bends, the other hardly does.
        for angle in [0.0, 22.5, 45.0, 90.0, 112.5, 135.0] {
            let sigma = 0.5 * (2.0 * f64::to_radians(angle)).sin();
            let expected = 1.0 - 2.0 * sigma + 4.0 * sigma * sigma;
            let found = rigidity(angle, false);
            assert!((found / expected - 1.0).abs() < 0.05, "{angle}°: {found}, not {expected}");
        }
    }

    #[test]
    fn what_is_freed_stores_nothing() {
        let x = [DVec3::ZERO, DVec3::X, DVec3::Z];
        let q = plate_stiffness(x, 1.0).unwrap();
        assert!(q.determinant() > 0.0);
        assert_eq!(without(q, [true; 3]), DMat3::ZERO);
        // A triangle that is left with its long side only: κ = θ/h about it, less what the two
        // free sides take: |κ|² goes from (θ/h)² to half of it.
        let corner = without(q, [false, true, true]);
        let ratio = corner.col(0).x / q.col(0).x;
        assert!((ratio - 0.5).abs() < 1e-12, "{ratio}");
    }
}
