//! Knots: they tighten, hold, give the same bits and are quick.

mod common;

use common::ropes::{
    THICK, knot_determinant, law_of, lead, least_gap, line, rope, run_whole, springs,
};
use common::touching::{DESCENT, LINES};
use glam::Vec3;
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::measure;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::strands::{StrandLaw, overhand_knot};
use tkanina_sim::world::World;

const XPBD: SolverKind = SolverKind::Xpbd { iterations: None };

/// Length of the rope, and how much of it a tight knot takes at least (10.1 times the thickness as
/// a rope without friction). [m]
const LENGTH: f32 = 2.0;
const TIGHT: f32 = 12.0 * THICK;

/// A loose knot in a rope whose ends are led apart within 1.5 s until it is tight.
fn knotted(kind: SolverKind, law: StrandLaw, friction: f32) -> World {
    knotted_until(kind, law, friction, f64::INFINITY)
}

/// The same with ends that are let go at a time. [s]
fn knotted_until(kind: SolverKind, law: StrandLaw, friction: f32, until: f64) -> World {
    let count = 200;
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    let points = overhand_knot(THICK, LENGTH, count);
    let span = points[count - 1].x - points[0].x;
    let ends = builder.add_strands(&rope("rope", points, friction, law));
    let way = 0.5 * (LENGTH - TIGHT - span);
    lead(&mut builder, ends.start, Vec3::X * -way, [0.0, 1.5, until]);
    lead(&mut builder, ends.end - 1, Vec3::X * way, [0.0, 1.5, until]);
    builder.set_contact(law_of(1, true));
    let (model, state) = builder.build();
    World::new(model, state, kind)
}

fn points(world: &World) -> Vec<Vec3> {
    world.state().x.iter().collect()
}

/// How much longer than at rest the rope is, and its worst edge. [1]
fn stretch(world: &World) -> [f32; 2] {
    let points = points(world);
    let edge = LENGTH / (points.len() - 1) as f32;
    let edges = || points.windows(2).map(|ends| ends[0].distance(ends[1]));
    [edges().sum::<f32>() / LENGTH - 1.0, edges().fold(0.0, f32::max) / edge - 1.0]
}

#[test]
fn a_determinant_knows_a_knot() {
    assert_eq!(knot_determinant(&line(Vec3::ZERO, Vec3::X, 9)), 1.0);
    let knot = overhand_knot(THICK, LENGTH, 200);
    assert!((knot_determinant(&knot) - 3.0).abs() < 1e-9);
    // One crossing the other way round and it is none.
    let flat: Vec<Vec3> = knot.iter().map(|p| Vec3::new(p.x, p.y, 0.01 * p.x)).collect();
    assert!((knot_determinant(&flat) - 1.0).abs() < 1e-9);
}

#[test]
fn a_knot_tightens_and_holds() {
    let chain = springs(2000.0, 2.0);
    for (kind, law) in [(XPBD, chain), (DESCENT, chain), (LINES, chain), (XPBD, StrandLaw::Rod)] {
        for friction in [0.3, 0.0] {
            let mut world = knotted(kind, law, friction);
            let passed = run_whole(&mut world, 120);
            let what = format!("{kind:?} {law:?} μ {friction}");
            assert_eq!(passed, 0, "{what}");
            assert!((knot_determinant(&points(&world)) - 3.0).abs() < 1e-9, "{what}");
            let (gap, [whole, worst]) = (least_gap(&world, 4), stretch(&world));
            let tally = world.contact_tally().unwrap();
            assert!(gap > 0.9, "{what}: {gap} of the thickness");
            assert!(whole < 0.01 && worst < 0.06, "{what}: stretched by {whole}, {worst}");
            assert_eq!(tally.let_go, 0, "{what}");
            let ends = points(&world)[0].distance(points(&world)[199]);
            assert!((ends - (LENGTH - TIGHT)).abs() < 1e-4, "{what}: {ends} m");
        }
    }
}

#[test]
fn friction_keeps_a_knot_shut_that_springs_open_without_it() {
    // The length that it takes two seconds after its ends are let go, in thicknesses.
    let taken = |friction: f32| {
        let mut world = knotted_until(XPBD, StrandLaw::Rod, friction, 2.0);
        for _ in 0..240 {
            world.advance_frame(1.0 / 60.0, 16).unwrap();
        }
        let points = points(&world);
        assert!((knot_determinant(&points) - 3.0).abs() < 1e-9);
        (LENGTH - points[0].distance(points[199])) / THICK
    };
    let (rough, smooth) = (taken(0.3), taken(0.0));
    assert!(rough < 55.0 && smooth > 90.0, "{rough} with friction, {smooth} without");
}

#[test]
fn the_number_of_threads_changes_no_bit_of_a_knot() {
    for law in [springs(2000.0, 2.0), StrandLaw::Rod] {
        let hash = |threads: usize| {
            let mut world = knotted(XPBD, law, 0.3);
            world.set_threads(threads).unwrap();
            for _ in 0..60 {
                world.advance_frame(1.0 / 60.0, 16).unwrap();
            }
            assert!(world.contact_tally().unwrap().touching > 0);
            measure::state_hash(world.state())
        };
        let one = hash(1);
        for threads in [2, 3, 8] {
            assert_eq!(hash(threads), one, "{threads} threads");
        }
    }
}

#[test]
fn a_knot_asks_for_no_memory_once_it_is_tight() {
    let mut world = knotted(XPBD, springs(2000.0, 2.0), 0.3);
    for _ in 0..130 {
        world.advance_frame(1.0 / 60.0, 32).unwrap();
    }
    let count = allocation_counter::measure(|| {
        for _ in 0..10 {
            world.advance_frame(1.0 / 60.0, 32).unwrap();
        }
    });
    assert_eq!(count.count_total, 0, "{count:?}");
}
