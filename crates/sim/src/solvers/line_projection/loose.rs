//! What follows no line: ties of any body, and hinges that are bent at rest.

use crate::elastic::ElasticHinge;
use crate::elements::TieEnd;
use crate::forces::Conditions;
use crate::model::Model;
use crate::soa::Soa3;
use crate::solvers::xpbd::constraint::{Hinge, Step};
use crate::solvers::xpbd::passes::Passes;
use crate::solvers::xpbd::ties::TiePasses;
use crate::state::State;

/// Coloured XPBD sweeps over the positions that a step predicts.
#[derive(Debug)]
pub(super) struct Loose {
    ties: TiePasses,
    hinges: Passes<Hinge, 4>,
    /// Particles of all of these, in order; only they are copied to and fro.
    touched: Vec<u32>,
    step: Step,
}

impl Loose {
    /// All ties of `model`, and these of its hinges.
    pub fn new(model: &Model, hinges: &[ElasticHinge]) -> Self {
        let n = model.particle_count();
        let hinges: Vec<Hinge> = hinges.iter().copied().map(Hinge).collect();
        let mut touched: Vec<u32> = hinges.iter().flat_map(|h| h.0.corners).collect();
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
            step: Step::new(if touched.is_empty() { 0 } else { n }),
            touched,
        }
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.touched.is_empty()
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
    }

    /// One sweep.
    pub fn sweep(&mut self, y: &mut Soa3) {
        self.load(y);
        self.hinges.sweep(&mut self.step);
        self.ties.sweep_seams(&mut self.step);
        self.store(y);
    }

    /// Seams once more, after the lines that they join: lines are stiffer, and would have the
    /// last word in every step.
    pub fn close_seams(&mut self, y: &mut Soa3) {
        if self.has_seams() {
            self.load(y);
            self.ties.sweep_seams(&mut self.step);
            self.store(y);
        }
    }

    fn load(&mut self, y: &Soa3) {
        for i in self.touched.iter().map(|&i| i as usize) {
            self.step.x[i] = y.get(i).as_dvec3();
        }
    }

    fn store(&self, y: &mut Soa3) {
        for i in self.touched.iter().map(|&i| i as usize) {
            y.set(i, self.step.x[i].as_vec3());
        }
    }
}
