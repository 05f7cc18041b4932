//! Springs of G, seen from each of their ends.

use glam::DVec3;

use super::{Local, Which};
use crate::elastic::ElasticSpring;
use crate::parallel::for_each_heavy_part;
use crate::soa::Soa3;

/// E = ½k(|d| − L)² and D = (c/2h)(n₀·(d − d₀))².
#[derive(Debug)]
pub(super) struct Springs {
    springs: Vec<ElasticSpring>,
    /// `starts[i]..starts[i + 1]` are the sides at particle `i`.
    starts: Vec<u32>,
    sides: Vec<Side>,
    /// One a spring; empty if no spring is damped.
    dashpots: Vec<Dashpot>,
}

/// A spring from one of its ends.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    other: u32,
    /// 2·spring, plus one at the second end.
    entry: u32,
    rest: f64,
    stiffness: f64,
}

/// D = ½(q·d − r)², q = n₀√(c/h), r = q·d₀.
#[derive(Clone, Copy, Debug, Default)]
struct Dashpot {
    q: DVec3,
    r: f64,
}

impl Springs {
    pub fn new(particles: usize, mut springs: Vec<ElasticSpring>) -> Self {
        springs.retain(|s| s.ends[0] != s.ends[1]);
        let mut starts = vec![0u32; particles + 1];
        springs.iter().flat_map(|s| s.ends).for_each(|end| starts[end as usize + 1] += 1);
        for i in 0..particles {
            starts[i + 1] += starts[i];
        }
        let mut cursor = starts.clone();
        let mut sides = vec![Side::default(); 2 * springs.len()];
        for (index, spring) in springs.iter().enumerate() {
            let ElasticSpring { ends, rest, stiffness, .. } = *spring;
            for corner in 0..2 {
                let slot = &mut cursor[ends[corner] as usize];
                let entry = (2 * index + corner) as u32;
                sides[*slot as usize] = Side { other: ends[1 - corner], entry, rest, stiffness };
                *slot += 1;
            }
        }
        let damped = springs.iter().any(|s| s.damping > 0.0);
        let dashpots = vec![Dashpot::default(); if damped { springs.len() } else { 0 }];
        Self { springs, starts, sides, dashpots }
    }

    pub fn groups(&self) -> impl Iterator<Item = &[u32]> + Clone {
        self.springs.iter().map(|s| s.ends.as_slice())
    }

    pub fn fastest_rate(&self, inverse_mass: &[f32]) -> f64 {
        let weight = |i: u32| f64::from(inverse_mass[i as usize]);
        let rate = |s: &ElasticSpring| s.stiffness * (weight(s.ends[0]) + weight(s.ends[1]));
        self.springs.iter().map(rate).fold(0.0, f64::max)
    }

    pub fn begin(&mut self, x: &Soa3, h: f64) {
        if self.dashpots.is_empty() {
            return;
        }
        let items = (self.springs.as_slice(), self.dashpots.as_mut_slice());
        for_each_heavy_part(items, 1, &|_, (springs, out): (&[ElasticSpring], &mut [Dashpot])| {
            for (spring, out) in springs.iter().zip(out) {
                let [a, b] = spring.ends.map(|end| x.get(end as usize).as_dvec3());
                let q = (b - a).normalize_or_zero() * (spring.damping / h).sqrt();
                *out = Dashpot { q, r: q.dot(b - a) };
            }
        });
    }

    #[inline]
    fn sides(&self, i: usize) -> &[Side] {
        &self.sides[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// The dashpot with q and r turned so that d points from this side to the other.
    #[inline]
    fn dashpot(&self, side: &Side) -> Dashpot {
        let Dashpot { q, r } = self.dashpots[side.entry as usize / 2];
        Dashpot { q: if side.entry.is_multiple_of(2) { q } else { -q }, r }
    }

    #[inline]
    pub fn energy(&self, i: usize, (at, x): (DVec3, &[DVec3]), which: Which) -> f64 {
        let mut sum = 0.0;
        for side in self.sides(i) {
            if which == Which::Owned && !side.entry.is_multiple_of(2) {
                continue;
            }
            let d = x[side.other as usize] - at;
            let stretch = d.length() - side.rest;
            sum += 0.5 * side.stiffness * stretch * stretch;
            if !self.dashpots.is_empty() {
                let Dashpot { q, r } = self.dashpot(side);
                let s = q.dot(d) - r;
                sum += 0.5 * s * s;
            }
        }
        sum
    }

    #[inline]
    pub fn add(&self, i: usize, at: DVec3, x: &[DVec3], out: &mut Local) {
        for side in self.sides(i) {
            let (k, d) = (side.stiffness, x[side.other as usize] - at);
            let length = d.length();
            let stretch = length - side.rest;
            out.energy += 0.5 * k * stretch * stretch;
            out.bound += k;
            if length > 0.0 {
                // k[d̂d̂ᵀ + max(0, 1 − L/|d|)(I − d̂d̂ᵀ)]
                let part = stretch / length;
                let across = part.max(0.0);
                out.gradient -= d * (k * part);
                out.block.add_scalar(k * across);
                out.block.add_outer(k * (1.0 - across) / (length * length), d);
            } else {
                out.block.add_scalar(k);
            }
            if !self.dashpots.is_empty() {
                let Dashpot { q, r } = self.dashpot(side);
                let s = q.dot(d) - r;
                out.energy += 0.5 * s * s;
                out.add_outer(1.0, q, q * -s);
            }
        }
    }
}
