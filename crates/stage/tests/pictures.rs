//! Pictures compared with stored ones, within a tolerance: adapters differ in rounding, not in
//! what they show.
//!
//! `TKANINA_BLESS=1 cargo test -p tkanina-stage --test pictures` stores the pictures of today.
//! Look at each before you keep it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tkanina_render::{Gpu, Image, Offscreen};
use tkanina_scene::build::build;
use tkanina_scene::schema::Scene;
use tkanina_stage::{Stage, cameras, legend, save_png};

const SIZE: [u32; 2] = [320, 200];
/// Mean difference of a channel, of 255.
const MEAN: f64 = 1.0;
/// Largest difference of a channel after blurring over [`BLUR`] pixels, of 255.
const LARGEST: f64 = 20.0;
/// An edge that moved by a fraction of a pixel is no difference.
const BLUR: u32 = 5;

/// One adapter for all tests: opening several at once costs more than drawing.
static ADAPTER: Mutex<Option<Offscreen>> = Mutex::new(None);

#[test]
fn flag() {
    compare("flag", "flag-turbulent", 2.0, &[], 0);
}

#[test]
fn cloth_on_a_sphere_with_a_pattern() {
    let pattern = "look.bodies={ sheet: { pattern: { frequency: 4, curvature: 0.8 } } }";
    compare("pattern", "cloth-on-sphere", 2.0, &[pattern], 0);
}

#[test]
fn heat_map_with_its_legend() {
    let heat = "look.show.heat_map={ of: bending, range: [0, 40] }";
    compare("heat_map", "cloth-on-sphere", 2.0, &[heat], 0);
}

#[test]
fn wireframe_with_pins() {
    let sets = ["look.show.wireframe=true", "look.show.pins=true"];
    compare("wireframe", "hanging-default", 1.0, &sets, 0);
}

#[test]
fn springs_and_normals_without_faces() {
    let sets = [
        "look.show.faces=false",
        "look.show.springs=true",
        "look.show.normals=true",
        "look.show.particles=true",
        "bodies[0].shape.points=[9,9]",
        "bodies[0].pins=[{ edge: top }]",
        "expect={}",
    ];
    compare("springs", "hanging-cloth", 0.5, &sets, 0);
}

#[test]
fn shadows_of_two_lights() {
    let lights = "lights=[{ kind: sun, direction: [-1, -2, -1], diffuse: [0.8, 0.8, 0.8] }, \
                  { kind: point, position_m: [1.2, 1.6, 0.8], diffuse: [0.6, 0.5, 0.3] }]";
    compare("shadows", "cloth-over-table", 1.5, &[lights], 0);
}

#[test]
fn two_cameras() {
    let two = "cameras=[{ name: front, eye_m: [0, 0.7, 2], target_m: [0, 0.45, 0] }, \
               { name: above, eye_m: [0.01, 2.4, 0.4], target_m: [0, 0.4, 0] }]";
    compare("camera_front", "cloth-on-sphere", 1.5, &[two], 0);
    compare("camera_above", "cloth-on-sphere", 1.5, &[two], 1);
}

#[test]
fn wind_with_a_lee() {
    compare("wind", "sheltered-flags", 1.0, &["look.show.wind=true"], 0);
}

/// Draws a built-in scene at a time and compares it with the stored picture.
#[track_caller]
fn compare(name: &str, scene: &str, at_s: f64, sets: &[&str], camera: usize) {
    let image = draw(scene, at_s, sets, camera);
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pictures/{name}.png"));
    if std::env::var_os("TKANINA_BLESS").is_some_and(|value| value == "1") {
        save_png(&stored, &image).unwrap();
        return;
    }
    let wanted =
        image::open(&stored).unwrap_or_else(|error| panic!("{}: {error}", stored.display()));
    let wanted = wanted.into_rgba8();
    assert_eq!([wanted.width(), wanted.height()], SIZE, "{name}");
    let difference = difference(&image.rgba, wanted.as_raw());
    let mean = difference.iter().map(|d| f64::from(d.abs())).sum::<f64>() / difference.len() as f64;
    let largest = largest_blurred(&difference);
    if mean > MEAN || largest > LARGEST {
        let [new, apart] = keep(name, &image, &difference);
        panic!(
            "{name} is not as stored: mean difference {mean:.2} (at most {MEAN}), largest blurred \
             {largest:.1} (at most {LARGEST}).\nnew: {}\ndifference: {}\nstored: {}",
            new.display(),
            apart.display(),
            stored.display(),
        );
    }
}

fn draw(scene: &str, at_s: f64, sets: &[&str], camera: usize) -> Image {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let loaded = Scene::open(scene, &sets).unwrap_or_else(|error| panic!("{}", error.render()));
    let mut simulation = build(&loaded).unwrap();
    let mut stage = Stage::new(&loaded, &simulation.world).unwrap();
    while simulation.world.state().time < at_s - 1e-6 {
        simulation.advance().unwrap();
    }
    let shot = stage.shoot(&mut simulation.world, &loaded.scene.look.show);
    let eye = cameras(&loaded.scene, shot.bounds)[camera].camera;
    let mut adapter = ADAPTER.lock().unwrap_or_else(PoisonError::into_inner);
    let offscreen = adapter.get_or_insert_with(|| {
        let gpu = Gpu::headless();
        Offscreen::new(gpu.unwrap_or_else(|error| panic!("picture tests need an adapter: {error}")))
    });
    let mut image = offscreen.picture(&shot.frame, &eye, SIZE).unwrap();
    if let Some(shown) = &shot.legend {
        legend::draw(&mut image, shown);
    }
    image
}

/// New less stored, by pixel and channel.
fn difference(new: &[u8], stored: &[u8]) -> Vec<i16> {
    let pixels = new.as_chunks::<4>().0.iter().zip(stored.as_chunks::<4>().0);
    pixels.flat_map(|(a, b)| [0, 1, 2].map(|c| i16::from(a[c]) - i16::from(b[c]))).collect()
}

/// The mean over a square hides an edge that moved a little, and shows a spot that is otherwise.
fn largest_blurred(difference: &[i16]) -> f64 {
    let [width, height] = SIZE;
    let at = |x: u32, y: u32, c: usize| difference[3 * (y * width + x) as usize + c];
    let mut largest = 0.0f64;
    for y in 0..=height - BLUR {
        for x in 0..=width - BLUR {
            for c in 0..3 {
                let square = (0..BLUR * BLUR).map(|i| at(x + i % BLUR, y + i / BLUR, c));
                let mean = square.map(f64::from).sum::<f64>() / f64::from(BLUR * BLUR);
                largest = largest.max(mean.abs());
            }
        }
    }
    largest
}

/// Keeps the new picture and its difference, four times as strong, for people to look at.
fn keep(name: &str, image: &Image, difference: &[i16]) -> [PathBuf; 2] {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&folder).unwrap();
    let [new, apart] =
        [folder.join(format!("{name}.png")), folder.join(format!("{name}.diff.png"))];
    save_png(&new, image).unwrap();
    let mut strong = Image::filled(SIZE[0], SIZE[1], [128, 128, 128, 255]);
    for (pixel, by) in
        strong.rgba.as_chunks_mut::<4>().0.iter_mut().zip(difference.as_chunks::<3>().0)
    {
        for c in 0..3 {
            pixel[c] = (128 + 4 * by[c]).clamp(0, 255) as u8;
        }
    }
    save_png(&apart, &strong).unwrap();
    [new, apart]
}

#[test]
fn a_spot_is_found_and_a_moved_edge_is_not() {
    let mut moved = vec![0i16; 3 * (SIZE[0] * SIZE[1]) as usize];
    let mut spot = moved.clone();
    for y in 0..SIZE[1] as usize {
        // A third of a pixel's step along one column.
        moved[3 * (y * SIZE[0] as usize + 50)] = 70;
    }
    for (x, y) in (40..46).flat_map(|x| (40..46).map(move |y| (x, y))) {
        spot[3 * (y * SIZE[0] as usize + x) + 1] = -60;
    }
    assert!(largest_blurred(&moved) < LARGEST);
    assert!(largest_blurred(&spot) > LARGEST);
}
