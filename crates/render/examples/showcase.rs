//! Draws one picture of most that a frame can say, and says how long a frame takes.
//!
//! `cargo run -p tkanina-render --example showcase -- picture.png`

use std::sync::Arc;
use std::time::Instant;

use glam::{Mat4, Vec3};
use tkanina_render::frame::{
    Bumps, Fill, Light, LightKind, Lines, Paint, Points, Shading, Surface, SurfaceLook,
};
use tkanina_render::meshes::{self, Mesh};
use tkanina_render::{Camera, Frame, Gpu, Offscreen};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "showcase.png".into());
    let mut offscreen = Offscreen::new(Gpu::headless()?);
    println!("{}", offscreen.gpu().adapter);
    let camera = Camera {
        eye: Vec3::new(0.4, 1.9, 4.6),
        target: Vec3::new(0.0, 0.65, 0.0),
        up: Vec3::Y,
        fov_y: 0.72,
    };
    let size = [1280, 720];
    let picture = offscreen.picture(&showroom(), &camera, size)?;
    image::save_buffer(
        &path,
        &picture.rgba,
        picture.width,
        picture.height,
        image::ExtendedColorType::Rgba8,
    )?;
    for (name, mut frame) in [("showroom", showroom()), ("cloth, ball, floor", plain_scene())] {
        offscreen.picture(&frame, &camera, size)?;
        let start = Instant::now();
        let count = 20;
        for _ in 0..count {
            // New positions, as after a step.
            frame.surfaces[0].positions = frame.surfaces[0].positions.to_vec().into();
            offscreen.picture(&frame, &camera, size)?;
        }
        let each = start.elapsed().as_secs_f64() * 1e3 / f64::from(count);
        println!("{name}: {each:.1} ms a frame of {} x {}", size[0], size[1]);
    }
    Ok(())
}

fn plain_scene() -> Frame {
    let look = SurfaceLook { front: RED, back: CREAM, ..Default::default() };
    Frame {
        surfaces: vec![
            cloth(Vec3::new(0.0, 0.62, 0.0), 60, look),
            ball(Vec3::new(0.0, 0.5, 0.0), 0.5),
            floor(),
        ],
        lights: vec![sun()],
        ..Default::default()
    }
}

const RED: Vec3 = Vec3::new(0.72, 0.16, 0.18);
const CREAM: Vec3 = Vec3::new(0.93, 0.84, 0.66);

fn showroom() -> Frame {
    let curves = Paint::Curves {
        background: Vec3::new(0.93, 0.90, 0.82),
        color: Vec3::new(0.16, 0.30, 0.52),
        curvature: 0.5,
        thickness: 0.3,
        frequency: 12.0,
    };
    let weave = Bumps { image: None, repeat: [40.0, 40.0], strength: 0.8 };
    let rows = Paint::Rows { odd: Vec3::new(0.20, 0.42, 0.66), count: 16.0 };
    let plain = SurfaceLook { front: RED, back: CREAM, ..Default::default() };
    let mut surfaces = vec![
        cloth(Vec3::new(0.0, 0.62, 0.0), 60, SurfaceLook { bumps: Some(weave), ..plain.clone() }),
        ball(Vec3::new(0.0, 0.5, 0.0), 0.5),
        cloth(Vec3::new(-1.7, 0.62, -0.6), 40, SurfaceLook { paint: curves, ..plain.clone() }),
        cloth(
            Vec3::new(1.7, 0.62, -0.6),
            24,
            SurfaceLook { paint: rows, shading: Shading::Flat, front: CREAM, ..plain.clone() },
        ),
        cloth(
            Vec3::new(-0.9, 0.62, -2.4),
            20,
            SurfaceLook {
                fill: Fill::FacesAndEdges,
                front: Vec3::new(0.45, 0.62, 0.42),
                ..plain.clone()
            },
        ),
        floor(),
    ];
    let mut heat = cloth(Vec3::new(1.0, 0.62, -2.4), 40, plain);
    heat.values = Some(heat.positions.iter().map(|p| (p.y - 0.1) / 1.1).collect());
    surfaces.push(heat);
    let wire: Vec<Vec3> = (0..20).map(|i| Vec3::new(-1.2 + 0.12 * i as f32, 0.02, 1.3)).collect();
    Frame {
        lines: vec![Lines {
            segments: wire.windows(2).map(|pair| [pair[0], pair[1]]).collect(),
            colors: Arc::new([[40, 40, 60, 255]]),
            width: 2.0,
            on_top: false,
        }],
        points: vec![Points {
            positions: wire.into(),
            colors: Arc::new([[230, 140, 30, 255]]),
            size: 12.0,
            on_top: false,
        }],
        surfaces,
        lights: vec![sun()],
        ..Default::default()
    }
}

fn sun() -> Light {
    Light {
        kind: LightKind::Sun { direction: Vec3::new(-0.45, -0.75, -0.35).normalize() },
        ambient: Vec3::new(0.50, 0.52, 0.56),
        diffuse: Vec3::new(0.95, 0.93, 0.88),
        specular: Vec3::splat(0.8),
        shadows: true,
    }
}

/// Cloth that lies over a ball of radius 0.5 below `top`, with folds.
fn cloth(top: Vec3, count: usize, look: SurfaceLook) -> Surface {
    let at = |i: usize| 2.0 * i as f32 / (count - 1) as f32 - 1.0;
    let place = |u: f32, v: f32| {
        let (x, z) = (0.8 * u, 0.8 * v);
        let r = (x * x + z * z).sqrt();
        let angle = z.atan2(x);
        let hang = (r - 0.5).max(0.0);
        let wide = r.min(0.5) + hang * (0.25 + 0.18 * (angle * 8.0).sin());
        let height = (0.52_f32.powi(2) - r.min(0.5).powi(2)).sqrt() - 0.12 - hang * 0.9;
        top + Vec3::new(wide * angle.cos(), height, wide * angle.sin())
    };
    let mut positions = Vec::new();
    let mut normals = Vec::new();
    let mut uvs = Vec::new();
    for j in 0..count {
        for i in 0..count {
            let (u, v) = (at(i), at(j));
            positions.push(place(u, v));
            let du = place(u + 0.01, v) - place(u - 0.01, v);
            let dv = place(u, v + 0.01) - place(u, v - 0.01);
            normals.push(dv.cross(du).normalize_or(Vec3::Y));
            uvs.push([0.5 + 0.5 * u, 0.5 + 0.5 * v]);
        }
    }
    let mut triangles = Vec::new();
    for j in 0..count - 1 {
        for i in 0..count - 1 {
            let [a, b] = [j * count + i, (j + 1) * count + i].map(|k| k as u32);
            triangles.extend([[a, b, a + 1], [a + 1, b, b + 1]]);
        }
    }
    surface(
        Mesh {
            positions: positions.into(),
            normals: normals.into(),
            uvs: uvs.into(),
            triangles: triangles.into(),
        },
        Mat4::IDENTITY,
        look,
    )
}

fn ball(center: Vec3, radius: f32) -> Surface {
    let front = Vec3::new(0.55, 0.60, 0.66);
    let look = SurfaceLook { front, back: front, ..Default::default() };
    surface(meshes::sphere(radius, 64), Mat4::from_translation(center), look)
}

fn floor() -> Surface {
    let front = Vec3::new(0.72, 0.73, 0.72);
    let look = SurfaceLook {
        front,
        back: front,
        paint: Paint::Grid { color: Vec3::new(0.52, 0.54, 0.56), spacing: 0.5 },
        reflects: [1.0, 1.0, 0.0],
        fades: true,
        casts_shadow: false,
        ..Default::default()
    };
    surface(meshes::rectangle([25.0, 25.0]), Mat4::IDENTITY, look)
}

fn surface(mesh: Mesh, place: Mat4, look: SurfaceLook) -> Surface {
    Surface {
        positions: mesh.positions,
        normals: mesh.normals,
        uvs: mesh.uvs,
        values: None,
        triangles: mesh.triangles,
        world_from_local: place,
        look,
    }
}
