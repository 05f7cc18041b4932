//! Runs that go well.

use super::folder::{Folder, SMALL};

const RUN: [&str; 2] = ["run", "small.scene.yaml"];

#[test]
fn writes_nothing_unasked() {
    let folder = Folder::new();
    let before = folder.content();
    let ended = folder.done(&RUN);
    for part in ["10 frames", "80 steps", "particles: 48", "stretch: ", "energy: ", "contacts: "] {
        assert!(ended.out.contains(part), "no {part:?} in {}", ended.out);
    }
    ended.hash();
    assert_eq!(ended.err, "");
    assert_eq!(folder.content(), before);
}

#[test]
fn obj_is_the_default_with_a_folder() {
    let folder = Folder::new();
    folder.done(&[&RUN[..], &["--out", "o", "--every", "5"]].concat());
    let mut names: Vec<String> = folder.content();
    names.retain(|name| name.starts_with("o/f"));
    assert_eq!(names.len(), 3, "{names:?}");
    for frame in [0, 5, 10] {
        let text = folder.read(&format!("o/frame_{frame:06}.obj"));
        assert!(text.contains("\no sheet\n"), "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with("v ")).count(), 48);
    }
    // The initial state: the corner of a sheet of 1 m × 0.8 m at height 1 m.
    let first = folder.read("o/frame_000000.obj");
    assert!(first.contains("\nv -0.5 1 -0.4\n"), "{first}");
    assert_ne!(first, folder.read("o/frame_000005.obj"));
}

#[test]
fn ply_and_pc2() {
    let folder = Folder::new();
    folder.done(&[&RUN[..], &["--export", "ply", "--every", "10"]].concat());
    let ply = std::fs::read(folder.path("out/small/frame_000010.ply")).unwrap();
    assert!(ply.starts_with(b"ply\nformat binary_little_endian"));
    folder.done(&[&RUN[..], &["--export", "pc2", "--out", "p", "--every", "2"]].concat());
    let pc2 = std::fs::read(folder.path("p/sheet.pc2")).unwrap();
    assert_eq!(pc2.len(), 32 + 6 * 48 * 12);
    assert_eq!(pc2[28..32], 6_i32.to_le_bytes());
    assert!(folder.read("p/sheet.obj").contains("o sheet"));
}

#[test]
fn export_none_wins_over_a_folder() {
    let folder = Folder::new();
    let before = folder.content();
    folder.done(&[&RUN[..], &["--export", "none", "--out", "o"]].concat());
    assert_eq!(folder.content(), before);
}

#[test]
fn statistics_have_every_field() {
    let folder = Folder::new();
    let args = ["--stats", "s.json", "--threads", "3", "--frames", "7", "--verify"];
    let ended = folder.done(&[&RUN[..], &args].concat());
    let stats = folder.json("s.json");
    let number = |path: &str| {
        let value = stats.pointer(path).unwrap_or_else(|| panic!("no {path}"));
        value.as_f64().unwrap_or_else(|| panic!("{path} is {value}"))
    };
    assert_eq!(stats["tkanina"], env!("CARGO_PKG_VERSION"));
    assert_eq!(stats["scene"], "small.scene.yaml");
    assert_eq!(
        (stats["solver"].as_str(), stats["backend"].as_str()),
        (Some("verlet"), Some("cpu"))
    );
    assert_eq!(stats["state_hash"], ended.hash());
    let exact = [("/threads", 3.0), ("/particles", 48.0), ("/frames", 7.0), ("/steps", 56.0)];
    for (path, value) in exact {
        assert_eq!(number(path), value, "{path}");
    }
    assert!((number("/simulated_s") - 0.14).abs() < 1e-9);
    // Rows of 7 and columns of 5, both diagonals, and the same over two points.
    assert!(number("/elements/spring") >= 82.0 + 70.0);
    let rate = 48.0 * 56.0 / number("/wall_s");
    assert!((number("/particle_updates_per_s") / rate - 1.0).abs() < 1e-6);
    let [median, p99, max] = ["median", "p99", "max"].map(|p| number(&format!("/frame_ms/{p}")));
    assert!(0.0 < median && median <= p99 && p99 <= max && max <= 1e3 * number("/wall_s"));
    let [now, mean, ever] = ["max", "mean", "max_ever"].map(|p| number(&format!("/stretch/{p}")));
    assert!(0.0 < mean && mean <= now.max(mean) && now <= ever && ever < 1.0);
    let parts = ["kinetic", "elastic", "gravity"].map(|p| number(&format!("/energy_J/{p}")));
    assert!((parts.iter().sum::<f64>() - number("/energy_J/total")).abs() < 1e-9);
    assert!(parts[2] < 48.0 * 0.01 * 9.81, "the sheet fell from 1 m");
    assert_eq!(stats["momentum_kg_m_s"].as_array().unwrap().len(), 3);
    assert_eq!(stats["volume_m3"], serde_json::json!([]));
    for path in ["/contacts", "/intersections", "/nonfinite"] {
        number(path);
    }
    assert_eq!(stats.get("exploded"), None);
}

#[test]
fn expectations_are_judged_only_over_the_whole_duration() {
    let folder = Folder::new();
    let stats = |args: &[&str]| {
        let ended = folder.done(&[&RUN[..], &["--stats", "s.json"], args].concat());
        (ended.err, folder.json("s.json").get("unmet_expectations").cloned())
    };
    assert_eq!(stats(&[]), (String::new(), Some(serde_json::json!([]))));
    folder.write("small.scene.yaml", format!("{SMALL}expect: {{ max_stretch: 1e-9 }}\n"));
    let (told, unmet) = stats(&[]);
    assert!(told.contains("warning: not as the scene expects: max_stretch is 0."), "{told}");
    assert_eq!(unmet.unwrap().as_array().unwrap().len(), 1);
    assert_eq!(stats(&["--frames", "9"]), (String::new(), None));
    assert_eq!(stats(&["--frames", "11"]), (String::new(), None));
}

#[test]
fn threads_do_not_show() {
    let folder = Folder::new();
    let hash = |threads: &str, frames: &str| {
        let large = ["--set", "bodies[0].shape.points=[110, 100]", "--set", "time.substeps=auto"];
        let args = ["--threads", threads, "--frames", frames];
        folder.done(&[&RUN[..], &large, &args].concat()).hash()
    };
    let alone = hash("1", "3");
    for threads in ["2", "3", "8"] {
        assert_eq!(hash(threads, "3"), alone, "{threads} threads");
    }
    assert_ne!(hash("1", "2"), alone);
}

#[test]
fn set_and_solver_change_the_run() {
    let folder = Folder::new();
    let hash = |args: &[&str]| folder.done(&[&RUN[..], args].concat()).hash();
    let plain = hash(&[]);
    assert_eq!(hash(&["--solver", "verlet", "--set", "name=Other"]), plain);
    assert_ne!(hash(&["--solver", "rk4"]), plain);
    assert_ne!(hash(&["--solver", "verlet", "--set", "solver.loss=0.1"]), plain);
    assert_ne!(hash(&["--set", "gravity_m_s2=[0,-1,0]"]), plain);
}

#[test]
fn quiet_leaves_out_notes() {
    let folder = Folder::new();
    let auto = [&RUN[..], &["--solver", "auto"]].concat();
    assert!(folder.done(&auto).err.starts_with("note: solver: "));
    let quiet = folder.done(&[&auto[..], &["--quiet"]].concat());
    assert_eq!(quiet.err, "");
    quiet.hash();
}

#[test]
fn a_folder_does_not_hide_a_built_in_scene() {
    let folder = Folder::new();
    folder.done(&["run", "hanging-cloth", "--frames", "1", "--out", "hanging-cloth"]);
    folder.done(&["run", "hanging-cloth", "--frames", "1", "--out", "hanging-cloth"]);
}
