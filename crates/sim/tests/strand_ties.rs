//! Pins and glue that give way, on strands of every law that is advanced on its own.

use glam::Vec3;
use tkanina_sim::builder::{Grip, GripSpring, ModelBuilder};
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::Track;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::strands::{
    Fibre, FibreDrag, Root, RootPath, StrandBody, StrandCurve, StrandLaw, StrandTouch, TouchParts,
};
use tkanina_sim::world::World;

const LINES: SolverKind = SolverKind::LineProjection { iterations: None, embed: None };
const XPBD: SolverKind = SolverKind::Xpbd { iterations: None };
const COSSERAT: StrandLaw = StrandLaw::Cosserat { sweeps: 4 };
const HELIX: StrandLaw = StrandLaw::Helix { pieces: 8 };

const LENGTH: f32 = 0.3;
const POINTS: usize = 32;
const BENDING: f32 = 1e-4;
const DENSITY: f32 = 0.02;

/// A straight strand whose free part is as long as said, hanging from the origin.
fn strand(law: StrandLaw, root: Root) -> StrandBody {
    let edge = LENGTH / (POINTS - 2) as f32;
    let points: Vec<Vec3> = (0..POINTS).map(|i| Vec3::NEG_Y * (edge * i as f32)).collect();
    StrandBody {
        name: "strand".into(),
        strands: vec![StrandCurve { start: points.clone(), rest: points, root }],
        law,
        fibre: Fibre {
            bending: BENDING,
            twisting: 0.5 * BENDING,
            density: DENSITY,
            radius: 1e-3,
            taper: 1.0,
            inner_friction: 0.0,
            drag: FibreDrag::default(),
            rest_speed: 1e-4,
        },
        velocity: Vec3::ZERO,
        damping: 5.0 * DENSITY * edge,
        touch: StrandTouch { friction: 0.0, parts: TouchParts::Nothing, crowd: None },
        clump: None,
        followers: None,
    }
}

fn clamped() -> Root {
    Root { path: RootPath::Fixed, clamped: true }
}

fn spring(stiffness: f32, breaks_at: Option<f32>) -> Grip {
    let spring = Some(GripSpring { stiffness, damping: 0.01 * stiffness, breaks_at });
    Grip { spring, until: f64::INFINITY }
}

fn run(builder: ModelBuilder, kind: SolverKind, frames: u32) -> World {
    let (model, state) = builder.build();
    let mut world = World::new(model, state, kind);
    for _ in 0..frames {
        world.advance_frame(1.0 / 60.0, 2).unwrap();
    }
    world
}

/// The other end of a spring is led aside by `a`: y = a k/(k + 3EI/L³).
#[test]
fn glue_that_gives_way_draws_the_tip_of_a_cantilever() {
    let stiff = 3.0 * BENDING / (LENGTH * LENGTH * LENGTH);
    for (law, kind) in [
        (StrandLaw::Rod, LINES),
        (StrandLaw::Rod, XPBD),
        (COSSERAT, XPBD),
        (HELIX, LINES),
        (StrandLaw::Rod, SolverKind::FOR_STRANDS),
    ] {
        for part in [0.2, 0.5, 0.99] {
            let mut builder = ModelBuilder::new(Vec3::ZERO);
            let way = Vec3::Z * (0.02 * LENGTH / part);
            let track = Track::new(vec![0.0, 0.5], vec![Vec3::ZERO, way], None).unwrap();
            let path = AnchorPath::Track { track, centre: Vec3::ZERO };
            let own = builder.add_strands(&strand(law, clamped()));
            let glue = spring(stiff * part / (1.0 - part), None);
            builder.hold(own.end - 1, path, glue);
            let world = run(builder, kind, 400);
            let (found, known) = (world.state().x.get(own.end - 1).z, 0.02 * LENGTH);
            assert!(
                (found / known - 1.0).abs() < 0.03,
                "{law:?}, {kind:?}, {part}: {found} is not {known} m"
            );
        }
    }
}

/// d = M g/k.
#[test]
fn a_strand_hangs_on_a_spring_by_its_weight_until_that_breaks() {
    let weight = 9.81 * DENSITY * LENGTH * (POINTS - 1) as f32 / (POINTS - 2) as f32;
    for law in [StrandLaw::Rod, COSSERAT] {
        for stiffness in [5.0, 50.0, 500.0, 5000.0] {
            for (breaks_at, holds) in [(None, true), (Some(3.0), true), (Some(0.9), false)] {
                let mut builder = ModelBuilder::new(Vec3::NEG_Y * 9.81);
                let root = Root { path: RootPath::Free, clamped: false };
                let own = builder.add_strands(&strand(law, root));
                let pin = spring(stiffness, breaks_at.map(|part| part * weight));
                builder.hold(own.start, AnchorPath::Fixed, pin);
                let world = run(builder, XPBD, 400);
                let found = -world.state().x.get(own.start).y;
                let known = weight / stiffness;
                assert_eq!(world.state().broken, [!holds], "{law:?}, {stiffness}");
                let right = (found / known - 1.0).abs() < 0.01;
                assert!(right == holds, "{law:?}, {stiffness}: {found} is not {known} m");
            }
        }
    }
}
