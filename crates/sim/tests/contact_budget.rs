//! A frame that costs too much ends early: time slows, and nothing else.

mod common;

use common::touching::{LINES, THICKNESS, floor, law, sheet};
use glam::{Quat, Vec3};
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::contact::Tally;
use tkanina_sim::measure;
use tkanina_sim::motion::Pose;
use tkanina_sim::topology::GridPlane;
use tkanina_sim::world::World;

const FRAMES: u32 = 50;
const STEPS: u32 = 12;

/// A sheet that falls in a heap.
fn heap(budget: Option<u64>) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let place = Pose { position: Vec3::new(0.0, 0.55, 0.0), rotation: Quat::from_rotation_x(0.05) };
    builder.add_cloth(&sheet("sheet", 20, place, GridPlane::Xy));
    builder.add_collider(floor(0.4));
    builder.set_contact_offset(THICKNESS);
    builder.set_contact(law(1, 0.3));
    budget.into_iter().for_each(|budget| builder.set_contact_budget(budget));
    let (model, state) = builder.build();
    World::new(model, state, LINES)
}

fn tally(world: &World) -> Tally {
    world.contact_tally().unwrap()
}

/// Runs, and returns what the costliest frame compared.
fn run(world: &mut World, frames: u32) -> u64 {
    let mut most = 0;
    for frame in 0..frames {
        let before = tally(world).detections;
        world.advance_frame(1.0 / 60.0, STEPS).unwrap();
        let found = measure::crossings(world.model(), world.state());
        assert!(found.is_empty(), "frame {frame}: {} crossings", found.len());
        most = most.max(tally(world).detections - before);
    }
    most
}

#[test]
fn a_frame_over_its_budget_ends_early_and_says_by_how_much() {
    let mut free = heap(None);
    let most = run(&mut free, FRAMES);
    assert_eq!((tally(&free).waited, tally(&free).waited_s), (0, 0.0));
    // What is never spent changes no bit.
    let mut rich = heap(Some(most + 1));
    run(&mut rich, FRAMES);
    assert_eq!(measure::state_hash(rich.state()), measure::state_hash(free.state()));
    let budget = most / 4;
    let mut poor = heap(Some(budget));
    let spent = run(&mut poor, FRAMES);
    // A frame may go over it by what one step compares.
    assert!(spent < most, "{spent} of {most} with a budget of {budget}");
    let found = tally(&poor);
    assert!(found.waited > 0 && found.taken > 0);
    let (h, state) = (1.0 / 60.0 / f64::from(STEPS), poor.state());
    assert_eq!(found.taken + found.waited, u64::from(FRAMES * STEPS));
    assert_eq!(state.step, u64::from(FRAMES * STEPS), "frames are counted as they are shown");
    assert!((state.time - h * found.taken as f64).abs() < 1e-9, "time is what was taken");
    assert!((state.time + found.waited_s - f64::from(FRAMES) / 60.0).abs() < 1e-9);
    let share = found.waited as f64 / f64::from(FRAMES * STEPS);
    assert!((found.time_lost() - share).abs() < 0.01 && found.standstills == 0);
}

#[test]
fn a_slowed_run_has_the_same_bits_on_any_threads_and_from_any_frame() {
    let budget = heap(None);
    let mut probe = budget;
    let most = run(&mut probe, FRAMES);
    let mut hashes = Vec::new();
    for threads in [1, 2, 3, 8] {
        let mut world = heap(Some(most / 4));
        world.set_threads(threads).unwrap();
        run(&mut world, FRAMES);
        hashes.push((measure::state_hash(world.state()), tally(&world).waited));
    }
    assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "{hashes:?}");
    let mut first = heap(Some(most / 4));
    run(&mut first, FRAMES - 15);
    assert!(tally(&first).waited > 0, "it has to be slowed before");
    let mut second = heap(Some(most / 4));
    second.restore(first.state().clone());
    run(&mut second, 15);
    assert_eq!(measure::state_hash(second.state()), hashes[0].0);
}

#[test]
fn what_waits_keeps_its_speed() {
    // A sheet above another; the budget of a frame is one step's.
    let build = |budget: Option<u64>| {
        let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
        for (name, y) in [("lower", 0.0), ("upper", 2.0 * THICKNESS)] {
            builder.add_cloth(&sheet(name, 8, Pose::at(Vec3::Y * y), GridPlane::Xz));
        }
        builder.set_contact(law(2, 0.3));
        budget.into_iter().for_each(|budget| builder.set_contact_budget(budget));
        let (model, state) = builder.build();
        World::new(model, state, LINES)
    };
    let mut world = build(Some(1));
    for _ in 0..24 {
        world.advance_frame(1.0 / 60.0, STEPS).unwrap();
    }
    let state = world.state();
    assert!(tally(&world).waited > 0);
    // Free fall for the time that was taken: v = g t.
    let mean = state.v.iter().sum::<Vec3>() / state.v.len() as f32;
    let expected = -9.81 * state.time as f32;
    assert!((mean.y / expected - 1.0).abs() < 1e-3, "{mean} for {expected} m/s");
}
