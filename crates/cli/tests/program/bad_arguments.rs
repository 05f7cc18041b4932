//! Arguments that are wrong.

use super::folder::Folder;

const SCENE: &str = "small.scene.yaml";

#[track_caller]
fn refused(args: &[&str], wanted: &[&str]) {
    let all = [&["run", SCENE, "--out", "o", "--stats", "s.json"], args].concat();
    Folder::new().refused(&all, wanted);
}

#[test]
fn numbers_out_of_range() {
    refused(&["--frames", "0"], &["'--frames <N>'", "0 is not in 1..="]);
    refused(&["--frames", "-1"], &["-1"]);
    refused(&["--frames", "1e3"], &["'--frames <N>'", "invalid digit"]);
    refused(&["--threads", "0"], &["'--threads <N>'", "0 is not in 1..=1024"]);
    refused(&["--threads", "1025"], &["1025 is not in 1..=1024"]);
    refused(&["--every", "0"], &["'--every <K>'", "0 is not in 1.."]);
    refused(&["--checkpoint-every", "0"], &["'--checkpoint-every <N>'", "0 is not in 1.."]);
}

#[test]
fn unknown_solver() {
    refused(
        &["--solver", "verlett"],
        &[
            "--solver: there is no solver `verlett`",
            "did you mean `verlet`?",
            "`explicit-euler`",
            "`super-helix`",
        ],
    );
    // Not a way to smuggle YAML in.
    refused(&["--solver", "verlet, loss: 2"], &["there is no solver"]);
}

#[test]
fn solver_that_is_for_strands() {
    refused(&["--solver", "super-helix"], &["--solver:1:", "`super-helix`", "use one of auto"]);
}

#[test]
fn wrong_sets() {
    refused(&["--set", "nothing"], &["--set 1:1:1", "no `=`"]);
    refused(&["--set", "name=a", "--set", "bodies[3].name=b"], &["--set 2:1:", "no entry 3"]);
    refused(&["--set", "bodies[0].shap.points=[2,2]"], &["--set 1", "did you mean `shape`?"]);
    refused(&["--set", "time.substeps=0"], &["--set 1:1:15", "time.substeps", "from 1"]);
    refused(&["--set", "bodies[=1"], &["not closed", "bodies[0].shape.points"]);
    // --solver does not count among them.
    refused(&["--solver", "verlet", "--set", "solver.loss=2"], &["--set 1:1:", "solver.loss"]);
}

#[test]
fn exports() {
    refused(&["--export", "gltf"], &["--export gltf is not built yet", "obj, pc2 or ply"]);
    refused(&["--export", "usd"], &["--export usd is not built yet"]);
    refused(&["--export", "fbx"], &["invalid value 'fbx'", "obj", "pc2", "ply"]);
}

#[test]
fn unknown_commands_and_flags() {
    let folder = Folder::new();
    folder.refused(&["chekc", SCENE], &["unrecognized subcommand 'chekc'", "'check'"]);
    folder.refused(&["run"], &["<SCENE>"]);
    folder.refused(&["run", SCENE, "--frame", "3"], &["--frame", "'--frames'"]);
    folder.refused(&["completions", "cmd"], &["invalid value 'cmd'", "bash"]);
}

#[test]
fn errors_without_a_terminal_have_no_colours() {
    let ended = Folder::new().run(&["run", SCENE, "--set", "time.substeps=0"]);
    assert!(!ended.err.contains('\u{1b}'), "{}", ended.err);
}
