//! Points against colliders: finds every contact of a step and answers it.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::Vec3;

use super::bounds::Boxes;
use super::contact::{Contact, ContactGeometry, Travel, respond};
use super::step::{TOUCH_M, TOUCH_RELATIVE};
use super::together::{Outcome, Together};
use super::{Aabb, Collider, ColliderStep, Hit, Shape};
use crate::parallel::for_each_part;
use crate::simd::{Kernel, LANES, Lane, dispatch};
use crate::soa::{Soa3Mut, Soa3Ref};

/// What contacts need to know of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSettings {
    /// How far outside a surface points are kept [m].
    pub offset: f32,
    /// Length of the step [s].
    pub h: f32,
    /// Acceleration between impacts [m/s²]: brings the velocity of the step to
    /// the instant of an impact, without which a bounce is wrong by a step's fall.
    pub gravity: Vec3,
    /// Impacts slower than this do not bounce [m/s].
    pub resting_speed: f32,
}

/// The particles of a step, as long as each other.
#[derive(Debug)]
pub struct Particles<'a> {
    /// Positions at the start of the step [m].
    pub x_start: Soa3Ref<'a>,
    /// Positions at its end [m].
    pub x: Soa3Mut<'a>,
    /// Velocities at its end [m/s].
    pub v: Soa3Mut<'a>,
    /// One over mass [1/kg]; zero holds a particle, and contacts leave it alone.
    pub inverse_mass: &'a [f32],
}

impl ContactSettings {
    /// With the resting speed of this step: 2 g h. A bounce slower than that is
    /// over within four steps, too few to tell its height; letting it go on would
    /// be jitter.
    pub fn new(offset: f32, h: f32, gravity: Vec3) -> Self {
        Self { offset, h, gravity, resting_speed: 2.0 * gravity.length() * h }
    }
}

/// Keeps all free particles outside all colliders and applies Coulomb friction
/// and restitution; returns the number of contacts.
///
/// In the frame of a collider a particle goes straight from pose₀⁻¹ x₀ to
/// pose₁⁻¹ x₁, so that fast particles and fast colliders are the same case. On a
/// hit it is held at the surface where that is at the end of the step, and its
/// velocity relative to the surface, w = v − u, changes by
///
/// Δw_n = −(1 + e) w_n,  Δw_t = −min(|w_t|, μ |Δw_n|) w_t/|w_t|.
///
/// The remaining time of the step is travelled with the new velocity.
pub fn resolve(
    colliders: &[Collider],
    steps: &[ColliderStep],
    settings: &ContactSettings,
    particles: Particles<'_>,
) -> usize {
    let usable = settings.h > 0.0 && colliders.len() == steps.len() && !colliders.is_empty();
    if !usable {
        return 0;
    }
    let obstacles = Obstacles { colliders, steps, settings: *settings };
    let total = AtomicUsize::new(0);
    let Particles { x_start, x, v, inverse_mass } = particles;
    for_each_part((x_start, x, v, inverse_mass), BLOCK, &|_,
                                                          (x_start, x, v, inverse_mass): (
        Soa3Ref,
        Soa3Mut,
        Soa3Mut,
        &[f32],
    )| {
        let part = Particles { x_start, x, v, inverse_mass };
        // A sum of integers is the same in any order.
        total.fetch_add(obstacles.resolve_part(part), Ordering::Relaxed);
    });
    total.into_inner()
}

/// The same, point by point.
#[cfg(test)]
pub(super) fn resolve_singly(
    colliders: &[Collider],
    steps: &[ColliderStep],
    settings: &ContactSettings,
    mut particles: Particles<'_>,
) -> usize {
    let obstacles = Obstacles { colliders, steps, settings: *settings };
    let all = 0..particles.x.len();
    let block = |first: usize| first..(first + BLOCK).min(all.end);
    let blocks = all.clone().step_by(BLOCK).map(block);
    blocks.map(|b| obstacles.resolve_block(&mut particles, (b, u64::MAX), 0..steps.len())).sum()
}

/// Particles that are compared with the colliders together, before each is.
const BLOCK: usize = 64;

/// Colliders near one block; with more than these, all are tried.
const NEAR: usize = 32;

/// Contacts of one point that are solved together.
const CONTACTS: usize = 4;
/// Times that a point is held off the walls of hollow colliders; others need two.
const HOLLOW_ROUNDS: usize = 4;
/// Cosine of the angle between normals up to which two contacts with a hollow collider are one.
const SAME_PLACE: f32 = 0.9;

/// Colliders over a step.
#[derive(Clone, Copy)]
pub struct Obstacles<'a> {
    /// What they are.
    pub colliders: &'a [Collider],
    /// Where they are, one for each.
    pub steps: &'a [ColliderStep],
    /// What contacts need to know.
    pub settings: ContactSettings,
}

/// Some of the points, and where their contacts are counted.
struct Part<'a, 'p> {
    obstacles: &'a Obstacles<'a>,
    particles: Particles<'p>,
    total: &'a mut usize,
}

impl Kernel for Part<'_, '_> {
    #[inline(always)]
    fn run(self) {
        let Self { obstacles, mut particles, total } = self;
        let Obstacles { colliders, steps, ref settings } = *obstacles;
        let mut near = [0; NEAR];
        for first in (0..particles.x.len()).step_by(BLOCK) {
            let points = first..(first + BLOCK).min(particles.x.len());
            let boxes = Boxes::of(&particles, points.clone());
            let mut count = 0;
            // No iterator that would call a function of its own.
            for (k, step) in steps.iter().enumerate() {
                if step.may_touch_any(&boxes) {
                    if count < NEAR {
                        near[count] = k;
                    }
                    count += 1;
                }
            }
            if count > NEAR {
                let all = (points, u64::MAX);
                *total += obstacles.resolve_block(&mut particles, all, 0..steps.len());
            } else if count > 0 {
                let near = &near[..count];
                let together = Together { colliders, steps, settings, near };
                let Outcome { left, contacts } = together.answer(&mut particles, points.clone());
                *total += contacts;
                if left != 0 {
                    let left = (points, left);
                    *total += obstacles.resolve_block(&mut particles, left, near.iter().copied());
                }
            }
        }
    }
}

/// Points in columns, sixteen side by side.
struct Columns<'a, 'p, const N: usize> {
    obstacles: &'a Obstacles<'a>,
    /// All of them: a list, from which the compiler does not take several together.
    list: &'a [u32],
    points: &'p [[Lane; N]],
    x: &'p mut [[Lane; 3]],
    v: &'p mut [[Lane; 3]],
    total: &'a mut usize,
}

impl<const N: usize> Kernel for Columns<'_, '_, N> {
    #[inline(always)]
    fn run(self) {
        let Self { obstacles, list, points, x, v, total } = self;
        let Obstacles { colliders, steps, ref settings } = *obstacles;
        let mut boxes = Boxes::NONE;
        for &i in list {
            let point = &points[i as usize];
            boxes = boxes.and([point[0], point[1], point[2]], x[i as usize]);
        }
        let (mut near, mut count) = ([0; NEAR], 0);
        for (k, step) in steps.iter().enumerate() {
            if step.may_touch_any(&boxes) {
                if count < NEAR {
                    near[count] = k;
                }
                count += 1;
            }
        }
        if count == 0 {
            return;
        }
        let near = &near[..count.min(NEAR)];
        for &i in list {
            let i = i as usize;
            let (point, x, v) = (&points[i], &mut x[i], &mut v[i]);
            let own = Boxes::NONE.and([point[0], point[1], point[2]], *x);
            let mut touches = false;
            for &k in near {
                touches |= steps[k].may_touch_any(&own);
            }
            if !touches {
                continue;
            }
            let ([x0, y0, z0], [x, y, z], [u, v, w]) = ([&point[0], &point[1], &point[2]], x, v);
            let mut particles = Particles {
                x_start: Soa3Ref { x: &x0.0, y: &y0.0, z: &z0.0 },
                x: Soa3Mut { x: &mut x.0, y: &mut y.0, z: &mut z.0 },
                v: Soa3Mut { x: &mut u.0, y: &mut v.0, z: &mut w.0 },
                inverse_mass: &point[N - 1].0,
            };
            if count > NEAR {
                let all = (0..LANES, u64::MAX);
                *total += obstacles.resolve_block(&mut particles, all, 0..steps.len());
                continue;
            }
            let together = Together { colliders, steps, settings, near };
            let Outcome { left, contacts } = together.answer(&mut particles, 0..LANES);
            *total += contacts;
            if left != 0 {
                let left = (0..LANES, left);
                *total += obstacles.resolve_block(&mut particles, left, near.iter().copied());
            }
        }
    }
}

impl Obstacles<'_> {
    /// The same as [`resolve`] for points in columns, all of which `list` names: the first three lanes of each are where
    /// sixteen points start, the last what their inverse masses are. They come to `x` with velocities
    /// `v`.
    pub(crate) fn resolve_columns<const N: usize>(
        &self,
        list: &[u32],
        points: &[[Lane; N]],
        (x, v): (&mut [[Lane; 3]], &mut [[Lane; 3]]),
    ) -> usize {
        let mut total = 0;
        let usable = self.settings.h > 0.0 && self.colliders.len() == self.steps.len();
        if usable && !self.steps.is_empty() {
            dispatch(Columns { obstacles: self, list, points, x, v, total: &mut total });
        }
        total
    }

    fn resolve_part(&self, particles: Particles<'_>) -> usize {
        let mut total = 0;
        dispatch(Part { obstacles: self, particles, total: &mut total });
        total
    }

    /// Answers those points of a block, one by one, of which `left` has the bit.
    #[inline(never)]
    fn resolve_block(
        &self,
        part: &mut Particles<'_>,
        (points, left): (Range<usize>, u64),
        near: impl Iterator<Item = usize> + Clone,
    ) -> usize {
        let mut total = 0;
        let mut contacts = [Contact::NONE; CONTACTS + 1];
        let few = u64::MAX >> (BLOCK - points.len());
        let mut left = left & few;
        while left != 0 {
            let i = points.start + left.trailing_zeros() as usize;
            left &= left - 1;
            if part.inverse_mass[i] <= 0.0 {
                continue;
            }
            let (start, end) = (part.x_start.get(i), part.x.get(i));
            let travel = Travel { start, end, velocity: part.v.get(i) };
            let (count, x) = self.contacts(&travel, near.clone(), &mut contacts);
            if count > 0 {
                let (x, v) = respond(&mut contacts[..count], &travel, x);
                let (x, v) = self.kept_out(&contacts[..count], &travel, (x, v));
                part.x.set(i, x);
                part.v.set(i, v);
                total += count;
            }
        }
        total
    }

    /// Number of contacts of one point, and its position held off them. Goes through
    /// the colliders twice, as holding it off one may push it into another, and on for
    /// those that have more than one wall. The slot
    /// after the last contact is where the next is tried.
    fn contacts(
        &self,
        travel: &Travel,
        near: impl Iterator<Item = usize> + Clone,
        contacts: &mut [Contact; CONTACTS + 1],
    ) -> (usize, Vec3) {
        let mut x = travel.end;
        let mut count = 0;
        for round in 0..HOLLOW_ROUNDS {
            let (mut others, mut hollow) = (0, false);
            for k in near.clone() {
                others += 1;
                let Some(geometry) = self.detect(k, travel.start, x) else { continue };
                let now = Travel { end: x, ..*travel };
                let restitution = self.colliders[k].restitution;
                contacts[count] = Contact::new(geometry, restitution, &self.settings, &now);
                let moved = contacts[count].hold(&mut x);
                let convex = self.colliders[k].shape.is_convex();
                hollow |= moved && !convex;
                let (before, last) = contacts.split_at(count);
                let known = before.iter().any(|other| {
                    other.collider == k && (convex || other.normal.dot(last[0].normal) > SAME_PLACE)
                });
                if !known && count < CONTACTS {
                    count += 1;
                }
            }
            if count == 0 || (others == 1 || round > 0) && !hollow {
                break;
            }
        }
        (count, x)
    }

    /// A point that was held off one wall of a hollow collider may have been put into another,
    /// and where two meet, through both. It is held off again; if that does not help it stays
    /// where it was on the surface.
    fn kept_out(
        &self,
        contacts: &[Contact],
        travel: &Travel,
        (mut x, v): (Vec3, Vec3),
    ) -> (Vec3, Vec3) {
        for contact in contacts {
            if self.colliders[contact.collider].shape.is_convex() {
                continue;
            }
            for last in [false, true] {
                let Some(found) = self.detect(contact.collider, travel.start, x) else { break };
                let lift = found.normal.dot(found.point - x) - found.touch;
                if lift <= found.touch {
                    break;
                }
                if last {
                    return (travel.start + found.slide, found.slide / self.settings.h);
                }
                x += found.normal * lift;
            }
        }
        (x, v)
    }

    #[inline]
    fn detect(&self, k: usize, start: Vec3, end: Vec3) -> Option<ContactGeometry> {
        let (collider, step) = (&self.colliders[k], &self.steps[k]);
        if !step.may_touch(&Aabb { min: start.min(end), max: start.max(end) }) {
            return None;
        }
        let touch = TOUCH_M + TOUCH_RELATIVE * end.abs().max_element();
        let [from, to] = step.local_path(start, end);
        let Hit { fraction, point, normal } =
            collider.shape.hit(from, to, self.settings.offset + touch)?;
        Some(ContactGeometry {
            collider: k,
            normal: step.end_vector(normal),
            point: step.end_vector(point) + step.end.position,
            touch,
            fraction,
            slide: step.displacement(point),
            friction: collider.friction,
        })
    }
}
