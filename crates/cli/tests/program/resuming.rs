//! Runs that are interrupted and go on.

use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::folder::Folder;

/// Large enough to be caught in the middle.
const RUN: [&str; 6] =
    ["run", "small.scene.yaml", "--set", "bodies[0].shape.points=[24, 24]", "--frames", "2000"];

#[test]
fn killed_and_resumed_gives_the_same_bits() {
    let folder = Folder::new();
    let whole = folder.done(&[&RUN[..], &["--stats", "whole.json"]].concat());
    let mut child = folder
        .command()
        .args(RUN)
        .args(["--checkpoint-every", "7", "--out", "c", "--export", "none"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let patience = Instant::now() + Duration::from_secs(30);
    while !folder.path("c/checkpoint.tkc").exists() {
        assert!(Instant::now() < patience, "no checkpoint appears");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9), "it was done before it could be killed");
    let resume = ["--resume", "c/checkpoint.tkc", "--stats", "resumed.json"];
    let resumed = folder.done(&[&RUN[..], &resume].concat());
    assert_eq!(resumed.hash(), whole.hash());
    let (a, b) = (folder.json("whole.json"), folder.json("resumed.json"));
    for field in ["frames", "steps", "simulated_s", "stretch", "energy_J", "contacts", "broken"] {
        assert_eq!(a[field], b[field], "{field}");
    }
    // Only what this process did is timed.
    let steps = |stats: &serde_json::Value| {
        let rate = stats["particle_updates_per_s"].as_f64().unwrap();
        (rate * stats["wall_s"].as_f64().unwrap() / (24.0 * 24.0)).round()
    };
    assert_eq!(steps(&a), 2000.0 * 8.0);
    assert!(steps(&b) < 2000.0 * 8.0 && steps(&b) % (7.0 * 8.0) == 2000.0 * 8.0 % (7.0 * 8.0));
}

#[test]
fn exports_go_on_where_they_ended() {
    let folder = Folder::new();
    let run = ["run", "small.scene.yaml"];
    folder.done(&[&run[..], &["--out", "whole"]].concat());
    let args = ["--out", "parts", "--frames", "6", "--checkpoint-every", "3"];
    folder.done(&[&run[..], &args].concat());
    let checkpoint = folder.path("parts/checkpoint.tkc").display().to_string();
    folder.done(&[&run[..], &["--out", "parts", "--resume", &checkpoint]].concat());
    for frame in 0..=10 {
        let name = format!("frame_{frame:06}.obj");
        let [a, b] = ["whole", "parts"].map(|dir| folder.read(&format!("{dir}/{name}")));
        assert_eq!(a, b, "{name}");
    }
}

#[test]
fn a_run_that_is_done_resumes_to_itself() {
    let folder = Folder::new();
    let run = ["run", "small.scene.yaml"];
    let args = ["--checkpoint-every", "10", "--out", "c", "--export", "none", "--stats", "a"];
    let whole = folder.done(&[&run[..], &args].concat());
    let resume = ["--resume", "c/checkpoint.tkc", "--stats", "b"];
    let again = folder.done(&[&run[..], &resume].concat());
    assert_eq!(again.hash(), whole.hash());
    // What was seen on the way is remembered, not only the state.
    let ever = |name: &str| folder.json(name)["stretch"]["max_ever"].as_f64().unwrap();
    assert!(ever("a") > 0.0 && ever("b") == ever("a"), "{} {}", ever("a"), ever("b"));
}
