//! Soft bodies that are drawn to a shape.

use std::ops::Range;
use std::sync::Arc;

use tkanina_sim::builder::LatticeBody;
use tkanina_sim::colliders::forms::Triangles;
use tkanina_sim::lattice::{Embedding, GoalLaw, VoxelError, Voxels};
use tkanina_sim::soft_body;

use super::Build;
use crate::check::steps;
use crate::schema::{SoftBody, SpringLaw};

/// Cells along the longest side where no spacing is given.
const CELLS: f32 = 10.0;

/// Points a lattice may have: a step of the largest takes a few tenths of a second.
const MOST_POINTS: usize = 1 << 20;

/// `inside: { kind: lattice, … }`.
#[derive(Clone, Copy, Debug)]
pub(super) struct LatticeFields {
    pub spacing: Option<f64>,
    pub region_width: u32,
    pub law: GoalLaw,
    pub breaks_at: Option<f64>,
}

impl Build<'_> {
    /// Adds a soft body as a lattice of cells that fill its skin, or says what is wrong.
    pub(super) fn lattice_body(
        &mut self,
        (index, body): (usize, &SoftBody),
        described: soft_body::SoftBody,
        (fields, detail): (LatticeFields, Option<Triangles>),
    ) -> Option<Range<usize>> {
        let before = self.problems.len();
        let lattice = "a lattice has neither: its points are those of cells";
        if body.springs != SpringLaw::default() {
            let here = steps!["bodies", index, "springs"];
            self.problem(&here, format!("springs along a skin, and {lattice}"), "leave it out");
        }
        if body.centre_springs.is_some() {
            let here = steps!["bodies", index, "centre_springs"];
            self.problem(&here, format!("springs to a middle, and {lattice}"), "leave it out");
        }
        if body.gas.is_some() {
            let here = steps!["bodies", index, "gas"];
            let text = "gas fills a skin, and a lattice fills it with cells";
            self.problem(&here, text, "leave one of them out");
        }
        if body.tears_at_stretch.is_some() {
            let here = steps!["bodies", index, "tears_at_stretch"];
            let remedy = "use `breaks_at_stretch` of the lattice";
            self.problem(&here, "a lattice has no skin that tears", remedy);
        }
        let here = steps!["bodies", index, "inside"];
        let voxels = match cells(&described.skin, fields.spacing) {
            Ok(voxels) => voxels,
            Err(error) => {
                self.problem(&here, error.to_string(), "use another `spacing_m`");
                return None;
            }
        };
        if voxels.is_empty() {
            let error = VoxelError::TooWide(voxels.spacing());
            self.problem(&here, error.to_string(), "use a smaller `spacing_m`");
        }
        let [nx, ny, nz] = voxels.counts();
        if (nx + 1) * (ny + 1) * (nz + 1) > MOST_POINTS + MOST_POINTS / 4 {
            let text = format!("a lattice of {nx} × {ny} × {nz} cells is more than can be kept");
            self.problem(&here, text, "use a larger `spacing_m`");
        }
        if self.problems.len() > before {
            return None;
        }
        // What breaks shows its cells: a mesh would not break with them.
        let mesh = detail.unwrap_or(described.skin);
        let bonds = Embedding::new(&voxels, &voxels.lattice(), &mesh.points);
        let shown = fields.breaks_at.is_none() && bonds.len() == mesh.points.len();
        let carried = shown.then(|| Arc::new(bonds.carried(&mesh)));
        let soft_body::SoftBody { name, place, velocity, mass, damping, .. } = described;
        Some(self.builder.add_lattice_body(&LatticeBody {
            name,
            voxels,
            place,
            velocity,
            mass,
            damping,
            law: fields.law,
            region_width: fields.region_width as usize,
            breaks_at: fields.breaks_at.map_or(f32::INFINITY, |limit| limit as f32),
            carried,
        }))
    }
}

/// The cells that fill a skin, none of which touch only along an edge.
fn cells(skin: &Triangles, spacing: Option<f64>) -> Result<Voxels, VoxelError> {
    let longest = || {
        let spans = [0, 1, 2].map(|d| {
            let (low, high) = skin
                .points
                .iter()
                .fold((f32::MAX, f32::MIN), |(low, high), p| (low.min(p[d]), high.max(p[d])));
            high - low
        });
        f64::from(spans.into_iter().fold(0.0, f32::max) / CELLS)
    };
    let spacing = spacing.unwrap_or_else(longest);
    let mut voxels = Voxels::of_mesh(&skin.points, &skin.triangles, spacing)?;
    voxels.join_touching();
    Ok(voxels)
}
