//! Runs that stop being physical: exit 3, why, and the last good frame.

use super::folder::{Ended, Folder, SMALL};

const TOO_STIFF: [&str; 6] = [
    "run",
    "small.scene.yaml",
    "--set",
    "time.substeps=1",
    "--set",
    "materials.sheet.springs.stiffness=20000",
];

#[track_caller]
fn explode(folder: &Folder, args: &[&str]) -> Ended {
    let ended = folder.run(&[&TOO_STIFF[..], args].concat());
    ended.says(
        3,
        &[
            "the simulation exploded at t = 0.",
            " s: sheet[",
            "because the step of 20.000 ms is above the stable",
            "springs under verlet",
            "--set time.substeps=",
            "times softer",
        ],
    );
    ended
}

/// Number of the last good frame, as the summary has it.
fn last_good(ended: &Ended) -> u64 {
    let line = ended.out.lines().find(|line| line.starts_with("exploded: frame "));
    let line = line.unwrap_or_else(|| panic!("{}", ended.out));
    assert!(line.ends_with("is the last good one"), "{line}");
    line.split(' ').nth(2).unwrap().parse().unwrap()
}

fn assert_finite(folder: &Folder, name: &str) {
    let text = folder.read(name);
    let vertices: Vec<&str> = text.lines().filter(|line| line.starts_with("v ")).collect();
    assert_eq!(vertices.len(), 48);
    for number in vertices.iter().flat_map(|line| line.split(' ').skip(1)) {
        assert!(number.parse::<f32>().unwrap().is_finite(), "{number}");
    }
}

#[test]
fn last_good_frame_and_reason_are_kept() {
    let folder = Folder::new();
    let args = ["--out", "o", "--every", "1000", "--stats", "s.json", "--frames", "1000"];
    let ended = explode(&folder, &args);
    let last = last_good(&ended);
    assert!(last > 0, "too quick an explosion shows nothing");
    let name = format!("o/frame_{last:06}.obj");
    assert_finite(&folder, &name);
    assert_eq!(std::fs::read_dir(folder.path("o")).unwrap().count(), 2);
    let stats = folder.json("s.json");
    assert!(stats["exploded"].as_str().unwrap().starts_with("the simulation exploded at"));
    assert_eq!(stats["frames"], last);
    assert_eq!(stats["nonfinite"], 0);
    assert_eq!(stats["state_hash"], ended.hash());
    assert_eq!(stats.get("unmet_expectations"), None);
    // The frame is that of a run which stops there.
    let whole = folder.done(&[&TOO_STIFF[..], &["--frames", &last.to_string()]].concat());
    assert_eq!(whole.hash(), ended.hash());
}

#[test]
fn point_cache_is_finished_and_the_last_good_frame_beside_it() {
    let folder = Folder::new();
    let args = ["--out", "o", "--export", "pc2", "--every", "1000"];
    let last = last_good(&explode(&folder, &args));
    assert_finite(&folder, &format!("o/frame_{last:06}.obj"));
    let cache = std::fs::read(folder.path("o/sheet.pc2")).unwrap();
    assert_eq!(cache.len(), 32 + 48 * 12);
}

#[test]
fn an_expected_explosion_is_one_all_the_same() {
    let folder = Folder::new();
    folder.write("small.scene.yaml", format!("{SMALL}expect: {{ explodes: true }}\n"));
    let ended = explode(&folder, &["--stats", "s.json"]);
    assert!(!ended.err.contains("not as the scene expects"), "{}", ended.err);
    assert_eq!(folder.json("s.json")["unmet_expectations"], serde_json::json!([]));
}

#[test]
fn a_step_that_is_too_long_is_warned_of() {
    let folder = Folder::new();
    let wanted = [
        "warning: step 20.000 ms is above the stable ",
        "for these springs under verlet",
        "use time.substeps: ",
        "times softer",
    ];
    explode(&folder, &["--quiet"]).says(3, &wanted);
    let check = [&["check"], &TOO_STIFF[1..]].concat();
    let ended = folder.done(&check);
    for part in wanted {
        assert!(ended.out.contains(part), "no {part:?} in {}", ended.out);
    }
}
