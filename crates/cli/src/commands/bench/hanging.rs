//! The cloth that stiff solvers are measured on: 2 m × 2 m, hung by two corners, for five seconds.

use std::time::Instant;

use glam::Vec3;
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{Cloth, ClothShape, MassRule, SpringModel};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::measure;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::world::World;

use super::row::Row;

const FRAME: f64 = 1.0 / 60.0;
/// Five seconds.
const FRAMES: usize = 300;

/// What five seconds show.
pub struct Run {
    /// Least mean time of a frame over [`BLOCK`] frames: an interruption spoils one block. [ms]
    pub frame: f64,
    /// Stretch of the worst edge at the end, and in any frame after half a second. [%]
    pub end: f64,
    pub worst: f64,
}

/// Frames that are timed together.
const BLOCK: usize = 20;

impl Run {
    /// Hangs `world` for five seconds.
    pub fn of(mut world: World, threads: usize) -> Self {
        // Without a second thread the row shows what one does.
        let _ = world.set_threads(threads);
        let substeps = world.substeps_for(FRAME) as u32;
        let mut run = Run { frame: f64::INFINITY, end: 0.0, worst: 0.0 };
        let mut spent = 0.0;
        for frame in 0..FRAMES {
            let start = Instant::now();
            if world.advance_frame(FRAME, substeps).is_err() {
                return Run { frame: f64::INFINITY, end: f64::INFINITY, worst: f64::INFINITY };
            }
            spent += 1e3 * start.elapsed().as_secs_f64() / BLOCK as f64;
            if frame % BLOCK == BLOCK - 1 {
                run.frame = run.frame.min(spent);
                spent = 0.0;
            }
            run.end = 100.0 * measure::stretch(world.model().edges.edges(), &world.state().x).max;
            run.worst = run.worst.max(if frame >= 30 { run.end } else { 0.0 });
        }
        run
    }

    /// Its rows: time, and stretch if asked for.
    pub fn rows(
        &self,
        bench: &'static str,
        case: &str,
        threads: usize,
        owed: Option<f64>,
        with_stretch: bool,
    ) -> Vec<Row> {
        let row = |what: &str, value: f64, unit, owed| Row {
            bench,
            case: format!("{case}, {what}"),
            threads,
            value,
            unit,
            owed,
            over_naive: None,
        };
        let mut rows = vec![row("a frame", self.frame, "ms", owed)];
        if with_stretch {
            rows.push(row("stretch after 5 s", self.end, "%", Some(2.0)));
            rows.push(row("worst on the way", self.worst, "%", Some(10.0)));
        }
        rows
    }
}

/// Horizontal at first, 0.2 kg/m², held at the first point and at `other`.
pub fn hung(shape: ClothShape, other: usize, kind: SolverKind) -> World {
    let params = |stiffness| SpringParams { stiffness, damping: 0.0 };
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    builder.add_cloth(&Cloth::new(
        "sheet",
        shape,
        MassRule::AreaDensity(0.2),
        SpringModel::Neighbours12 {
            structural: params(2e4),
            shear: params(1e3),
            bend: params(1.0),
        },
    ));
    for corner in [0, other] {
        builder.hold(corner, AnchorPath::Fixed, Grip::RIGID);
    }
    let (model, state) = builder.build();
    World::new(model, state, kind)
}
