//! All constraints of one kind, colour after colour.

use std::ops::Range;

use glam::DVec3;

use super::constraint::{Constraint, Step};
use crate::parallel::for_each_heavy_part;
use crate::solvers::colouring::Colours;

/// Constraints sorted by colour, with their multipliers.
#[derive(Debug)]
pub(in crate::solvers) struct Passes<T: Constraint<C>, const C: usize> {
    items: Vec<T>,
    /// Where each item stood before it was sorted.
    order: Vec<u32>,
    ranges: Vec<Range<usize>>,
    multipliers: Vec<T::Multiplier>,
    moves: Vec<[DVec3; C]>,
}

impl<T: Constraint<C>, const C: usize> Passes<T, C> {
    /// The constraints `items` on `particles` particles.
    pub fn new(particles: usize, items: &[T]) -> Self {
        let corners: Vec<[u32; C]> = items.iter().map(T::corners).collect();
        let colours = Colours::of_elements(particles, &corners);
        Self {
            items: colours.order().iter().map(|&i| items[i as usize]).collect(),
            ranges: colours.ranges().collect(),
            order: colours.order().to_vec(),
            multipliers: vec![T::Multiplier::default(); items.len()],
            moves: vec![[DVec3::ZERO; C]; items.len()],
        }
    }

    /// Forgets the multipliers: a step begins.
    pub fn begin(&mut self) {
        self.multipliers.fill(T::Multiplier::default());
    }

    /// The constraints, colour after colour.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The constraints with the number that each had in the list they were made from.
    pub fn items_mut(&mut self) -> impl Iterator<Item = (usize, &mut T)> {
        self.order.iter().map(|&i| i as usize).zip(&mut self.items)
    }

    /// Solves every constraint once. Returns the largest way of a particle squared. [m²]
    pub fn sweep(&mut self, step: &mut Step) -> f64 {
        let mut longest = 0.0f64;
        for range in &self.ranges {
            let items = &self.items[range.clone()];
            let moves = &mut self.moves[range.clone()];
            let multipliers = &mut self.multipliers[range.clone()];
            let now = &*step;
            let work = |_: usize, (items, multipliers, moves): Part<'_, T, C>| {
                for ((item, multiplier), moves) in items.iter().zip(multipliers).zip(moves) {
                    (*multiplier, *moves) = item.solve(now, *multiplier);
                }
            };
            for_each_heavy_part((items, multipliers, &mut *moves), 1, &work);
            for (item, moves) in items.iter().zip(&*moves) {
                for (corner, way) in item.corners().into_iter().zip(moves) {
                    step.x[corner as usize] += *way;
                    longest = longest.max(way.length_squared());
                }
            }
        }
        longest
    }
}

type Part<'a, T, const C: usize> =
    (&'a [T], &'a mut [<T as Constraint<C>>::Multiplier], &'a mut [[DVec3; C]]);
