//! `cargo xtask gallery`: a picture of every built-in scene, a film where motion matters, and the
//! page that shows them.

mod comparison;
mod thumbnails;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::{cargo, finish, program};

const FOLDER: &str = "docs/gallery";
/// Budgets. [bytes]
const PICTURE: u64 = 150_000;
const FILM: u64 = 1_000_000;
const ALL: u64 = 20_000_000;
/// Sizes, largest first: the first that fits the budget is kept.
const PICTURE_SIZES: [&str; 3] = ["640x400", "560x350", "480x300"];
const FILM_SIZES: [&str; 3] = ["320x200", "256x160", "192x120"];

/// What of a scene is shown where it is not the end alone.
struct Moments {
    scene: &'static str,
    /// Time of the picture. [s]
    at: f64,
    /// First and last time of a film. [s]
    film: Option<[f64; 2]>,
}

const fn moving(scene: &'static str, at: f64, from: f64, to: f64) -> Moments {
    Moments { scene, at, film: Some([from, to]) }
}

const fn still(scene: &'static str, at: f64) -> Moments {
    Moments { scene, at, film: None }
}

/// Scenes whose end is not what they are about, and those with a film.
const MOMENTS: &[Moments] = &[
    moving("ball-into-cloth", 0.7, 0.4, 2.0),
    moving("carried-cloth", 3.0, 1.0, 4.0),
    moving("cloth-on-cube", 8.0, 0.0, 5.0),
    moving("cloth-on-floor", 0.5, 0.0, 2.0),
    moving("cloth-on-sphere", 5.0, 0.0, 2.5),
    moving("cloth-on-sphere-windy", 4.0, 0.0, 8.0),
    moving("cloth-on-turntable", 3.0, 1.0, 4.0),
    moving("cloth-over-table", 5.0, 0.0, 2.0),
    moving("curtain-fabrics", 4.0, 0.0, 3.0),
    moving("flag-three-pins", 8.0, 2.0, 8.0),
    moving("flag-turbulent", 3.0, 2.0, 5.0),
    moving("flag-two-pins", 8.0, 2.0, 8.0),
    moving("flag-windy", 6.0, 2.0, 8.0),
    moving("hung-by-two-corners-windy", 12.0, 0.0, 6.0),
    moving("ladder-3-undamped", 0.9, 0.0, 3.0),
    still("ladder-2-gravity-only", 0.5),
    moving("pin-that-breaks", 0.9, 0.0, 3.0),
    moving("paper-torn-in-two", 0.8, 0.0, 3.0),
    moving("ball-through-cloth", 1.6, 0.0, 3.0),
    moving("punch-wave", 1.12, 0.9, 2.4),
    moving("sheltered-flags", 3.0, 2.0, 5.0),
    still("ball-shot-at-cloth", 0.7),
    still("cloth-in-bowl", 4.0),
    moving("cloth-through-ring", 1.5, 0.0, 4.0),
    moving("coiling-ribbon", 4.0, 1.0, 5.0),
    moving("dressed-figure", 3.6, 1.0, 5.5),
    still("flag-round-pole", 3.0),
    moving("folding-cloth", 1.0, 0.0, 2.0),
    still("silk-and-wool-slide", 0.6),
    still("stacked-layers", 2.5),
    still("table-and-chairs", 4.0),
    moving("tangled-start", 0.1, 0.0, 1.5),
    still("impossible-squeeze", 1.5),
    moving("wrung-cloth", 4.0, 0.0, 4.0),
    moving("balloon-bursts", 1.75, 0.5, 3.0),
    moving("soft-rolling", 1.5, 0.0, 3.0),
    moving("soft-losing-pressure", 6.0, 1.5, 4.0),
    still("soft-pressure-only", 0.3),
    moving("soft-on-trampoline", 0.55, 0.0, 3.0),
    still("bars-of-three-widths", 2.0),
    moving("bouncing-castle", 0.6, 0.0, 2.5),
    still("chain-of-cores", 0.8),
    moving("head-in-a-cage", 0.42, 0.0, 2.0),
    moving("jelly-on-edge", 0.8, 0.2, 1.8),
    still("plush-thrown", 0.55),
    moving("plush-toy", 0.6, 0.0, 2.0),
    still("shape-matched-balls", 1.0),
    still("solid-jelly", 0.5),
    still("solid-ring", 2.0),
    still("one-hair", 0.35),
    still("tuft-in-motion", 1.3),
    still("tuft-under-force", 1.9),
    moving("hair-straight", 1.35, 0.5, 3.5),
    still("hair-wavy", 1.3),
    still("long-hair-over-shoulders", 4.0),
    still("fur-ball-rolling", 1.6),
    still("fur-in-four-ways", 2.0),
    moving("grass-in-gusts", 3.0, 2.0, 4.0),
    moving("rope-knot", 4.5, 0.5, 6.0),
    still("rope-bridge", 2.0),
    still("rope-in-hammock", 4.0),
    moving("strands-of-each-model", 0.6, 0.0, 3.0),
];

/// Draws everything and writes the page.
pub fn gallery() -> Result<(), String> {
    cargo(&["build", "--release", "--package", "tkanina"])?;
    let program = program();
    std::fs::create_dir_all(FOLDER).map_err(|e| format!("{FOLDER}: {e}"))?;
    let mut page = HEAD.to_owned();
    let mut sum = 0;
    let scenes = scenes(&program)?;
    for scene in &scenes {
        println!("> {}", scene.name);
        let moments = MOMENTS.iter().find(|moments| moments.scene == scene.name);
        let picture = picture(&program, scene, moments)?;
        let film = match moments.and_then(|moments| moments.film) {
            Some(times) => Some(film(&program, scene, times)?),
            None => None,
        };
        sum += picture.bytes + film.as_ref().map_or(0, |film| film.bytes);
        scene.describe(&picture, film.as_ref(), &mut page);
    }
    println!("> solvers side by side");
    sum += comparison::draw(&program, &mut page)?;
    if sum > ALL {
        return Err(format!("{FOLDER} has {sum} bytes; it may have {ALL}"));
    }
    let names: Vec<&str> = scenes.iter().map(|scene| scene.name.as_str()).collect();
    thumbnails::thumbnails(&names)?;
    let path = format!("{FOLDER}/README.md");
    std::fs::write(&path, page).map_err(|e| format!("{path}: {e}"))?;
    println!("\n{path}: {:.1} MB of pictures", sum as f64 / 1e6);
    Ok(())
}

const HEAD: &str = "\
# Gallery

Every scene that comes with the program. `cargo xtask gallery` draws all of this again.
";

/// A file of the gallery.
struct Drawn {
    file: String,
    bytes: u64,
    /// The command that makes it.
    command: String,
}

fn picture(program: &Path, scene: &Scene, moments: Option<&Moments>) -> Result<Drawn, String> {
    let at = moments.map_or_else(String::new, |moments| format!(" --at {}", moments.at));
    let options = |size: &str| format!("--size {size}{at}");
    fitting(program, scene, "png", (PICTURE, PICTURE_SIZES), options)
}

fn film(program: &Path, scene: &Scene, [from, to]: [f64; 2]) -> Result<Drawn, String> {
    // All built-in scenes have 60 frames a second; every fifth of them makes 12.
    let frames = (60.0 * to).round();
    let options = |size: &str| format!("--size {size} --from {from} --frames {frames} --every 5");
    fitting(program, scene, "gif", (FILM, FILM_SIZES), options)
}

/// Draws a file in the largest size that fits its budget.
fn fitting(
    program: &Path,
    scene: &Scene,
    ending: &str,
    (budget, sizes): (u64, [&str; 3]),
    options: impl Fn(&str) -> String,
) -> Result<Drawn, String> {
    let file = format!("{}.{ending}", scene.name);
    if let Some(kept) = kept(&file) {
        return Ok(kept);
    }
    let mut bytes = 0;
    for size in sizes {
        let drawn = draw(program, scene, &file, &options(size))?;
        if drawn.bytes <= budget {
            return Ok(drawn);
        }
        bytes = drawn.bytes;
    }
    Err(format!("{file} has {bytes} bytes; it may have {budget}"))
}

/// A picture that is there already, where only missing ones are asked for.
fn kept(file: &str) -> Option<Drawn> {
    if !std::env::args().any(|argument| argument == "--missing") {
        return None;
    }
    let bytes = std::fs::metadata(format!("{FOLDER}/{file}")).ok()?.len();
    let page = std::fs::read_to_string(format!("{FOLDER}/README.md")).ok()?;
    let command = page.lines().find(|line| line.contains(&format!(" --out {file} ")))?;
    Some(Drawn { file: file.to_owned(), bytes, command: command.to_owned() })
}

fn draw(program: &Path, scene: &Scene, file: &str, options: &str) -> Result<Drawn, String> {
    let path = format!("{FOLDER}/{file}");
    let mut command = Command::new(program);
    command.args(["render", &scene.name, "--quiet", "--out", &path]);
    command.args(options.split_whitespace());
    if scene.explodes {
        // The last frame before it flew apart is the picture; the exit code tells the rest.
        let status = command.status().map_err(|e| format!("cannot start tkanina: {e}"))?;
        if status.code() != Some(3) {
            return Err(format!("{} did not explode ({status})", scene.name));
        }
    } else {
        finish(command, &format!("tkanina render {}", scene.name))?;
    }
    let bytes = std::fs::metadata(&path).map_err(|e| format!("{path}: {e}"))?.len();
    let command = format!("tkanina render {} --out {file} {options}", scene.name);
    Ok(Drawn { file: file.to_owned(), bytes, command })
}

/// What the page says of a scene.
struct Scene {
    name: String,
    title: String,
    about: String,
    reproduces: String,
    explodes: bool,
}

impl Scene {
    fn describe(&self, picture: &Drawn, film: Option<&Drawn>, page: &mut String) {
        let Self { name, title, about, reproduces, .. } = self;
        let _ = write!(page, "\n## {title}\n\n{about}\n");
        if !reproduces.is_empty() {
            let _ = write!(page, "\nReproduces {reproduces}.\n");
        }
        let _ = write!(page, "\n![{name}]({})", picture.file);
        if let Some(film) = film {
            let _ = write!(page, " ![{name}, moving]({})", film.file);
        }
        let _ = write!(page, "\n\n```\n{}\n", picture.command);
        if let Some(film) = film {
            let _ = writeln!(page, "{}", film.command);
        }
        page.push_str("```\n");
    }
}

/// All built-in scenes, as the program lists them.
fn scenes(program: &Path) -> Result<Vec<Scene>, String> {
    let output = Command::new(program)
        .args(["scenes", "--json"])
        .output()
        .map_err(|e| format!("cannot start {}: {e}", program.display()))?;
    let listed: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("tkanina scenes --json: {e}"))?;
    let text = |scene: &serde_json::Value, field: &str| {
        scene[field].as_str().unwrap_or_default().trim_end_matches('.').to_owned()
    };
    let scenes = listed.as_array().ok_or("tkanina scenes --json gives no list")?;
    let scene = |scene: &serde_json::Value| Scene {
        name: text(scene, "name"),
        title: text(scene, "title"),
        about: scene["about"].as_str().unwrap_or_default().to_owned(),
        reproduces: text(scene, "reproduces"),
        explodes: scene["explodes"].as_bool().unwrap_or_default(),
    };
    Ok(scenes.iter().map(scene).collect())
}
