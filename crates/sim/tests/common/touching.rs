//! Worlds in which triangles touch.

use glam::{Quat, Vec3};
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::cloth::{Cloth, ClothShape, MassRule, SpringModel};
use tkanina_sim::colliders::{Collider, ColliderPlane, ColliderShape, MeshCollider};
use tkanina_sim::contact::{BodyContact, ContactLaw, Rub};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::measure;
use tkanina_sim::motion::{Motion, Pose};
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::topology::{GridPlane, GridShape};
use tkanina_sim::world::World;

/// Kept between surfaces. [m]
pub const THICKNESS: f32 = 0.004;

/// A square of 1 m.
pub fn sheet(name: &str, n: usize, place: Pose, plane: GridPlane) -> Cloth {
    let params = |stiffness: f32| SpringParams { stiffness, damping: 0.002 * stiffness.sqrt() };
    Cloth {
        place,
        ..Cloth::new(
            name,
            ClothShape::Grid(GridShape { counts: [n, n], size: [1.0, 1.0], plane }),
            MassRule::AreaDensity(0.2),
            SpringModel::Neighbours12 {
                structural: params(5000.0),
                shear: params(200.0),
                bend: params(1.0),
            },
        )
    }
}

/// Contact of so many bodies.
pub fn law(bodies: usize, friction: f32) -> ContactLaw {
    ContactLaw {
        bodies: vec![BodyContact { touches_itself: true, thickness: THICKNESS }; bodies],
        thickness: THICKNESS,
        safe: true,
        rub: Rub { friction, restitution: 0.0 },
        pairs: Vec::new(),
    }
}

/// The plane y = 0.
pub fn floor(friction: f32) -> Collider {
    Collider {
        name: "floor".to_owned(),
        shape: ColliderShape::Plane(ColliderPlane {}),
        rest: Pose::at(Vec3::ZERO),
        motion: Motion::Static,
        friction,
        restitution: 0.0,
    }
}

/// The solver of most tests.
pub const LINES: SolverKind = SolverKind::LineProjection { iterations: None, embed: None };
/// Another.
pub const DESCENT: SolverKind = SolverKind::VertexDescent { iterations: None };

/// An upright sheet, slightly askew, that falls in a heap.
pub fn heap(n: usize, kind: SolverKind) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let place = Pose { position: Vec3::new(0.0, 0.55, 0.0), rotation: Quat::from_rotation_x(0.05) };
    builder.add_cloth(&sheet("sheet", n, place, GridPlane::Xy));
    builder.add_collider(floor(0.4));
    builder.set_contact_offset(THICKNESS);
    builder.set_contact(law(1, 0.3));
    let (model, state) = builder.build();
    World::new(model, state, kind)
}

/// Runs and checks every frame.
pub fn run_clean(world: &mut World, frames: u32) {
    let substeps = world.substeps_for(1.0 / 60.0) as u32;
    for frame in 0..frames {
        world.advance_frame(1.0 / 60.0, substeps).unwrap();
        let found = measure::crossings_exhaustive(world.model(), world.state());
        assert!(found.is_empty(), "frame {frame}: {} crossings, {:?}", found.len(), found[0]);
    }
}

/// A sheet that falls on a mesh.
pub fn on_mesh(n: usize, height: f32, mesh: MeshCollider) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    builder.add_cloth(&sheet("sheet", n, Pose::at(Vec3::Y * height), GridPlane::Xz));
    builder.add_mesh_collider(mesh);
    builder.set_contact(law(1, 0.3));
    let (model, state) = builder.build();
    World::new(model, state, LINES)
}

/// A closed box of twelve triangles.
pub fn cube(size: f32) -> MeshCollider {
    let corner = |i: usize| {
        let side = |bit: usize| if i >> bit & 1 == 0 { -0.5 * size } else { 0.5 * size };
        Vec3::new(side(0), side(1), side(2))
    };
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    MeshCollider {
        name: "cube".to_owned(),
        triangles: faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        rest: (0..8).map(corner).collect(),
        friction: 0.4,
        ..MeshCollider::default()
    }
}
