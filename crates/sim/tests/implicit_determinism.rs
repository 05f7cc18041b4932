//! Same bits of implicit solvers on any number of threads and after a restart; no allocation.

mod common;
mod implicit_kinds;

use common::{DOWN, cloth, world};
use glam::Vec3;
use implicit_kinds::{ALL, adaptive};
use tkanina_sim::builder::{Grip, GripSpring, ModelBuilder};
use tkanina_sim::cloth::{AngleBending, SpringModel};
use tkanina_sim::colliders::{Collider, ColliderShape, ColliderSphere};
use tkanina_sim::commands::Command;
use tkanina_sim::measure::state_hash;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::Pose;
use tkanina_sim::solvers::{Newton, SolverKind};
use tkanina_sim::world::World;

/// A sheet over a ball with soft pins, seams and rigid pins.
fn crowded(kind: SolverKind, counts: [usize; 2]) -> World {
    let mut b = ModelBuilder::new(DOWN);
    let mut sheet = cloth(counts, 30.0, 0.01);
    sheet.mass = tkanina_sim::cloth::MassRule::AreaDensity(3.0);
    sheet.springs =
        SpringModel::Triangles { warp: 30.0, weft: 30.0, shear: 10.0, damping_ratio: 0.1 };
    sheet.bending = Some(AngleBending { stiffness: 1e-4, damping: 1e-6 });
    sheet.plate = true;
    sheet.drag_per_area = 0.6;
    b.add_cloth(&sheet);
    b.hold(0, AnchorPath::Fixed, Grip::RIGID);
    let spring = GripSpring { stiffness: 50.0, damping: 0.1, breaks_at: Some(1e3) };
    let soft = Grip { spring: Some(spring), until: 1.0 };
    b.hold(counts[0] - 1, AnchorPath::Fixed, soft);
    // Explicit steps could not bear a seam that is a metre open.
    if !kind.is_explicit() {
        b.sew(counts[0] * (counts[1] - 1), counts[0] * counts[1] - 1, spring);
    }
    let shape = ColliderShape::Sphere(ColliderSphere { radius: 0.2 });
    b.add_collider(Collider::new("ball", shape, Pose::at(Vec3::Y * -0.201)));
    let (model, state) = b.build();
    World::new(model, state, kind)
}

#[test]
fn the_hash_is_the_same_for_1_2_3_and_8_threads() {
    // A few Newton steps show all that threads could do.
    let few = Newton { iterations: Some(2), tolerance: None };
    for (kind, substeps) in [(SolverKind::ImplicitEuler(few), 1), (SolverKind::VelocityVerlet, 60)]
    {
        let hash = |threads: usize| {
            let mut w = crowded(kind, [96, 90]);
            w.set_threads(threads).unwrap();
            w.advance_frame(1.0 / 60.0, substeps).unwrap();
            assert!(w.state().contacts > 0, "the scene must touch its ball");
            state_hash(w.state())
        };
        let one = hash(1);
        for threads in [2, 3, 8] {
            assert_eq!(one, hash(threads), "{kind:?} on {threads} threads");
        }
    }
}

#[test]
fn a_restored_state_goes_on_with_the_same_bits() {
    for kind in ALL.into_iter().chain([adaptive(1e-4)]) {
        let make = || world(DOWN, kind, &cloth([9, 9], 40.0, 0.1), &[0, 8]);
        let mut whole = make();
        (0..40).for_each(|_| whole.step(1e-2));
        let mut half = make();
        (0..17).for_each(|_| half.step(1e-2));
        let mut rest = make();
        rest.restore(half.state().clone());
        (0..23).for_each(|_| rest.step(1e-2));
        assert_eq!(whole.state(), rest.state(), "{kind:?}");
    }
}

#[test]
fn no_step_allocates_after_the_first() {
    for kind in ALL.into_iter().chain([adaptive(1e-4)]) {
        let mut w = crowded(kind, [20, 20]);
        w.advance_frame(1.0 / 60.0, 2).unwrap();
        let count = allocation_counter::measure(|| w.advance_frame(1.0 / 60.0, 4).unwrap());
        assert_eq!(count.count_total, 0, "{kind:?}: {count:?}");
        w.send(Command::Grab { id: 2, particle: 95, target: Vec3::new(0.6, 0.3, -0.5) });
        w.send(Command::Hold { id: 1, particles: vec![399], force: Vec3::X * 0.1 });
        w.advance_frame(1e-2, 2).unwrap();
        w.advance_frame(1e-2, 2).unwrap();
        let count = allocation_counter::measure(|| w.advance_frame(1e-2, 2).unwrap());
        assert_eq!(count.count_total, 0, "{kind:?} with hands: {count:?}");
    }
}

#[test]
fn seams_soft_pins_and_hands_hold_at_long_steps() {
    for kind in ALL {
        let mut w = crowded(kind, [12, 12]);
        let target = Vec3::new(0.3, 0.4, 0.3);
        w.send(Command::Grab { id: 2, particle: 78, target });
        for _ in 0..40 {
            w.advance_frame(0.05, 1).unwrap();
        }
        let at = |i: usize| w.state().x.get(i);
        let held = (at(78) - target).length();
        assert!(held < 0.02, "{kind:?}: {held} m from the hand");
        // 1.4 N of cloth on 50 N/m and other holds.
        let parted = (at(132) - at(143)).length();
        assert!(parted < 0.05, "{kind:?}: the seam is {parted} m open");
    }
}
