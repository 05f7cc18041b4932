//! Energy of a step: where to start from so that none is gained, and what may be left as motion.

use glam::DVec3;

use super::{StepPotential, Which};
use crate::parallel::for_each_heavy_part;
use crate::soa::Soa3;
use crate::state::State;

/// Keeps the energy of each piece (particles that elements join) within what it had.
///
/// With v₀ the velocity that all but springs and weight leave, v = (x − x₀)/h and
/// W = E + D − Σ m g·x, completing the square turns G(x) ≤ G(x₀) into
///
/// ½|v − v₀|² + W(x) ≤ ½|v₀|² + W(x₀) = B.
///
/// So any x that a descent from x₀ reaches, however early it stops, has W(x) ≤ B, and there
/// is a factor s ≤ 1 with ½|s v|² + W(x) ≤ B: kinetic, elastic and gravity energy together
/// never grow, for any step, stiffness and shape. An exact solve of a convex E has s = 1;
/// s < 1 takes away only what stopping early or buckling would have added.
#[derive(Debug)]
pub(in crate::solvers) struct Budget {
    /// The piece that each particle belongs to.
    piece: Vec<u32>,
    pieces: Vec<Piece>,
    terms: Vec<Terms>,
}

/// What particles add to sums over their piece.
type Terms = [f64; 6];

#[derive(Clone, Copy, Debug, Default)]
struct Piece {
    sums: Terms,
    /// B. [J]
    allowed: f64,
    /// Which guess has the least G.
    guess: Guess,
    /// Whether something outside holds it.
    held: bool,
    /// Mean way over the step [m], and what is kept of it and of the rest as velocity.
    mean: DVec3,
    factors: [f64; 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Guess {
    /// x₀.
    #[default]
    Start,
    /// y: right for what falls freely.
    Target,
    /// x₀ + h v: right where elastic forces carry the weight.
    Coast,
}

impl Budget {
    /// The pieces of `particles` particles joined by `groups`.
    pub fn new<'a>(particles: usize, groups: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut parent: Vec<u32> = (0..particles as u32).collect();
        for group in groups {
            for pair in group.windows(2) {
                let [a, b] = [root(&mut parent, pair[0]), root(&mut parent, pair[1])];
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        let mut piece = vec![0; particles];
        let mut count = 0;
        for i in 0..particles {
            // The root is the lowest of its piece, and so has its number already.
            let top = root(&mut parent, i as u32) as usize;
            piece[i] = if top == i { count } else { piece[top] };
            count += u32::from(top == i);
        }
        Self {
            piece,
            pieces: vec![Piece::default(); count as usize],
            terms: vec![Terms::default(); particles],
        }
    }

    /// Sets B, and `x` to the best of the guesses, piece by piece.
    pub fn start(&mut self, g: &StepPotential, v: &Soa3, x: &mut [DVec3]) {
        for (i, x) in x.iter_mut().enumerate() {
            *x = if g.is_held(i) { g.target[i] } else { g.start[i] + g.h * v.get(i).as_dvec3() };
        }
        let coast = &*x;
        self.sum(|i| {
            let before = g.stored(i, (g.start[i], &g.start), Which::Owned);
            let motion =
                0.5 * g.inertia[i] * (g.target[i] - g.start[i] - g.fall(i)).length_squared();
            [
                before + motion,
                g.own_energy(i, &g.start),
                g.own_energy(i, &g.target),
                g.own_energy(i, coast),
                f64::from(u8::from(g.is_held(i) || g.ties.hold(i))),
                0.0,
            ]
        });
        for piece in &mut self.pieces {
            let [allowed, start, target, coast, held, _] = piece.sums;
            piece.allowed = allowed;
            piece.held = held > 0.0;
            piece.guess = match () {
                () if coast < start && coast < target => Guess::Coast,
                () if target < start => Guess::Target,
                () => Guess::Start,
            };
        }
        for (i, x) in x.iter_mut().enumerate() {
            match self.pieces[self.piece[i] as usize].guess {
                Guess::Start => *x = g.start[i],
                Guess::Target => *x = g.target[i],
                Guess::Coast => {}
            }
        }
    }

    /// Ends a step that came to `x`: writes positions and velocities, without any gain of
    /// energy, and with the momentum of what nothing holds.
    pub fn settle(&mut self, g: &StepPotential, x: &mut [DVec3], state: &mut State) {
        self.centre(g, x);
        let now = &*x;
        self.sum(|i| {
            let way = now[i] - g.start[i];
            let share = way * g.inertia[i];
            let motion = 0.5 * share.dot(way);
            let stored = g.stored(i, (now[i], now), Which::Owned) - g.weight(i).dot(way);
            [g.inertia[i], share.x, share.y, share.z, motion, stored]
        });
        for piece in &mut self.pieces {
            let [inertia, sx, sy, sz, motion, stored] = piece.sums;
            piece.mean = if inertia > 0.0 { DVec3::new(sx, sy, sz) / inertia } else { DVec3::ZERO };
            let together = 0.5 * inertia * piece.mean.length_squared();
            piece.factors = factors(piece.allowed - stored, together, motion - together);
        }
        for (i, &x) in x.iter().enumerate() {
            let Piece { mean, factors: [slow, calm], .. } = self.pieces[self.piece[i] as usize];
            let way = x - g.start[i];
            let kept =
                if slow == 1.0 && calm == 1.0 { way } else { mean * slow + (way - mean) * calm };
            state.x.set(i, x.as_vec3());
            state.v.set(i, (kept / g.h).as_vec3());
        }
    }

    /// Moves each piece that nothing holds so that its centre of mass is where that of y is:
    /// elements act between its particles only. That lowers G, as the inertia is least there.
    fn centre(&mut self, g: &StepPotential, x: &mut [DVec3]) {
        if self.pieces.iter().all(|piece| piece.held) {
            return;
        }
        let now = &*x;
        self.sum(|i| {
            let share = (g.target[i] - now[i]) * g.inertia[i];
            [g.inertia[i], share.x, share.y, share.z, 0.0, 0.0]
        });
        for (i, x) in x.iter_mut().enumerate() {
            let Piece { sums: [inertia, sx, sy, sz, ..], held, .. } =
                self.pieces[self.piece[i] as usize];
            if !held && inertia > 0.0 {
                *x += DVec3::new(sx, sy, sz) / inertia;
            }
        }
    }

    /// Sums over the particles of each piece, in their order.
    fn sum(&mut self, of: impl Fn(usize) -> Terms + Sync) {
        for_each_heavy_part(self.terms.as_mut_slice(), 1, &|first, out: &mut [Terms]| {
            out.iter_mut().enumerate().for_each(|(i, out)| *out = of(first + i));
        });
        self.pieces.iter_mut().for_each(|piece| piece.sums = Terms::default());
        for (terms, &piece) in self.terms.iter().zip(&self.piece) {
            let sums = &mut self.pieces[piece as usize].sums;
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
    }
}

/// Factors on the mean motion and on the rest so that the energies `together` and `inner`
/// fit into `left`: the inner motion is slowed first, as the mean has nowhere to come from.
fn factors(left: f64, together: f64, inner: f64) -> [f64; 2] {
    if together + inner <= left {
        [1.0, 1.0]
    } else if together <= left {
        [1.0, ((left - together) / inner).clamp(0.0, 1.0).sqrt()]
    } else {
        [(left.max(0.0) / together).clamp(0.0, 1.0).sqrt(), 0.0]
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
