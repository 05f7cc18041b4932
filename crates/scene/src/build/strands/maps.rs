//! Pictures laid over what strands grow on.

use glam::Vec3;

use super::printed::Printed;
use crate::build::Build;
use crate::check::steps;
use crate::node::Step;
use crate::schema::{MapBy, SurfaceMap, WorldAxis};

/// Directions of a picture that are shorter than this are grey: none. [1]
const GREY: f32 = 0.05;

/// A picture laid over a surface.
pub(super) struct Laid<'a> {
    size: [u32; 2],
    /// Colours row by row from the top, 0 to 1.
    colours: Vec<[f32; 3]>,
    way: Way<'a>,
}

/// How it lies there.
enum Way<'a> {
    /// Along an axis, over a box. [m]
    Along(WorldAxis, [Vec3; 2]),
    /// As texture coordinates say.
    Printed(&'a Printed),
}

impl Laid<'_> {
    /// Its brightness at a place, 0 to 1; nothing where the surface has no texture coordinates.
    pub fn brightness(&self, place: Vec3) -> f64 {
        let [r, g, b] = self.colour(place).unwrap_or([0.0; 3]);
        // As pictures are made grey (Rec. 709).
        f64::from(0.2126 * r + 0.7152 * g + 0.0722 * b)
    }

    /// The direction that its colour stands for, not longer than 1; none where it is grey.
    pub fn direction(&self, place: Vec3) -> Option<Vec3> {
        let way = Vec3::from(self.colour(place)?) * 2.0 - 1.0;
        (way.length() > GREY).then(|| way.clamp_length_max(1.0))
    }

    fn colour(&self, place: Vec3) -> Option<[f32; 3]> {
        let (u, v) = match &self.way {
            Way::Along(axis, [low, high]) => {
                let size = (*high - *low).max(Vec3::splat(1e-9));
                let share = ((place - *low) / size).clamp(Vec3::ZERO, Vec3::ONE);
                match axis {
                    WorldAxis::X => (1.0 - share.z, 1.0 - share.y),
                    WorldAxis::Y => (share.x, share.z),
                    WorldAxis::Z => (share.x, 1.0 - share.y),
                }
            }
            Way::Printed(printed) => {
                let [u, v] = printed.uv(place)?;
                (within(u), 1.0 - within(v))
            }
        };
        let nearest = |share: f32, count: u32| (share * (count - 1) as f32).round() as u32;
        let (column, row) = (nearest(u, self.size[0]), nearest(v, self.size[1]));
        Some(self.colours[(row * self.size[0] + column) as usize])
    }
}

/// Textures go on beyond their edges; 1 is their far edge.
fn within(u: f32) -> f32 {
    if (0.0..=1.0).contains(&u) { u } else { u - u.floor() }
}

impl Build<'_> {
    /// A picture laid over a surface in a box. The outer option is none if it cannot be, which is noted.
    pub(super) fn laid<'a>(
        &mut self,
        here: &[Step],
        described: Option<&SurfaceMap>,
        (bounds, printed): ([Vec3; 2], Option<&'a Printed>),
    ) -> Option<Option<Laid<'a>>> {
        let Some(described) = described else { return Some(None) };
        let way = match (described.by, printed) {
            (MapBy::Axis, _) => Way::Along(described.axis, bounds),
            (MapBy::Uv, Some(printed)) if printed.has_uvs() => Way::Printed(printed),
            (MapBy::Uv, _) => {
                let at = [here, &steps!["by"]].concat();
                let message = "what they grow on has no texture coordinates";
                let help = "export its OBJ file with them (`vt`), or lay the picture along an axis";
                self.problem(&at, message, help);
                return None;
            }
        };
        match self.picture(&described.file) {
            Ok(picture) => {
                let picture = picture.into_rgb32f();
                let size = [picture.width(), picture.height()];
                let colours = picture.pixels().map(|pixel| pixel.0).collect();
                Some(Some(Laid { size, colours, way }))
            }
            Err((message, help)) => {
                self.problem(&[here, &steps!["file"]].concat(), message, help);
                None
            }
        }
    }
}
