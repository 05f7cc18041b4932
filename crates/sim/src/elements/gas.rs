//! Gas inside closed surfaces.

use std::ops::Range;

use glam::{DVec3, Vec3};

use crate::incidence::Incidence;
use crate::parallel::for_each_part;
use crate::soa::{Soa3, Soa3Mut};

/// The molar gas constant. [J/(mol·K)]
pub const GAS_CONSTANT: f64 = 8.314_462_618;

/// Gas behind one closed surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Gas {
    /// The body that holds it, by number.
    pub body: usize,
    /// Triangles, facing outwards; they may move and fold as they like.
    pub surface: Vec<[u32; 3]>,
    /// How it presses.
    pub law: GasLaw,
    /// n R T at the start. [J]
    pub amount: f32,
    /// Times and factors on the amount, straight lines between them; may be empty. [s]
    pub inflation: Vec<(f64, f32)>,
    /// Part of it that leaks away in a second. [1/s]
    pub leak: f32,
    /// Pressure of what is outside. [Pa]
    pub outside: f32,
    /// Below this volume its energy goes on as a parabola: flattened and turned inside out it
    /// presses still, and no harder than that. [m³]
    pub least: f32,
}

/// How gas presses on what holds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GasLaw {
    /// p = nRT/V with the signed volume V = Σ a·(b × c)/6 and a force (p − p₀) ∂V/∂x: that of
    /// the energy −nRT ln V + p₀V. Concave bodies are as good as convex ones.
    #[default]
    Ideal,
    /// F = (S nRT/V) n at every vertex, S the whole surface, n its normal, and V the sum of
    /// |tetrahedra| about the centre (document 003). Not the gradient of anything.
    Document,
}

/// ln V₁/V₀, V₀ the least volume: energies of gas have no zero of their own, and are positive so.
const LOG_LARGEST: f64 = 14.0;

/// Gas at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GasNow {
    /// n R T. [J]
    amount: f64,
    outside: f64,
    least: f64,
}

impl Gas {
    /// Gas as it is at a time. [s]
    pub fn at(&self, time: f64) -> GasNow {
        let leaked = libm::exp(-f64::from(self.leak) * time.max(0.0));
        GasNow {
            amount: f64::from(self.amount) * factor(&self.inflation, time) * leaked,
            outside: f64::from(self.outside),
            least: f64::from(self.least),
        }
    }

    /// The signed volume inside. [m³]
    pub fn volume(&self, at: impl Fn(u32) -> DVec3) -> f64 {
        let Some(&[origin, ..]) = self.surface.first() else { return 0.0 };
        let origin = at(origin);
        let six = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| at(v) - origin);
            a.dot(b.cross(c))
        };
        self.surface.iter().map(six).sum::<f64>() / 6.0
    }

    /// The surface and, as document 003 counts it, the volume. [m², m³]
    fn document_sizes(&self, x: &Soa3) -> (f64, f64) {
        let at = |v: u32| x.get(v as usize).as_dvec3();
        let corners = self.surface.iter().flatten().map(|&v| at(v));
        let centre = corners.sum::<DVec3>() / (3 * self.surface.len()).max(1) as f64;
        let sizes = self.surface.iter().map(|t| {
            let [a, b, c] = t.map(|v| at(v) - centre);
            ((b - a).cross(c - a).length() / 2.0, a.dot(b.cross(c)).abs() / 6.0)
        });
        sizes.fold((0.0, 0.0), |sum, size| (sum.0 + size.0, sum.1 + size.1))
    }
}

/// The value at `time` of straight lines between points; 1 if there are none.
fn factor(points: &[(f64, f32)], time: f64) -> f64 {
    let next = points.partition_point(|&(at, _)| at <= time);
    match (next.checked_sub(1).map(|k| points[k]), points.get(next)) {
        (None, None) => 1.0,
        (Some((_, value)), None) | (None, Some(&(_, value))) => f64::from(value),
        (Some((a, from)), Some(&(b, to))) => {
            let part = (time - a) / (b - a);
            f64::from(from) + part * (f64::from(to) - f64::from(from))
        }
    }
}

impl GasNow {
    /// nRT ln(V₁/V) + p₀V, V₁ a volume that none comes near. [J]
    pub fn energy(&self, volume: f64) -> f64 {
        let work = self.outside * volume + self.amount * LOG_LARGEST;
        if volume >= self.least {
            work - self.amount * libm::log(volume / self.least)
        } else {
            let lack = 1.0 - volume / self.least;
            work + self.amount * (lack + 0.5 * lack * lack)
        }
    }

    /// p = nRT/V. [Pa]
    pub fn pressure(&self, volume: f64) -> f64 {
        if volume >= self.least {
            self.amount / volume
        } else {
            self.amount / self.least * (2.0 - volume / self.least)
        }
    }

    /// p − p₀ = −dE/dV. [Pa]
    pub fn overpressure(&self, volume: f64) -> f64 {
        self.pressure(volume) - self.outside
    }

    /// d²E/dV², never negative. [Pa/m³]
    pub fn stiffness(&self, volume: f64) -> f64 {
        let volume = volume.max(self.least);
        self.amount / (volume * volume)
    }
}

/// All gas of a model. A particle has a part in one surface at most.
#[derive(Clone, Debug, Default)]
pub struct GasBatch {
    gases: Vec<Gas>,
    /// Triangles of all surfaces, one after the other.
    triangles: Vec<[u32; 3]>,
    /// The triangles of each particle.
    incidence: Incidence,
    /// The gas of each particle; `NONE` for others.
    of: Vec<u32>,
    /// Where the particles of each are.
    spans: Vec<Range<usize>>,
}

/// No gas.
const NONE: u32 = u32::MAX;

impl GasBatch {
    /// The gas behind surfaces over so many particles.
    pub fn new(particles: usize, gases: Vec<Gas>) -> Self {
        if gases.is_empty() {
            return Self::default();
        }
        let triangles: Vec<[u32; 3]> =
            gases.iter().flat_map(|gas| gas.surface.iter().copied()).collect();
        let mut of = vec![NONE; particles];
        for (index, gas) in (0u32..).zip(&gases) {
            gas.surface.iter().flatten().for_each(|&v| of[v as usize] = index);
        }
        let span = |gas: &Gas| {
            let own = || gas.surface.iter().flatten().map(|&v| v as usize);
            own().min().unwrap_or(0)..own().max().map_or(0, |last| last + 1)
        };
        let spans = gases.iter().map(span).collect();
        Self { incidence: Incidence::new(particles, &triangles), triangles, of, gases, spans }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.gases.is_empty()
    }

    /// Whether any of it has an energy.
    pub fn has_ideal(&self) -> bool {
        self.gases.iter().any(|gas| gas.law == GasLaw::Ideal)
    }

    /// Each with its surface.
    pub fn gases(&self) -> &[Gas] {
        &self.gases
    }

    /// The gas that presses on a particle.
    #[inline]
    pub fn of(&self, particle: usize) -> Option<usize> {
        self.of.get(particle).filter(|&&gas| gas != NONE).map(|&gas| gas as usize)
    }

    /// The particles of a gas, by number.
    pub fn particles(&self, gas: usize) -> impl Iterator<Item = usize> + '_ {
        self.spans[gas].clone().filter(move |&i| self.of[i] as usize == gas)
    }

    /// ∂V/∂x of one particle, with all at the places that `at` gives. [m²]
    #[inline]
    pub fn slope(&self, particle: usize, at: impl Fn(usize) -> DVec3) -> DVec3 {
        let own = at(particle);
        let area = |&entry: &u32| {
            let (triangle, corner) = (entry as usize / 3, entry as usize % 3);
            let t = self.triangles[triangle];
            let (b, c) = (t[(corner + 1) % 3], t[(corner + 2) % 3]);
            (at(b as usize) - own).cross(at(c as usize) - own)
        };
        self.incidence.of(particle).iter().map(area).sum::<DVec3>() / 6.0
    }

    /// Adds the force of all gas at a time. [N]
    pub fn add_forces(&self, x: &Soa3, time: f64, f: &mut Soa3) {
        let at = |v: usize| x.get(v).as_dvec3();
        for (k, gas) in self.obeying(GasLaw::Ideal) {
            let push = gas.at(time).overpressure(gas.volume(|v| at(v as usize)));
            self.push(k, f, |i| (self.slope(i, at) * push).as_vec3());
        }
        self.add_document_forces(x, time, f);
    }

    /// Adds the force of gas that has no energy. [N]
    pub fn add_document_forces(&self, x: &Soa3, time: f64, f: &mut Soa3) {
        for (k, gas) in self.obeying(GasLaw::Document) {
            let (surface, volume) = gas.document_sizes(x);
            let push = surface * gas.at(time).amount / volume.max(f64::from(gas.least));
            let at = |v: usize| x.get(v).as_dvec3();
            self.push(k, f, |i| (self.slope(i, at).normalize_or_zero() * push).as_vec3());
        }
    }

    /// All that obey a law, with their numbers.
    pub fn obeying(&self, law: GasLaw) -> impl Iterator<Item = (usize, &Gas)> {
        self.gases.iter().enumerate().filter(move |(_, gas)| gas.law == law)
    }

    fn push(&self, gas: usize, f: &mut Soa3, force: impl Fn(usize) -> Vec3 + Sync) {
        let span = self.spans[gas].clone();
        for_each_part(f.slice_mut(span.clone()), 1, &|start, mut f: Soa3Mut| {
            for k in 0..f.len() {
                let i = span.start + start + k;
                if self.of[i] as usize == gas {
                    f.add(k, force(i));
                }
            }
        });
    }

    /// Energy of all gas at a time. [J]
    pub fn energy(&self, x: &Soa3, time: f64) -> f64 {
        let ideal = self.obeying(GasLaw::Ideal);
        ideal
            .map(|(_, gas)| gas.at(time).energy(gas.volume(|v| x.get(v as usize).as_dvec3())))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gas(least: f32) -> GasNow {
        Gas {
            body: 0,
            surface: Vec::new(),
            law: GasLaw::Ideal,
            amount: 30.0,
            inflation: vec![(0.0, 1.0), (2.0, 3.0)],
            leak: 0.0,
            outside: 50.0,
            least,
        }
        .at(1.0)
    }

    #[test]
    fn pressure_is_the_slope_of_the_energy_also_where_no_volume_is_left() {
        let gas = gas(0.1);
        for volume in [2.0, 0.5, 0.11, 0.09, 0.0, -0.3] {
            let slope = |f: &dyn Fn(f64) -> f64| (f(volume + 1e-6) - f(volume - 1e-6)) / 2e-6;
            let expected = -slope(&|v| gas.energy(v));
            assert!((gas.overpressure(volume) - expected).abs() < 1e-4 * expected.abs());
            let expected = -slope(&|v| gas.pressure(v));
            assert!((gas.stiffness(volume) - expected).abs() < 1e-4 * expected.abs());
        }
    }

    #[test]
    fn the_amount_follows_its_track() {
        // Halfway between 1 and 3 times 30 J, in half a cubic metre.
        assert!((gas(0.1).pressure(0.5) - 120.0).abs() < 1e-9);
        assert_eq!([-1.0, 0.0, 5.0].map(|t| factor(&[(0.0, 1.0), (2.0, 3.0)], t)), [1.0, 1.0, 3.0]);
    }
}
