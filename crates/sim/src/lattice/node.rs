//! What is summed, at one node of the box.

/// N numbers at a node, side by side: sums along any axis then read and write whole nodes, and
/// all N at once in vector registers.
///
/// In f64: a region's Σ m (x − c)(x⁰ − c⁰)ᵀ is the difference of sums that are larger by the
/// square of body size over region size, some 10³ for regions of one cell in a body of twenty,
/// more when the body is far from the origin. In f32 that would leave four digits of a rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(super) struct Node<const N: usize>(pub [f64; N]);

impl<const N: usize> Node<N> {
    /// Nothing.
    pub const ZERO: Self = Self([0.0; N]);

    /// a + b.
    #[inline(always)]
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = *self;
        for k in 0..N {
            sum.0[k] += other.0[k];
        }
        sum
    }

    /// a − b.
    #[inline(always)]
    pub fn minus(&self, other: &Self) -> Self {
        let mut rest = *self;
        for k in 0..N {
            rest.0[k] -= other.0[k];
        }
        rest
    }
}
