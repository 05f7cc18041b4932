//! Expectations have teeth: scenes that are broken on purpose do not meet them.

use tkanina_scene::build::build;
use tkanina_scene::builtin::find;
use tkanina_scene::run::{Record, Stats, unmet};
use tkanina_scene::schema::Scene;

/// A scene, what is done to it (`--set` arguments between semicolons), and words of
/// an expectation that must then fail.
struct Broken {
    scene: &'static str,
    set: &'static str,
    fails: &'static str,
}

const fn broken(scene: &'static str, set: &'static str, fails: &'static str) -> Broken {
    Broken { scene, set, fails }
}

const BROKEN: &[Broken] = &[
    // Colliders that are gone, too slippery or in another place.
    broken("cloth-on-cube", "colliders=[]", "min_contacts"),
    broken("cloth-on-sphere", "colliders[0].radius_m=0.25", "centre of `sheet`"),
    broken("cloth-on-sphere-on-floor", "colliders[1].center_m=[0,-1.1,0]", "above_m"),
    broken("cloth-on-floor", "colliders[0].normal=[0.1,1,0]", "centre of `sheet`"),
    broken("cloth-on-turntable", "colliders[0].motion={kind: static}", "moved"),
    broken("ball-into-cloth", "colliders[0].motion={kind: static}", "min_contacts"),
    // Pins and seams that are gone, or hold where they should break.
    broken("flag-windy", "bodies[0].pins=[]", "moved"),
    broken("flag-two-pins", "bodies[0].pins=[{edge: left}]", "moved"),
    broken("hanging-default", "bodies[0].pins=[{points: [[0, 0]]}]", "moved"),
    broken("pin-that-breaks", "bodies[0].pins[1].breaks_at_N=5", "pins_broken"),
    // Cloth that holds where it should tear.
    broken("paper-torn-in-two", "materials.paper.tear=null", "pieces"),
    broken("ball-through-cloth", "materials.gauze.tear=null", "max_stretch"),
    broken("glued-cloth", "glue=[]", "moved"),
    broken("sewn-panels", "sew=[]", "centre of `lower`"),
    broken("carried-cloth", "bodies[0].pins[0].attach_to=column", "moved"),
    // Wind that does not blow, or not where it should.
    broken("cloth-on-sphere-windy", "air.wind=[]", "max_contacts"),
    broken("cloth-on-sphere-windy", "colliders[0].friction=0", "centre of `sheet`"),
    broken("flag-windy", "air.wind=[]", "centre of `flag`"),
    broken("hung-by-two-corners-windy", "air.wind=[]", "centre of `flag`"),
    broken("hung-by-two-corners-windy", "materials.unit-masses.drag=0", "centre of `flag`"),
    broken("two-winds", "air.wind[1].force_N=[0,0,0]", "centre of `cloth`"),
    // Springs too soft or too stiff, damping that is missing or where none should be.
    broken("stiffness-2", "materials.unit-masses.springs.stiffness=4", "centre of `sheet`"),
    broken("stiffness-10", "materials.unit-masses.springs.stiffness=20", "centre of `sheet`"),
    broken("stiffness-40", "materials.unit-masses.springs.stiffness=20", "max_stretch"),
    broken("stiffness-1000", "materials.unit-masses.springs.stiffness=500", "centre of `sheet`"),
    broken("strain-limit", "materials.limited.max_stretch=0.2", "max_stretch"),
    broken("bending-by-angle", "materials.stiff.bending.stiffness=0.1", "moved"),
    broken("hung-by-two-corners", "materials.unit-masses.springs.damping=4", "at_rest_by_s"),
    broken("hanging-default", "solver.loss=0", "at_rest_by_s"),
    broken("ladder-3-undamped", "materials.springs.damping_kg_s=1e-6", "energy_drift"),
    broken("ladder-3-undamped", "solver.kind=semi-implicit-euler", "energy_drift"),
    broken("ladder-4-damped", "materials.springs.damping_kg_s=0.0001", "at_rest_by_s"),
    // Forces where there should be none, or none where there should be one.
    broken("ladder-1-springs-only", "gravity_m_s2=[0,-1e-4,0]", "centre of `sheet`"),
    broken("ladder-2-gravity-only", "gravity_m_s2=[0,-9.8,0]", "centre of `sheet`"),
    broken("punch-wave", "forces=[]", "pins_broken"),
    // Contact that is off, or nothing that is in the way.
    broken("tangled-start", "bodies[1].place.position_m=[0.02,0.8,0.01]", "min_tangled_start"),
    broken("impossible-squeeze", "colliders[1].motion={kind: static}", "min_lag_m"),
    broken("explosion", "time={substeps: 20}; solver={kind: verlet}", "explode"),
];

/// What the broken scene does not meet.
fn unmet_after(case: &Broken) -> Vec<String> {
    let text = find(case.scene).unwrap_or_else(|| panic!("no scene {}", case.scene));
    let sets: Vec<String> = case.set.split("; ").map(str::to_owned).collect();
    let loaded = Scene::load_text(case.scene, text, None, &sets);
    let loaded = loaded.unwrap_or_else(|error| panic!("{}", error.render()));
    let mut simulation = build(&loaded).unwrap_or_else(|error| panic!("{error}"));
    let expect = &loaded.scene.expect;
    let start = simulation.world.state().x.clone();
    let mut record = Record::default();
    let mut exploded = None;
    record.see(&simulation.world, expect.rest_speed(), true);
    for _ in 0..simulation.schedule.frames {
        if let Err(explosion) = simulation.advance() {
            exploded = Some(explosion.to_string());
            break;
        }
        record.see(&simulation.world, expect.rest_speed(), true);
    }
    let mut stats = Stats::of(&simulation.world, &record, false);
    stats.exploded = exploded;
    unmet(expect, &stats, &record, &simulation.world, &start)
}

#[test]
fn expectations_notice_broken_scenes() {
    let mut unnoticed = Vec::new();
    for case in BROKEN {
        let unmet = unmet_after(case);
        println!("{} with {}: {}", case.scene, case.set, unmet.join("; "));
        if !unmet.iter().any(|sentence| sentence.contains(case.fails)) {
            unnoticed.push(format!("{} with {}: {unmet:?}", case.scene, case.set));
        }
    }
    assert!(unnoticed.is_empty(), "not noticed:\n{}", unnoticed.join("\n"));
}
