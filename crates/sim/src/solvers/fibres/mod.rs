//! Fibres are advanced on their own, after the solver of all else: each strand is a narrow problem
//! that is solved as a whole, whatever method the rest of the world is under.

mod carriers;
mod obstacles;
mod outside;
mod rods;
mod step;

use crate::model::Model;
use crate::parallel::for_each_part;
use crate::soa::{Soa3, Soa3Mut};
use crate::state::State;
use crate::strands::{StrandLaw, StrandSet};

use carriers::Carriers;
use obstacles::Obstacles;
use outside::Outside;
use rods::{Around, Rods};

pub use step::{FibreStep, RodStep, RootStep};

/// All strands of a model that are rods.
#[derive(Debug)]
pub struct Fibres {
    /// Where particles are at the start of the step, and how fast; where those that are held end.
    x: Soa3,
    v: Soa3,
    ends: Soa3,
    outside: Outside,
    obstacles: Obstacles,
    bodies: Vec<Body>,
    inner_steps: u64,
}

/// The strands of one body.
#[derive(Debug)]
struct Body {
    /// Its number in `Model::strands`.
    set: usize,
    carriers: Carriers,
    rods: Rods,
}

impl Fibres {
    /// For a model, if it has rods.
    pub fn new(model: &Model) -> Option<Self> {
        let body = |(number, set): (usize, &StrandSet)| {
            let first = model.bodies[set.body].particles.start;
            set.law.is_rod().then(|| Body {
                set: number,
                carriers: Carriers::new(model, set),
                rods: Rods::new(set, first),
            })
        };
        let bodies: Vec<Body> = model.strands.iter().enumerate().filter_map(body).collect();
        (!bodies.is_empty()).then(|| {
            let zeros = || Soa3::zeros(model.particle_count());
            Self {
                x: zeros(),
                v: zeros(),
                ends: zeros(),
                outside: Outside::new(model),
                obstacles: Obstacles::new(model),
                bodies,
                inner_steps: 0,
            }
        })
    }

    /// Whether every particle of a model belongs to a rod.
    pub fn are_all(model: &Model) -> bool {
        let rods = model.strands.iter().filter(|set| set.law.is_rod());
        let particles: usize = rods.map(|set| model.bodies[set.body].particles.len()).sum();
        particles == model.particle_count()
    }

    /// Makes room in `state` for what fibres remember between steps.
    pub fn prepare(&self, model: &Model, state: &mut State) {
        let strands = self.bodies.iter().map(|body| model.strands[body.set].strands.len());
        let numbers = strands.sum();
        if state.fibres.numbers.len() != numbers {
            state.fibres.numbers = vec![0.0; numbers];
        }
    }

    /// Takes note of where everything is before a step.
    pub fn begin_step(&mut self, state: &State) {
        self.x.copy_from(&state.x);
        self.v.copy_from(&state.v);
    }

    /// Takes all strands through a step. All other particles, and those that are held, are where
    /// they end already.
    pub fn step(&mut self, state: &mut State, step: &mut FibreStep<'_>) {
        let (model, conditions) = (step.model, &*step.conditions);
        self.ends.copy_from(&state.x);
        let start = (&self.x, step.h as f32);
        let same = self.outside.begin_step(model, conditions, state, start);
        let mut first = 0;
        for Body { set, carriers, rods } in &mut self.bodies {
            let set = &model.strands[*set];
            let own = model.bodies[set.body].particles.clone();
            carriers.begin_step((model, set), conditions, (&self.x, &self.ends));
            let rest = first..first + set.strands.len();
            first = rest.end;
            let rod_step = RodStep {
                model,
                set,
                h: step.h,
                gravity: step.gravity,
                roots: carriers.roots(),
                push: &self.outside.push,
                air: &self.outside.air,
                colliders: conditions.collider_steps(),
            };
            let mass = set.fibre.density * set.strands.first().map_or(0.0, |s| s.edge);
            let damping = model.damping[own.start];
            let around = Around {
                x: &self.x,
                v: &self.v,
                directors: &state.fibres.directors,
                ends: &self.ends,
                carried: &self.outside.carried,
                rates: &self.outside.rates,
                rest: &state.fibres.numbers[rest.clone()],
                carriers,
                obstacles: &self.obstacles,
                damping: if mass > 0.0 { damping / mass } else { 0.0 },
                quiet: same && carriers.stand(),
                rest_speed: set.fibre.rest_speed,
            };
            match set.law {
                StrandLaw::Springs { .. } => continue,
                _ => self.inner_steps += u64::from(rods.step(&rod_step, &around)),
            }
            write_back(set, rods, own, state);
            for (strand, time) in state.fibres.numbers[rest].iter_mut().enumerate() {
                *time = rods.rest(strand);
            }
        }
    }

    /// Short steps so far.
    pub fn inner_steps(&self) -> u64 {
        self.inner_steps
    }
}

/// Writes what came of the particles `own` of a body.
fn write_back(set: &StrandSet, rods: &Rods, own: std::ops::Range<usize>, state: &mut State) {
    let State { x, v, fibres, .. } = state;
    let views = (
        x.slice_mut(own.clone()),
        v.slice_mut(own.clone()),
        fibres.directors.slice_mut(own.clone()),
    );
    let begin = own.start;
    for_each_part(views, 64, &|first, (x, v, d): (Soa3Mut, Soa3Mut, Soa3Mut)| {
        let (mut views, mut at) = ((x, v, d), begin + first);
        let mut strand = set.strands.partition_point(|s| (s.first + s.count) as usize <= at);
        while strand < set.strands.len() {
            let particles = set.strands[strand].particles();
            let count = (particles.end - at).min(crate::parallel::Split::len(&views));
            if count == 0 {
                break;
            }
            let (now, later) = crate::parallel::Split::split(views, count);
            rods.put(strand, at - particles.start, [now.0, now.1, now.2]);
            (views, at, strand) = (later, at + count, strand + 1);
        }
    });
}
