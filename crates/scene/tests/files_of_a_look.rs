//! Files and names that only the picture needs are checked when a scene is opened.

use std::path::Path;

use tkanina_scene::schema::Scene;

const SCENE: &str = "format: 1
materials: { m: { preset: cotton } }
bodies: [{ name: sheet, kind: cloth, material: m, shape: { kind: grid, points: [4, 4], size_m: [1, 1] } }]
colliders: [{ name: ball, kind: sphere, center_m: [0, 0, 0], radius_m: 0.1 }]
";

fn open(dir: &Path, rest: &str) -> Result<(), String> {
    let text = format!("{SCENE}{rest}\n");
    Scene::load_text("test", &text, Some(dir), &[]).map(|_| ()).map_err(|error| error.render())
}

#[test]
fn names_of_looks_are_those_of_bodies_colliders_and_scenery() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("chair.obj"), "v 0 0 0").unwrap();
    let chair = "scenery: [{ name: chair, file: chair.obj }]\n";
    for name in ["sheet", "ball", "chair"] {
        let look = format!("{chair}look: {{ bodies: {{ {name}: {{ color: [1, 0, 0] }} }} }}");
        open(dir.path(), &look).unwrap_or_else(|text| panic!("{text}"));
    }
    let look = format!("{chair}look: {{ bodies: {{ chiar: {{ color: [1, 0, 0] }} }} }}");
    let text = open(dir.path(), &look).unwrap_err();
    assert!(text.contains("there is no body, collider or scenery `chiar`"), "{text}");
    assert!(text.contains("did you mean `chair`?"), "{text}");
}

#[test]
fn names_of_scenery_are_its_own() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.obj"), "v 0 0 0").unwrap();
    for (name, what) in [("sheet", "a body too"), ("ball", "a collider too")] {
        let text = open(dir.path(), &format!("scenery: [{{ name: {name}, file: a.obj }}]"));
        let text = text.unwrap_err();
        assert!(
            text.contains(&format!("scenery[0].name: `{name}` is the name of {what}")),
            "{text}"
        );
    }
    let twice = "scenery: [{ name: a, file: a.obj }, { name: a, file: a.obj }]";
    assert!(open(dir.path(), twice).unwrap_err().contains("scenery[1].name"));
}

#[test]
fn files_must_be_there_and_be_what_they_are_for() {
    let dir = tempfile::tempdir().unwrap();
    let touch = |name: &str| std::fs::write(dir.path().join(name), "x").unwrap();
    touch("weave.png");
    touch("weave.JPEG");
    touch("weave.gif");
    let huge = std::fs::File::create(dir.path().join("huge.png")).unwrap();
    huge.set_len((64 << 20) + 1).unwrap();
    let look = |field: &str| format!("look: {{ bodies: {{ sheet: {{ {field} }} }} }}");
    for field in ["texture: weave.png", "texture: weave.JPEG", "bumps: { file: weave.png }"] {
        open(dir.path(), &look(field)).unwrap_or_else(|text| panic!("{text}"));
    }
    for (rest, wanted) in [
        (
            look("bumps: { file: none.png }"),
            "look.bodies.sheet.bumps.file: there is no file `none.png`",
        ),
        (look("texture: weave.gif"), "does not end in .png, .jpg or .jpeg"),
        (look("texture: huge.png"), "a picture may have 67108864"),
        (look("bumps: { file: ../out.png }"), "must not leave the scene's folder"),
        ("scenery: [{ name: a, file: none.obj }]".into(), "scenery[0].file: there is no file"),
        ("start_from: none.tkc".into(), "start_from: there is no file `none.tkc`"),
        ("start_from: /tmp/x.tkc".into(), "start_from: must be relative"),
    ] {
        let text = open(dir.path(), &rest).expect_err(&rest);
        let text = text.replace("\n  │ ", " ");
        assert!(text.contains(wanted), "{rest}: {text}");
    }
}
