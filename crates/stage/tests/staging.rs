//! What of a world gets into a frame.

use std::sync::Arc;

use glam::Vec3;
use tkanina_render::frame::{Backdrop, Fill, Frame, Paint, Surface};
use tkanina_scene::build::{Simulation, build};
use tkanina_scene::load::LoadedScene;
use tkanina_scene::schema::{HeatColors, HeatMap, HeatQuantity, Scene, Show};
use tkanina_sim::commands::Command;
use tkanina_stage::{Stage, StageError};

fn open(name: &str, sets: &[&str]) -> (LoadedScene, Simulation, Stage) {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let loaded = Scene::open(name, &sets).unwrap_or_else(|error| panic!("{}", error.render()));
    let simulation = build(&loaded).unwrap();
    let stage = Stage::new(&loaded, &simulation.world).unwrap();
    (loaded, simulation, stage)
}

fn floors(frame: &Frame) -> Vec<f32> {
    let floors = frame.surfaces.iter().filter(|surface| surface.look.fades);
    floors.map(|floor| floor.world_from_local.w_axis.y).collect()
}

fn same(a: &Surface, b: &Surface) -> [bool; 4] {
    [
        Arc::ptr_eq(&a.positions, &b.positions),
        Arc::ptr_eq(&a.normals, &b.normals),
        Arc::ptr_eq(&a.uvs, &b.uvs),
        Arc::ptr_eq(&a.triangles, &b.triangles),
    ]
}

#[test]
fn arrays_stay_the_same_while_nothing_moves() {
    let (_, mut simulation, mut stage) = open("cloth-on-sphere", &[]);
    let show = Show { springs: true, particles: true, ..Show::default() };
    let first = stage.shoot(&mut simulation.world, &show).frame;
    let second = stage.shoot(&mut simulation.world, &show).frame;
    for (a, b) in first.surfaces.iter().zip(&second.surfaces) {
        assert_eq!(same(a, b), [true; 4]);
    }
    assert!(Arc::ptr_eq(&first.lines[0].segments, &second.lines[0].segments));
    assert!(Arc::ptr_eq(&first.points[0].positions, &second.points[0].positions));
    simulation.advance().unwrap();
    let third = stage.shoot(&mut simulation.world, &show).frame;
    let [positions, _, uvs, triangles] = same(&first.surfaces[0], &third.surfaces[0]);
    assert_eq!([positions, uvs, triangles], [false, true, true]);
    for (a, b) in first.surfaces.iter().zip(&third.surfaces).skip(1) {
        assert_eq!(same(a, b), [true; 4], "obstacles keep their meshes");
    }
}

#[test]
fn floors_are_where_they_make_sense() {
    let floor_of = |name: &str, sets: &[&str]| {
        let (_, mut simulation, mut stage) = open(name, sets);
        floors(&stage.shoot(&mut simulation.world, &Show::default()).frame)
    };
    assert_eq!(floor_of("cloth-on-sphere", &[]), [0.0], "the plane, and no other");
    assert_eq!(floor_of("hanging-cloth", &[]), [0.0]);
    assert_eq!(floor_of("hanging-cloth", &["look.floor={ height_m: -2 }"]), [-2.0]);
    let below = floor_of("hanging-cloth", &["bodies[0].place.position_m=[0, 0, 0]"]);
    assert!(below.len() == 1 && below[0] < -1.0, "{below:?}");
    assert_eq!(floor_of("ladder-1-springs-only", &[]), [0.0f32; 0], "no gravity");
    assert_eq!(floor_of("ladder-2-gravity-only", &[]), [0.0f32; 0], "it falls for ever");
    assert_eq!(floor_of("cloth-on-sphere-on-floor", &[]), [0.0f32; 0], "a wide box is the floor");
}

#[test]
fn obstacles_are_where_they_are() {
    let (_, mut simulation, mut stage) = open("ball-into-cloth", &[]);
    let ball = |frame: &Frame| frame.surfaces[1].world_from_local.w_axis.truncate();
    let show = Show::default();
    assert_eq!(ball(&stage.shoot(&mut simulation.world, &show).frame), Vec3::new(0.0, 1.1, 2.0));
    while simulation.world.state().time < 1.0 {
        simulation.advance().unwrap();
    }
    let found = ball(&stage.shoot(&mut simulation.world, &show).frame);
    assert!((found - Vec3::new(0.0, 1.1, -0.4)).length() < 1e-5, "{found}");
    let without = Show { colliders: false, ..show };
    assert_eq!(stage.shoot(&mut simulation.world, &without).frame.surfaces.len(), 2);
}

#[test]
fn pins_that_broke_or_were_undone_are_not_shown() {
    let show = Show { pins: true, ..Show::default() };
    let (_, mut simulation, mut stage) = open("pin-that-breaks", &[]);
    let mut count = |simulation: &mut Simulation| {
        stage.shoot(&mut simulation.world, &show).frame.points[0].positions.len()
    };
    assert_eq!(count(&mut simulation), 2);
    while simulation.world.state().time < 1.0 {
        simulation.advance().unwrap();
    }
    assert_eq!(count(&mut simulation), 1);
    simulation.world.send(Command::Pin { particles: vec![5, 6] });
    simulation.advance().unwrap();
    assert_eq!(count(&mut simulation), 3);
    simulation.world.send(Command::Unpin { particles: vec![5] });
    simulation.advance().unwrap();
    assert_eq!(count(&mut simulation), 2);
}

#[test]
fn heat_maps_go_from_0_to_1_and_say_what_that_means() {
    let (_, mut simulation, mut stage) = open("hanging-cloth", &[]);
    for _ in 0..10 {
        simulation.advance().unwrap();
    }
    let mut map = HeatMap { of: HeatQuantity::Speed, colors: HeatColors::Cividis, range: None };
    let show = Show { heat_map: Some(map.clone()), ..Show::default() };
    let shot = stage.shoot(&mut simulation.world, &show);
    let fastest = tkanina_sim::measure::fastest(&simulation.world.state().v).1;
    let legend = shot.legend.unwrap();
    assert_eq!((legend.label, legend.unit), ("Speed", "m/s"));
    assert!((legend.range[1] / fastest - 1.0).abs() < 1e-5 && legend.range[0] == 0.0);
    let values = shot.frame.surfaces[0].values.clone().unwrap();
    assert_eq!(values.iter().copied().fold(0.0, f32::max), 1.0);
    map.range = Some([0.0, f64::from(2.0 * fastest)]);
    let show = Show { heat_map: Some(map), ..Show::default() };
    let values =
        stage.shoot(&mut simulation.world, &show).frame.surfaces[0].values.clone().unwrap();
    assert!((values.iter().copied().fold(0.0, f32::max) - 0.5).abs() < 1e-5);
}

#[test]
fn what_is_shown_follows_show_and_look() {
    let rows = "look.bodies.curtain.row_colors=[[1, 0, 0], [0, 0, 1]]";
    let (loaded, mut simulation, mut stage) =
        open("hanging-cloth", &["look.bodies={ curtain: {} }", rows]);
    let show = Show { faces: false, wireframe: true, shadows: false, ..Show::default() };
    let frame = stage.shoot(&mut simulation.world, &show).frame;
    let look = &frame.surfaces[0].look;
    assert_eq!((look.fill, look.front), (Fill::Edges, Vec3::X));
    assert!(matches!(look.paint, Paint::Rows { odd: Vec3::Z, count: 29.0 }));
    assert!(frame.lights.iter().all(|light| !light.shadows));

    let mut look = loaded.scene.look.clone();
    look.background = Some([0.0; 3]);
    look.bodies.get_mut("curtain").unwrap().hidden = true;
    stage.set_look(&look).unwrap();
    let frame = stage.shoot(&mut simulation.world, &Show::default()).frame;
    assert!(matches!(frame.backdrop, Backdrop::Plain(Vec3::ZERO)));
    assert_eq!(frame.surfaces.len(), 1, "only the floor is left");

    look.bodies.get_mut("curtain").unwrap().texture = Some("none.png".to_owned());
    look.bodies.get_mut("curtain").unwrap().hidden = false;
    let error = stage.set_look(&look).unwrap_err();
    assert!(matches!(error, StageError::Picture { .. }), "{error}");
    let frame = stage.shoot(&mut simulation.world, &Show::default()).frame;
    assert_eq!(frame.surfaces.len(), 1, "as before");
}

#[test]
fn pictures_and_scenery_come_from_beside_the_scene() {
    let dir = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../scenes/hanging-cloth.scene.yaml"
    ));
    let path = dir.path().join("a.scene.yaml");
    let added = "\
scenery:
  - { name: stool, file: stool.obj, place: { position_m: [1, 0, 0] }, scale: 2 }
look:
  bodies:
    curtain: { texture: cloth.png, repeat: [3, 2] }
";
    std::fs::write(&path, text.unwrap() + added).unwrap();
    std::fs::write(dir.path().join("stool.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    image::RgbImage::from_pixel(2, 3, image::Rgb([1, 2, 3]))
        .save(dir.path().join("cloth.png"))
        .unwrap();
    let (_, mut simulation, mut stage) = open(path.to_str().unwrap(), &[]);
    let frame = stage.shoot(&mut simulation.world, &Show::default()).frame;
    let Paint::Texture { image, repeat } = &frame.surfaces[0].look.paint else { panic!() };
    assert_eq!(([image.width, image.height], *repeat), ([2, 3], [3.0, 2.0]));
    assert_eq!(&image.rgba[..4], [1, 2, 3, 255]);
    let stool = &frame.surfaces[1];
    let corner = stool.world_from_local.transform_point3(stool.positions[1]);
    assert_eq!(corner, Vec3::new(3.0, 0.0, 0.0));

    std::fs::write(dir.path().join("cloth.png"), "no picture").unwrap();
    let loaded = Scene::open(path.to_str().unwrap(), &[]).unwrap();
    let error = Stage::new(&loaded, &simulation.world).unwrap_err();
    assert!(error.to_string().contains("picture `cloth.png` of `curtain`"), "{error}");
}

#[test]
fn the_wind_is_felt_but_in_the_lee() {
    let (_, mut simulation, mut stage) = open("sheltered-flags", &[]);
    let show = Show { wind: true, ..Show::default() };
    let frame = stage.shoot(&mut simulation.world, &show).frame;
    // A shaft and four barbs an arrow.
    let shafts: Vec<[Vec3; 2]> = frame.lines[0].segments.iter().step_by(5).copied().collect();
    assert_eq!(shafts.len(), 60);
    let length = |[from, to]: &[Vec3; 2]| (*to - *from).length();
    let longest = shafts.iter().map(length).fold(0.0, f32::max);
    let still = shafts.iter().filter(|shaft| length(shaft) < 0.1 * longest);
    // The wall stands at x = 0.7, from z = -1.3 to 0.1 and up to 2.
    let mut count = 0;
    for [place, _] in still {
        assert!(place.x > 0.7 && place.y < 2.2, "{place} is not in the lee");
        count += 1;
    }
    assert!(count >= 5, "{count}");
    assert!(shafts.iter().filter(|s| s[0].x < 0.5).all(|s| s[1].x > s[0].x));
}
