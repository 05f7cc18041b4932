//! Commands that simulate nothing.

use super::folder::{Ended, Folder};

#[test]
fn without_a_display_the_scene_is_drawn_into_out() {
    let folder = Folder::new();
    let mut command = folder.command();
    command.args(["view", "small.scene.yaml"]);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let ended = Ended::of(command.output().unwrap());
    ended.says(0, &["no display", "out/"]);
    assert!(folder.path("out/small.png").exists() && folder.path("out/small.gif").exists());
}

#[test]
fn check_counts() {
    let ended = Folder::new().done(&["check", "small.scene.yaml"]);
    let wanted = "small.scene.yaml is right: 48 points, ";
    assert!(ended.out.starts_with(wanted), "{}", ended.out);
    assert!(
        ended.out.contains(" springs, 10 frames of 8 substeps (step 2.500 ms"),
        "{}",
        ended.out
    );
}

#[test]
fn scenes_are_listed_from_anywhere() {
    let folder = Folder::new();
    let names = folder.done(&["scenes", "--names"]).out;
    assert!(names.lines().any(|name| name == "cloth-on-sphere"), "{names}");
    let table = folder.done(&["scenes"]).out;
    assert_eq!(table.lines().count(), names.lines().count());
    let mut titles_at = None;
    for (line, name) in table.lines().zip(names.lines()) {
        let rest = line.strip_prefix(name).unwrap_or_else(|| panic!("{line}"));
        let at = line.len() - rest.trim_start().len();
        assert_eq!(*titles_at.get_or_insert(at), at, "not aligned:\n{table}");
        assert_eq!(folder.run(&["check", name]).code, Some(0), "{name}");
    }
}

#[test]
fn schema_is_json() {
    let schema = Folder::new().done(&["schema"]).out;
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(schema["title"], "Tkanina scene");
    assert!(schema["properties"]["bodies"].is_object());
}

#[test]
fn materials_have_units_bases_and_sources() {
    let folder = Folder::new();
    let text = folder.done(&["materials"]).out;
    let cotton = text.split("\n\n").find(|block| block.starts_with("cotton:")).unwrap();
    assert!(cotton.starts_with("cotton: Cotton, plain weave (fabric; Penava et al. 2014)\n"));
    let bending = cotton.lines().find(|line| line.contains("bending")).unwrap();
    assert_eq!(
        bending.split_whitespace().collect::<Vec<_>>(),
        ["bending", "2.2e-6", "N·m", "derived"]
    );
    assert!(text.contains("human-hair: Human hair (fibre;"));
    let json = folder.done(&["materials", "--json"]).out;
    let json: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    assert_eq!(json.len(), text.split("\n\n").count());
    for preset in &json {
        assert!(!preset["source"].as_str().unwrap().is_empty());
        for entry in preset["values"].as_array().unwrap() {
            assert!(entry["value"].as_f64().unwrap() > 0.0, "{entry}");
            assert!(!entry["unit"].as_str().unwrap().is_empty(), "{entry}");
            assert!(["measured", "derived", "guess"].contains(&entry["basis"].as_str().unwrap()));
        }
    }
}

#[test]
fn completions_know_the_commands() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.done(&["completions", shell]).out;
        assert!(script.contains("tkanina") && script.contains("checkpoint-every"), "{shell}");
    }
}

#[test]
fn scenes_as_json() {
    let listed: serde_json::Value =
        serde_json::from_str(&Folder::new().done(&["scenes", "--json"]).out).unwrap();
    let scenes = listed.as_array().unwrap();
    let explosion = scenes.iter().find(|scene| scene["name"] == "explosion").unwrap();
    assert_eq!(explosion["explodes"], true);
    assert!(scenes.iter().all(|scene| scene["title"].as_str().is_some_and(|t| !t.is_empty())));
}

#[test]
fn every_help_ends_in_an_example() {
    let folder = Folder::new();
    let commands =
        ["view", "run", "render", "check", "scenes", "schema", "materials", "completions"];
    for command in commands {
        let help = folder.done(&[command, "--help"]).out;
        let last = help.trim_end().lines().last().unwrap();
        assert!(
            last.starts_with(&format!("  tkanina {command}")) || last.contains("$(tkanina"),
            "{help}"
        );
        assert!(help.contains("Example"), "{help}");
    }
    let help = folder.done(&["--help"]).out;
    for command in commands {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
    }
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    let folder = Folder::new();
    for args in [&["schema"][..], &["scenes"], &["materials"], &["completions", "zsh"], &["--help"]]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ended = Ended::of(folder.command().args(args).stdout(writer).output().unwrap());
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{args:?}");
    }
}
