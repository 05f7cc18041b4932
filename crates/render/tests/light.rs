//! Light, shadows and shading against what the formulas say.

mod common;

use common::*;
use glam::{Mat4, Vec3};
use tkanina_render::frame::{Light, LightKind, Shading, SurfaceLook};
use tkanina_render::{MAX_LIGHTS, meshes};

const OCHRE: Vec3 = Vec3::new(0.8, 0.5, 0.2);

fn lamp(position: Vec3, half_distance: f32) -> Light {
    Light { kind: LightKind::Point { position, half_distance }, ..noon() }
}

#[test]
fn a_matt_plane_that_faces_the_sun_has_its_own_colour() {
    let picture = picture(&frame(vec![floor(matt(OCHRE))], vec![noon()]), &from_above());
    assert_close(picture.pixel(32, 32), [204, 128, 51], 1);
    assert_close(picture.pixel(5, 60), [204, 128, 51], 1);
}

#[test]
fn slanting_light_is_weaker_by_its_cosine() {
    let direction = Vec3::new(0.6, -0.8, 0.0);
    let sun = Light { kind: LightKind::Sun { direction }, ..noon() };
    let picture = picture(&frame(vec![floor(matt(OCHRE))], vec![sun]), &from_above());
    let expected = OCHRE.to_array().map(|c| byte(0.8 * light(c)));
    assert_close(picture.pixel(32, 32), expected, 2);
}

#[test]
fn ambient_light_adds_and_surfaces_send_back_their_part() {
    let sun = Light { ambient: Vec3::splat(0.5), ..noon() };
    let look = SurfaceLook { reflects: [0.5, 0.25, 0.0], ..matt(Vec3::ONE) };
    let picture = picture(&frame(vec![floor(look)], vec![sun]), &from_above());
    let expected = byte(0.5 * light(0.5) + 0.25);
    assert_close(picture.pixel(32, 32), [expected; 3], 2);
}

#[test]
fn each_side_has_its_colour_and_its_light() {
    let look = SurfaceLook { front: Vec3::X, back: Vec3::Y, ..matt(Vec3::ONE) };
    let up = Light { kind: LightKind::Sun { direction: Vec3::Y }, ..noon() };
    let both = frame(vec![floor(look.clone())], vec![noon(), up]);
    assert_close(picture(&both, &from_above()).pixel(32, 32), [255, 0, 0], 1);
    assert_close(picture(&both, &from_below()).pixel(32, 32), [0, 255, 0], 1);
    let above = frame(vec![floor(look)], vec![noon()]);
    assert_close(picture(&above, &from_below()).pixel(32, 32), [0, 0, 0], 1);
}

#[test]
fn a_mirrored_surface_keeps_its_front() {
    let look = SurfaceLook { front: Vec3::X, back: Vec3::Y, ..matt(Vec3::ONE) };
    let mut mirrored = floor(look);
    mirrored.world_from_local = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let picture = picture(&frame(vec![mirrored], vec![noon()]), &from_above());
    assert_close(picture.pixel(32, 32), [255, 0, 0], 1);
}

#[test]
fn a_lamp_at_its_half_distance_gives_half() {
    for (height, share) in [(0.5, 0.8), (1.0, 0.5), (3.0, 0.1)] {
        let lit = frame(vec![floor(matt(Vec3::ONE))], vec![lamp(Vec3::Y * height, 1.0)]);
        let picture = picture_of(&lit, &from_above(), [65, 65]);
        assert_close(picture.pixel(32, 32), [byte(share); 3], 2);
    }
}

#[test]
fn gloss_is_where_the_mirror_says_and_not_elsewhere() {
    let sun = Light { specular: Vec3::ONE, diffuse: Vec3::ZERO, ..noon() };
    let look = SurfaceLook { reflects: [0.0, 0.0, 0.5], shininess: 40.0, ..matt(Vec3::ONE) };
    let picture = picture_of(&frame(vec![floor(look)], vec![sun]), &from_above(), [65, 65]);
    assert_close(picture.pixel(32, 32), [byte(0.5); 3], 3);
    // At the picture's rim the mirrored ray misses the eye by atan(0.5 · 62/65).
    let off = (0.5_f32 * 62.0 / 65.0).atan();
    assert_close(picture.pixel(32, 63), [byte(0.5 * off.cos().powf(40.0)); 3], 3);
}

#[test]
fn what_is_under_something_is_dark_and_the_rest_is_untouched() {
    for light in
        [Light { shadows: true, ..noon() }, Light { shadows: true, ..lamp(Vec3::Y * 1.5, 4.0) }]
    {
        let mut lid = surface(meshes::rectangle([0.2, 0.2]), matt(Vec3::ONE));
        // Beside the line from eye to shadow, so that the eye sees what is below.
        lid.world_from_local = Mat4::from_translation(Vec3::Y * 0.25);
        let shaded = frame(vec![floor(matt(Vec3::ONE)), lid.clone()], vec![light]);
        let bare = frame(vec![floor(matt(Vec3::ONE))], vec![Light { shadows: false, ..light }]);
        let mut camera = from_above();
        camera.eye = Vec3::new(0.0, 0.6, 2.0);
        camera.up = Vec3::Y;
        let size = glam::Vec2::splat(256.0);
        let shaded = picture_of(&shaded, &camera, [256, 256]);
        let bare = picture_of(&bare, &camera, [256, 256]);
        let at = |image: &tkanina_render::Image, point| {
            let (place, _) = camera.project(point, size).unwrap();
            image.pixel(place.x as u32, place.y as u32)
        };
        let under = Vec3::new(0.0, 0.0, 0.05);
        assert_close(at(&shaded, under), [0; 3], 0);
        for open in [Vec3::new(0.5, 0.0, 0.3), Vec3::new(-0.6, 0.0, -0.2), Vec3::Z * 0.4] {
            assert_eq!(at(&shaded, open), at(&bare, open), "{open}");
            assert!(at(&shaded, open)[0] > 100);
        }
        // The lid does not shade itself.
        let top = Vec3::new(0.05, 0.25, 0.05);
        assert!(at(&shaded, top)[0] > 200, "{:?}", at(&shaded, top));
    }
}

#[test]
fn each_light_looks_into_its_own_shadows() {
    let slanting = LightKind::Sun { direction: Vec3::new(0.6, -0.8, 0.0) };
    let lights = [
        Light { diffuse: Vec3::X, shadows: true, ..lamp(Vec3::new(0.3, 1.5, 0.2), 4.0) },
        Light { diffuse: Vec3::ZERO, ..noon() },
        Light { diffuse: Vec3::Y, shadows: true, kind: slanting, ..noon() },
        Light { diffuse: Vec3::Z, shadows: true, ..lamp(Vec3::new(-0.4, 1.5, 0.5), 4.0) },
    ];
    let draw = |lights| {
        let mut lid = surface(meshes::rectangle([0.2, 0.2]), matt(Vec3::ONE));
        lid.world_from_local = Mat4::from_translation(Vec3::Y * 0.5);
        picture_of(&frame(vec![floor(matt(Vec3::ONE)), lid], lights), &from_above(), [256, 256])
    };
    let together = draw(lights.to_vec());
    for (channel, light) in [(0, lights[0]), (1, lights[2]), (2, lights[3])] {
        let alone = draw(vec![light]);
        let bytes = || together.rgba.iter().zip(&alone.rgba).skip(channel).step_by(4);
        let shaded = bytes().filter(|(_, alone)| **alone < 10).count();
        let otherwise = bytes().filter(|(both, alone)| both.abs_diff(**alone) > 40).count();
        assert!(shaded > 500, "{shaded} pixels in the shadow of {light:?}");
        // A lamp beside it may make a sun's layer coarser: edges move a little.
        assert!(otherwise < 100, "{otherwise} pixels are not as under {light:?} alone");
    }
}

#[test]
fn a_ball_in_the_sun_shades_itself_only_where_it_faces_away() {
    let direction = Vec3::new(-0.5, -0.7, -0.4).normalize();
    let sun = Light { kind: LightKind::Sun { direction }, shadows: true, ..noon() };
    let ball = || surface(meshes::sphere(0.8, 96), matt(Vec3::ONE));
    let lit = picture_of(&frame(vec![ball()], vec![sun]), &from_above(), [256, 256]);
    let bare = Light { shadows: false, ..sun };
    let bare = picture_of(&frame(vec![ball()], vec![bare]), &from_above(), [256, 256]);
    // Acne would be dark specks where light falls.
    let specks = lit
        .rgba
        .iter()
        .zip(&bare.rgba)
        .filter(|(lit, bare)| **bare > 100 && lit.abs_diff(**bare) > 12)
        .count();
    assert_eq!(specks, 0);
}

#[test]
fn flat_shading_has_one_shade_a_triangle() {
    let kind = LightKind::Sun { direction: Vec3::new(0.8, -0.6, 0.0) };
    let sun = Light { kind, ..noon() };
    // Share of lit pixels that have the shade of the pixel beside them.
    let even = |shading| {
        let look = SurfaceLook { shading, ..matt(Vec3::ONE) };
        let coarse = surface(meshes::sphere(0.9, 8), look);
        let picture = picture_of(&frame(vec![coarse], vec![sun]), &from_above(), [256, 256]);
        let pairs = picture.rgba.chunks(8).map(|pair| (pair[0], pair[4]));
        let lit: Vec<_> = pairs.filter(|(a, b)| *a > 0 && *b > 0).collect();
        lit.iter().filter(|(a, b)| a == b).count() as f32 / lit.len() as f32
    };
    let [flat, gouraud, phong] = [Shading::Flat, Shading::Gouraud, Shading::Phong].map(even);
    assert!(flat > 0.9, "{flat}");
    assert!(gouraud < 0.6 && phong < 0.6, "{gouraud} {phong}");
}

#[test]
fn phong_is_right_between_corners_and_gouraud_is_not() {
    let center = |shading| {
        // Normals lean outward at the corners, so that light is weak there.
        let mut tent = floor(SurfaceLook { shading, ..matt(Vec3::ONE) });
        let lean = |p: &Vec3| (Vec3::Y + Vec3::new(p.x, 0.0, p.z)).normalize();
        tent.normals = tent.positions.iter().map(lean).collect();
        picture_of(&frame(vec![tent], vec![noon()]), &from_above(), [65, 65]).pixel(32, 32)
    };
    assert_close(center(Shading::Phong), [255; 3], 1);
    let corner = 1.0 / 3.0_f32.sqrt();
    assert_close(center(Shading::Gouraud), [byte(corner); 3], 2);
}

#[test]
fn a_surface_without_normals_is_flat() {
    let mut bare = floor(matt(OCHRE));
    bare.normals = [].into();
    let picture = picture(&frame(vec![bare], vec![noon()]), &from_above());
    assert_close(picture.pixel(32, 32), [204, 128, 51], 1);
}

#[test]
fn of_many_lights_the_first_ones_shine() {
    let dim = Light { diffuse: Vec3::splat(0.3), ..noon() };
    let look = || vec![floor(matt(Vec3::splat(0.7)))];
    let many = picture(&frame(look(), vec![dim; 100]), &from_above());
    let most = picture(&frame(look(), vec![dim; MAX_LIGHTS]), &from_above());
    assert_eq!(many, most);
    assert_close(many.pixel(32, 32), [byte(MAX_LIGHTS as f32 * light(0.3) * light(0.7)); 3], 2);
    let none = picture(&frame(look(), vec![]), &from_above());
    assert_close(none.pixel(32, 32), [0; 3], 0);
}
