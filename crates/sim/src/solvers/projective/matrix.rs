//! The constant matrix of the global step.

use faer::sparse::FaerError;

use super::cholesky::{Cholesky, Slot};
use crate::elastic::{Elastic, ElasticHinge, ElasticSpring};
use crate::model::Model;
use crate::solvers::potential::StepPotential;

/// A = M/h² + Σ (k + c/h) S Sᵀ over springs and ties + Σ (½K + c/h) b bᵀ over hinges, one row a
/// particle: S differences two ends, b is the second difference of a flat hinge, so that
/// b·z = θ for small heights z. A is above the Hessian of springs at any shape.
#[derive(Debug)]
pub(super) struct GlobalMatrix {
    cholesky: Cholesky,
    diagonal: Vec<Slot>,
    springs: Vec<(ElasticSpring, Slot)>,
    hinges: Vec<HingeTerm>,
    seams: Vec<Slot>,
    /// What the present factor was made for: inertias, then stiffnesses of ties.
    made_for: Vec<f64>,
    made_h: f64,
    usable: bool,
}

#[derive(Debug)]
struct HingeTerm {
    hinge: ElasticHinge,
    /// b. [1/m]
    b: [f64; 4],
    /// Slots of the pairs of [`PAIRS`].
    slots: [Slot; 6],
}

const PAIRS: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

impl GlobalMatrix {
    /// The pattern for a model; no numbers yet.
    pub fn new(model: &Model, potential: &StepPotential) -> Result<Self, FaerError> {
        let n = model.particle_count();
        let Elastic { mut springs, hinges, .. } = Elastic::of(model);
        springs.retain(|s| s.ends[0] != s.ends[1]);
        let lengths = RestLengths::new(model, &springs);
        let hinges: Vec<(ElasticHinge, [f64; 4])> =
            hinges.into_iter().filter_map(|h| Some((h, lengths.second_difference(&h)?))).collect();
        let seams: Vec<[u32; 2]> =
            potential.tie_stiffnesses().filter_map(|(a, b, _)| Some([a, b?])).collect();
        let mut entries: Vec<[u32; 2]> = springs.iter().map(|s| s.ends).collect();
        entries.extend(&seams);
        for (hinge, _) in &hinges {
            entries.extend(PAIRS.map(|pair| pair.map(|i| hinge.corners[i])));
        }
        let cholesky = Cholesky::new(n, &entries)?;
        let term = |(hinge, b): (ElasticHinge, [f64; 4])| {
            let slots = PAIRS.map(|[i, j]| cholesky.slot(hinge.corners[i], hinge.corners[j]));
            HingeTerm { hinge, b, slots }
        };
        Ok(Self {
            diagonal: (0..n as u32).map(|i| cholesky.slot(i, i)).collect(),
            springs: springs.iter().map(|s| (*s, cholesky.slot(s.ends[0], s.ends[1]))).collect(),
            hinges: hinges.into_iter().map(term).collect(),
            seams: seams.iter().map(|&[a, b]| cholesky.slot(a, b)).collect(),
            cholesky,
            made_for: Vec::new(),
            made_h: 0.0,
            usable: false,
        })
    }

    /// The factor of A for the present step, made again only if inertias (held particles, hands,
    /// the step) or ties have changed. `None` where numbers are so far apart that there is none.
    pub fn factor(&mut self, potential: &StepPotential) -> Option<&mut Cholesky> {
        let ties = potential.tie_stiffnesses().map(|(_, _, k)| k);
        let needed = potential.inertia.iter().copied().chain(ties);
        let same = self.made_h == potential.h
            && self.made_for.len() == needed.clone().count()
            && needed.clone().eq(self.made_for.iter().copied());
        if !same {
            self.made_for.clear();
            self.made_for.extend(needed);
            self.made_h = potential.h;
            self.fill(potential);
            self.usable = self.cholesky.factor();
        }
        self.usable.then_some(&mut self.cholesky)
    }

    fn fill(&mut self, potential: &StepPotential) {
        let Self { cholesky, diagonal, springs, hinges, seams, .. } = self;
        let (h, held) = (potential.h, |i: u32| potential.is_held(i as usize));
        cholesky.clear();
        for (i, &slot) in diagonal.iter().enumerate() {
            // Held rows stand alone: their right side is zero and so they do not move.
            cholesky.add(slot, if held(i as u32) { 1.0 } else { potential.inertia[i] });
        }
        let join = |cholesky: &mut Cholesky, [a, b]: [u32; 2], slot: Slot, k: f64| {
            for end in [a, b].into_iter().filter(|&end| !held(end)) {
                cholesky.add(diagonal[end as usize], k);
            }
            if !held(a) && !held(b) {
                cholesky.add(slot, -k);
            }
        };
        for (spring, slot) in &*springs {
            join(cholesky, spring.ends, *slot, spring.stiffness + spring.damping / h);
        }
        let mut seams = seams.iter();
        for (a, b, k) in potential.tie_stiffnesses() {
            match b.zip(seams.as_slice().first()) {
                Some((b, &slot)) => {
                    join(cholesky, [a, b], slot, k);
                    seams.next();
                }
                None if !held(a) => cholesky.add(diagonal[a as usize], k),
                None => {}
            }
        }
        for HingeTerm { hinge, b, slots } in &*hinges {
            let stiffness = 0.5 * hinge.stiffness + hinge.damping / h;
            for (&corner, b) in hinge.corners.iter().zip(b).filter(|(c, _)| !held(**c)) {
                cholesky.add(diagonal[corner as usize], stiffness * b * b);
            }
            for ([i, j], &slot) in PAIRS.into_iter().zip(slots.iter()) {
                if !held(hinge.corners[i]) && !held(hinge.corners[j]) {
                    cholesky.add(slot, stiffness * b[i] * b[j]);
                }
            }
        }
    }
}

/// Distances at rest, as far as springs and edges tell them.
struct RestLengths(Vec<([u32; 2], f64)>);

impl RestLengths {
    fn new(model: &Model, springs: &[ElasticSpring]) -> Self {
        let sorted = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
        let edges = model.edges.edges().iter().map(|e| (sorted(e.ends), f64::from(e.rest)));
        let springs = springs.iter().map(|s| (sorted(s.ends), s.rest));
        let mut all: Vec<_> = edges.chain(springs).collect();
        all.sort_by_key(|(ends, _)| *ends);
        Self(all)
    }

    fn between(&self, a: u32, b: u32) -> Option<f64> {
        let key = [a.min(b), a.max(b)];
        let at = self.0.partition_point(|(ends, _)| *ends < key);
        self.0.get(at).filter(|(ends, _)| *ends == key).map(|(_, length)| *length)
    }

    /// b of a hinge laid flat: 1/height at the far corners, and what balances it at the edge.
    fn second_difference(&self, hinge: &ElasticHinge) -> Option<[f64; 4]> {
        let [far_1, far_2, start, end] = hinge.corners;
        let edge = self.between(start, end)?;
        let mut b = [0.0; 4];
        for (i, far) in [far_1, far_2].into_iter().enumerate() {
            let (to_start, to_end) = (self.between(far, start)?, self.between(far, end)?);
            let foot = (to_start * to_start - to_end * to_end + edge * edge) / (2.0 * edge);
            let height = (to_start * to_start - foot * foot).sqrt();
            // Also refuses triangles that these lengths do not make.
            if !(height > 1e-6 * edge) {
                return None;
            }
            b[i] = 1.0 / height;
            b[2] -= (1.0 - foot / edge) / height;
            b[3] -= foot / edge / height;
        }
        Some(b)
    }
}
