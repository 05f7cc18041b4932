//! Scenes of cloth that tears: what is refused, and runs that go on from a checkpoint across a tear.

use glam::Vec3;
use tkanina_scene::build::{NoteLevel, Simulation, build};
use tkanina_scene::checkpoint::{Checkpoint, Section, read, write};
use tkanina_scene::load::LoadedScene;
use tkanina_scene::run::{Record, checkpoint, restore};
use tkanina_scene::schema::Scene;
use tkanina_sim::commands::Command;
use tkanina_sim::measure;
use tkanina_sim::tearing::Cut;

const SCENE: &str = "
format: 1
time: { frame_rate_hz: 60, substeps: 8, duration_s: 1 }
gravity_m_s2: [0, 0, 0]
materials:
  m:
    mass: { per_point_kg: 0.01 }
    springs: { stencil: neighbours-12, structural: { stiffness: 300, damping: 0.05 }, shear: { stiffness: 60 } }
    tear: { at_stretch: 0.15 }
bodies:
  - name: s
    kind: cloth
    shape: { kind: grid, points: [13, 12], size_m: [1, 1], plane: xy }
    material: m
    slits: [ { points: [[0, 6], [3, 6]] } ]
    pins:
      - { edge: bottom }
      - { edge: top, follow: { keyframes: [ { t_s: 0 }, { t_s: 1, offset_m: [0, 0.6, 0] } ] } }
  - name: other
    kind: cloth
    shape: { kind: grid, points: [5, 5], size_m: [1, 1], plane: xy }
    place: { position_m: [0, 0, 3] }
    material: m
    pins: [ { points: [[0, 4]] } ]
";

fn load(text: &str, sets: &[&str]) -> Result<(LoadedScene, Simulation), String> {
    let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
    let loaded = Scene::load_text("test", text, None, &sets).map_err(|e| e.render())?;
    let simulation = build(&loaded).map_err(|e| match e {
        tkanina_scene::build::BuildError::Scene(error) => error.render(),
        other => other.to_string(),
    })?;
    Ok((loaded, simulation))
}

fn sound(sets: &[&str]) -> (LoadedScene, Simulation) {
    load(SCENE, sets).unwrap_or_else(|e| panic!("{e}"))
}

fn advance(simulation: &mut Simulation, frames: usize) {
    (0..frames).for_each(|_| simulation.advance().unwrap());
}

#[test]
fn a_run_goes_on_from_a_checkpoint_across_a_tear_with_the_same_bits() {
    for solver in ["vertex-descent", "implicit-euler", "bdf2", "xpbd", "velocity-verlet"] {
        let kind = format!("solver.kind={solver}");
        let (loaded, mut first) = sound(&[&kind]);
        let slit = first.world.model().particle_count();
        assert_eq!(slit, 13 * 12 + 25 + 3, "points 0, 1 and 2 of the slit have copies");
        let dir = tempfile::tempdir().unwrap();
        let mut saved = Vec::new();
        for (at, frames) in [("before", 5), ("torn", 35)] {
            advance(&mut first, frames);
            let path = dir.path().join(at);
            write(&path, &checkpoint(&loaded, &first, &Record::default())).unwrap();
            saved.push((path, first.frame()));
        }
        assert!(first.world.model().particle_count() > slit, "{solver}: nothing tore");
        advance(&mut first, 10);
        for (path, frame) in saved {
            let (_, mut resumed) = sound(&[&kind]);
            restore(&mut resumed, &read(&path).unwrap()).unwrap();
            assert_eq!(resumed.frame(), frame);
            advance(&mut resumed, (first.frame() - frame) as usize);
            assert_eq!(resumed.world.state(), first.world.state(), "{solver} from {frame}");
        }
    }
}

#[test]
fn a_checkpoint_whose_tears_do_not_fit_is_refused() {
    let (loaded, mut run) = sound(&[]);
    advance(&mut run, 40);
    let good = checkpoint(&loaded, &run, &Record::default());
    let refused = |change: &dyn Fn(&mut Checkpoint)| {
        let mut bad = good.clone();
        change(&mut bad);
        let (_, mut fresh) = sound(&[]);
        restore(&mut fresh, &bad).expect_err("it was restored").to_string()
    };
    let section = |name: &str, values: Vec<u32>| {
        let name = name.to_owned();
        move |bad: &mut Checkpoint| {
            bad.sections.insert(name.clone(), Section::U32(values.clone()));
        }
    };
    assert!(refused(&section("torn.origins", vec![9; 3])).contains("torn cloth"));
    assert!(refused(&section("torn.triangles", vec![0; 7])).contains("triangles"));
    assert!(refused(&section("torn.origins", vec![u32::MAX])).contains("torn cloth"));
    let gone = |bad: &mut Checkpoint| bad.sections.retain(|name, _| !name.starts_with("torn"));
    assert!(refused(&gone).contains("slits"));
    let half = |bad: &mut Checkpoint| drop(bad.sections.remove("torn.origins"));
    assert!(refused(&half).contains("cannot be read"));
}

#[test]
fn an_edit_goes_on_with_what_is_torn() {
    let (_, mut before) = sound(&[]);
    advance(&mut before, 40);
    let torn = before.world.state().torn.clone();
    let (_, mut after) = sound(&["gravity_m_s2=[0,-1,0]"]);
    assert!(after.adopt(&before));
    assert_eq!(after.world.state().torn, torn);
    assert_eq!(after.world.model().particle_count(), before.world.model().particle_count());
    assert_eq!(after.world.state().x, before.world.state().x);
    advance(&mut after, 3);
    let (_, unlike) = sound(&["bodies[0].slits=[]"]);
    assert_eq!(unlike.world.model().particle_count(), 13 * 12 + 25);
}

#[test]
fn a_cut_of_a_grid_under_line_projection_leaves_the_other_alone() {
    let sets = ["solver.kind=line-projection", "materials.m.tear=null", "bodies[0].slits=[]"];
    let (_, mut run) = sound(&sets);
    let eye = Vec3::Z * 2.0;
    let towards = [Vec3::new(-1.0, 0.02, 0.0), Vec3::new(1.0, 0.02, 0.0)].map(|to| to - eye);
    run.world.send(Command::Cut(Cut { eye, towards }));
    advance(&mut run, 20);
    assert_eq!(run.world.pieces(), 3);
    let [first, other] = &run.world.model().bodies[..] else { panic!() };
    assert_eq!((first.grid, other.grid), (None, Some([5, 5])));
    // The pulled row takes its half along; the other stays.
    let x = &run.world.state().x;
    let heights = |range: std::ops::Range<usize>| range.map(|p| x.get(p).y).collect::<Vec<f32>>();
    let all = heights(first.particles.clone());
    let gap = {
        let mut sorted = all.clone();
        sorted.sort_by(f32::total_cmp);
        sorted.windows(2).map(|w| w[1] - w[0]).fold(0.0, f32::max)
    };
    assert!(gap > 0.1, "the halves are still together: {gap}");
}

#[test]
fn slits_and_limits_that_cannot_be_are_refused_with_place_and_remedy() {
    for (set, wanted) in [
        ("materials.m.tear={at_stretch: 0}", "at_stretch"),
        ("materials.m.tear={at_stretch: -1}", "at_stretch"),
        ("materials.m.tear={at_stretch: .nan}", "at_stretch"),
        ("materials.m.tear={at_stretch: .inf}", "at_stretch"),
        ("materials.m.tear={}", "tear"),
        ("materials.m.tear={at_stretch: 0.1, at_N_m: 3}", "tear"),
        ("materials.m.tear={at: 0.1}", "tear"),
        ("materials.m.tear={at_N_m: 30}", "a surface's stiffness"),
        ("materials.m.max_stretch=0.1", "never reached"),
        ("solver.kind=line-projection", "say nothing of the load"),
        ("bodies[0].slits=[{points: [[0, 6]]}]", "slits"),
        ("bodies[0].slits=[{points: [[0, 6], [13, 6]]}]", "outside the grid"),
        ("bodies[0].slits=[{points: [[0, 6], [3, 7]]}]", "no line of edges"),
        ("bodies[0].slits=[{points: [[0, 6], [3, 9]]}]", "no line of edges"),
        ("bodies[0].slits=[{points: [[2, 6], [2, 6]]}]", "no line of edges"),
        ("bodies[0].slits=[{vertices: [0, 2]}]", "no edge joins vertex 0 to vertex 2"),
        ("bodies[0].slits=[{vertices: [0, 4000]}]", "no vertex 4000"),
    ] {
        let text = load(SCENE, &[set]).err().unwrap_or_else(|| panic!("{set} was taken"));
        let flat = text.replace("\n  │ ", " ").replace("\n        ", " ");
        assert!(flat.contains(wanted), "{set}: no {wanted:?} in\n{text}");
    }
    // Sound, if of no use.
    let (_, run) = sound(&["bodies[0].slits=[{vertices: [80, 81]}]"]);
    let warned = |text: &str| {
        run.notes.iter().any(|n| n.level == NoteLevel::Warning && n.text.contains(text))
    };
    assert!(warned("open nothing"));
    for set in ["[{points: [[2, 6], [5, 3], [5, 1]]}]", "[{vertices: [13, 14, 15]}]"] {
        let (_, run) = sound(&[&format!("bodies[0].slits={set}")]);
        assert!(run.world.model().particle_count() > 13 * 12 + 25, "{set}");
    }
}

#[test]
fn a_tension_to_tear_at_is_a_stretch_along_warp_and_weft() {
    let membrane = "materials.m={mass: {area_density_kg_m2: 0.1}, membrane: {warp_N_m: 400, \
                    weft_N_m: 200, shear_N_m: 50}, tear: {at_N_m: 20}}";
    let (_, run) = sound(&[membrane]);
    let edges = run.world.whole_model().edges.edges();
    let limits: Vec<f32> = edges.iter().take(13 * 12 * 2 - 25).map(|e| e.tears_at).collect();
    assert!(limits[0] == 0.05 && *limits.last().unwrap() == 0.1, "{limits:?}");
}

/// Copies of a torn point may be apart from every corner and side, and yet an edge of one may stick through a
/// triangle of the other: at ten steps a frame it did, at the burst.
#[test]
fn a_balloon_that_bursts_does_not_stick_through_itself() {
    let sets = ["time.substeps=10".to_owned()];
    let mut balloon = build(&Scene::open("balloon-bursts", &sets).unwrap()).unwrap();
    let whole = balloon.world.model().particle_count();
    for frame in 1..=126 {
        balloon.advance().unwrap();
        let found = measure::crossings(balloon.world.model(), balloon.world.state());
        assert!(found.is_empty(), "frame {frame}: {found:?}");
    }
    assert!(balloon.world.model().particle_count() > whole, "it has to burst");
}
