//! Lattices: what a step costs, and that wide regions cost no more than narrow ones.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use glam::Vec3;
use tkanina_sim::builder::{LatticeBody, ModelBuilder};
use tkanina_sim::colliders::forms::cuboid;
use tkanina_sim::lattice::{GoalLaw, Lattice, Regions, ShapeMatching, Voxels};
use tkanina_sim::motion::Pose;
use tkanina_sim::parallel::without_threads;
use tkanina_sim::soa::Soa3;
use tkanina_sim::soft_body::SoftMass;
use tkanina_sim::solvers::choose;
use tkanina_sim::world::World;

use super::row::Row;

/// Vertices along each side.
const SIDE: usize = 20;

/// Length of a cell. [m]
const SPACING: f32 = 0.05;

/// What is owed for a step. [ms]
const OWED: f64 = 1.0;

/// Widths that are compared, and by how much more the wider may cost.
const WIDTHS: [usize; 2] = [1, 5];
const OWED_RATIO: f64 = 1.2;

/// Steps of a frame, and how long that is. [s]
const STEPS: u32 = 16;
const FRAME: f64 = 1.0 / 60.0;

/// Goals, whole steps and whole steps with damping of 20³ points.
pub fn block(samples: u32) -> impl Iterator<Item = Row> {
    let [narrow, wide] = WIDTHS.map(|width| goals(width, samples));
    let [step, wide_step] = WIDTHS.map(|width| steps(width, samples));
    let damped = damped_steps(samples);
    let row = |case: String, value: f64, unit: &'static str, owed: Option<f64>| Row {
        bench: "lattice",
        case,
        threads: 1,
        value,
        unit,
        owed,
        over_naive: None,
    };
    let [a, b] = WIDTHS;
    [
        row(format!("20³, w = {a}: goals"), narrow, "ms", Some(OWED)),
        row(format!("20³, w = {b}: goals"), wide, "ms", Some(OWED)),
        row(format!("goals, w = {b} over w = {a}"), wide / narrow, "×", Some(OWED_RATIO)),
        row(format!("20³, w = {a}: whole step"), step, "ms", Some(OWED)),
        row(format!("20³, w = {b}: whole step"), wide_step, "ms", Some(OWED)),
        row(format!("step, w = {b} over w = {a}"), wide_step / step, "×", Some(OWED_RATIO)),
        row(format!("20³, w = {a}: damped step"), damped, "ms", None),
    ]
    .into_iter()
}

/// Time to find all goals, the best of samples. [ms]
fn goals(width: usize, samples: u32) -> f64 {
    let lattice = Lattice::block([SIDE; 3], f64::from(SPACING));
    let points: Vec<Vec3> = (0..lattice.len()).map(|v| bent(lattice.rest(v).as_vec3())).collect();
    let x = Soa3::from_points(&points);
    let mut goals = Soa3::zeros(x.len());
    let regions = Arc::new(Regions::new(lattice, width));
    let mut matching = ShapeMatching::new(regions, &vec![1e-3; x.len()]);
    best(samples, || without_threads(|| matching.goals(black_box(&x), &mut goals)))
}

/// Out of shape, and turned.
fn bent(p: Vec3) -> Vec3 {
    Vec3::new(p.y + 0.1 * p.x * p.x, 0.2 * p.z * p.y - p.x, 1.05 * p.z)
}

/// Time of a step of a block that falls, the best of samples. [ms]
fn steps(width: usize, samples: u32) -> f64 {
    let Some(mut world) = falling(width, 0.0) else { return f64::INFINITY };
    let _ = world.advance_frame(FRAME, STEPS);
    best(samples * STEPS, || without_threads(|| world.step(FRAME / f64::from(STEPS))))
}

/// The same with damping, which some steps have and some not: the mean over a frame. [ms]
fn damped_steps(samples: u32) -> f64 {
    let Some(mut world) = falling(WIDTHS[0], 10.0) else { return f64::INFINITY };
    let frame = || {
        let _ = world.advance_frame(FRAME, STEPS);
    };
    best(samples, frame) / f64::from(STEPS)
}

/// A block out of shape that falls.
fn falling(width: usize, damping: f64) -> Option<World> {
    let size = (SIDE - 1) as f32 * SPACING;
    let mesh = cuboid(Vec3::splat(size), [SIDE as u32 - 1; 3]);
    let voxels = Voxels::of_mesh(&mesh.points, &mesh.triangles, f64::from(SPACING)).ok()?;
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let particles = builder.add_lattice_body(&LatticeBody {
        name: "block".into(),
        voxels,
        place: Pose::IDENTITY,
        velocity: Vec3::X,
        mass: SoftMass::Total(1.0),
        damping: 0.0,
        law: GoalLaw { frequency: 30.0, damping },
        region_width: width,
        breaks_at: f32::INFINITY,
        carried: None,
    });
    builder.displace(particles, bent);
    let (model, state) = builder.build();
    let kind = choose(&model).kind;
    Some(World::new(model, state, kind))
}

/// The least time of some work. [ms]
fn best(samples: u32, mut work: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..samples.max(3) * 4 {
        let start = Instant::now();
        work();
        best = best.min(1e3 * start.elapsed().as_secs_f64());
    }
    best
}
