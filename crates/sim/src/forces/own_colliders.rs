//! Colliders as single bodies meet them: pairs that rub or bounce in their own way.

use std::ops::Range;

use crate::colliders::Collider;
use crate::model::Model;

/// Colliders with the friction and restitution that some bodies meet them with.
#[derive(Debug, Default)]
pub(super) struct OwnColliders {
    /// Bodies in the order of their particles.
    bodies: Vec<(Range<usize>, Vec<Collider>)>,
}

impl OwnColliders {
    pub fn of(model: &Model) -> Self {
        let mut bodies = Vec::new();
        for (index, body) in (0u32..).zip(&model.bodies) {
            let own = || model.collider_pairs.iter().filter(|pair| pair.0 == index);
            if own().next().is_none() {
                continue;
            }
            let mut colliders = model.colliders.clone();
            for &(_, collider, rub) in own() {
                if let Some(collider) = colliders.get_mut(collider as usize) {
                    (collider.friction, collider.restitution) = (rub.friction, rub.restitution);
                }
            }
            bodies.push((body.particles.clone(), colliders));
        }
        bodies.sort_by_key(|(particles, _)| particles.start);
        Self { bodies }
    }

    /// Whether all bodies meet all colliders alike.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The colliders as the body of a particle meets them.
    pub fn at<'a>(&'a self, model: &'a Model, particle: usize) -> &'a [Collider] {
        let own = self.bodies.iter().find(|(particles, _)| particles.contains(&particle));
        own.map_or(&model.colliders, |(_, colliders)| colliders)
    }

    /// All of `count` particles in turn, by what they meet.
    pub fn each<'a>(
        &'a self,
        model: &'a Model,
        count: usize,
    ) -> impl Iterator<Item = (Range<usize>, &'a [Collider])> {
        let ends = self.bodies.iter().flat_map(|(particles, _)| [particles.start, particles.end]);
        let starts = std::iter::once(0).chain(ends.clone());
        let ranges = starts.zip(ends.chain([count])).filter(|(start, end)| start < end);
        ranges.map(move |(start, end)| (start..end, self.at(model, start)))
    }
}
