//! What follows no line: ties of any body, and elements of bodies that are no grid.

use crate::elastic::{Elastic, ElasticHinge, ElasticPlate, ElasticSpring, plates_of};
use crate::elements::TieEnd;
use crate::forces::Conditions;
use crate::model::Model;
use crate::soa::Soa3;
use crate::solvers::xpbd::constraint::{Hinge, Spring, Step};
use crate::solvers::xpbd::passes::Passes;
use crate::solvers::xpbd::plate::Plate;
use crate::solvers::xpbd::ties::TiePasses;
use crate::state::State;

/// Coloured XPBD sweeps over the positions that a step predicts.
#[derive(Debug)]
pub(super) struct Loose {
    ties: TiePasses,
    hinges: Passes<Hinge, 4>,
    plates: Passes<Plate, 6>,
    springs: Passes<Spring, 2>,
    /// Particles of all of these, in order; only they are copied to and fro.
    touched: Vec<u32>,
    step: Step,
}

impl Loose {
    /// All ties of `model`, and of its other elements those that are given.
    pub fn new(model: &Model, elements: LooseElements) -> Self {
        let n = model.particle_count();
        let LooseElements { mut springs, hinges, plates } = elements;
        springs.retain(|s| s.ends[0] != s.ends[1]);
        let springs: Vec<Spring> = springs.into_iter().map(Spring).collect();
        let hinges: Vec<Hinge> = hinges.into_iter().map(Hinge).collect();
        let plates: Vec<Plate> = plates.into_iter().map(Plate).collect();
        let mut touched: Vec<u32> = springs.iter().flat_map(|s| s.0.ends).collect();
        touched.extend(hinges.iter().flat_map(|h| h.0.corners));
        touched.extend(plates.iter().flat_map(|p| p.0.corners));
        for tie in &model.ties {
            touched.push(tie.particle);
            if let TieEnd::Particle(other) = tie.end {
                touched.push(other);
            }
        }
        touched.sort_unstable();
        touched.dedup();
        Self {
            ties: TiePasses::new(model),
            hinges: Passes::new(n, &hinges),
            plates: Passes::new(n, &plates),
            springs: Passes::new(n, &springs),
            step: Step::new(if touched.is_empty() { 0 } else { n }),
            touched,
        }
    }

    /// Whether particles are tied to each other: that takes a round more.
    pub fn has_seams(&self) -> bool {
        self.ties.has_seams()
    }

    /// Takes up what acts in the step from `state`, that would lead to `y`. Pins that give
    /// way go into `weights` and `y`: their potential is the particle's own, so that
    /// m ← m + h²k + hc and the least of both potentials are exact, whatever follows.
    pub fn begin(
        &mut self,
        (state, y): (&State, &mut Soa3),
        weights: &mut [f32],
        (model, conditions, h): (&Model, &mut Conditions, f64),
    ) {
        if self.touched.is_empty() {
            return;
        }
        conditions.at_end_of_step();
        self.ties.begin(model, state, conditions, h);
        for pin in self.ties.pins() {
            let i = pin.particle as usize;
            let w = f64::from(weights[i]);
            let (k, c) = (pin.stiffness * h * h, pin.damping * h);
            let heavier = 1.0 + w * (k + c);
            let still = state.x.get(i).as_dvec3() + pin.way;
            let there = y.get(i).as_dvec3() + w * (k * pin.anchor + c * still);
            y.set(i, (there / heavier).as_vec3());
            weights[i] = (w / heavier) as f32;
        }
        let step = &mut self.step;
        step.h = h;
        for i in self.touched.iter().map(|&i| i as usize) {
            step.start[i] = state.x.get(i).as_dvec3();
            step.weight[i] = f64::from(weights[i]);
        }
        self.hinges.begin();
        self.plates.begin();
        self.springs.begin();
    }

    /// One sweep.
    pub fn sweep(&mut self, y: &mut Soa3) {
        let step = &mut self.step;
        for i in self.touched.iter().map(|&i| i as usize) {
            step.x[i] = y.get(i).as_dvec3();
        }
        self.hinges.sweep(step);
        self.plates.sweep(step);
        self.ties.sweep_seams(step);
        self.springs.sweep(step);
        for i in self.touched.iter().map(|&i| i as usize) {
            y.set(i, step.x[i].as_vec3());
        }
    }
}

/// Elements that belong to no grid.
pub(super) struct LooseElements {
    pub springs: Vec<ElasticSpring>,
    pub hinges: Vec<ElasticHinge>,
    pub plates: Vec<ElasticPlate>,
}

impl LooseElements {
    /// Those of `model`. Grids bend along their lines: their hinges and plates would do it again.
    pub fn of(model: &Model) -> Self {
        let on_grid = |particle: u32| {
            let at = particle as usize;
            model.bodies.iter().any(|body| body.grid.is_some() && body.particles.contains(&at))
        };
        let loose = Model { springs: model.springs.clone(), ..Model::default() };
        let springs = Elastic::of(&loose).springs;
        let (mut plates, mut hinges) = plates_of(model);
        plates.retain(|plate| !on_grid(plate.corners[0]));
        hinges.retain(|hinge| !on_grid(hinge.corners[0]));
        Self { springs, hinges, plates }
    }
}
