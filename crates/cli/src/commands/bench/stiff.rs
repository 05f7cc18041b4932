//! Stiff grid cloth hung by two corners: line projection.

use tkanina_sim::cloth::ClothShape;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::topology::{GridPlane, GridShape};
use tkanina_sim::world::World;

use super::hanging::{Run, hung};
use super::row::Row;

/// Runs of five seconds at most, of which the best counts.
const MOST_RUNS: u32 = 3;

/// Grids of 20 to 512 points a side, with what is owed on one thread and on two. [ms]
const SIZES: [(usize, Option<f64>, Option<f64>); 5] = [
    (20, Some(0.030), None),
    (60, Some(0.2), None),
    (128, Some(1.2), Some(0.8)),
    (256, Some(10.0), Some(6.0)),
    (512, None, Some(33.0)),
];

/// Time a frame and stretch.
pub fn hang(samples: u32) -> Vec<Row> {
    let mut rows = Vec::new();
    for (n, one, two) in SIZES {
        let runs = if n > 200 { 1 } else { samples.min(MOST_RUNS) };
        for (threads, owed) in [(1, one), (2, two)] {
            if owed.is_none() {
                continue;
            }
            let mut best = Run::of(sheet(n), threads);
            for _ in 1..runs {
                best.frame = best.frame.min(Run::of(sheet(n), threads).frame);
            }
            let case = format!("{n} × {n}");
            let first = threads == 1 || one.is_none();
            rows.extend(best.rows("stiff-hang", &case, threads, owed, first));
        }
    }
    rows
}

fn sheet(n: usize) -> World {
    let shape = GridShape { counts: [n, n], size: [2.0, 2.0], plane: GridPlane::Xz };
    let kind = SolverKind::LineProjection { iterations: None, embed: None };
    hung(ClothShape::Grid(shape), n - 1, kind)
}
