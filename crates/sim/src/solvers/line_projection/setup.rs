//! What of a model is solved which way.

use std::ops::Range;

use crate::elastic::{Elastic, ElasticSpring};
use crate::elements::GridStencil;
use crate::model::Model;

use super::coarse::CoarsePanel;
use super::embedded::EmbeddedPanel;
use super::embedding::Embedding;
use super::grid::GridLines;
use super::loose::Loose;
use super::mesh::{MeshElements, MeshLines};
use super::panel::Panel;
use super::sheet::Sheet;
use super::tethered::TetheredPanel;
use super::tethers::Tethers;

/// All parts of a solver.
pub(super) struct Setup {
    pub grids: Vec<(GridLines, Option<Tethers>)>,
    pub embedded: Vec<EmbeddedPanel>,
    pub meshes: MeshLines,
    pub tethered: Vec<TetheredPanel>,
    pub coarse: Vec<CoarsePanel>,
    pub loose: Loose,
}

impl Setup {
    /// Parts for `model`; `embed` as in [`crate::solvers::SolverKind::LineProjection`].
    pub fn of(model: &Model, embed: Option<bool>) -> Self {
        let elastic = Elastic::of(model);
        let laid = laid_flat(model);
        let mut embedded = Vec::new();
        if embed != Some(false) {
            let can =
                |(body, panel): &(usize, Panel)| EmbeddedPanel::of(model, *body, panel, &elastic);
            embedded.extend(laid.iter().filter_map(can));
        }
        let within = |particle: u32| {
            let at = particle as usize;
            let grids = model.bodies.iter().filter(|body| body.grid.is_some());
            grids
                .map(|b| &b.particles)
                .chain(embedded.iter().map(|e| &e.particles))
                .any(|particles: &Range<usize>| particles.contains(&at))
        };
        let springs: Vec<_> =
            elastic.springs.iter().filter(|s| !within(s.ends[0])).copied().collect();
        let hinges: Vec<_> =
            elastic.hinges.iter().filter(|h| !within(h.corners[0])).copied().collect();
        let direct =
            || laid.iter().filter(|(b, _)| !within(model.bodies[*b].particles.start as u32));
        let gravity = f64::from(model.gravity.length());
        let mut stiff = Vec::new();
        let (mut tethered, mut coarse) = (Vec::new(), Vec::new());
        for (body, panel) in direct() {
            let body = &model.bodies[*body];
            let sheet = Sheet::of(model, body, panel, &elastic);
            if !sheet.is_stiff(gravity, panel.extent.max_element()) {
                continue;
            }
            stiff.push(body.particles.clone());
            if panel.convex {
                tethered.push(TetheredPanel::new(body.particles.clone(), panel));
            }
            if let Some(grid) = Embedding::of(panel) {
                coarse.push(CoarsePanel::new(body.particles.clone(), grid, &sheet));
            }
        }
        let on_stiff = |spring: &ElasticSpring| {
            let at = spring.ends[0] as usize;
            stiff.iter().any(|particles| particles.contains(&at))
        };
        let urgency = |spring: &ElasticSpring| urgency_of(model, &laid, spring);
        let elements = MeshElements {
            springs: &springs,
            hinges: &hinges,
            is_limited: &on_stiff,
            urgency: &urgency,
        };
        let (meshes, curved) = MeshLines::new(model, &elements);
        Self {
            grids: grids(model),
            meshes,
            tethered,
            coarse,
            loose: Loose::new(model, &curved),
            embedded,
        }
    }
}

/// Particles of a grid.
pub(super) fn grid_range(grid: &GridStencil) -> Range<usize> {
    let [ni, nj] = grid.counts();
    grid.first()..grid.first() + ni * nj
}

fn grids(model: &Model) -> Vec<(GridLines, Option<Tethers>)> {
    let gravity = model.gravity.length();
    let lines = model.grids.iter().map(|grid| {
        let masses = &model.mass[grid_range(grid)];
        let mean = masses.iter().sum::<f32>() / masses.len().max(1) as f32;
        let tethers = Tethers::suit(grid, mean, gravity).then(Tethers::default);
        (GridLines::new(grid), tethers)
    });
    lines.collect()
}

/// Mesh bodies that can be laid flat, by number.
fn laid_flat(model: &Model) -> Vec<(usize, Panel)> {
    let bodies = model.bodies.iter().enumerate().filter(|(_, body)| body.grid.is_none());
    bodies.filter_map(|(index, body)| Some((index, Panel::of(model, body)?))).collect()
}

/// Edges along warp and weft go first: then lines are long and straight.
fn urgency_of(model: &Model, laid: &[(usize, Panel)], spring: &ElasticSpring) -> u32 {
    let [a, b] = spring.ends.map(|end| end as usize);
    let on = |(body, _): &&(usize, Panel)| model.bodies[*body].particles.contains(&a);
    let Some((body, panel)) = laid.iter().find(on) else { return 0 };
    let place = |particle: usize| {
        let local = particle.checked_sub(model.bodies[*body].particles.start)?;
        panel.places.get(local)
    };
    let (Some(a), Some(b)) = (place(a), place(b)) else { return 0 };
    let along = (*b - *a).abs();
    (4.0 * along.min_element() / along.max_element().max(f64::MIN_POSITIVE)) as u32
}
