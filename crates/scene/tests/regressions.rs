//! Each test is named after what once broke.

use tkanina_scene::build::{Simulation, build};
use tkanina_scene::schema::Scene;
use tkanina_sim::measure;

fn simulation(text: &str) -> Simulation {
    let loaded =
        Scene::load_text("test", text, None, &[]).unwrap_or_else(|e| panic!("{}", e.render()));
    build(&loaded).unwrap_or_else(|e| panic!("{e}"))
}

/// A free or pinned sheet; the texts are put in where they belong.
fn sheet(head: &str, points: [u32; 2], size: [f64; 2], material: &str, body: &str) -> String {
    format!(
        "format: 1\n{head}\nmaterials:\n  m: {{ {material} }}\nbodies:\n  - name: s\n    kind: cloth\n    \
         shape: {{ kind: grid, points: [{}, {}], size_m: [{}, {}], plane: xy }}\n    material: m\n    {body}\n",
        points[0], points[1], size[0], size[1]
    )
}

const PLAIN: &str = "mass: { per_point_kg: 0.01 }, springs: { stencil: neighbours-20, stiffness: 5, damping: 0.01 }";

#[test]
fn a_punch_on_a_half_step_acted_twice_or_never() {
    for (rate, substeps, at) in
        [(30, 1, 0.25), (30, 2, 0.125), (25, 2, 0.05), (60, 5, 0.625), (60, 5, 0.6), (60, 1, 0.0)]
    {
        let head = format!(
            "gravity_m_s2: [0, 0, 0]\ntime: {{ frame_rate_hz: {rate}, substeps: {substeps}, duration_s: 1 }}\n\
             forces: [ {{ kind: punch, body: s, all: true, impulse_N_s: [0, 0, 1], at_s: {at} }} ]"
        );
        let soft =
            "mass: { per_point_kg: 0.01 }, springs: { stencil: neighbours-20, stiffness: 0.5 }";
        let mut run = simulation(&sheet(&head, [6, 6], [0.5, 0.5], soft, ""));
        for _ in 0..run.schedule.frames {
            run.advance().unwrap();
        }
        let momentum = measure::momentum(run.world.model(), run.world.state()).z;
        assert!((momentum - 1.0).abs() < 1e-3, "{rate} Hz / {substeps} at {at} s: {momentum} N·s");
    }
}

#[test]
fn auto_substeps_forgot_points_that_are_released_later() {
    let stiff =
        "mass: { area_density_kg_m2: 0.2 }, springs: { stencil: neighbours-20, stiffness: 200 }";
    let held = sheet("", [11, 11], [1.0, 1.0], stiff, "pins: [ { all: true, release_at_s: 0.3 } ]");
    let free = sheet("", [11, 11], [1.0, 1.0], stiff, "");
    let substeps = |text: &str| simulation(text).schedule.substeps;
    assert_eq!(substeps(&held), substeps(&free));
    let mut run = simulation(&held);
    for _ in 0..40 {
        run.advance().unwrap();
    }
    let fallen = run.world.state().x.get(60).y;
    assert!(fallen < -0.5, "released points fall: {fallen}");
}

#[test]
fn auto_substeps_forgot_stiff_pins_inside_large_grids() {
    let pin = |i: u32| format!("pins: [ {{ points: [[{i}, {i}]], stiffness_N_m: 1e5 }} ]");
    let substeps =
        |i| simulation(&sheet("", [60, 60], [1.0, 1.0], PLAIN, &pin(i))).schedule.substeps;
    let (inside, outside) = (f64::from(substeps(30)), f64::from(substeps(5)));
    assert!((inside / outside - 1.0).abs() < 0.1, "{inside} {outside}");
}

#[test]
fn overdamped_springs_were_taken_for_hopeless() {
    for damping in [50, 100, 200, 1000] {
        let material = format!(
            "mass: {{ per_point_kg: 0.01 }}, springs: {{ stencil: neighbours-20, stiffness: 0.5, damping: {damping} }}"
        );
        let body = "pins: [ { edge: left } ]";
        let mut run = simulation(&sheet("", [6, 6], [0.5, 0.5], &material, body));
        for _ in 0..3 {
            run.advance().unwrap_or_else(|e| panic!("damping {damping}: {e}"));
        }
    }
}

#[test]
fn releasing_one_of_two_pins_half_freed_the_point() {
    let head =
        "colliders: [ { name: ball, kind: sphere, center_m: [-0.2, -0.25, 0], radius_m: 0.1 } ]";
    let body = "pins: [ { all: true }, { points: [[0, 0]], release_at_s: 0 } ]";
    let mut run = simulation(&sheet(head, [6, 6], [0.5, 0.5], PLAIN, body));
    let start = run.world.state().x.get(0);
    for _ in 0..10 {
        run.advance().unwrap();
    }
    assert_eq!(run.world.state().x.get(0), start);
}

#[test]
fn a_membrane_stretched_less_on_coarse_grids() {
    // 5 N on the free edge of 0.5 m × 0.5 m with 500 N/m: strain 0.02 at any resolution.
    for n in [2, 3, 11, 21] {
        let head = "gravity_m_s2: [0, 0, 0]\ntime: { duration_s: 3 }\n\
                    forces: [ { kind: hold, body: s, edge: top, force_N: [0, 5, 0] } ]";
        let material = "mass: { area_density_kg_m2: 5 }, damping_kg_s: 0.2, \
                        membrane: { warp_N_m: 500, weft_N_m: 500, shear_N_m: 0 }";
        let text = sheet(head, [n, 11], [0.5, 0.5], material, "pins: [ { edge: bottom } ]");
        let mut run = simulation(&text);
        for _ in 0..run.schedule.frames {
            run.advance().unwrap();
        }
        // The middle of the top row; the shares of a held force are equal, so the edge bows a little.
        let x = &run.world.state().x;
        let row = 10 * n as usize..11 * n as usize;
        let top: f32 = row.clone().map(|i| x.get(i).y).sum::<f32>() / row.len() as f32;
        let strain = (top - 0.25) / 0.5;
        assert!((strain / 0.02 - 1.0).abs() < 0.03, "{n} points across: {strain}");
    }
}

#[test]
fn shear_of_oblong_cells_was_too_soft() {
    // W = ½Gγ²·area for simple shear.
    for size in [[0.5, 0.5], [2.0, 0.5], [0.3, 1.5]] {
        let material = "mass: { per_point_kg: 0.01 }, \
                        membrane: { warp_N_m: 0, weft_N_m: 0, shear_N_m: 500 }, bending_N_m: 0";
        let run = simulation(&sheet("", [11, 11], size, material, ""));
        let mut state = run.world.state().clone();
        let gamma = 0.002;
        for i in 0..state.x.len() {
            let p = state.x.get(i);
            state.x.set(i, p + glam::Vec3::X * (gamma * p.y));
        }
        let energy = measure::energy(run.world.model(), &state).elastic;
        let expected = 0.5 * 500.0 * f64::from(gamma * gamma) * size[0] * size[1];
        assert!((energy / expected - 1.0).abs() < 0.03, "{size:?}: {energy} J not {expected} J");
    }
}

#[test]
fn counting_crossings_of_an_upright_sheet_took_minutes() {
    let mut run = simulation(&sheet("", [200, 200], [1.0, 1.0], PLAIN, ""));
    let before = std::time::Instant::now();
    assert_eq!(measure::crossings(run.world.model(), run.world.state()), []);
    let mut turned = run.world.state().clone();
    turned.x.x.fill(0.0);
    measure::crossings(run.world.model(), &turned);
    assert!(before.elapsed().as_secs() < 20, "{:?}", before.elapsed());
    run.advance().unwrap();
}

#[test]
fn a_whole_turn_between_two_keys_did_nothing() {
    let body = "pins: [ { edge: left, follow: { keyframes: [ { t_s: 0 }, { t_s: 2, rotation_deg: [0, 360, 0] } ] } } ]";
    let text = sheet("", [6, 6], [0.5, 0.5], PLAIN, body);
    let loaded = Scene::load_text("test", &text, None, &[]).unwrap();
    let message = format!("{:?}", miette::Report::new(build(&loaded).err().unwrap()));
    assert!(message.contains("180°") && message.contains("follow"), "{message}");
}

#[test]
fn a_timed_release_counted_as_broken() {
    let body = "pins: [ { points: [[0, 0]], stiffness_N_m: 50, release_at_s: 0.2 } ]";
    let mut run = simulation(&sheet("", [6, 6], [0.5, 0.5], PLAIN, body));
    for _ in 0..60 {
        run.advance().unwrap();
    }
    assert_eq!(run.world.state().broken, [false]);
    assert!(run.world.state().x.get(0).y < -1.0, "it falls once it is let go");
}

#[test]
fn masses_that_single_precision_cannot_hold_were_accepted() {
    for mass in ["per_point_kg: 1e-40", "per_point_kg: 1e-50", "area_density_kg_m2: 1e-30"] {
        let material =
            format!("mass: {{ {mass} }}, springs: {{ stencil: neighbours-20, stiffness: 5 }}");
        let text = sheet("", [6, 6], [0.5, 0.5], &material, "");
        let error = Scene::load_text("test", &text, None, &[]).expect_err(mass);
        assert!(error.render().contains("materials.m.mass"), "{}", error.render());
    }
}

#[test]
fn a_pin_whose_first_key_came_late_jumped_there_at_once() {
    let body =
        "pins: [ { edge: left, follow: { keyframes: [ { t_s: 1, offset_m: [1, 0, 0] } ] } } ]";
    let mut run = simulation(&sheet("gravity_m_s2: [0, 0, 0]", [6, 6], [0.5, 0.5], PLAIN, body));
    let start = run.world.state().x.get(0).x;
    for _ in 0..30 {
        run.advance().unwrap();
    }
    let moved = run.world.state().x.get(0).x - start;
    assert!((moved - 0.5).abs() < 1e-3, "half way after half the time: {moved}");
}

#[test]
fn a_collider_whose_first_key_came_late_started_there() {
    let head = "colliders: [ { name: ball, kind: sphere, center_m: [0, 0, 0], radius_m: 0.1, \
                motion: { kind: keyframes, keys: [ { t_s: 1, position_m: [2, 0, 0] } ] } } ]";
    let run = simulation(&sheet(head, [6, 6], [0.5, 0.5], PLAIN, ""));
    let ball = &run.world.model().colliders[0];
    assert!((ball.pose_at(0.5).position.x - 1.0).abs() < 1e-6);
    assert_eq!(ball.pose_at(0.0).position.x, 0.0);
}

#[test]
fn a_mesh_scaled_out_of_range_was_called_an_explosion() {
    let dir = tempfile::tempdir().unwrap();
    let text = "v 0 0 0\nv 1e30 0 0\nv 0 1e30 0\nf 1 2 3\n";
    std::fs::write(dir.path().join("far.obj"), text).unwrap();
    let scene = "format: 1\nmaterials: { m: { preset: cotton } }\nbodies:\n  - { name: s, kind: cloth, \
                 material: m, shape: { kind: mesh, file: far.obj, scale: 1e6 } }\n";
    let loaded = Scene::load_text("test", scene, Some(dir.path()), &[]).unwrap();
    let message = format!("{:?}", miette::Report::new(build(&loaded).err().unwrap()));
    assert!(message.contains("smaller `scale`"), "{message}");
}

#[test]
fn faults_of_a_cloths_mesh_were_counted_from_0() {
    let dir = tempfile::tempdir().unwrap();
    // Two faces run along 2–3 the same way, the third is the first again, and vertex 5 has none.
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 2 0\nf 1 2 3\nf 4 2 3\nf 3 1 2\n";
    std::fs::write(dir.path().join("m.obj"), text).unwrap();
    let scene = "format: 1\nmaterials: { m: { preset: cotton } }\nbodies:\n  - { name: s, kind: cloth, \
                 material: m, shape: { kind: mesh, file: m.obj } }\n";
    let loaded = Scene::load_text("test", scene, Some(dir.path()), &[]).unwrap();
    let notes = build(&loaded).unwrap().notes;
    let said: Vec<&str> = notes.iter().map(|note| note.text.as_str()).collect();
    for wanted in ["duplicate faces (3)", "isolated vertices (5)", "orientation ([2, 3])"] {
        let found = said.iter().find(|text| text.contains(wanted));
        assert!(
            found.is_some_and(|text| text.ends_with("(counted from 1, as in the file)")),
            "{said:?}"
        );
    }
}
