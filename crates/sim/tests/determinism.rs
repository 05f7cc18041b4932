//! Same bits on any number of threads, in a replay, and after a restart.

mod common;

use common::{DOWN, POSITION_BASED, cloth, position_based, world};
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
fn position_based_solvers_give_the_same_hash_for_1_2_and_8_threads() {
    for kind in position_based(Some(3)) {
        let hash = |threads: usize| {
            let mut w = crowded(kind);
            w.set_threads(threads).unwrap();
            w.send(Command::Grab { id: 2, particle: 95, target: Vec3::new(0.6, 0.3, -0.5) });
            (0..2).for_each(|_| w.advance_frame(1.0 / 60.0, 3).unwrap());
            state_hash(w.state())
        };
        let one = hash(1);
        for threads in [2, 8] {
            assert_eq!(one, hash(threads), "{kind:?} on {threads} threads");
        }
    }
}

#[test]
fn triangles_and_plates_give_the_same_hash_on_1_and_3_threads() {
    for kind in position_based(Some(2)) {
        let hash = |threads: usize| {
            let mut sheet = cloth([60, 50], 30.0, 0.0);
            let (warp, weft, shear, damping_ratio) = (30.0, 20.0, 5.0, 0.1);
            sheet.springs = SpringModel::Triangles { warp, weft, shear, damping_ratio };
            sheet.bending = Some(AngleBending { stiffness: 1e-4, damping: 1e-7 });
            sheet.plate = true;
            let mut w = world(DOWN, kind, &sheet, &[0, 59]);
            w.set_threads(threads).unwrap();
            (0..4).for_each(|_| w.advance_frame(1.0 / 60.0, 2).unwrap());
            state_hash(w.state())
        };
        assert_eq!(hash(1), hash(3), "{kind:?}");
    }
}

/// One command of each kind over a few frames; each is sent before the frame of its number.
fn script() -> Vec<(usize, Command)> {
    let grab = |target| Command::Grab { id: 2, particle: 95, target };
    let shift = |position: Vec3| Command::MoveCollider { collider: 0, shift: Pose::at(position) };
    vec![
        (0, Command::Impulse { particles: vec![2100, 2101], impulse: Vec3::Z * 0.01 }),
        (0, Command::Hold { id: 1, particles: vec![399, 400], force: Vec3::X * 0.1 }),
        (1, grab(Vec3::new(0.6, 0.3, -0.5))),
        (1, Command::Pin { particles: vec![9000, 9001, 100] }),
        (2, shift(Vec3::new(0.05, 0.02, 0.0))),
        (2, Command::Unpin { particles: vec![0, 9000] }),
        (3, grab(Vec3::new(0.7, 0.2, -0.4))),
        (3, Command::Gravity { gravity: Vec3::new(1.0, -5.0, 0.0) }),
        (3, shift(Vec3::Y * 0.03)),
        (4, Command::Release { id: 2 }),
        (4, Command::Release { id: 1 }),
    ]
}

#[test]
fn a_command_log_replays_to_the_same_bits_on_any_number_of_threads() {
    let (frame, substeps) = (1.0 / 120.0, 10);
    for kind in [SolverKind::Verlet { loss: 0.01 }, SolverKind::VelocityVerlet] {
        let mut first = crowded(kind);
        for now in 0..6 {
            script().into_iter().filter(|(at, _)| *at == now).for_each(|(_, c)| first.send(c));
            first.advance_frame(frame, substeps).unwrap();
        }
        assert_eq!(first.command_log().len(), script().len());
        for threads in [1, 2] {
            let mut replay = crowded(kind);
            replay.set_threads(threads).unwrap();
            let mut log = first.command_log().iter().peekable();
            for now in 0..6 {
                while let Some(record) = log.next_if(|r| r.step == now * u64::from(substeps)) {
                    replay.send(record.command.clone());
                }
                replay.advance_frame(frame, substeps).unwrap();
            }
            let hashes = [&first, &replay].map(|w| state_hash(w.state()));
            assert_eq!(hashes[0], hashes[1], "{kind:?} on {threads} threads");
            assert_eq!(first.state(), replay.state());
        }
    }
}

#[test]
fn going_back_in_time_takes_the_hands_along() {
    let (frame, substeps) = (1.0 / 120.0, 10);
    let mut w = crowded(SolverKind::VelocityVerlet);
    let mut states = vec![w.state().clone()];
    let play = |w: &mut World, now: usize| {
        script().into_iter().filter(|(at, _)| *at == now).for_each(|(_, c)| w.send(c));
        w.advance_frame(frame, substeps).unwrap();
    };
    for now in 0..6 {
        play(&mut w, now);
        states.push(w.state().clone());
    }
    let log = w.command_log().to_vec();
    for from in [5, 3, 0] {
        w.restore(states[from].clone());
        (from..6).for_each(|now| play(&mut w, now));
        assert_eq!(w.state(), &states[6], "from frame {from}");
        assert_eq!(w.command_log(), log, "from frame {from}");
        // A world that never saw the commands goes on alike.
        let mut other = crowded(SolverKind::VelocityVerlet);
        other.restore(states[from].clone());
        (from..6).for_each(|now| play(&mut other, now));
        assert_eq!(other.state(), &states[6], "anew from frame {from}");
    }
}

#[test]
fn a_restored_state_goes_on_with_the_same_bits() {
    for kind in SolverKind::EXPLICIT.into_iter().chain(POSITION_BASED) {
        let mut sheet = cloth([12, 12], 40.0, 0.1);
        sheet.max_stretch = Some(0.1);
        let make = || world(DOWN, kind, &sheet, &[0, 11]);
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
    for kind in SolverKind::EXPLICIT.into_iter().chain(position_based(Some(2))) {
        let mut w = crowded(kind);
        w.advance_frame(1.0 / 60.0, 4).unwrap();
        let substeps = if kind.is_explicit() { 20 } else { 2 };
        let count = allocation_counter::measure(|| w.advance_frame(1.0 / 60.0, substeps).unwrap());
        assert_eq!(count.count_total, 0, "{kind:?}: {count:?}");
        // Nor with full hands that stay as they are.
        script().into_iter().filter(|(at, _)| *at < 4).for_each(|(_, command)| w.send(command));
        w.advance_frame(1e-3, 3).unwrap();
        w.advance_frame(1e-3, 3).unwrap();
        let count = allocation_counter::measure(|| w.advance_frame(1e-3, 3).unwrap());
        assert_eq!(count.count_total, 0, "{kind:?} with hands: {count:?}");
    }
}
