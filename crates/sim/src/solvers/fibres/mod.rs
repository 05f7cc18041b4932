//! Fibres are advanced on their own, after the solver of all else: each strand is a narrow problem
//! that is solved as a whole, whatever method the rest of the world is under.

mod carriers;
mod cosserat;
mod crowd;
mod helix;
mod obstacles;
mod outside;
#[cfg(test)]
mod reference;
mod rods;
mod rubs;
mod step;

use std::ops::Range;

use crate::model::Model;
use crate::parallel::{Split, for_each_part};
use crate::soa::{Soa3, Soa3Mut};
use crate::solvers::SolverKind;
use crate::state::State;
use crate::strands::{StrandLaw, StrandSet, TouchParts};

use carriers::Carriers;
use cosserat::Cosserats;
use crowd::CrowdGrid;
use helix::Helices;
use obstacles::Obstacles;
use outside::Outside;
use rods::{Around, Rods};
use rubs::rubs_of;

pub use step::{Drawn, FibreStep, RodStep, RootStep};

/// All strands of a model that are rods.
#[derive(Debug)]
pub struct Fibres {
    /// Where particles are at the start of the step, and how fast.
    x: Soa3,
    v: Soa3,
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
    /// μ on each collider. [1]
    rubs: Vec<f32>,
    pass: Pass,
    crowd: CrowdGrid,
    /// Its numbers among `FibreMemory::numbers`.
    kept: Range<usize>,
}

/// How strands are advanced.
#[derive(Debug)]
enum Pass {
    Rods(Rods),
    Helices(Box<Helices>),
    Cosserats(Box<Cosserats>),
}

impl Pass {
    /// Numbers that it keeps between steps.
    fn numbers(&self, set: &StrandSet) -> usize {
        match self {
            Self::Rods(_) => set.strands.len(),
            Self::Helices(helices) => helices.numbers(),
            Self::Cosserats(rods) => rods.numbers(),
        }
    }
}

/// Rounds of segments held apart and lengths made right.
const ROUNDS: usize = 4;

impl Fibres {
    /// For a model, if it has rods, in a world under a solver.
    pub fn new(model: &Model, kind: SolverKind) -> Option<Self> {
        // Fields of distances take a while to make.
        if !model.strands.iter().any(|set| set.law.is_rod()) {
            return None;
        }
        let obstacles = Obstacles::new(model);
        let body = |(number, set): (usize, &StrandSet)| {
            let first = model.bodies[set.body].particles.start;
            set.law.is_rod().then(|| Body {
                set: number,
                carriers: Carriers::new(model, set),
                rubs: rubs_of(model, set.body),
                pass: match (set.law, kind) {
                    (_, SolverKind::SuperHelix { iterations }) => {
                        let helices = Helices::new(model, number, obstacles.shapes(model));
                        Pass::Helices(Box::new(helices.with_steps(iterations)))
                    }
                    (StrandLaw::Helix { .. }, _) => {
                        let helices = Helices::new(model, number, obstacles.shapes(model));
                        Pass::Helices(Box::new(helices))
                    }
                    (StrandLaw::Cosserat { .. }, _) => {
                        let rods = Cosserats::new(model, number, obstacles.shapes(model));
                        Pass::Cosserats(Box::new(rods))
                    }
                    _ => Pass::Rods(Rods::new(set, first)),
                },
                crowd: CrowdGrid::default(),
                kept: 0..0,
            })
        };
        let bodies = model.strands.iter().enumerate().filter_map(body).collect();
        let zeros = || Soa3::zeros(model.particle_count());
        Some(Self {
            x: zeros(),
            v: zeros(),
            outside: Outside::new(model),
            obstacles,
            bodies,
            inner_steps: 0,
        })
    }

    /// Whether every particle of a model belongs to a rod.
    pub fn are_all(model: &Model) -> bool {
        let rods = model.strands.iter().filter(|set| set.law.is_rod());
        let particles: usize = rods.map(|set| model.bodies[set.body].particles.len()).sum();
        particles == model.particle_count()
    }

    /// Makes room in `state` for what fibres remember between steps. What has another size is
    /// forgotten, and found again from where points are.
    pub fn prepare(&mut self, model: &Model, state: &mut State) {
        let of = |body: &Body| body.pass.numbers(&model.strands[body.set]);
        let all = self.bodies.iter().map(of).sum();
        if state.fibres.numbers.len() == all {
            return;
        }
        let mut numbers = vec![0.0; all];
        let mut first = 0;
        for body in &mut self.bodies {
            let own = first..first + body.pass.numbers(&model.strands[body.set]);
            first = own.end;
            match &mut body.pass {
                Pass::Rods(_) => {}
                Pass::Helices(helices) => helices.prepare(state, &mut numbers[own]),
                Pass::Cosserats(rods) => rods.prepare(state, &mut numbers[own]),
            }
        }
        state.fibres.numbers = numbers;
    }

    /// Takes note of where everything is before a step.
    pub fn begin_step(&mut self, state: &State) {
        self.x.copy_from(&state.x);
        self.v.copy_from(&state.v);
    }

    /// Takes all strands through a step. All other particles, and those that are held, are where
    /// they end already.
    pub fn step(&mut self, state: &mut State, step: &mut FibreStep<'_>) {
        if self.outside.has_ties() {
            step.conditions.at_end_of_step();
        }
        let (model, conditions) = (step.model, &*step.conditions);
        let start = (&self.x, step.h as f32);
        let same = self.outside.begin_step(model, conditions, state, start);
        let mut first = 0;
        for Body { set, carriers, rubs, pass, crowd, kept } in &mut self.bodies {
            let set = &model.strands[*set];
            let own = model.bodies[set.body].particles.clone();
            carriers.begin_step(model, conditions, (&self.x, &state.x));
            if let Some(law) = &set.touch.crowd {
                let points = (&self.x, &self.v, model.mass.as_slice());
                crowd.act((law, step.h as f32), own.clone(), points, &mut self.outside);
            }
            if let Some(clump) = &set.clump {
                self.outside.clump(set, clump, (&self.x, &self.v), step.h as f32);
            }
            *kept = first..first + pass.numbers(set);
            first = kept.end;
            if !matches!(pass, Pass::Rods(_)) {
                carriers.place_roots(set);
            }
            let rod_step = RodStep {
                model,
                set,
                h: step.h,
                gravity: step.gravity,
                roots: carriers.roots(),
                x: &self.x,
                v: &self.v,
                cut: &state.fibres.cut,
                push: &self.outside.push,
                air: &self.outside.air,
                drawn: self.outside.drawn(),
                colliders: conditions.collider_steps(),
                rubs,
            };
            let rods = match pass {
                Pass::Rods(rods) => rods,
                Pass::Helices(helices) => {
                    let moving = [&mut state.x, &mut state.v, &mut state.fibres.directors];
                    helices.step(&rod_step, moving, &mut state.fibres.numbers[kept.clone()]);
                    continue;
                }
                Pass::Cosserats(rods) => {
                    let moving = [&mut state.x, &mut state.v, &mut state.fibres.directors];
                    rods.step(&rod_step, moving, &mut state.fibres.numbers[kept.clone()]);
                    continue;
                }
            };
            let mass = set.fibre.density * set.strands.first().map_or(0.0, |s| s.edge);
            let damping = model.damping[own.start];
            let around = Around {
                x: &self.x,
                v: &self.v,
                directors: &state.fibres.directors,
                cut: &state.fibres.cut,
                ends: &state.x,
                carried: &self.outside.carried,
                rates: &self.outside.rates,
                rest: &state.fibres.numbers[kept.clone()],
                carriers,
                obstacles: &self.obstacles,
                pushed: self.outside.pushes(),
                windy: self.outside.blows(),
                damping: if mass > 0.0 { damping / mass } else { 0.0 },
                quiet: same && carriers.stand(),
                rest_speed: set.fibre.rest_speed,
            };
            self.inner_steps += u64::from(rods.step(&rod_step, &around));
            state.contacts += rods.touches();
            write_back(set, rods, own, state);
            for (strand, time) in state.fibres.numbers[kept.clone()].iter_mut().enumerate() {
                *time = rods.rest(strand);
            }
        }
        self.part(state, step);
    }

    /// Segments that touch are held apart and lengths made right in turns; what has no proof at the end
    /// of that is held back by contact itself.
    fn part(&mut self, state: &mut State, step: &mut FibreStep<'_>) {
        let Some(contacts) = &mut step.contacts else { return };
        let model = step.model;
        let touches =
            |body: &&mut Body| model.strands[body.set].touch.parts == TouchParts::Segments;
        if !self.bodies.iter_mut().any(|body| touches(&body)) {
            return;
        }
        for _ in 0..ROUNDS {
            let State { x, v, .. } = &mut *state;
            if contacts.settle_strands((x, v), &model.inverse_mass, step.h as f32) == 0 {
                return;
            }
            for body in self.bodies.iter_mut().filter(touches) {
                let set = &model.strands[body.set];
                match &mut body.pass {
                    Pass::Rods(rods) => {
                        rods.adjust(set, &state.x, step.h as f32);
                        write_back(set, rods, model.bodies[set.body].particles.clone(), state);
                    }
                    Pass::Cosserats(rods) => {
                        let State { x, v, fibres, .. } = &mut *state;
                        let moving = [x, v, &mut fibres.directors];
                        rods.adjust(moving, &mut fibres.numbers[body.kept.clone()], step.h);
                    }
                    // Segments of super-helices touch nothing.
                    Pass::Helices(_) => {}
                }
            }
        }
    }

    /// Short steps so far.
    pub fn inner_steps(&self) -> u64 {
        self.inner_steps
    }
}

/// Writes what came of the particles `own` of a body.
fn write_back(set: &StrandSet, rods: &Rods, own: Range<usize>, state: &mut State) {
    let State { x, v, fibres, .. } = state;
    let views = (
        x.slice_mut(own.clone()),
        v.slice_mut(own.clone()),
        fibres.directors.slice_mut(own.clone()),
    );
    let begin = own.start;
    // Most groups are of neighbours, and whole in a part whose cuts fall between them.
    let grain = crate::simd::LANES * set.strands.first().map_or(1, |s| s.count as usize);
    for_each_part(views, grain, &|first, (x, v, d): (Soa3Mut, Soa3Mut, Soa3Mut)| {
        let (mut views, mut at) = ((x, v, d), begin + first);
        let mut strand = set.strands.partition_point(|s| (s.first + s.count) as usize <= at);
        while strand < set.strands.len() {
            let (points, left) = (set.strands[strand].count as usize, Split::len(&views));
            let from = at - set.strands[strand].first as usize;
            let whole = rods.whole(strand).filter(|strands| from == 0 && points * strands <= left);
            let (count, strands) = match whole {
                Some(strands) => (points * strands, strands),
                None => (left.min(points - from), 1),
            };
            if count == 0 {
                break;
            }
            let (now, later) = Split::split(views, count);
            rods.put((strand, strands), from, [now.0, now.1, now.2]);
            (views, at, strand) = (later, at + count, strand + strands);
        }
    });
}
