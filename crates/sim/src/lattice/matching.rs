//! Where vertices are drawn to.

use std::sync::Arc;

use super::node::Node;
use super::regions::Regions;
use super::rotation::{matrix, turn};
use super::sums::{Emit, Finish, Lanes, Load, Sums};
use crate::simd::LANES;
use crate::soa::{Soa3, Soa3Mut};

/// gᵢ = (1/Nᵢ) Σ Rᵣ(x⁰ᵢ − c⁰ᵣ) + cᵣ over the Nᵢ regions that i is in. Rivers and James 2007, eq. 3.
///
/// In a region each vertex counts with m̃ᵢ = mᵢ/Nᵢ; Rᵣ is the rotation next to
/// Σ m̃(x − c)(x⁰ − c⁰)ᵀ. Then Σ mᵢ(gᵢ − xᵢ) = 0 and Σ mᵢ xᵢ × (gᵢ − xᵢ) = 0: a body that is drawn
/// to its goals keeps its momentum and its angular momentum.
#[derive(Clone, Debug)]
pub struct ShapeMatching {
    regions: Arc<Regions>,
    /// m̃. [kg]
    shares: Vec<f64>,
    /// By slab order, as are rotations.
    rests: Vec<RegionRest>,
    rotations: Vec<[f32; 4]>,
    sums: Sums<12>,
}

/// A region at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct RegionRest {
    /// 1/Σ m̃. [1/kg]
    inverse_mass: f64,
    /// c⁰ from the middle of the box. [m]
    centre: [f64; 3],
    /// |A| below which the region is a point, and its rotation unknown. [kg·m²]
    least: f64,
}

/// A region that is smaller than this part of itself at rest has no shape to find a rotation from.
const POINT: f64 = 1e-9;

/// No mass: what stands in for one that is not positive, or not a number. [kg]
const LEAST_MASS: f32 = f32::MIN_POSITIVE;

/// mᵢ/Nᵢ.
pub(super) fn shares(regions: &Regions, masses: &[f32]) -> Vec<f64> {
    let mass = |v: usize| match masses.get(v) {
        Some(&m) if m >= LEAST_MASS && m.is_finite() => f64::from(m),
        _ => f64::from(LEAST_MASS),
    };
    regions.inverse_counts.iter().enumerate().map(|(v, inverse)| mass(v) * inverse).collect()
}

impl ShapeMatching {
    /// For vertices of these masses [kg], at rest as in the lattice.
    pub fn new(regions: Arc<Regions>, masses: &[f32]) -> Self {
        let shares = shares(&regions, masses);
        let mut sums = Sums::new(&regions);
        let mut rests = vec![RegionRest::default(); shares.len()];
        sums.collect(&regions, &RestLoad { shares: &shares }, (&RestFinish, &mut rests));
        let rotations = vec![IDENTITY; shares.len()];
        Self { regions, shares, rests, rotations, sums }
    }

    /// The regions.
    pub fn regions(&self) -> &Arc<Regions> {
        &self.regions
    }

    /// The last rotation of each region, as unit quaternions w, x, y, z in an order of their own:
    /// part of the state, as a region that is flat or thin turns on from there.
    pub fn rotations(&self) -> &[[f32; 4]] {
        &self.rotations
    }

    /// Goes on from other rotations; those that are none become no turn at all.
    pub fn set_rotations(&mut self, rotations: &[[f32; 4]]) {
        for (to, q) in self.rotations.iter_mut().zip(rotations) {
            *to = *q;
            keep_unit(to);
        }
    }

    /// Σ m̃|x − g|² over all regions, g by region, of vertices at `x`. With A = Σ m̃(x − c)(x⁰ − c⁰)ᵀ
    /// it is Σ m(|x|² + |x⁰|²) − Σ M(|c|² + |c⁰|²) − 2 Σ tr(RᵀA). [kg·m²]
    pub fn misfit(&mut self, x: &Soa3) -> f64 {
        let Self { regions, shares, rests, sums, .. } = self;
        let n = shares.len();
        if n == 0 || x.len() != n {
            return 0.0;
        }
        let origin = x.get(0).as_dvec3();
        let load = MatchLoad { shares, x, origin: origin.to_array() };
        let mut kept = vec![0.0; n];
        sums.collect(regions, &load, (&MisfitFinish { rests }, &mut kept));
        let lattice = regions.lattice();
        let middle = lattice.middle();
        let point = |v: usize| {
            let rest = lattice.rest(v) - middle;
            let square = rest.length_squared() + (x.get(v).as_dvec3() - origin).length_squared();
            shares[v] / regions.inverse_counts[v] * square
        };
        (0..n).map(point).sum::<f64>() - kept.iter().sum::<f64>()
    }

    /// Goals of vertices at `x`. [m]
    pub fn goals(&mut self, x: &Soa3, goals: &mut Soa3) {
        let mut rotations = std::mem::take(&mut self.rotations);
        self.goals_from(x, &mut rotations, goals);
        self.rotations = rotations;
    }

    /// Goals of vertices at `x` [m], with unit `rotations` that somebody else keeps.
    pub fn goals_from(&mut self, x: &Soa3, rotations: &mut [[f32; 4]], goals: &mut Soa3) {
        let Self { regions, shares, rests, sums, .. } = self;
        let n = shares.len();
        if n == 0 || x.len() != n || goals.len() != n || rotations.len() != n {
            return;
        }
        let origin = x.get(0).as_dvec3().to_array();
        let load = MatchLoad { shares, x, origin };
        sums.collect(regions, &load, (&MatchFinish { rests }, rotations));
        let emit = MatchEmit { inverse_counts: &regions.inverse_counts, origin };
        sums.spread(regions, &emit, goals.view_mut());
    }
}

/// Makes what is no rotation none at all.
pub(crate) fn keep_unit(q: &mut [f32; 4]) {
    let length = q.map(|c| f64::from(c) * f64::from(c)).iter().sum::<f64>().sqrt();
    let is_unit = (length - 1.0).abs() < 1e-3;
    if !is_unit {
        *q = IDENTITY;
    }
}

const IDENTITY: [f32; 4] = [1.0, 0.0, 0.0, 0.0];

struct RestLoad<'a> {
    shares: &'a [f64],
}

impl Load<12> for RestLoad<'_> {
    #[inline(always)]
    fn load(&self, vertex: usize, rest: [f64; 3]) -> Node<12> {
        let m = self.shares[vertex];
        let [x, y, z] = rest;
        let mut node = Node::ZERO;
        node.0[..5].copy_from_slice(&[m, m * x, m * y, m * z, m * (x * x + y * y + z * z)]);
        node
    }
}

struct RestFinish;

impl Finish<12> for RestFinish {
    type Memory = RegionRest;

    #[inline(always)]
    fn finish(&self, _: usize, sums: &[Lanes; 12], memory: &mut [RegionRest]) -> [Lanes; 12] {
        for (l, rest) in memory.iter_mut().enumerate() {
            // Beside masses 10¹⁶ times as large that are taken away again nothing may be left.
            let inverse_mass = if sums[0][l] > 0.0 { 1.0 / sums[0][l] } else { 0.0 };
            let centre = [1, 2, 3].map(|k| sums[k][l] * inverse_mass);
            let square = centre.iter().map(|c| c * c).sum::<f64>();
            let spread = sums[4][l] - sums[0][l] * square;
            *rest = RegionRest { inverse_mass, centre, least: POINT * spread.max(0.0) };
        }
        *sums
    }
}

struct MatchLoad<'a> {
    shares: &'a [f64],
    x: &'a Soa3,
    origin: [f64; 3],
}

impl Load<12> for MatchLoad<'_> {
    #[inline(always)]
    fn load(&self, vertex: usize, rest: [f64; 3]) -> Node<12> {
        let (m, x) = (self.shares[vertex], self.x);
        let p = [
            m * (f64::from(x.x[vertex]) - self.origin[0]),
            m * (f64::from(x.y[vertex]) - self.origin[1]),
            m * (f64::from(x.z[vertex]) - self.origin[2]),
        ];
        let mut node = Node::ZERO;
        node.0[..3].copy_from_slice(&p);
        for (row, p) in node.0[3..].chunks_exact_mut(3).zip(p) {
            row.copy_from_slice(&[p * rest[0], p * rest[1], p * rest[2]]);
        }
        node
    }
}

struct MatchFinish<'a> {
    rests: &'a [RegionRest],
}

impl Finish<12> for MatchFinish<'_> {
    type Memory = [f32; 4];

    #[inline(always)]
    fn finish(&self, first: usize, sums: &[Lanes; 12], memory: &mut [[f32; 4]]) -> [Lanes; 12] {
        let mut inverse_mass = [0.0; LANES];
        let mut least = [0.0; LANES];
        let mut centre = [[0.0; LANES]; 3];
        let mut q = [[0.5; LANES]; 4];
        let rests = &self.rests[first..first + memory.len()];
        for (l, (rest, last)) in rests.iter().zip(memory.iter()).enumerate() {
            (inverse_mass[l], least[l]) = (rest.inverse_mass, rest.least);
            centre.iter_mut().zip(rest.centre).for_each(|(to, c)| to[l] = c);
            q.iter_mut().zip(last).for_each(|(to, c)| to[l] = f64::from(*c));
        }
        let mut a = [[0.0; LANES]; 9];
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            for l in 0..LANES {
                a[3 * i + j][l] = sums[3 + 3 * i + j][l] - sums[i][l] * centre[j][l];
            }
        }
        turn(&a, &least, &mut q);
        for (l, last) in memory.iter_mut().enumerate() {
            *last = [q[0][l] as f32, q[1][l] as f32, q[2][l] as f32, q[3][l] as f32];
        }
        let r = matrix(&q);
        let mut said = [[0.0; LANES]; 12];
        said[..9].copy_from_slice(&r);
        for i in 0..3 {
            for l in 0..LANES {
                let turned = r[3 * i][l] * centre[0][l]
                    + r[3 * i + 1][l] * centre[1][l]
                    + r[3 * i + 2][l] * centre[2][l];
                said[9 + i][l] = sums[i][l] * inverse_mass[l] - turned;
            }
        }
        said
    }
}

/// M(|c|² + |c⁰|²) + 2 tr(RᵀA) of each region.
struct MisfitFinish<'a> {
    rests: &'a [RegionRest],
}

impl Finish<12> for MisfitFinish<'_> {
    type Memory = f64;

    #[inline(always)]
    fn finish(&self, first: usize, sums: &[Lanes; 12], memory: &mut [f64]) -> [Lanes; 12] {
        let mut rotations = [IDENTITY; LANES];
        let count = memory.len();
        let rests = &self.rests[first..first + count];
        let said = MatchFinish { rests: self.rests }.finish(first, sums, &mut rotations[..count]);
        for (l, (to, rest)) in memory.iter_mut().zip(rests).enumerate() {
            let mut sum = 0.0;
            for i in 0..3 {
                let (p, c0) = (sums[i][l], rest.centre[i]);
                sum += p * p * rest.inverse_mass;
                if rest.inverse_mass > 0.0 {
                    sum += c0 * c0 / rest.inverse_mass;
                }
                for j in 0..3 {
                    let fit = sums[3 + 3 * i + j][l] - p * rest.centre[j];
                    sum += 2.0 * said[3 * i + j][l] * fit;
                }
            }
            *to = sum;
        }
        said
    }
}

struct MatchEmit<'a> {
    inverse_counts: &'a [f64],
    origin: [f64; 3],
}

/// What f32 can hold, so that no goal is infinite.
#[inline(always)]
pub(super) fn held(x: f64) -> f32 {
    const MOST: f64 = f32::MAX as f64;
    x.clamp(-MOST, MOST) as f32
}

impl Emit<12> for MatchEmit<'_> {
    #[inline(always)]
    fn emit(
        &self,
        (vertex, rest): (usize, [f64; 3]),
        sum: &Node<12>,
        out: &mut Soa3Mut<'_>,
        index: usize,
    ) {
        let s = &sum.0;
        let along = |i: usize| {
            let turned = s[3 * i] * rest[0] + s[3 * i + 1] * rest[1] + s[3 * i + 2] * rest[2];
            held((turned + s[9 + i]) * self.inverse_counts[vertex] + self.origin[i])
        };
        out.x[index] = along(0);
        out.y[index] = along(1);
        out.z[index] = along(2);
    }
}
