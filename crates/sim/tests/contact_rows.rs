//! Known answers on meshes under every kind of solver, in the steps that it asks for.

mod common;
mod implicit_kinds;

use common::touching::{LINES, THICKNESS, law, run_clean, sheet};
use glam::{Quat, Vec3};
use implicit_kinds::{BDF2, EULER, MIDPOINT, SDIRK2};
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::cloth::Cloth;
use tkanina_sim::colliders::MeshCollider;
use tkanina_sim::contact::{ContactLaw, Rub};
use tkanina_sim::measure;
use tkanina_sim::motion::Pose;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::topology::GridPlane;
use tkanina_sim::world::World;

/// All kinds whose steps are long enough for `f32` to tell the weight of one: in the 457 a frame that
/// the kinematic rule asks for here, rounding is larger.
const KINDS: [SolverKind; 12] = [
    LINES,
    SolverKind::VertexDescent { iterations: None },
    SolverKind::Xpbd { iterations: None },
    SolverKind::Projective { iterations: None },
    EULER,
    MIDPOINT,
    BDF2,
    SDIRK2,
    SolverKind::SemiImplicitEuler,
    SolverKind::VelocityVerlet,
    SolverKind::Verlet { loss: 0.0 },
    SolverKind::Rk4,
];

/// A square of 6 m made of two triangles, inclined about z.
fn incline(angle: f32, friction: f32, restitution: f32) -> MeshCollider {
    let corners = [[-3.0, -3.0], [3.0, -3.0], [3.0, 3.0], [-3.0, 3.0]];
    MeshCollider {
        name: "incline".to_owned(),
        triangles: vec![[0, 2, 1], [0, 3, 2]],
        rest: corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec(),
        pose: Pose { position: Vec3::ZERO, rotation: Quat::from_rotation_z(angle) },
        friction,
        restitution,
        ..MeshCollider::default()
    }
}

/// A small sheet above a mesh.
fn over(
    mesh: MeshCollider,
    (n, height, angle): (usize, f32, f32),
    v: Vec3,
    kind: SolverKind,
) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let turn = Quat::from_rotation_z(angle);
    let place = Pose { position: turn * Vec3::new(0.0, height, 0.0), rotation: turn };
    builder.add_cloth(&Cloth { velocity: v, ..sheet("sheet", n, place, GridPlane::Xz) });
    builder.add_mesh_collider(mesh);
    builder.set_contact(law(1, 0.3));
    let (model, state) = builder.build();
    World::new(model, state, kind)
}

fn centre(world: &World) -> Vec3 {
    world.state().x.iter().sum::<Vec3>() / world.state().x.len() as f32
}

fn speed(world: &World) -> Vec3 {
    world.state().v.iter().sum::<Vec3>() / world.state().v.len() as f32
}

fn go(world: &mut World, frames: u32) {
    let substeps = world.substeps_for(1.0 / 60.0) as u32;
    for _ in 0..frames {
        world.advance_frame(1.0 / 60.0, substeps).unwrap();
    }
}

/// Way down a mesh incline of 20° in a second.
fn slide(friction: f32, kind: SolverKind) -> f32 {
    let angle = 20f32.to_radians();
    let mut world =
        over(incline(angle, friction, 0.0), (6, 1.01 * THICKNESS, angle), Vec3::ZERO, kind);
    let start = centre(&world);
    go(&mut world, 60);
    let way = Quat::from_rotation_z(-angle) * (centre(&world) - start);
    -way.x
}

#[test]
fn a_sheet_on_a_mesh_incline_holds_and_slides_by_coulombs_law() {
    let angle = 20f32.to_radians();
    for kind in KINDS {
        // A tenth of a degree more friction than it needs.
        let way = slide(20.1f32.to_radians().tan(), kind);
        assert!(way.abs() < 1e-3, "{kind:?}: slid {way} m");
        // s = ½ g (sin α − μ cos α) t².
        for friction in [0.0, 0.2] {
            let expected = 0.5 * 9.81 * (angle.sin() - friction * angle.cos());
            let way = slide(friction, kind);
            let off = way / expected - 1.0;
            assert!(off.abs() < 0.01, "{kind:?}, μ {friction}: {way} m for {expected} m");
        }
    }
}

/// A small sheet dropped flat on a mesh with restitution; the height it comes back to, and its speed
/// along the mesh there.
fn bounce([restitution, friction]: [f32; 2], drop: f32, along: f32, kind: SolverKind) -> [f32; 2] {
    let mesh = incline(0.0, friction, restitution);
    let mut world = over(mesh, (4, THICKNESS + drop, 0.0), Vec3::X * along, kind);
    let substeps = world.substeps_for(1.0 / 60.0) as u32;
    let (mut top, mut rose, mut then) = (0.0f32, false, 0.0);
    for _ in 0..(40.0 + 80.0 * drop.sqrt()) as u32 {
        world.advance_frame(1.0 / 60.0, substeps).unwrap();
        rose |= speed(&world).y > 0.0;
        let height = centre(&world).y - THICKNESS;
        if rose && height > top {
            (top, then) = (height, speed(&world).x);
        }
    }
    [top, then]
}

#[test]
fn a_sheet_bounces_off_a_mesh_to_the_square_of_restitution_from_any_height() {
    for kind in KINDS {
        for drop in [0.3, 0.31, 0.32, 0.33, 2.0] {
            for restitution in [0.5, 0.8] {
                let [top, _] = bounce([restitution, 0.0], drop, 0.0, kind);
                let expected = restitution * restitution * drop;
                let off = top / expected - 1.0;
                assert!(off.abs() < 0.005, "{kind:?}, e {restitution}: {top} m for {expected} m");
            }
        }
    }
}

#[test]
fn what_bounces_askew_is_rubbed_by_all_of_its_impact() {
    for kind in KINDS {
        // v_t⁺ = v_t + μ (1 + e) v_n.
        let [_, along] = bounce([0.5, 0.2], 0.3, 3.0, kind);
        let expected = 3.0 - 0.2 * 1.5 * (2.0f32 * 9.81 * 0.3).sqrt();
        assert!((along / expected - 1.0).abs() < 0.005, "{kind:?}: {along} m/s for {expected}");
    }
}

#[test]
fn sheets_that_collide_keep_their_momentum_under_every_kind() {
    for kind in KINDS {
        for restitution in [0.0, 0.5] {
            let mut builder = ModelBuilder::new(Vec3::ZERO);
            let mut add = |name: &str, y: f32, velocity: Vec3| {
                let tilt = Quat::from_rotation_z(0.1 * y);
                let place = Pose { position: Vec3::new(0.0, y, 0.0), rotation: tilt };
                let cloth = sheet(name, 14, place, GridPlane::Xz);
                builder.add_cloth(&Cloth { velocity, ..cloth });
            };
            add("lower", 0.0, Vec3::new(0.0, 1.0, 0.0));
            add("upper", 0.2, Vec3::new(0.5, -2.0, 0.25));
            let rub = Rub { friction: 0.3, restitution };
            builder.set_contact(ContactLaw { rub, ..law(2, 0.3) });
            let (model, state) = builder.build();
            let mut world = World::new(model, state, kind);
            let before = measure::momentum(world.model(), world.state());
            let energy = measure::energy(world.model(), world.state()).total();
            run_clean(&mut world, 40);
            assert!(world.contact_tally().unwrap().pushes > 0, "they have to meet");
            let after = measure::momentum(world.model(), world.state());
            // 0.2 kg each at 1 and 2.1 m/s.
            let change = (after - before).length();
            let most = if kind == BDF2 { 5e-3 } else { 5e-5 };
            assert!(change < most, "{kind:?}, e {restitution}: {before} → {after}");
            let left = measure::energy(world.model(), world.state()).total() / energy;
            assert!(left < 1.0, "{kind:?}, e {restitution}: {left} of the energy");
        }
    }
}
