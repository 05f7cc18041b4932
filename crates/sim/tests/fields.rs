//! Numbers over a cloth with known answers, spring lines, and the stages that a probe hears of.

mod common;

use std::sync::{Arc, Mutex};

use common::{DOWN, G, cloth, world};
use glam::Vec3;
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::SpringModel;
use tkanina_sim::colliders::{Collider, ColliderPlane, ColliderShape};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::measure::{Quantity, field};
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::Pose;
use tkanina_sim::probe::{Probe, Stage};
use tkanina_sim::soa::Soa3;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::spring_lines::SpringRole;
use tkanina_sim::state::State;
use tkanina_sim::world::World;

const KIND: SolverKind = SolverKind::SemiImplicitEuler;

/// A 5×5 sheet whose points were moved.
fn moved(to: impl Fn(Vec3) -> Vec3) -> World {
    let mut w = world(DOWN, KIND, &cloth([5, 5], 40.0, 0.1), &[]);
    let x: Vec<Vec3> = w.state().x.iter().map(to).collect();
    let state = State { x: Soa3::from_points(&x), ..w.state().clone() };
    w.restore(state);
    w
}

fn values(world: &mut World, quantity: Quantity) -> Vec<f32> {
    let mut out = vec![9.0; 3];
    field(world, quantity, &mut out);
    assert_eq!(out.len(), world.state().x.len());
    out
}

#[test]
fn a_sheet_stretched_alike_has_the_factor_everywhere() {
    let mut w = moved(|p| p * 1.25);
    assert!(values(&mut w, Quantity::Stretch).iter().all(|s| (s - 0.25).abs() < 1e-6));
    // Along one axis only: the larger of both counts.
    let mut w = moved(|p| p * Vec3::new(0.5, 1.0, 1.1));
    assert!(values(&mut w, Quantity::Stretch).iter().all(|s| (s - 0.1).abs() < 1e-6));
    let mut w = moved(|p| p * 0.5);
    assert!(values(&mut w, Quantity::Stretch).iter().all(|s| (s + 0.5).abs() < 1e-6));
    // Without edges there is no stretch.
    let mut b = ModelBuilder::new(DOWN);
    b.add_particle(1.0, Vec3::ONE, Vec3::ZERO);
    let (model, state) = b.build();
    assert_eq!(values(&mut World::new(model, state, KIND), Quantity::Stretch), [0.0]);
}

#[test]
fn a_fold_by_90_degrees_is_90_along_the_fold() {
    // Columns x > 0 stand upright; the fold is at x = 0, column 2.
    let fold = |p: Vec3| if p.x > 0.0 { Vec3::new(0.0, p.x, p.z) } else { p };
    for fold in
        [fold as fn(Vec3) -> Vec3, |p| if p.x > 0.0 { Vec3::new(0.0, -p.x, p.z) } else { p }]
    {
        let angles = values(&mut moved(fold), Quantity::Bending);
        for (i, angle) in angles.iter().enumerate() {
            let expected = if i % 5 == 2 { 90.0 } else { 0.0 };
            assert!((angle - expected).abs() < 1e-3, "{i}: {angle}");
        }
    }
    assert!(values(&mut moved(|p| p), Quantity::Bending).iter().all(|a| *a == 0.0));
}

#[test]
fn free_fall_is_the_weight_and_a_hold_bears_it() {
    let mut w = world(DOWN, KIND, &cloth([5, 5], 40.0, 0.1), &[]);
    let weight = 0.01 * G;
    assert!(values(&mut w, Quantity::Force).iter().all(|f| (f - weight).abs() < 1e-6));
    (0..100).for_each(|_| w.step(1e-3));
    assert!(values(&mut w, Quantity::Speed).iter().all(|v| (v - 0.1 * G).abs() < 1e-3));

    let mut b = ModelBuilder::new(DOWN);
    let top = b.add_particle(1.0, Vec3::ZERO, Vec3::ZERO);
    let bob = b.add_particle(2.0, Vec3::Y * -1.1962, Vec3::ZERO);
    b.hold(top, AnchorPath::Fixed, Grip::RIGID);
    b.add_spring(common::spring(top, bob, 1.0, 100.0, 0.0));
    let (model, state) = b.build();
    let mut w = World::new(model, state, KIND);
    let forces = values(&mut w, Quantity::Force);
    // At rest the spring is longer by m g/k; the hold bears both weights.
    assert!((forces[0] - 3.0 * G).abs() < 1e-3 && forces[1] < 1e-3, "{forces:?}");
}

#[test]
fn looking_at_forces_does_not_change_the_run() {
    let make = || world(DOWN, SolverKind::VelocityVerlet, &cloth([8, 8], 40.0, 0.1), &[0, 7]);
    let (mut seen, mut unseen) = (make(), make());
    for _ in 0..50 {
        seen.step(1e-3);
        unseen.step(1e-3);
        for quantity in Quantity::ALL {
            values(&mut seen, quantity);
        }
    }
    assert_eq!(seen.state(), unseen.state());
}

#[test]
fn what_lies_on_the_floor_touches_it() {
    let mut b = ModelBuilder::new(DOWN);
    let floor = ColliderShape::Plane(ColliderPlane);
    b.add_collider(Collider::new("floor", floor, Pose::at(Vec3::Y)));
    b.set_contact_offset(0.01);
    b.add_particle(1.0, Vec3::Y * 1.005, Vec3::ZERO);
    b.add_particle(1.0, Vec3::Y * 3.0, Vec3::ZERO);
    let (model, state) = b.build();
    let mut w = World::new(model, state, KIND);
    (0..20).for_each(|_| w.step(1e-3));
    assert_eq!(values(&mut w, Quantity::Contact), [1.0, 0.0]);
    assert_eq!(w.state().contacts, 1);
}

#[test]
fn spring_lines_are_as_many_as_a_grid_has() {
    let params = SpringParams { stiffness: 40.0, damping: 0.1 };
    let count =
        |w: &World, role| w.model().spring_lines().iter().filter(|l| l.kind == role).count();
    let w = world(DOWN, KIND, &cloth([5, 4], 40.0, 0.1), &[]);
    let expected = [
        (SpringRole::Structural, 4 * 4 + 5 * 3),
        (SpringRole::Shear, 2 * 4 * 3),
        (SpringRole::Bend, 3 * 4 + 5 * 2),
        (SpringRole::Knight, 0),
        (SpringRole::Other, 0),
    ];
    for (role, number) in expected {
        assert_eq!(count(&w, role), number, "{role:?}");
    }
    let mut sheet = cloth([5, 4], 40.0, 0.1);
    sheet.springs = SpringModel::Neighbours20(params);
    let w = world(DOWN, KIND, &sheet, &[]);
    assert_eq!(count(&w, SpringRole::Knight), 2 * (4 * 2 + 3 * 3));
    // A membrane has no bend springs: those of no strength are not drawn.
    sheet.springs = SpringModel::Membrane { warp: 9.0, weft: 9.0, shear: 1.0, damping_ratio: 0.1 };
    let w = world(DOWN, KIND, &sheet, &[]);
    assert_eq!(count(&w, SpringRole::Bend), 0);
    assert_eq!(count(&w, SpringRole::Structural), 31);
}

struct Listener(Arc<Mutex<Vec<Stage>>>);

impl Probe for Listener {
    fn enter(&mut self, stage: Stage) {
        self.0.lock().unwrap().push(stage);
    }
}

#[test]
fn a_probe_hears_every_stage_in_order() {
    let mut sheet = cloth([5, 5], 40.0, 0.1);
    sheet.max_stretch = Some(0.1);
    let mut w = world(DOWN, KIND, &sheet, &[0]);
    let heard = Arc::new(Mutex::new(Vec::new()));
    w.set_probe(Some(Box::new(Listener(Arc::clone(&heard)))));
    w.step(1e-3);
    let mut stages = std::mem::take(&mut *heard.lock().unwrap());
    stages.dedup();
    use Stage::{Contacts, Forces, Limits, Move, Outside};
    assert_eq!(stages, [Outside, Move, Forces, Move, Limits, Contacts, Outside]);
    w.set_probe(None);
    w.step(1e-3);
    assert!(heard.lock().unwrap().is_empty());
}
