//! Colliders under what contact pushes.

#[cfg(test)]
mod tests;

use glam::Vec3;

use super::swept::Point4;
use crate::aabb::Aabb;
use crate::colliders::{ColliderShape, ColliderStep, Shape};
use crate::model::Model;
use crate::parallel::for_each_part;

/// φ(y) ≥ min(φ(y⁻), 0) for what contact moves from y⁻ to y, φ the distance to a collider.
///
/// Solvers hold points off colliders, and then contact has its say: what lies between a floor and
/// something fast would be pressed into the floor, and stay there until the next step. The distance that
/// colliders keep is contact's to use up: it comes back in that step.
///
/// Colliders made of triangles are contact's own.
#[derive(Debug)]
pub(super) struct Ground {
    shapes: Vec<ColliderShape>,
    /// One for each, once a step has begun.
    steps: Vec<ColliderStep>,
}

/// Points that are compared with colliders together.
const BLOCK: usize = 64;

/// Times that a point is gone through all colliders with: out of one, it may be in another.
const ROUNDS: usize = 2;

impl Ground {
    pub fn of(model: &Model) -> Self {
        let shapes = model.colliders.iter().map(|collider| collider.shape.clone()).collect();
        Self { shapes, steps: Vec::new() }
    }

    /// Takes note of where colliders are at the end of the step.
    pub fn stand(&mut self, steps: &[ColliderStep]) {
        self.steps.clear();
        self.steps.extend_from_slice(steps);
    }

    /// Takes particles of these weights [1/kg] that came from `before` out of where they were pressed in.
    pub fn hold_off(&self, weights: &[f32], before: &[Point4], y: &mut [Point4]) {
        if self.steps.is_empty() {
            return;
        }
        for_each_part(
            (weights, before, y),
            BLOCK,
            &|_, part: (&[f32], &[Point4], &mut [Point4])| {
                let (weights, before, y) = part;
                let blocks =
                    weights.chunks(BLOCK).zip(before.chunks(BLOCK)).zip(y.chunks_mut(BLOCK));
                blocks.for_each(|((weights, before), y)| self.hold_block_off(weights, before, y));
            },
        );
    }

    fn hold_block_off(&self, weights: &[f32], before: &[Point4], y: &mut [Point4]) {
        let mut bounds = Aabb::EMPTY;
        for ((from, to), &weight) in before.iter().zip(&*y).zip(weights) {
            if from != to && weight > 0.0 {
                let (from, to) = (place(from), place(to));
                bounds.min = bounds.min.min(from.min(to));
                bounds.max = bounds.max.max(from.max(to));
            }
        }
        if !(bounds.min.x <= bounds.max.x) {
            return;
        }
        for _ in 0..ROUNDS {
            let mut any = false;
            for (shape, step) in self.shapes.iter().zip(&self.steps) {
                if !step.may_touch(&bounds) {
                    continue;
                }
                for ((from, to), &weight) in before.iter().zip(&mut *y).zip(weights) {
                    if from == to || weight <= 0.0 {
                        continue;
                    }
                    if let Some(lift) = lift((shape, step), place(from), place(to)) {
                        any = true;
                        (to[0], to[1], to[2]) = (to[0] + lift.x, to[1] + lift.y, to[2] + lift.z);
                    }
                }
            }
            if !any {
                break;
            }
        }
    }
}

/// The way out for a point that was moved into a collider; none for one that was not. One that was
/// in it already comes back to where it was as deep.
fn lift((shape, step): (&ColliderShape, &ColliderStep), from: Vec3, to: Vec3) -> Option<Vec3> {
    let [from, to] = [from, to].map(|p| step.end.local_point(p));
    let deep = shape.signed_distance(from);
    let (lack, normal) = if deep < 0.0 {
        let closest = shape.closest(to);
        (deep - closest.distance, closest.normal)
    } else {
        let hit = shape.hit(from, to, 0.0)?;
        (hit.normal.dot(hit.point - to), hit.normal)
    };
    (lack > 0.0).then(|| step.end_vector(normal * lack))
}

#[inline(always)]
fn place(x: &Point4) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}
