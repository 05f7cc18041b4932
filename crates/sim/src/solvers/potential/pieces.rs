//! Particles that elements join.

use crate::parallel::for_each_heavy_part;

use super::StepPotential;

/// Which particles hang together, with room to sum over each piece. G is a sum over pieces.
#[derive(Clone, Debug)]
pub(in crate::solvers) struct Pieces {
    /// The piece that each particle belongs to.
    of: Vec<u32>,
    sums: Vec<Terms>,
    terms: Vec<Terms>,
}

/// What particles add to sums over their piece.
pub(super) type Terms = [f64; 6];

impl Pieces {
    /// The pieces of `particles` particles joined by the elements of G.
    pub fn new(potential: &StepPotential) -> Self {
        let particles = potential.inertia.len();
        let mut parent: Vec<u32> = (0..particles as u32).collect();
        for group in potential.groups() {
            for pair in group.windows(2) {
                let [a, b] = [root(&mut parent, pair[0]), root(&mut parent, pair[1])];
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        let mut of = vec![0; particles];
        let mut count = 0;
        for i in 0..particles {
            // The root is the lowest of its piece, and so has its number already.
            let top = root(&mut parent, i as u32) as usize;
            of[i] = if top == i { count } else { of[top] };
            count += u32::from(top == i);
        }
        let sums = vec![Terms::default(); count as usize];
        Self { of, sums, terms: vec![Terms::default(); particles] }
    }

    /// Number of pieces.
    pub fn count(&self) -> usize {
        self.sums.len()
    }

    /// Number of particles.
    pub fn particles(&self) -> usize {
        self.of.len()
    }

    /// The piece of particle `i`.
    #[inline]
    pub fn of(&self, i: usize) -> usize {
        self.of[i] as usize
    }

    /// Sums over the particles of each piece, in their order.
    pub(super) fn sum(&mut self, of: impl Fn(usize) -> Terms + Sync) -> &[Terms] {
        for_each_heavy_part(self.terms.as_mut_slice(), 1, &|first, out: &mut [Terms]| {
            out.iter_mut().enumerate().for_each(|(i, out)| *out = of(first + i));
        });
        self.sums.fill(Terms::default());
        for (terms, &piece) in self.terms.iter().zip(&self.of) {
            let sums = &mut self.sums[piece as usize];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
        &self.sums
    }

    /// G of each piece at `x`. [J]
    pub fn energies<'a>(
        &'a mut self,
        potential: &StepPotential,
        x: &[glam::DVec3],
    ) -> impl Iterator<Item = f64> + 'a {
        let sums = self.sum(|i| [potential.own_energy(i, x), 0.0, 0.0, 0.0, 0.0, 0.0]);
        sums.iter().map(|sums| sums[0])
    }
}

fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        let above = parent[parent[i as usize] as usize];
        parent[i as usize] = above;
        i = above;
    }
    i
}
