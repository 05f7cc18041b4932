//! Contact of triangles: nothing passes through anything, and friction, momentum and bits are right.

mod common;

use common::touching::{
    DESCENT, LINES, THICKNESS, cube, floor, heap, law, on_mesh, run_clean, sheet,
};
use glam::{Quat, Vec3};
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{Cloth, MassRule, SpringModel};
use tkanina_sim::colliders::{MeshCollider, MeshPath};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::forces::{PointAction, PointForce};
use tkanina_sim::measure;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::{Motion, Pose};
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::topology::GridPlane;
use tkanina_sim::world::World;

#[test]
fn a_sheet_that_falls_in_a_heap_never_passes_through_itself() {
    let mut world = heap(24, LINES);
    run_clean(&mut world, 120);
    assert!(world.contact_tally().unwrap().watched > 100, "it has to touch itself for that");
    // Without contact it does.
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let place = Pose { position: Vec3::new(0.0, 0.55, 0.0), rotation: Quat::from_rotation_x(0.05) };
    builder.add_cloth(&sheet("sheet", 24, place, GridPlane::Xy));
    builder.add_collider(floor(0.4));
    let (model, state) = builder.build();
    let mut through = World::new(model, state, LINES);
    for _ in 0..60 {
        through.advance_frame(1.0 / 60.0, 16).unwrap();
    }
    assert!(!measure::crossings(through.model(), through.state()).is_empty());
}

#[test]
fn every_kind_of_solver_keeps_a_heap_from_itself() {
    for kind in [DESCENT, SolverKind::Xpbd { iterations: None }, SolverKind::VelocityVerlet] {
        run_clean(&mut heap(12, kind), 60);
    }
}

#[test]
fn the_number_of_threads_changes_no_bit_of_a_heap() {
    let hash = |threads: usize| {
        let mut world = heap(96, LINES);
        world.set_threads(threads).unwrap();
        for _ in 0..24 {
            world.advance_frame(1.0 / 60.0, 8).unwrap();
        }
        assert!(world.contact_tally().unwrap().watched > 100);
        measure::state_hash(world.state())
    };
    let one = hash(1);
    for threads in [2, 3, 8] {
        assert_eq!(hash(threads), one, "{threads} threads");
    }
}

#[test]
fn a_state_that_is_restored_goes_on_with_the_same_bits() {
    let mut world = heap(16, LINES);
    let go = |world: &mut World, frames: u32| {
        (0..frames).for_each(|_| world.advance_frame(1.0 / 60.0, 12).unwrap());
    };
    go(&mut world, 30);
    let kept = world.state().clone();
    go(&mut world, 20);
    let mut other = heap(16, LINES);
    other.restore(kept);
    go(&mut other, 20);
    assert_eq!(measure::state_hash(other.state()), measure::state_hash(world.state()));
}

#[test]
fn two_sheets_that_collide_in_flight_keep_their_momentum() {
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    let mut add = |name: &str, y: f32, velocity: Vec3| {
        let tilt = Quat::from_rotation_z(0.1 * y);
        let place = Pose { position: Vec3::new(0.0, y, 0.0), rotation: tilt };
        let cloth = sheet(name, 14, place, GridPlane::Xz);
        builder.add_cloth(&Cloth { velocity, ..cloth });
    };
    add("lower", 0.0, Vec3::new(0.0, 1.0, 0.0));
    add("upper", 0.2, Vec3::new(0.5, -2.0, 0.25));
    builder.set_contact(law(2, 0.3));
    let (model, state) = builder.build();
    let mut world = World::new(model, state, LINES);
    let before = measure::momentum(world.model(), world.state());
    let energy = measure::energy(world.model(), world.state()).total();
    run_clean(&mut world, 40);
    assert!(world.contact_tally().unwrap().pushes > 0, "they have to meet");
    let after = measure::momentum(world.model(), world.state());
    // 0.2 kg each.
    let change = (after - before).length();
    assert!(change < 1e-3 * before.length().max(0.5), "{before} → {after}");
    assert!(measure::energy(world.model(), world.state()).total() < 1.01 * energy);
}

/// Stretch of a sheet that hangs by its upper edge, in the mean along its middle, after `force` has drawn at
/// the middle of its lower edge for three seconds. [N]
fn drawn(touches: bool, force: f32) -> f64 {
    let n = 9;
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let params = |stiffness: f32| SpringParams { stiffness, damping: 0.05 * stiffness.sqrt() };
    let springs = SpringModel::Neighbours12 {
        structural: params(1000.0),
        shear: params(40.0),
        bend: params(0.2),
    };
    let plain = sheet("sheet", n, Pose::IDENTITY, GridPlane::Xy);
    let (particles, _) = builder.add_cloth(&Cloth { springs, damping: 0.01, ..plain });
    let mut heights = Vec::new();
    builder.displace(particles.clone(), |at| {
        heights.push(at.y);
        at
    });
    let at_height = |y: f32| -> Vec<usize> {
        particles.clone().filter(|&i| (heights[i] - y).abs() < 1e-3).collect()
    };
    let (upper, middle) = (at_height(0.5), at_height(-0.5)[n / 2]);
    upper.iter().for_each(|&i| builder.hold(i, AnchorPath::Fixed, Grip::RIGID));
    let action = PointAction::Hold { force: Vec3::NEG_Y * force, from: 0.0, until: f64::INFINITY };
    builder.add_point_force(PointForce { particles: vec![middle as u32], action });
    if touches {
        builder.set_contact(law(1, 0.3));
    }
    let (model, state) = builder.build();
    let mut world = World::new(model, state, LINES);
    (0..180).for_each(|_| world.advance_frame(1.0 / 60.0, 12).unwrap());
    let x = &world.state().x;
    let way = x.get(upper[n / 2]).distance(x.get(middle));
    f64::from(way) - 1.0
}

/// An edge of it bears the weight of the sheet at 1.5 % of its length.
#[test]
fn what_a_force_draws_out_contact_does_not_draw_in() {
    let (with, without) = (drawn(true, 20.0), drawn(false, 20.0));
    assert!(without > 0.05, "{without}");
    assert!((with / without - 1.0).abs() < 0.01, "{with} with contact, {without} without");
}

/// Sheets that fall on each other, each shifted by `shift` from the one below. Returns the least and
/// greatest distance between neighbours in the end, as a part of the thickness, and touching pairs a point.
fn layers(count: usize, shift: Vec3) -> (f32, f32, f64) {
    let n = 13;
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    for k in 0..count {
        let place = Pose::at(Vec3::Y * (1.0 + 2.0 * k as f32) * THICKNESS + shift * k as f32);
        builder.add_cloth(&sheet(&format!("layer{k}"), n, place, GridPlane::Xz));
    }
    builder.add_collider(floor(0.4));
    builder.set_contact_offset(THICKNESS);
    builder.set_contact(law(count, 0.3));
    let (model, state) = builder.build();
    let mut world = World::new(model, state, LINES);
    run_clean(&mut world, 40);
    let x = &world.state().x;
    let (mut least, mut most) = (f32::INFINITY, 0.0f32);
    for k in 1..count {
        // Not at the rims, which may hang down where they are shifted.
        for (a, b) in (2..n - 2).flat_map(|a| (2..n - 2).map(move |b| (a, b))) {
            let i = (k * n + a) * n + b;
            let gap = (x.y[i] - x.y[i - n * n]) / THICKNESS;
            (least, most) = (least.min(gap), most.max(gap));
        }
    }
    let touching = world.contact_tally().unwrap().touching as f64;
    (least, most, touching / ((count - 1) * n * n) as f64)
}

#[test]
fn layers_keep_their_distance_where_one_pair_stands_for_forty() {
    for shift in [Vec3::ZERO, Vec3::new(3e-4, 0.0, 1e-4), Vec3::new(0.03, 0.0, 0.02)] {
        let (least, most, touching) = layers(5, shift);
        assert!(least > 0.9 && most < 1.15, "{shift}: {least} to {most} of the thickness");
        // Of forty that say the same in sheets that lie point on point.
        assert!(shift.x > 1e-3 || touching < 5.0, "{shift}: {touching} pairs a point");
    }
}

#[test]
fn what_lies_on_a_floor_is_not_pressed_into_it_by_what_hits_it() {
    for kind in [LINES, SolverKind::Xpbd { iterations: None }] {
        let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
        for (name, height, weight) in [("light", THICKNESS, 0.02), ("heavy", 0.03, 2.0)] {
            let place = Pose::at(Vec3::Y * height);
            let mass = MassRule::AreaDensity(weight);
            builder.add_cloth(&Cloth { mass, ..sheet(name, 9, place, GridPlane::Xz) });
        }
        builder.add_collider(floor(0.4));
        // What is heavy stops so near the floor that what is light would be pressed into it.
        builder.set_contact_offset(0.25 * THICKNESS);
        builder.set_contact(law(2, 0.3));
        let (model, mut state) = builder.build();
        (81..162).for_each(|i| state.v.set(i, Vec3::NEG_Y * 8.0));
        let mut world = World::new(model, state, kind);
        for step in 0..60 {
            world.advance_frame(1.0 / 960.0, 1).unwrap();
            let lowest = world.state().x.y.iter().copied().fold(f32::INFINITY, f32::min);
            assert!(lowest >= -1e-7, "{kind:?}, step {step}: {lowest} m");
        }
    }
}

fn incline(angle: f32, friction: f32) -> MeshCollider {
    let corners = [[-3.0, -3.0], [3.0, -3.0], [3.0, 3.0], [-3.0, 3.0]];
    MeshCollider {
        name: "incline".to_owned(),
        triangles: vec![[0, 2, 1], [0, 3, 2]],
        rest: corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec(),
        pose: Pose { position: Vec3::ZERO, rotation: Quat::from_rotation_z(angle) },
        path: MeshPath::Rigid(Motion::Static),
        friction,
        ..MeshCollider::default()
    }
}

/// Way along a mesh incline of a small sheet in a second.
fn slide(angle: f32, friction: f32, kind: SolverKind) -> (f32, f32) {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let turn = Quat::from_rotation_z(angle);
    let place = Pose { position: turn * Vec3::new(0.0, 1.01 * THICKNESS, 0.0), rotation: turn };
    builder.add_cloth(&sheet("sheet", 6, place, GridPlane::Xz));
    builder.add_mesh_collider(incline(angle, friction));
    builder.set_contact(law(1, 0.3));
    let (model, state) = builder.build();
    let mut world = World::new(model, state, kind);
    let start: Vec3 = world.state().x.iter().sum::<Vec3>() / 36.0;
    run_clean(&mut world, 60);
    let end: Vec3 = world.state().x.iter().sum::<Vec3>() / 36.0;
    let way = turn.inverse() * (end - start);
    (-way.x, way.y)
}

#[test]
fn cloth_on_a_mesh_incline_sticks_below_the_angle_of_friction_and_slides_above() {
    let angle = 20f32.to_radians();
    let (way, off) = slide(angle, 0.45, LINES);
    assert!(way.abs() < 1e-3, "μ > tan 20° = 0.364 and it slid {way} m");
    assert!(off.abs() < 2e-3, "{off}");
    // A tenth of a degree to either side.
    let (way, _) = slide(angle, 20.1f32.to_radians().tan(), LINES);
    assert!(way.abs() < 5e-4, "it slid {way} m");
    let (way, _) = slide(angle, 19.9f32.to_radians().tan(), LINES);
    assert!((5e-3..0.0095).contains(&way), "it slid {way} m of 9.1 mm");
    // s = ½ g (sin α − μ cos α) t².
    for friction in [0.0, 0.2] {
        let expected = 0.5 * 9.81 * (angle.sin() - friction * angle.cos());
        let (way, _) = slide(angle, friction, LINES);
        assert!((way / expected - 1.0).abs() < 0.01, "μ {friction}: {way} m for {expected} m");
    }
}

/// A small sheet dropped flat on a mesh with restitution; the height it comes back to.
fn height_after_bounce(restitution: f32, drop: f32) -> f32 {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let place = Pose::at(Vec3::new(0.0, THICKNESS + drop, 0.0));
    builder.add_cloth(&sheet("sheet", 4, place, GridPlane::Xz));
    builder.add_mesh_collider(MeshCollider { restitution, ..incline(0.0, 0.0) });
    builder.set_contact(law(1, 0.3));
    let (model, state) = builder.build();
    let mut world = World::new(model, state, LINES);
    let (mut top, mut touched) = (0.0f32, false);
    for _ in 0..90 {
        world.advance_frame(1.0 / 60.0, 32).unwrap();
        let height = world.state().x.y.iter().sum::<f32>() / 16.0 - THICKNESS;
        touched |= world.contact_tally().unwrap().pushes > 0;
        if touched {
            top = top.max(height);
        }
    }
    top
}

#[test]
fn a_sheet_bounces_off_a_mesh_to_the_square_of_restitution() {
    for restitution in [0.5, 0.8] {
        let drop = 2.0;
        let (top, expected) = (height_after_bounce(restitution, drop), restitution.powi(2) * drop);
        assert!((top / expected - 1.0).abs() < 0.01, "e {restitution}: {top} m for {expected} m");
    }
    assert!(height_after_bounce(0.0, 0.3) < 0.01);
}

#[test]
fn a_sheet_lies_on_a_cube_of_twelve_triangles_and_none_of_its_corners_comes_through() {
    let mut world = on_mesh(17, 0.28, cube(0.4));
    // Up to where it hardly swings any more.
    run_clean(&mut world, 150);
    let highest = world.state().x.y.iter().copied().fold(f32::MIN, f32::max);
    // It bulges a little between its folds.
    assert!((0.2..0.23).contains(&highest), "it lies on top: {highest}");
}

#[test]
fn a_cube_that_rises_carries_a_sheet() {
    let motion = Motion::Linear { velocity: Vec3::new(0.0, 1.5, 0.0) };
    let path = MeshPath::Rigid(motion);
    let mut world = on_mesh(13, 0.35, MeshCollider { path, ..cube(0.4) });
    run_clean(&mut world, 60);
    let highest = world.state().x.y.iter().copied().fold(f32::MIN, f32::max);
    assert!(highest > 1.6, "carried to {highest}, the cube's top is at 1.7");
}

#[test]
fn vertices_that_move_by_themselves_push_a_sheet() {
    let flat = cube(0.4);
    let frames: Vec<Vec<Vec3>> = (0..7)
        .map(|k| {
            let swell = 1.0 + 0.15 * k as f32;
            flat.rest.iter().map(|&p| if p.y > 0.0 { p * swell } else { p }).collect()
        })
        .collect();
    let path = MeshPath::Frames { rate_hz: 10.0, frames, repeat: true, motion: Motion::Static };
    run_clean(&mut on_mesh(13, 0.25, MeshCollider { path, ..flat }), 70);
}

#[test]
fn degenerate_meshes_neither_panic_nor_hang() {
    let meshes: [(&str, Vec<Vec3>); 7] = [
        ("one point", vec![Vec3::ZERO; 3]),
        ("a line", vec![Vec3::ZERO, Vec3::X * 0.1, Vec3::X * 0.2]),
        ("a needle", vec![Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.0, 1e-7)]),
        ("tiny", vec![Vec3::ZERO, Vec3::X * 1e-9, Vec3::Z * 1e-9]),
        ("huge", vec![Vec3::X * -1e6, Vec3::X * 1e6, Vec3::Z * 1e6]),
        ("far", vec![Vec3::splat(1e6), Vec3::new(1e6, 1e6, 1e6 + 1.0), Vec3::splat(1e6 + 2.0)]),
        (
            "in the sheet",
            vec![Vec3::Y * 0.05, Vec3::new(0.2, 0.05, 0.1), Vec3::new(0.0, 0.05, 0.3)],
        ),
    ];
    for (name, rest) in meshes {
        for triangles in [vec![[0, 1, 2]], vec![[0, 1, 2], [2, 1, 0], [0, 0, 1]]] {
            let rest = rest.clone();
            let mesh = MeshCollider { triangles, rest, ..MeshCollider::default() };
            let mut world = on_mesh(7, 0.05, mesh);
            let start = std::time::Instant::now();
            for _ in 0..20 {
                world.advance_frame(1.0 / 60.0, 12).unwrap();
            }
            assert_eq!(measure::nonfinite(world.state()), 0, "{name}");
            assert!(start.elapsed().as_secs() < 20, "{name}");
        }
    }
}
