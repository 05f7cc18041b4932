//! A folder of a test's own, with the program run in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_tkanina");

/// A sheet of 8 × 6 points that hangs by two corners: 10 frames of 8 steps.
pub const SMALL: &str = "\
format: 1
name: Small sheet
about: A sheet hangs by two corners.
time: { frame_rate_hz: 50, substeps: 8, duration_s: 0.2 }
solver: { kind: verlet }
materials:
  sheet:
    mass: { per_point_kg: 0.01 }
    springs: { stencil: neighbours-20, stiffness: 40, damping: 0.02 }
bodies:
  - name: sheet
    kind: cloth
    shape: { kind: grid, points: [8, 6], size_m: [1.0, 0.8], plane: xz }
    place: { position_m: [0, 1, 0] }
    material: sheet
    pins: [{ points: [[0, 0], [7, 0]] }]
colliders:
  - { name: ball, kind: sphere, center_m: [0, 0.7, 0], radius_m: 0.25 }
";

/// A folder with `small.scene.yaml` in it.
pub struct Folder(TempDir);

/// How a run of the program ended.
pub struct Ended {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.write("small.scene.yaml", SMALL);
        folder
    }

    /// With the small scene changed by replacing a part of it.
    #[track_caller]
    pub fn changed(from: &str, to: &str) -> Self {
        assert!(SMALL.contains(from), "the small scene has no {from:?}");
        let folder = Self::new();
        folder.write("small.scene.yaml", SMALL.replacen(from, to, 1));
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// Everything in the folder, with the lengths of files.
    pub fn content(&self) -> Vec<String> {
        let mut found = Vec::new();
        list(self.0.path(), self.0.path(), &mut found);
        found.sort();
        found
    }

    /// The program, to be run in this folder.
    pub fn command(&self) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(self.0.path()).env_remove("NO_COLOR");
        command
    }

    pub fn run(&self, args: &[&str]) -> Ended {
        Ended::of(self.command().args(args).output().unwrap())
    }

    /// Runs a line of bash in this folder; `$TKANINA` is the program.
    pub fn bash(&self, line: &str) -> Ended {
        let mut bash = Command::new("bash");
        bash.current_dir(self.0.path()).env("TKANINA", PROGRAM).args(["-c", line]);
        Ended::of(bash.output().unwrap())
    }

    /// Must be done, and gives what was said.
    #[track_caller]
    pub fn done(&self, args: &[&str]) -> Ended {
        let ended = self.run(args);
        assert_eq!(ended.code, Some(0), "{args:?}: {}{}", ended.out, ended.err);
        ended
    }

    /// Must be refused as wrong input with every one of `wanted` in the
    /// message, and must leave the folder as it was.
    #[track_caller]
    pub fn refused(&self, args: &[&str], wanted: &[&str]) {
        let before = self.content();
        let ended = self.run(args);
        ended.says(2, wanted);
        assert_eq!(ended.out, "", "{args:?} printed a result");
        assert_eq!(self.content(), before, "{args:?} left something behind");
    }

    /// The small scene must be refused by `run`, with everything on that
    /// would write, and by `check`.
    #[track_caller]
    pub fn scene_refused(&self, wanted: &[&str]) {
        self.refused(&["check", "small.scene.yaml"], wanted);
        let run = ["run", "small.scene.yaml", "--out", "o", "--stats", "s.json"];
        self.refused(&[&run[..], &["--checkpoint-every", "1"]].concat(), wanted);
    }
}

impl Ended {
    pub fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Must have ended with `code` and said every one of `wanted` on stderr.
    #[track_caller]
    pub fn says(&self, code: i32, wanted: &[&str]) {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        for part in wanted {
            assert!(self.err.contains(part), "no {part:?} in:\n{}", self.err);
        }
    }

    /// The hash in the summary.
    #[track_caller]
    pub fn hash(&self) -> String {
        let hash = self.out.lines().find_map(|line| line.strip_prefix("state_hash: "));
        let hash = hash.unwrap_or_else(|| panic!("no hash in {}{}", self.out, self.err));
        assert!(hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit()), "{hash}");
        hash.to_owned()
    }
}

fn list(root: &Path, dir: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().display().to_string();
        let meta = path.symlink_metadata().unwrap();
        if meta.is_dir() {
            found.push(format!("{name}/"));
            list(root, &path, found);
        } else {
            found.push(format!("{name} {}", meta.len()));
        }
    }
}
