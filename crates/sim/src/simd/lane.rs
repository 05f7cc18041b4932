//! Sixteen numbers side by side.

use super::LANES;

/// One number of each of [`LANES`] things that are computed together.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct Lane(pub [f32; LANES]);

impl Lane {
    /// All zero.
    pub const ZERO: Self = Self([0.0; LANES]);

    /// Sixteen numbers of `from`, which has them, from `first` on.
    #[inline(always)]
    pub fn full(from: &[f32], first: usize) -> Self {
        let mut lane = Self::ZERO;
        lane.0.copy_from_slice(&from[first..first + LANES]);
        lane
    }

    /// The first numbers of `from`; zeros where it is shorter.
    #[inline(always)]
    pub fn load(from: &[f32]) -> Self {
        match from.first_chunk::<LANES>() {
            Some(all) => Self(*all),
            None => {
                let mut lane = Self::ZERO;
                lane.0[..from.len()].copy_from_slice(from);
                lane
            }
        }
    }

    /// Writes the first numbers to `to`, as many as it has room for.
    #[inline(always)]
    pub fn store(&self, to: &mut [f32]) {
        match to.first_chunk_mut::<LANES>() {
            Some(all) => *all = self.0,
            None => to.copy_from_slice(&self.0[..to.len()]),
        }
    }

    /// Writes all sixteen to `to`, which has room for them, from `first` on.
    #[inline(always)]
    pub fn put(&self, to: &mut [f32], first: usize) {
        to[first..first + LANES].copy_from_slice(&self.0);
    }
}
