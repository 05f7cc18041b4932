//! Whether moving points touch, decided in whole numbers: nothing here is rounded.

pub mod families;
mod gap;
mod polynomial;
mod touch;

pub use gap::gap_is_at_least;
pub use touch::touches;
