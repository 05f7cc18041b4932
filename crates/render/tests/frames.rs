//! Frames over time, and frames that make no sense.

mod common;

use std::sync::Arc;

use common::*;
use glam::{Mat4, Vec3};
use tkanina_render::frame::{
    Backdrop, Fill, Light, LightKind, Lines, Paint, Points, Surface, SurfaceLook,
};
use tkanina_render::{Camera, DeviceWatch, Frame, Gpu, RenderError, Renderer, Target, meshes};

fn full_frame() -> Frame {
    let mut heat = surface(
        meshes::sphere(0.3, 24),
        SurfaceLook { fill: Fill::FacesAndEdges, ..matt(Vec3::ONE) },
    );
    heat.values = Some(heat.positions.iter().map(|p| 0.5 + p.y).collect());
    heat.world_from_local = Mat4::from_translation(Vec3::Y * 0.4);
    let picture = image(2, 2, &[[255; 4], [0, 0, 0, 255], [9, 9, 9, 255], [255; 4]]);
    let look = SurfaceLook {
        paint: Paint::Texture { image: picture, repeat: [3.0, 3.0] },
        ..matt(Vec3::ONE)
    };
    Frame {
        surfaces: vec![floor(look), heat],
        lines: vec![Lines {
            segments: Arc::new([[Vec3::ZERO, Vec3::ONE], [Vec3::ZERO, Vec3::X]]),
            colors: Arc::new([[255; 4], [0, 255, 0, 255]]),
            width: 2.0,
            on_top: true,
        }],
        strands: Vec::new(),
        points: vec![Points {
            positions: Arc::new([Vec3::ZERO, Vec3::X]),
            colors: Arc::new([[255; 4]]),
            size: 5.0,
            on_top: false,
        }],
        lights: vec![Light { shadows: true, ..noon() }],
        ..Frame::default()
    }
}

#[test]
fn a_frame_that_did_not_change_uploads_nothing() {
    let mut offscreen = offscreen();
    let mut frame = full_frame();
    let first = offscreen.picture(&frame, &from_above(), [64, 64]).unwrap();
    assert!(offscreen.renderer().uploaded_bytes() > 1000);
    for _ in 0..3 {
        let again = offscreen.picture(&frame.clone(), &from_above(), [64, 64]).unwrap();
        assert_eq!(offscreen.renderer().uploaded_bytes(), 0);
        assert_eq!(first, again, "the same frame gives the same bytes");
    }
    // New positions upload themselves and the edges, no more.
    let ball = &mut frame.surfaces[1];
    ball.positions = ball.positions.iter().map(|p| *p * 1.001).collect();
    let positions = size_of_val(&*ball.positions) as u64;
    let edges = (ball.positions.len() + ball.triangles.len()) as u64 * 24;
    offscreen.picture(&frame, &from_above(), [64, 64]).unwrap();
    let uploaded = offscreen.renderer().uploaded_bytes();
    assert!((positions..positions + edges + 8192).contains(&uploaded), "{uploaded}");
}

#[test]
fn new_contents_at_every_frame_are_drawn() {
    let mut offscreen = offscreen();
    for shift in [-0.5_f32, 0.5, -0.25, 0.25, 0.0] {
        let mesh = meshes::rectangle([0.1, 0.1]);
        let mut moved = surface(mesh, matt(Vec3::ONE));
        moved.positions = moved.positions.iter().map(|p| *p + Vec3::X * shift).collect();
        let shown =
            offscreen.picture(&frame(vec![moved], vec![noon()]), &from_above(), [64, 64]).unwrap();
        let lit: Vec<u32> = (0..64).filter(|x| shown.pixel(*x, 32)[0] > 128).collect();
        let middle = lit.iter().sum::<u32>() as f32 / lit.len() as f32 + 0.5;
        assert!((middle - (32.0 + 32.0 * shift)).abs() < 1.0, "{shift}: {middle}");
    }
}

#[test]
fn the_sky_is_lighter_at_the_horizon_and_has_a_sun() {
    let direction = Vec3::new(0.0, -0.3, 0.95).normalize();
    let sun = Light { kind: LightKind::Sun { direction }, specular: Vec3::ONE, ..noon() };
    let sky = Frame { backdrop: Backdrop::default(), ..frame(vec![], vec![sun]) };
    let camera =
        Camera { eye: Vec3::ZERO, target: -direction.with_y(0.0), up: Vec3::Y, fov_y: 1.2 };
    let picture = picture_of(&sky, &camera, [256, 256]);
    let (place, _) = camera.project(-direction, glam::Vec2::splat(256.0)).unwrap();
    assert_close(picture.pixel(place.x as u32, place.y as u32), [255; 3], 0);
    let luma = |x, y| picture.pixel(x, y)[..3].iter().map(|c| u32::from(*c)).sum::<u32>();
    assert!(luma(4, 124) > luma(4, 4), "horizon over top");
    assert!(luma(4, 124) > luma(4, 252), "horizon over ground");
    let Backdrop::Sky { horizon, .. } = Backdrop::default() else { unreachable!() };
    let expected = horizon.to_array().map(|c| (255.0 * c).round() as u8);
    assert_close(picture.pixel(2, 128), expected, 9);
}

#[test]
fn only_suns_with_gloss_have_discs_and_only_if_asked_for() {
    let toward = Vec3::new(0.0, 0.3, -1.0);
    let sun = Light { kind: LightKind::Sun { direction: -toward }, specular: Vec3::ONE, ..noon() };
    let lamp = Light { kind: LightKind::Point { position: toward, half_distance: 1.0 }, ..sun };
    let matt_sun = Light { specular: Vec3::ZERO, ..sun };
    let camera = Camera { eye: Vec3::ZERO, target: toward, up: Vec3::Y, fov_y: 0.4 };
    let middle = |lights: &[Light], discs| {
        let mut backdrop = Backdrop::default();
        if let Backdrop::Sky { sun_disc, .. } = &mut backdrop {
            *sun_disc = discs;
        }
        let sky = Frame { backdrop, ..frame(vec![], lights.to_vec()) };
        picture(&sky, &camera).pixel(32, 32)
    };
    let bare = middle(&[], true);
    assert!(bare[0] < 240, "{bare:?}");
    for (lights, discs) in [(&[lamp, matt_sun][..], true), (&[lamp, matt_sun, sun][..], false)] {
        assert_eq!(middle(lights, discs), bare);
    }
    assert_close(middle(&[lamp, matt_sun, sun], true), [255; 3], 0);
}

#[test]
fn a_floor_ends_in_the_sky() {
    let look = SurfaceLook { fades: true, ..matt(Vec3::X) };
    let wide = surface(meshes::rectangle([50.0, 50.0]), look);
    let lit = Frame { backdrop: Backdrop::default(), ..frame(vec![wide], vec![noon()]) };
    let empty = Frame { surfaces: vec![], ..lit.clone() };
    let camera =
        Camera { eye: Vec3::Y, target: Vec3::new(0.0, 1.0, -1.0), up: Vec3::Y, fov_y: 1.0 };
    let (with, without) = (picture(&lit, &camera), picture(&empty, &camera));
    assert_close(with.pixel(32, 62), [255, 0, 0], 20);
    let sky = without.pixel(32, 32);
    assert_close(with.pixel(32, 32), [sky[0], sky[1], sky[2]], 8);
}

#[test]
fn surfaces_that_make_no_sense_are_left_out() {
    let good = floor(matt(Vec3::ONE));
    let broken: Vec<Surface> = vec![
        Surface { positions: [].into(), ..good.clone() },
        Surface { triangles: [].into(), ..good.clone() },
        Surface { triangles: [[0, 1, 4]].into(), ..good.clone() },
        Surface { positions: [Vec3::NAN; 4].into(), ..good.clone() },
        Surface { world_from_local: Mat4::ZERO, ..good.clone() },
        Surface { world_from_local: Mat4::from_scale(Vec3::NAN), ..good.clone() },
    ];
    for surface in broken {
        let shown = picture(&frame(vec![surface], vec![noon()]), &from_above());
        assert_close(shown.pixel(32, 32), [0; 3], 0);
    }
    let forgiven: Vec<Surface> = vec![
        Surface { normals: [Vec3::Y].into(), ..good.clone() },
        Surface { uvs: [[0.0; 2]].into(), ..good.clone() },
        Surface { values: Some([1.0].into()), ..good.clone() },
    ];
    for surface in forgiven {
        let shown = picture(&frame(vec![surface], vec![noon()]), &from_above());
        assert_close(shown.pixel(32, 32), [255; 3], 1);
    }
}

#[test]
fn odd_cameras_lights_and_strokes_do_no_harm() {
    let mut odd = full_frame();
    let mut positions = odd.surfaces[1].positions.to_vec();
    positions[7] = Vec3::NAN;
    positions[9] = Vec3::INFINITY;
    odd.surfaces[1].positions = positions.into();
    odd.lines.push(Lines { colors: [].into(), ..odd.lines[0].clone() });
    odd.lines.push(Lines { width: f32::NAN, ..odd.lines[0].clone() });
    odd.lines.push(Lines { segments: [].into(), ..odd.lines[0].clone() });
    odd.points.push(Points { positions: Arc::new([Vec3::NAN]), ..odd.points[0].clone() });
    for kind in [
        LightKind::Sun { direction: Vec3::ZERO },
        LightKind::Sun { direction: Vec3::NAN },
        LightKind::Point { position: Vec3::NAN, half_distance: 1.0 },
        LightKind::Point { position: Vec3::ZERO, half_distance: 0.0 },
        LightKind::Point { position: Vec3::Y, half_distance: f32::NAN },
    ] {
        odd.lights.push(Light { kind, shadows: true, ..noon() });
    }
    let good = from_above();
    for camera in [
        good,
        Camera { target: good.eye, ..good },
        Camera { up: Vec3::Y, ..good },
        Camera { up: Vec3::ZERO, ..good },
        Camera { fov_y: 0.0, ..good },
        Camera { eye: Vec3::NAN, ..good },
    ] {
        picture(&odd, &camera);
    }
}

#[test]
fn sizes_that_cannot_be_drawn_are_errors_with_the_limit() {
    let mut offscreen = offscreen();
    for size in [[0, 5], [5, 0], [1_000_000, 2]] {
        let error = offscreen.picture(&full_frame(), &from_above(), size).unwrap_err();
        assert!(matches!(error, RenderError::Size { .. }), "{error}");
        assert!(error.to_string().contains("pixels a side"), "{error}");
    }
    // A target of a window that has no size is one pixel.
    let gpu = offscreen.gpu();
    let target = Target::new(&gpu.device, [0, 0]);
    assert_eq!(target.size(), [1, 1]);
    let mut renderer = Renderer::new(&gpu.device);
    renderer.draw(&gpu.device, &gpu.queue, &full_frame(), &from_above(), &target);
    assert_eq!(gpu.take_error(), None);
}

#[test]
fn a_lost_device_is_an_error_and_not_a_crash() {
    let gpu = Gpu::headless().unwrap();
    let mut lost = tkanina_render::Offscreen::new(gpu.clone());
    lost.picture(&full_frame(), &from_above(), [16, 16]).unwrap();
    assert_eq!(gpu.lost(), None);
    gpu.device.destroy();
    let error = lost.picture(&full_frame(), &from_above(), [16, 16]).unwrap_err();
    assert!(matches!(error, RenderError::Device(_)), "{error}");
}

#[test]
fn a_watch_hears_what_a_device_complains_of() {
    let gpu = Gpu::headless().unwrap();
    let watch = DeviceWatch::watch(&gpu.device);
    assert_eq!(watch.take_error(), None);
    let _ = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::MAX / 2,
        usage: wgpu::BufferUsages::VERTEX,
        mapped_at_creation: false,
    });
    assert!(watch.take_error().is_some());
    assert_eq!(watch.take_error(), None);
}
