//! Places that cannot be written to, before and while simulating.

use super::folder::Folder;

const RUN: [&str; 2] = ["run", "small.scene.yaml"];

#[track_caller]
fn refused(folder: &Folder, args: &[&str], wanted: &[&str]) {
    folder.refused(&[&RUN, args].concat(), wanted);
}

#[test]
fn a_file_in_place_of_the_folder() {
    let folder = Folder::new();
    folder.write("o", "mine");
    refused(&folder, &["--out", "o"], &["`o` is a file", "--out"]);
    refused(&folder, &["--out", "o/deeper", "--export", "ply"], &["`o/deeper` cannot be written"]);
    refused(
        &folder,
        &["--out", "o", "--export", "none", "--checkpoint-every", "1"],
        &["is a file"],
    );
    folder.write("out", "mine too");
    refused(&folder, &["--export", "obj"], &["`out/small` cannot be written"]);
    assert_eq!(folder.read("o"), "mine");
}

#[test]
fn statistics_without_a_place() {
    let folder = Folder::new();
    refused(&folder, &["--stats", "no/s.json"], &["`no/s.json` cannot", "make the folder first"]);
    // The folder for frames was made by then, and is taken away again.
    refused(&folder, &["--stats", "no/s.json", "--out", "a/b"], &["make the folder first"]);
    std::fs::create_dir(folder.path("s.json")).unwrap();
    refused(&folder, &["--stats", "s.json"], &["`s.json` cannot be written", "another file name"]);
}

#[test]
fn checkpoint_without_a_place() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("o/checkpoint.tkc")).unwrap();
    let args = ["--out", "o", "--export", "none", "--checkpoint-every", "1"];
    refused(&folder, &args, &["`o/checkpoint.tkc` cannot be written"]);
}

#[test]
fn statistics_may_lie_in_the_folder_that_is_made() {
    let folder = Folder::new();
    folder.done(&[&RUN[..], &["--out", "a/b", "--stats", "a/b/s.json"]].concat());
    assert_eq!(folder.json("a/b/s.json")["frames"], 10);
}

/// Runs with files limited to `kib` KiB, as on a disk that is full.
fn with_limit(folder: &Folder, kib: u32, args: &str) -> super::folder::Ended {
    let run = "exec \"$TKANINA\" run small.scene.yaml";
    folder.bash(&format!("trap '' XFSZ; ulimit -f {kib}; {run} {args}"))
}

#[test]
fn disk_full_at_the_first_frame() {
    let folder = Folder::new();
    let ended = with_limit(&folder, 1, "--out o --stats s.json");
    ended.says(1, &["`o/frame_000000.obj` cannot be written", "choose another place"]);
    assert_eq!(folder.content().len(), 2, "{:?}", folder.content());
    assert_eq!(ended.out, "");
}

#[test]
fn disk_full_in_mid_run() {
    let folder = Folder::new();
    let ended = with_limit(&folder, 16, "--out o --export pc2 --frames 400");
    ended.says(1, &["`o/sheet.pc2` cannot be written", "choose another place"]);
    let names = folder.content();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names[1].starts_with("o/sheet.obj "), "{names:?}");
}

#[test]
fn disk_full_at_the_checkpoint_keeps_the_one_before() {
    let folder = Folder::new();
    let args = "--export none --checkpoint-every 5 --out o";
    folder.bash(&format!("\"$TKANINA\" run small.scene.yaml {args}"));
    let before = std::fs::read(folder.path("o/checkpoint.tkc")).unwrap();
    let ended = with_limit(&folder, 1, args);
    ended.says(1, &["`o/checkpoint.tkc` cannot be written"]);
    assert_eq!(std::fs::read(folder.path("o/checkpoint.tkc")).unwrap(), before);
    assert_eq!(folder.content().len(), 3, "{:?}", folder.content());
}

#[test]
fn disk_full_at_the_statistics() {
    let folder = Folder::new();
    let before = folder.content();
    with_limit(&folder, 0, "--stats s.json").says(1, &["`s.json` cannot be written"]);
    assert_eq!(folder.content(), before);
}
