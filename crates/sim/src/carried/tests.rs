use glam::{Mat3, Vec3};

use super::*;
use crate::colliders::forms::{centred_box, cuboid, ico_sphere, letter};

/// What carries a mesh linearly takes it along wherever the cage goes as a whole: turned, sheared
/// and moved.
fn follows_affine_maps(cage: &Triangles, mesh: &Triangles, carried: &Carried) {
    let turn = Mat3::from_cols(
        Vec3::new(0.6, 0.9, -0.2),
        Vec3::new(-0.8, 0.7, 0.1),
        Vec3::new(0.3, 0.1, 1.4),
    );
    let to = |p: &Vec3| turn * *p + Vec3::new(1.0, -2.0, 0.5);
    let moved: Vec<Vec3> = cage.points.iter().map(to).collect();
    let mut places = Vec::new();
    carried.places(&moved, &mut places);
    assert_eq!(places.len(), mesh.points.len());
    for (place, point) in places.iter().zip(&mesh.points) {
        let off = place.distance(to(point));
        assert!(off < 1e-5, "{point} is off by {off}");
    }
}

#[test]
fn mean_values_carry_a_mesh_through_affine_maps_inside_and_outside() {
    let mesh = ico_sphere(0.3, 2);
    let concave = letter('E', Vec3::new(0.6, 1.0, 0.3), 2).unwrap();
    for cage in [centred_box(Vec3::ONE), ico_sphere(0.5, 1), concave] {
        let carried = Carried::new(&mesh, |p| mean_value_weights(&cage, p));
        follows_affine_maps(&cage, &mesh, &carried);
    }
}

#[test]
fn mean_values_at_the_cage_are_those_of_the_cage() {
    let cage = ico_sphere(1.0, 1);
    for (v, &point) in (0..).zip(&cage.points) {
        assert_eq!(mean_value_weights(&cage, point), [(v, 1.0)]);
    }
    let [a, b, c] = cage.triangles[7].map(|v| cage.points[v as usize]);
    let weights = mean_value_weights(&cage, 0.5 * a + 0.3 * b + 0.2 * c);
    let mut sum = 0.0;
    for (v, weight) in weights {
        let wanted = match cage.triangles[7].iter().position(|&corner| corner == v) {
            Some(corner) => [0.5, 0.3, 0.2][corner],
            None => 0.0,
        };
        assert!((weight - wanted).abs() < 1e-4, "{v}: {weight}, not {wanted}");
        sum += weight;
    }
    assert!((sum - 1.0).abs() < 1e-12);
}

#[test]
fn mean_values_in_the_middle_of_a_ball_are_even() {
    let cage = ico_sphere(1.0, 0);
    for (_, weight) in mean_value_weights(&cage, Vec3::ZERO) {
        assert!((weight - 1.0 / 12.0).abs() < 1e-9, "{weight}");
    }
}

#[test]
fn corners_of_a_box_carry_a_mesh_through_affine_maps() {
    let (cage, mesh) = (cuboid(Vec3::new(1.0, 2.0, 0.5), [3; 3]), ico_sphere(0.25, 1));
    let carried = Carried::new(&mesh, |p| corner_weights(&cage, p));
    follows_affine_maps(&cage, &mesh, &carried);
    // One corner moved draws the middle along by an eighth.
    let mut moved = cage.points.clone();
    let corner = corner_weights(&cage, Vec3::new(0.5, 1.0, 0.25));
    let corner = corner.iter().find(|(_, weight)| *weight > 0.99).unwrap().0;
    moved[corner as usize] += Vec3::new(0.8, 0.0, 0.0);
    let point = Triangles { points: vec![Vec3::ZERO], triangles: Vec::new() };
    let mut places = Vec::new();
    Carried::new(&point, |p| corner_weights(&cage, p)).places(&moved, &mut places);
    assert!(places[0].distance(Vec3::new(0.1, 0.0, 0.0)) < 1e-6, "{}", places[0]);
}

#[test]
fn tetrahedra_carry_a_mesh_through_affine_maps() {
    let mesh = ico_sphere(0.4, 3);
    let solid = crate::topology::TetraMesh::fill(&mesh.points, &mesh.triangles, 0.1).unwrap();
    let carriers = TetraCarriers::new(&solid);
    let carried = Carried::new(&mesh, |p| carriers.weights(p));
    let cage = Triangles { points: solid.points.clone(), triangles: Vec::new() };
    follows_affine_maps(&cage, &mesh, &carried);
    // No point is carried from afar.
    for &point in &mesh.points {
        for (corner, _) in carriers.weights(point) {
            assert!(solid.points[corner as usize].distance(point) < 0.2, "{point}");
        }
    }
}
