//! Super-helices against known answers.

mod bench;
mod still;
mod swing;
mod touch;
