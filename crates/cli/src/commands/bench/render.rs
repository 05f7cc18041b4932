//! Pictures: what one frame costs from the state of a world to pixels in memory.

use std::time::Instant;

use tkanina_render::{Gpu, Offscreen};
use tkanina_scene::build::{Simulation, build};
use tkanina_scene::schema::Scene;
use tkanina_stage::{Stage, cameras};

use super::row::Row;
use crate::commands::run::cores;
use crate::failure::Failure;
use crate::output;

const SIZE: [u32; 2] = [1280, 720];
/// What we owe on software for 60 × 60 points. [ms]
const OWED_MS: f64 = 150.0;

/// Cloth over a sphere on a floor, under a sky and a sun that throws shadows.
const SCENE: &str = "\
format: 1
materials:
  sheet:
    mass: { area_density_kg_m2: 0.15 }
    springs: { stencil: neighbours-20, stiffness: 10, damping: 0.002 }
bodies:
  - name: sheet
    kind: cloth
    shape: { kind: grid, points: [60, 60], size_m: [1, 1], plane: xz }
    place: { position_m: [0, 0.82, 0] }
    material: sheet
colliders:
  - { name: ball, kind: sphere, center_m: [0, 0.5, 0], radius_m: 0.3, friction: 0.5 }
  - { name: floor, kind: plane, point_m: [0, 0, 0], normal: [0, 1, 0] }
cameras:
  - { name: main, eye_m: [0.6, 1.15, 1.6], target_m: [0, 0.48, 0], fov_deg: 40 }
lights:
  - { kind: sun, direction: [-1, -2, -1] }
";

/// A drape of 60 × 60 points, and 100,352 triangles.
pub fn picture(samples: u32) -> Vec<Row> {
    let gpu = match Gpu::headless() {
        Ok(gpu) => gpu,
        Err(error) => {
            output::tell(&format!("left out: {error}"));
            return Vec::new();
        }
    };
    output::tell(&format!("drawn by {}", gpu.adapter));
    let adapter = gpu.adapter.split(['(', ',']).next().unwrap_or_default().trim().to_owned();
    let mut offscreen = Offscreen::new(gpu);
    let mut row = |points: u32, frames: u32, case: &str, owed| match draw(
        &mut offscreen,
        (points, frames),
        samples,
    ) {
        Ok(value) => Some(Row {
            bench: "render",
            case: format!("{case}, {adapter}"),
            threads: cores(),
            value,
            unit: "ms",
            owed,
            over_naive: None,
        }),
        Err(failure) => {
            failure.report();
            None
        }
    };
    // 30 frames let the sheet come down; the large one is drawn as it starts.
    let rows = [row(60, 30, "60 × 60", Some(OWED_MS)), row(225, 0, "100,352 triangles", None)];
    rows.into_iter().flatten().collect()
}

/// Best of `samples`. [ms]
fn draw(
    offscreen: &mut Offscreen,
    (points, frames): (u32, u32),
    samples: u32,
) -> Result<f64, Failure> {
    let set = format!("bodies[0].shape.points=[{points},{points}]");
    let loaded = Scene::load_text("bench", SCENE, None, &[set])?;
    let mut simulation = build(&loaded)?;
    for _ in 0..frames {
        advance(&mut simulation)?;
    }
    let mut stage = Stage::new(&loaded, &simulation.world)?;
    let show = &loaded.scene.look.show;
    let bounds = stage.shoot(&mut simulation.world, show).bounds;
    let camera = cameras(&loaded.scene, bounds).swap_remove(0).camera;
    let h = simulation.schedule.frame_s / f64::from(simulation.schedule.substeps);
    let mut best = f64::INFINITY;
    for _ in 0..samples {
        // Something must have moved, else nothing is uploaded.
        simulation.world.step(h);
        let before = Instant::now();
        let shot = stage.shoot(&mut simulation.world, show);
        offscreen.picture(&shot.frame, &camera, SIZE)?;
        best = best.min(1e3 * before.elapsed().as_secs_f64());
    }
    Ok(best)
}

fn advance(simulation: &mut Simulation) -> Result<(), Failure> {
    let advanced = simulation.advance();
    advanced.map_err(|e| crate::commands::run::explosion::failure(&e, &simulation.schedule))
}
