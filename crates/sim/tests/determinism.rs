//! Same bits on any number of threads, in a replay, and after a restart.

mod common;

use common::{DOWN, cloth, world};
use glam::Vec3;
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{AngleBending, Cloth, ClothShape, SpringModel};
use tkanina_sim::colliders::{Collider, ColliderShape, ColliderSphere};
use tkanina_sim::commands::Command;
use tkanina_sim::elements::SpringParams;
use tkanina_sim::measure::state_hash;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::Pose;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::world::World;

/// Enough points that work is really divided: two grids and a mesh over a sphere.
fn crowded(kind: SolverKind) -> World {
    let mut b = ModelBuilder::new(DOWN);
    let params = SpringParams { stiffness: 30.0, damping: 0.01 };
    let mut sheet = cloth([96, 90], 30.0, 0.01);
    sheet.mass = tkanina_sim::cloth::MassRule::AreaDensity(3.0);
    sheet.bending = Some(AngleBending { stiffness: 1e-5, damping: 0.0 });
    sheet.drag_per_area = 0.6;
    b.add_cloth(&sheet);
    let twenty = Cloth {
        springs: SpringModel::Neighbours20(params),
        place: Pose::at(Vec3::Y * 0.1),
        ..sheet.clone()
    };
    b.add_cloth(&twenty);
    let ClothShape::Grid(grid) = &sheet.shape else { unreachable!() };
    let faces = grid.triangles().iter().map(|t| t.to_vec()).collect();
    let mesh = ClothShape::Mesh { points: grid.points(), faces, uvs: Vec::new() };
    let mesh = Cloth { shape: mesh, place: Pose::at(Vec3::Y * 0.2), ..sheet };
    b.add_cloth(&mesh);
    b.hold(0, AnchorPath::Fixed, Grip::RIGID);
    let mut ball = Collider::new(
        "ball",
        ColliderShape::Sphere(ColliderSphere { radius: 0.2 }),
        Pose::at(Vec3::Y * -0.205),
    );
    ball.friction = 0.4;
    b.add_collider(ball);
    let (model, state) = b.build();
    World::new(model, state, kind)
}

#[test]
fn the_hash_is_the_same_for_1_2_3_and_8_threads() {
    for kind in [SolverKind::Verlet { loss: 0.0 }, SolverKind::Rk4] {
        let hash = |threads: usize| {
            let mut w = crowded(kind);
            w.set_threads(threads).unwrap();
            for _ in 0..4 {
                w.advance_frame(1.0 / 60.0, 20).unwrap();
            }
            assert!(w.state().contacts > 20, "the scene must touch its ball");
            state_hash(w.state())
        };
        let one = hash(1);
        for threads in [2, 3, 8] {
            assert_eq!(one, hash(threads), "{kind:?} on {threads} threads");
        }
    }
}

#[test]
fn a_command_log_replays_to_the_same_bits() {
    let make =
        || world(DOWN, SolverKind::Verlet { loss: 0.01 }, &cloth([20, 20], 40.0, 0.1), &[0, 19]);
    let mut first = make();
    for step in 0..600u32 {
        match step {
            100 => first.send(Command::Impulse { particles: vec![210, 211], impulse: Vec3::Z }),
            200 => first.send(Command::Hold { id: 1, particles: vec![399], force: Vec3::X * 0.3 }),
            350 => first.send(Command::Gravity { gravity: Vec3::new(1.0, -5.0, 0.0) }),
            400 => first.send(Command::Release { id: 1 }),
            _ => {}
        }
        first.step(1e-3);
    }
    let mut replay = make();
    let mut log = first.command_log().iter().peekable();
    for step in 0..600 {
        while let Some(record) = log.next_if(|r| r.step == step) {
            replay.send(record.command.clone());
        }
        replay.step(1e-3);
    }
    assert_eq!(first.command_log().len(), 4);
    assert_eq!(state_hash(first.state()), state_hash(replay.state()));
}

#[test]
fn a_restored_state_goes_on_with_the_same_bits() {
    for kind in SolverKind::ALL {
        let make = || world(DOWN, kind, &cloth([12, 12], 40.0, 0.1), &[0, 11]);
        let mut whole = make();
        (0..300).for_each(|_| whole.step(1e-3));
        let mut half = make();
        (0..137).for_each(|_| half.step(1e-3));
        let mut rest = make();
        rest.restore(half.state().clone());
        (0..163).for_each(|_| rest.step(1e-3));
        assert_eq!(whole.state(), rest.state(), "{kind:?}");
    }
}

#[test]
fn no_step_allocates_after_the_first() {
    for kind in SolverKind::ALL {
        let mut w = crowded(kind);
        w.advance_frame(1.0 / 60.0, 4).unwrap();
        let count = allocation_counter::measure(|| w.advance_frame(1.0 / 60.0, 20).unwrap());
        assert_eq!(count.count_total, 0, "{kind:?}: {count:?}");
    }
}
