//! Stiff cloth as an irregular mesh, hung by two corners: line projection.

use tkanina_sim::cloth::ClothShape;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::topology::IrregularSheet;
use tkanina_sim::world::World;

use super::hanging::{Run, hung};
use super::row::Row;

/// Points along a side: 15,876 in all.
const SIDE: usize = 126;
/// Runs of five seconds at most, of which the best counts.
const MOST_RUNS: u32 = 3;

/// Carried by a warp/weft grid, and by its own edges.
pub fn hang(samples: u32) -> Vec<Row> {
    let mut rows = Vec::new();
    for (embed, name, owed) in [(true, "embedded", 2.0), (false, "direct", 15.0)] {
        for threads in [1, 2] {
            let mut best = Run::of(sheet(embed), threads);
            for _ in 1..samples.min(MOST_RUNS) {
                best.frame = best.frame.min(Run::of(sheet(embed), threads).frame);
            }
            rows.extend(best.rows("stiff-mesh", name, threads, Some(owed), threads == 1));
        }
    }
    rows
}

fn sheet(embed: bool) -> World {
    let sheet = IrregularSheet::new([SIDE, SIDE], [2.0, 2.0], 7);
    let faces = sheet.faces();
    let shape = ClothShape::Mesh { points: sheet.points, faces, uvs: sheet.uvs };
    let kind = SolverKind::LineProjection { iterations: None, embed: Some(embed) };
    hung(shape, SIDE - 1, kind)
}
