//! All forces at one moment.

use std::ops::Range;

use glam::Vec3;

use crate::edges::StrainLimits;
use crate::elements::{BendScratch, grid_normals};
use crate::hands::Hands;
use crate::model::Model;
use crate::parallel::for_each_part;
use crate::soa::{Soa3, Soa3Mut};
use crate::topology::hinges;

use super::external::{AirPass, Surroundings};
use super::passes::{grid_pass, loose_pass};
use super::{Conditions, PointAction, add_wind_forces, air_velocity, uniform_air_velocity};

/// Buffers that are taken once and used in every step.
#[derive(Debug)]
pub struct Workspace {
    /// Result of [`evaluate`]. [N]
    pub forces: Soa3,
    /// Unit vertex normals.
    pub normals: Soa3,
    /// Positions at the start of the step, for swept collision and strain limits. [m]
    pub x_start: Soa3,
    /// Result of [`super::free_velocities`]; empty until it is asked for. [m/s]
    pub free: Soa3,
    /// Inverse masses in hand, for strain limits; empty until something is grabbed. [1/kg]
    pub weights: Vec<f32>,
    /// Order in which strain limits are settled.
    pub limits: StrainLimits,
    pub(super) wind: Soa3,
    spring_forces: Soa3,
    bend: BendScratch,
    membrane_forces: Vec<[Vec3; 3]>,
    tetra_forces: Vec<[Vec3; 4]>,
    /// Particles that are on no grid.
    loose: Vec<Range<usize>>,
    /// Whether the air acts on anything.
    pub(super) airy: bool,
    /// Whether the medium damps anything.
    pub(super) damped: bool,
    /// Pairs of triangles that share an edge, once they have been asked for.
    hinges: Option<Vec<[u32; 4]>>,
}

impl Workspace {
    /// Buffers for a model.
    pub fn new(model: &Model) -> Self {
        let n = model.particle_count();
        let zeros = |needed: bool| Soa3::zeros(if needed { n } else { 0 });
        let airy = model.has_air();
        Self {
            forces: zeros(true),
            normals: zeros(true),
            x_start: zeros(!model.colliders.is_empty() || model.edges.has_limits()),
            free: Soa3::default(),
            weights: Vec::new(),
            limits: StrainLimits::default(),
            wind: zeros(airy),
            spring_forces: Soa3::zeros(model.springs.springs().len()),
            bend: model.bends.scratch(),
            membrane_forces: vec![[Vec3::ZERO; 3]; model.membranes.triangles().len()],
            tetra_forces: vec![[Vec3::ZERO; 4]; model.tetras.tetras().len()],
            loose: loose_ranges(model),
            airy,
            damped: model.damping.iter().any(|&b| b != 0.0),
            hinges: None,
        }
    }

    /// All pairs of triangles that share an edge: two far corners, then the edge.
    pub(crate) fn hinges(&mut self, model: &Model) -> &[[u32; 4]] {
        self.hinges.get_or_insert_with(|| hinges(&model.triangles))
    }

    /// Remembers where the step starts, if anything will ask.
    pub fn keep_start(&mut self, x: &Soa3) {
        if !self.x_start.is_empty() {
            self.x_start.copy_from(x);
        }
    }

    /// Unit vertex normals at `x`, into `self.normals`.
    pub fn compute_normals(&mut self, model: &Model, x: &Soa3) {
        vertex_normals(model, x, &mut self.normals);
    }
}

/// F(x, v) at the moment of `conditions`, into `workspace.forces`. Held forces and free fall
/// by hand are in it; grabs are not, they act on velocities.
pub fn evaluate(
    model: &Model,
    (conditions, hands): (&Conditions, &Hands),
    (x, v): (&Soa3, &Soa3),
    workspace: &mut Workspace,
) {
    let Workspace { forces, normals, wind, spring_forces, airy, loose, .. } = workspace;
    let air = weather(model, conditions, x, wind, *airy);
    let around = Surroundings { gravity: hands.gravity(model), air };
    if *airy && !model.mesh_triangles.is_empty() {
        mesh_normals(model, x, normals);
    }
    for grid in &model.grids {
        grid_pass(model, grid, (x, v), around, (normals, forces));
    }
    for range in loose {
        loose_pass(model, range.clone(), v, around, (normals, forces));
    }
    let shelter = conditions.shelter(model);
    add_wind_forces(&model.wind, shelter, x.view(), normals.view(), forces.view_mut());
    model.springs.add_forces(x, v, forces, spring_forces);
    model.bends.add_forces(x, v, forces, &mut workspace.bend);
    model.membranes.add_forces(x, v, forces, &mut workspace.membrane_forces);
    model.tetras.add_forces(x, v, forces, &mut workspace.tetra_forces);
    model.gases.add_forces(x, conditions.time, forces);
    for (tie, broken) in model.ties.iter().zip(&conditions.broken) {
        if !broken && tie.acts_at(conditions.time) {
            tie.add_force(x, v, conditions.anchors(), forces);
        }
    }
    add_pushes(model, (conditions, hands), forces);
}

/// How the air moves at `x`; a wind that varies is written to `wind`.
pub(super) fn weather<'a>(
    model: &Model,
    conditions: &Conditions,
    x: &Soa3,
    wind: &'a mut Soa3,
    airy: bool,
) -> AirPass<'a> {
    match uniform_air_velocity(&model.wind) {
        _ if !airy => AirPass::None,
        Some(wind) => AirPass::Uniform(wind),
        None => {
            let shelter = conditions.shelter(model);
            air_velocity(&model.wind, shelter, conditions.time, x.view(), wind.view_mut());
            AirPass::Varying(wind)
        }
    }
}

/// Forces held on points, by the scene and by users.
pub fn add_pushes(model: &Model, (conditions, hands): (&Conditions, &Hands), f: &mut Soa3) {
    for held in &hands.forces {
        let share = held.force / held.particles.len().max(1) as f32;
        held.particles.iter().for_each(|&p| f.add(p as usize, share));
    }
    for point_force in &model.point_forces {
        if let PointAction::Hold { force, from, until } = point_force.action
            && (from..until).contains(&conditions.time)
        {
            let share = force / point_force.particles.len().max(1) as f32;
            point_force.particles.iter().for_each(|&p| f.add(p as usize, share));
        }
    }
}

/// What the grids leave of all particles.
fn loose_ranges(model: &Model) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut next = 0;
    // Grids are added in particle order.
    for grid in &model.grids {
        out.push(next..grid.first());
        next = grid.first() + grid.counts()[0] * grid.counts()[1];
    }
    out.push(next..model.particle_count());
    out.retain(|range| !range.is_empty());
    out
}

/// The normalised sum of the unit normals of the triangles at each vertex (000 §2.1.3).
fn vertex_normals(model: &Model, x: &Soa3, normals: &mut Soa3) {
    for grid in &model.grids {
        grid_normals(grid.first(), grid.counts(), x, normals);
    }
    if !model.mesh_triangles.is_empty() {
        mesh_normals(model, x, normals);
    }
}

/// Normals of particles on mesh triangles.
pub(super) fn mesh_normals(model: &Model, x: &Soa3, normals: &mut Soa3) {
    for_each_part(normals.view_mut(), 1, &|first, mut normals: Soa3Mut| {
        for i in 0..normals.len() {
            let at = model.mesh_incidence.of(first + i);
            if at.is_empty() {
                continue;
            }
            let sum: Vec3 = at
                .iter()
                .map(|&entry| {
                    let [a, b, c] =
                        model.mesh_triangles[entry as usize / 3].map(|c| x.get(c as usize));
                    (b - a).cross(c - a).normalize_or_zero()
                })
                .sum();
            normals.set(i, sum.normalize_or_zero());
        }
    });
}
