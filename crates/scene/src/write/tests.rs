use serde_json::{Value, json};

use super::*;
use crate::builtin::builtin;
use crate::load::LoadedScene;
use crate::node;
use crate::schema::Scene;
use crate::source::SourceId;

/// What the text of a value reads back as.
fn read_back(value: &Value) -> Value {
    let text = to_yaml(value);
    let tree = node::parse(&text, SourceId(0));
    tree.unwrap_or_else(|problems| panic!("{problems:?}\n{text}")).to_json()
}

fn sorted_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn every_builtin_scene_comes_back_the_same() {
    for (name, text) in builtin() {
        let loaded = Scene::load_text(name, text, None, &[]).unwrap();
        let again = LoadedScene::from_value(name, &loaded.value(), None);
        let again = again.unwrap_or_else(|error| panic!("{}", error.render()));
        assert_eq!(again.hash(), loaded.hash(), "{name}");
        // Also with every default filled in, as an editor may.
        let full = serde_json::to_value(&loaded.scene).unwrap();
        let again = LoadedScene::from_value(name, &full, None);
        let again = again.unwrap_or_else(|error| panic!("{}", error.render()));
        assert_eq!(again.hash(), loaded.hash(), "{name}");
        let (short, long) = (to_yaml(&loaded.value()), to_yaml(&full));
        // Materials have the order of writing in one and of the alphabet in the other.
        assert_eq!(sorted_lines(&short), sorted_lines(&long), "{name}: defaults are left out");
        assert_eq!(to_yaml(&again.value()), long, "{name}: a second time changes nothing");
    }
}

#[test]
fn awkward_texts_come_back_the_same() {
    let long =
        "a long text that has to be folded over several lines because it does not fit ".repeat(4);
    let texts = [
        "",
        " ",
        "no",
        "No",
        "off",
        "y",
        "null",
        "~",
        "true",
        "1e3",
        "0x1F",
        "12",
        "1_000",
        "-",
        "- a",
        "? a",
        "a: b",
        "a:",
        ": a",
        "a #b",
        "#a",
        "it's",
        "\"quoted\"",
        "back\\slash",
        "{a}",
        "[a",
        "a, b",
        "*a",
        "&a",
        "!a",
        "|",
        ">",
        "%a",
        "@a",
        "`a`",
        "---",
        "...",
        "čšž 布 🧵",
        " lead",
        "trail ",
        "tab\there",
        "two\nlines",
        "two\nlines\n",
        "end\n\n",
        "\n",
        " \n ",
        "a\n  indented",
        "cr\rhere",
        "\u{85}",
        "\u{2028}",
        "\u{feff}x",
        "\u{0}",
        "\u{7f}",
        "2024-01-01",
        "12:30",
        ".5",
        "+1",
        ".inf",
        "a  b",
        long.trim(),
        &long,
    ];
    for text in texts {
        let scene = json!({ "format": 1, "name": text, "about": text, "materials": { text: { "preset": text } } });
        // Defaults, here empty texts, are left out.
        let mut wanted = scene.clone();
        if text.is_empty() {
            wanted = json!({ "format": 1, "materials": { "": { "preset": "" } } });
        }
        assert_eq!(read_back(&scene), wanted, "{}", to_yaml(&scene));
    }
}

#[test]
fn numbers_keep_their_bits() {
    let floats = [
        1e-6,
        -0.0,
        0.0,
        60.0,
        0.1 + 0.2,
        1.0 / 3.0,
        1e300,
        5e-324,
        f64::MAX,
        -1e-9,
        123456789.0,
        1e7,
        9999999.5,
        0.0001,
        0.00009999,
        2f64.powi(53),
        1e15,
        -1e22,
        16777217.0,
        0.30000001192092896,
    ];
    for float in floats {
        let back = read_back(&json!({ "x": float }))["x"].as_f64().unwrap();
        assert_eq!(back.to_bits(), float.to_bits(), "{float:e}");
    }
    for int in [0, -1, i64::MAX, i64::MIN, 4294967295] {
        assert_eq!(read_back(&json!({ "x": int }))["x"], json!(int));
    }
    let text = to_yaml(&json!({ "gravity_m_s2": [0.0, -1.62, 1e-6] }));
    assert_eq!(text, "gravity_m_s2: [0, -1.62, 1e-6]\n");
}

#[test]
fn deep_and_long_values_come_back_the_same() {
    let mut deep = json!({ "leaf": [1, 2] });
    for level in 0..40 {
        deep = if level % 2 == 0 {
            json!({ "inner": deep, "other": level })
        } else {
            json!([deep, level])
        };
    }
    assert_eq!(read_back(&json!({ "x": deep })), json!({ "x": deep }));
    let many: Vec<[u32; 2]> = (0..500).map(|i| [i, 7 * i]).collect();
    let scene =
        json!({ "bodies": [{ "pins": [{ "points": many }] }], "y": (0..99).collect::<Vec<u32>>() });
    assert_eq!(read_back(&scene), scene);
    assert!(to_yaml(&scene).lines().all(|line| line.chars().count() <= 101));
    for odd in [
        json!({}),
        json!([]),
        json!(null),
        json!(3),
        json!("x"),
        json!({ "a": {}, "b": [], "c": [{}], "d": [[]] }),
    ] {
        assert_eq!(read_back(&odd), odd);
    }
}

#[test]
fn reads_as_people_write_it() {
    let scene = json!({
        "bodies": [{ "pins": [{ "breaks_at_N": 2.0, "stiffness_N_m": 500, "points": [[0, 0]] }], "material": "cotton",
            "place": { "position_m": [0, 1.5, 0], "rotation_deg": [0.0, 0.0, 0.0] }, "kind": "cloth", "name": "sheet", "self_contact": false,
            "shape": { "size_m": [1, 1.5], "points": [20, 30], "kind": "grid", "plane": "xz" } }],
        "materials": { "cotton": { "preset": "cotton", "drag": null } },
        "colliders": [{ "radius_m": 0.3, "friction": 0.3, "center_m": [0, 0.5, 0], "kind": "sphere", "name": "ball" }],
        "name": "Try: it", "gravity_m_s2": [0, -9.81, 0], "time": { "frame_rate_hz": 60.0, "duration_s": 2 },
        "about": "A sheet that falls on a ball and is described at such a length that it cannot stay on one line of text.",
        "solver": { "kind": "auto" }, "format": 1,
    });
    let wanted = "\
format: 1
name: \"Try: it\"
about: >-
  A sheet that falls on a ball and is described at such a length that it cannot stay on one line of
  text.
time: { duration_s: 2 }
materials:
  cotton: { preset: cotton }
bodies:
  - name: sheet
    kind: cloth
    shape: { kind: grid, points: [20, 30], size_m: [1, 1.5] }
    place: { position_m: [0, 1.5, 0] }
    material: cotton
    pins: [{ points: [[0, 0]], breaks_at_N: 2, stiffness_N_m: 500 }]
colliders:
  - { name: ball, kind: sphere, center_m: [0, 0.5, 0], radius_m: 0.3 }
";
    assert_eq!(to_yaml(&scene), wanted);
}

#[test]
fn problems_of_a_value_have_a_line_in_its_text() {
    let value = json!({ "format": 1, "materials": { "m": { "preset": "cotton" } },
        "bodies": [{ "name": "s", "kind": "cloth", "material": "n", "shape": { "kind": "grid", "points": [2, 2], "size_m": [1, 1] } }],
        "wrong": 1 });
    let error = LoadedScene::from_value("edited", &value, None).unwrap_err();
    let text = error.render();
    assert!(text.contains("edited:5:94: bodies[0].material: there is no material `n`"), "{text}");
    assert!(text.contains("edited:6:1: wrong: `wrong` is not a field here"), "{text}");
}
