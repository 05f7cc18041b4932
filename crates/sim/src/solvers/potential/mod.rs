//! What a step of implicit Euler minimises, vertex by vertex.

mod budget;
mod gases;
mod hinges;
mod limits;
mod pieces;
mod plates;
mod springs;
mod tetras;
mod ties;
mod triangles;

use glam::DVec3;

use crate::elastic::{Elastic, plates_of};
use crate::forces::free_velocities;
use crate::model::Model;
use crate::parallel::for_each_heavy_part;
use crate::state::State;

use super::StepContext;
use super::sym3::Sym3;

pub(super) use budget::Budget;
pub(super) use limits::Limits;
pub(super) use pieces::Pieces;

use gases::Gases;
use hinges::Hinges;
use plates::Plates;
use springs::Springs;
use tetras::Tetras;
use ties::Ties;
use triangles::Triangles;

/// G(x) = Σ m|x − y|²/(2h²) + E(x) + D(x), y = x₀ + h·(free velocity).
///
/// E: springs, triangles, tetrahedra, hinges, plates, ties and gas. D: their dashpots, quadratic in the way since
/// the start of the step (with directions of the start) or in the change of an angle or
/// strain, so that ∇D is the damping force at the end. Held particles are at the end of their
/// path and do not move. A strain limit adds its augmented Lagrangian.
#[derive(Debug)]
pub(super) struct StepPotential {
    springs: Springs,
    triangles: Triangles,
    tetras: Tetras,
    /// Particles that only tetrahedra and ties pull at.
    solid: Vec<bool>,
    hinges: Hinges,
    plates: Plates,
    ties: Ties,
    gases: Gases,
    /// Edges that must not stretch further.
    pub limits: Limits,
    /// Length of the step. [s]
    pub h: f64,
    /// x₀, where the step starts; held particles where they end. [m]
    pub start: Vec<DVec3>,
    /// y. [m]
    pub target: Vec<DVec3>,
    /// m/h² with the inertia of hands and medium; 0 for held particles. [kg/s²]
    pub inertia: Vec<f64>,
    mass: Vec<f64>,
    gravity: DVec3,
}

/// The part of G that one vertex takes part in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Local {
    /// Its value. [J]
    pub energy: f64,
    /// Its slope. [N]
    pub gradient: DVec3,
    /// Its second derivative without what would be negative. [N/m]
    pub block: Sym3,
    /// b such that energy(x + p) ≤ energy(x) + gradient·p + ½b|p|² as far as inertia,
    /// springs, ties and dashpots go, for every p. [N/m]
    pub bound: f64,
}

impl Local {
    /// Adds ½s|p|² at its minimum or elsewhere, with its slope.
    #[inline]
    fn add_isotropic(&mut self, s: f64, gradient: DVec3) {
        self.gradient += gradient;
        self.block.add_scalar(s);
        self.bound += s;
    }

    /// Adds ½s pᵀBp.
    #[inline]
    fn add_block(&mut self, s: f64, block: &Sym3) {
        self.block.add_scaled(s, block);
        self.bound += s * block.trace();
    }

    /// Adds ½(q·p)², with its slope.
    #[inline]
    fn add_outer(&mut self, s: f64, q: DVec3, gradient: DVec3) {
        self.gradient += gradient;
        self.block.add_outer(s, q);
        self.bound += s * q.length_squared();
    }
}

/// 1/(m(1 + h b/m)) with b of the medium, and the inertia of hands in `weights`. Free velocities
/// have m(1 + h b/m)·v = m v₀ + h F: if elements then met less inertia than that, they would
/// carry less than the weight that hangs on them. [1/kg]
pub(super) fn effective_weight(model: &Model, weights: &[f32], i: usize, h: f64) -> f64 {
    let medium = f64::from(model.damping[i]) * f64::from(model.inverse_mass[i]);
    f64::from(weights[i]) / (1.0 + h * medium)
}

/// Which elements of a vertex are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// Every one.
    All,
    /// Those whose first corner it is: over all vertices each element comes once.
    Owned,
}

impl StepPotential {
    /// G for the elements of a model.
    pub fn new(model: &Model) -> Self {
        let n = model.particle_count();
        let Elastic { springs, triangles, tetras, .. } = Elastic::of(model);
        let (plates, hinges) = plates_of(model);
        let solid = vec![false; n];
        let mut out = Self {
            solid,
            springs: Springs::new(n, springs),
            triangles: Triangles::new(n, triangles),
            tetras: Tetras::new(n, tetras),
            hinges: Hinges::new(n, hinges),
            plates: Plates::new(n, plates),
            ties: Ties::new(n, &model.ties),
            gases: Gases::new(model),
            limits: Limits::new(model),
            h: 0.0,
            start: vec![DVec3::ZERO; n],
            target: vec![DVec3::ZERO; n],
            inertia: vec![0.0; n],
            mass: model.mass.iter().map(|&m| f64::from(m)).collect(),
            gravity: DVec3::ZERO,
        };
        out.solid = out.only_solid();
        out
    }

    /// Which particles belong to tetrahedra and to nothing else but ties.
    fn only_solid(&self) -> Vec<bool> {
        let mut solid = vec![false; self.start.len()];
        self.tetras.groups().flatten().for_each(|&v| solid[v as usize] = true);
        let others = self.springs.groups().chain(self.triangles.groups());
        let others = others.chain(self.hinges.groups()).chain(self.plates.groups());
        let others = others.chain(self.gases.groups()).chain(self.limits.groups());
        others.flatten().for_each(|&v| solid[v as usize] = false);
        solid
    }

    /// The same without strain limits.
    pub fn without_limits(model: &Model) -> Self {
        Self { limits: Limits::default(), ..Self::new(model) }
    }

    /// k + c/h of each tie with its particles, seams first; zero while it does not act. [N/m]
    pub fn tie_stiffnesses(&self) -> impl Iterator<Item = (u32, Option<u32>, f64)> + Clone + '_ {
        self.ties.stiffnesses()
    }

    /// The largest ω² of a spring or of a triangle's strain alone. Solids do not ask for short steps:
    /// all that holds a vertex is solved together. [1/s²]
    pub fn fastest_rate(&self, model: &Model) -> f64 {
        let weights = &model.inverse_mass;
        self.springs.fastest_rate(weights).max(self.triangles.fastest_rate(weights))
    }

    /// The particles that each element joins.
    pub fn groups(&self) -> impl Iterator<Item = &[u32]> + Clone {
        self.springs
            .groups()
            .chain(self.triangles.groups())
            .chain(self.tetras.groups())
            .chain(self.hinges.groups())
            .chain(self.plates.groups())
            .chain(self.ties.groups())
            .chain(self.gases.groups())
            .chain(self.limits.groups())
    }

    /// Sets G up for the step that starts at `state`.
    pub fn begin(&mut self, state: &State, context: &mut StepContext<'_>) {
        let (model, h) = (context.model, context.h);
        let outside = (&*context.conditions, &state.hands);
        free_velocities(model, outside, (&state.x, &state.v), h as f32, context.workspace);
        let workspace = &mut *context.workspace;
        let weights = context.conditions.weights_in_hand(model, state, &mut workspace.weights);
        let free = &workspace.free;
        self.h = h;
        self.gravity = state.hands.gravity(model).as_dvec3();
        for i in 0..self.start.len() {
            let x = state.x.get(i).as_dvec3();
            let y = x + h * free.get(i).as_dvec3();
            let weight = effective_weight(model, weights, i, h);
            let held = !(weight > 0.0);
            self.start[i] = if held { y } else { x };
            self.target[i] = y;
            self.inertia[i] = if held { 0.0 } else { 1.0 / (weight * h * h) };
        }
        context.conditions.at_end_of_step();
        self.springs.begin(&state.x, h);
        self.triangles.begin(&state.x, h);
        self.tetras.begin(&state.x, h);
        self.hinges.begin(&state.x, h);
        self.plates.begin(&state.x, h);
        self.ties.begin(model, state, context.conditions, h);
        self.gases.begin(context.conditions.time());
        self.limits.begin(state, &self.inertia);
    }

    /// Whether particle `i` cannot move.
    #[inline]
    pub fn is_held(&self, i: usize) -> bool {
        self.inertia[i] == 0.0
    }

    /// m g of a particle that is free. [N]
    #[inline]
    fn weight(&self, i: usize) -> DVec3 {
        if self.is_held(i) { DVec3::ZERO } else { self.gravity * self.mass[i] }
    }

    /// What weight adds to y − x₀: h²g, less where a hand makes the particle heavier. [m]
    #[inline]
    fn fall(&self, i: usize) -> DVec3 {
        if self.is_held(i) { DVec3::ZERO } else { self.weight(i) / self.inertia[i] }
    }

    /// Takes note of where all vertices are: gas joins them.
    pub fn look(&mut self, x: &[DVec3]) {
        self.gases.measure(x);
    }

    /// These vertices, which share no element, move together.
    pub fn move_together(&mut self, vertices: &[u32]) {
        if !self.gases.is_empty() {
            self.gases.share(vertices);
        }
    }

    /// Vertex `i` is about to go from `x` to `to`, and others with it.
    #[inline]
    pub fn note(&mut self, i: usize, to: DVec3, x: &[DVec3]) {
        if !self.gases.is_empty() {
            let gained = self.gases.gained(i, to, x);
            self.gases.add(i, gained);
        }
    }

    /// Value, slope and curvature for vertex `i` at `at`, all others at `x`.
    #[inline]
    pub fn local(&self, i: usize, at: DVec3, x: &[DVec3]) -> Local {
        let (inertia, way) = (self.inertia[i], at - self.target[i]);
        let mut out = Local { energy: 0.5 * inertia * way.length_squared(), ..Local::default() };
        out.add_isotropic(inertia, way * inertia);
        self.springs.add(i, at, x, &mut out);
        self.triangles.add(i, at, x, &mut out);
        self.tetras.add(i, at, x, &mut out);
        self.hinges.add(i, at, x, &mut out);
        self.plates.add(i, at, x, &mut out);
        self.ties.add(i, at, x, &mut out);
        self.gases.add_to(i, at, x, &mut out);
        self.limits.add(i, at, x, &mut out);
        out
    }

    /// Whether there are tetrahedra: some two dozen at each vertex.
    pub fn has_solids(&self) -> bool {
        self.tetras.groups().next().is_some()
    }

    /// Slope and curvature for vertex `i` where it is, if a Newton step with them surely does not
    /// raise G.
    #[inline]
    pub fn sure(&self, i: usize, x: &[DVec3]) -> Option<Local> {
        if !self.solid[i] {
            return None;
        }
        let (inertia, at) = (self.inertia[i], x[i]);
        let mut out = Local::default();
        out.add_isotropic(inertia, (at - self.target[i]) * inertia);
        self.tetras.add_slopes(i, at, x, &mut out);
        self.ties.add(i, at, x, &mut out);
        Some(out)
    }

    /// The value alone.
    #[inline]
    pub fn local_energy(&self, i: usize, at: DVec3, x: &[DVec3]) -> f64 {
        let way = at - self.target[i];
        0.5 * self.inertia[i] * way.length_squared()
            + self.stored(i, (at, x), Which::All)
            + self.limits.energy(i, (at, x), Which::All)
    }

    /// The part of G that vertex `i` answers for: over all vertices it adds up to G.
    fn own_energy(&self, i: usize, x: &[DVec3]) -> f64 {
        let way = x[i] - self.target[i];
        0.5 * self.inertia[i] * way.length_squared()
            + self.stored(i, (x[i], x), Which::Owned)
            + self.limits.energy(i, (x[i], x), Which::Owned)
    }

    /// E + D of the elements at vertex `i`, which is at `at`.
    #[inline]
    fn stored(&self, i: usize, (at, x): (DVec3, &[DVec3]), which: Which) -> f64 {
        self.springs.energy(i, (at, x), which)
            + self.triangles.energy(i, (at, x), which)
            + self.tetras.energy(i, (at, x), which)
            + self.hinges.energy(i, (at, x), which)
            + self.plates.energy(i, (at, x), which)
            + self.ties.energy(i, (at, x), which)
            + self.gases.energy(i, (at, x), which)
    }

    /// G(x). [J]
    #[cfg(test)]
    pub fn energy(&self, x: &[DVec3]) -> f64 {
        (0..x.len()).map(|i| self.own_energy(i, x)).sum()
    }

    /// ∇G of every free particle into `out`; zero on held ones. [N]
    pub fn gradient(&self, x: &[DVec3], out: &mut [DVec3]) {
        for_each_heavy_part(out, 1, &|first, out: &mut [DVec3]| {
            for (i, out) in out.iter_mut().enumerate().map(|(i, out)| (first + i, out)) {
                let held = self.is_held(i);
                *out = if held { DVec3::ZERO } else { self.local(i, x[i], x).gradient };
            }
        });
    }
}
