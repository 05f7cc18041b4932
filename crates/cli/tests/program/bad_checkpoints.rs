//! Checkpoints that cannot be resumed from.

use super::folder::Folder;

const RUN: [&str; 2] = ["run", "small.scene.yaml"];

/// A folder with a right checkpoint of frame 5, and its bytes.
fn with_checkpoint() -> (Folder, Vec<u8>) {
    let folder = Folder::new();
    let args = ["--frames", "5", "--checkpoint-every", "5", "--out", "c", "--export", "none"];
    folder.done(&[&RUN[..], &args].concat());
    let bytes = std::fs::read(folder.path("c/checkpoint.tkc")).unwrap();
    (folder, bytes)
}

#[track_caller]
fn refused(folder: &Folder, args: &[&str], wanted: &[&str]) {
    let resume = ["--resume", "c/checkpoint.tkc", "--out", "o", "--stats", "s.json"];
    folder.refused(&[&RUN[..], &resume, args].concat(), wanted);
}

#[test]
fn of_another_version() {
    let (folder, mut bytes) = with_checkpoint();
    bytes[8] = 99;
    folder.write("c/checkpoint.tkc", &bytes);
    refused(&folder, &[], &["c/checkpoint.tkc", "has format 99; this version reads 1"]);
}

#[test]
fn truncated() {
    let (folder, bytes) = with_checkpoint();
    for length in [9, 30, bytes.len() / 2, bytes.len() - 1] {
        folder.write("c/checkpoint.tkc", &bytes[..length]);
        refused(&folder, &[], &["is cut off", &format!("{length} of ")]);
    }
}

#[test]
fn damaged() {
    let (folder, mut bytes) = with_checkpoint();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    folder.write("c/checkpoint.tkc", &bytes);
    refused(&folder, &[], &["is damaged", "checksum"]);
}

#[test]
fn no_checkpoint_at_all() {
    let (folder, _) = with_checkpoint();
    for content in ["", "format: 1\n", "some other file that is long enough to be anything"] {
        folder.write("c/checkpoint.tkc", content);
        refused(&folder, &[], &["is not a checkpoint of Tkanina", "--checkpoint-every"]);
    }
    std::fs::remove_file(folder.path("c/checkpoint.tkc")).unwrap();
    refused(&folder, &[], &["`c/checkpoint.tkc` cannot be read"]);
    std::fs::create_dir(folder.path("c/checkpoint.tkc")).unwrap();
    refused(&folder, &[], &["`c/checkpoint.tkc` cannot be read"]);
}

#[test]
fn of_another_scene_or_other_settings() {
    let (folder, _) = with_checkpoint();
    let wanted = ["belongs to another scene (`Small sheet`) or other settings", "--set"];
    refused(&folder, &["--set", "gravity_m_s2=[0, -1, 0]"], &wanted);
    refused(&folder, &["--solver", "rk4"], &wanted);
}

#[test]
fn past_the_end() {
    let (folder, _) = with_checkpoint();
    refused(&folder, &["--frames", "4"], &["is at frame 5, but only 4 are asked for"]);
}

#[test]
fn with_a_point_cache() {
    let (folder, _) = with_checkpoint();
    refused(&folder, &["--export", "pc2"], &["a PC2 file cannot be continued", "obj or ply"]);
}
