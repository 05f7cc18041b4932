//! Sums over a window that moves along a line.

use super::node::Node;

/// A line of nodes and the sums of all that are no more than `half` steps away.
///
/// The line is cut into blocks as long as a window. A window then ends in the block where it
/// begins or in the next one, so that its sum is what is left of the one and what has been of the
/// other: three additions a node whatever the width, and no differences, so that what is far away
/// leaves no rounding errors here.
pub(super) struct Line<'a, const N: usize> {
    /// The values; then sums from here to the end of the block.
    behind: &'a mut [Node<N>],
    /// Sums from the start of the block to here.
    ahead: &'a mut [Node<N>],
    half: usize,
}

impl<'a, const N: usize> Line<'a, N> {
    /// A line of `length` nodes in `memory`, which has room for twice as many.
    #[inline(always)]
    pub fn new(memory: &'a mut [Node<N>], length: usize, half: usize) -> Self {
        let (behind, rest) = memory.split_at_mut(length);
        Self { behind, ahead: &mut rest[..length], half }
    }

    /// Sets a value.
    #[inline(always)]
    pub fn set(&mut self, i: usize, value: Node<N>) {
        self.behind[i] = value;
    }

    /// Replaces values by sums.
    #[inline(always)]
    pub fn sum(&mut self) {
        let block = 2 * self.half + 1;
        for (behind, ahead) in self.behind.chunks_mut(block).zip(self.ahead.chunks_mut(block)) {
            let mut sum = Node::ZERO;
            for (value, to) in behind.iter().zip(ahead) {
                sum = sum.plus(value);
                *to = sum;
            }
            sum = Node::ZERO;
            for value in behind.iter_mut().rev() {
                sum = sum.plus(value);
                *value = sum;
            }
        }
    }

    /// Gives the sum over each window to `take`, in order.
    #[inline(always)]
    pub fn each(&self, mut take: impl FnMut(usize, Node<N>)) {
        let (length, block) = (self.behind.len(), 2 * self.half + 1);
        let mut next_block = block;
        for i in 0..length {
            let (first, last) = (i.saturating_sub(self.half), (i + self.half).min(length - 1));
            if first == next_block {
                next_block += block;
            }
            let sum = if last >= next_block {
                self.behind[first].plus(&self.ahead[last])
            } else if first + block == next_block {
                self.ahead[last]
            } else {
                self.behind[first]
            };
            take(i, sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn sums_are_those_of_every_window() {
        let mut rng = Rng::new(3);
        for (length, half) in (1..30).flat_map(|n| (0..20).map(move |w| (n, w))) {
            let values: Vec<f64> = (0..length).map(|_| rng.between(-1.0, 1.0)).collect();
            let mut memory = vec![Node::<1>::ZERO; 2 * length];
            let mut line = Line::new(&mut memory, length, half);
            values.iter().enumerate().for_each(|(i, &v)| line.set(i, Node([v])));
            line.sum();
            let mut seen = 0;
            line.each(|i, sum| {
                let window = i.saturating_sub(half)..(i + half + 1).min(length);
                let expected: f64 = values[window].iter().sum();
                assert!((sum.0[0] - expected).abs() < 1e-13, "{length} {half} {i}");
                seen += 1;
            });
            assert_eq!(seen, length);
        }
    }
}
