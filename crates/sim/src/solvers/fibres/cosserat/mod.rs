//! Rods of Cosserat: points with an orientation for each edge, held together by stretch, shear,
//! bending and twist (Kugelstadt & Schömer 2016). One constraint after another needs hundreds of
//! sweeps a frame: with 32 a hair sagged by half its length too far, with 384 by a hundredth. All of
//! a rod's are solved at once instead (Deul et al. 2018), for which eight a frame are enough.

mod banded;
mod rod;
mod rubs;
#[cfg(test)]
mod tests;

use crate::colliders::{ColliderShape, ColliderStep};
use crate::model::Model;
use crate::motion::Pose;
use crate::parallel::for_each_large;
use crate::soa::Soa3;
use crate::state::State;
use crate::strands::{Strand, StrandLaw};

use super::step::pose_between;
use super::{RodStep, RootStep};
use rod::{Around, Rod};

/// Longest step. [s]
const SHORT: f64 = 1.0 / 480.0;

/// Newton steps a short step of what has been cut off, at most. [1]
const SWEEPS_OF_FALLEN: u32 = 4;

/// The strands of one body as rods of Cosserat.
#[derive(Debug)]
pub(super) struct Cosserats {
    strands: Vec<Rod>,
    /// Where the numbers of each strand begin, and where those of the last end.
    places: Vec<usize>,
    /// Shapes of colliders.
    shapes: Vec<ColliderShape>,
    /// Colliders over each short step.
    colliders: Vec<Vec<ColliderStep>>,
    sweeps: u32,
    short: f64,
}

impl Cosserats {
    /// Of a set of strands, by its number in `Model::strands`; `shapes` are those by which
    /// colliders meet points.
    pub fn new(model: &Model, set: usize, shapes: Vec<ColliderShape>) -> Self {
        let set = &model.strands[set];
        let sweeps = match set.law {
            StrandLaw::Cosserat { sweeps } => sweeps.max(1),
            _ => 1,
        };
        let body = &model.bodies[set.body];
        let rod = |strand: &Strand| {
            let first = strand.first as usize - body.particles.start;
            let rest = body.rest.get(first..first + strand.count as usize);
            Rod::new(strand, set.fibre, rest.unwrap_or_default())
        };
        let strands: Vec<Rod> = set.strands.iter().map(rod).collect();
        let mut places = vec![0];
        for strand in &strands {
            places.push(places[places.len() - 1] + strand.numbers());
        }
        Self { strands, places, shapes, colliders: Vec::new(), sweeps, short: SHORT }
    }

    /// What has been cut off strands of a set: those of these numbers, from these points on. They fall
    /// from where they are, and nothing is kept of them between steps.
    pub fn fallen(
        model: &Model,
        set: usize,
        shapes: Vec<ColliderShape>,
        from: &[(usize, usize)],
    ) -> Self {
        let mut all = Self::new(model, set, shapes);
        let rods = from.iter().map(|&(strand, from)| all.strands[strand].clone().beyond(from));
        (all.strands, all.sweeps) = (rods.collect(), SWEEPS_OF_FALLEN);
        all
    }

    /// How many numbers it keeps between steps.
    pub fn numbers(&self) -> usize {
        self.places[self.places.len() - 1]
    }

    /// The numbers of the strands as they are and move now.
    pub fn prepare(&mut self, state: &State, numbers: &mut [f64]) {
        for (k, strand) in self.strands.iter_mut().enumerate() {
            strand.prepare(state, &mut numbers[self.places[k]..self.places[k + 1]]);
        }
    }

    /// A step. Particles that are held are where they end already.
    pub fn step(
        &mut self,
        rods: &RodStep<'_>,
        [x, v, directors]: [&mut Soa3; 3],
        numbers: &mut [f64],
    ) {
        let count = ((rods.h / self.short - 1e-6).ceil() as usize).max(1);
        divide_colliders(&self.shapes, rods, count, &mut self.colliders);
        let Self { strands, places, shapes, colliders, sweeps, .. } = self;
        {
            let (x, numbers): (&Soa3, &[f64]) = (x, numbers);
            let around = Around { rods, x, shapes, colliders, sweeps: *sweeps, count };
            for_each_large(strands.as_mut_slice(), &|first, strands: &mut [Rod]| {
                for (k, strand) in (first..).zip(strands) {
                    strand.load(&numbers[places[k]..places[k + 1]], rods);
                    strand.step(&around, &rods.roots[k]);
                }
            });
        }
        for (k, strand) in strands.iter().enumerate() {
            strand.save(&mut numbers[places[k]..places[k + 1]]);
            strand.write([x, v, directors]);
        }
    }

    /// A step of what has been cut off.
    pub fn step_fallen(&mut self, rods: &RodStep<'_>, [x, v, directors]: [&mut Soa3; 3]) {
        let count = ((rods.h / self.short - 1e-6).ceil() as usize).max(1);
        divide_colliders(&self.shapes, rods, count, &mut self.colliders);
        let Self { strands, shapes, colliders, sweeps, .. } = self;
        {
            let (x, directors): (&Soa3, &Soa3) = (x, directors);
            let around = Around { rods, x, shapes, colliders, sweeps: *sweeps, count };
            let root = RootStep { start: Pose::IDENTITY, end: Pose::IDENTITY };
            for_each_large(strands.as_mut_slice(), &|_, strands: &mut [Rod]| {
                for strand in strands {
                    strand.take(directors, rods);
                    strand.step(&around, &root);
                }
            });
        }
        strands.iter().for_each(|strand| strand.write([&mut *x, &mut *v, &mut *directors]));
    }

    /// Goes on from places to which contact has brought points at the end of a step of `h`, with lengths
    /// and bends made right again; velocities follow.
    pub fn adjust(&mut self, [x, v, directors]: [&mut Soa3; 3], numbers: &mut [f64], h: f64) {
        let places: &Soa3 = x;
        for_each_large(self.strands.as_mut_slice(), &|_, strands: &mut [Rod]| {
            strands.iter_mut().for_each(|strand| strand.adjust(places, h));
        });
        for (k, strand) in self.strands.iter().enumerate() {
            strand.save(&mut numbers[self.places[k]..self.places[k + 1]]);
            strand.write([&mut *x, &mut *v, &mut *directors]);
        }
    }

    /// Gives all strands another radius. [m]
    #[cfg(test)]
    fn thin(&mut self, radius: f32) {
        self.strands.iter_mut().for_each(|strand| strand.thin(radius));
    }
}

/// Colliders over each of `count` short steps.
fn divide_colliders(
    shapes: &[ColliderShape],
    rods: &RodStep<'_>,
    count: usize,
    divided: &mut Vec<Vec<ColliderStep>>,
) {
    if divided.len() < count {
        divided.resize_with(count, Vec::new);
    }
    for (k, colliders) in divided[..count].iter_mut().enumerate() {
        colliders.clear();
        colliders.extend(shapes.iter().zip(rods.colliders).map(|(shape, step)| {
            let ends = [k, k + 1].map(|k| {
                let part = k as f64 / count as f64;
                let (position, rotation) = pose_between(&step.start, &step.end, part);
                let turned = Pose { position: position.as_vec3(), rotation: rotation.as_quat() };
                if step.start == step.end { step.start } else { turned }
            });
            ColliderStep::new(shape, ends[0], ends[1], rods.keeps_off())
        }));
    }
}
