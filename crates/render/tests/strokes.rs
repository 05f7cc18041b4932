//! Lines, points, edges and what is before what.

mod common;

use std::sync::Arc;

use common::*;
use glam::{Mat4, Vec3};
use tkanina_render::frame::{Fill, Lines, Points, SurfaceLook};
use tkanina_render::{Frame, Image, meshes};

const RED: [u8; 4] = [255, 0, 0, 255];

fn line(a: Vec3, b: Vec3, width: f32, on_top: bool) -> Lines {
    Lines { segments: Arc::new([[a, b]]), colors: Arc::new([RED]), width, on_top }
}

fn covered(picture: &Image) -> f32 {
    picture.rgba.chunks(4).map(|pixel| light(f32::from(pixel[0]) / 255.0)).sum()
}

#[test]
fn a_line_covers_its_length_times_its_width() {
    // 1 m is half of the picture's 256 pixels.
    let lines = vec![line(Vec3::X * -0.5, Vec3::X * 0.5, 5.0, false)];
    let picture = picture_of(&Frame { lines, ..frame(vec![], vec![]) }, &from_above(), [256, 256]);
    assert_close(picture.pixel(128, 128), [255, 0, 0], 0);
    assert_close(picture.pixel(128, 123), [0; 3], 0);
    assert_close(picture.pixel(128, 132), [0; 3], 0);
    assert_close(picture.pixel(56, 128), [0; 3], 0);
    // Ends reach out by a quarter of the width.
    assert!((covered(&picture) - 5.0 * 130.5).abs() < 20.0, "{}", covered(&picture));
}

#[test]
fn each_segment_has_its_colour() {
    let at = |z: f32| [Vec3::new(-1.0, 0.0, z), Vec3::new(1.0, 0.0, z)];
    let lines = vec![Lines {
        segments: Arc::new([at(-0.5), at(0.5)]),
        colors: Arc::new([RED, [0, 0, 255, 255]]),
        width: 4.0,
        on_top: false,
    }];
    let picture = picture(&Frame { lines, ..frame(vec![], vec![]) }, &from_above());
    assert_close(picture.pixel(32, 16), [255, 0, 0], 0);
    assert_close(picture.pixel(32, 48), [0, 0, 255], 0);
}

#[test]
fn a_line_from_behind_the_eye_is_cut_and_not_turned_round() {
    let lines = vec![line(Vec3::new(0.5, 0.0, 0.0), Vec3::new(0.5, 9.0, 0.0), 4.0, false)];
    let picture = picture(&Frame { lines, ..frame(vec![], vec![]) }, &from_above());
    assert_close(picture.pixel(50, 32), [255, 0, 0], 0);
    assert!((0..30).all(|x| picture.pixel(x, 32)[0] == 0));
}

#[test]
fn a_point_covers_its_disc_and_has_its_colour_in_the_middle() {
    let points = vec![Points {
        positions: Arc::new([Vec3::ZERO]),
        colors: Arc::new([RED]),
        size: 41.0,
        on_top: false,
    }];
    let picture = picture_of(&Frame { points, ..frame(vec![], vec![]) }, &from_above(), [65, 65]);
    assert_close(picture.pixel(32, 32), [255, 2, 2], 4);
    let lit = picture.rgba.chunks(4).filter(|pixel| pixel[0] > 60).count() as f32;
    let disc = std::f32::consts::PI * 20.5 * 20.5;
    assert!((lit / disc - 1.0).abs() < 0.05, "{lit} {disc}");
    // Like a ball, lighter above than below.
    assert!(picture.pixel(32, 18)[0] > picture.pixel(32, 46)[0]);
}

#[test]
fn only_what_is_on_top_shows_through() {
    for on_top in [false, true] {
        let lines = vec![line(Vec3::new(-0.5, -0.5, 0.0), Vec3::new(0.5, -0.5, 0.0), 6.0, on_top)];
        let points = vec![Points {
            positions: Arc::new([Vec3::new(0.0, -0.5, 0.6)]),
            colors: Arc::new([RED]),
            size: 9.0,
            on_top,
        }];
        let lit = frame(vec![floor(matt(Vec3::Z))], vec![noon()]);
        let picture = picture(&Frame { lines, points, ..lit }, &from_above());
        let expected = if on_top { [255, 2, 2] } else { [0, 0, 255] };
        assert_close(picture.pixel(32, 32), expected, 4);
        assert_close(picture.pixel(32, 47), expected, 8);
    }
}

#[test]
fn edges_are_drawn_in_place_of_faces_or_upon_them() {
    let show = |fill| {
        let look = SurfaceLook { fill, ..matt(Vec3::X) };
        let square = surface(meshes::rectangle([0.5, 0.5]), look);
        picture_of(&frame(vec![square], vec![noon()]), &from_above(), [65, 65])
    };
    let shade = |picture: &Image, x, y| picture.pixel(x, y)[0];
    // Off the diagonal, and upon the left side.
    let (inside, side) = ((40, 36), (16, 32));
    let faces = show(Fill::Faces);
    let edges = show(Fill::Edges);
    let both = show(Fill::FacesAndEdges);
    let nothing = show(Fill::Nothing);
    assert_eq!(shade(&faces, inside.0, inside.1), 255);
    assert_eq!(shade(&edges, inside.0, inside.1), 0);
    assert!(shade(&edges, side.0, side.1) > 100);
    assert_eq!(shade(&both, inside.0, inside.1), 255);
    // The diagonal from lower left to upper right.
    assert!(shade(&both, 32, 32) < 220, "{}", shade(&both, 32, 32));
    assert!(covered(&nothing) == 0.0);
}

#[test]
fn nearer_things_hide_farther_ones_in_any_order() {
    let mut lid = surface(meshes::rectangle([0.3, 0.3]), matt(Vec3::X));
    lid.world_from_local = Mat4::from_translation(Vec3::Y * 0.01);
    let below = floor(matt(Vec3::Z));
    for surfaces in [vec![lid.clone(), below.clone()], vec![below, lid]] {
        let picture = picture(&frame(surfaces, vec![noon()]), &from_above());
        assert_close(picture.pixel(32, 32), [255, 0, 0], 1);
        assert_close(picture.pixel(4, 4), [0, 0, 255], 1);
    }
}

#[test]
fn edges_of_things_are_smooth() {
    let mut turned = surface(meshes::rectangle([0.5, 0.5]), matt(Vec3::ONE));
    turned.world_from_local = Mat4::from_rotation_y(0.2);
    let picture = picture(&frame(vec![turned], vec![noon()]), &from_above());
    let mut between: Vec<u8> =
        picture.rgba.chunks(4).map(|pixel| pixel[0]).filter(|c| (1..255).contains(c)).collect();
    let count = between.len();
    between.sort_unstable();
    between.dedup();
    // Four samples a pixel: three shades between, mixed as light.
    assert!(count > 40, "{count}");
    for (got, samples) in between.iter().zip([1.0, 2.0, 3.0]) {
        assert!(got.abs_diff(byte(samples / 4.0)) <= 2, "{between:?}");
    }
}
