//! From shapes and materials to a [`Model`] and its first [`State`].

mod lattice;
mod strands;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use glam::Vec3;

use crate::carried::Carried;
use crate::cloth::{Cloth, ClothParts};
use crate::colliders::{Collider, MeshCollider};
use crate::contact::{ContactLaw, Rub};
use crate::edges::{Edge, EdgeBatch};
use crate::elastic::ElasticTetra;
use crate::elements::{
    AngleBend, AngleBendBatch, BendCoupling, Gas, GasBatch, MembraneBatch, MembraneTriangle,
    Spring, SpringBatch, TetraBatch, Tie, TieEnd,
};
use crate::forces::{PointForce, WindSource};
use crate::incidence::Incidence;
use crate::model::{Anchor, AnchorPath, Body, Hold, Model};
use crate::motion::Track;
use crate::soa::Soa3;
use crate::soft_body::{SoftBody, SoftParts};
use crate::state::State;
use crate::topology::MeshReport;

pub use lattice::LatticeBody;

/// Collects the parts of a world. Everything is checked by the caller: a builder
/// is given sound numbers and indices.
#[derive(Debug, Default)]
pub struct ModelBuilder {
    x: Soa3,
    v: Soa3,
    springs: Vec<Spring>,
    bends: Vec<AngleBend>,
    couplings: Vec<BendCoupling>,
    membranes: Vec<MembraneTriangle>,
    tetras: Vec<ElasticTetra>,
    gases: Vec<Gas>,
    edges: Vec<Edge>,
    /// Directors of strands by particle.
    directors: Vec<(usize, Vec3)>,
    model: Model,
}

/// How a particle is kept in place, and until when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// The spring that ties it; `None` if it follows outright.
    pub spring: Option<GripSpring>,
    /// When it is let go, possibly never. [s]
    pub until: f64,
}

/// A spring that ties a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GripSpring {
    /// Stiffness. [N/m]
    pub stiffness: f32,
    /// Damping. [N·s/m]
    pub damping: f32,
    /// Force at which it breaks. [N]
    pub breaks_at: Option<f32>,
}

impl Grip {
    /// Follows outright and for ever.
    pub const RIGID: Self = Self { spring: None, until: f64::INFINITY };
}

impl ModelBuilder {
    /// An empty world with a given free fall. [m/s²]
    pub fn new(gravity: Vec3) -> Self {
        let model = Model { gravity, ..Model::default() };
        Self { model, ..Self::default() }
    }

    /// Has gravity follow a track: its positions are accelerations. [m/s²]
    pub fn set_gravity_track(&mut self, track: Track) {
        self.model.gravity = track.position_at(0.0);
        self.model.gravity_track = Some(track);
    }

    /// Adds a particle that belongs to no body. Returns its index.
    pub fn add_particle(&mut self, mass: f32, x: Vec3, v: Vec3) -> usize {
        self.x.push(x);
        self.v.push(v);
        self.model.mass.push(mass);
        self.model.inverse_mass.push(if mass > 0.0 { 1.0 / mass } else { 0.0 });
        for values in [&mut self.model.drag, &mut self.model.lift, &mut self.model.damping] {
            values.push(0.0);
        }
        self.model.kept.push(1.0);
        self.x.len() - 1
    }

    /// Adds a spring at its present length.
    pub fn add_spring(&mut self, spring: Spring) {
        self.springs.push(spring);
    }

    /// Adds an edge over which stretch is measured.
    pub fn add_edge(&mut self, edge: Edge) {
        self.edges.push(edge);
    }

    /// Adds a cloth as a body. Returns its particles and what was wrong with its mesh.
    pub fn add_cloth(&mut self, cloth: &Cloth) -> (Range<usize>, MeshReport) {
        let first = self.x.len();
        let parts = ClothParts::of(cloth, first);
        for (i, &point) in parts.points.iter().enumerate() {
            let index = self.add_particle(parts.masses[i], point, cloth.velocity);
            self.model.drag[index] = parts.drag[i];
            self.model.lift[index] = parts.lift[i];
            self.model.damping[index] = cloth.damping;
            self.model.kept[index] = 1.0 - cloth.loss_per_step;
        }
        let particles = first..self.x.len();
        let first_triangle = self.model.triangles.len();
        self.model.triangles.extend(&parts.triangles);
        if parts.grid.is_none() {
            self.model.mesh_triangles.extend(&parts.triangles);
        }
        self.model.grids.extend(parts.stencil);
        self.springs.extend(parts.springs);
        let hinges = self.bends.len() as u32;
        self.couplings.extend(parts.couplings.into_iter().map(|c| BendCoupling {
            hinges: c.hinges.map(|hinge| hinge + hinges),
            triangle: c.triangle + first_triangle as u32,
            ..c
        }));
        self.bends.extend(parts.bends);
        self.membranes.extend(parts.membranes);
        self.edges.extend(parts.edges);
        for &i in &parts.report.isolated_vertices {
            self.hold(first + i, AnchorPath::Fixed, Grip::RIGID);
        }
        let rest = if parts.grid.is_none() { parts.points } else { Vec::new() };
        self.model.bodies.push(Body {
            rest,
            name: cloth.name.clone(),
            particles: particles.clone(),
            triangles: first_triangle..self.model.triangles.len(),
            grid: parts.grid,
            closed: false,
            carried: None,
            uvs: parts.uvs,
        });
        (particles, parts.report)
    }

    /// Adds a soft body. Returns its particles: its skin, a point in its middle, its cores.
    pub fn add_soft_body(&mut self, body: &SoftBody) -> Range<usize> {
        let first = self.x.len();
        let parts = SoftParts::of(body, self.model.bodies.len(), first);
        for (&point, &mass) in parts.points.iter().zip(&parts.masses) {
            let index = self.add_particle(mass, point, body.velocity);
            self.model.damping[index] = body.damping;
        }
        self.springs.extend(parts.springs);
        self.edges.extend(parts.edges);
        self.tetras.extend(parts.tetras);
        self.gases.extend(parts.gas);
        self.model.goals.extend(parts.goals);
        self.close_body(&body.name, &parts.triangles, parts.points, body.carried.clone())
    }

    /// Makes a closed body of the particles that were added last, which rest at `rest`. Returns them.
    fn close_body(
        &mut self,
        name: &str,
        triangles: &[[u32; 3]],
        rest: Vec<Vec3>,
        carried: Option<Arc<Carried>>,
    ) -> Range<usize> {
        let particles = self.x.len() - rest.len()..self.x.len();
        let first = self.model.triangles.len();
        self.model.triangles.extend(triangles);
        self.model.mesh_triangles.extend(triangles);
        self.model.bodies.push(Body {
            rest,
            name: name.to_owned(),
            particles: particles.clone(),
            triangles: first..self.model.triangles.len(),
            grid: None,
            closed: true,
            carried,
            uvs: Vec::new(),
        });
        particles
    }

    /// Moves particles without changing their shape at rest: before anything holds them.
    pub fn displace(&mut self, particles: Range<usize>, mut to: impl FnMut(Vec3) -> Vec3) {
        for particle in particles {
            let moved = to(self.x.get(particle));
            self.x.set(particle, moved);
        }
    }

    /// Adds an obstacle. Returns its index.
    pub fn add_collider(&mut self, collider: Collider) -> usize {
        self.model.colliders.push(collider);
        self.model.colliders.len() - 1
    }

    /// Adds an obstacle made of triangles, whose corners are all there. Returns the index of
    /// the collider that carries it.
    pub fn add_mesh_collider(&mut self, mut mesh: MeshCollider) -> usize {
        mesh.collider = self.add_collider(mesh.carrier());
        self.model.mesh_colliders.push(mesh);
        self.model.colliders.len() - 1
    }

    /// A collider by its index, if it is there.
    pub fn collider(&self, index: usize) -> Option<&Collider> {
        self.model.colliders.get(index)
    }

    /// Pins a particle to a path that starts where it is now.
    pub fn hold(&mut self, particle: usize, path: AnchorPath, grip: Grip) {
        let anchor = self.model.anchors.len() as u32;
        self.model.anchors.push(Anchor { start: self.x.get(particle), path });
        match grip.spring {
            None => {
                self.model.inverse_mass[particle] = 0.0;
                self.v.set(particle, Vec3::ZERO);
                let particle = particle as u32;
                self.model.holds.push(Hold { particle, anchor, until: grip.until });
            }
            Some(spring) => self.tie(particle, TieEnd::Anchor(anchor), spring, grip.until),
        }
    }

    /// Sews two particles together.
    pub fn sew(&mut self, a: usize, b: usize, spring: GripSpring) {
        self.tie(a, TieEnd::Particle(b as u32), spring, f64::INFINITY);
    }

    fn tie(&mut self, particle: usize, end: TieEnd, spring: GripSpring, until: f64) {
        let GripSpring { stiffness, damping, breaks_at } = spring;
        let particle = particle as u32;
        self.model.ties.push(Tie { particle, end, stiffness, damping, breaks_at, until });
    }

    /// Adds a push.
    pub fn add_point_force(&mut self, force: PointForce) {
        self.model.point_forces.push(force);
    }

    /// Adds a wind.
    pub fn add_wind(&mut self, wind: WindSource) {
        self.model.wind.push(wind);
    }

    /// Sets how far particles stay off colliders. [m]
    pub fn set_contact_offset(&mut self, offset: f32) {
        self.model.contact_offset = offset;
    }

    /// Names of the mesh colliders so far.
    pub fn mesh_collider_names(&self) -> impl Iterator<Item = String> + '_ {
        self.model.mesh_colliders.iter().map(|mesh| mesh.name.clone())
    }

    /// How surfaces meet.
    pub fn set_contact(&mut self, law: ContactLaw) {
        self.model.contact = Some(law);
    }

    /// How a body meets a collider that is no mesh, both by number.
    pub fn set_rub(&mut self, body: u32, collider: u32, rub: Rub) {
        self.model.collider_pairs.push((body, collider, rub));
    }

    /// Names of all colliders so far, by number.
    pub fn collider_names(&self) -> impl Iterator<Item = String> + '_ {
        self.model.colliders.iter().map(|collider| collider.name.clone())
    }

    /// How many pairs contact may compare in a frame; any number unless this is called.
    pub fn set_contact_budget(&mut self, detections: u64) {
        self.model.contact_budget = Some(detections);
    }

    /// Sides of the triangles of some particles, the lower number first.
    pub fn sides(&self, particles: Range<usize>) -> BTreeSet<[u32; 2]> {
        let of_these = |t: &&[u32; 3]| particles.contains(&(t[0] as usize));
        let triangles = self.model.triangles.iter().filter(of_these);
        let sides = triangles.flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        sides.map(|[a, b]| [a.min(b), a.max(b)]).collect()
    }

    /// Triangles of some particles.
    pub fn triangles_of(&self, particles: Range<usize>) -> Vec<[u32; 3]> {
        let of_these = |t: &&[u32; 3]| particles.contains(&(t[0] as usize));
        self.model.triangles.iter().filter(of_these).copied().collect()
    }

    /// The mesh that a collider carries, and the number of its first vertex among those of all
    /// meshes so far.
    pub fn mesh_of_collider(&self, collider: usize) -> Option<(&MeshCollider, usize)> {
        let meshes = &self.model.mesh_colliders;
        let place = meshes.iter().position(|mesh| mesh.collider == collider)?;
        let first = meshes[..place].iter().map(MeshCollider::vertex_count).sum();
        Some((&meshes[place], first))
    }

    /// Gives a particle that nothing holds yet another mass. [kg]
    pub fn set_mass(&mut self, particle: usize, mass: f32) {
        self.model.mass[particle] = mass;
        if self.model.inverse_mass[particle] > 0.0 {
            self.model.inverse_mass[particle] = 1.0 / mass;
        }
    }

    /// Mass of a particle. [kg]
    pub fn mass(&self, particle: usize) -> f32 {
        self.model.mass[particle]
    }

    /// Position of a particle. [m]
    pub fn position(&self, particle: usize) -> Vec3 {
        self.x.get(particle)
    }

    /// The finished model and its state at time 0.
    pub fn build(self) -> (Model, State) {
        let mut model = self.model;
        let n = self.x.len();
        model.springs = SpringBatch::new(n, self.springs);
        model.bends = AngleBendBatch::coupled(n, self.bends, self.couplings);
        model.membranes = MembraneBatch::new(n, self.membranes);
        model.tetras = TetraBatch::new(n, self.tetras);
        model.gases = GasBatch::new(n, self.gases);
        model.edges = EdgeBatch::new(n, self.edges);
        model.mesh_incidence = Incidence::new(n, &model.mesh_triangles);
        if model.kept.iter().all(|&k| k == 1.0) {
            model.kept.clear();
        }
        model.has_lift = model.lift.iter().any(|&l| l != 0.0);
        model.topology_version = 1;
        let mut state = State::new(&model, self.x, self.v);
        if !model.strands.is_empty() {
            state.fibres.directors = Soa3::zeros(n);
            for (particle, director) in self.directors {
                state.fibres.directors.set(particle, director);
            }
        }
        (model, state)
    }
}
