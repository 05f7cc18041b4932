//! Explicit steps: grid stencil, irregular mesh, growth with size.

use std::time::Instant;

use glam::{Quat, Vec3};
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{Cloth, ClothShape, MassRule, SpringModel};
use tkanina_sim::elements::{NaiveCloth, SpringParams};
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::Pose;
use tkanina_sim::rng::Rng;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::topology::{GridPlane, GridShape};
use tkanina_sim::world::World;

use super::row::Row;

/// Parameters of document 000: unit masses, k = 40, drag.
const SPRINGS: SpringParams = SpringParams { stiffness: 40.0, damping: 0.5 };
const DRAG: f32 = 0.02;
const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);
/// A third of the stable step. [s]
const STEP: f64 = 1.0 / 60.0;
/// Point updates in one sample: some ten milliseconds, longer than an interruption.
const UPDATES_PER_SAMPLE: usize = 1 << 20;

/// The grid stencil at several sizes, beside the naive algorithm.
pub fn stencil(samples: u32) -> Vec<Row> {
    let owed = |n, threads| match (n, threads) {
        (20, 1) => Some(35.0),
        (256, 1) => Some(60.0),
        (256, 2) => Some(110.0),
        _ => None,
    };
    let mut rows = Vec::new();
    for n in [20, 60, 256] {
        let naive = naive(n, samples);
        for threads in [1, 2] {
            let mut world = hung(grid(n), threads);
            let value = best_rate(&mut world, samples);
            rows.push(Row {
                bench: "explicit-stencil",
                case: format!("grid {n} × {n}"),
                threads,
                value,
                unit: "M/s",
                owed: owed(n, threads),
                over_naive: Some(value / naive),
            });
        }
    }
    rows
}

/// An irregular triangle mesh of about 16,000 vertices.
pub fn mesh(samples: u32) -> Vec<Row> {
    let row = |threads| Row {
        bench: "explicit-mesh",
        case: "irregular mesh, 16,129".to_owned(),
        threads,
        value: best_rate(&mut hung(irregular(127), threads), samples),
        unit: "M/s",
        owed: None,
        over_naive: None,
    };
    vec![row(1), row(2)]
}

/// Time a point at 10⁶ points over that at 10⁴.
pub fn growth(samples: u32) -> Vec<Row> {
    let row = |threads| {
        let rate = |n| best_rate(&mut hung(grid(n), threads), samples);
        Row {
            bench: "growth",
            case: "10⁶ points over 10⁴".to_owned(),
            threads,
            value: rate(100) / rate(1000),
            unit: "×",
            owed: Some(1.5),
            over_naive: None,
        }
    };
    vec![row(1), row(2)]
}

/// Best of `samples`, in millions of point updates a second.
fn best_rate(world: &mut World, samples: u32) -> f64 {
    let points = world.model().particle_count();
    let steps = (UPDATES_PER_SAMPLE / points).max(1) as u32;
    let mut best = f64::INFINITY;
    for _ in 0..=samples {
        let start = Instant::now();
        if world.advance_frame(STEP * f64::from(steps), steps).is_err() {
            return 0.0;
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    points as f64 * f64::from(steps) / best / 1e6
}

/// The algorithm of document 000 as it stands there.
fn naive(n: usize, samples: u32) -> f64 {
    let mut cloth = NaiveCloth::new(n, 1.0, SPRINGS.stiffness, SPRINGS.damping, DRAG);
    let steps = (UPDATES_PER_SAMPLE / 8 / (n * n)).max(1);
    let mut best = f64::INFINITY;
    for _ in 0..=samples.min(5) {
        let start = Instant::now();
        (0..steps).for_each(|_| cloth.step(STEP as f32, GRAVITY, Vec3::ZERO));
        best = best.min(start.elapsed().as_secs_f64());
    }
    (n * n * steps) as f64 / best / 1e6
}

/// A cloth hung by two corners, with gravity and drag.
fn hung(shape: ClothShape, threads: usize) -> World {
    let mesh = matches!(shape, ClothShape::Mesh { .. });
    let springs = if mesh {
        SpringModel::Neighbours12 { structural: SPRINGS, shear: SPRINGS, bend: SPRINGS }
    } else {
        SpringModel::Neighbours20(SPRINGS)
    };
    let mut builder = ModelBuilder::new(GRAVITY);
    let (particles, _) = builder.add_cloth(&Cloth {
        place: Pose { position: Vec3::ZERO, rotation: Quat::IDENTITY },
        drag_per_point: DRAG,
        ..Cloth::new("sheet", shape, MassRule::PerPoint(1.0), springs)
    });
    for corner in [particles.start, particles.end - 1] {
        builder.hold(corner, AnchorPath::Fixed, Grip::RIGID);
    }
    let (model, state) = builder.build();
    let mut world = World::new(model, state, SolverKind::Verlet { loss: 0.0 });
    // Without a second thread the row shows what one does.
    let _ = world.set_threads(threads);
    world
}

fn grid(n: usize) -> ClothShape {
    ClothShape::Grid(GridShape { counts: [n, n], size: [1.0, 1.0], plane: GridPlane::Xy })
}

/// A triangulated grid whose points are moved at random.
fn irregular(n: usize) -> ClothShape {
    let shape = GridShape { counts: [n, n], size: [1.0, 1.0], plane: GridPlane::Xy };
    let mut rng = Rng::new(1);
    let jitter = 0.3 / (n - 1) as f64;
    let points: Vec<Vec3> = shape
        .points()
        .into_iter()
        .map(|p| {
            let mut shift = || rng.between(-jitter, jitter) as f32;
            p + Vec3::new(shift(), shift(), 0.0)
        })
        .collect();
    let faces = shape.triangles().iter().map(|t| t.to_vec()).collect();
    ClothShape::Mesh { points, faces, uvs: Vec::new() }
}
