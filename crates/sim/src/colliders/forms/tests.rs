//! Volumes by formula, and meshes without holes.

use std::f64::consts::PI;

use super::*;

fn close(found: f64, wanted: f64, part: f64) {
    assert!((found / wanted - 1.0).abs() < part, "{found} is not {wanted}");
}

/// Every edge of a triangle is run along once each way: closed and oriented, not just even.
fn is_manifold(mesh: &Triangles) -> bool {
    let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let mut sides: Vec<[u32; 2]> = mesh.triangles.iter().flat_map(sides).collect();
    sides.sort_unstable();
    let twice = sides.windows(2).any(|pair| pair[0] == pair[1]);
    let back = sides.iter().all(|&[a, b]| sides.binary_search(&[b, a]).is_ok());
    !twice && back
}

#[test]
fn forms_are_closed_face_outward_and_have_the_volume_of_their_formula() {
    let n = [256, 128];
    let shell = |r: f64| 2.0 / 3.0 * PI * r.powi(3);
    let (size, leg) = (Vec3::new(1.2, 0.7, 0.8), 0.05);
    // Legs and top overlap by half the top's thickness; the sum counts that twice.
    let furniture = 1.2 * 0.8 * 0.04 + 4.0 * 0.05 * 0.05 * 0.68;
    let back = (0.5 - 0.01) * (0.9 - 0.475) * 0.05;
    let stool = 0.5 * 0.5 * 0.05 + 4.0 * 0.05 * 0.05 * (0.5 - 0.025);
    for (mesh, volume) in [
        (sphere(0.5, n), 4.0 / 3.0 * PI * 0.125),
        (torus(0.15, 0.03, n), 2.0 * PI * PI * 0.15 * 0.03 * 0.03),
        (bowl(0.2, 0.02, n), shell(0.2) - shell(0.18)),
        (cylinder(0.1, 0.7, [256, 3]), PI * 0.01 * 0.7),
        (tube(0.1, 0.02, 0.7, [256, 3]), PI * (0.01 - 0.0064) * 0.7),
        (cuboid(Vec3::new(1.0, 2.0, 3.0), [2, 3, 4]), 6.0),
        (cuboid(Vec3::ONE, [1; 3]), 1.0),
        (ico_sphere(0.5, 5), 4.0 / 3.0 * PI * 0.125),
        (capsule(0.1, 0.4, [256, 2, 64]), PI * 0.01 * 0.4 + 4.0 / 3.0 * PI * 1e-3),
        (centred_box(Vec3::new(1.0, 2.0, 3.0)), 6.0),
        (letter('U', Vec3::new(0.6, 1.0, 0.2), 2).unwrap(), 11.0 * 0.04 * 0.2),
        (letter('E', Vec3::new(0.6, 1.0, 0.2), 1).unwrap(), 11.0 * 0.04 * 0.2),
        (table(size, 0.04, leg), furniture),
        (chair(Vec3::new(0.5, 0.9, 0.5), 0.5, leg), stool + back),
    ] {
        assert!(is_manifold(&mesh) && mesh.open_edges().is_empty());
        close(mesh.volume(), volume, 1e-3);
    }
}

#[test]
fn forms_stand_where_they_say() {
    let bounds = |mesh: &Triangles| crate::aabb::Aabb::around(mesh.points.iter().copied());
    let b = bounds(&bowl(0.2, 0.02, [32, 8]));
    assert!(b.min.y.abs() < 1e-7 && (b.max.y - 0.2).abs() < 1e-7);
    let b = bounds(&table(Vec3::new(1.2, 0.7, 0.8), 0.04, 0.05));
    assert!((b.min - Vec3::new(-0.6, 0.0, -0.4)).length() < 1e-6);
    assert!((b.max - Vec3::new(0.6, 0.7, 0.4)).length() < 1e-6);
    let b = bounds(&torus(0.15, 0.03, [64, 16]));
    assert!((b.max - Vec3::new(0.18, 0.03, 0.18)).length() < 1e-6);
}

#[test]
fn a_hole_and_a_flipped_triangle_are_found() {
    let mut mesh = torus(0.15, 0.03, [8, 6]);
    mesh.triangles.swap(3, 5);
    let lost = mesh.triangles.pop();
    assert_eq!(mesh.open_edges().len(), 3);
    mesh.triangles.extend(lost.map(|[a, b, c]| [a, c, b]));
    assert_eq!(mesh.open_edges().len(), 3);
}

#[test]
fn terrain_has_the_heights_it_was_given_and_faces_up() {
    let mesh = height_field([4, 3], [3.0, 2.0], |i, j| f64::from(i) + 10.0 * f64::from(j));
    assert_eq!(mesh.points[0], Vec3::new(-1.5, 0.0, -1.0));
    assert_eq!(mesh.points[11], Vec3::new(1.5, 23.0, 1.0));
    assert_eq!(mesh.triangles.len(), 2 * 3 * 2);
    for t in &mesh.triangles {
        let [a, b, c] = t.map(|v| mesh.points[v as usize]);
        assert!((b - a).cross(c - a).y > 0.0);
    }
}

#[test]
fn hills_keep_to_their_height_and_follow_the_seed() {
    let hills = Hills::new(0.5, 2.0, 7);
    let heights: Vec<f64> =
        (0..10_000).map(|i| hills.height(f64::from(i % 100), f64::from(i / 100) * 0.13)).collect();
    let most = heights.iter().fold(0.0f64, |a, h| a.max(h.abs()));
    assert!(most <= 0.5 && most > 0.2, "{most}");
    assert_eq!(hills, Hills::new(0.5, 2.0, 7));
    assert!(hills != Hills::new(0.5, 2.0, 8));
}
