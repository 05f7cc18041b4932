//! Arrays that stay the same `Arc` while they stay the same.

use std::sync::Arc;

/// Puts `new` in place of `kept` if it is otherwise, and gives what is kept.
pub fn keep<T: Clone + PartialEq>(kept: &mut Arc<[T]>, new: &[T]) -> Arc<[T]> {
    if **kept != *new {
        *kept = Arc::from(new);
    }
    kept.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_another_array() {
        let mut kept: Arc<[u8]> = Arc::from([]);
        let first = keep(&mut kept, &[1, 2]);
        assert!(Arc::ptr_eq(&first, &keep(&mut kept, &[1, 2])));
        let second = keep(&mut kept, &[1, 3]);
        assert!(!Arc::ptr_eq(&first, &second));
        assert_eq!((first.as_ref(), second.as_ref()), (&[1u8, 2][..], &[1u8, 3][..]));
    }
}
