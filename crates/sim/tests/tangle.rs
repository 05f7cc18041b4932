//! Cloth that starts tangled: it is reported, comes apart, and stays so.

mod common;

use common::touching::{DESCENT, LINES, THICKNESS, floor, law, sheet};
use glam::{Quat, Vec3};
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{Cloth, ClothShape};
use tkanina_sim::colliders::{MeshCollider, MeshPath};
use tkanina_sim::measure;
use tkanina_sim::model::{AnchorPath, Model};
use tkanina_sim::motion::{Motion, Pose, Track};
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::state::State;
use tkanina_sim::topology::{GridPlane, GridShape};
use tkanina_sim::world::World;

fn builder(gravity: f32) -> ModelBuilder {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -gravity, 0.0));
    builder.set_contact_offset(THICKNESS);
    builder
}

fn build(mut builder: ModelBuilder, bodies: usize) -> (Model, State) {
    builder.set_contact(law(bodies, 0.3));
    builder.build()
}

fn crossings(world: &World) -> usize {
    measure::crossings_exhaustive(world.model(), world.state()).len()
}

/// Runs until nothing passes through anything and for as long again; never do more edges pass
/// through triangles than the limit allows. Returns the time that it took. [s]
fn untangle(world: &mut World, within_s: f64) -> f64 {
    let start = crossings(world);
    assert!(start > 0, "it has to be tangled");
    let substeps = world.substeps_for(1.0 / 60.0) as u32;
    let mut clear_at = None;
    let mut frame = 0;
    loop {
        world.advance_frame(1.0 / 60.0, substeps).unwrap();
        let now = crossings(world);
        let time = world.state().time;
        frame += 1;
        if std::env::var("TALK").is_ok() && frame % 6 == 0 {
            let tally = world.contact_tally().unwrap();
            let fast = measure::fastest(&world.state().v).1;
            println!("{time:.2} s: {now} crossings, {} still, v {fast}", tally.standstills);
        }
        assert!(now <= 2 * start + 8, "{start} crossings became {now} at {time} s");
        assert_eq!(measure::nonfinite(world.state()), 0);
        match clear_at {
            None if now == 0 => clear_at = Some(time),
            None => assert!(time < within_s, "{now} of {start} crossings left after {time} s"),
            Some(clear) => {
                assert_eq!(now, 0, "clear at {clear} s, tangled again at {time} s");
                if time > 2.0 * clear + 0.25 {
                    assert!(world.tangle().is_empty() && world.state().tangle_limit == 0);
                    return clear;
                }
            }
        }
    }
}

/// A sheet whose lower corner has gone through another that lies flat.
fn corner_through(n: usize, depth: f32, gravity: f32, kind: SolverKind) -> World {
    let mut builder = builder(gravity);
    builder.add_cloth(&sheet("flat", n, Pose::at(Vec3::new(0.0, 0.3, 0.0)), GridPlane::Xz));
    let rotation = Quat::from_rotation_y(0.3) * Quat::from_rotation_z(0.25 * std::f32::consts::PI);
    let height = 0.3 + 0.5f32.sqrt() - depth;
    let place = Pose { position: Vec3::new(0.013, height, 0.021), rotation };
    builder.add_cloth(&sheet("upright", n, place, GridPlane::Xy));
    if gravity > 0.0 {
        builder.add_collider(floor(0.4));
    }
    let (model, state) = build(builder, 2);
    World::new(model, state, kind)
}

#[test]
fn a_corner_that_has_gone_through_a_sheet_comes_out() {
    for (n, depth, gravity) in [(12, 0.06, 0.0), (16, 0.2, 0.0), (14, 0.12, 9.81)] {
        let mut world = corner_through(n, depth, gravity, LINES);
        let clear = untangle(&mut world, 3.0);
        println!("corner {n}, {depth} m, g {gravity}: {clear:.2} s");
    }
}

#[test]
fn every_kind_of_solver_untangles() {
    for kind in [DESCENT, SolverKind::Xpbd { iterations: None }, SolverKind::VelocityVerlet] {
        let clear = untangle(&mut corner_through(12, 0.08, 0.0, kind), 3.0);
        println!("{}: {clear:.2} s", kind.name());
    }
}

#[test]
fn the_report_names_bodies_and_triangles() {
    let world = corner_through(12, 0.1, 0.0, LINES);
    let tangle = world.tangle();
    assert_eq!(tangle.pairs.len(), 1);
    let pair = &tangle.pairs[0];
    assert_eq!(pair.names, ["flat".to_owned(), "upright".to_owned()]);
    assert!(!pair.is_itself());
    assert_eq!(pair.first.len(), pair.count.min(10));
    // Each of the named pairs does pass through the other.
    let (model, x) = (world.model(), &world.state().x);
    let [flat, upright] = [&model.bodies[0], &model.bodies[1]];
    for &[a, b] in &pair.first {
        let t = [flat.triangles.start + a as usize, upright.triangles.start + b as usize];
        let [t, u] = t.map(|t| model.triangles[t].map(|v| x.get(v as usize)));
        let through = |[p, q, r]: [Vec3; 3], t: [Vec3; 3]| {
            [[p, q], [q, r], [r, p]].iter().any(|&edge| measure::crosses(edge, t))
        };
        assert!(through(t, u) || through(u, t), "{a} and {b}");
    }
    // Two segments' ends are shared along one contour: pairs are one less than piercings.
    assert_eq!(pair.count + 1, crossings(&world));
}

/// Two sheets pushed into each other from their rims like two cards with slots.
#[test]
fn sheets_that_are_slotted_into_each_other_slide_out() {
    let mut builder = builder(0.0);
    builder.add_cloth(&sheet("flat", 13, Pose::at(Vec3::ZERO), GridPlane::Xz));
    let place = Pose { position: Vec3::new(0.8, 0.02, 0.01), rotation: Quat::from_rotation_y(0.1) };
    builder.add_cloth(&sheet("upright", 13, place, GridPlane::Xy));
    let (model, state) = build(builder, 2);
    let clear = untangle(&mut World::new(model, state, LINES), 3.0);
    println!("slotted: {clear:.2} s");
}

/// A sheet half above and half below another.
#[test]
fn a_sheet_stuck_through_another_comes_out_on_its_larger_side() {
    let mut builder = builder(0.0);
    builder.add_cloth(&sheet("flat", 15, Pose::at(Vec3::ZERO), GridPlane::Xz));
    let small = GridShape { counts: [9, 9], size: [0.5, 0.5], plane: GridPlane::Xy };
    let place = Pose { position: Vec3::new(0.01, 0.1, 0.02), rotation: Quat::from_rotation_y(0.2) };
    let cloth = Cloth { shape: ClothShape::Grid(small), ..sheet("card", 9, place, GridPlane::Xy) };
    builder.add_cloth(&cloth);
    let (model, state) = build(builder, 2);
    let mut world = World::new(model, state, LINES);
    let clear = untangle(&mut world, 3.0);
    println!("card: {clear:.2} s");
    let card = world.model().bodies[1].particles.clone();
    let lowest = card.map(|i| world.state().x.y[i]).fold(f32::MAX, f32::min);
    assert!(lowest > -0.15, "it was pulled out upwards: {lowest}");
}

/// A sheet whose end is bent round and through it.
#[test]
fn a_sheet_folded_through_itself_unfolds() {
    let mut builder = builder(0.0);
    builder.add_cloth(&sheet("sheet", 25, Pose::at(Vec3::ZERO), GridPlane::Xz));
    let (model, mut state) = build(builder, 1);
    // A loop like the letter alpha: a straight part, a turn of 250°, and a straight end that has
    // come out below.
    let (radius, turn) = (0.09f32, 250f32.to_radians());
    for i in 0..state.x.len() {
        let s = state.x.x[i] + 0.5;
        let lead = 0.4;
        let (x, y) = if s < lead {
            (s, 0.0)
        } else if s < lead + radius * turn {
            let a = (s - lead) / radius;
            (lead + radius * a.sin(), radius * (1.0 - a.cos()))
        } else {
            let rest = s - lead - radius * turn;
            (
                lead + radius * turn.sin() + rest * turn.cos(),
                radius * (1.0 - turn.cos()) + rest * turn.sin(),
            )
        };
        (state.x.x[i], state.x.y[i]) = (x, y + 0.05 * state.x.z[i]);
    }
    let mut world = World::new(model, state, LINES);
    assert!(world.tangle().pairs[0].is_itself());
    let clear = untangle(&mut world, 3.0);
    println!("folded through itself: {clear:.2} s");
}

fn cube(size: f32) -> MeshCollider {
    let corner = |i: usize| {
        let side = |bit: usize| if i >> bit & 1 == 0 { -0.5 * size } else { 0.5 * size };
        Vec3::new(side(0), side(1), side(2))
    };
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    MeshCollider {
        name: "cube".to_owned(),
        triangles: faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        rest: (0..8).map(corner).collect(),
        friction: 0.4,
        ..MeshCollider::default()
    }
}

#[test]
fn cloth_that_starts_inside_a_mesh_comes_out_of_it() {
    // The sheet lies through the cube, a little below its top.
    let mut through = builder(9.81);
    let tilt = Quat::from_rotation_z(0.02);
    let place = Pose { position: Vec3::new(0.0, 0.15, 0.0), rotation: tilt };
    through.add_cloth(&sheet("sheet", 16, place, GridPlane::Xz));
    through.add_mesh_collider(cube(0.4));
    let (model, state) = build(through, 1);
    let mut world = World::new(model, state, LINES);
    let pair = &world.tangle().pairs[0];
    assert_eq!(pair.names, ["sheet".to_owned(), "cube".to_owned()]);
    println!("sheet through a cube: {:.2} s", untangle(&mut world, 3.0));
    // A corner of it stands in the side of the cube.
    let mut corner = builder(0.0);
    let place = Pose {
        position: Vec3::new(0.2 + 0.5f32.sqrt() - 0.1, 0.01, 0.02),
        rotation: Quat::from_rotation_y(0.25 * std::f32::consts::PI),
    };
    corner.add_cloth(&sheet("sheet", 16, place, GridPlane::Xz));
    corner.add_mesh_collider(cube(0.4));
    let (model, state) = build(corner, 1);
    println!("corner in a cube: {:.2} s", untangle(&mut World::new(model, state, LINES), 3.0));
}

#[test]
fn a_restored_state_goes_on_untangling_with_the_same_bits() {
    let mut world = corner_through(12, 0.15, 9.81, LINES);
    let go = |world: &mut World, frames: u32| {
        (0..frames).for_each(|_| world.advance_frame(1.0 / 60.0, 12).unwrap());
    };
    go(&mut world, 4);
    assert!(!world.tangle().is_empty());
    let kept = world.state().clone();
    go(&mut world, 30);
    let mut other = corner_through(12, 0.15, 9.81, LINES);
    other.restore(kept.clone());
    go(&mut other, 30);
    assert_eq!(measure::state_hash(other.state()), measure::state_hash(world.state()));
    let mut fresh = World::new(other.model().clone(), kept, LINES);
    fresh.set_threads(3).unwrap();
    go(&mut fresh, 30);
    assert_eq!(measure::state_hash(fresh.state()), measure::state_hash(world.state()));
}

/// What cannot come apart is held: a card pinned above and below a sheet that is pinned all round.
#[test]
fn a_tangle_that_cannot_be_resolved_stays_quiet() {
    let mut builder = builder(9.81);
    builder.add_cloth(&sheet("flat", 12, Pose::at(Vec3::ZERO), GridPlane::Xz));
    let place = Pose { position: Vec3::new(0.01, 0.0, 0.02), rotation: Quat::from_rotation_y(0.2) };
    let small = GridShape { counts: [8, 8], size: [0.5, 0.5], plane: GridPlane::Xy };
    let cloth = Cloth { shape: ClothShape::Grid(small), ..sheet("card", 8, place, GridPlane::Xy) };
    builder.add_cloth(&cloth);
    let mut pin = |i: usize| builder.hold(i, AnchorPath::Fixed, Grip::RIGID);
    (0..12).for_each(|i| [i, 132 + i, 12 * i, 12 * i + 11].into_iter().for_each(&mut pin));
    (0..8).for_each(|i| [144 + i, 144 + 56 + i].into_iter().for_each(&mut pin));
    let (model, state) = build(builder, 2);
    let mut world = World::new(model, state, LINES);
    let start = crossings(&world);
    let substeps = world.substeps_for(1.0 / 60.0) as u32;
    let mut fastest = 0.0f32;
    for frame in 0..120 {
        world.advance_frame(1.0 / 60.0, substeps).unwrap();
        let now = crossings(&world);
        assert!((1..=2 * start + 8).contains(&now), "{start} → {now} in frame {frame}");
        fastest = fastest.max(measure::fastest(&world.state().v).1);
    }
    assert!(fastest < 3.0, "{fastest} m/s");
    assert!(!world.tangle().is_empty());
    println!("{start} → {} crossings, {fastest} m/s at most", crossings(&world));
}

/// A plate is driven down through cloth that is pinned all round just above another: it waits.
#[test]
fn a_plate_driven_through_pinned_cloth_waits_and_says_so() {
    let mut builder = builder(9.81);
    builder.add_cloth(&sheet("sheet", 11, Pose::at(Vec3::Y * 0.01), GridPlane::Xz));
    for i in 0..11 {
        for pinned in [i, 110 + i, 11 * i, 11 * i + 10] {
            builder.hold(pinned, AnchorPath::Fixed, Grip::RIGID);
        }
    }
    let box_of = |name: &str, y: f32, velocity: f32| {
        let path = MeshPath::Rigid(Motion::Linear { velocity: Vec3::new(0.0, velocity, 0.0) });
        let pose = Pose::at(Vec3::new(0.01, y, 0.02));
        MeshCollider { name: name.to_owned(), pose, path, ..cube(0.4) }
    };
    builder.add_mesh_collider(box_of("anvil", -0.21, 0.0));
    builder.add_mesh_collider(box_of("press", 0.26, -0.5));
    let (model, state) = build(builder, 1);
    let mut world = World::new(model, state, LINES);
    assert!(world.tangle().is_empty());
    let substeps = world.substeps_for(1.0 / 60.0) as u32;
    for frame in 0..60 {
        world.advance_frame(1.0 / 60.0, substeps).unwrap();
        assert_eq!(crossings(&world), 0, "frame {frame}");
    }
    // It touches after 0.1 s; 0.9 s later it would be 0.45 m further down.
    let tally = world.contact_tally().unwrap();
    let lag = tally.lag;
    println!("{tally:?}");
    assert_eq!(lag.mesh, Some(1), "the press");
    assert!(lag.now > 0.3 && lag.worst >= lag.now && lag.worst < 0.5, "{lag:?}");
    assert!((0.02..0.3).contains(&lag.since), "{lag:?}");
    assert!(tally.steps_held > 0 && tally.steps_held <= tally.steps);
    assert_eq!(tally.steps, 60 * u64::from(substeps));
    assert!((0.0..=1.0).contains(&tally.time_lost()));
    let fastest = measure::fastest(&world.state().v).1;
    let stretch = measure::stretch(world.model().edges.edges(), &world.state().x).max;
    println!("{fastest} m/s, stretch {stretch}");
    assert!(fastest < 2.0 && stretch < 0.1, "{fastest} m/s, stretch {stretch}");
}

/// A press that has waited goes on when the anvil makes way, and catches up.
#[test]
fn a_mesh_that_was_held_up_catches_up() {
    let mut builder = builder(9.81);
    builder.add_cloth(&sheet("sheet", 9, Pose::at(Vec3::Y * 0.01), GridPlane::Xz));
    let moving = |name: &str, times: [f64; 2], heights: [f32; 2]| {
        let places = heights.map(|y| Vec3::new(0.01, y, 0.02)).to_vec();
        let track = Track::new(times.to_vec(), places.clone(), None).unwrap();
        let path = MeshPath::Rigid(Motion::Keyframes(track));
        MeshCollider { name: name.to_owned(), pose: Pose::at(places[0]), path, ..cube(0.4) }
    };
    builder.add_mesh_collider(moving("anvil", [0.5, 1.0], [-0.21, -0.6]));
    builder.add_mesh_collider(moving("press", [0.0, 0.4], [0.26, 0.06]));
    let (model, state) = build(builder, 1);
    let mut world = World::new(model, state, LINES);
    let substeps = world.substeps_for(1.0 / 60.0) as u32;
    let mut behind = 0.0f32;
    for frame in 0..72 {
        world.advance_frame(1.0 / 60.0, substeps).unwrap();
        assert_eq!(crossings(&world), 0, "frame {frame}");
        if frame == 29 {
            behind = world.contact_tally().unwrap().lag.now;
        }
    }
    let lag = world.contact_tally().unwrap().lag;
    println!("{behind} m behind at 0.5 s, then {lag:?}");
    assert!(behind > 0.1 && lag.worst < 0.2, "{behind}, {lag:?}");
    assert_eq!((lag.now, world.state().contact_slow), (0.0, 0), "{lag:?}");
}

#[test]
fn two_free_sheets_that_come_apart_keep_their_momentum() {
    for (n, depth) in [(12, 0.06), (16, 0.2)] {
        let mut world = corner_through(n, depth, 0.0, LINES);
        let substeps = world.substeps_for(1.0 / 60.0) as u32;
        let (mut most, mut motion) = (0.0f64, 0.0f64);
        while crossings(&world) > 0 {
            world.advance_frame(1.0 / 60.0, substeps).unwrap();
            let (model, state) = (world.model(), world.state());
            most = most.max(measure::momentum(model, state).length());
            let each = state.v.iter().zip(&model.mass).map(|(v, &m)| f64::from(m * v.length()));
            motion = motion.max(each.sum());
        }
        println!("{n}, {depth} m: {most} of {motion} kg m/s");
        assert!(most < 0.02 * motion, "{n}, {depth} m: {most} of {motion} kg m/s");
    }
}
