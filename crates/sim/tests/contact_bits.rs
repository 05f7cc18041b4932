//! Same bits on any number of threads where cloth touches itself and moving meshes and tears; and no
//! memory that is asked for while a heap lies, nor while one comes about for the second time.

mod common;

use common::touching::{LINES, THICKNESS, cube, floor, heap, law, sheet};
use glam::Vec3;
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{Cloth, TearLimit};
use tkanina_sim::colliders::{MeshCollider, MeshPath};
use tkanina_sim::commands::Command;
use tkanina_sim::measure;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::{Motion, Pose};
use tkanina_sim::tearing::Cut;
use tkanina_sim::topology::GridPlane;
use tkanina_sim::world::World;

/// A sheet held by its corners, with a second one over it, that a cube breaks through from below.
fn broken_through(threads: usize) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let n = 40;
    let place = Pose::at(Vec3::Y * 0.3);
    let weak = Cloth {
        tears_at: Some(TearLimit::Stretch(0.08)),
        ..sheet("sheet", n, place, GridPlane::Xz)
    };
    builder.add_cloth(&weak);
    builder.add_cloth(&sheet("cover", 24, Pose::at(Vec3::Y * 0.33), GridPlane::Xz));
    for corner in [0, n - 1, n * (n - 1), n * n - 1] {
        builder.hold(corner, AnchorPath::Fixed, Grip::RIGID);
    }
    let path = MeshPath::Rigid(Motion::Linear { velocity: Vec3::new(0.1, 1.5, 0.0) });
    builder.add_mesh_collider(MeshCollider { path, ..cube(0.3) });
    builder.set_contact(law(2, 0.3));
    let (model, state) = builder.build();
    let mut world = World::new(model, state, LINES);
    world.set_threads(threads).unwrap();
    world
}

#[test]
fn tearing_cutting_self_contact_and_moving_meshes_give_the_same_bits_on_1_2_3_and_8_threads() {
    let run = |threads: usize| {
        let mut world = broken_through(threads);
        let whole = world.model().particle_count();
        let mut slit = whole;
        for frame in 0..36 {
            if frame == 24 {
                // Through both where they lie on each other and move.
                let eye = Vec3::Y * 5.0;
                let line = [[-0.6, 0.21], [0.6, 0.17]].map(|[x, z]| Vec3::new(x, 0.0, z) - eye);
                slit = world.model().particle_count();
                world.send(Command::Cut(Cut { eye, towards: line }));
            }
            world.advance_frame(1.0 / 60.0, 12).unwrap();
            let found = measure::crossings(world.model(), world.state());
            assert!(found.is_empty(), "frame {frame}: {} crossings", found.len());
            if frame == 24 {
                assert!(world.model().particle_count() > slit + 30, "it has to cut both");
            }
        }
        let tally = world.contact_tally().unwrap();
        assert!(tally.watched > 100, "they have to touch");
        (measure::state_hash(world.state()), world.model().particle_count() - whole)
    };
    let one = run(1);
    assert!(one.1 > 0, "it has to tear");
    for threads in [2, 3, 8] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

/// Sheets of 32 × 32 points a little above each other.
fn stack(layers: usize) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    for layer in 0..layers {
        let height = THICKNESS * (0.8 + 1.2 * layer as f32);
        let place = Pose::at(Vec3::new(0.003 * layer as f32, height, 0.0));
        builder.add_cloth(&sheet(&format!("layer{layer}"), 32, place, GridPlane::Xz));
    }
    builder.add_collider(floor(0.4));
    builder.set_contact_offset(0.5 * THICKNESS);
    builder.set_contact(law(layers, 0.3));
    let (model, state) = builder.build();
    World::new(model, state, LINES)
}

/// They are pushed in ranges of bodies: none may be left out, nor any pair across two of them.
#[test]
fn neighbours_in_a_stack_of_many_sheets_keep_their_distance() {
    let (n, layers) = (32, 12);
    let mut world = stack(layers);
    (0..16).for_each(|_| world.advance_frame(1.0 / 60.0, 8).unwrap());
    // Of all points, as sheets that fall on each other ripple.
    let mean = |k: usize| world.state().x.y[k * n * n..][..n * n].iter().sum::<f32>();
    for k in 1..layers {
        let gap = (mean(k) - mean(k - 1)) / (n * n) as f32 / THICKNESS;
        assert!((0.9..1.4).contains(&gap), "{gap} of the thickness below layer {k}");
    }
}

#[test]
fn a_stack_of_many_sheets_gives_the_same_bits_on_1_2_3_and_8_threads() {
    let run = |threads: usize| {
        let mut world = stack(12);
        world.set_threads(threads).unwrap();
        for frame in 0..8 {
            world.advance_frame(1.0 / 60.0, 8).unwrap();
            let found = measure::crossings(world.model(), world.state());
            assert!(found.is_empty(), "frame {frame}: {} crossings", found.len());
        }
        assert!(world.contact_tally().unwrap().pushes > 1000, "they have to touch");
        measure::state_hash(world.state())
    };
    let one = run(1);
    for threads in [2, 3, 8] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

#[test]
fn contact_asks_for_no_memory_once_a_heap_lies() {
    let mut world = heap(20, LINES);
    let substeps = world.substeps_for(1.0 / 60.0) as u32;
    for _ in 0..150 {
        world.advance_frame(1.0 / 60.0, substeps).unwrap();
    }
    assert!(world.contact_tally().unwrap().watched > 50, "it has to touch itself for that");
    let count = allocation_counter::measure(|| {
        for _ in 0..10 {
            world.advance_frame(1.0 / 60.0, substeps).unwrap();
        }
    });
    assert_eq!(count.count_total, 0, "{count:?}");
}

/// What was large enough once stays so: where a sheet falls on itself again, nothing grows.
#[test]
fn contact_asks_for_no_memory_where_a_sheet_meets_itself_again() {
    let mut world = heap(20, LINES);
    let substeps = world.substeps_for(1.0 / 60.0) as u32;
    let start = world.state().clone();
    let fall = |world: &mut World| {
        (1..60).for_each(|_| world.advance_frame(1.0 / 60.0, substeps).unwrap());
    };
    world.advance_frame(1.0 / 60.0, substeps).unwrap();
    fall(&mut world);
    let first = world.contact_tally().unwrap();
    assert!(first.second_looks > 50 && first.pushes > 1000, "it has to meet itself: {first:?}");
    // Whether a state from elsewhere is tangled is looked into first, and that asks for memory.
    world.restore(start);
    world.advance_frame(1.0 / 60.0, substeps).unwrap();
    let count = allocation_counter::measure(|| fall(&mut world));
    assert_eq!(count.count_total, 0, "{count:?}");
}
