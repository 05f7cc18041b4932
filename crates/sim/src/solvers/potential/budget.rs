//! Energy of a step: where to start from so that none is gained, and what may be left as motion.

use glam::DVec3;

use super::{Pieces, StepPotential, Which};
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
    pieces: Pieces,
    accounts: Vec<Account>,
}

/// What is known of a piece.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    /// B. [J]
    allowed: f64,
    /// Which guess has the least G.
    guess: Guess,
    /// Whether something outside holds it.
    held: bool,
    /// A way of all of it: to its centre, then the mean over the step [m]; and what is kept of it and of the rest as velocity.
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
    /// An account for each piece.
    pub fn new(pieces: Pieces) -> Self {
        Self { accounts: vec![Account::default(); pieces.count()], pieces }
    }

    /// Sets B, and `x` to the best of the guesses, piece by piece.
    pub fn start(&mut self, g: &StepPotential, v: &Soa3, x: &mut [DVec3]) {
        for (i, x) in x.iter_mut().enumerate() {
            *x = if g.is_held(i) { g.target[i] } else { g.start[i] + g.h * v.get(i).as_dvec3() };
        }
        let coast = &*x;
        let sums = self.pieces.sum(|i| {
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
        for (account, sums) in self.accounts.iter_mut().zip(sums) {
            let [allowed, start, target, coast, held, _] = *sums;
            account.allowed = allowed;
            account.held = held > 0.0;
            account.guess = match () {
                () if coast < start && coast < target => Guess::Coast,
                () if target < start => Guess::Target,
                () => Guess::Start,
            };
        }
        for (i, x) in x.iter_mut().enumerate() {
            match self.accounts[self.pieces.of(i)].guess {
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
        self.weigh(g, now, |i| now[i] - g.start[i]);
        for (i, &x) in x.iter().enumerate() {
            let kept = self.accounts[self.pieces.of(i)].kept(x - g.start[i]);
            state.x.set(i, x.as_vec3());
            state.v.set(i, (kept / g.h).as_vec3());
        }
    }

    /// The same after obstacles that stand have put particles elsewhere and changed their
    /// velocities: they do no work, and what springs hold more by it is taken from the motion.
    pub fn hold(&mut self, g: &StepPotential, x: &mut [DVec3], state: &mut State) {
        for (i, x) in x.iter_mut().enumerate() {
            *x = state.x.get(i).as_dvec3();
        }
        let way = |v: &Soa3, i: usize| v.get(i).as_dvec3() * g.h;
        self.weigh(g, x, |i| way(&state.v, i));
        for i in 0..x.len() {
            let account = &self.accounts[self.pieces.of(i)];
            if account.factors != [1.0; 2] && !g.is_held(i) {
                let kept = account.kept(way(&state.v, i));
                state.v.set(i, (kept / g.h).as_vec3());
            }
        }
    }

    /// What may be kept of a motion by these ways if particles are at `x`.
    fn weigh(&mut self, g: &StepPotential, x: &[DVec3], way: impl Fn(usize) -> DVec3 + Sync) {
        let sums = self.pieces.sum(|i| {
            let way = way(i);
            let share = way * g.inertia[i];
            let motion = 0.5 * share.dot(way);
            let stored = g.stored(i, (x[i], x), Which::Owned) - g.weight(i).dot(x[i] - g.start[i]);
            [g.inertia[i], share.x, share.y, share.z, motion, stored]
        });
        for (account, sums) in self.accounts.iter_mut().zip(sums) {
            let [inertia, sx, sy, sz, motion, stored] = *sums;
            let share = DVec3::new(sx, sy, sz);
            account.mean = if inertia > 0.0 { share / inertia } else { DVec3::ZERO };
            let together = 0.5 * inertia * account.mean.length_squared();
            account.factors = factors(account.allowed - stored, together, motion - together);
        }
    }

    /// Moves each piece that nothing holds so that its centre of mass is where that of y is:
    /// elements act between its particles only. That lowers G, as the inertia is least there.
    fn centre(&mut self, g: &StepPotential, x: &mut [DVec3]) {
        if self.accounts.iter().all(|account| account.held) {
            return;
        }
        let now = &*x;
        let sums = self.pieces.sum(|i| {
            let share = (g.target[i] - now[i]) * g.inertia[i];
            [g.inertia[i], share.x, share.y, share.z, 0.0, 0.0]
        });
        for (account, [inertia, x, y, z, ..]) in self.accounts.iter_mut().zip(sums) {
            let loose = !account.held && *inertia > 0.0;
            account.mean = if loose { DVec3::new(*x, *y, *z) / *inertia } else { DVec3::ZERO };
        }
        for (i, x) in x.iter_mut().enumerate() {
            *x += self.accounts[self.pieces.of(i)].mean;
        }
    }
}

impl Account {
    /// What is kept of a way as velocity times h. [m]
    fn kept(&self, way: DVec3) -> DVec3 {
        let [slow, calm] = self.factors;
        if slow == 1.0 && calm == 1.0 { way } else { self.mean * slow + (way - self.mean) * calm }
    }
}

/// Factors on the mean motion and on the rest so that the energies `together` and `inner`
/// fit into `left`: the inner motion is slowed first, as the mean has nowhere to come from.
fn factors(left: f64, together: f64, inner: f64) -> [f64; 2] {
    if together + inner <= left {
        [1.0, 1.0]
    } else if together <= left {
        [1.0, ((left - together) / inner).clamp(0.0, 1.0).sqrt()]
    } else if together > 0.0 {
        [(left.max(0.0) / together).clamp(0.0, 1.0).sqrt(), 0.0]
    } else {
        [0.0; 2]
    }
}
