//! Threads, the clock, files, dialogs and the desktop: all that differs between machines.
//!
//! No other file of this crate reaches for them; a test looks.

#[cfg(not(target_arch = "wasm32"))]
mod native;

#[cfg(not(target_arch = "wasm32"))]
pub use native::*;

#[cfg(test)]
mod tests;
