//! `tkanina compare` and the guide made by the same means.

use serde_json::Value;

use super::folder::{Ended, Folder, SMALL};

const SCENE: &str = "small.scene.yaml";
/// Far too stiff for one step a frame.
const STIFF: [&str; 2] = ["--set", "materials.sheet.springs.stiffness=20000"];

#[track_caller]
fn compare(folder: &Folder, solvers: &str, args: &[&str]) -> Ended {
    folder.done(&[&["compare", SCENE, "--solvers", solvers], args].concat())
}

/// The JSON of a comparison.
#[track_caller]
fn measured(solvers: &str, args: &[&str]) -> Value {
    let folder = Folder::new();
    compare(&folder, solvers, &[args, &["--json", "c.json"]].concat());
    folder.json("c.json")
}

fn rms(solver: &Value) -> f64 {
    solver["summary"]["distance"]["rms_m"].as_f64().unwrap()
}

#[test]
fn the_table_has_a_row_for_each_solver() {
    let said = compare(&Folder::new(), "verlet,rk4, verlet@16 ,verlet:loss=0.01,scene", &[]).out;
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("small.scene.yaml: 10 frames of 20 ms, 48 points"), "{said}");
    assert!(lines[1].starts_with("reference: rk4, "), "{said}");
    assert!(lines[1].contains(" of itself at twice the step"), "{said}");
    assert!(lines[3].starts_with("solver ") && lines[3].ends_with("state"), "{said}");
    assert!(lines[4].contains(" ms ") && lines[4].contains("mm RMS"), "{said}");
    let starts = ["verlet ", "rk4 ", "verlet@16 ", "verlet:loss=0.01 ", "scene "];
    for (row, start) in lines[5..].iter().zip(starts) {
        assert!(row.starts_with(start) && row.ends_with("  stable"), "{start}: {said}");
    }
    // The columns line up: every row has its state where the head has the word.
    let at = lines[3].chars().count() - "state".len();
    for row in &lines[5..10] {
        assert_eq!(row.chars().skip(at).collect::<String>(), "stable", "{said}");
    }
}

#[test]
fn the_json_holds_every_frame() {
    let found = measured("verlet,rk4", &["--frames", "7", "--repeat", "2"]);
    let solvers = found["solvers"].as_array().unwrap();
    assert_eq!((solvers.len(), &found["frames"], &found["repeat"]), (2, &7.into(), &2.into()));
    for solver in solvers {
        for (name, values) in solver["series"].as_object().unwrap() {
            assert_eq!(values.as_array().unwrap().len(), 7, "{name}");
        }
        let sum = |i: usize| {
            let value = |name: &str| solver["series"][name][i].as_f64().unwrap();
            value("kinetic_J") + value("elastic_J") + value("gravity_J") - value("total_J")
        };
        assert!(sum(3).abs() < 1e-9);
        assert_eq!(solver["summary"]["stable"], true);
        assert_eq!(solver["exploded"], Value::Null);
    }
    assert_eq!(solvers[1]["kind"], "rk4");
    assert!(found["command"].as_str().unwrap().contains("--solvers verlet,rk4 --frames 7"));
}

#[test]
fn a_solver_is_at_no_distance_from_itself() {
    let found = measured("verlet@8,verlet@16", &["--reference", "verlet@8"]);
    let [same, other] = [&found["solvers"][0], &found["solvers"][1]];
    assert_eq!(rms(same), 0.0);
    assert_eq!(same["summary"]["energy_drift"], 0.0);
    assert!(rms(other) > 1e-6);
    // The same bits as `run` makes, on any number of threads.
    let run = Folder::new().done(&["run", SCENE, "--threads", "1"]);
    assert_eq!(same["state_hash"], run.hash());
    let threads = measured("verlet@8", &["--threads", "3", "--reference", "none"]);
    assert_eq!(threads["solvers"][0]["state_hash"], run.hash());
    assert_eq!(threads["solvers"][0]["summary"]["distance"], Value::Null);
}

#[test]
fn distance_shrinks_as_the_order_of_the_method_says() {
    let solvers = "semi-implicit-euler@16,semi-implicit-euler@32,semi-implicit-euler@64";
    let found = measured(solvers, &["--set", "colliders=[]"]);
    let [coarse, middle, fine] = [0, 1, 2].map(|i| rms(&found["solvers"][i]));
    for ratio in [coarse / middle, middle / fine] {
        assert!((1.9..2.1).contains(&ratio), "{coarse} {middle} {fine}");
    }
    // The reference is of higher order, as fine as any of them, and says how good it is.
    assert!(found["reference"]["substeps"].as_u64().unwrap() >= 64);
    let within = found["reference"]["within_of_itself"]["rms_m"].as_f64().unwrap();
    assert!(within > 0.0 && within < 0.01 * fine, "{within} {fine}");
}

#[test]
fn a_reference_that_takes_too_long_is_coarser_or_none_and_says_so() {
    let folder = Folder::new();
    let said = compare(&folder, "verlet", &["--reference-budget-s", "0"]).out;
    assert!(said.contains("reference: none: it would take "), "{said}");
    assert!(said.contains("--reference-budget-s") && !said.contains("mm RMS"), "{said}");
}

#[test]
fn explosions_are_told_with_their_time_and_the_others_go_on() {
    let folder = Folder::new();
    let args = [&STIFF[..], &["--json", "c.json", "--out", "o"]].concat();
    let ended = compare(&folder, "verlet@1,verlet@200", &args);
    let row = |start: &str| ended.out.lines().find(|line| line.starts_with(start)).unwrap();
    let found = folder.json("c.json");
    let exploded = &found["solvers"][0]["exploded"];
    let time = exploded["time_s"].as_f64().unwrap();
    assert!(time > 0.0 && time <= 0.2);
    assert!(row("verlet@1 ").ends_with(&format!("exploded at {time} s")), "{}", ended.out);
    assert!(row("verlet@1: ").contains("the step of 20.000 ms is above the stable"));
    assert!(row("verlet@200 ").ends_with("stable"));
    assert!(ended.err.contains("warning: verlet@1: step 20.000 ms is above"), "{}", ended.err);
    assert_eq!(found["solvers"][0]["summary"]["stable"], false);
    assert!(folder.read("o/index.html").contains(&format!("exploded at {time} s")));
}

#[test]
fn when_all_explode_the_exit_code_says_so_and_the_files_are_there() {
    let folder = Folder::new();
    let args = [&["compare", SCENE, "--solvers", "verlet@1,rk4@1", "--json", "c.json"], &STIFF[..]];
    let ended = folder.run(&args.concat());
    ended.says(3, &["no solver reached the end", "--substeps"]);
    assert_eq!(ended.out.lines().filter(|line| line.contains("exploded at 0.")).count(), 2);
    assert_eq!(folder.json("c.json")["solvers"].as_array().unwrap().len(), 2);
}

#[test]
fn a_solver_that_cannot_run_the_scene_gets_a_row_with_the_reason() {
    let said = compare(&Folder::new(), "super-helix,verlet", &[]).out;
    assert!(said.lines().any(|l| l.starts_with("super-helix ") && l.ends_with("cannot run")));
    assert!(said.contains("super-helix: `super-helix` is for strands"), "{said}");
    // If none can, the input is wrong.
    let wanted = ["`super-helix` is for strands", "use one of"];
    Folder::new().refused(&["compare", SCENE, "--solvers", "super-helix"], &wanted);
}

#[track_caller]
fn refused(args: &[&str], wanted: &[&str]) {
    let all = [&["compare", SCENE, "--out", "o", "--json", "c.json"], args].concat();
    Folder::new().refused(&all, wanted);
}

#[test]
fn wrong_names_options_and_numbers_have_remedies() {
    refused(&["--solvers", "verlet,verlett"], &["no solver `verlett`", "did you mean `verlet`?"]);
    refused(&["--solvers", "verlet", "--reference", "rk5"], &["--reference: ", "mean `rk4`?"]);
    refused(&["--solvers", "verlet@0"], &["`0` is no number of steps", "1 to 10000"]);
    refused(&["--solvers", "xpbd{iterations=4"], &["braces", "xpbd{iterations=4}@8"]);
    refused(&["--solvers", "verlet:loss=2"], &["--solvers verlet:loss=2:1:", "loss"]);
    refused(&["--solvers", "verlet:los=0"], &["did you mean `loss`?"]);
    refused(&["--solvers", "verlet", "--substeps", "no"], &["--substeps", "or auto"]);
    refused(&["--solvers", "verlet", "--set", "time.duration_s=0"], &["lasts 0 s", "--frames"]);
    refused(&["--solvers", "verlet", "--set", "gravity=1"], &["--set 1:1:", "gravity_m_s2"]);
    refused(&[], &["--solvers <LIST>"]);
    let gone = ["compare", "flag-turbulant", "--solvers", "verlet"];
    Folder::new().refused(&gone, &["did you mean the built-in scene `flag-turbulent`?"]);
}

#[test]
fn substeps_of_all_and_of_one() {
    let found = measured("verlet,verlet@5,verlet@auto", &["--substeps", "20"]);
    let steps = |i: usize| found["solvers"][i]["summary"]["steps_a_frame"].as_f64().unwrap();
    assert_eq!([steps(0), steps(1)], [20.0, 5.0]);
    assert!(steps(2) >= 1.0 && steps(2) != 20.0);
}

/// Everything in quotes after an attribute.
fn attributes<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let start = format!(" {name}=\"");
    let parts = text.split(start.as_str()).skip(1);
    parts.map(|part| part.split('"').next().unwrap()).collect()
}

#[test]
fn the_report_is_one_file_that_needs_no_other() {
    let folder = Folder::new();
    let about = SMALL.replace("A sheet hangs", "<script>alert(1)</script> & a sheet hangs");
    folder.write(SCENE, about);
    compare(&folder, "verlet,rk4", &["--out", "o/deeper", "--quiet"]);
    let names = folder.content();
    assert_eq!(names.iter().filter(|name| name.starts_with("o/")).count(), 3, "{names:?}");
    let page = folder.read("o/deeper/index.html");
    for elsewhere in ["http:", "https:", "//cdn", "<script", "<link", "@import", "url(", "<iframe"]
    {
        assert!(!page.contains(elsewhere), "{elsewhere}");
    }
    let sources = attributes(&page, "src");
    assert_eq!(sources.len(), 3 * 5, "two solvers and the reference, five moments each");
    assert!(sources.iter().all(|source| source.starts_with("data:image/jpeg;base64,/9j/")));
    assert!(attributes(&page, "href").is_empty());
    assert_eq!(attributes(&page, "alt").len(), sources.len());
    assert!(page.matches("<figure>").count() >= 6 && page.matches("<desc>").count() >= 6);
    assert!(page.contains("tkanina compare small.scene.yaml --solvers verlet,rk4"));
    assert!(page.contains("stencil: neighbours-20") && page.contains("prefers-color-scheme: dark"));
}

#[test]
fn without_an_adapter_the_report_has_no_pictures_and_says_so() {
    let folder = Folder::new();
    let mut command = folder.command();
    command.args(["compare", SCENE, "--solvers", "verlet", "--out", "o"]);
    command.env("VK_DRIVER_FILES", "/nowhere").env("VK_ICD_FILENAMES", "/nowhere");
    command.env("__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere").env("LIBGL_DRIVERS_PATH", "/nowhere");
    Ended::of(command.output().unwrap()).says(0, &["warning: without pictures: ", "adapter"]);
    let page = folder.read("o/index.html");
    assert!(page.contains("without pictures") && !page.contains("<img"), "{page}");
}

#[test]
fn nothing_is_left_behind_if_a_place_cannot_be_written() {
    let folder = Folder::new();
    folder.write("taken", "mine");
    let base = ["compare", SCENE, "--solvers", "verlet"];
    let refused = |args: &[&str], wanted: &[&str]| folder.refused(&[&base, args].concat(), wanted);
    refused(&["--out", "taken"], &["`taken` is a file", "--out"]);
    refused(&["--out", "a/b", "--json", "no/c.json"], &["`no/c.json`", "make the folder first"]);
    let before = folder.content();
    let full =
        "trap '' XFSZ; ulimit -f 2; exec \"$TKANINA\" compare small.scene.yaml --solvers verlet";
    let ended = folder.bash(&format!("{full} --out a/b --json c.json"));
    ended.says(1, &["cannot be written", "choose another place"]);
    assert_eq!(folder.content(), before);
}

#[test]
fn solvers_side_by_side_in_one_picture() {
    let folder = Folder::new();
    compare(&folder, "verlet", &["--picture", "a.png", "--frames", "3"]);
    let bytes = std::fs::read(folder.path("a.png")).unwrap();
    let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    // Three moments across; the reference and one solver down, each under its name.
    assert_eq!([side(16), side(20)], [3 * 366 + 6, 24 + 2 * 249 + 6]);
}

#[test]
fn the_guide_measures_its_page_and_plots() {
    let folder = Folder::new();
    let args = ["guide", "--quick", "--solvers", "verlet,rk4,explicit-euler", "--out", "docs"];
    folder.done(&args);
    let page = folder.read("docs/choosing-a-solver.md");
    assert!(page.contains("## What should I choose?") && !page.contains("{{"), "{page}");
    let plots: Vec<&str> = page.split("](choosing-a-solver/").skip(1).collect();
    assert_eq!(plots.len(), 6);
    let mut bytes = page.len();
    for plot in plots {
        let svg =
            folder.read(&format!("docs/choosing-a-solver/{}", plot.split(')').next().unwrap()));
        assert!(svg.starts_with("<svg xmlns=") && svg.contains("verlet") && svg.contains("<desc>"));
        bytes += svg.len();
    }
    assert!(bytes < 300_000, "{bytes}");
    folder
        .refused(&["guide", "--out", "docs", "--solvers", "verlett"], &["did you mean `verlet`?"]);
}
