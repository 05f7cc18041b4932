//! Curves that can be read, and what is said of those that cannot.

use super::*;

fn read(name: &str, text: &str) -> Result<Vec<Curve>, MeshError> {
    load_curves(text.as_bytes(), name)
}

fn places(curves: &[Curve]) -> Vec<Vec<[f32; 3]>> {
    curves.iter().map(|c| c.points.iter().map(|p| p.to_array()).collect()).collect()
}

#[test]
fn three_kinds_of_files_hold_the_same_curves() {
    let wanted = vec![
        vec![[0.0, 1.0, 0.0], [0.0, 0.5, 0.25], [0.0, 0.0, 0.0]],
        vec![[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
    ];
    let csv =
        "strand;z;x;y;colour\r\na;0;0;1;red\nb;0;1;1\n\n# half\na;0.25;0;.5\nb;0;1;0\na;0;0;0\n";
    let yaml = "strands:\n  - [[0, 1, 0], [0, 0.5, 0.25], [0, 0, 0]]\n  - - [1, 1, 0]\n    - [1.0, 0, 0]\n";
    let lines = "v 0 1 0\nv 0 .5 .25\nv 0 0 0\nl 1 2\nl 2 3\nv 1 1 0\nv 1 0 0\nl -2 -1\n";
    for (name, text) in [("a.csv", csv), ("b.yaml", yaml), ("c.obj", lines)] {
        assert_eq!(places(&read(name, text).unwrap()), wanted, "{name}");
    }
    assert_eq!(read("a.csv", csv).unwrap()[1].line, 3);
    assert_eq!(read("b.yml", yaml).unwrap()[1].line, 3);
}

#[test]
fn a_line_of_an_obj_file_may_go_on_after_a_backslash() {
    let text = "v 0 1 0\nv 0 0 0\nv 1 0 0\nl 1 \\\n2 \\\r\n 3\nl 3 1\n";
    let curves = read("c.obj", text).unwrap();
    assert_eq!(curves[0].points.len(), 4);
    assert_eq!((curves.len(), curves[0].line), (1, 4));
}

#[test]
fn wrong_files_say_which_line_and_what_to_do() {
    for (name, text, wanted) in [
        ("a.csv", "strand,x,y\n", "a.csv:1: the column `z` is missing"),
        ("a.csv", "1,0,0,0\n", "the columns `strand`, `x`, `y`, `z` are missing"),
        (
            "a.csv",
            "strand,x,y,z\n1,0,0,0\n1,0,nan,0\n",
            "a.csv:3: the coordinate `nan` is not finite",
        ),
        ("a.csv", "strand,x,y,z\n1,0,0,0\n1,0,zero,0\n", "a.csv:3: `zero` is no number"),
        (
            "a.csv",
            "strand,x,y,X,z\n1,0,0,0,0\n",
            "a.csv:1: the column `x` is there twice: as number 2 and 4",
        ),
        ("a.csv", "strand,x,y,z\n1,0,0\n", "a.csv:2: has no `z`"),
        ("a.csv", "strand,x,y,z\n", "has no curves"),
        ("a.csv", "strand,x,y,z\n\n1,0,0,0\n2,0,0,0\n2,1,0,0\n", "a.csv:3: strand 1 has one point"),
        ("a.csv", "strand,x,y,z\n1,2,0,0\n1,2,0,0\n", "a.csv:2: strand 1 has no length"),
        ("a.obj", "v 0 0 0\nl 1 2\n", "a.obj:2: vertex 2 does not exist: there are 1 so far"),
        ("a.obj", "v 0 0 0\nv 1 0 0\nl 1 0\n", "vertex 0 does not exist"),
        ("a.obj", "v 0 0 0\nv 1 0 0\nl 1 x\n", "`x` is no vertex number"),
        ("a.obj", "v 0 inf 0\n", "a.obj:1: the coordinate `inf` is not finite"),
        ("a.obj", "v 0 0\n", "a.obj:1: a vertex needs 3 numbers"),
        ("a.obj", "v 0 0 0\nl 1\n", "a.obj:2: strand 1 has one point"),
        ("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 2\n", "has no curves"),
        ("a.yaml", "curves: []\n", "has no list `strands`"),
        (
            "a.yaml",
            "strands:\n  - [[0, 0, 0], [0, 1]]\n",
            "a.yaml:2: a point is three finite numbers",
        ),
        ("a.yaml", "strands:\n  - [[0, 0, .nan], [0, 1, 0]]\n", "three finite numbers"),
        ("a.yaml", "strands:\n  - [[0, 0, 0]]\n", "a.yaml:2: strand 1 has one point"),
        ("a.yaml", "strands: [\n", "a.yaml:"),
        ("a.txt", "", "is no file of curves"),
    ] {
        let error = read(name, text).expect_err(text);
        assert!(error.to_string().contains(wanted), "{error} is not {wanted}");
        let help = miette::Diagnostic::help(&error).map(|help| help.to_string());
        assert!(help.is_some_and(|help| help.len() > 5), "{error}");
    }
}

#[test]
fn ten_million_points_are_refused_before_they_are_kept() {
    let mut text = b"strand,x,y,z\n".to_vec();
    for i in 0..10_000_000u32 {
        text.extend_from_slice(if i % 2 == 0 { b"a,0,0,0\n" } else { b"a,1,0,0\n" });
    }
    let error = load_curves(&text, "big.csv").unwrap_err().to_string();
    assert!(error.contains("big.csv:4000002: has more than 4000000 control points"), "{error}");
}

#[test]
fn truncated_anywhere_nothing_panics() {
    for (name, text) in [
        ("a.csv", "strand,x,y,z\n\"a\",0,0,0\nb;1;2;3\n"),
        ("a.obj", "v 0 0 0\nv 1 0 0 # é\nl 1/1 -1\n"),
        ("a.yaml", "strands:\n  - &a [[0, 0, 0], [1, 0, 0]]\n  - *a\n"),
    ] {
        for end in 0..text.len() {
            let _ = load_curves(&text.as_bytes()[..end], name);
        }
    }
}
