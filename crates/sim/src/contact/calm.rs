//! Velocities that paths are planned with.

use glam::Vec3;

use crate::incidence::Incidence;
use crate::model::Model;
use crate::parallel::for_each_heavy_part;
use crate::soa::{Soa3, Soa3Mut};

/// Averages velocities over neighbours.
#[derive(Debug)]
pub(super) struct Calm {
    /// Particles that share an edge with each.
    neighbours: Incidence,
    calm: Soa3,
    rough: Soa3,
    /// Whether `calm` is what it says.
    known: bool,
}

/// Times that velocities are averaged with those around.
const CALMING: usize = 2;

impl Calm {
    pub fn new(model: &Model) -> Self {
        let zeros = || Soa3::zeros(model.particle_count());
        Self { neighbours: neighbours(model), calm: zeros(), rough: zeros(), known: false }
    }

    /// Takes note of velocities, in case that somebody asks for them.
    pub fn keep(&mut self, v: &Soa3) {
        self.calm.copy_from(v);
        self.known = false;
    }

    /// Those kept last without what neighbours do not share: nobody goes on with that for many steps.
    pub fn calmed(&mut self) -> &Soa3 {
        if std::mem::replace(&mut self.known, true) {
            return &self.calm;
        }
        for _ in 0..CALMING {
            std::mem::swap(&mut self.calm, &mut self.rough);
            let (neighbours, rough) = (&self.neighbours, &self.rough);
            for_each_heavy_part(self.calm.view_mut(), 1, &|first, mut calm: Soa3Mut| {
                for k in 0..calm.len() {
                    let (around, own) = (neighbours.of(first + k), rough.get(first + k));
                    let sum: Vec3 = around.iter().map(|&j| rough.get(j as usize)).sum();
                    let mean = if around.is_empty() { own } else { sum / around.len() as f32 };
                    calm.set(k, 0.5 * (own + mean));
                }
            });
        }
        &self.calm
    }
}

fn neighbours(model: &Model) -> Incidence {
    let sides = model.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    let sides = sides.chain(model.touching_segments().map(|[a, b]| (a, b)));
    let mut pairs: Vec<(u32, u32)> = sides.flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    pairs.sort_unstable();
    pairs.dedup();
    Incidence::from_pairs(model.particle_count(), &pairs)
}
