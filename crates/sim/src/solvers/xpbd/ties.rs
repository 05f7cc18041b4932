//! Seams, and pins that give way, as constraints that come and go.

use super::constraint::{Pin, Seam, Step};
use super::passes::Passes;
use crate::elements::{Tie, TieEnd};
use crate::forces::Conditions;
use crate::model::Model;
use crate::state::State;

/// All ties of a model.
#[derive(Debug)]
pub(in crate::solvers) struct TiePasses {
    seams: Passes<Seam, 2>,
    pins: Passes<Pin, 1>,
    /// Numbers of the ties that became seams, and of those that became pins.
    numbers: [Vec<usize>; 2],
}

impl TiePasses {
    /// The ties of `model`.
    pub fn new(model: &Model) -> Self {
        let (mut seams, mut pins, mut numbers) = (Vec::new(), Vec::new(), [vec![], vec![]]);
        for (number, tie) in model.ties.iter().enumerate() {
            match tie.end {
                TieEnd::Particle(other) if other != tie.particle => {
                    seams.push(Seam { ends: [tie.particle, other], ..Seam::default() });
                    numbers[0].push(number);
                }
                TieEnd::Particle(_) => {}
                TieEnd::Anchor(_) => {
                    pins.push(Pin { particle: tie.particle, ..Pin::default() });
                    numbers[1].push(number);
                }
            }
        }
        let n = model.particle_count();
        Self { seams: Passes::new(n, &seams), pins: Passes::new(n, &pins), numbers }
    }

    /// Takes up what acts during the step of `h` from `state`; `conditions` stand at its end.
    pub fn begin(&mut self, model: &Model, state: &State, conditions: &Conditions, h: f64) {
        let (anchors, velocities) = conditions.anchors();
        let ties = &model.ties;
        let acting = |number: usize| -> (Tie, f64) {
            let acts = !state.broken[number] && ties[number].acts_at(state.time);
            (ties[number], f64::from(u8::from(acts)))
        };
        let [seam_numbers, pin_numbers] = &self.numbers;
        for (i, seam) in self.seams.items_mut() {
            let (tie, acts) = acting(seam_numbers[i]);
            seam.stiffness = acts * f64::from(tie.stiffness);
            seam.damping = acts * f64::from(tie.damping);
        }
        for (i, pin) in self.pins.items_mut() {
            let (tie, acts) = acting(pin_numbers[i]);
            pin.stiffness = acts * f64::from(tie.stiffness);
            pin.damping = acts * f64::from(tie.damping);
            if let TieEnd::Anchor(a) = tie.end {
                pin.anchor = anchors.get(a as usize).as_dvec3();
                pin.way = h * velocities.get(a as usize).as_dvec3();
            }
        }
        self.seams.begin();
        self.pins.begin();
    }

    /// Whether two particles are tied to each other.
    pub fn has_seams(&self) -> bool {
        !self.seams.items().is_empty()
    }

    /// The pins as they are in this step.
    pub fn pins(&self) -> &[Pin] {
        self.pins.items()
    }

    /// Solves every seam once. Returns the largest way of a particle squared. [m²]
    pub fn sweep_seams(&mut self, step: &mut Step) -> f64 {
        self.seams.sweep(step)
    }

    /// Solves every tie once. Returns the largest way of a particle squared. [m²]
    pub fn sweep(&mut self, step: &mut Step) -> f64 {
        self.seams.sweep(step).max(self.pins.sweep(step))
    }
}
