//! Plates between bodies that a plane parts.
//!
//! Where two taut skins press on each other what lies between them is all but flat. A plate without
//! mass stands there: both press on it alike, with the same force and the same moments. That is
//! exact for convex hulls, which are a thickness apart just when some plane shows it, and it holds
//! bodies apart point by point rather than triangle by triangle.
//!
//! Of two points of either body n·(x − y) > 0 at both ends of a step says that nothing of them has met on the
//! way, as it is linear; so a plane that parts all points of both at both ends is a proof for all of their
//! triangles at once, which need not be looked for.

mod balance;
mod extent;
mod frame;
mod hulls;
mod plate;
mod pool;
mod proof;
mod rub;
mod sample;
mod skins;

use glam::Vec3;

use super::contacts::take;
use super::safety::Safety;
use super::setup::Bodies;
use super::swept::Point4;
use crate::model::Model;
use crate::parallel::for_each_large;
use crate::soa::Soa3;

use plate::{Plate, Pressing};
use proof::Ends;
use skins::Skin;

/// Plates, and what they may stand between.
#[derive(Debug, Default)]
pub(super) struct Plates {
    skins: Vec<Skin>,
    /// More than there are: what is no longer used keeps its memory.
    plates: Vec<Plate>,
    count: usize,
    /// Skins by where their boxes begin along x.
    order: Vec<u32>,
    /// Where points start the step and where they would end it. [m]
    start: Soa3,
    end: Soa3,
    /// Whether nothing but skins may touch anything, and none of them itself.
    are_all: bool,
    /// Whether nothing can meet but where a plate stands, while all skins are where they may be.
    pub covers: bool,
    /// Whether it is known how hard skins press in this frame.
    weighed: bool,
}

/// Of two skins the one may press so many times harder than the other: what lies between them bulges
/// towards the softer one, by some hundredths of their size at this.
const HARDER: f64 = 3.0;

/// Hulls that are nearer than this part of the distance they keep are looked at triangle by triangle.
const NEAREST: f32 = 0.05;

impl Plates {
    /// For a model in which points keep half the distances `halves` and stay so near their paths as
    /// `tubes` say. [m]
    pub fn new(model: &Model, halves: &[f32], tubes: &[f32]) -> Self {
        let skins = Skin::all(model, halves, tubes);
        let order = (0..skins.len() as u32).collect();
        let zeros = || Soa3::zeros(if skins.len() > 1 { model.particle_count() } else { 0 });
        let are_all = are_all(model, &skins);
        Self { start: zeros(), end: zeros(), skins, order, are_all, ..Self::default() }
    }

    /// Whether any plate may ever stand.
    pub fn has_skins(&self) -> bool {
        self.skins.len() > 1
    }

    /// A frame begins: what is known from before is not used.
    pub fn begin_frame(&mut self) {
        self.weighed = false;
    }

    /// Puts plates between bodies that may meet before everything is looked at again, their points
    /// being `at` places and going on by `way`. Tells of each plate between which bodies it is.
    pub fn place(
        &mut self,
        (model, bodies, time): (&Model, &Bodies, f64),
        at: &[Point4],
        way: impl Fn(usize) -> [f32; 3] + Sync,
        tell: &mut dyn FnMut([u32; 2]),
    ) {
        self.count = 0;
        self.covers = false;
        if !self.has_skins() {
            return;
        }
        take(&mut self.start, at);
        let at = &self.start;
        let weighed = std::mem::replace(&mut self.weighed, true);
        for_each_large(self.skins.as_mut_slice(), &|_, skins: &mut [Skin]| {
            for skin in skins {
                if !weighed {
                    skin.weigh(model, at, time);
                }
                skin.surround(at, &way);
            }
        });
        let all_alike = self.pair_up(bodies);
        let (skins, at) = (&self.skins, &self.start);
        for_each_large(&mut self.plates[..self.count], &|_, plates: &mut [Plate]| {
            plates.iter_mut().for_each(|plate| plate.part(skins, at));
        });
        // Those that do not stand go to the end, in the order there is.
        let mut kept = 0;
        for k in 0..self.count {
            if self.plates[k].gap_before > NEAREST * self.plates[k].thickness {
                self.plates.swap(kept, k);
                kept += 1;
            }
        }
        self.covers = self.are_all && all_alike && kept == self.count;
        self.count = kept;
        self.plates[..kept].iter().for_each(|plate| tell(plate.bodies));
    }

    /// Notes which skins may meet and press about as hard. Returns whether all do that may meet.
    fn pair_up(&mut self, bodies: &Bodies) -> bool {
        let mut all_alike = true;
        let Self { skins, plates, count, order, .. } = self;
        order.sort_unstable_by(|&a, &b| {
            let from = |k: u32| skins[k as usize].around.min.x;
            from(a).total_cmp(&from(b)).then(a.cmp(&b))
        });
        for (place, &a) in order.iter().enumerate() {
            let one = &skins[a as usize];
            for &b in &order[place + 1..] {
                let other = &skins[b as usize];
                if !(other.around.min.x <= one.around.max.x) {
                    break;
                }
                let [soft, hard] = if one.overpressure < other.overpressure {
                    [one.overpressure, other.overpressure]
                } else {
                    [other.overpressure, one.overpressure]
                };
                let rub = bodies.rub(one.particles.start, other.particles.start);
                let alike = soft > 0.0 && hard <= HARDER * soft && rub.restitution == 0.0;
                let meet = one.around.meets(&other.around);
                all_alike &= alike || !meet;
                if alike && meet {
                    let pair = [a.min(b), a.max(b)];
                    if *count == plates.len() {
                        plates.push(Plate::default());
                    }
                    plates[*count].stand_between(pair, skins, rub.friction);
                    *count += 1;
                }
            }
        }
        plates[..*count].sort_unstable_by_key(|plate| plate.skins);
        all_alike
    }

    /// Whether all skins are where they may be when points are at `x`.
    pub fn are_inside(&mut self, x: &[Point4]) -> bool {
        take(&mut self.end, x);
        self.skins.iter().all(|skin| skin.is_inside(&self.end))
    }

    /// Puts points back to where their skins may be.
    pub fn keep_inside(&self, x: &mut [Point4]) {
        for skin in &self.skins {
            let (low, high) = (skin.around.min.to_array(), skin.around.max.to_array());
            for x in &mut x[skin.particles.clone()] {
                (0..3).for_each(|d| x[d] = x[d].clamp(low[d], high[d]));
            }
        }
    }

    /// A step begins where points are `at`.
    pub fn begin_step(&mut self, at: &[Point4]) {
        if self.count == 0 {
            return;
        }
        take(&mut self.start, at);
        let (skins, at) = (&self.skins, &self.start);
        for_each_large(&mut self.plates[..self.count], &|_, plates: &mut [Plate]| {
            plates.iter_mut().for_each(|plate| plate.begin(skins, at));
        });
    }

    /// Takes note of where the step would end, and of how bodies go there.
    fn note_end(&mut self, end: &[Point4]) {
        take(&mut self.end, end);
        let (start, end) = (&self.start, &self.end);
        for_each_large(self.skins.as_mut_slice(), &|_, skins: &mut [Skin]| {
            skins.iter_mut().for_each(|skin| skin.note_ways(start, end));
        });
    }

    /// Presses bodies apart. All are pressed from where they are, so that none has the last word.
    /// Returns how many points were moved.
    pub fn press(&mut self, weights: &[f32], h: f32, end: &mut [Point4]) -> usize {
        if self.count == 0 {
            return 0;
        }
        self.note_end(end);
        let pressing = &Pressing { start: &self.start, weights, h };
        let (skins, from) = (&self.skins, &self.end);
        let plates = &mut self.plates[..self.count];
        for_each_large(&mut *plates, &|_, plates: &mut [Plate]| {
            plates.iter_mut().for_each(|plate| plate.press(skins, pressing, from));
        });
        let mut count = 0;
        for (v, way) in plates.iter().flat_map(|plate| &plate.moves) {
            let x = &mut end[*v as usize];
            (0..3).for_each(|d| x[d] += way[d]);
            count += 1;
        }
        count
    }

    /// Holds points back on their way that would leave their side of every plane that is tried.
    /// Returns whether any was.
    pub fn hold(&mut self, safety: &mut Safety, start: &[Point4], end: &mut [Point4]) -> bool {
        if self.count == 0 {
            return false;
        }
        self.note_end(end);
        let (skins, from, to) = (&self.skins, &self.start, &self.end);
        let plates = &mut self.plates[..self.count];
        for_each_large(&mut *plates, &|_, plates: &mut [Plate]| {
            plates.iter_mut().for_each(|plate| plate.prove(skins, from, to));
        });
        let mut any = false;
        for plate in plates.iter_mut().filter(|plate| !plate.proved) {
            any = true;
            plate.hold((skins, from), safety, Ends { start, end: &mut *end });
        }
        any
    }

    /// What was pressed in this step goes on as its plate does: it keeps neither the speed at which it
    /// was pushed out nor that at which it came.
    pub fn stop(&mut self, weights: &[f32], h: f32, x: &Soa3, v: &mut Soa3) {
        let plates = &mut self.plates[..self.count];
        let before = &*v;
        for_each_large(&mut *plates, &|_, plates: &mut [Plate]| {
            plates.iter_mut().for_each(|plate| plate.stop((weights, h), x, before));
        });
        for (point, change) in plates.iter().flat_map(|plate| &plate.moves) {
            v.add(*point as usize, Vec3::from(*change));
        }
        for plate in plates {
            for (point, way) in &plate.rubbed {
                v.add(*point as usize, *way * (plate.missing / h));
            }
        }
    }

    /// Points that plates press on.
    pub fn touching(&self) -> usize {
        self.plates[..self.count].iter().map(|plate| plate.pressed.len()).sum()
    }
}

/// Whether nothing but these may touch anything, and none of them itself.
fn are_all(model: &Model, skins: &[Skin]) -> bool {
    let Some(law) = &model.contact else { return false };
    let is_skin = |body: usize| skins.iter().any(|skin| skin.body as usize == body);
    let has_surface = |body: usize| !model.bodies[body].triangles.is_empty();
    model.mesh_colliders.is_empty()
        && model.touching_segments().next().is_none()
        && (0..model.bodies.len()).all(|body| is_skin(body) || !has_surface(body))
        && skins.iter().all(|skin| !law.bodies[skin.body as usize].touches_itself)
}
