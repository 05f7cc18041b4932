//! Stiff cloth as an irregular mesh, hung by two corners: line projection.

use std::time::Instant;

use glam::Vec3;
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{Cloth, ClothShape, MassRule, SpringModel};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::measure;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::Pose;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::topology::IrregularSheet;
use tkanina_sim::world::World;

use super::row::Row;

/// Points along a side: 15,876 in all.
const SIDE: usize = 126;
const FRAME: f64 = 1.0 / 60.0;
/// Five seconds.
const FRAMES: usize = 300;
/// Runs of five seconds at most, of which the best mean counts.
const MOST_RUNS: u32 = 3;

/// What a run of five seconds shows.
struct Run {
    /// Mean time of a frame. [ms]
    frame: f64,
    /// Stretch of the worst edge at the end, and in any frame after half a second. [%]
    end: f64,
    worst: f64,
}

/// Carried by a warp/weft grid, and by its own edges.
pub fn hang(samples: u32) -> Vec<Row> {
    let mut rows = Vec::new();
    for (embed, name, owed) in [(true, "embedded", 2.0), (false, "direct", 15.0)] {
        for threads in [1, 2] {
            let mut best = run(embed, threads);
            for _ in 1..samples.min(MOST_RUNS) {
                best.frame = best.frame.min(run(embed, threads).frame);
            }
            let row = |what: &str, value: f64, unit, owed| Row {
                bench: "stiff-mesh",
                case: format!("{name}, {what}"),
                threads,
                value,
                unit,
                owed,
                over_naive: None,
            };
            rows.push(row("a frame", best.frame, "ms", Some(owed)));
            if threads == 1 {
                rows.push(row("stretch after 5 s", best.end, "%", Some(2.0)));
                rows.push(row("worst on the way", best.worst, "%", Some(10.0)));
            }
        }
    }
    rows
}

fn run(embed: bool, threads: usize) -> Run {
    let mut world = hung(embed);
    // Without a second thread the row shows what one does.
    let _ = world.set_threads(threads);
    let substeps = world.substeps_for(FRAME) as u32;
    let mut run = Run { frame: 0.0, end: 0.0, worst: 0.0 };
    for frame in 0..FRAMES {
        let start = Instant::now();
        if world.advance_frame(FRAME, substeps).is_err() {
            return Run { frame: f64::INFINITY, end: f64::INFINITY, worst: f64::INFINITY };
        }
        run.frame += 1e3 * start.elapsed().as_secs_f64() / FRAMES as f64;
        run.end = 100.0 * measure::stretch(world.model().edges.edges(), &world.state().x).max;
        run.worst = run.worst.max(if frame >= 30 { run.end } else { 0.0 });
    }
    run
}

/// 2 m × 2 m of 0.2 kg/m², horizontal at first.
fn hung(embed: bool) -> World {
    let sheet = IrregularSheet::new([SIDE, SIDE], [2.0, 2.0], 7);
    let faces = sheet.faces();
    let params = |stiffness| SpringParams { stiffness, damping: 0.0 };
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    builder.add_cloth(&Cloth {
        name: "sheet".to_owned(),
        shape: ClothShape::Mesh { points: sheet.points, faces, uvs: sheet.uvs },
        place: Pose::at(Vec3::ZERO),
        velocity: Vec3::ZERO,
        mass: MassRule::AreaDensity(0.2),
        springs: SpringModel::Neighbours12 {
            structural: params(2e4),
            shear: params(1e3),
            bend: params(1.0),
        },
        bending: None,
        drag_per_point: 0.0,
        drag_per_area: 0.0,
        lift_per_area: 0.0,
        damping: 0.0,
        loss_per_step: 0.0,
        max_stretch: None,
    });
    for corner in [0, SIDE - 1] {
        builder.hold(corner, AnchorPath::Fixed, Grip::RIGID);
    }
    let (model, state) = builder.build();
    let kind = SolverKind::LineProjection { iterations: None, embed: Some(embed) };
    World::new(model, state, kind)
}
