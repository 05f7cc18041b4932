//! Contact at a bounded cost: cleaned up, and what slips through comes apart.

mod common;

use common::touching::{LINES, THICKNESS, floor, law, sheet};
use glam::{Quat, Vec3};
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::contact::ContactLaw;
use tkanina_sim::measure;
use tkanina_sim::motion::Pose;
use tkanina_sim::topology::GridPlane;
use tkanina_sim::world::World;

/// An upright sheet that falls in a heap, `speed` fast at the start.
fn heap(n: usize, speed: f32) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let place = Pose { position: Vec3::new(0.0, 0.55, 0.0), rotation: Quat::from_rotation_x(0.05) };
    let mut cloth = sheet("sheet", n, place, GridPlane::Xy);
    cloth.velocity = Vec3::new(0.0, -speed, 0.0);
    builder.add_cloth(&cloth);
    builder.add_collider(floor(0.4));
    builder.set_contact_offset(THICKNESS);
    builder.set_contact(ContactLaw { safe: false, ..law(1, 0.3) });
    let (model, state) = builder.build();
    World::new(model, state, LINES)
}

#[test]
fn a_fold_in_fast_mode_ends_clear_at_a_bounded_cost() {
    for speed in [0.0, 3.0] {
        let mut world = heap(24, speed);
        let points = world.model().particle_count() as u64;
        let (mut worst, mut sum) = (0, 0);
        for _ in 0..150 {
            let before = world.contact_tally().unwrap();
            world.advance_frame(1.0 / 60.0, 16).unwrap();
            let now = world.contact_tally().unwrap();
            let found = measure::crossings(world.model(), world.state()).len();
            (worst, sum) = (worst.max(found), sum + found);
            let again = now.strays - before.strays;
            assert!(again <= 2 * points, "{again} points of {points} were looked at again");
            let looks = now.looks - before.looks;
            assert!(looks <= 3 || !world.tangle().is_empty() || found > 0, "{looks} looks");
        }
        let last = measure::crossings(world.model(), world.state()).len();
        println!("speed {speed}: at most {worst} crossings, {sum} in all, {last} at the end");
        assert_eq!(last, 0);
        assert!(sum < 200, "speed {speed}: {sum} crossings in all, {worst} at most");
    }
}

#[test]
fn what_slipped_through_has_the_same_bits_on_any_threads_and_from_any_frame() {
    let run = |world: &mut World, frames: u32| {
        (0..frames).for_each(|_| world.advance_frame(1.0 / 60.0, 8).unwrap());
    };
    let mut one = heap(20, 3.0);
    run(&mut one, 40);
    let kept = one.state().clone();
    run(&mut one, 20);
    for threads in [2, 3, 8] {
        let mut other = heap(20, 3.0);
        other.set_threads(threads).unwrap();
        run(&mut other, 60);
        assert_eq!(measure::state_hash(other.state()), measure::state_hash(one.state()));
    }
    let mut other = heap(20, 3.0);
    other.restore(kept);
    run(&mut other, 20);
    assert_eq!(measure::state_hash(other.state()), measure::state_hash(one.state()));
}
