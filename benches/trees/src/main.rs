//! Our tree of boxes beside `bvh`, `obvhs` and `parry3d` on the same boxes, one thread each.
//!
//! `cargo run --release -- [SAMPLES]` in this folder prints the best of so many samples (7) of
//! each row, as `tkanina bench` does, and stops if two trees do not find the same.

mod boxes;
mod row;
mod trees;

use std::hint::black_box;
use std::time::Instant;

use boxes::{Case, Ray};
use row::Row;
use tkanina_sim::aabb::Aabb;
use trees::Tree;

/// Rays and boxes asked for in a sample.
const QUESTIONS: usize = 10_000;

fn main() {
    let samples = match std::env::args().nth(1).map(|text| text.parse::<u32>()) {
        None => 7,
        Some(Ok(samples)) if samples > 0 => samples,
        Some(_) => {
            eprintln!("The number of samples is a whole number above 0.");
            std::process::exit(2);
        }
    };
    println!("{}", row::machine());
    for case in
        [Case::sheet(10_000), Case::sheet(100_000), Case::cloud(10_000), Case::cloud(100_000)]
    {
        println!("\n{}: {}\n{}", case.name, case.about, Row::header());
        let ours = measure::<trees::ours::Ours>(&case, samples);
        let found = [
            measure::<trees::parry::Parry>(&case, samples),
            measure::<trees::obvhs::Obvhs>(&case, samples),
            measure::<trees::bvh::Svenstaro>(&case, samples),
        ];
        for other in &found {
            assert_eq!(other.found, ours.found, "{} disagrees on {}", other.name, case.name);
            let off = (other.reach / ours.reach - 1.0).abs();
            assert!(off < 1e-6, "rays of {} reach {off} farther on {}", other.name, case.name);
        }
        for what in 0..trees::WORK.len() {
            for timed in std::iter::once(&ours).chain(&found) {
                println!("{}", Row::of(timed.name, what, timed.best[what], ours.best[what]));
            }
        }
        let [pairs, moved, rays, near] = ours.found;
        println!(
            "all find {pairs} pairs, {moved} after the motion; {rays} rays hit; {near} boxes near others"
        );
    }
}

/// Best times of a tree, and what it finds.
struct Timed {
    name: &'static str,
    /// By [`trees::WORK`]. [ms]
    best: [f64; 5],
    /// Pairs, pairs after the motion, rays that hit, boxes that meet the asked-for ones.
    found: [usize; 4],
    /// Sum of the ways of all rays that hit.
    reach: f64,
}

fn measure<T: Tree>(case: &Case, samples: u32) -> Timed {
    let mut timed = Timed { name: T::NAME, best: [f64::INFINITY; 5], found: [0; 4], reach: 0.0 };
    for _ in 0..samples {
        let mut tree = timed.clock(0, || T::build(&case.boxes));
        timed.found[0] = timed.clock(2, || tree.pairs(&case.boxes));
        (timed.found[2], timed.reach) = timed.clock(3, || rays(&tree, &case.rays));
        timed.found[3] = timed.clock(4, || near(&tree, &case.questions));
        timed.clock(1, || tree.update(&case.moved));
        timed.found[1] = tree.pairs(&case.moved);
    }
    timed
}

impl Timed {
    fn clock<R>(&mut self, what: usize, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = black_box(work());
        self.best[what] = self.best[what].min(1e3 * start.elapsed().as_secs_f64());
        result
    }
}

fn rays<T: Tree>(tree: &T, rays: &[Ray]) -> (usize, f64) {
    let hits = rays.iter().filter_map(|ray| tree.nearest(ray));
    hits.fold((0, 0.0), |(count, reach), t| (count + 1, reach + f64::from(t)))
}

fn near<T: Tree>(tree: &T, questions: &[Aabb]) -> usize {
    questions.iter().map(|b| tree.meeting(b)).sum()
}
