//! Rods of Cosserat whose weight stretches them: how far is known.

use glam::Vec3;
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::strands::{
    Fibre, FibreDrag, Root, RootPath, StrandBody, StrandCurve, StrandLaw, StrandTouch, TouchParts,
};
use tkanina_sim::world::World;

const G: f64 = 9.81;
const DENSITY: f64 = 1000.0;
const LENGTH: f64 = 0.5;
const RADIUS: f64 = 1e-3;
const NODES: usize = 26;

/// A rod that is straight by nature and starts along a direction, after twelve seconds in a medium that
/// takes its motion away. [Pa]
fn at_rest(young: f64, along: Vec3) -> World {
    let edge = LENGTH / (NODES - 1) as f64;
    let at = |i: usize, along: Vec3| along * (edge * i as f64) as f32;
    let section = std::f64::consts::PI * RADIUS * RADIUS;
    let bending = young * section * RADIUS * RADIUS / 4.0;
    let body = StrandBody {
        name: "rod".into(),
        strands: vec![StrandCurve {
            start: (0..NODES).map(|i| at(i, along)).collect(),
            rest: (0..NODES).map(|i| at(i, Vec3::NEG_Y)).collect(),
            root: Root { path: RootPath::Fixed, clamped: false },
        }],
        law: StrandLaw::Cosserat { sweeps: 10 },
        fibre: Fibre {
            bending: bending as f32,
            twisting: 0.4 * bending as f32,
            density: (DENSITY * section) as f32,
            radius: RADIUS as f32,
            taper: 1.0,
            inner_friction: 0.02,
            drag: FibreDrag::default(),
            rest_speed: 0.0,
        },
        velocity: Vec3::ZERO,
        damping: (4.0 * DENSITY * section * edge) as f32,
        touch: StrandTouch { friction: 0.0, parts: TouchParts::Nothing, crowd: None },
        clump: None,
        followers: None,
    };
    let mut builder = ModelBuilder::new(Vec3::NEG_Y * G as f32);
    builder.add_strands(&body);
    let (model, state) = builder.build();
    let mut world = World::new(model, state, SolverKind::Xpbd { iterations: None });
    for _ in 0..720 {
        world.advance_frame(1.0 / 60.0, 2).unwrap();
    }
    world
}

/// Strain of each edge, root first.
fn strains(world: &World) -> Vec<f64> {
    let x: Vec<Vec3> = world.state().x.iter().collect();
    let edge = LENGTH / (NODES - 1) as f64;
    x.windows(2).map(|ends| f64::from(ends[0].distance(ends[1])) / edge - 1.0).collect()
}

/// ε = ρg(L − s)/E where s of it is above.
#[test]
fn a_soft_rod_is_stretched_by_what_hangs_below() {
    for young in [1e5, 5e5, 1e7] {
        // One that hangs already, and one that swings down first.
        for along in [Vec3::NEG_Y, Vec3::new(0.8, -0.6, 0.0)] {
            let strains = strains(&at_rest(young, along));
            let all = DENSITY * G * LENGTH / young;
            for (i, strain) in strains.iter().enumerate() {
                let below = 1.0 - (i as f64 + 0.5) / (NODES - 1) as f64;
                assert!(
                    (strain - all * below).abs() < 0.01 * all,
                    "E {young:e}, {along}, edge {i}: {strain} is not {}",
                    all * below
                );
            }
            let whole: f64 = strains.iter().sum::<f64>() / (NODES - 1) as f64;
            assert!((whole / (0.5 * all) - 1.0).abs() < 0.01, "E {young:e}: {whole}, {all}");
        }
    }
}
