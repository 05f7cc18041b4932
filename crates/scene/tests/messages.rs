//! What people read when a scene is wrong.

use tkanina_scene::errors::SceneError;
use tkanina_scene::load::LoadedScene;
use tkanina_scene::schema::Scene;

/// Uses most of the format; every other test changes one thing in it.
const FULL: &str = include_str!("full.scene.yaml");

fn load(text: &str, sets: &[&str]) -> Result<LoadedScene, SceneError> {
    let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
    Scene::load_text("test.scene.yaml", text, None, &sets)
}

/// Replaces a part of the full scene and gives the message, which must have
/// all of `wanted` in it and report exactly `count` problems.
#[track_caller]
fn refused(from: &str, to: &str, count: usize, wanted: &[&str]) -> String {
    assert!(FULL.contains(from), "the full scene has no {from:?}");
    let error = load(&FULL.replacen(from, to, 1), &[]).expect_err(to);
    // Long messages are wrapped; what they say is not.
    let text = error.render().replace("\n  │ ", " ").replace("\n        ", " ");
    assert_eq!(error.problems().len(), count, "{text}");
    for part in wanted {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
    text
}

#[test]
fn full_scene_is_right() {
    let loaded = load(FULL, &[]).unwrap_or_else(|error| panic!("{}", error.render()));
    assert_eq!(loaded.scene.bodies.len(), 2);
    assert_eq!(loaded.scene.forces.len(), 2);
    assert_eq!(loaded.hash().len(), 64);
}

#[test]
fn typed_scene_survives_writing_and_reading() {
    let scene = load(FULL, &[]).unwrap().scene;
    let text = serde_json::to_string(&scene).unwrap();
    let again: Scene = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
    // JSON is YAML, and what serde writes passes the schema too.
    load(&text, &[]).unwrap_or_else(|error| panic!("{}", error.render()));
}

#[test]
fn hash_is_of_meaning_not_of_layout() {
    let hash = |text: &str, sets: &[&str]| load(text, sets).unwrap().hash();
    let same = FULL.replacen("format: 1", "# a comment\nformat:   1", 1);
    assert_eq!(hash(FULL, &[]), hash(&same, &[]));
    assert_ne!(hash(FULL, &[]), hash(FULL, &["time.duration_s=2"]));
}

#[test]
fn out_of_range_names_field_place_range_unit_and_value() {
    refused(
        "radius_m: 0.3",
        "radius_m: -0.3",
        1,
        &[
            "test.scene.yaml:59:66: colliders[0].radius_m: must be above 0 and up to 100000 m, but is -0.3",
            "──┬─",
            "colliders[0].radius_m",
            "test.scene.yaml has 1 problem",
        ],
    );
    refused(
        "density_kg_m3: 1.2",
        "density_kg_m3: 1e9",
        1,
        &["from 0 to 2000 kg/m³", "nearest", "2000"],
    );
    refused("format: 1", "format: 2", 1, &["format: must be 1, but is 2"]);
    refused("substeps: auto", "substeps: 0", 1, &["`auto` or a whole number from 1 to 10000"]);
    refused("substeps: auto", "substeps: many", 1, &["`auto` or a whole number from 1 to 10000"]);
    refused("points: [40, 30]", "points: [40, 1]", 1, &["points[1]", "from 2 to"]);
    refused(
        "duration_s: 5",
        "duration_s: .nan",
        1,
        &["finite", "from 0 to 100000 s", "`.nan` and `.inf` are none"],
    );
    refused("duration_s: 5", "duration_s: 1e999", 1, &["finite"]);
    refused("seed: 7", "seed: 5000000000", 1, &["4294967295"]);
    refused("seed: 7", "seed: 1.5", 1, &["whole number"]);
    refused("per_point_kg: 1.0", "per_point_kg: 0", 1, &["from 1e-12", "kg"]);
}

#[test]
fn unknown_fields_and_kinds_have_suggestions() {
    refused("friction: 0.4", "fricton: 0.4", 1, &["fricton", "did you mean `friction`?"]);
    refused("friction: 0.4", "zzz: 0.4", 1, &["fields here:", "`radius_m`", "`restitution`"]);
    refused("kind: sphere", "kind: ball", 1, &["unknown kind", "`sphere`", "`capsule`"]);
    refused("{ kind: auto }", "{ kind: verlett }", 1, &["`super-helix`", "did you mean `verlet`?"]);
    refused("kind: cloth", "kind: strand", 1, &["did you mean `strands`?", "`cloth`"]);
    refused(
        "stencil: neighbours-20",
        "stencil: neighbors-20",
        1,
        &["did you mean `neighbours-20`?"],
    );
    refused("plane: xz", "plane: zx", 1, &["`xy`, `xz` or `yz`"]);
    refused("mode: safe", "mode: save", 1, &["did you mean `safe`?"]);
}

#[test]
fn missing_and_mistyped() {
    refused(
        ", radius_m: 0.3",
        "",
        1,
        &["`radius_m` is missing", "add `radius_m:`, a number above 0"],
    );
    refused("kind: sphere, ", "", 1, &["`kind` is missing", "`sphere`"]);
    refused(
        "{ per_point_kg: 1.0 }",
        "{ per_pont_kg: 1.0 }",
        1,
        &["must have one of", "did you mean"],
    );
    refused("radius_m: 0.3", "radius_m: big", 1, &["a number above 0", "the text `big`"]);
    refused("radius_m: 0.3", "radius_m: '0,3'", 1, &["decimal point"]);
    refused(
        "center_m: [0, 0.5, 0]",
        "center_m: [0, 0.5]",
        1,
        &["3 entries, but has 2", "add 1 entry"],
    );
    refused("name: ball", "name: 8", 1, &["text", "quotes"]);
    refused("self_contact: true", "self_contact: yes", 1, &["`true` or `false`"]);
    refused("time: {", "time: []\nx: {", 2, &["time: must be a group of fields"]);
}

#[test]
fn several_problems_come_together() {
    let text = FULL.replace("friction: 0.4", "fricton: 4").replace("radius_m: 0.3", "radius_m: 0");
    let text = text.replace("material: sheet", "materail: sheet");
    let error = load(&text, &["time.duration_s=-1"]).unwrap_err();
    let shown = error.render();
    assert!(shown.contains("has 5 problems"), "{shown}");
    assert!(shown.contains("--set 1:1:17: time.duration_s: must be from 0 to 100000 s"), "{shown}");
}

#[test]
fn wrong_values_do_not_hide_wrong_names() {
    let text = FULL.replace("attach_to: ball", "attach_to: bal").replace("[40, 30]", "[0, 30]");
    let error = load(&text, &["bodies[7].name=x"]).unwrap_err();
    let shown = error.render();
    for part in ["no collider `bal`", "from 2 to", "no entry 7: it has 2"] {
        assert!(shown.contains(part), "{shown}");
    }
}

#[test]
fn names_and_points_must_exist() {
    refused(
        "material: sheet",
        "material: shet",
        1,
        &["no material `shet`", "did you mean `sheet`?"],
    );
    refused("preset: cotton", "preset: coton", 1, &["did you mean `cotton`?"]);
    refused(
        "[39, 0]]",
        "[40, 0]]",
        1,
        &["bodies[0].pins[0].points[1]", "40 × 30", "[0, 0] to [39, 29]"],
    );
    refused("vertices: [3, 17]", "vertices: [3, 1200]", 1, &["vertex 1200", "0 to 1199"]);
    refused("attach_to: ball", "attach_to: bal", 1, &["no collider `bal`", "`ball`"]);
    refused("sheltered_by: [crate]", "sheltered_by: [create]", 1, &["did you mean `crate`?"]);
    refused("name: floor", "name: ball", 1, &["name of another one too"]);
    refused("normal: [0, 1, 0]", "normal: [0, 0, 0]", 1, &["must not be zero"]);
    refused("t_s: 1,", "t_s: 0,", 1, &["later than the keyframe before"]);
    refused(", stiffness_N_m: 500", "", 1, &["needs a `stiffness_N_m`"]);
    refused("edge: right", "edge: top", 1, &["side `a` has 40 points and side `b` has 30"]);
    refused("{ body: sheet, point: [20, 15]", "{ body: sheet", 1, &["either `point` or `vertex`"]);
    refused("points: [40, 30]", "points: [4000, 3000]", 2, &["12000000 points", "4000000 in all"]);
    refused("{ edge: left }", "{ breaks_at_N: 3, stiffness_N_m: 3 }", 1, &["chooses no points"]);
    let file = "shape: { kind: mesh, file: ../../etc/passwd }";
    refused(
        "shape: { kind: grid, points: [10, 30], size_m: [0.3, 1.0] }",
        file,
        5,
        &["leave the scene"],
    );
}

#[test]
fn files_that_are_no_scenes() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let shown = |path: &std::path::Path| Scene::load(path, &[]).unwrap_err().render();
    assert!(shown(dir.path()).contains("is a folder"));
    let missing = shown(&at("cloth-on-spere.scene.yaml"));
    assert!(missing.contains("did you mean the built-in scene `cloth-on-sphere`?"), "{missing}");
    std::fs::write(at("bytes"), [b'a', 0xff, 0xfe]).unwrap();
    assert!(shown(&at("bytes")).contains("byte 1 is not valid"));
    std::fs::File::create(at("huge")).unwrap().set_len(1 << 40).unwrap();
    assert!(shown(&at("huge")).contains("1099511627776 bytes"));
    std::fs::write(at("empty"), "").unwrap();
    assert!(shown(&at("empty")).contains("empty"));
    assert!(Scene::open("hanging-cloth", &[]).is_ok());
}

#[test]
fn schema_describes_every_field_and_bounds_every_number() {
    fn walk(schema: &serde_json::Value, path: &str) {
        let Some(object) = schema.as_object() else { return };
        let kind = &schema["type"];
        let number = ["number", "integer"].iter().any(|t| kind == t || kind[0] == **t);
        if number {
            let min = object.contains_key("minimum") || object.contains_key("exclusiveMinimum");
            let max = object.contains_key("maximum") || schema["format"] == "uint32";
            assert!(min && max, "{path} has no range");
        }
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}.{name}");
            let told = schema.get("description").is_some() && schema["required"][0] == **name;
            assert!(
                field.get("const").is_some() || told || field["description"].is_string(),
                "{path}"
            );
            walk(field, &path);
        }
        for key in ["oneOf", "anyOf"] {
            schema[key].as_array().into_iter().flatten().for_each(|branch| walk(branch, path));
        }
        walk(&schema["items"], path);
        for (name, part) in schema["$defs"].as_object().into_iter().flatten() {
            walk(part, name);
        }
    }
    let schema = tkanina_scene::schema::json_schema();
    assert_eq!(schema["title"], "Tkanina scene");
    walk(&schema, "scene");
    let kinds: Vec<&str> = schema["$defs"]["Solver"]["oneOf"]
        .as_array()
        .unwrap()
        .iter()
        .map(|branch| branch["properties"]["kind"]["const"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, tkanina_scene::schema::Solver::KINDS);
}

#[test]
fn endless_lines_and_control_characters_do_not_reach_the_terminal() {
    let long = format!("format: 1\nname: {}\nzzz: 1\n", "x".repeat(1 << 20));
    let shown = load(&long, &[]).unwrap_err().render();
    assert!(shown.len() < 2000 && shown.contains("test.scene.yaml:3:1: zzz"), "{}", shown.len());
    let steering = "format: 1\ncontact: { mode: \"\\e[2J\" }\n\"a\\u0007\": 1\n";
    let shown = load(steering, &[]).unwrap_err().render();
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{7}'), "{shown:?}");
}
