//! Results that are kept as long as the arrays they were computed from come back.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Draws after which what was not asked for is dropped.
pub(crate) const KEEP_DRAWS: u64 = 4;

/// Values by the identity of shared arrays. Each value's owner holds those arrays, so that an
/// address is not used again while it is a key.
#[derive(Debug)]
pub(crate) struct Memo<K, V> {
    entries: HashMap<K, Entry<V>>,
    draw: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    last_used: u64,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self { entries: HashMap::new(), draw: 0 }
    }
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    /// Begins a draw and drops what was long unused.
    pub fn begin(&mut self) {
        self.draw += 1;
        let draw = self.draw;
        self.entries.retain(|_, entry| draw - entry.last_used <= KEEP_DRAWS);
    }

    /// The value of `key`, made if it is not there.
    pub fn get_or(&mut self, key: K, make: impl FnOnce() -> V) -> V {
        let draw = self.draw;
        let entry =
            self.entries.entry(key).or_insert_with(|| Entry { value: make(), last_used: draw });
        entry.last_used = draw;
        entry.value.clone()
    }
}

/// Identity of a shared array: its address and length.
pub(crate) fn identity<T>(array: &Arc<[T]>) -> (usize, usize) {
    (array.as_ptr() as usize, array.len())
}
