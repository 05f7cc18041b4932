//! The constant matrix of the global step.

use std::collections::BTreeMap;

use faer::sparse::FaerError;

use super::cholesky::{Cholesky, Slot};
use super::rest::RestLengths;
use crate::elastic::{Elastic, ElasticHinge, ElasticPlate, ElasticTriangle, OTHERS, plates_of};
use crate::model::Model;
use crate::solvers::potential::StepPotential;

/// A = M/h² + Σ (k + c/h) S Sᵀ over springs and ties + Σ (½K + c/h) b bᵀ over hinges, one row a
/// particle: S differences two ends, b is the second difference of a flat hinge, so that
/// b·z = θ for small heights z. A is above the Hessian of springs at any shape.
///
/// A plate adds Σ Q b b′ᵀ over its sides: what it is when flat. A triangle with slopes g of its
/// corners adds (1 + β/h)A[max(Y₁, 2G) g₁g₁ᵀ + max(Y₂, 2G) g₂g₂ᵀ], which is above its
/// Hessian at rest, however it is turned.
#[derive(Debug)]
pub(super) struct GlobalMatrix {
    cholesky: Cholesky,
    diagonal: Vec<Slot>,
    entries: Vec<Entry>,
    seams: Vec<Slot>,
    /// What the present factor was made for: inertias, then stiffnesses of ties.
    made_for: Vec<f64>,
    made_h: f64,
    usable: bool,
}

/// k + c/h at a place that elements share.
#[derive(Debug)]
struct Entry {
    ends: [u32; 2],
    slot: Slot,
    k: f64,
    c: f64,
}

/// (k, c) of each pair of particles, the lower first.
#[derive(Default)]
struct Sums(BTreeMap<[u32; 2], (f64, f64)>);

impl Sums {
    /// Adds the upper half of (k, c)a bᵀ, a over `rows` and b over `columns`.
    fn add(&mut self, rows: &[(u32, f64)], columns: &[(u32, f64)], (k, c): (f64, f64)) {
        for &(i, a) in rows {
            for &(j, b) in columns.iter().filter(|(j, _)| i <= *j) {
                let sum = self.0.entry([i, j]).or_default();
                *sum = (sum.0 + k * a * b, sum.1 + c * a * b);
            }
        }
    }

    fn hinge(&mut self, hinge: &ElasticHinge, b: [f64; 4]) {
        let b = pairs(hinge.corners, b);
        self.add(&b, &b, (0.5 * hinge.stiffness, hinge.damping));
    }

    fn plate(&mut self, plate: &ElasticPlate, lengths: &RestLengths) {
        let sides = [0, 1, 2].map(|i| {
            let side = plate.sides[i]?;
            let b = lengths.second_difference(&side.hinge)?;
            self.hinge(&side.hinge, b);
            let sense = sense(&side.hinge, plate, i);
            Some(pairs(side.hinge.corners, b.map(|b| b * sense)))
        });
        for ([i, j], q) in OTHERS.into_iter().zip(plate.coupled) {
            if let (Some(a), Some(b)) = (&sides[i], &sides[j]) {
                self.add(a, b, (q, 0.0));
                self.add(b, a, (q, 0.0));
            }
        }
    }

    fn triangle(&mut self, t: &ElasticTriangle) {
        let [y1, y2, y12] = t.stiffness;
        for (axis, y) in [y1.max(2.0 * y12), y2.max(2.0 * y12)].into_iter().enumerate() {
            let g = pairs(t.corners, t.slopes.map(|g| g[axis]));
            self.add(&g, &g, (y, y * t.damping));
        }
    }
}

fn pairs<const C: usize>(corners: [u32; C], values: [f64; C]) -> [(u32, f64); C] {
    std::array::from_fn(|i| (corners[i], values[i]))
}

/// 1 if the hinge opposite corner `i` goes round the plate's triangle as its corners do, else −1.
fn sense(hinge: &ElasticHinge, plate: &ElasticPlate, i: usize) -> f64 {
    let [far, _, start, end] = hinge.corners;
    let next = if far == plate.corners[i] { start } else { end };
    if next == plate.corners[(i + 1) % 3] { 1.0 } else { -1.0 }
}

impl GlobalMatrix {
    /// The pattern for a model; no numbers yet.
    pub fn new(model: &Model, potential: &StepPotential) -> Result<Self, FaerError> {
        let n = model.particle_count();
        let Elastic { springs, triangles, .. } = Elastic::of(model);
        let (plates, hinges) = plates_of(model);
        let lengths = RestLengths::new(model, &springs, &triangles);
        let mut sums = Sums::default();
        for spring in springs.iter().filter(|s| s.ends[0] != s.ends[1]) {
            let s = pairs(spring.ends, [1.0, -1.0]);
            sums.add(&s, &s, (spring.stiffness, spring.damping));
        }
        triangles.iter().for_each(|t| sums.triangle(t));
        for hinge in &hinges {
            if let Some(b) = lengths.second_difference(hinge) {
                sums.hinge(hinge, b);
            }
        }
        plates.iter().for_each(|plate| sums.plate(plate, &lengths));
        let seams: Vec<[u32; 2]> =
            potential.tie_stiffnesses().filter_map(|(a, b, _)| Some([a, b?])).collect();
        let mut places: Vec<[u32; 2]> = sums.0.keys().copied().filter(|[a, b]| a != b).collect();
        places.extend(&seams);
        let cholesky = Cholesky::new(n, &places)?;
        let entry = |(ends, (k, c)): ([u32; 2], (f64, f64))| Entry {
            ends,
            slot: cholesky.slot(ends[0], ends[1]),
            k,
            c,
        };
        Ok(Self {
            diagonal: (0..n as u32).map(|i| cholesky.slot(i, i)).collect(),
            entries: sums.0.into_iter().map(entry).collect(),
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
        let Self { cholesky, diagonal, entries, seams, .. } = self;
        let (h, held) = (potential.h, |i: u32| potential.is_held(i as usize));
        cholesky.clear();
        for (i, &slot) in diagonal.iter().enumerate() {
            // Held rows stand alone: their right side is zero and so they do not move.
            cholesky.add(slot, if held(i as u32) { 1.0 } else { potential.inertia[i] });
        }
        for Entry { ends, slot, k, c } in &*entries {
            if !ends.iter().any(|&end| held(end)) {
                cholesky.add(*slot, k + c / h);
            }
        }
        let mut seams = seams.iter();
        for (a, b, k) in potential.tie_stiffnesses() {
            let both = b.and_then(|b| Some((b, *seams.next()?)));
            for end in [Some(a), b].into_iter().flatten().filter(|&end| !held(end)) {
                cholesky.add(diagonal[end as usize], k);
            }
            if let Some((b, slot)) = both
                && !held(a)
                && !held(b)
            {
                cholesky.add(slot, -k);
            }
        }
    }
}
