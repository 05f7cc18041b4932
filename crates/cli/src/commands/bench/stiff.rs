//! Stiff grid cloth hung by two corners: line projection.

use tkanina_sim::cloth::ClothShape;
use tkanina_sim::simd::{SimdLevel, limit_simd};
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

/// Time a frame and stretch on one thread and on two, and how much longer a frame takes
/// without instructions wider than AVX2.
pub fn hang(samples: u32) -> impl Iterator<Item = Row> {
    SIZES.into_iter().flat_map(move |(n, one, two)| {
        let case = format!("{n} × {n}");
        let runs = if n > 200 { 1 } else { samples.min(MOST_RUNS) };
        let threads = [(1, one), (2, two)].into_iter().filter(|(_, owed)| owed.is_some());
        let narrow = (one.is_some() && n <= 200).then(|| case.clone());
        let rows = threads.flat_map(move |(threads, owed)| {
            let first = threads == 1 || one.is_none();
            best(n, threads, runs).rows("stiff-hang", &case, threads, owed, first)
        });
        rows.chain(narrow.into_iter().map(move |case| over_widest(case, n, runs)))
    })
}

/// Time a frame at AVX2 over that at the widest, turn about.
fn over_widest(case: String, n: usize, runs: u32) -> Row {
    limit_simd(SimdLevel::Avx2);
    let narrow = best(n, 1, runs).frame;
    limit_simd(SimdLevel::Widest);
    Row {
        bench: "stiff-hang",
        case: format!("{case}, AVX2 over widest"),
        threads: 1,
        value: narrow / best(n, 1, runs).frame,
        unit: "×",
        owed: Some(2.0),
        over_naive: None,
    }
}

fn best(n: usize, threads: usize, runs: u32) -> Run {
    let mut best = Run::of(sheet(n), threads);
    for _ in 1..runs {
        best.frame = best.frame.min(Run::of(sheet(n), threads).frame);
    }
    best
}

fn sheet(n: usize) -> World {
    let shape = GridShape { counts: [n, n], size: [2.0, 2.0], plane: GridPlane::Xz };
    let kind = SolverKind::LineProjection { iterations: None, embed: None };
    hung(ClothShape::Grid(shape), n - 1, kind)
}
