//! Bodies that are drawn to a shape.

use glam::DVec3;

use super::constraint::Step;
use super::turning::LARGEST_TURN;
use crate::lattice::{
    GoalLaw, GoalShape, RegionDamping, ShapeMatching, WholeMatching, keep_unit, turned_by,
};
use crate::model::Model;
use crate::soa::Soa3;
use crate::state::State;

/// x ← x + α(g − x) once a step, α = (2πf)²h²/(1 + (2πf)²h²), from where inertia takes points; after
/// it v ← u + (v − u)e^(−dh), u the rigid motion of regions. Rivers and James 2007.
///
/// To first order g − x = −L(x − x⁰), L symmetric in the metric of masses with eigenvalues λ from
/// 0 to 1. A step then has the determinant 1 − αλ on each mode: it gains nothing, whatever the step,
/// so that `Passive` need not look at it. What is held stays; regions see it where it is.
#[derive(Debug)]
pub(in crate::solvers) struct GoalPass {
    bodies: Vec<Drawn>,
    rotations: usize,
}

#[derive(Debug)]
struct Drawn {
    particles: Vec<u32>,
    law: GoalLaw,
    matching: Matching,
    /// \[kg\]
    masses: Vec<f32>,
    /// α(g − x). [m]
    ways: Vec<DVec3>,
}

#[derive(Debug)]
enum Matching {
    Regions(Box<RegionPass>),
    Whole(WholeMatching),
}

/// A lattice, its points from the first one on: f32 then has its digits for the shape.
#[derive(Debug)]
struct RegionPass {
    matching: ShapeMatching,
    damping: RegionDamping,
    x: Soa3,
    goals: Soa3,
}

/// Damping costs as much as goals do, and acts in a tenth of a second: more often than this there is
/// nothing to gain. [s]
const DAMPED_EVERY: f64 = 1.0 / 240.0;

/// Numbers of a rotation.
const QUATERNION: usize = 4;

impl GoalPass {
    /// All bodies of `model` that are drawn to a shape.
    pub fn new(model: &Model) -> Self {
        let drawn = model.goals.iter().map(|goal| {
            let masses = goal.masses(&model.mass);
            let matching = match &goal.shape {
                GoalShape::Whole(rest) => Matching::Whole(WholeMatching::new(rest, &masses)),
                GoalShape::Lattice(shape) => {
                    let (regions, zeros) = (&shape.regions, Soa3::zeros(masses.len()));
                    Matching::Regions(Box::new(RegionPass {
                        matching: ShapeMatching::new(regions.clone(), &masses),
                        damping: RegionDamping::new(regions.clone(), &masses),
                        x: zeros.clone(),
                        goals: zeros,
                    }))
                }
            };
            let ways = vec![DVec3::ZERO; masses.len()];
            Drawn { particles: goal.particles.clone(), law: goal.law, matching, masses, ways }
        });
        let rotations = model.goals.iter().map(|goal| goal.rotations()).sum();
        Self { bodies: drawn.collect(), rotations }
    }

    /// Numbers that a state remembers for it: the rotation of each region.
    pub fn numbers(&self) -> usize {
        QUATERNION * self.rotations
    }

    /// Makes rotations of what may be none.
    pub fn prepare(&self, numbers: &mut [f32]) {
        numbers.as_chunks_mut::<QUATERNION>().0.iter_mut().for_each(keep_unit);
    }

    /// Draws all points to their goals, with the rotations that a state has in `numbers`.
    pub fn sweep(&mut self, step: &mut Step, numbers: &mut [f32]) {
        let mut rotations = numbers.as_chunks_mut::<QUATERNION>().0;
        for body in &mut self.bodies {
            let Drawn { particles, law, matching, ways, .. } = body;
            let part = law.part(step.h);
            let count = if let Matching::Whole(_) = matching { 1 } else { particles.len() };
            let Some((own, rest)) = std::mem::take(&mut rotations).split_at_mut_checked(count)
            else {
                return;
            };
            rotations = rest;
            match (matching, own) {
                (Matching::Whole(whole), [own]) => {
                    let at = |i: usize| step.x[particles[i] as usize];
                    let goal = whole.goal(at, own);
                    for (i, way) in ways.iter_mut().enumerate() {
                        *way = (whole.of(&goal, i) - at(i)) * part;
                    }
                }
                (Matching::Whole(_), _) => {}
                (Matching::Regions(pass), own) => pass.find(particles, part, (step, own), ways),
            }
            body.keep_from_turning(step);
            for (&p, &way) in body.particles.iter().zip(&body.ways) {
                let p = p as usize;
                step.x[p] += if step.weight[p] > 0.0 { way } else { DVec3::ZERO };
            }
        }
    }

    /// Takes away what is not rigid of the velocities that a step of `h` ends with: of several
    /// short steps only the first, and as much as in all of them.
    pub fn damp(&mut self, model: &Model, state: &mut State, h: f64) {
        let steps = ((DAMPED_EVERY / h + 1e-6) as u64).max(1);
        if !state.step.is_multiple_of(steps) {
            return;
        }
        for Drawn { particles, law, matching, .. } in &mut self.bodies {
            let lost = law.lost(h * steps as f64);
            if !(lost > 0.0) {
                continue;
            }
            match matching {
                Matching::Regions(pass) => pass.damp(particles, lost, (model, state)),
                Matching::Whole(whole) => {
                    let State { x, v, .. } = &mut *state;
                    let at = |i: usize| x.get(particles[i] as usize).as_dvec3();
                    let rigid = whole.rigid(at, |i| v.get(particles[i] as usize).as_dvec3());
                    for p in particles.iter().map(|&p| p as usize) {
                        if model.inverse_mass[p] > 0.0 {
                            let now = v.get(p).as_dvec3();
                            let rigid = rigid.at(x.get(p).as_dvec3());
                            v.set(p, (now + (rigid - now) * lost).as_vec3());
                        }
                    }
                }
            }
        }
    }
}

impl Drawn {
    /// Turns ways back so that Σ m Δx × x₀ = 0: with v = (x − x₀)/h that is what keeps the angular
    /// momentum of a body that nothing holds. Goals have Σ m Δx × x = 0, which is short of it by
    /// hω²L a second. θ = J⁻¹ Σ m Δx × r₀, Δx ← Δx + θ × r, J = Σ m(r·r₀ − ½(r r₀ᵀ + r₀ rᵀ)).
    fn keep_from_turning(&mut self, step: &Step) {
        let Self { particles, masses, ways, .. } = self;
        if particles.iter().any(|&p| !(step.weight[p as usize] > 0.0)) {
            return;
        }
        let all =
            || particles.iter().map(|&p| p as usize).zip(masses.iter().map(|&m| f64::from(m)));
        let (mut whole, mut start, mut now) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for (p, m) in all() {
            whole += m;
            start += step.start[p] * m;
            now += step.x[p] * m;
        }
        let inverse = if whole > 0.0 { 1.0 / whole } else { 0.0 };
        let (start, now) = (start * inverse, now * inverse);
        let (mut squares, mut products, mut turn) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        for ((p, m), way) in all().zip(ways.iter()) {
            let (r, s) = (step.x[p] - now, step.start[p] - start);
            let mixed =
                DVec3::new(r.x * s.y + s.x * r.y, r.x * s.z + s.x * r.z, r.y * s.z + s.y * r.z);
            squares += r * s * m;
            products += mixed * (0.5 * m);
            turn += way.cross(s) * m;
        }
        let angle = turned_by(squares, products, turn);
        if !(angle.length() < LARGEST_TURN) {
            return;
        }
        for ((p, _), way) in all().zip(ways.iter_mut()) {
            *way += angle.cross(step.x[p] - now);
        }
    }
}

impl RegionPass {
    /// α(g − x) of all points.
    fn find(
        &mut self,
        particles: &[u32],
        part: f64,
        (step, rotations): (&Step, &mut [[f32; 4]]),
        ways: &mut [DVec3],
    ) {
        let Self { matching, x, goals, .. } = self;
        let Some(origin) = particles.first().map(|&p| step.x[p as usize]) else { return };
        for (i, &p) in particles.iter().enumerate() {
            x.set(i, (step.x[p as usize] - origin).as_vec3());
        }
        matching.goals_from(x, rotations, goals);
        for (i, way) in ways.iter_mut().enumerate() {
            *way = (goals.get(i).as_dvec3() - x.get(i).as_dvec3()) * part;
        }
    }

    fn damp(&mut self, particles: &[u32], lost: f64, (model, state): (&Model, &mut State)) {
        let Self { damping, x, goals: v, .. } = self;
        let Some(origin) = particles.first().map(|&p| state.x.get(p as usize)) else { return };
        for (i, &p) in particles.iter().enumerate() {
            x.set(i, state.x.get(p as usize) - origin);
            v.set(i, state.v.get(p as usize));
        }
        damping.damp(x, v, lost as f32);
        for (i, &p) in particles.iter().enumerate() {
            if model.inverse_mass[p as usize] > 0.0 {
                state.v.set(p as usize, v.get(i));
            }
        }
    }
}
