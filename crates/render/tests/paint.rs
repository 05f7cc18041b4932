//! Paint, pictures, colour maps and bumps.

mod common;

use common::*;
use glam::Vec3;
use tkanina_render::frame::{Bumps, ColorMap, Light, LightKind, Paint, SurfaceLook};

fn painted(paint: Paint) -> tkanina_render::Image {
    let look = SurfaceLook { paint, ..matt(Vec3::ONE) };
    picture(&frame(vec![floor(look)], vec![noon()]), &from_above())
}

#[test]
fn rows_alternate_along_v() {
    let picture = painted(Paint::Rows { odd: Vec3::X, count: 4.0 });
    // v grows toward −z, which is up in the picture: row 0 is at the bottom.
    for (row, expected) in [(0, [255; 3]), (1, [255, 0, 0]), (2, [255; 3]), (3, [255, 0, 0])] {
        for x in [4, 32, 60] {
            assert_close(picture.pixel(x, 63 - 8 - 16 * row), expected, 1);
        }
    }
}

#[test]
fn textures_repeat_with_their_first_row_on_top() {
    let [red, green] = [[255, 0, 0, 255], [0, 255, 0, 255]];
    let [blue, white] = [[0, 0, 255, 255], [255; 4]];
    // Four squares of 8 x 8 texels, so that their middles are not mixed with their neighbours.
    let texels: Vec<[u8; 4]> =
        (0..16 * 16).map(|i| [[red, green], [blue, white]][i / 128][i % 16 / 8]).collect();
    let picture = painted(Paint::Texture { image: image(16, 16, &texels), repeat: [2.0, 1.0] });
    for shift in [0, 32] {
        for (x, y, expected) in [(8, 16, red), (24, 16, green), (8, 48, blue), (24, 48, white)] {
            let expected = [expected[0], expected[1], expected[2]];
            assert_close(picture.pixel(x + shift, y), expected, 1);
        }
    }
}

#[test]
fn clear_texels_show_the_surface() {
    let picture =
        painted(Paint::Texture { image: image(1, 1, &[[0, 0, 255, 0]]), repeat: [1.0, 1.0] });
    assert_close(picture.pixel(32, 32), [255; 3], 1);
}

#[test]
fn a_picture_too_large_is_shrunk_and_a_broken_one_left_out() {
    let wide = tkanina_render::Image::filled(40_000, 2, [0, 0, 255, 255]);
    let picture = painted(Paint::Texture { image: wide.into(), repeat: [1.0, 1.0] });
    assert_close(picture.pixel(32, 32), [0, 0, 255], 1);
    let broken = tkanina_render::Image { width: 9, height: 9, rgba: vec![0; 7] };
    let picture = painted(Paint::Texture { image: broken.into(), repeat: [1.0, 1.0] });
    assert_close(picture.pixel(32, 32), [255; 3], 1);
}

#[test]
fn grid_lines_lie_on_multiples_of_their_distance() {
    let look =
        SurfaceLook { paint: Paint::Grid { color: Vec3::ZERO, spacing: 0.5 }, ..matt(Vec3::ONE) };
    let lit = frame(vec![floor(look)], vec![noon()]);
    let picture = picture_of(&lit, &from_above(), [256, 256]);
    // Lines at x = −0.5, 0, 0.5; half way between them there is none.
    for x in [64, 128, 192] {
        assert!(picture.pixel(x, 100)[0] < 200, "{:?}", picture.pixel(x, 100));
    }
    for x in [32, 96, 160, 224] {
        assert_close(picture.pixel(x, 96), [255; 3], 2);
    }
}

#[test]
fn curves_follow_document_000() {
    let (frequency, curvature, thickness) = (3.0, 0.8, 0.5);
    let look = SurfaceLook {
        paint: Paint::Curves {
            background: Vec3::ONE,
            color: Vec3::ZERO,
            curvature,
            thickness,
            frequency,
        },
        ..matt(Vec3::splat(0.1))
    };
    let lit = frame(vec![floor(look)], vec![noon()]);
    let picture = picture_of(&lit, &from_above(), [256, 256]);
    let (mut curve, mut between) = (0, 0);
    for (x, y) in (0..256).flat_map(|y| (0..256).map(move |x| (x, y))) {
        let [u, v] = [(x as f32 + 0.5) / 256.0, 1.0 - (y as f32 + 0.5) / 256.0];
        let p = 2.0 * std::f32::consts::PI * frequency;
        // With a thickness of one half, curves are where the sine of document 000 is positive.
        let sine = (p * (u + v) + curvature * (p * (u - v)).sin()).sin();
        if sine.abs() > 0.3 {
            let expected = if sine > 0.0 { 0 } else { 255 };
            assert_close(picture.pixel(x, y), [expected; 3], 3);
            *if sine > 0.0 { &mut curve } else { &mut between } += 1;
        }
    }
    assert!(curve > 20_000 && between > 20_000);
}

#[test]
fn values_have_the_colours_of_their_map() {
    for map in [ColorMap::Viridis, ColorMap::Cividis] {
        for value in [0.0, 0.37, 1.0] {
            let mut heat = floor(SurfaceLook { color_map: map, ..matt(Vec3::ONE) });
            heat.values = Some([value; 4].into());
            let picture = picture(&frame(vec![heat], vec![noon()]), &from_above());
            // Seen and lit from the front it is the map's own colour, as in a legend.
            let expected = map.color(value).map(|c| (255.0 * c).round() as u8);
            assert_close(picture.pixel(32, 32), expected, 3);
        }
    }
}

#[test]
fn a_normal_map_turns_the_light() {
    let shade = |pixel, strength, direction: Vec3| {
        let bumps = Bumps { image: Some(image(1, 1, &[pixel])), repeat: [1.0, 1.0], strength };
        let look = SurfaceLook { bumps: Some(bumps), ..matt(Vec3::ONE) };
        let kind = LightKind::Sun { direction };
        let sun = Light { kind, ..noon() };
        picture(&frame(vec![floor(look)], vec![sun]), &from_above()).pixel(32, 32)
    };
    // Normal (0.6, 0, 0.8): toward u, which is x.
    let lean = [204, 128, 230, 255];
    assert_close(shade(lean, 1.0, Vec3::new(-0.6, -0.8, 0.0)), [255; 3], 2);
    assert_close(shade(lean, 1.0, Vec3::NEG_Y), [byte(0.8); 3], 2);
    assert_close(shade(lean, 0.0, Vec3::NEG_Y), [255; 3], 2);
    // Normal (0, 0.6, 0.8): toward v, which is −z.
    let lean = [128, 204, 230, 255];
    assert_close(shade(lean, 1.0, Vec3::new(0.0, -0.8, 0.6)), [255; 3], 2);
}

#[test]
fn a_weave_has_threads_near_by_and_is_smooth_from_afar() {
    let spread = |repeat: f32| {
        let bumps = Bumps { image: None, repeat: [repeat; 2], strength: 1.0 };
        let look = SurfaceLook { bumps: Some(bumps), ..matt(Vec3::ONE) };
        let picture = picture(&frame(vec![floor(look)], vec![noon()]), &from_above());
        let shades = picture.rgba.chunks(4).map(|pixel| pixel[0]);
        shades.clone().max().unwrap() - shades.min().unwrap()
    };
    assert!(spread(4.0) > 40, "{}", spread(4.0));
    assert!(spread(400.0) < 4, "{}", spread(400.0));
}
