//! Names and numbers of particles once some have come apart.

use std::ops::Range;

use super::strands;
use super::torn::Torn;
use crate::hands::{HandPin, Hands};
use crate::model::Model;
use crate::soa::Soa3;
use crate::state::State;

/// Where particles are: those of the whole model in their order, the new ones of each body after
/// its others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    numbers: Vec<u32>,
    names: Vec<u32>,
    bodies: Vec<Range<usize>>,
}

impl Layout {
    pub fn new(whole: &Model, torn: &Torn) -> Self {
        let count = whole.particle_count();
        let body_of = |particle: u32| {
            whole.bodies.iter().position(|body| body.particles.contains(&(particle as usize)))
        };
        let mut new: Vec<Vec<u32>> = vec![Vec::new(); whole.bodies.len()];
        for (name, &origin) in (count as u32..).zip(&torn.origins) {
            if let Some(body) = body_of(origin) {
                new[body].push(name);
            }
        }
        let mut ends: Vec<(usize, usize)> =
            whole.bodies.iter().map(|body| body.particles.end).zip(0..).collect();
        ends.sort_unstable();
        let mut names: Vec<u32> = Vec::with_capacity(count + torn.origins.len());
        let mut bodies: Vec<Range<usize>> =
            whole.bodies.iter().map(|body| body.particles.clone()).collect();
        let mut from = 0;
        for (end, body) in ends {
            names.extend(from as u32..end as u32);
            from = end.max(from);
            let length = bodies[body].len();
            let start = names.len() - length;
            names.extend(&new[body]);
            bodies[body] = start..names.len();
        }
        names.extend(from as u32..count as u32);
        let mut numbers = vec![0; names.len()];
        for (number, &name) in (0..).zip(&names) {
            numbers[name as usize] = number;
        }
        Self { numbers, names, bodies }
    }

    /// Particles.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The present number of a particle.
    pub fn number(&self, name: u32) -> u32 {
        self.numbers[name as usize]
    }

    /// The name of a particle by its present number.
    pub fn name(&self, number: u32) -> u32 {
        self.names[number as usize]
    }

    /// The names in the order of the present numbers.
    pub fn names(&self) -> &[u32] {
        &self.names
    }

    /// The particles of a body.
    pub fn body(&self, body: usize) -> Range<usize> {
        self.bodies[body].clone()
    }
}

/// For each number after, the one before of the particle that it is or was part of.
pub(super) fn sources(before: &Layout, after: &Layout, parents: &[u32]) -> Vec<u32> {
    let old = before.count() as u32;
    let source = |&name: &u32| match name.checked_sub(old) {
        None => before.number(name),
        Some(new) => before.number(parents[new as usize]),
    };
    after.names().iter().map(source).collect()
}

/// Takes a state over from one layout to the next. The new particles are where their `parents`
/// are, by name.
pub(super) fn carry(state: &mut State, before: &Layout, after: &Layout, parents: &[u32]) {
    let sources = sources(before, after, parents);
    let move_all = |values: &Soa3| -> Soa3 {
        let axis = |axis: &[f32]| sources.iter().map(|&from| axis[from as usize]).collect();
        Soa3 { x: axis(&values.x), y: axis(&values.y), z: axis(&values.z) }
    };
    state.x = move_all(&state.x);
    state.v = move_all(&state.v);
    if state.fibres.directors.len() == before.count() {
        state.fibres.directors = move_all(&state.fibres.directors);
    }
    strands::carry(&mut state.fibres, before, after);
    for vectors in state.memory.vectors.iter_mut().filter(|v| v.len() == before.count()) {
        *vectors = move_all(vectors);
    }
    // What remains of a solver's memory speaks of other forces.
    state.memory.started &= state.memory.vectors.is_empty();
    carry_hands(&mut state.hands, before, after, parents);
}

fn carry_hands(hands: &mut Hands, before: &Layout, after: &Layout, parents: &[u32]) {
    let moved = |particle: u32| after.number(before.name(particle));
    let new = || (before.count() as u32..).zip(parents.iter().copied());
    for force in &mut hands.forces {
        force.particles.iter_mut().for_each(|p| *p = moved(*p));
    }
    hands.grabs.iter_mut().for_each(|grab| grab.particle = moved(grab.particle));
    // What is held stays held on both sides.
    let pins: Vec<HandPin> = std::mem::take(&mut hands.pins);
    for pin in &pins {
        let name = before.name(pin.particle);
        let copies = new().filter(|&(_, parent)| parent == name).map(|(copy, _)| copy);
        for copy in std::iter::once(name).chain(copies) {
            hands.pins.push(HandPin { particle: after.number(copy), ..*pin });
        }
    }
    hands.pins.sort_by_key(|pin| pin.particle);
    for at in 0..hands.unpinned.len() {
        let name = before.name(hands.unpinned[at]);
        hands.unpinned[at] = after.number(name);
        let copies = new().filter(|&(_, parent)| parent == name);
        hands.unpinned.extend(copies.map(|(copy, _)| after.number(copy)));
    }
    hands.unpinned.sort_unstable();
}
