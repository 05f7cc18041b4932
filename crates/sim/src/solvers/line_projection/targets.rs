//! Lengths towards which damped springs are drawn.

use crate::elements::{StencilSpring, rsqrt};
use crate::simd::{Kernel, LANES, Lane, dispatch};

use super::chain::Points;

/// k(l − L) + c(l − l₀)/h = k′(l − L′) with k′ = k + c/h and L′ = (kL + c l₀/h)/k′, l₀ the
/// length at the start of the step: a dashpot taken at the end of the step is a stiffer
/// spring of another length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Targets {
    /// kL/k′. [m]
    own: f32,
    /// Share of l₀ in L′.
    share: f32,
}

impl Targets {
    /// Of `spring` over a step of `h`, if it has a dashpot.
    pub fn of(spring: Option<StencilSpring>, h: f32) -> Option<Self> {
        let spring = spring.filter(|s| s.damping > 0.0)?;
        let dashpot = spring.damping / h;
        let stiffness = spring.stiffness + dashpot;
        let own = spring.stiffness / stiffness * spring.rest;
        Some(Self { own, share: dashpot / stiffness })
    }

    /// Puts into `lengths` L′ of the spring from each point to the one `far` points further along
    /// lines that begin the step at `start`.
    pub fn put(self, start: &Points, far: usize, lengths: &mut Vec<Lane>) {
        lengths.resize(start.len(), Lane::ZERO);
        dispatch(Put { targets: self, lengths, start, far });
    }
}

struct Put<'a> {
    targets: Targets,
    lengths: &'a mut [Lane],
    start: &'a [[Lane; 3]],
    far: usize,
}

impl Kernel for Put<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { targets: Targets { own, share }, lengths, start, far } = self;
        for ((length, [ax, ay, az]), [bx, by, bz]) in
            lengths.iter_mut().zip(start).zip(&start[far..])
        {
            // Copies share no memory: only then does the compiler use vectors.
            let ((ax, ay, az), (bx, by, bz)) = ((*ax, *ay, *az), (*bx, *by, *bz));
            let mut target = Lane::ZERO;
            for l in 0..LANES {
                let d = [bx.0[l] - ax.0[l], by.0[l] - ay.0[l], bz.0[l] - az.0[l]];
                let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                target.0[l] = own + share * (square * rsqrt(square));
            }
            *length = target;
        }
    }
}
