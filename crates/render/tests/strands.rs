//! Strands: what they cover, how they shine, what they shade.

mod common;

use std::sync::Arc;

use common::*;
use glam::{Mat4, Vec2, Vec3};
use tkanina_render::frame::{
    ColorMap, Light, LightKind, StrandDisplay, StrandGround, StrandLight, StrandLook, Strands,
};
use tkanina_render::{Camera, Frame, Image, meshes};

const SIZE: [u32; 2] = [256, 256];

/// Pixels of a metre at y = 0 from above.
const METRE: f32 = 128.0;

/// White in light that comes from everywhere.
fn even(radius: f32) -> StrandLook {
    StrandLook {
        light: StrandLight::KajiyaKay,
        radii: [radius; 2],
        colors: [Vec3::ONE; 2],
        variation: 0.0,
        reflects: [1.0, 0.0, 0.0],
        ..Default::default()
    }
}

fn everywhere() -> Light {
    Light { ambient: Vec3::ONE, diffuse: Vec3::ZERO, ..noon() }
}

fn strands(curves: &[Vec<Vec3>], look: StrandLook) -> Strands {
    let mut first = 0;
    let range = |curve: &Vec<Vec3>| {
        first += curve.len() as u32;
        [first - curve.len() as u32, curve.len() as u32]
    };
    let ranges = curves.iter().map(range).collect();
    Strands { points: curves.concat().into(), ranges, values: None, ground: None, look }
}

fn shown(strands: Strands, lights: Vec<Light>) -> Frame {
    Frame { strands: vec![strands], ..frame(vec![], lights) }
}

/// Linear light of all pixels.
fn covered(picture: &Image) -> f32 {
    picture.rgba.chunks(4).map(|pixel| light(f32::from(pixel[0]) / 255.0)).sum()
}

/// A number from 0 to 1 that looks random.
fn chance(seed: u32) -> f32 {
    let h = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let h = ((h >> ((h >> 28) + 4)) ^ h).wrapping_mul(277_803_737);
    ((h >> 22) ^ h) as f32 / u32::MAX as f32
}

#[test]
fn a_strand_covers_its_length_times_its_thickness() {
    let straight = vec![vec![Vec3::X * -0.5, Vec3::ZERO, Vec3::X * 0.5]];
    let picture =
        picture_of(&shown(strands(&straight, even(0.02)), vec![everywhere()]), &from_above(), SIZE);
    let expected = 0.04 * METRE * METRE;
    assert!((covered(&picture) / expected - 1.0).abs() < 0.03, "{}", covered(&picture));
    assert_close(picture.pixel(128, 128), [255; 3], 1);
    assert_close(picture.pixel(128, 124), [0; 3], 1);
    // Half as thick at the tip.
    let tapered = StrandLook { radii: [0.02, 0.0], ..even(0.0) };
    let picture =
        picture_of(&shown(strands(&straight, tapered), vec![everywhere()]), &from_above(), SIZE);
    assert!((2.0 * covered(&picture) / expected - 1.0).abs() < 0.05, "{}", covered(&picture));
}

#[test]
fn a_thin_strand_is_as_bright_as_it_is_thick() {
    for pixels in [0.1, 0.25, 0.6] {
        let slanting = vec![vec![Vec3::new(-0.8, 0.0, -0.5), Vec3::new(0.8, 0.0, 0.43)]];
        let length = (slanting[0][1] - slanting[0][0]).length() * METRE;
        let look = even(0.5 * pixels / METRE);
        let picture =
            picture_of(&shown(strands(&slanting, look), vec![everywhere()]), &from_above(), SIZE);
        let found = covered(&picture) / (pixels * length);
        assert!((found - 1.0).abs() < 0.15, "{pixels} pixels: {found}");
    }
}

#[test]
fn few_strands_stand_for_many_that_are_thin() {
    let pixels = 0.05;
    let curves: Vec<_> = (0..6000)
        .map(|i| {
            let place = Vec3::new(chance(i) - 0.5, 0.0, chance(i + 9000) - 0.5) * 1.8;
            let turn = 6.0 * chance(i + 20000);
            vec![place, place + 0.1 * Vec3::new(turn.cos(), 0.0, turn.sin())]
        })
        .collect();
    let look = even(0.5 * pixels / METRE);
    let picture =
        picture_of(&shown(strands(&curves, look), vec![everywhere()]), &from_above(), SIZE);
    let whole = 6000.0 * pixels * 0.1 * METRE;
    // They hide each other as what is strewn at random does.
    let area = (1.8 * METRE) * (1.8 * METRE);
    let expected = area * (1.0 - (-whole / area).exp());
    let found = covered(&picture) / expected;
    assert!((found - 1.0).abs() < 0.08, "{found}");
    // A sixth of them is drawn: the others are not missed.
    let lit = picture.rgba.chunks(4).filter(|pixel| pixel[0] > 0).count() as f32;
    assert!(lit < 4.0 * whole && lit > whole, "{lit} of {whole}");
}

#[test]
fn gloss_is_where_kajiya_and_kay_say() {
    let toward = Vec3::new(0.6, 0.8, 0.0);
    let sun = Light {
        kind: LightKind::Sun { direction: -toward },
        diffuse: Vec3::ZERO,
        specular: Vec3::ONE,
        ..noon()
    };
    let look = StrandLook { reflects: [0.0, 0.0, 0.8], shininess: 60.0, ..even(0.015) };
    let at = |angle: f32| Vec3::new(angle.sin(), angle.cos() - 1.0, 0.0);
    let arc: Vec<Vec3> = (0..=40).map(|k| at((k as f32 - 20.0) * 0.04)).collect();
    let picture = picture_of(&shown(strands(&[arc], look), vec![sun]), &from_above(), SIZE);
    // The formula along the arc.
    let gloss = |angle: f32| {
        let (place, tangent) = (at(angle), Vec3::new(angle.cos(), -angle.sin(), 0.0));
        let to_eye = (from_above().eye - place).normalize();
        let (l, e) = (tangent.dot(toward), tangent.dot(to_eye));
        ((1.0 - l * l).sqrt() * (1.0 - e * e).sqrt() - l * e).max(0.0).powf(60.0)
    };
    let best = (-800..800)
        .map(|k| k as f32 * 1e-3)
        .max_by(|a, b| gloss(*a).total_cmp(&gloss(*b)))
        .unwrap();
    let size = Vec2::new(256.0, 256.0);
    let (expected, _) = from_above().project(at(best), size).unwrap();
    let brightest = (0..256).max_by_key(|&x| picture.pixel(x, 128)[0]).unwrap();
    assert!((brightest as f32 + 0.5 - expected.x).abs() < 3.0, "{brightest} {expected}");
    assert_close(picture.pixel(brightest, 128), [byte(0.8); 3], 6);
    let aside = at(best + 0.2);
    let (place, _) = from_above().project(aside, size).unwrap();
    let expected = byte(0.8 * gloss(best + 0.2));
    assert_close(picture.pixel(place.x as u32, 128), [expected; 3], 8);
}

#[test]
fn the_three_lobes_shine_against_the_light_and_with_it() {
    let shine = |direction: Vec3, reflects: [f32; 3]| {
        let sun = Light { kind: LightKind::Sun { direction }, specular: Vec3::ONE, ..noon() };
        let colors = [Vec3::new(0.5, 0.3, 0.2); 2];
        let look = StrandLook { light: StrandLight::Marschner, colors, reflects, ..even(0.006) };
        let straight = vec![vec![Vec3::X * -0.5, Vec3::X * 0.5]];
        covered(&picture_of(&shown(strands(&straight, look), vec![sun]), &from_above(), SIZE))
    };
    let along = Vec3::new(0.9, -0.436, 0.0);
    let gloss = [Vec3::NEG_Y, along].map(|direction| shine(direction, [0.0, 0.0, 1.0]));
    assert!(gloss[0] > 20.0 && gloss[1] < 0.1 * gloss[0], "reflected: {gloss:?}");
    let through = [Vec3::Y, Vec3::NEG_Y].map(|direction| shine(direction, [0.0, 1.0, 0.0]));
    assert!(through[0] > 1.5 * through[1], "passed through: {through:?}");
}

/// Many strands along x, square to the light, that cover `amount` of what is below.
fn blanket(amount: f32, heights: [f32; 2], look: StrandLook) -> Strands {
    let count = 400;
    let radius = 0.5 * amount * 0.6 / count as f32;
    let curves: Vec<_> = (0..count)
        .map(|i| {
            let z = 0.6 * (chance(i) - 0.5);
            let y = heights[0] + (heights[1] - heights[0]) * chance(i + 700);
            vec![Vec3::new(-0.3, y, z), Vec3::new(0.3, y, z)]
        })
        .collect();
    strands(&curves, StrandLook { radii: [radius; 2], ..look })
}

#[test]
fn what_is_under_hair_is_darker_by_what_the_hair_covers() {
    let camera = Camera { eye: Vec3::new(0.0, 0.5, 2.0), up: Vec3::Y, ..from_above() };
    let sun = Light { shadows: true, ..noon() };
    let at = |picture: &Image, point: Vec3| {
        let (place, _) = camera.project(point, Vec2::splat(256.0)).unwrap();
        let mut sum = 0.0;
        for (dx, dy) in [(0, 0), (3, 0), (-3, 0), (0, 2), (0, -2), (6, 1), (-6, -1)] {
            let pixel = picture.pixel((place.x as i32 + dx) as u32, (place.y as i32 + dy) as u32);
            sum += light(f32::from(pixel[1]) / 255.0) / 7.0;
        }
        sum
    };
    for amount in [0.5f32, 1.5] {
        let hair = blanket(amount, [0.29, 0.31], StrandLook { reflects: [0.0; 3], ..even(0.0) });
        let surfaces = vec![floor(matt(Vec3::ONE))];
        let lit = Frame { strands: vec![hair], ..frame(surfaces, vec![sun]) };
        let picture = picture_of(&lit, &camera, SIZE);
        let under = at(&picture, Vec3::new(0.0, 0.0, 0.05));
        let expected = (-amount).exp();
        assert!((under - expected).abs() < 0.12, "{amount}: {under}, expected {expected}");
        assert!(at(&picture, Vec3::new(0.6, 0.0, 0.3)) > 0.95);
    }
}

#[test]
fn hair_inside_is_darker_than_outside() {
    let camera = Camera {
        eye: Vec3::new(0.0, 0.3, 2.0),
        target: Vec3::Y * 0.3,
        up: Vec3::Y,
        ..from_above()
    };
    for kind in [
        LightKind::Sun { direction: Vec3::NEG_Y },
        LightKind::Point { position: Vec3::Y * 6.0, half_distance: 50.0 },
    ] {
        let sun = Light { kind, shadows: true, ..noon() };
        for model in [StrandLight::KajiyaKay, StrandLight::Marschner] {
            let look = StrandLook {
                light: model,
                colors: [Vec3::splat(0.5); 2],
                reflects: [0.0, 1.0, 0.0],
                ..even(0.0)
            };
            let frame = shown(blanket(4.0, [0.1, 0.5], look), vec![sun]);
            let picture = picture_of(&frame, &camera, SIZE);
            // Mean of the rows near a height.
            let row = |height: f32| {
                let (place, _) = camera.project(Vec3::Y * height, Vec2::splat(256.0)).unwrap();
                let y = place.y as u32;
                let pixels = (y - 4..y + 4).flat_map(|y| (110..146).map(move |x| (x, y)));
                let lit: Vec<u8> =
                    pixels.map(|(x, y)| picture.pixel(x, y)[0]).filter(|c| *c > 0).collect();
                lit.iter().map(|c| light(f32::from(*c) / 255.0)).sum::<f32>() / lit.len() as f32
            };
            let [top, bottom] = [row(0.47), row(0.15)];
            assert!(top > 2.5 * bottom, "{kind:?} {model:?}: {top} {bottom}");
        }
    }
}

/// Fur on a square, combed to a side.
fn fur(display: StrandDisplay) -> Strands {
    let spacing = 0.025;
    let curves: Vec<_> = (0..1600)
        .map(|i| {
            let root = Vec3::new((i % 40) as f32 - 19.5, 0.0, (i / 40) as f32 - 19.5) * spacing;
            let move_by = Vec3::new(chance(i) - 0.5, 0.0, chance(i + 5000) - 0.5) * spacing;
            let at = |k: u32| 0.05 * k as f32 * Vec3::new(0.8, 0.6 - 0.05 * k as f32, 0.1);
            (0..5).map(|k| root + move_by + at(k)).collect()
        })
        .collect();
    let mesh = meshes::rectangle([0.5, 0.5]);
    let corner = |p: &Vec3| {
        let cell = |c: f32| ((c / spacing + 19.5).round().clamp(0.0, 39.0)) as u32;
        cell(p.x) + 40 * cell(p.z)
    };
    let guides: Arc<[[u32; 3]]> = mesh.positions.iter().map(|p| [corner(p); 3]).collect();
    let look = StrandLook { display, spacing, shells: 48, ..even(0.0012) };
    let ground = StrandGround {
        positions: mesh.positions.clone(),
        normals: mesh.normals.clone(),
        rest: mesh.positions.clone(),
        triangles: mesh.triangles.clone(),
        weights: guides.iter().map(|_| [1.0 / 3.0; 3]).collect(),
        guides,
    };
    Strands { ground: Some(ground), ..strands(&curves, look) }
}

#[test]
fn all_ways_to_draw_fur_cover_about_the_same() {
    let cover = |display| {
        let picture = picture_of(&shown(fur(display), vec![everywhere()]), &from_above(), SIZE);
        covered(&picture)
    };
    let ribbons = cover(StrandDisplay::Ribbons);
    assert!(ribbons > 0.1 * METRE * METRE, "{ribbons}");
    for display in [StrandDisplay::Billboards, StrandDisplay::Cards, StrandDisplay::Shells] {
        let part = cover(display) / ribbons;
        assert!((0.6..1.5).contains(&part), "{display:?} covers {part} of what ribbons do");
    }
}

#[test]
fn shells_follow_the_strands_and_grow_only_where_they_should() {
    let draw = |fur: Strands| picture_of(&shown(fur, vec![everywhere()]), &from_above(), SIZE);
    // Mean place along x of what is lit.
    let middle = |picture: &Image| {
        let lit = (0..256 * 256).map(|i| (i % 256, light(f32::from(picture.rgba[4 * i]) / 255.0)));
        let (sum, weight) =
            lit.fold((0.0, 0.0), |(s, w), (x, light)| (s + x as f32 * light, w + light));
        sum / weight
    };
    let combed = fur(StrandDisplay::Shells);
    let mut upright = combed.clone();
    let points = combed.points.iter().enumerate().map(|(i, p)| {
        let root = combed.points[i - i % 5];
        root + (*p - root).length() * Vec3::Y
    });
    upright.points = points.collect();
    let moved = middle(&draw(combed.clone())) - middle(&draw(upright));
    assert!((6.0..20.0).contains(&moved), "{moved}");
    let mut bald = combed;
    if let Some(ground) = &mut bald.ground {
        ground.weights = ground.weights.iter().map(|_| [0.0; 3]).collect();
    }
    assert_eq!(covered(&draw(bald)), 0.0);
}

#[test]
fn values_colour_strands_in_place_of_their_own() {
    let straight = vec![vec![Vec3::X * -0.5, Vec3::X * 0.5]];
    let mut valued = strands(&straight, even(0.04));
    valued.values = Some(Arc::new([0.0, 1.0]));
    let picture = picture_of(&shown(valued, vec![noon()]), &from_above(), SIZE);
    for (x, value) in [(70, 0.05), (186, 0.95)] {
        let expected = ColorMap::Viridis.color(value).map(|c| (c * 255.0) as u8);
        assert_close(picture.pixel(x, 128), expected, 20);
    }
}

#[test]
fn the_same_hair_gives_the_same_bytes_and_is_sent_once() {
    let mut offscreen = offscreen();
    let sun = Light { shadows: true, specular: Vec3::ONE, ..noon() };
    let frame = Frame {
        strands: vec![blanket(2.0, [0.1, 0.4], StrandLook::default())],
        ..frame(vec![floor(matt(Vec3::ONE))], vec![sun])
    };
    let first = offscreen.picture(&frame, &from_above(), SIZE).unwrap();
    assert!(offscreen.renderer().uploaded_bytes() > 1000);
    let second = offscreen.picture(&frame, &from_above(), SIZE).unwrap();
    assert_eq!(first, second);
    assert_eq!(offscreen.renderer().uploaded_bytes(), 0);
}

#[test]
fn strands_that_make_no_sense_are_left_out() {
    let straight = vec![vec![Vec3::X * -0.5, Vec3::X * 0.5]];
    let good = strands(&straight, even(0.02));
    let bad = |points: Vec<Vec3>, ranges: Vec<[u32; 2]>| Strands {
        points: points.into(),
        ranges: ranges.into(),
        ..good.clone()
    };
    let some = || vec![Vec3::ZERO, Vec3::Z];
    let mut lost = fur(StrandDisplay::Shells);
    if let Some(ground) = &mut lost.ground {
        ground.guides = ground.guides.iter().map(|_| [u32::MAX; 3]).collect();
    }
    lost.look.radii = [0.0; 2];
    let all = vec![
        bad(vec![], vec![]),
        bad(some(), vec![[0, 1], [1, 2], [u32::MAX, 2], [0, u32::MAX]]),
        bad(vec![Vec3::NAN; 3], vec![[0, 3]]),
        bad(vec![Vec3::INFINITY, Vec3::ZERO], vec![[0, 2]]),
        lost,
    ];
    let mut mixed = frame(vec![], vec![Light { shadows: true, ..everywhere() }]);
    mixed.strands = all;
    let none = covered(&picture_of(&mixed, &from_above(), SIZE));
    assert!(none < 1.0, "{none}");
    mixed.strands.push(good);
    let one = covered(&picture_of(&mixed, &from_above(), SIZE));
    assert!((one / (0.04 * METRE * METRE) - 1.0).abs() < 0.05, "{one}");
}

#[test]
fn strands_are_hidden_by_what_is_before_them() {
    let straight = vec![vec![Vec3::X * -0.5, Vec3::X * 0.5]];
    let mut lid = surface(meshes::rectangle([0.25, 0.25]), matt(Vec3::Z));
    lid.world_from_local = Mat4::from_translation(Vec3::new(-0.25, 0.1, 0.0));
    let strands = vec![strands(&straight, even(0.02))];
    let frame = Frame { strands, ..frame(vec![lid], vec![everywhere()]) };
    let picture = picture_of(&frame, &from_above(), SIZE);
    assert_close(picture.pixel(90, 128), [0, 0, 255], 1);
    assert_close(picture.pixel(170, 128), [255; 3], 1);
}
