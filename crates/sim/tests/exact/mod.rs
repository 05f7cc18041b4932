//! Whether moving points touch, decided in whole numbers: nothing here is rounded.

pub mod families;
mod polynomial;
mod touch;

pub use touch::touches;
