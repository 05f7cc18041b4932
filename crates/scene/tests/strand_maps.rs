//! Groups of faces and pictures say where strands grow, how long and in which direction.

use std::path::Path;

use glam::Vec3;
use image::{Rgb, RgbImage};
use tkanina_scene::build::{Simulation, build};
use tkanina_scene::schema::Scene;

/// Two squares of one metre, side by side along x and level. The texture of the left one runs against x; that of the
/// right one is the same once more, so that the vertices between them have two texture coordinates.
const FLOOR: &str = "v -1 0 0\nv 0 0 0\nv 1 0 0\nv -1 0 1\nv 0 0 1\nv 1 0 1\n\
    vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n\
    o ground\ng left\nf 1/2 4/3 5/4 2/1\ng right\nusemtl moss\nf 2/1 5/4 6/3 3/2\n";

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("floor.obj"), FLOOR).unwrap();
    let half = |left: Rgb<u8>, right: Rgb<u8>| {
        RgbImage::from_fn(64, 64, |x, _| if x < 32 { left } else { right })
    };
    let (white, black) = (Rgb([255; 3]), Rgb([0; 3]));
    half(black, white).save(dir.path().join("right.png")).unwrap();
    half(Rgb([255, 128, 128]), Rgb([128; 3])).save(dir.path().join("comb.png")).unwrap();
    dir
}

const COLLIDER: &str = "colliders:\n  - { name: floor, kind: mesh, file: floor.obj, scale: 0.5, position_m: [3, 1, 0] }\n";

fn load(dir: &Path, before: &str, shape: &str) -> Result<Simulation, String> {
    let hair = "  - { name: hair, kind: strands, nodes: 3, shape: { kind: on-surface, on: floor, ";
    let bodies = if before.contains("bodies:") { "" } else { "bodies:\n" };
    let text = format!(
        "format: 1\nname: s\n{before}{bodies}{hair}count: 200, length_m: 0.1, {shape} }} }}\n"
    );
    let loaded = Scene::load_text("s", &text, Some(dir), &[]).map_err(|e| e.render())?;
    build(&loaded).map_err(|e| format!("{:?}", miette::Report::new(e)))
}

/// Roots, and edges from there.
fn roots(simulation: &Simulation) -> Vec<(Vec3, Vec3)> {
    let x = &simulation.world.state().x;
    let strands = &simulation.world.model().strands[0].strands;
    let root = |p: usize| (x.get(p), x.get(p + 1) - x.get(p));
    strands.iter().map(|strand| root(strand.particles().start)).collect()
}

#[test]
fn strands_grow_on_groups_alone() {
    let dir = folder();
    let count = |groups: &str, wanted: fn(f32) -> bool| {
        let simulation = load(dir.path(), COLLIDER, &format!("groups: [{groups}]")).unwrap();
        let roots = roots(&simulation);
        assert_eq!(roots.len(), 200);
        roots.iter().filter(|(root, _)| wanted(root.x)).count()
    };
    assert_eq!(count("left", |x| (2.5..3.0).contains(&x)), 200);
    assert_eq!(count("right", |x| (3.0..3.5).contains(&x)), 200);
    assert_eq!(count("moss", |x| x >= 3.0), 200);
    let left = count("ground", |x| x < 3.0);
    assert!((80..120).contains(&left), "{left}");
}

#[test]
fn pictures_lie_as_texture_coordinates_say() {
    let dir = folder();
    let by_uv = "density_map: { file: right.png, by: uv }";
    let by_axis = "density_map: { file: right.png }";
    let white = |simulation: &Simulation, white: fn(f32) -> bool| {
        roots(simulation).iter().all(|(root, _)| white(root.x))
    };
    // The right half of the picture: the outer halves of both squares, but for half a pixel.
    let outer = |x: f32| (x - 3.0).abs() > 0.245;
    assert!(white(&load(dir.path(), COLLIDER, by_uv).unwrap(), outer));
    assert!(white(&load(dir.path(), COLLIDER, by_axis).unwrap(), |x| x > 2.99));
    // A cloth of that file, stood upright: u still runs along x.
    let materials = "materials: { m: { preset: cotton } }\n";
    let cloth = "bodies:\n  - { name: floor, kind: cloth, shape: { kind: mesh, file: floor.obj, scale: 0.5 }, place: { position_m: [3, 1, 0], rotation_deg: [-90, 0, 0] }, material: m }\n";
    let standing = load(dir.path(), &format!("{materials}{cloth}"), by_uv).unwrap();
    assert!(white(&standing, outer));
    assert!(roots(&standing).iter().all(|(root, _)| root.z.abs() < 1e-5 && root.y > 0.99));
}

#[test]
fn lengths_and_directions_follow_pictures() {
    let dir = folder();
    let short = load(dir.path(), COLLIDER, "length_map: { file: right.png, by: uv }").unwrap();
    for (root, edge) in roots(&short) {
        let wanted = if (root.x - 3.0).abs() > 0.25 { 0.05 } else { 0.001 };
        let near_the_border = ((root.x - 3.0).abs() - 0.25).abs() < 0.006;
        assert!(near_the_border || (edge.length() - wanted).abs() < 1e-4, "{root} {edge}");
    }
    let shape = "combed: 1, direction_map: { file: comb.png, by: uv }";
    for (root, edge) in roots(&load(dir.path(), COLLIDER, shape).unwrap()) {
        let edge = edge.normalize();
        // Red is x, as flat as strands may lie; grey is no direction.
        let wanted = if (root.x - 3.0).abs() < 0.25 { Vec3::X } else { Vec3::Y };
        let near_the_border = ((root.x - 3.0).abs() - 0.25).abs() < 0.006;
        assert!(near_the_border || edge.dot(wanted) > 0.99, "{root} {edge}");
    }
}

#[test]
fn what_cannot_be_is_said() {
    let dir = folder();
    let refused = |before: &str, shape: &str, wanted: &[&str]| {
        let message = load(dir.path(), before, shape).map(|_| ()).expect_err(shape);
        for part in wanted {
            assert!(message.contains(part), "{part} in:\n{message}");
        }
    };
    refused(COLLIDER, "groups: [scalp]", &["no group `scalp`", "`ground`", "`moss`"]);
    let ball = "colliders:\n  - { name: floor, kind: sphere, center_m: [0, 0, 0], radius_m: 1 }\n";
    refused(ball, "groups: [scalp]", &["`floor` is not of an OBJ file"]);
    refused(ball, "density_map: { file: right.png, by: uv }", &["`floor` is not of an OBJ file"]);
    refused(COLLIDER, "direction_map: { file: comb.png }", &["needs a `combed`"]);
    std::fs::write(dir.path().join("floor.obj"), "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n").unwrap();
    refused(COLLIDER, "density_map: { file: right.png, by: uv }", &["has no texture", "`vt`"]);
}
