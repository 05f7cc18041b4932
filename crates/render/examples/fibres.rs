//! Draws hair, curls, fur and grass, and says how long a frame takes.
//!
//! `cargo run -p tkanina-render --example fibres -- FOLDER`

use std::path::Path;
use std::time::Instant;

use glam::{Mat4, Quat, Vec3};
use tkanina_render::frame::{
    Light, LightKind, StrandDisplay, StrandGround, StrandLight, StrandLook, Strands, Surface,
    SurfaceLook,
};
use tkanina_render::{Camera, Frame, Gpu, Offscreen, meshes};

const SIZE: [u32; 2] = [900, 700];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let only = std::env::args().nth(2);
    let mut offscreen = Offscreen::new(Gpu::headless()?);
    println!("{}", offscreen.gpu().adapter);
    let near = Camera {
        eye: Vec3::new(0.18, 0.14, 0.55),
        target: Vec3::new(0.0, -0.02, 0.0),
        up: Vec3::Y,
        fov_y: 0.6,
    };
    let field = Camera {
        eye: Vec3::new(0.2, 0.55, 1.7),
        target: Vec3::new(0.0, 0.12, 0.0),
        up: Vec3::Y,
        fov_y: 0.6,
    };
    let far = Camera { eye: near.target + (near.eye - near.target) * 6.0, ..near };
    let kajiya = StrandLook { light: StrandLight::KajiyaKay, ..hair_look() };
    let mut pictures = vec![
        ("hair", head(10000, 0.0, hair_look()), near),
        ("hair-kajiya", head(10000, 0.0, kajiya), near),
        ("hair-far", head(10000, 0.0, hair_look()), far),
        ("curls", head(2500, 1.0, blond()), near),
        ("grass", meadow(), field),
    ];
    for (name, display) in [
        ("fur-ribbons", StrandDisplay::Ribbons),
        ("fur-billboards", StrandDisplay::Billboards),
        ("fur-cards", StrandDisplay::Cards),
        ("fur-shells", StrandDisplay::Shells),
    ] {
        pictures.push((name, fur_ball(display), near));
    }
    for (name, mut frame, camera) in pictures {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let picture = offscreen.picture(&frame, &camera, SIZE)?;
        let path = Path::new(&folder).join(format!("{name}.png"));
        image::save_buffer(
            path,
            &picture.rgba,
            picture.width,
            picture.height,
            image::ExtendedColorType::Rgba8,
        )?;
        let start = Instant::now();
        let count = 3;
        for _ in 0..count {
            // New points, as after a step.
            frame.strands[0].points = frame.strands[0].points.to_vec().into();
            offscreen.picture(&frame, &camera, SIZE)?;
        }
        let each = start.elapsed().as_secs_f64() * 1e3 / f64::from(count);
        println!("{name}: {each:.0} ms a frame of {} x {}", SIZE[0], SIZE[1]);
    }
    Ok(())
}

fn hair_look() -> StrandLook {
    StrandLook { radii: [1.5e-4, 1e-4], ..Default::default() }
}

fn blond() -> StrandLook {
    let colors = [Vec3::new(0.55, 0.38, 0.20), Vec3::new(0.86, 0.68, 0.42)];
    StrandLook { radii: [1.6e-4, 1e-4], colors, ..Default::default() }
}

fn lights() -> Vec<Light> {
    vec![
        Light {
            kind: LightKind::Sun { direction: Vec3::new(-1.0, -2.0, -1.5).normalize() },
            ambient: Vec3::splat(0.1),
            diffuse: Vec3::ONE,
            specular: Vec3::ONE,
            shadows: true,
        },
        Light {
            kind: LightKind::Sun { direction: Vec3::NEG_Y },
            ambient: 0.44 * Vec3::new(0.86, 0.89, 0.92),
            diffuse: 0.6 * Vec3::new(0.36, 0.55, 0.80),
            specular: Vec3::ZERO,
            shadows: false,
        },
    ]
}

/// A number from 0 to 1 that looks random.
fn chance(seed: u32) -> f32 {
    let mut h = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    h = ((h >> ((h >> 28) + 4)) ^ h).wrapping_mul(277_803_737);
    ((h >> 22) ^ h) as f32 / u32::MAX as f32
}

/// Even places on a ball.
fn on_ball(i: usize, count: usize) -> Vec3 {
    let y = 1.0 - 2.0 * (i as f32 + 0.5) / count as f32;
    let angle = i as f32 * 2.399_963;
    let r = (1.0 - y * y).sqrt();
    Vec3::new(r * angle.cos(), y, r * angle.sin())
}

fn strands(curves: Vec<Vec<Vec3>>, look: StrandLook) -> Strands {
    let mut first = 0;
    let mut ranges = Vec::new();
    for curve in &curves {
        ranges.push([first, curve.len() as u32]);
        first += curve.len() as u32;
    }
    Strands {
        points: curves.concat().into(),
        ranges: ranges.into(),
        values: None,
        ground: None,
        look,
    }
}

fn surface(mesh: meshes::Mesh, place: Mat4, color: Vec3) -> Surface {
    Surface {
        positions: mesh.positions,
        normals: mesh.normals,
        uvs: mesh.uvs,
        values: None,
        triangles: mesh.triangles,
        world_from_local: place,
        look: SurfaceLook {
            front: color,
            back: color,
            reflects: [1.0, 1.0, 0.1],
            ..Default::default()
        },
    }
}

/// Hair that falls about a head; `curl` winds it.
fn head(count: usize, curl: f32, look: StrandLook) -> Frame {
    let radius = 0.09;
    let mut curves = Vec::new();
    for i in 0..count * 2 {
        let out = on_ball(i, count * 2);
        // A face is left free.
        if out.y < -0.15 + 0.55 * out.z.max(0.0) {
            continue;
        }
        let number = i as u32;
        let step = 0.22 / 31.0 * (0.8 + 0.3 * chance(number));
        let (mut p, mut way) = (out * radius, (out + Vec3::Y * 0.2).normalize());
        let phase = std::f32::consts::TAU * chance(number / 7 + 5);
        let mut curve = vec![p];
        for k in 1..32 {
            way = (way + Vec3::NEG_Y * 0.4 + 0.05 * jitter(number + 77 * k)).normalize();
            p += way * step;
            let clear = radius + 0.003 + 0.015 * chance(number + 9);
            if p.length() < clear {
                p = p.normalize() * clear;
                way = (p - *curve.last().unwrap_or(&p)).normalize();
            }
            let side = way.any_orthonormal_vector();
            let wind = Quat::from_axis_angle(way, phase + 1.1 * k as f32) * side;
            curve.push(p + wind * (curl * 0.008 * (k as f32 / 8.0).min(1.0)));
        }
        curves.push(curve);
    }
    let skull = surface(meshes::sphere(radius, 64), Mat4::IDENTITY, Vec3::new(0.85, 0.66, 0.55));
    let floor = surface(
        meshes::rectangle([1.5, 1.5]),
        Mat4::from_translation(Vec3::Y * -0.25),
        Vec3::splat(0.7),
    );
    Frame {
        surfaces: vec![skull, floor],
        strands: vec![strands(curves, look)],
        lights: lights(),
        ..Default::default()
    }
}

fn jitter(seed: u32) -> Vec3 {
    Vec3::new(chance(seed), chance(seed ^ 0x55aa), chance(seed ^ 0x1234_5678)) - 0.5
}

/// A ball with fur that is combed to a side and hangs a little.
fn fur_ball(display: StrandDisplay) -> Frame {
    let (radius, count) = (0.09f32, 20000);
    let mut curves = Vec::new();
    for i in 0..count {
        let out = on_ball(i, count);
        let number = i as u32;
        let step = 0.045 / 7.0 * (0.75 + 0.4 * chance(number));
        let (mut p, mut way) = (out * radius, out);
        let mut curve = vec![p];
        for k in 1..8 {
            let comb = Vec3::new(0.25, -0.3, 0.1);
            way = (way + 0.5 * comb + 0.12 * jitter(number + 31 * k)).normalize();
            p += way * step;
            if p.length() < radius + 0.002 {
                p = p.normalize() * (radius + 0.002);
            }
            curve.push(p);
        }
        curves.push(curve);
    }
    let mesh = meshes::sphere(radius, 48);
    let near = |v: &Vec3| {
        let mut found: Vec<(f32, u32)> = Vec::new();
        for (i, curve) in curves.iter().enumerate() {
            let d = (curve[0] - *v).length_squared();
            found.push((d, i as u32));
        }
        found.select_nth_unstable_by(2, |a, b| a.0.total_cmp(&b.0));
        [found[0].1, found[1].1, found[2].1]
    };
    let guides: Vec<[u32; 3]> = mesh.positions.iter().map(near).collect();
    let ground = StrandGround {
        positions: mesh.positions.clone(),
        normals: mesh.normals.clone(),
        rest: mesh.positions.clone(),
        triangles: mesh.triangles.clone(),
        weights: guides.iter().map(|_| [1.0 / 3.0; 3]).collect(),
        guides: guides.into(),
    };
    let look = StrandLook {
        display,
        radii: [1.8e-4, 6e-5],
        colors: [Vec3::new(0.30, 0.20, 0.12), Vec3::new(0.72, 0.55, 0.36)],
        spacing: (12.566 * radius * radius / count as f32).sqrt(),
        ..Default::default()
    };
    let mut fur = strands(curves, look);
    fur.ground = Some(ground);
    let floor = surface(
        meshes::rectangle([1.5, 1.5]),
        Mat4::from_translation(Vec3::Y * -0.13),
        Vec3::splat(0.7),
    );
    Frame {
        surfaces: vec![surface(mesh, Mat4::IDENTITY, Vec3::new(0.45, 0.32, 0.22)), floor],
        strands: vec![fur],
        lights: lights(),
        ..Default::default()
    }
}

fn meadow() -> Frame {
    let mut curves = Vec::new();
    for i in 0..9000u32 {
        let place = Vec3::new(chance(i) - 0.5, 0.0, chance(i ^ 0xabcd) - 0.5) * 2.0;
        let turn = std::f32::consts::TAU * chance(i ^ 0x77);
        let lean = Vec3::new(turn.cos(), 0.0, turn.sin()) * 0.25 + Vec3::X * 0.25;
        let height = 0.16 * (0.6 + 0.5 * chance(i ^ 0x999));
        let at = |k: usize| {
            let s = k as f32 / 7.0;
            place + height * (Vec3::Y * s + lean * s * s)
        };
        curves.push((0..8).map(at).collect());
    }
    let look = StrandLook {
        light: StrandLight::KajiyaKay,
        radii: [1.6e-3, 2e-4],
        colors: [Vec3::new(0.13, 0.26, 0.07), Vec3::new(0.48, 0.62, 0.20)],
        reflects: [1.0, 1.0, 0.15],
        variation: 0.3,
        ..Default::default()
    };
    let ground =
        surface(meshes::rectangle([3.0, 3.0]), Mat4::IDENTITY, Vec3::new(0.34, 0.27, 0.18));
    Frame {
        surfaces: vec![ground],
        strands: vec![strands(curves, look)],
        lights: lights(),
        ..Default::default()
    }
}
