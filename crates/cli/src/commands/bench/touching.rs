//! Cloth that touches itself: draped over a ball, and in a stack.

use std::time::Instant;

use glam::Vec3;
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::cloth::{Cloth, ClothShape, MassRule, SpringModel};
use tkanina_sim::colliders::{Collider, ColliderPlane, ColliderShape, ColliderSphere};
use tkanina_sim::contact::{BodyContact, ContactLaw, Rub};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::measure;
use tkanina_sim::motion::{Motion, Pose};
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::topology::{GridPlane, GridShape};
use tkanina_sim::world::World;

use super::row::Row;

const FRAME: f64 = 1.0 / 60.0;

/// Two and a half seconds: it has fallen, and lies.
const DRAPED: usize = 150;

/// One second: it hangs over the ball and begins to fold.
const FALLEN: usize = 60;

/// A sheet of 2 m that falls on a ball and from there to the floor.
pub fn drape(_: u32) -> impl Iterator<Item = Row> {
    [(60, None, None), (128, Some(25.0), Some(100.0))].into_iter().flat_map(|(n, median, worst)| {
        let threads = if n < 100 { 1 } else { 2 };
        let run = Run::of(|| draped(n), threads, DRAPED);
        run.rows("drape-self", &format!("{n} × {n}"), threads, (median, worst))
    })
}

/// Fifty layers of 70 × 70 points that fall on each other.
pub fn stack(_: u32) -> impl Iterator<Item = Row> {
    [(10, None), (50, Some(1000.0))].into_iter().flat_map(|(layers, owed)| {
        let run = Run::at_once(stacked(layers, 70), 2, 20).by_step();
        run.rows("stack", &format!("{layers} layers of 70 × 70"), 2, (owed, None))
    })
}

/// What a step costs a vertex at 10⁵ vertices, over what it does at 10⁴, in the second in which the sheet
/// falls on the ball and drapes.
pub fn growth(_: u32) -> impl Iterator<Item = Row> {
    let threads = 2;
    let cost = |n: usize| Run::of(|| draped(n), threads, FALLEN).ns_per_vertex(n * n);
    let (few, many) = (cost(100), cost(316));
    let row = |case: &str, value: f64, unit, owed| Row {
        bench: "contact-growth",
        case: case.to_owned(),
        threads,
        value,
        unit,
        owed,
        over_naive: None,
    };
    [
        row("100 × 100, a vertex and step", few, "ns", None),
        row("316 × 316, a vertex and step", many, "ns", None),
        row("growth", many / few, "×", Some(1.3)),
    ]
    .into_iter()
}

pub(super) struct Run {
    /// Time of each frame, the least first. [ms]
    times: Vec<f64>,
    /// Stretch of the worst edge at the end. [%]
    stretch: f64,
    crossings: usize,
    /// Steps of a frame.
    substeps: u32,
    /// Whether times are those of steps, the mean over a frame each.
    by_step: bool,
}

impl Run {
    /// Frames one after the other are timed, as they are played; then all are gone through once more, with
    /// a referee who looks at each: what he does in between leaves caches cold and threads asleep.
    pub(super) fn of(world: impl Fn() -> World, threads: usize, frames: usize) -> Self {
        let timed = Self::through(world(), (threads, frames), false);
        let crossings = Self::through(world(), (threads, frames), true).crossings;
        Self { crossings, ..timed }
    }

    /// The same in one go, for what takes minutes.
    fn at_once(world: World, threads: usize, frames: usize) -> Self {
        Self::through(world, (threads, frames), true)
    }

    fn through(mut world: World, (threads, frames): (usize, usize), judged: bool) -> Self {
        // Without a second thread the row shows what one does.
        let _ = world.set_threads(threads);
        let substeps = world.substeps_for(FRAME) as u32;
        let mut run =
            Self { times: Vec::new(), stretch: 0.0, crossings: 0, substeps, by_step: false };
        for _ in 0..frames {
            let start = Instant::now();
            if world.advance_frame(FRAME, substeps).is_err() {
                return Self { times: vec![f64::INFINITY], stretch: f64::INFINITY, ..run };
            }
            run.times.push(1e3 * start.elapsed().as_secs_f64());
            if judged {
                run.crossings += measure::crossings(world.model(), world.state()).len();
            }
        }
        run.stretch = 100.0 * measure::stretch(world.model().edges.edges(), &world.state().x).max;
        run.times.sort_by(f64::total_cmp);
        run
    }

    /// Mean time of a step of so many vertices, by vertex. [ns]
    fn ns_per_vertex(&self, vertices: usize) -> f64 {
        let steps = self.times.len() * self.substeps as usize;
        1e6 * self.times.iter().sum::<f64>() / (steps * vertices) as f64
    }

    /// The same in times of a step.
    fn by_step(mut self) -> Self {
        let steps = f64::from(self.substeps);
        self.times.iter_mut().for_each(|time| *time /= steps);
        Self { by_step: true, ..self }
    }

    pub(super) fn rows(
        &self,
        bench: &'static str,
        case: &str,
        threads: usize,
        (median, worst): (Option<f64>, Option<f64>),
    ) -> Vec<Row> {
        let whole = if self.by_step { "step" } else { "frame" };
        let row = |what: &str, value: f64, unit, owed| Row {
            bench,
            case: format!("{case}, {what}"),
            threads,
            value,
            unit,
            owed,
            over_naive: None,
        };
        let at = |part: f64| self.times[((self.times.len() - 1) as f64 * part) as usize];
        vec![
            row(&format!("median {whole}"), at(0.5), "ms", median),
            row(&format!("worst {whole}"), at(1.0), "ms", worst),
            row("stretch at the end", self.stretch, "%", Some(5.0)),
            row("crossings in all frames", self.crossings as f64, "", Some(0.0)),
        ]
    }
}

fn draped(n: usize) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let ball = ColliderShape::Sphere(ColliderSphere { radius: 0.5 });
    builder.add_collider(obstacle("ball", ball, Vec3::new(0.0, 0.5, 0.0)));
    builder.add_collider(floor());
    add_sheet(&mut builder, "sheet", n, [2.0, 1.15]);
    finish(builder, 1, 0.002)
}

fn stacked(layers: usize, n: usize) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    builder.add_collider(floor());
    for layer in 0..layers {
        let height = 0.01 + 0.006 * layer as f32;
        add_sheet(&mut builder, &format!("layer{layer}"), n, [1.0, height]);
    }
    finish(builder, layers, 0.003)
}

/// The plane y = 0.
pub(super) fn floor() -> Collider {
    obstacle("floor", ColliderShape::Plane(ColliderPlane {}), Vec3::ZERO)
}

fn obstacle(name: &str, shape: ColliderShape, at: Vec3) -> Collider {
    Collider {
        name: name.to_owned(),
        shape,
        rest: Pose::at(at),
        motion: Motion::Static,
        friction: 0.3,
        restitution: 0.0,
    }
}

/// The cloth of `stiff-hang` with some damping, of a given size and at a given height.
fn add_sheet(builder: &mut ModelBuilder, name: &str, n: usize, [size, height]: [f32; 2]) {
    let point = 0.2 * size * size / (n * n) as f32;
    let params = |stiffness: f32| SpringParams {
        stiffness,
        damping: 0.2 * (0.5 * stiffness * point).sqrt(),
    };
    builder.add_cloth(&Cloth {
        place: Pose::at(Vec3::new(0.25, height, 0.15)),
        ..Cloth::new(
            name,
            ClothShape::Grid(GridShape {
                counts: [n, n],
                size: [size, size],
                plane: GridPlane::Xz,
            }),
            MassRule::AreaDensity(0.2),
            SpringModel::Neighbours12 {
                structural: params(2e4),
                shear: params(1e3),
                bend: params(1.0),
            },
        )
    });
}

fn finish(mut builder: ModelBuilder, bodies: usize, thickness: f32) -> World {
    builder.set_contact_offset(thickness);
    builder.set_contact(ContactLaw {
        bodies: vec![BodyContact { touches_itself: true, thickness }; bodies],
        thickness,
        safe: true,
        rub: Rub { friction: 0.3, restitution: 0.0 },
        pairs: Vec::new(),
    });
    let (model, state) = builder.build();
    World::new(model, state, SolverKind::LineProjection { iterations: None, embed: None })
}
