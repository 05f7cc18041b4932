//! Lengths towards which damped springs are drawn.

use crate::elements::{StencilSpring, rsqrt};
use crate::simd::{Kernel, LANES, Lane, dispatch};
use crate::soa::Soa3Ref;

/// k(l − L) + c(l − l₀)/h = k′(l − L′) with k′ = k + c/h and L′ = (kL + c l₀/h)/k′, l₀ the
/// length at the start of the step: a dashpot taken at the end of the step is a stiffer
/// spring of another length.
#[derive(Debug, Default)]
pub(super) struct Targets {
    /// L′ of the spring that starts at each point of the grid; empty without dashpots. [m]
    lengths: Vec<f32>,
}

impl Targets {
    /// Takes the lengths at the start of a step of `h`. `steps` is the offset of the
    /// spring's far end along i and j.
    pub fn set(
        &mut self,
        spring: Option<StencilSpring>,
        [ni, nj]: [usize; 2],
        steps: [usize; 2],
        start: Soa3Ref<'_>,
        h: f32,
    ) {
        let Some(spring) = spring.filter(|s| s.damping > 0.0) else {
            self.lengths.clear();
            return;
        };
        let dashpot = spring.damping / h;
        let stiffness = spring.stiffness + dashpot;
        let (own, share) = (spring.stiffness / stiffness * spring.rest, dashpot / stiffness);
        let far = steps[1] * ni + steps[0];
        self.lengths.resize(ni * nj, 0.0);
        dispatch(Set { lengths: &mut self.lengths, start, far, law: [own, share] });
    }

    /// The lengths, if there are dashpots.
    pub fn get(&self) -> Option<&[f32]> {
        (!self.lengths.is_empty()).then_some(self.lengths.as_slice())
    }
}

struct Set<'a> {
    lengths: &'a mut [f32],
    start: Soa3Ref<'a>,
    /// How much further in the arrays the other end is.
    far: usize,
    /// Of L′: its own part, and the share of l₀.
    law: [f32; 2],
}

impl Kernel for Set<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { lengths, start, far, law: [own, share] } = self;
        // Entries of springs that leave the grid are computed too, and never read.
        let n = lengths.len().saturating_sub(far);
        let mut first = 0;
        for lengths in lengths[..n].chunks_mut(LANES) {
            let end = first + lengths.len();
            let mut square = Lane::ZERO;
            for x in [start.x, start.y, start.z] {
                let (a, b) = (Lane::load(&x[first..end]), Lane::load(&x[first + far..end + far]));
                for l in 0..LANES {
                    let d = b.0[l] - a.0[l];
                    square.0[l] += d * d;
                }
            }
            let mut targets = Lane::ZERO;
            for l in 0..LANES {
                targets.0[l] = own + share * (square.0[l] * rsqrt(square.0[l]));
            }
            targets.store(lengths);
            first = end;
        }
    }
}
