//! `tkanina bench`: how fast, beside what is owed and what others reach.

mod explicit;
mod hair;
mod hanging;
mod lattice;
mod machine;
mod render;
mod row;
mod soft;
mod stiff;
mod stiff_mesh;
mod studies;
mod touching;

use std::path::PathBuf;

use miette::miette;
use serde::Serialize;
use tkanina_scene::export::atomic::write_file;

use crate::failure::Failure;
use crate::output::print;
pub use machine::Machine;
use row::Row;

/// Runs the benchmarks: best of several runs, with machine and version.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  tkanina bench explicit-stencil --json bench.json")]
pub struct Args {
    /// Benchmark to run; all without it.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(names()))]
    name: Option<String>,
    /// Also write the rows as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Samples of which the best counts.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=1000))]
    samples: u32,
}

/// A named set of rows.
struct Bench {
    name: &'static str,
    about: &'static str,
    /// Rows out of so many samples, each as soon as it is measured where that takes long.
    run: fn(u32) -> Box<dyn Iterator<Item = Row>>,
}

const BENCHES: &[Bench] = &[
    Bench {
        name: "explicit-stencil",
        about: "20-neighbour Verlet with drag on a grid, M point updates a second",
        run: |samples| Box::new(explicit::stencil(samples).into_iter()),
    },
    Bench {
        name: "explicit-mesh",
        about: "the same physics on an irregular mesh, M point updates a second",
        run: |samples| Box::new(explicit::mesh(samples).into_iter()),
    },
    Bench {
        name: "growth",
        about: "time a point at 10⁶ points over that at 10⁴",
        run: |samples| Box::new(explicit::growth(samples).into_iter()),
    },
    Bench {
        name: "stiff-hang",
        about: "stiff cloth hung by two corners, ms a frame of 1/60 s",
        run: |samples| Box::new(stiff::hang(samples)),
    },
    Bench {
        name: "stiff-mesh",
        about: "stiff cloth as an irregular mesh of 15,876 points hung by two corners",
        run: |samples| Box::new(stiff_mesh::hang(samples).into_iter()),
    },
    Bench {
        name: "drape-self",
        about: "stiff cloth over a ball, touching itself, ms a frame of 1/60 s; no crossing in any frame",
        run: |samples| Box::new(touching::drape(samples)),
    },
    Bench {
        name: "stack",
        about: "layers of cloth falling on each other, ms a step (mean over each frame); no crossing in any frame",
        run: |samples| Box::new(touching::stack(samples)),
    },
    Bench {
        name: "contact-growth",
        about: "the same drape at 10,000 and 100,000 points: what a step costs a vertex, and by how much that grows",
        run: |samples| Box::new(touching::growth(samples)),
    },
    Bench {
        name: "soft",
        about: "balls filled with gas in a heap, ms a frame of 1/60 s; no crossing in any frame",
        run: |samples| Box::new(soft::heap(samples)),
    },
    Bench {
        name: "lattice",
        about: "FastLSM of 20³ points, ms a step on one thread, and what wide regions cost over narrow ones",
        run: |samples| Box::new(lattice::block(samples)),
    },
    Bench {
        name: "hair",
        about: "strands of 32 points on a head that shakes for 3 s, then holds still for 3, ms a frame of 1/60 s",
        run: |samples| Box::new(hair::head(samples)),
    },
    Bench {
        name: "super-helix",
        about: "100 super-helices on a head that shakes, ms a frame of 1/60 s, and what more pieces cost",
        run: |samples| Box::new(hair::helix(samples)),
    },
    Bench {
        name: "studies",
        about: "document 000's spring constants and grids, and k = 10⁶ N/m, under `auto`; owed: real time",
        run: |samples| Box::new(studies::document(samples)),
    },
    Bench {
        name: "render",
        about: "a picture of 1280 × 720 with floor, sky and shadow, ms; owed without a graphics card",
        run: |samples| Box::new(render::picture(samples).into_iter()),
    },
];

fn names() -> Vec<&'static str> {
    BENCHES.iter().map(|b| b.name).collect()
}

#[derive(Serialize)]
struct Report {
    tkanina: &'static str,
    machine: Machine,
    samples: u32,
    rows: Vec<Row>,
}

impl Args {
    /// Runs and prints.
    pub fn run(self) -> Result<(), Failure> {
        let machine = Machine::here();
        print(&format!("tkanina {} on {machine}\n", env!("CARGO_PKG_VERSION")))?;
        let mut rows = Vec::new();
        for bench in BENCHES {
            if self.name.as_deref().is_some_and(|name| name != bench.name) {
                continue;
            }
            print(&format!("\n{}: {}\n{}\n", bench.name, bench.about, Row::header()))?;
            for row in (bench.run)(self.samples) {
                print(&format!("{row}\n"))?;
                rows.push(row);
            }
        }
        if let Some(path) = &self.json {
            let version = env!("CARGO_PKG_VERSION");
            let report = Report { tkanina: version, machine, samples: self.samples, rows };
            let text = serde_json::to_string_pretty(&report)
                .map_err(|e| Failure::other(miette!("the rows cannot be written: {e}")))?;
            write_file(path, |out| out.write_all(text.as_bytes())).map_err(Failure::other)?;
        }
        Ok(())
    }
}
