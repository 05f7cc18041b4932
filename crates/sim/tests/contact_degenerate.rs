//! Cloth made of odd triangles, in contact with itself and with a sheet, under every family of solvers: it
//! neither panics nor hangs.

mod common;
mod implicit_kinds;

use std::time::Instant;

use common::POSITION_BASED;
use common::touching::{LINES, THICKNESS, law, sheet};
use glam::Vec3;
use implicit_kinds::EULER;
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::cloth::{Cloth, ClothShape, MassRule, SpringModel};
use tkanina_sim::colliders::MeshCollider;
use tkanina_sim::elements::SpringParams;
use tkanina_sim::measure;
use tkanina_sim::motion::Pose;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::topology::GridPlane;
use tkanina_sim::world::World;

/// A body of odd triangles over a sheet, both touching themselves and each other, with the same
/// triangles as an obstacle below.
fn odd(points: &[Vec3], faces: &[[u32; 3]], at: Vec3, kind: SolverKind) -> World {
    let params = |stiffness: f32| SpringParams { stiffness, damping: 0.002 * stiffness.sqrt() };
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let shape = ClothShape::Mesh {
        points: points.to_vec(),
        faces: faces.iter().map(|face| face.to_vec()).collect(),
        uvs: Vec::new(),
    };
    let springs = SpringModel::Neighbours12 {
        structural: params(5000.0),
        shear: params(200.0),
        bend: params(1.0),
    };
    let place = Pose::at(at + Vec3::Y * 2.0 * THICKNESS);
    builder.add_cloth(&Cloth {
        place,
        ..Cloth::new("odd", shape, MassRule::PerPoint(0.002), springs)
    });
    builder.add_cloth(&sheet("sheet", 5, Pose::at(at), GridPlane::Xz));
    builder.add_mesh_collider(MeshCollider {
        rest: points.to_vec(),
        triangles: faces.to_vec(),
        pose: Pose::at(at - Vec3::Y * 3.0 * THICKNESS),
        ..MeshCollider::default()
    });
    builder.set_contact(law(2, 0.3));
    let (model, state) = builder.build();
    World::new(model, state, kind)
}

/// It goes on; explicit kinds, and any where `f32` has no places left, may also stop as an explosion, which is
/// said and not a panic.
fn endures(points: &[Vec3], faces: &[[u32; 3]], at: Vec3) {
    let is_far = points.iter().any(|&p| (at + p).length() > 1e5);
    let explicit = [SolverKind::SemiImplicitEuler, SolverKind::VelocityVerlet];
    for kind in [LINES, EULER].into_iter().chain(POSITION_BASED).chain(explicit) {
        let mut world = odd(points, faces, at, kind);
        let start = Instant::now();
        for _ in 0..12 {
            if world.advance_frame(1.0 / 60.0, 12).is_err() {
                assert!(is_far || explicit.contains(&kind), "{kind:?}: exploded");
                break;
            }
        }
        assert_eq!(measure::nonfinite(world.state()), 0, "{kind:?}");
        assert!(start.elapsed().as_secs() < 20, "{kind:?}: {:?}", start.elapsed());
    }
}

/// Four triangles about a square, of which tests spoil some.
fn square(size: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]];
    let points = corners.map(|[x, z]| Vec3::new(x, 0.0, z) * size).to_vec();
    (points, vec![[0, 4, 1], [1, 4, 2], [2, 4, 3], [3, 4, 0]])
}

#[test]
fn triangles_without_area() {
    // On a line, and in one point.
    let (mut points, mut faces) = square(0.2);
    points.extend([0.3, 0.4, 0.5].map(|x| Vec3::new(x, 0.0, 0.0)));
    points.extend([Vec3::new(0.6, 0.0, 0.1); 3]);
    faces.extend([[5, 6, 7], [8, 9, 10], [1, 5, 6], [0, 0, 1]]);
    endures(&points, &faces, Vec3::ZERO);
    // And nothing but these.
    endures(&points[5..8], &[[0, 1, 2]], Vec3::ZERO);
    endures(&points[8..11], &[[0, 1, 2]], Vec3::ZERO);
}

#[test]
fn vertices_on_top_of_each_other() {
    // Two squares that share a side in space but no vertex, and one that lies in the first.
    let (points, faces) = square(0.2);
    let mut all = points.clone();
    all.extend(points.iter().map(|&p| p + Vec3::X * 0.2));
    all.extend(&points);
    let copies = (0..3).flat_map(|k| faces.iter().map(move |face| face.map(|v| v + 5 * k)));
    endures(&all, &copies.collect::<Vec<_>>(), Vec3::ZERO);
}

#[test]
fn needles() {
    let (mut points, mut faces) = square(0.2);
    points.extend([Vec3::new(0.1, 0.0, -1e-7), Vec3::new(0.1, 1e-5, -1.0)]);
    faces.extend([[0, 1, 5], [0, 5, 6]]);
    endures(&points, &faces, Vec3::ZERO);
}

#[test]
fn a_billionth_of_a_metre() {
    let (points, faces) = square(1e-9);
    endures(&points, &faces, Vec3::ZERO);
    // Beside triangles of usual size.
    let (mut all, mut both) = square(0.2);
    all.extend(&points);
    both.extend(faces.iter().map(|face| face.map(|v| v + 5)));
    endures(&all, &both, Vec3::ZERO);
}

#[test]
fn a_million_metres() {
    let (points, faces) = square(1e6);
    endures(&points, &faces, Vec3::ZERO);
    let (points, faces) = square(0.2);
    endures(&points, &faces, Vec3::splat(1e6));
}
