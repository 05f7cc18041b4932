//! Contact of strands: nothing passes through anything, and friction is right.

mod common;

use common::ropes::{THICK, law_of, lead, least_gap, line, rope, run_whole, springs};
use common::touching::{DESCENT, LINES, cube, floor, sheet};
use glam::{Quat, Vec3};
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::colliders::{MeshCollider, MeshPath};
use tkanina_sim::contact::ContactLaw;
use tkanina_sim::measure;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::{Motion, Pose};
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::strands::{StrandBody, StrandLaw};
use tkanina_sim::topology::GridPlane;
use tkanina_sim::world::World;

const XPBD: SolverKind = SolverKind::Xpbd { iterations: None };

/// Springs under several solvers, and rods.
fn ways() -> [(SolverKind, StrandLaw); 5] {
    let chain = springs(2000.0, 2.0);
    let cosserat = StrandLaw::Cosserat { sweeps: 4 };
    [(XPBD, chain), (DESCENT, chain), (LINES, chain), (XPBD, StrandLaw::Rod), (XPBD, cosserat)]
}

/// One rope held at both ends, and one across it whose ends are led down by a fifth of a metre.
fn crossed((kind, law): (SolverKind, StrandLaw), contact: Option<ContactLaw>) -> World {
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    let lower = line(Vec3::new(-0.3, 0.0, 0.0), Vec3::new(0.3, 0.0, 0.0), 41);
    let upper = line(Vec3::new(0.0, 0.03, -0.301), Vec3::new(0.0, 0.03, 0.3), 41);
    let lower = builder.add_strands(&rope("lower", lower, 0.3, law));
    let upper = builder.add_strands(&rope("upper", upper, 0.3, law));
    for end in [lower.start, lower.end - 1] {
        // Just long enough for both to bend by half of the way.
        let inwards = if end == lower.start { 0.017 } else { -0.017 };
        lead(&mut builder, end, Vec3::X * inwards, [0.0, 0.5, f64::INFINITY]);
    }
    for end in [upper.start, upper.end - 1] {
        let inwards = if end == upper.start { 0.017 } else { -0.017 };
        lead(&mut builder, end, Vec3::new(0.0, -0.2, inwards), [0.0, 0.5, f64::INFINITY]);
    }
    if let Some(law) = contact {
        builder.set_contact(law);
    }
    let (model, state) = builder.build();
    World::new(model, state, kind)
}

#[test]
fn ropes_that_are_pulled_against_each_other_do_not_pass() {
    for way in ways() {
        let mut world = crossed(way, Some(law_of(2, true)));
        assert_eq!(run_whole(&mut world, 60), 0, "{way:?}");
        let gap = least_gap(&world, 41);
        // Rods of Cosserat give way along themselves and swing against each other for longer.
        let most = if matches!(way.1, StrandLaw::Cosserat { .. }) { 1.3 } else { 1.1 };
        assert!((0.98..most).contains(&gap), "{way:?}: {gap} of the thickness");
        assert!(world.contact_tally().unwrap().pushes > 100, "{way:?} has to touch");
    }
    // Without contact they pass.
    let mut through = crossed(ways()[0], None);
    let before = through.state().clone();
    for _ in 0..60 {
        through.advance_frame(1.0 / 60.0, 8).unwrap();
    }
    assert!(!measure::passages(through.model(), &before, through.state()).is_empty());
    // A look a frame is enough for ropes as slow as these.
    let mut fast = crossed(ways()[0], Some(law_of(2, false)));
    assert_eq!(run_whole(&mut fast, 60), 0);
}

/// An upright rope, slightly wound, that falls in a heap.
fn heap((kind, law): (SolverKind, StrandLaw), touches_itself: bool) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let wound = |i: usize| {
        let (sin, cos) = (0.2 * i as f32).sin_cos();
        Vec3::new(0.02 * cos, 0.05 + 0.01 * i as f32, 0.02 * sin)
    };
    builder.add_strands(&rope("rope", (0..81).map(wound).collect(), 0.3, law));
    builder.add_collider(floor(0.4));
    builder.set_contact_offset(0.5 * THICK);
    let mut contact = law_of(1, true);
    contact.bodies[0].touches_itself = touches_itself;
    builder.set_contact(contact);
    let (model, state) = builder.build();
    World::new(model, state, kind)
}

#[test]
fn a_rope_that_falls_in_a_heap_never_passes_through_itself() {
    for way in ways() {
        let mut world = heap(way, true);
        assert_eq!(run_whole(&mut world, 90), 0, "{way:?}");
        let gap = least_gap(&world, 7);
        assert!(gap > 0.9, "{way:?}: {gap} of the thickness");
        assert!(world.contact_tally().unwrap().pushes > 100, "it has to touch itself");
    }
    // One that may not touch itself passes.
    let mut through = heap(ways()[0], false);
    let mut passed = 0;
    for _ in 0..60 * 12 {
        let before = through.state().clone();
        through.advance_frame(1.0 / 720.0, 4).unwrap();
        passed += measure::passages(through.model(), &before, through.state()).len();
    }
    assert!(passed > 0);
}

#[test]
fn a_rope_lies_on_a_sheet() {
    let n = 17;
    for (kind, law) in ways() {
        let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
        builder.add_cloth(&sheet("sheet", n, Pose::at(Vec3::ZERO), GridPlane::Xz));
        for corner in [0, n - 1, n * (n - 1), n * n - 1] {
            builder.hold(corner, AnchorPath::Fixed, Grip::RIGID);
        }
        let start = line(Vec3::new(-0.25, 0.05, -0.1), Vec3::new(0.3, 0.07, 0.15), 41);
        builder.add_strands(&rope("rope", start, 0.3, law));
        builder.set_contact(law_of(2, true));
        let (model, state) = builder.build();
        let mut world = World::new(model, state, kind);
        assert_eq!(run_whole(&mut world, 60), 0, "{kind:?} {law:?}");
        let x = &world.state().x;
        let least = |range: std::ops::Range<usize>| range.map(|i| x.y[i]).fold(9.0, f32::min);
        let (sheet, rope) = (least(0..n * n), least(n * n..x.len()));
        assert!(rope > sheet && rope > -0.2, "{kind:?} {law:?}: sheet {sheet}, rope {rope}");
    }
}

#[test]
fn a_rope_that_flies_into_a_sheet_gives_it_momentum() {
    let n = 17;
    for (kind, law) in ways() {
        let mut builder = ModelBuilder::new(Vec3::ZERO);
        builder.add_cloth(&sheet("sheet", n, Pose::at(Vec3::ZERO), GridPlane::Xz));
        let start = line(Vec3::new(-0.25, 0.02, -0.1), Vec3::new(0.3, 0.03, 0.15), 41);
        let mut thrown = rope("rope", start, 0.3, law);
        (thrown.velocity, thrown.damping) = (Vec3::new(0.2, -1.0, 0.0), 0.0);
        builder.add_strands(&thrown);
        builder.set_contact(law_of(2, true));
        let (model, state) = builder.build();
        let mut world = World::new(model, state, kind);
        let before = measure::momentum(world.model(), world.state());
        assert_eq!(run_whole(&mut world, 30), 0, "{kind:?} {law:?}");
        let after = measure::momentum(world.model(), world.state());
        let off = (after - before).length() / before.length();
        assert!(off < 5e-3, "{kind:?} {law:?}: {before} → {after}");
        let state = world.state();
        let sheet: f32 = (0..n * n).map(|i| world.model().mass[i] * state.v.y[i]).sum();
        // Without a bounce both go on as one: 0.2 kg of 0.248 kg.
        let part = f64::from(sheet) / before.y;
        assert!((0.5..1.1).contains(&part), "{kind:?} {law:?}: the sheet has {part} of it");
    }
}

/// A rope over a mesh; how high it is in the end.
fn over_mesh((kind, law): (SolverKind, StrandLaw), mesh: MeshCollider) -> f32 {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let start = line(Vec3::new(-0.4, 0.25, -0.05), Vec3::new(0.4, 0.25, 0.06), 81);
    builder.add_strands(&rope("rope", start, 0.3, law));
    builder.add_mesh_collider(mesh);
    builder.set_contact(law_of(1, true));
    let (model, state) = builder.build();
    let mut world = World::new(model, state, kind);
    assert_eq!(run_whole(&mut world, 60), 0);
    world.state().x.y.iter().copied().fold(f32::MIN, f32::max)
}

#[test]
fn a_rope_hangs_over_meshes_that_move_and_swell() {
    for way in ways() {
        let path = MeshPath::Rigid(Motion::Linear { velocity: Vec3::new(0.0, 0.3, 0.0) });
        let highest = over_mesh(way, MeshCollider { path, ..cube(0.3) });
        // The cube's top is at 0.45 m; the rope's radius and half of the mesh's distance more.
        assert!((0.456..0.475).contains(&highest), "{way:?}: {highest}");
    }
    let flat = cube(0.3);
    let frames: Vec<Vec<Vec3>> = (0..7)
        .map(|k| {
            let swell = 1.0 + 0.1 * k as f32;
            flat.rest.iter().map(|&p| if p.y > 0.0 { p * swell } else { p }).collect()
        })
        .collect();
    let path = MeshPath::Frames { rate_hz: 10.0, frames, repeat: true, motion: Motion::Static };
    let highest = over_mesh(ways()[0], MeshCollider { path, ..flat });
    assert!(highest > 0.15, "{highest}");
}

/// Way along held ropes, inclined by 20°, of one across them in half a second.
fn slide(law: StrandLaw, friction: f32) -> f32 {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let turn = Quat::from_rotation_z(20f32.to_radians());
    let rail = |z: f32| {
        let ends = [-1.5, 0.5].map(|x| turn * Vec3::new(x, 0.0, z));
        rope("rails", line(ends[0], ends[1], 101), friction, law).strands.remove(0)
    };
    let rails = (0..6).map(|k| rail(-0.13 + 0.05 * k as f32)).collect();
    let rails = StrandBody {
        strands: rails,
        ..rope("rails", line(Vec3::ZERO, Vec3::X, 2), friction, springs(2000.0, 2.0))
    };
    for particle in builder.add_strands(&rails) {
        builder.hold(particle, AnchorPath::Fixed, Grip::RIGID);
    }
    let ends = [-0.15, 0.15].map(|z| turn * Vec3::new(0.001, 1.001 * THICK, z));
    let across = builder.add_strands(&rope("across", line(ends[0], ends[1], 7), friction, law));
    builder.set_contact(law_of(2, true));
    let (model, state) = builder.build();
    let mut world = World::new(model, state, LINES);
    let place = |world: &World| {
        let sum: Vec3 = across.clone().map(|i| world.state().x.get(i)).sum();
        turn.inverse() * (sum / across.len() as f32)
    };
    let start = place(&world);
    for _ in 0..30 {
        world.advance_frame(1.0 / 60.0, 32).unwrap();
    }
    let way = place(&world) - start;
    assert!(way.y.abs() < 0.02, "it left its rails by {} m", way.y);
    -way.x
}

#[test]
fn a_rope_slides_on_others_as_coulomb_says() {
    let angle = 20f32.to_radians();
    for law in [springs(20_000.0, 20_000.0), StrandLaw::Rod, StrandLaw::Cosserat { sweeps: 4 }] {
        // s = ½ g (sin α − μ cos α) t².
        for friction in [0.0, 0.2] {
            let expected = 0.5 * 9.81 * (angle.sin() - friction * angle.cos()) * 0.25;
            let way = slide(law, friction);
            assert!(
                (way / expected - 1.0).abs() < 0.05,
                "{law:?} μ {friction}: {way} m of {expected}"
            );
        }
        let way = slide(law, 0.45);
        assert!(way.abs() < 2e-3, "{law:?}: μ > tan 20° = 0.364 and it slid {way} m");
    }
}
