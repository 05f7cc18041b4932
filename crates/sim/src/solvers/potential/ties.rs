//! Ties of G: seams between two particles, and pins that give way.

use glam::DVec3;

use super::{Local, Which};
use crate::elements::{Tie, TieEnd};
use crate::forces::Conditions;
use crate::incidence::Incidence;
use crate::model::Model;
use crate::state::State;

/// E = ½k|d|² and D = (c/2h)|d − d₀|², d from the particle to the other end.
#[derive(Debug)]
pub(super) struct Ties {
    seams: Vec<[u32; 2]>,
    seam_at: Incidence,
    seams_now: Vec<Now>,
    pins: Vec<[u32; 1]>,
    pin_at: Incidence,
    pins_now: Vec<Now>,
    /// For each tie of the model where it stands.
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Seam(u32),
    Pin(u32),
    /// From a particle to itself: no force.
    Nowhere,
}

/// A tie during one step; all zero while it does not act.
#[derive(Clone, Copy, Debug, Default)]
struct Now {
    k: f64,
    /// c/h. [N/m]
    c: f64,
    /// d₀. [m]
    start: DVec3,
    /// The anchor at the end of the step, for pins. [m]
    anchor: DVec3,
}

impl Ties {
    pub fn new(particles: usize, ties: &[Tie]) -> Self {
        let (mut seams, mut pins, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for tie in ties {
            places.push(match tie.end {
                TieEnd::Particle(p) if p == tie.particle => Place::Nowhere,
                TieEnd::Particle(p) => {
                    seams.push([tie.particle, p]);
                    Place::Seam(seams.len() as u32 - 1)
                }
                TieEnd::Anchor(_) => {
                    pins.push([tie.particle]);
                    Place::Pin(pins.len() as u32 - 1)
                }
            });
        }
        Self {
            seam_at: Incidence::new(particles, &seams),
            seams_now: vec![Now::default(); seams.len()],
            pin_at: Incidence::new(particles, &pins),
            pins_now: vec![Now::default(); pins.len()],
            seams,
            pins,
            places,
        }
    }

    pub fn groups(&self) -> impl Iterator<Item = &[u32]> + Clone {
        self.seams.iter().map(|s| s.as_slice())
    }

    /// Takes up what acts; `conditions` stand at the end of the step.
    pub fn begin(&mut self, model: &Model, state: &State, conditions: &Conditions, h: f64) {
        let (anchors, velocities) = conditions.anchors();
        for ((tie, broken), place) in model.ties.iter().zip(&state.broken).zip(&self.places) {
            let acts = !broken && tie.acts_at(state.time);
            let factor = f64::from(u8::from(acts));
            let k = factor * f64::from(tie.stiffness);
            let c = factor * f64::from(tie.damping) / h;
            let at = |i: u32| state.x.get(i as usize).as_dvec3();
            match (*place, tie.end) {
                (Place::Seam(index), TieEnd::Particle(p)) => {
                    let start = at(p) - at(tie.particle);
                    self.seams_now[index as usize] = Now { k, c, start, anchor: DVec3::ZERO };
                }
                (Place::Pin(index), TieEnd::Anchor(a)) => {
                    let anchor = anchors.get(a as usize).as_dvec3();
                    let before = anchor - h * velocities.get(a as usize).as_dvec3();
                    let start = before - at(tie.particle);
                    self.pins_now[index as usize] = Now { k, c, start, anchor };
                }
                _ => {}
            }
        }
    }

    /// Whether something outside holds on to particle `i`.
    pub fn hold(&self, i: usize) -> bool {
        !self.pins.is_empty()
            && self
                .pin_at
                .of(i)
                .iter()
                .any(|&e| self.pins_now[e as usize].k + self.pins_now[e as usize].c > 0.0)
    }

    /// Calls `visit(tie, d, owned)` with d from vertex `i` to the other end, and d₀ turned
    /// alike in `tie.start`.
    #[inline]
    fn each(&self, i: usize, at: DVec3, x: &[DVec3], mut visit: impl FnMut(Now, DVec3, bool)) {
        if self.places.is_empty() {
            return;
        }
        for &entry in self.seam_at.of(i) {
            let (index, corner) = (entry as usize / 2, entry as usize % 2);
            let mut now = self.seams_now[index];
            if corner == 1 {
                now.start = -now.start;
            }
            visit(now, x[self.seams[index][1 - corner] as usize] - at, corner == 0);
        }
        for &entry in self.pin_at.of(i) {
            let now = self.pins_now[entry as usize];
            visit(now, now.anchor - at, true);
        }
    }

    #[inline]
    pub fn energy(&self, i: usize, (at, x): (DVec3, &[DVec3]), which: Which) -> f64 {
        let mut sum = 0.0;
        self.each(i, at, x, |now, d, owned| {
            if which == Which::All || owned {
                sum += now.energy(d);
            }
        });
        sum
    }

    #[inline]
    pub fn add(&self, i: usize, at: DVec3, x: &[DVec3], out: &mut Local) {
        self.each(i, at, x, |now, d, _| {
            out.energy += now.energy(d);
            out.add_isotropic(now.k + now.c, -(d * now.k + (d - now.start) * now.c));
        });
    }

    /// k + c/h of each seam with its ends, then of each pin with its particle. [N/m]
    pub fn stiffnesses(&self) -> impl Iterator<Item = (u32, Option<u32>, f64)> + Clone + '_ {
        let seams = self.seams.iter().zip(&self.seams_now);
        let pins = self.pins.iter().zip(&self.pins_now);
        seams
            .map(|(&[a, b], now)| (a, Some(b), now.k + now.c))
            .chain(pins.map(|(&[a], now)| (a, None, now.k + now.c)))
    }
}

impl Now {
    #[inline]
    fn energy(&self, d: DVec3) -> f64 {
        0.5 * (self.k * d.length_squared() + self.c * (d - self.start).length_squared())
    }
}
