//! Strands of all laws as worlds run them: the same shape at rest, the same bits after going back.

use glam::{DVec3, Quat, Vec3};
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::motion::Track;
use tkanina_sim::solvers::{SolverKind, refusal};
use tkanina_sim::strands::{
    Fibre, FibreDrag, Root, RootPath, StrandBody, StrandCurve, StrandLaw, StrandTouch, TouchParts,
};
use tkanina_sim::world::World;

const LINES: SolverKind = SolverKind::LineProjection { iterations: None, embed: None };

/// Human hair of 60 µm, in air that brings it to rest.
fn hair() -> Fibre {
    let (d, young): (f64, f64) = (60e-6, 3.89e9);
    let bending = young * std::f64::consts::PI * d.powi(4) / 64.0;
    let density = 1320.0 * std::f64::consts::PI * d * d / 4.0;
    Fibre {
        bending: bending as f32,
        twisting: (0.46 * bending) as f32,
        density: density as f32,
        radius: 30e-6,
        taper: 1.0,
        inner_friction: 0.0,
        drag: FibreDrag { viscous: (8.0 * density) as f32, inertial: 0.0, along: 1.0 },
        rest_speed: 0.0,
    }
}

/// Hair that leaves a wall to the side and wants to be a wide curl.
fn body(law: StrandLaw, root: RootPath, strands: usize) -> StrandBody {
    let point = |i: usize, z: f32| {
        let (radius, step) = (0.05, 0.004);
        let angle = i as f64 * step / radius;
        let p = DVec3::new(radius * angle.sin(), radius * (1.0 - angle.cos()), 0.0);
        p.as_vec3() + Vec3::Z * z
    };
    let strand = |z: f32| {
        let points: Vec<Vec3> = (0..25).map(|i| point(i, z)).collect();
        let root = Root { path: root.clone(), clamped: true };
        StrandCurve { start: points.clone(), rest: points, root }
    };
    StrandBody {
        name: "hair".into(),
        strands: (0..strands).map(|i| strand(0.01 * i as f32)).collect(),
        law,
        fibre: hair(),
        velocity: Vec3::ZERO,
        damping: 0.0,
        touch: StrandTouch { friction: 0.0, parts: TouchParts::Points, crowd: None },
        clump: None,
        followers: None,
    }
}

fn world(body: &StrandBody, kind: SolverKind) -> World {
    let mut builder = ModelBuilder::new(Vec3::NEG_Y * 9.81);
    builder.add_strands(body);
    let (model, state) = builder.build();
    World::new(model, state, kind)
}

fn tip_at_rest(law: StrandLaw, kind: SolverKind) -> DVec3 {
    let mut world = world(&body(law, RootPath::Fixed, 1), kind);
    for _ in 0..180 {
        world.advance_frame(1.0 / 60.0, 1).unwrap();
    }
    let fastest = world.state().v.iter().map(Vec3::length).fold(0.0, f32::max);
    assert!(fastest < 1e-3, "{law:?}: {fastest}");
    world.state().x.get(24).as_dvec3()
}

#[test]
fn all_laws_come_to_rest_in_the_same_shape() {
    let length = 0.096;
    let helix = tip_at_rest(StrandLaw::Helix { pieces: 12 }, LINES);
    let rod = tip_at_rest(StrandLaw::Rod, LINES);
    let cosserat = tip_at_rest(StrandLaw::Cosserat { sweeps: 1 }, LINES);
    assert!((helix - rod).length() < 0.02 * length, "{helix} {rod}");
    assert!((helix - cosserat).length() < 0.02 * length, "{helix} {cosserat}");
    // The solver makes helices of all of them.
    let asked = tip_at_rest(StrandLaw::Rod, SolverKind::FOR_STRANDS);
    assert!((asked - helix).length() < 0.01 * length, "{asked} {helix}");
    assert_ne!(asked, rod);
}

fn turning() -> RootPath {
    let turns = (0..=4).map(|i| Quat::from_rotation_y(0.4 * (i % 2) as f32)).collect();
    let times = (0..=4).map(|i| 0.1 * f64::from(i)).collect();
    let track = Track::new(times, vec![Vec3::ZERO; 5], Some(turns)).unwrap();
    RootPath::Track { track, centre: Vec3::ZERO }
}

#[test]
fn going_back_gives_the_same_bits_and_steps_take_no_memory() {
    for law in [StrandLaw::Helix { pieces: 8 }, StrandLaw::Cosserat { sweeps: 1 }] {
        let mut world = world(&body(law, turning(), 5), LINES);
        for _ in 0..10 {
            world.advance_frame(1.0 / 60.0, 2).unwrap();
        }
        let half = world.state().clone();
        let count = allocation_counter::measure(|| {
            for _ in 0..10 {
                world.advance_frame(1.0 / 60.0, 2).unwrap();
            }
        });
        assert_eq!(count.count_total, 0, "{law:?}");
        let end = world.state().clone();
        world.restore(half);
        for _ in 0..10 {
            world.advance_frame(1.0 / 60.0, 2).unwrap();
        }
        assert!(world.state() == &end, "{law:?}");
    }
}

#[test]
fn what_cannot_be_a_helix_is_refused() {
    let refused = |body: &StrandBody| {
        let world = world(body, LINES);
        refusal(SolverKind::FOR_STRANDS, world.model())
    };
    assert_eq!(refused(&body(StrandLaw::Rod, RootPath::Fixed, 1)), None);
    let (why, _) = refused(&body(StrandLaw::Rod, RootPath::Free, 1)).unwrap();
    assert!(why.contains("`hair`"), "{why}");
    let (why, remedy) = refusal(SolverKind::FOR_STRANDS, &Default::default()).unwrap();
    assert!(why.contains("is for strands") && remedy.contains("use one of"), "{why}: {remedy}");
}
