//! What stays the same from step to step.

use std::ops::Range;
use std::sync::Arc;

use glam::Vec3;

use crate::carried::Carried;
use crate::colliders::{Collider, MeshCollider};
use crate::contact::{ContactLaw, Rub};
use crate::edges::EdgeBatch;
use crate::elements::{
    AngleBendBatch, GasBatch, GridStencil, MembraneBatch, SpringBatch, TetraBatch, Tie,
};
use crate::forces::{PointForce, WindKind, WindSource};
use crate::incidence::Incidence;
use crate::lattice::Goal;
use crate::motion::{Pose, Track};
use crate::strands::StrandSet;

/// Particles, what joins them, and what acts on them.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Counts up whenever connectivity changes.
    pub topology_version: u64,
    /// Acceleration of free fall. [m/s²]
    pub gravity: Vec3,
    /// Its course over time, as the positions of a track; then `gravity` is that of the present.
    pub gravity_track: Option<Track>,
    /// Mass of each particle. [kg]
    pub mass: Vec<f32>,
    /// 1/mass [1/kg]; 0 for particles that are held.
    pub inverse_mass: Vec<f32>,
    /// Grows whenever inverse masses may have changed.
    pub grip_version: u64,
    /// Named sets of particles.
    pub bodies: Vec<Body>,
    /// All triangles, body after body.
    pub triangles: Vec<[u32; 3]>,
    /// Triangles at each particle of a mesh body, counted from the first entry of
    /// `mesh_triangles`.
    pub mesh_incidence: Incidence,
    /// The triangles of bodies that are not grids.
    pub mesh_triangles: Vec<[u32; 3]>,
    /// Springs of grid cloth.
    pub grids: Vec<GridStencil>,
    /// All other springs.
    pub springs: SpringBatch,
    /// Bending by angles.
    pub bends: AngleBendBatch,
    /// Stretch and shear by triangles.
    pub membranes: MembraneBatch,
    /// Elastic solids.
    pub tetras: TetraBatch,
    /// Gas behind closed surfaces.
    pub gases: GasBatch,
    /// Bodies that are drawn to a shape.
    pub goals: Vec<Goal>,
    /// Hair, fur, ropes, grass.
    pub strands: Vec<StrandSet>,
    /// Structural edges.
    pub edges: EdgeBatch,
    /// Points that move on a given path.
    pub anchors: Vec<Anchor>,
    /// Particles that are held at an anchor outright.
    pub holds: Vec<Hold>,
    /// Seams, and pins that give way.
    pub ties: Vec<Tie>,
    /// Obstacles.
    pub colliders: Vec<Collider>,
    /// Triangles of those obstacles that are meshes.
    pub mesh_colliders: Vec<MeshCollider>,
    /// How surfaces meet; `None` if cloth passes through cloth.
    pub contact: Option<ContactLaw>,
    /// Pairs that contact may compare in a frame; then the rest of it is not taken. `None`: any number.
    pub contact_budget: Option<u64>,
    /// Bodies that meet colliders in their own way, each by number.
    pub collider_pairs: Vec<(u32, u32, Rub)>,
    /// How far particles stay off a collider's surface. [m]
    pub contact_offset: f32,
    /// All winds; their velocities and forces add up.
    pub wind: Vec<WindSource>,
    /// F −= drag·|u·n|·u, u the velocity through the air. [kg/m]
    pub drag: Vec<f32>,
    /// Strength of lift. [kg/m]
    pub lift: Vec<f32>,
    /// Whether any particle has lift.
    pub has_lift: bool,
    /// F −= b·v. [kg/s]
    pub damping: Vec<f32>,
    /// Part of the velocity that is kept each step; 1 without the loss of document 002.
    pub kept: Vec<f32>,
    /// Pushes given by the scene.
    pub point_forces: Vec<PointForce>,
}

/// A named, consecutive set of particles.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name in the scene.
    pub name: String,
    /// Its particles.
    pub particles: Range<usize>,
    /// Its triangles in [`Model::triangles`].
    pub triangles: Range<usize>,
    /// Points along each axis for a grid; `None` for a mesh or loose particles.
    pub grid: Option<[usize; 2]>,
    /// Whether its triangles enclose a volume.
    pub closed: bool,
    /// Texture coordinates, one a particle; may be empty.
    pub uvs: Vec<[f32; 2]>,
    /// The shape at rest of a mesh, one point a particle; empty for a grid. [m]
    pub rest: Vec<Vec3>,
    /// A mesh that is shown in its place.
    pub carried: Option<Arc<Carried>>,
}

/// A particle that follows an anchor outright.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// The particle.
    pub particle: u32,
    /// The anchor.
    pub anchor: u32,
    /// When it is let go, possibly never. [s]
    pub until: f64,
}

impl Hold {
    /// Whether it holds during a step that starts at `time`. [s]
    pub fn acts_at(&self, time: f64) -> bool {
        time < self.until
    }
}

/// A point that moves on a given path.
#[derive(Clone, Debug)]
pub struct Anchor {
    /// Where it starts. [m]
    pub start: Vec3,
    /// How it goes on.
    pub path: AnchorPath,
}

/// The path of an anchor.
#[derive(Clone, Debug)]
pub enum AnchorPath {
    /// Stays where it starts.
    Fixed,
    /// Start plus the track's position, turned about a centre by its rotation.
    Track {
        /// Positions relative to the start.
        track: Track,
        /// Centre of the turning. [m]
        centre: Vec3,
    },
    /// Carried by a collider, by index.
    Collider(usize),
}

impl Anchor {
    /// Position at a time at which the colliders have the poses `poses`. [m]
    pub fn position(
        &self,
        colliders: &[Collider],
        poses: impl Fn(usize) -> Pose,
        time: f64,
    ) -> Vec3 {
        match &self.path {
            AnchorPath::Fixed => self.start,
            AnchorPath::Track { track, centre } => {
                let arm = self.start - *centre;
                let turned = track.rotation_at(time).map_or(arm, |turn| turn * arm);
                *centre + turned + track.position_at(time)
            }
            AnchorPath::Collider(index) => {
                let local = colliders[*index].pose_at(0.0).local_point(self.start);
                poses(*index).point(local)
            }
        }
    }
}

impl Model {
    /// Number of particles.
    pub fn particle_count(&self) -> usize {
        self.mass.len()
    }

    /// Whether triangles or segments may touch others.
    pub fn surfaces_meet(&self) -> bool {
        let Some(law) = &self.contact else { return false };
        let themselves = law.bodies.iter().any(|body| body.touches_itself);
        let others = self.bodies.len() > 1 || !self.mesh_colliders.is_empty();
        let any = || !self.triangles.is_empty() || self.touching_segments().next().is_some();
        (themselves || others) && any()
    }

    /// Whether anything is in anything's way.
    pub fn anything_touches(&self) -> bool {
        !self.colliders.is_empty() || self.surfaces_meet()
    }

    /// The body of a name.
    pub fn body(&self, name: &str) -> Option<&Body> {
        self.bodies.iter().find(|b| b.name == name)
    }

    /// The strand of its body that a particle is of, and its place in it, if it is of one.
    pub fn strand_of(&self, particle: usize) -> Option<(usize, usize)> {
        self.strands.iter().find_map(|set| {
            let after = set.strands.partition_point(|strand| strand.first as usize <= particle);
            let number = after.checked_sub(1)?;
            let particles = set.strands[number].particles();
            particles.contains(&particle).then(|| (number, particle - particles.start))
        })
    }

    /// How a person would name a particle: `sheet[3, 4]`, `shirt vertex 17`, `hair strand 12
    /// node 3`.
    pub fn particle_name(&self, particle: usize) -> String {
        match self.bodies.iter().find(|b| b.particles.contains(&particle)) {
            Some(Body { name, particles, grid: Some([ni, _]), .. }) => {
                let local = particle - particles.start;
                format!("{name}[{}, {}]", local % ni, local / ni)
            }
            Some(Body { name, particles, .. }) => match self.strand_of(particle) {
                Some((strand, node)) => format!("{name} strand {strand} node {node}"),
                None => format!("{name} vertex {}", particle - particles.start),
            },
            None => format!("particle {particle}"),
        }
    }

    /// Whether the air acts on anything.
    pub fn has_air(&self) -> bool {
        let pushed = self.wind.iter().any(|w| matches!(w.kind, WindKind::Force { .. }));
        pushed || self.drag.iter().chain(&self.lift).any(|&c| c != 0.0)
    }
}
