//! Results of unknown number from many items.

use std::ops::Range;

use super::{divide, teams};

/// Parts of a result, one after the other, each from its own items. What they say together does not
/// depend on how many there are.
#[derive(Debug, Default)]
pub struct Parts<P>(Vec<P>);

/// Parts to a thread: evens out items that take longer than others.
const PER_THREAD: usize = 8;

/// Of as many items as a second thread pays for there are so many parts at most: handing one over
/// takes a thread about a microsecond.
const OF_FEW: usize = 4;

impl<P: Default + Send> Parts<P> {
    /// Lets `work` fill a part from each range of `items` items, on all threads if there are `from`
    /// items or more. A part still holds what was in it: memory is taken once.
    pub fn fill(
        &mut self,
        (items, from): (usize, usize),
        work: &(impl Fn(Range<usize>, &mut P) + Sync),
    ) -> &mut [P] {
        let teams = teams(items, from);
        let enough = (OF_FEW * items).div_ceil(from.max(1)).max(teams).min(items);
        let count = if teams > 1 { (PER_THREAD * teams).min(enough) } else { 1 };
        if self.0.len() < count {
            self.0.resize_with(count, P::default);
        }
        let parts = &mut self.0[..count];
        if count == 1 {
            work(0..items, &mut parts[0]);
        } else {
            divide(0, &mut *parts, 1, &|first, part: &mut [P]| {
                for (k, part) in (first..).zip(part) {
                    work(items * k / count..items * (k + 1) / count, part);
                }
            });
        }
        parts
    }
}

impl<T: Copy + Send> Parts<Vec<T>> {
    /// Puts into `out` what `work` finds in each range of `items` items, in their order.
    pub fn gather(
        &mut self,
        (items, from): (usize, usize),
        out: &mut Vec<T>,
        work: &(impl Fn(Range<usize>, &mut Vec<T>) + Sync),
    ) {
        let parts = self.fill((items, from), &|range, part: &mut Vec<T>| {
            part.clear();
            work(range, part);
        });
        out.clear();
        parts.iter().for_each(|part| out.extend_from_slice(part));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_items_in_the_same_order_on_any_number_of_threads() {
        let odd = |range: Range<usize>, out: &mut Vec<usize>| {
            out.extend(range.filter(|i| i % 3 == 1));
        };
        let expected: Vec<usize> = (0..1000).filter(|i| i % 3 == 1).collect();
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (mut parts, mut out) = (Parts::default(), vec![7]);
            for items in [1000, 1000] {
                pool.install(|| parts.gather((items, 10), &mut out, &odd));
                assert_eq!(out, expected);
            }
            pool.install(|| parts.gather((0, 0), &mut out, &odd));
            assert!(out.is_empty());
        }
    }
}
