//! All solvers side by side at a few moments.

use tkanina_render::{Camera, Gpu, Image, Offscreen};
use tkanina_scene::build::build;
use tkanina_scene::compare::Track;
use tkanina_stage::{Stage, cameras, frame_all, legend, sheet};

use super::super::comparison::Comparison;
use super::super::lab::Case;
use super::words;
use crate::plot::number;

/// Pictures, a row a solver and a column a moment.
pub struct Pictures {
    /// What drew them.
    pub adapter: String,
    /// Names of the moments.
    pub moments: Vec<String>,
    /// The rows; the reference comes first.
    pub rows: Vec<PictureRow>,
}

/// Pictures of one solver.
pub struct PictureRow {
    /// Its name.
    pub label: String,
    /// Number of its colour; none for the reference.
    pub style: Option<usize>,
    /// A picture each, or why there is none.
    pub cells: Vec<Result<Image, String>>,
}

const SIZE: [u32; 2] = [360, 225];

impl Pictures {
    /// Draws them, unless nothing can be drawn here.
    pub fn draw(comparison: &Comparison) -> Result<Self, String> {
        let gpu = Gpu::headless().map_err(|error| error.to_string())?;
        let adapter = gpu.adapter.clone();
        let mut artist = Artist { comparison, offscreen: Offscreen::new(gpu), camera: None };
        let mut wanted = Vec::new();
        if let Ok(reference) = &comparison.reference {
            wanted.push(("reference", None, &reference.case, &reference.track));
        }
        for (style, row) in comparison.rows.iter().enumerate() {
            let Some(ran) = &row.ran else { continue };
            wanted.push((row.case.entry.label.as_str(), Some(style), &row.case, &ran.track));
        }
        let mut rows = Vec::new();
        for (label, style, case, track) in wanted {
            let cells = artist.row(case, track)?;
            rows.push(PictureRow { label: label.to_owned(), style, cells });
        }
        let time = |frame: u64| comparison.start_s + frame as f64 * comparison.frame_s;
        let moment = |frame: &u64| format!("{} s", number(time(*frame)));
        Ok(Self { adapter, moments: comparison.moments.iter().map(moment).collect(), rows })
    }

    /// All of them as one picture.
    pub fn sheet(&self) -> Image {
        let mut rows: Vec<(String, Vec<Result<&Image, &str>>)> = Vec::new();
        for row in &self.rows {
            let cells = row.cells.iter().map(|cell| cell.as_ref().map_err(String::as_str));
            rows.push((row.label.clone(), cells.collect()));
        }
        sheet(&rows, &self.moments, SIZE)
    }
}

struct Artist<'a> {
    comparison: &'a Comparison,
    offscreen: Offscreen,
    /// The same for all solvers: chosen once.
    camera: Option<Camera>,
}

impl Artist<'_> {
    fn row(&mut self, case: &Case, track: &Track) -> Result<Vec<Result<Image, String>>, String> {
        let scene = &case.loaded.scene;
        let mut simulation = build(&case.loaded).map_err(|error| error.to_string())?;
        let world = &mut simulation.world;
        let mut stage = Stage::new(&case.loaded, world).map_err(|error| error.to_string())?;
        let mut cells = Vec::new();
        for moment in &self.comparison.moments {
            let Some((_, state)) = track.kept.iter().find(|(frame, _)| frame == moment) else {
                cells.push(Err(words::end(track)));
                continue;
            };
            let camera = *self.camera.get_or_insert_with(|| {
                let shot = stage.shoot(world, &scene.look.show);
                let first = cameras(scene, shot.bounds).swap_remove(0).camera;
                let aspect = SIZE[0] as f32 / SIZE[1] as f32;
                if scene.cameras.is_empty() { frame_all(first, shot.bounds, aspect) } else { first }
            });
            world.restore(state.clone());
            let shot = stage.shoot(world, &scene.look.show);
            let image = self.offscreen.picture(&shot.frame, &camera, SIZE);
            let mut image = image.map_err(|error| error.to_string())?;
            if let Some(shown) = &shot.legend {
                legend::draw(&mut image, shown);
            }
            cells.push(Ok(image));
        }
        Ok(cells)
    }
}
