//! What a stage minimises.

use glam::DVec3;

use super::batch::Batch;
use super::gases::Gases;
use super::matrix::{BlockMatrix, Pattern};
use super::ties::{Seam, SoftPin};
use crate::elastic::{
    Elastic, ElasticCoupling, ElasticHinge, ElasticSpring, ElasticTetra, ElasticTriangle,
};
use crate::elements::TieEnd;
use crate::forces::Conditions;
use crate::model::Model;
use crate::parallel::for_each_part;

/// G(z) = Σ ½(m/τ²)|z − y|² + E(z) + dissipation(z − x̂): its minimum is the end of a backward
/// Euler step of τ that starts at x̂ and that without elements would end at y.
#[derive(Debug)]
pub(super) struct Objective {
    springs: Batch<ElasticSpring, 2>,
    hinges: Batch<ElasticHinge, 4>,
    couplings: Batch<ElasticCoupling, 8>,
    triangles: Batch<ElasticTriangle, 3>,
    tetras: Batch<ElasticTetra, 4>,
    seams: Batch<Seam, 2>,
    pins: Batch<SoftPin, 1>,
    /// For each tie of the model, its number among the seams or the pins.
    ties: Vec<u32>,
    /// 1/τ. [1/s]
    rate: f64,
    /// y. [m]
    pub target: Vec<DVec3>,
    /// m/τ² with all that adds to inertia. [N/m]
    pub inertia: Vec<f64>,
    /// Particles that are held: they stay where they are put.
    pub fixed: Vec<bool>,
    /// The Hessian.
    pub matrix: BlockMatrix,
    /// A length that elements have. [m]
    pub scale: f64,
}

impl Objective {
    pub fn new(model: &Model) -> Self {
        let n = model.particle_count();
        let Elastic { springs, hinges, couplings, triangles, tetras } = Elastic::of(model);
        let scale = mean_length(model, &springs);
        let (mut seams, mut pins, mut ties) = (Vec::new(), Vec::new(), Vec::new());
        for tie in &model.ties {
            let (stiffness, damping) = (f64::from(tie.stiffness), f64::from(tie.damping));
            match tie.end {
                TieEnd::Particle(other) => {
                    ties.push(seams.len() as u32);
                    let ends = [tie.particle, other];
                    seams.push(Seam { ends, stiffness, damping, acts: false });
                }
                TieEnd::Anchor(_) => {
                    ties.push(pins.len() as u32);
                    let (point, velocity) = (DVec3::ZERO, DVec3::ZERO);
                    let particle = tie.particle;
                    pins.push(SoftPin {
                        particle,
                        stiffness,
                        damping,
                        acts: false,
                        point,
                        velocity,
                    });
                }
            }
        }
        let mut out = Self {
            springs: Batch::new(n, springs),
            hinges: Batch::new(n, hinges),
            couplings: Batch::new(n, couplings),
            triangles: Batch::new(n, triangles),
            tetras: Batch::new(n, tetras),
            seams: Batch::new(n, seams),
            pins: Batch::new(n, pins),
            ties,
            rate: 1.0,
            target: vec![DVec3::ZERO; n],
            inertia: vec![0.0; n],
            fixed: vec![false; n],
            matrix: BlockMatrix::new(Pattern::new(0, Vec::new()), Gases::default()),
            scale,
        };
        let mut pairs = Vec::new();
        let mut join = |a, b| pairs.push((a, b));
        out.springs.for_each_pair(&mut join);
        out.hinges.for_each_pair(&mut join);
        out.couplings.for_each_pair(&mut join);
        out.triangles.for_each_pair(&mut join);
        out.tetras.for_each_pair(&mut join);
        out.seams.for_each_pair(&mut join);
        let pattern = Pattern::new(n, pairs);
        out.springs.settle(&pattern);
        out.hinges.settle(&pattern);
        out.couplings.settle(&pattern);
        out.triangles.settle(&pattern);
        out.tetras.settle(&pattern);
        out.seams.settle(&pattern);
        out.pins.settle(&pattern);
        out.matrix = BlockMatrix::new(pattern, Gases::new(model));
        out
    }

    /// Takes ties and gas as they are at the moment of `conditions`.
    pub fn look_around(&mut self, model: &Model, conditions: &Conditions) {
        self.matrix.gases.look(conditions.time());
        let (anchor_x, anchor_v) = conditions.anchors();
        for (index, (tie, &own)) in model.ties.iter().zip(&self.ties).enumerate() {
            let acts = conditions.tie_acts(tie, index);
            match tie.end {
                TieEnd::Particle(_) => self.seams.elements[own as usize].acts = acts,
                TieEnd::Anchor(anchor) => {
                    let pin = &mut self.pins.elements[own as usize];
                    pin.acts = acts;
                    pin.point = anchor_x.get(anchor as usize).as_dvec3();
                    pin.velocity = anchor_v.get(anchor as usize).as_dvec3();
                }
            }
        }
    }

    /// A stage of `tau` seconds begins at `base`.
    pub fn begin(&mut self, base: &[DVec3], tau: f64) {
        self.rate = 1.0 / tau;
        self.springs.begin(base);
        self.hinges.begin(base);
        self.couplings.begin(base);
        self.triangles.begin(base);
        self.tetras.begin(base);
        self.seams.begin(base);
        self.pins.begin(base);
    }

    /// G. [J]
    pub fn value(&mut self, z: &[DVec3]) -> f64 {
        let rate = self.rate;
        let elements = self.springs.energy(z, rate)
            + self.hinges.energy(z, rate)
            + self.couplings.energy(z, rate)
            + self.triangles.energy(z, rate)
            + self.tetras.energy(z, rate)
            + self.seams.energy(z, rate)
            + self.pins.energy(z, rate)
            + self.matrix.gases.energy(z);
        let moves = z.iter().zip(&self.target).zip(&self.inertia);
        let inertia: f64 = moves.map(|((z, y), m)| m * (*z - *y).length_squared()).sum();
        elements + 0.5 * inertia
    }

    /// ∂G/∂z, zero where particles are held. [N]
    pub fn gradient(&mut self, z: &[DVec3], out: &mut [DVec3]) {
        let rate = self.rate;
        self.springs.differentiate(z, rate);
        self.hinges.differentiate(z, rate);
        self.couplings.differentiate(z, rate);
        self.triangles.differentiate(z, rate);
        self.tetras.differentiate(z, rate);
        self.seams.differentiate(z, rate);
        self.pins.differentiate(z, rate);
        self.matrix.gases.differentiate(z);
        let parts = (&mut *out, z, self.target.as_slice(), self.inertia.as_slice());
        type Part<'a> = (&'a mut [DVec3], &'a [DVec3], &'a [DVec3], &'a [f64]);
        for_each_part(parts, 1, &|_, (out, z, y, m): Part<'_>| {
            for (((out, z), y), m) in out.iter_mut().zip(z).zip(y).zip(m) {
                *out = (*z - *y) * *m;
            }
        });
        self.springs.add_gradient(out);
        self.hinges.add_gradient(out);
        self.couplings.add_gradient(out);
        self.triangles.add_gradient(out);
        self.tetras.add_gradient(out);
        self.seams.add_gradient(out);
        self.pins.add_gradient(out);
        self.matrix.gases.add_gradient(out);
        for (out, _) in out.iter_mut().zip(&self.fixed).filter(|(_, fixed)| **fixed) {
            *out = DVec3::ZERO;
        }
    }

    /// Puts the Hessian at the point of the last gradient into `self.matrix`.
    pub fn assemble(&mut self) {
        self.matrix.reset(&self.inertia);
        self.springs.add_hessian(self.matrix.rows_mut());
        self.hinges.add_hessian(self.matrix.rows_mut());
        self.couplings.add_hessian(self.matrix.rows_mut());
        self.triangles.add_hessian(self.matrix.rows_mut());
        self.tetras.add_hessian(self.matrix.rows_mut());
        self.seams.add_hessian(self.matrix.rows_mut());
        self.pins.add_hessian(self.matrix.rows_mut());
    }

    /// E of the elements alone, without ties. [J]
    pub fn elastic_energy(&mut self, x: &[DVec3]) -> f64 {
        self.springs.energy(x, 0.0)
            + self.hinges.energy(x, 0.0)
            + self.couplings.energy(x, 0.0)
            + self.triangles.energy(x, 0.0)
            + self.tetras.energy(x, 0.0)
            + self.matrix.gases.energy(x)
    }

    /// ∂E/∂x of the same. [N]
    pub fn elastic_gradient(&mut self, x: &[DVec3], out: &mut [DVec3]) {
        self.springs.differentiate(x, 0.0);
        self.hinges.differentiate(x, 0.0);
        self.couplings.differentiate(x, 0.0);
        self.triangles.differentiate(x, 0.0);
        self.tetras.differentiate(x, 0.0);
        self.matrix.gases.differentiate(x);
        out.fill(DVec3::ZERO);
        self.springs.add_gradient(out);
        self.hinges.add_gradient(out);
        self.couplings.add_gradient(out);
        self.triangles.add_gradient(out);
        self.tetras.add_gradient(out);
        self.matrix.gases.add_gradient(out);
    }
}

/// Mean length of structural edges, else of springs, else 1 m.
fn mean_length(model: &Model, springs: &[ElasticSpring]) -> f64 {
    let mean = |sum: f64, count: usize| if count > 0 { sum / count as f64 } else { 0.0 };
    let edges = model.edges.edges();
    let structural = mean(edges.iter().map(|e| f64::from(e.rest)).sum(), edges.len());
    let any = mean(springs.iter().map(|s| s.rest).sum(), springs.len());
    [structural, any].into_iter().find(|&l| l > 0.0 && l.is_finite()).unwrap_or(1.0)
}
