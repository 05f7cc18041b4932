//! Lengths towards which damped springs are drawn.

use crate::elements::{StencilSpring, rsqrt};
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
        // Entries of springs that leave the grid are computed too, and never read.
        let n = (ni * nj).saturating_sub(far);
        let (x, y, z) = (start.x, start.y, start.z);
        let ends = x[..n].iter().zip(&x[far..]).zip(y[..n].iter().zip(&y[far..]));
        let ends = ends.zip(z[..n].iter().zip(&z[far..]));
        for (length, (((xa, xb), (ya, yb)), (za, zb))) in self.lengths.iter_mut().zip(ends) {
            let d = [xb - xa, yb - ya, zb - za];
            let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            *length = own + share * (square * rsqrt(square));
        }
    }

    /// The lengths, if there are dashpots.
    pub fn get(&self) -> Option<&[f32]> {
        (!self.lengths.is_empty()).then_some(self.lengths.as_slice())
    }
}
