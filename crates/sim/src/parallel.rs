//! Threads that never change a bit.
//!
//! Work is divided over disjoint outputs; each output is computed from inputs
//! alone, so that neither the number of threads nor where the cuts fall can
//! show in the result. Nothing here allocates.

mod parts;

use std::sync::atomic::{AtomicBool, Ordering};

pub use parts::Parts;

/// Below this many particles a thread costs more than it gives.
pub const PARALLEL_FROM: usize = 8192;

/// The same for work that takes some hundred times longer an item than an addition.
pub const HEAVY_PARALLEL_FROM: usize = 512;

/// The same for work that takes microseconds an item, as the points of a solid do.
pub const SLOW_PARALLEL_FROM: usize = 32;

/// Something that can be cut in two at an index: slices, views and tuples of them.
#[allow(clippy::len_without_is_empty)]
pub trait Split: Sized + Send {
    /// Number of items.
    fn len(&self) -> usize;
    /// Items before `mid`, and from `mid` on.
    fn split(self, mid: usize) -> (Self, Self);
}

impl<T: Sync> Split for &[T] {
    fn len(&self) -> usize {
        <[T]>::len(self)
    }

    fn split(self, mid: usize) -> (Self, Self) {
        self.split_at(mid)
    }
}

impl<T: Send> Split for &mut [T] {
    fn len(&self) -> usize {
        <[T]>::len(self)
    }

    fn split(self, mid: usize) -> (Self, Self) {
        self.split_at_mut(mid)
    }
}

macro_rules! split_tuple {
    ($($name:ident $index:tt),+) => {
        impl<$($name: Split),+> Split for ($($name,)+) {
            fn len(&self) -> usize {
                self.0.len()
            }

            fn split(self, mid: usize) -> (Self, Self) {
                $(
                    #[allow(non_snake_case)]
                    let $name = self.$index.split(mid);
                )+
                (($($name.0,)+), ($($name.1,)+))
            }
        }
    };
}

split_tuple!(A 0, B 1);
split_tuple!(A 0, B 1, C 2);
split_tuple!(A 0, B 1, C 2, D 3);
split_tuple!(A 0, B 1, C 2, D 3, E 4);
split_tuple!(A 0, B 1, C 2, D 3, E 4, F 5);

thread_local! {
    static ALONE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs `work` with all of its parts on this thread, whatever pool it belongs to.
pub fn without_threads<R>(work: impl FnOnce() -> R) -> R {
    let before = ALONE.replace(true);
    let result = work();
    ALONE.set(before);
    result
}

/// Threads worth using on `items` items, if a second one pays from `from` on.
pub fn teams(items: usize, from: usize) -> usize {
    if items < from || ALONE.get() { 1 } else { rayon::current_num_threads().max(1) }
}

/// Runs `work` while the pool's other threads, up to `team` with this one, look for its parts all
/// the time: a thread that has gone to sleep takes longer to wake than many a part takes to do.
/// Without such threads it is `work` and nothing else.
pub fn with_threads_awake<R: Send>(team: usize, work: impl FnOnce() -> R + Send) -> R {
    let Some(owner) = rayon::current_thread_index().filter(|_| team > 1 && !ALONE.get()) else {
        return work();
    };
    let watch = Watch { owner, over: AtomicBool::new(false) };
    let (mut work, mut result) = (Some(work), None);
    watch.keep(team.min(rayon::current_num_threads()) - 1, &mut || {
        result = work.take().map(|work| work());
    });
    match result {
        Some(result) => result,
        None => unreachable!("work is done once"),
    }
}

/// Threads that look for work.
struct Watch {
    /// The thread that they wait for.
    owner: usize,
    over: AtomicBool,
}

/// Looks in vain before a thread lets others have the processor.
const PATIENCE: u32 = 4096;

impl Watch {
    fn keep(&self, others: usize, work: &mut (dyn FnMut() + Send)) {
        if others == 0 {
            // Also if `work` panics: nobody may wait for ever.
            let _end = End(self);
            return work();
        }
        rayon::join(|| self.keep(others - 1, work), || self.look());
    }

    fn look(&self) {
        // The owner itself may come by this while it waits for a part of its work.
        if rayon::current_thread_index() == Some(self.owner) {
            return;
        }
        let mut idle = 0;
        while !self.over.load(Ordering::Acquire) {
            if rayon::yield_now() == Some(rayon::Yield::Executed) {
                idle = 0;
            } else if idle < PATIENCE {
                idle += 1;
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }
}

struct End<'a>(&'a Watch);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Release);
    }
}

/// Calls `work(first_index, part)` for parts that together make up `items`,
/// on all threads of the current pool. Cuts fall on multiples of `grain`.
/// `work` must compute each item from inputs alone.
pub fn for_each_part<S, F>(items: S, grain: usize, work: &F)
where
    S: Split,
    F: Fn(usize, S) + Sync,
{
    for_each_part_from(items, (grain, PARALLEL_FROM), work);
}

/// [`for_each_part`] for work that is worth a thread from [`HEAVY_PARALLEL_FROM`] items on.
pub fn for_each_heavy_part<S, F>(items: S, grain: usize, work: &F)
where
    S: Split,
    F: Fn(usize, S) + Sync,
{
    for_each_part_from(items, (grain, HEAVY_PARALLEL_FROM), work);
}

/// [`for_each_part`] for items of which each is worth a thread.
pub fn for_each_large<S, F>(items: S, work: &F)
where
    S: Split,
    F: Fn(usize, S) + Sync,
{
    for_each_part_from(items, (1, 2), work);
}

/// [`for_each_part`] for a few items that differ in size: each is a part of its own.
pub fn for_each_alone<S, F>(items: S, work: &F)
where
    S: Split,
    F: Fn(usize, S) + Sync,
{
    if items.len() < 2 || ALONE.get() || rayon::current_num_threads() < 2 {
        work(0, items);
    } else {
        divide(0, items, 1, work);
    }
}

/// [`for_each_part`] for items that take some microseconds each.
pub fn for_each_slow_part<S, F>(items: S, grain: usize, work: &F)
where
    S: Split,
    F: Fn(usize, S) + Sync,
{
    for_each_part_from(items, (grain, SLOW_PARALLEL_FROM), work);
}

fn for_each_part_from<S, F>(items: S, (grain, from): (usize, usize), work: &F)
where
    S: Split,
    F: Fn(usize, S) + Sync,
{
    if items.len() < from || ALONE.get() || rayon::current_num_threads() < 2 {
        work(0, items);
        return;
    }
    let threads = rayon::current_num_threads();
    // Four parts a thread evens out threads that are interrupted. Of little work each thread has one
    // and the same part, pass after pass: it finds in its own cache what it wrote in the last one.
    let each = (items.len() / (threads * from)).clamp(1, 4);
    let part = items.len().div_ceil(each * threads).next_multiple_of(grain.max(1));
    divide(0, items, part, work);
}

fn divide<S, F>(first: usize, items: S, part: usize, work: &F)
where
    S: Split,
    F: Fn(usize, S) + Sync,
{
    let len = items.len();
    if len <= part {
        work(first, items);
        return;
    }
    let mid = (len.div_ceil(part) / 2) * part;
    let (left, right) = items.split(mid);
    rayon::join(|| divide(first, left, part, work), || divide(first + mid, right, part, work));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_visited_once_whatever_the_thread_count() {
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut items = vec![0u32; 3 * PARALLEL_FROM + 17];
            pool.install(|| {
                for_each_part(items.as_mut_slice(), 16, &|first, part: &mut [u32]| {
                    for (i, item) in part.iter_mut().enumerate() {
                        *item += (first + i) as u32;
                    }
                });
            });
            assert!(items.iter().enumerate().all(|(i, &item)| item == i as u32));
        }
    }
}
