use super::*;
use crate::build::build;
use crate::load::LoadedScene;
use tkanina_sim::measure;
use tkanina_sim::state::State;

const SCENE: &str = "format: 1
time: { frame_rate_hz: 60, substeps: 8, duration_s: 5 }
solver: { kind: verlet }
air: { wind: [{ kind: uniform, velocity_m_s: [2, 0, 1] }] }
materials:
  cotton: { preset: cotton }
  plain: { mass: { per_point_kg: 0.01 }, springs: { stencil: neighbours-20, stiffness: 60, damping: 0.02 }, drag: 0.001 }
bodies:
  - name: sheet
    kind: cloth
    shape: { kind: grid, points: [8, 8], size_m: [0.7, 0.7], plane: xy }
    place: { position_m: [0, 1, 0] }
    material: plain
    pins: [{ points: [[0, 7], [7, 7]] }, { points: [[3, 7], [4, 7]], stiffness_N_m: 40, breaks_at_N: 0.2 }]
colliders:
  - { name: ball, kind: sphere, center_m: [0, 0.6, 0], radius_m: 0.2 }
";

fn scene(sets: &[&str]) -> LoadedScene {
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    let loaded = Scene::load_text("test", SCENE, None, &sets);
    loaded.unwrap_or_else(|error| panic!("{}", error.render()))
}

fn advanced(sets: &[&str], frames: u32) -> Simulation {
    let mut simulation = build(&scene(sets)).unwrap_or_else(|error| panic!("{error}"));
    for _ in 0..frames {
        simulation.advance().unwrap();
    }
    simulation
}

/// What must not change, to the bit.
fn kept(state: &State) -> (u64, Vec<u32>) {
    let Soa { x, v } = Soa { x: &state.x, v: &state.v };
    let axes = [&x.x, &x.y, &x.z, &v.x, &v.y, &v.z];
    let bits = axes.into_iter().flatten().map(|f| f.to_bits()).collect();
    (state.time.to_bits(), bits)
}

struct Soa<'a> {
    x: &'a tkanina_sim::soa::Soa3,
    v: &'a tkanina_sim::soa::Soa3,
}

#[test]
fn edits_of_numbers_keep_the_state_bit_for_bit() {
    let old = advanced(&[], 30);
    assert!(old.world.state().broken.iter().any(|&b| b), "the middle pins break");
    for edit in [
        "materials.plain.springs.stiffness=40",
        "materials.plain.springs.damping=0.04",
        "materials.plain.mass.per_point_kg=0.02",
        "materials.plain.max_stretch=0.1",
        "gravity_m_s2=[0, -3, 0]",
        "air.wind[0].velocity_m_s=[0, 0, -4]",
        "air.wind=[]",
        "solver.kind=rk4",
        "solver.kind=velocity-verlet",
        "time.substeps=12",
        "time.substeps=auto",
        "time.frame_rate_hz=30",
        "colliders[0].friction=0.9",
        "colliders=[]",
        "colliders[0].radius_m=0.1",
        "bodies[0].pins[1].breaks_at_N=9",
        "bodies[0].pins[1].stiffness_N_m=20",
        "contact.thickness_m=0.004",
        "look.background=[0, 0, 0]",
        "bodies[0].material=cotton",
    ] {
        // Cotton is stiffer than 8 steps a frame can follow.
        let cotton = edit.ends_with("cotton");
        let sets = if cotton { vec![edit, "time.substeps=auto"] } else { vec![edit] };
        let edited = scene(&sets);
        assert!(keeps_state(&scene(&[]).scene, &edited.scene), "{edit}");
        let mut new = build(&edited).unwrap();
        assert!(new.adopt(&old), "{edit}");
        assert_eq!(kept(new.world.state()), kept(old.world.state()), "{edit}");
        assert_eq!(new.world.state().broken, old.world.state().broken, "{edit}");
        new.advance().unwrap_or_else(|error| panic!("{edit}: {error}"));
        let moved =
            (0..64).map(|i| (new.world.state().x.get(i) - old.world.state().x.get(i)).length());
        assert!(moved.fold(0.0, f32::max) < 0.2, "{edit}: no jump");
    }
}

#[test]
fn edits_of_what_starts_where_rebuild() {
    let old = advanced(&[], 10);
    for (edit, seen_in_scene) in [
        ("bodies[0].shape.points=[9, 8]", true),
        ("bodies[0].shape.size_m=[0.7, 0.8]", true),
        ("bodies[0].shape.plane=xz", true),
        ("bodies[0].place.position_m=[0, 2, 0]", true),
        ("bodies[0].velocity_m_s=[0, 0, 1]", true),
        ("bodies[0].name=other", true),
        ("bodies[0].pins[0].points=[[0, 7], [7, 7], [5, 7]]", true),
        ("bodies[0].pins[0].stiffness_N_m=50", true),
        ("bodies[0].pins[0].follow={ keyframes: [{ t_s: 0.1, offset_m: [1, 0, 0] }] }", true),
    ] {
        let edited = scene(&[edit]);
        assert_eq!(!keeps_state(&scene(&[]).scene, &edited.scene), seen_in_scene, "{edit}");
    }
    // Of these the worlds alone can tell.
    for edit in [
        "bodies[0].shape.points=[9, 8]",
        "bodies[0].name=other",
        "bodies[0].pins[0].points=[[0, 7], [7, 7], [5, 7]]",
        "bodies[0].pins[0].follow={ keyframes: [{ t_s: 0.1, offset_m: [1, 0, 0] }] }",
    ] {
        let mut new = build(&scene(&[edit])).unwrap();
        let before = kept(new.world.state());
        assert!(!new.adopt(&old), "{edit}");
        assert_eq!(kept(new.world.state()), before, "{edit}: nothing changed");
    }
}

#[test]
fn pins_may_be_taken_away_while_it_runs() {
    let old = advanced(&[], 30);
    for (edit, broken) in [
        ("bodies[0].pins[0].points=[[7, 7]]", old.world.state().broken.clone()),
        ("bodies[0].pins[1].points=[[4, 7]]", vec![old.world.state().broken[1]]),
        ("bodies[0].pins=[]", vec![]),
    ] {
        let edited = scene(&[edit]);
        assert!(keeps_state(&scene(&[]).scene, &edited.scene), "{edit}");
        let mut new = build(&edited).unwrap();
        assert!(new.adopt(&old), "{edit}");
        assert_eq!(kept(new.world.state()), kept(old.world.state()), "{edit}");
        assert_eq!(new.world.state().broken, broken, "{edit}");
    }
    let mut free = build(&scene(&["bodies[0].pins=[]"])).unwrap();
    assert!(free.adopt(&old));
    let before = free.world.state().x.get(56).y;
    for _ in 0..20 {
        free.advance().unwrap();
    }
    assert!(free.world.state().x.get(56).y < before - 0.1, "the corner falls");
}

#[test]
fn an_unchanged_scene_goes_on_with_the_same_bits() {
    let mut old = advanced(&[], 20);
    let mut new = build(&scene(&[])).unwrap();
    assert!(new.adopt(&old));
    for _ in 0..20 {
        old.advance().unwrap();
        new.advance().unwrap();
    }
    assert_eq!(new.world.state(), old.world.state());
    assert_eq!(new.frame(), 40);
}

#[test]
fn frames_stay_right_when_steps_and_frames_change() {
    let old = advanced(&[], 30);
    for (edit, frame) in
        [("time.substeps=3", 30), ("time.substeps=100", 30), ("time.frame_rate_hz=120", 60)]
    {
        let mut new = build(&scene(&[edit])).unwrap();
        assert!(new.adopt(&old));
        assert_eq!(new.frame(), frame, "{edit}");
        new.advance().unwrap();
        assert_eq!(new.frame(), frame + 1, "{edit}");
    }
}

#[test]
fn hands_go_on_and_find_their_collider_under_its_new_number() {
    use tkanina_sim::commands::Command;
    use tkanina_sim::motion::Pose;
    let mut old = advanced(&[], 1);
    let shift = Pose::at(Vec3::new(0.0, 0.0, 1.0));
    old.world.send(Command::MoveCollider { collider: 0, shift });
    old.world.send(Command::Gravity { gravity: Vec3::Y });
    old.world.send(Command::Pin { particles: vec![20] });
    old.advance().unwrap();
    let ball = "{ name: ball, kind: sphere, center_m: [0, 0.6, 0], radius_m: 0.2 }";
    let wall = "{ name: wall, kind: plane, point_m: [0, 0, -9], normal: [0, 0, 1] }";
    for (edit, number) in [
        (format!("colliders=[{wall}, {ball}]"), Some(1)),
        (format!("colliders=[{ball}]"), Some(0)),
        (format!("colliders=[{wall}]"), None),
    ] {
        let mut new = build(&scene(&[&edit])).unwrap();
        assert!(new.adopt(&old), "{edit}");
        let hands = &new.world.state().hands;
        assert_eq!(hands.colliders.first().map(|shift| shift.collider), number, "{edit}");
        assert_eq!(hands.pins, old.world.state().hands.pins);
        assert_eq!(hands.gravity, Some(Vec3::Y));
    }
    let mut new = build(&scene(&["gravity_m_s2=[0, -1, 0]"])).unwrap();
    assert!(new.adopt(&old));
    assert_eq!(new.world.state().hands.gravity, None, "the edit counts");
}

/// A free sheet in a vacuum, hit once.
fn hit(at: f64, substeps: u32) -> Simulation {
    let text = format!(
        "format: 1\ngravity_m_s2: [0, 0, 0]\nair: {{ density_kg_m3: 0 }}\n\
         time: {{ frame_rate_hz: 50, substeps: {substeps} }}\n\
         materials: {{ m: {{ mass: {{ per_point_kg: 0.01 }}, springs: {{ stencil: neighbours-20, stiffness: 0.1 }} }} }}\n\
         bodies: [{{ name: s, kind: cloth, material: m, shape: {{ kind: grid, points: [4, 4], size_m: [1, 1] }} }}]\n\
         forces: [{{ kind: punch, body: s, all: true, impulse_N_s: [0, 0, 1], at_s: {at} }}]\n"
    );
    build(&Scene::load_text("hit", &text, None, &[]).unwrap()).unwrap()
}

#[test]
fn a_punch_comes_once_whatever_the_steps_become() {
    // The edit comes after frame 5, at 0.1 s; rounding to steps is what could go wrong.
    for at in [0.0, 0.05, 0.0955, 0.098, 0.0989, 0.0994, 0.0999, 0.1, 0.1004, 0.1011, 0.108, 0.15] {
        for (before, after) in [(10, 1), (1, 10), (4, 4), (2, 3), (7, 5)] {
            let mut old = hit(at, before);
            for _ in 0..5 {
                old.advance().unwrap();
            }
            let mut new = hit(at, after);
            assert!(new.adopt(&old));
            for _ in 0..5 {
                new.advance().unwrap();
            }
            let momentum = measure::momentum(new.world.model(), new.world.state()).z;
            assert!((momentum - 1.0).abs() < 1e-3, "{at} s, {before} → {after}: {momentum} N·s");
        }
    }
}

#[test]
fn an_obstacle_put_elsewhere_glides_there_from_where_it_is() {
    let old = advanced(&[], 5);
    let edit = ["colliders[0].center_m=[0.5, 0.6, 0]"];
    let mut new = advanced(&edit, 0);
    assert!(new.adopt(&old));
    let ball = |simulation: &Simulation| simulation.world.collider_pose(0).position;
    assert!((ball(&new) - Vec3::new(0.0, 0.6, 0.0)).length() < 1e-6, "it does not leap");
    let mut last = ball(&new);
    for _ in 0..30 {
        new.advance().unwrap();
        assert!((ball(&new) - last).length() < 0.1, "nor does it fly");
        last = ball(&new);
    }
    assert!((last - Vec3::new(0.5, 0.6, 0.0)).length() < 1e-3, "it arrives: {last}");
}
