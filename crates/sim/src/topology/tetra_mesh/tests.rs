//! Balls, rings and boxes, whose volumes are known.

use glam::Vec3;

use super::*;
use crate::colliders::forms::{Triangles, bowl, chair, cuboid, sphere, torus};
use crate::rng::Rng;

fn filled(mesh: &Triangles, spacing: f64) -> TetraMesh {
    TetraMesh::fill(&mesh.points, &mesh.triangles, spacing).unwrap()
}

/// Least and greatest angle between two faces of a tetrahedron. [degrees]
fn angles(mesh: &TetraMesh) -> (f64, f64) {
    let (mut low, mut high) = (180.0f64, 0.0f64);
    for t in &mesh.tetras {
        let at = t.map(|v| mesh.points[v as usize].as_dvec3());
        for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let others: Vec<usize> = (0..4).filter(|&k| k != i && k != j).collect();
            let edge = (at[j] - at[i]).normalize();
            let side = |k: usize| {
                let way = at[k] - at[i];
                (way - edge * way.dot(edge)).normalize()
            };
            let angle = side(others[0]).dot(side(others[1])).clamp(-1.0, 1.0).acos().to_degrees();
            (low, high) = (low.min(angle), high.max(angle));
        }
    }
    (low, high)
}

/// Every inner face has two tetrahedra on its two sides, the rest close the surface.
fn check(name: &str, mesh: &TetraMesh, volume: f64, within: f64) {
    for &t in &mesh.tetras {
        assert!(mesh.volume_of(t) > 0.0, "{name}");
    }
    let off = mesh.volume() / volume - 1.0;
    assert!(off.abs() < within, "{name}: volume is off by {off}");
    let (low, high) = angles(mesh);
    assert!(low > 9.0 && high < 166.0, "{name}: {low}° to {high}°");
    let outside = Triangles { points: mesh.points.clone(), triangles: mesh.surface() };
    assert!(outside.open_edges().is_empty(), "{name}");
    // Only if nothing overlaps or is missing inside do both volumes agree.
    assert!((outside.volume() / mesh.volume() - 1.0).abs() < 1e-5, "{name}");
}

#[test]
fn solids_have_the_volume_of_their_surface() {
    let ball = sphere(0.5, [64, 32]);
    check("ball", &filled(&ball, 0.1), ball.volume(), 0.02);
    check("fine ball", &filled(&ball, 0.05), ball.volume(), 0.005);
    let ring = torus(0.6, 0.2, [64, 32]);
    check("ring", &filled(&ring, 0.08), ring.volume(), 0.02);
    let block = cuboid(Vec3::new(1.0, 0.6, 0.4), [1, 1, 1]);
    check("box", &filled(&block, 0.1), block.volume(), 0.03);
    let bowl = bowl(0.5, 0.15, [48, 16]);
    check("bowl", &filled(&bowl, 0.05), bowl.volume(), 0.03);
}

#[test]
fn turned_and_shifted_solids_are_as_good() {
    let mut rng = Rng::new(31);
    for _ in 0..6 {
        let turn = glam::Quat::from_euler(
            glam::EulerRot::XYZ,
            rng.between(0.0, 6.0) as f32,
            rng.between(0.0, 6.0) as f32,
            rng.between(0.0, 6.0) as f32,
        );
        let mut mesh = cuboid(Vec3::new(0.9, 0.5, 0.7), [2, 2, 2]);
        for p in &mut mesh.points {
            *p = turn * *p + Vec3::new(5.0, -3.0, 1.0);
        }
        check("turned box", &filled(&mesh, 0.06), mesh.volume(), 0.04);
    }
}

#[test]
fn what_is_concave_stays_so() {
    let ring = torus(0.6, 0.2, [64, 32]);
    let mesh = filled(&ring, 0.08);
    for p in &mesh.points {
        let across = (p.x.hypot(p.z) - 0.6).hypot(p.y);
        assert!(across < 0.205, "{p}");
    }
    let chair = chair(Vec3::new(0.5, 1.0, 0.5), 0.08, 0.08);
    assert!(filled(&chair, 0.03).volume() > 0.0);
}

#[test]
fn bad_surfaces_are_refused() {
    let fill = |p: &[Vec3], t: &[[u32; 3]], h| TetraMesh::fill(p, t, h);
    assert_eq!(fill(&[], &[], 0.1), Err(VoxelError::Empty));
    let thin = cuboid(Vec3::new(1.0, 1.0, 0.01), [1, 1, 1]);
    assert!(matches!(fill(&thin.points, &thin.triangles, 0.5), Err(VoxelError::TooWide(_))));
    let ball = sphere(0.5, [16, 8]);
    assert!(matches!(fill(&ball.points, &ball.triangles, -1.0), Err(VoxelError::Spacing(_))));
    assert!(matches!(fill(&ball.points, &ball.triangles, 1e-4), Err(VoxelError::TooMany { .. })));
    // A single triangle encloses nothing.
    let p = [Vec3::ZERO, Vec3::X, Vec3::Y];
    assert!(fill(&p, &[[0, 1, 2]], 0.1).is_err());
}
