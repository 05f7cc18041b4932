//! Super-helices (Bertails et al. 2006): strands of pieces of constant curvature and twist.
//!
//! The unknowns of a strand are κ₁, κ₂ and τ of its pieces; positions follow from them in closed
//! form, so that no length can change. A step minimises ½|x(q) − y|²/τ² m + ½|q − qⁿ|²K over q
//! itself, x being points of the curve that carry the mass: forces of inertia, also those of a
//! root that turns, are in the positions.

mod chain;
mod fit;
mod layout;
mod newton;
mod piece;
mod strand;
mod sums;
#[cfg(test)]
mod tests;
mod touch;

use crate::colliders::{ColliderShape, ColliderStep};
use crate::model::Model;
use crate::motion::Pose;
use crate::parallel::for_each_large;
use crate::soa::Soa3;
use crate::state::State;
use crate::strands::StrandLaw;

use super::RodStep;
use super::cosserat::Cosserats;
use super::step::pose_between;
use strand::{GAMMA, Helix, Scene};

/// Pieces of a strand whose law says nothing of them.
pub(super) const PIECES: u32 = 8;

/// Newton steps a stage that are taken unasked; contact needs more than the two or three of a free
/// strand.
const NEWTON_STEPS: u32 = 24;

/// Longest step. Two stages of it follow a swing from the horizontal to 2 % of a strand's length, of
/// which hardly anything comes from time. [s]
const SHORT: f64 = 1.0 / 240.0;

/// The strands of one body as super-helices.
#[derive(Debug)]
pub(super) struct Helices {
    strands: Vec<Helix>,
    /// Where the numbers of each strand begin, and where those of the last end.
    places: Vec<usize>,
    /// Shapes of colliders.
    shapes: Vec<ColliderShape>,
    /// Colliders over both stages of each short step.
    colliders: Vec<Vec<ColliderStep>>,
    most: u32,
    fallen: Fallen,
}

/// What has been cut off: its free ends are nothing special to rods of Cosserat.
#[derive(Debug)]
struct Fallen {
    /// Number of the set in `Model::strands`.
    set: usize,
    /// Strands, and from which of their points on.
    from: Vec<(usize, usize)>,
    rods: Option<Box<Cosserats>>,
}

impl Helices {
    /// Of a set of strands, by its number in `Model::strands`; `shapes` are those by which
    /// colliders meet points.
    pub fn new(model: &Model, set: usize, shapes: Vec<ColliderShape>) -> Self {
        let fallen = Fallen { set, from: Vec::new(), rods: None };
        let set = &model.strands[set];
        let pieces = match set.law {
            StrandLaw::Helix { pieces } => pieces.max(1),
            _ => PIECES,
        };
        let body = &model.bodies[set.body];
        let strand = |strand: &crate::strands::Strand| {
            let first = strand.first as usize - body.particles.start;
            let rest = body.rest.get(first..first + strand.count as usize);
            Helix::new(strand, set.fibre, pieces as usize, rest.unwrap_or_default())
        };
        let strands: Vec<Helix> = set.strands.iter().map(strand).collect();
        let mut places = vec![0];
        for strand in &strands {
            places.push(places[places.len() - 1] + strand.numbers());
        }
        Self { strands, places, shapes, colliders: Vec::new(), most: NEWTON_STEPS, fallen }
    }

    /// With so many Newton steps a stage at most.
    pub fn with_steps(mut self, most: Option<u32>) -> Self {
        self.most = most.unwrap_or(NEWTON_STEPS).max(1);
        self
    }

    /// How many numbers it keeps between steps.
    pub fn numbers(&self) -> usize {
        self.places[self.places.len() - 1]
    }

    /// Newton steps taken so far, over all strands.
    #[cfg(test)]
    fn iterations(&self) -> u64 {
        self.strands.iter().map(|strand| strand.effort).sum()
    }

    /// The numbers of the strands as they are and move now.
    pub fn prepare(&mut self, state: &State, numbers: &mut [f64]) {
        for (k, strand) in self.strands.iter_mut().enumerate() {
            let numbers = &mut numbers[self.places[k]..self.places[k + 1]];
            strand.prepare(state, numbers);
        }
    }

    /// A step. Particles that are held are where they end already.
    pub fn step(
        &mut self,
        rods: &RodStep<'_>,
        [x, v, directors]: [&mut Soa3; 3],
        numbers: &mut [f64],
    ) {
        let count = ((rods.h / SHORT - 1e-6).ceil() as usize).max(1);
        self.divide_colliders(rods, count);
        let Self { strands, places, shapes, colliders, most, .. } = self;
        {
            let (x, numbers): (&Soa3, &[f64]) = (x, numbers);
            for_each_large(strands.as_mut_slice(), &|first, strands: &mut [Helix]| {
                for (k, strand) in (first..).zip(strands) {
                    strand.load(&numbers[places[k]..places[k + 1]], rods);
                    for inner in 0..count {
                        let (root, inner) = (&rods.roots[k], (inner, count));
                        strand.step(&Scene {
                            rods,
                            root,
                            x,
                            shapes,
                            colliders,
                            inner,
                            most: *most,
                        });
                    }
                }
            });
        }
        for (k, strand) in strands.iter().enumerate() {
            strand.save(&mut numbers[places[k]..places[k + 1]]);
            strand.write(&rods.roots[k], [x, v, directors]);
        }
        if self.note_fallen(rods) {
            self.fallen.rods.iter_mut().for_each(|f| f.step_fallen(rods, [x, v, directors]));
        }
    }

    /// Takes note of what has been cut off; whether there is anything.
    fn note_fallen(&mut self, rods: &RodStep<'_>) -> bool {
        let Fallen { set, from, rods: fallen } = &mut self.fallen;
        let cut = |(k, strand): (usize, &Helix)| Some((k, strand.last_node(rods.cut)? + 2));
        let now = || self.strands.iter().enumerate().filter_map(cut);
        if rods.cut.is_empty() || now().next().is_none() {
            (*fallen, _) = (None, from.clear());
            return false;
        }
        if fallen.is_none() || !now().eq(from.iter().copied()) {
            from.clear();
            from.extend(now());
            *fallen =
                Some(Box::new(Cosserats::fallen(rods.model, *set, self.shapes.clone(), from)));
        }
        true
    }

    /// Colliders over both stages of each of `count` short steps.
    fn divide_colliders(&mut self, rods: &RodStep<'_>, count: usize) {
        if self.colliders.len() < 2 * count {
            self.colliders.resize_with(2 * count, Vec::new);
        }
        let moment = |k: usize| {
            let part = [0.0, GAMMA][k % 2];
            ((k / 2) as f64 + part) / count as f64
        };
        for (k, colliders) in self.colliders[..2 * count].iter_mut().enumerate() {
            colliders.clear();
            colliders.extend(self.shapes.iter().zip(rods.colliders).map(|(shape, step)| {
                let pose = |part: f64| {
                    let (position, rotation) = pose_between(&step.start, &step.end, part);
                    let turned =
                        Pose { position: position.as_vec3(), rotation: rotation.as_quat() };
                    if step.start == step.end { step.start } else { turned }
                };
                let ends = [k, k + 1].map(|k| pose(moment(k)));
                ColliderStep::new(shape, ends[0], ends[1], rods.keeps_off())
            }));
        }
    }

    /// Gives all strands another drag; returns the old one.
    #[cfg(test)]
    fn set_drag(&mut self, drag: crate::strands::FibreDrag) -> crate::strands::FibreDrag {
        let all = self.strands.iter_mut().map(|strand| strand.set_drag(drag));
        all.last().unwrap_or_default()
    }

    /// Motion, bending and height of all strands. [J]
    #[cfg(test)]
    fn energy(&self, numbers: &[f64], roots: &[super::RootStep], gravity: glam::Vec3) -> f64 {
        let energy = |(k, strand): (usize, &Helix)| {
            strand.energy_of(&numbers[self.places[k]..self.places[k + 1]], &roots[k], gravity)
        };
        self.strands.iter().enumerate().map(energy).sum()
    }
}
