//! Ground by heights.

use tkanina_sim::colliders::forms::{Hills, Triangles, height_field};

use super::Build;
use crate::check::steps;
use crate::mesh_io::Animated;
use crate::node::Step;
use crate::schema::TerrainHeights;

use super::mesh_source::Refusal;

/// Most points of a picture along each side: more than any ground needs.
const MAX_SIDE: u32 = 2048;

/// Brightness of a picture, row by row from the top, 0 to 65535.
struct Levels {
    counts: [u32; 2],
    values: Vec<u16>,
}

impl Build<'_> {
    /// The ground that a collider at `here` describes, `size` wide [m].
    pub(super) fn terrain(
        &self,
        here: &[Step],
        size: [f64; 2],
        heights: &TerrainHeights,
    ) -> Result<Animated, Refusal> {
        let Triangles { points, triangles } = match heights {
            TerrainHeights::Hills { height_m, wave_m, seed, cells } => {
                let hills = Hills::new(*height_m, *wave_m, u64::from(*seed));
                let place = |axis: usize, i: u32| {
                    size[axis] * (f64::from(i) / f64::from(cells[axis]) - 0.5)
                };
                height_field(cells.map(|n| n + 1), size, |i, j| {
                    hills.height(place(0, i), place(1, j))
                })
            }
            TerrainHeights::Rows { rows_m } => {
                let counts = [rows_m[0].len() as u32, rows_m.len() as u32];
                height_field(counts, size, |i, j| rows_m[j as usize][i as usize])
            }
            TerrainHeights::Picture { file, height_m } => {
                let refused = |(message, help): (String, &str)| {
                    let place = [here, &steps!["heights", "file"]].concat();
                    (place, message, help.to_owned())
                };
                let Levels { counts, values } = self.levels(file).map_err(refused)?;
                height_field(counts, size, |i, j| {
                    height_m * f64::from(values[(j * counts[0] + i) as usize]) / f64::from(u16::MAX)
                })
            }
        };
        Ok(Animated { triangles, frames: vec![points] })
    }

    /// Reads how bright a picture is.
    fn levels(&self, file: &str) -> Result<Levels, (String, &'static str)> {
        let picture = self.picture(file)?.into_luma16();
        Ok(Levels { counts: [picture.width(), picture.height()], values: picture.into_raw() })
    }

    /// Reads a picture of at least 2 × 2 points.
    pub(super) fn picture(
        &self,
        file: &str,
    ) -> Result<image::DynamicImage, (String, &'static str)> {
        let again = "save the picture as PNG or JPEG";
        let path = self.loaded.resolve(file).map_err(|message| (message, again))?;
        let wrong = |error: String| (format!("`{file}` cannot be read: {error}"), again);
        let mut reader = image::ImageReader::open(path)
            .and_then(image::ImageReader::with_guessed_format)
            .map_err(|error| wrong(error.to_string()))?;
        let mut limits = image::Limits::default();
        (limits.max_image_width, limits.max_image_height) = (Some(MAX_SIDE), Some(MAX_SIDE));
        reader.limits(limits);
        let picture = reader.decode().map_err(|error| match error {
            image::ImageError::Limits(_) => (
                format!("`{file}` has more than {MAX_SIDE} points along a side"),
                "make the picture smaller",
            ),
            error => wrong(error.to_string()),
        })?;
        let counts = [picture.width(), picture.height()];
        if counts.iter().any(|&n| n < 2) {
            let message = format!("`{file}` has {} × {} points", counts[0], counts[1]);
            return Err((message, "give it at least 2 × 2"));
        }
        Ok(picture)
    }
}
