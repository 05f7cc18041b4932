//! Cloth that is grabbed, pinned, freed and pushed by hand.

mod common;

use common::{DOWN, G, POSITION_BASED, cloth, world};
use glam::{Quat, Vec3};
use tkanina_sim::builder::{Grip, GripSpring, ModelBuilder};
use tkanina_sim::cloth::MassRule;
use tkanina_sim::colliders::{Collider, ColliderBox, ColliderShape, Shape};
use tkanina_sim::commands::Command;
use tkanina_sim::explosion::find_explosion;
use tkanina_sim::measure::energy;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::{Motion, Pose};
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::world::World;

const FRAME: f64 = 1.0 / 60.0;

fn frames(world: &mut World, substeps: u32, count: usize) {
    (0..count).for_each(|_| world.advance_frame(FRAME, substeps).unwrap());
}

/// Steps a frame that a scene would use. Explicit Euler and the kinematic method gain energy
/// across any stretched spring, at a rate that falls with the step: they need far more
/// steps than springs at rest ask for.
fn substeps_of(world: &World) -> u32 {
    let gains = matches!(world.solver_kind(), SolverKind::ExplicitEuler | SolverKind::Kinematic);
    world.substeps_for(FRAME) as u32 * if gains { 10 } else { 1 }
}

/// Every method that hands are tried on.
fn kinds() -> impl Iterator<Item = SolverKind> {
    SolverKind::EXPLICIT.into_iter().chain(POSITION_BASED)
}

fn grab(particle: u32, target: Vec3) -> Command {
    Command::Grab { id: 7, particle, target }
}

#[test]
fn a_grabbed_particle_comes_to_the_hand_without_swinging_past() {
    for kind in kinds() {
        for (mass, substeps) in [(1e-6, 1), (1.0, 4), (1e4, 64)] {
            let mut b = ModelBuilder::new(DOWN);
            b.add_particle(mass, Vec3::ZERO, Vec3::ZERO);
            let (model, state) = b.build();
            let mut w = World::new(model, state, kind);
            w.send(grab(0, Vec3::X));
            for _ in 0..120 {
                w.advance_frame(FRAME, substeps).unwrap();
                assert!(w.state().x.get(0).x < 1.02, "{kind:?}, {mass} kg: {}", w.state().x.get(0));
            }
            // It hangs on a spring of ω = 60/s: lower by g/ω².
            let expected = Vec3::new(1.0, -G / 3600.0, 0.0);
            let error = (w.state().x.get(0) - expected).length();
            assert!(error < 1e-4, "{kind:?}, {mass} kg: {}", w.state().x.get(0));
        }
    }
}

#[test]
fn a_whole_cloth_is_lifted_by_one_point() {
    for kind in kinds() {
        for density in [0.02, 4.0] {
            let mut sheet = cloth([20, 20], 40.0 * density, 0.1 * density);
            sheet.mass = MassRule::AreaDensity(density);
            let mut w = world(DOWN, kind, &sheet, &[]);
            let substeps = substeps_of(&w);
            w.send(grab(190, Vec3::Y * 0.5));
            frames(&mut w, substeps, 180);
            let height = w.state().x.get(190).y;
            assert!((height - 0.5).abs() < 0.02, "{kind:?}, {density} kg/m²: {height}");
        }
    }
}

#[test]
fn a_cloth_that_hardly_stretches_is_lifted_too() {
    let mut sheet = cloth([30, 30], 200.0, 0.1);
    sheet.max_stretch = Some(0.02);
    let mut w = world(DOWN, SolverKind::Verlet { loss: 0.0 }, &sheet, &[]);
    let substeps = substeps_of(&w);
    w.send(grab(0, Vec3::new(-0.5, 1.0, -0.5)));
    frames(&mut w, substeps, 180);
    let height = w.state().x.get(0).y;
    assert!((height - 1.0).abs() < 0.05, "{height}");
}

#[test]
fn a_corner_may_be_torn_at_under_every_solver() {
    for kind in kinds() {
        let mut w = world(DOWN, kind, &cloth([20, 20], 40.0, 0.1), &[0, 19]);
        let substeps = substeps_of(&w);
        frames(&mut w, substeps, 30);
        let corner = w.state().x.get(399);
        let mut highest = f64::NEG_INFINITY;
        for frame in 0..120 {
            // To and fro by half a metre, at once, and back.
            let side = if frame / 20 % 2 == 0 { 0.5 } else { -0.5 };
            w.send(grab(399, corner + Vec3::new(side, 0.2, side)));
            w.advance_frame(FRAME, substeps).unwrap();
            highest = highest.max(energy(w.model(), w.state()).total());
        }
        assert_eq!(find_explosion(w.state()), None, "{kind:?}");
        // The spring's force M ω² · 0.1 m over the ways that it was pulled.
        let work = 4.0 * 3600.0 * 0.1 * 6.0 * 1.5;
        assert!(highest < work, "{kind:?}: {highest} J");
        w.send(Command::Release { id: 7 });
        frames(&mut w, substeps, 60);
        assert!(w.state().hands.grabs.is_empty());
        let calm = energy(w.model(), w.state()).total();
        assert!(calm < highest, "{kind:?}: {calm} J after {highest} J");
    }
}

#[test]
fn pins_hold_where_they_were_set_and_let_go() {
    for kind in kinds() {
        let mut w = world(DOWN, kind, &cloth([6, 6], 40.0, 0.1), &[0, 5]);
        let substeps = substeps_of(&w);
        frames(&mut w, substeps, 10);
        let place = w.state().x.get(35);
        w.send(Command::Pin { particles: vec![35] });
        // A held particle does not follow a hand.
        w.send(grab(35, Vec3::Y));
        w.send(Command::Unpin { particles: vec![0] });
        let corner = w.state().x.get(0);
        frames(&mut w, substeps, 30);
        assert_eq!(w.state().x.get(35), place, "{kind:?}");
        assert_eq!(w.model().inverse_mass[35], 0.0);
        assert!(w.state().x.get(0).y < corner.y - 0.1, "{kind:?}: {}", w.state().x.get(0));
        w.send(Command::Release { id: 7 });
        w.send(Command::Unpin { particles: vec![35, 5] });
        w.send(Command::Impulse { particles: vec![35], impulse: Vec3::X * 0.01 });
        w.step(1e-4);
        assert!(w.state().v.get(35).x > 0.5, "an impulse after its pin is gone must move it");
        let all = w.state().x.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
        frames(&mut w, substeps, 60);
        let fallen = w.state().x.iter().map(|p| p.y).fold(f32::NEG_INFINITY, f32::max);
        assert!(fallen < all - 2.0, "{kind:?}: nothing holds it, yet it is at {fallen}");
    }
}

#[test]
fn unpinning_undoes_springy_pins_but_no_seam() {
    let mut b = ModelBuilder::new(DOWN);
    let spring = GripSpring { stiffness: 500.0, damping: 1.0, breaks_at: None };
    let [a, c] = [Vec3::ZERO, Vec3::Z].map(|x| b.add_particle(0.1, x, Vec3::ZERO));
    b.hold(a, AnchorPath::Fixed, Grip { spring: Some(spring), until: f64::INFINITY });
    b.sew(a, c, spring);
    let (model, state) = b.build();
    let mut w = World::new(model, state, SolverKind::SemiImplicitEuler);
    w.send(Command::Unpin { particles: vec![0, 1] });
    frames(&mut w, 20, 60);
    assert_eq!(w.state().broken, [true, false]);
    let middle = 0.5 * (w.state().x.get(0) + w.state().x.get(1));
    assert!((middle.y + 0.5 * G).abs() < 0.05, "{middle}");
    assert!((w.state().x.get(0) - w.state().x.get(1)).length() < 0.5);
}

/// A cloth in the xy plane that hangs from its upper edge, and a box before it.
fn cloth_and_box(motion: Motion) -> World {
    let mut b = ModelBuilder::new(DOWN);
    let mut sheet = cloth([20, 20], 100.0, 0.2);
    let turn = Quat::from_xyzw(0.5f32.sqrt(), 0.0, 0.0, 0.5f32.sqrt());
    sheet.place = Pose { position: Vec3::ZERO, rotation: turn };
    b.add_cloth(&sheet);
    for i in 0..20 {
        b.hold(i, AnchorPath::Fixed, Grip::RIGID);
    }
    let shape = ColliderShape::Box(ColliderBox { half_size: Vec3::new(0.2, 0.2, 0.1) });
    let rest = Pose::at(Vec3::new(0.0, -0.2, 0.11));
    b.add_collider(Collider { motion, ..Collider::new("box", shape, rest) });
    b.set_contact_offset(0.005);
    let (model, state) = b.build();
    World::new(model, state, SolverKind::Verlet { loss: 0.002 })
}

fn deepest(w: &World) -> f32 {
    let (shape, pose) = (w.model().colliders[0].shape.clone(), w.collider_pose(0));
    let depth = |p: Vec3| shape.signed_distance(pose.local_point(p));
    w.state().x.iter().map(depth).fold(f32::INFINITY, f32::min)
}

#[test]
fn a_box_moved_by_hand_pushes_cloth_and_none_of_it_gets_in() {
    let mut w = cloth_and_box(Motion::Static);
    let upper = w.state().x.get(0).y;
    assert!((upper - 0.5).abs() < 1e-6 || (upper + 0.5).abs() < 1e-6);
    frames(&mut w, 16, 5);
    w.send(Command::MoveCollider { collider: 0, shift: Pose::at(Vec3::Z * -0.3) });
    for _ in 0..30 {
        w.advance_frame(FRAME, 16).unwrap();
        assert!(deepest(&w) > 0.0049, "{}", deepest(&w));
    }
    assert_eq!(w.collider_pose(0).position, Vec3::new(0.0, -0.2, 0.11 - 0.3));
    let pushed = (0..400).filter(|&i| w.state().x.get(i).z < -0.28).count();
    assert!(pushed > 20, "only {pushed} particles were pushed before the box");
    assert!(w.state().v.iter().all(|v| v.length() < 20.0));
    // Back to its path: the shift is forgotten.
    w.send(Command::MoveCollider { collider: 0, shift: Pose::IDENTITY });
    frames(&mut w, 16, 60);
    assert!(w.state().hands.colliders.is_empty());
}

#[test]
fn a_shift_is_laid_over_the_motion_and_carries_anchors() {
    let mut b = ModelBuilder::new(Vec3::ZERO);
    let shape = ColliderShape::Box(ColliderBox { half_size: Vec3::splat(0.1) });
    let motion = Motion::Linear { velocity: Vec3::X };
    let rest = Pose::at(Vec3::X);
    b.add_collider(Collider { motion, ..Collider::new("sled", shape, rest) });
    let rider = b.add_particle(1.0, Vec3::new(1.0, 0.5, 0.0), Vec3::ZERO);
    b.hold(rider, AnchorPath::Collider(0), Grip::RIGID);
    let (model, state) = b.build();
    let mut w = World::new(model, state, SolverKind::SemiImplicitEuler);
    // A quarter turn about z, and up.
    let rotation = Quat::from_xyzw(0.0, 0.0, 0.5f32.sqrt(), 0.5f32.sqrt());
    let shift = Pose { position: Vec3::Y, rotation };
    w.send(Command::MoveCollider { collider: 0, shift });
    frames(&mut w, 10, 120);
    let time = w.state().time as f32;
    let place = w.collider_pose(0).position;
    assert!((place - Vec3::new(0.0, 2.0 + time, 0.0)).length() < 1e-4, "{place}");
    let rider = w.state().x.get(rider);
    assert!((rider - Vec3::new(-0.5, 2.0 + time, 0.0)).length() < 1e-4, "{rider}");
}

#[test]
fn gravity_by_hand_acts_and_counts_and_is_undone_by_going_back() {
    let mut w = world(DOWN, SolverKind::VelocityVerlet, &cloth([4, 4], 40.0, 0.1), &[]);
    let before = w.state().clone();
    w.send(Command::Gravity { gravity: Vec3::X * 2.0 });
    frames(&mut w, 8, 60);
    assert!(w.state().x.iter().all(|p| p.y.abs() < 1e-6));
    assert!((w.state().v.get(5).x - 2.0).abs() < 1e-3);
    let e = energy(w.model(), w.state());
    assert!(e.total().abs() < 1e-3 * e.kinetic, "{e:?}");
    w.restore(before);
    frames(&mut w, 8, 60);
    assert!((w.state().v.get(5).y + G).abs() < 1e-2);
    assert!(w.command_log().is_empty(), "what is undone leaves the log");
}

#[test]
fn numbers_out_of_range_and_not_finite_are_passed_over() {
    let make = || {
        let mut w = cloth_and_box(Motion::Static);
        frames(&mut w, 16, 2);
        w
    };
    let (mut plain, mut poked) = (make(), make());
    let far = vec![400, u32::MAX];
    for command in [
        Command::Impulse { particles: far.clone(), impulse: Vec3::X },
        Command::Hold { id: 1, particles: far.clone(), force: Vec3::X },
        Command::Hold { id: 2, particles: vec![3], force: Vec3::NAN },
        grab(400, Vec3::X),
        grab(40, Vec3::splat(f32::INFINITY)),
        Command::Pin { particles: far.clone() },
        Command::Unpin { particles: far },
        Command::MoveCollider { collider: 1, shift: Pose::at(Vec3::X) },
        Command::MoveCollider { collider: 0, shift: Pose::at(Vec3::NAN) },
        Command::MoveCollider {
            collider: 0,
            shift: Pose { position: Vec3::X, rotation: Quat::from_array([0.0; 4]) },
        },
        Command::Gravity { gravity: Vec3::NAN },
        Command::Release { id: 99 },
    ] {
        poked.send(command);
    }
    frames(&mut plain, 16, 5);
    frames(&mut poked, 16, 5);
    assert_eq!(plain.state(), poked.state());
    assert_eq!(poked.collider_pose(77), Pose::IDENTITY);
}

#[test]
fn an_explosion_leaves_the_hands_as_they_were_when_it_happened() {
    let mut w = world(DOWN, SolverKind::SemiImplicitEuler, &cloth([6, 6], 1e6, 0.0), &[0]);
    w.send(grab(35, Vec3::splat(0.4)));
    w.send(Command::Pin { particles: vec![5] });
    let mut result = Ok(());
    for _ in 0..200 {
        result = w.advance_frame(FRAME, 1);
        if result.is_err() {
            break;
        }
    }
    assert!(result.is_err(), "the step is far too long");
    assert_eq!(w.state().hands.grabs.len(), 1);
    assert_eq!(w.state().hands.pins.len(), 1);
    assert_eq!(w.command_log().len(), 2);
    assert_eq!(find_explosion(w.state()), None);
}
