//! A simulation as pictures and films: what of a world is shown, and how.

mod cameras;
mod legend;

pub use cameras::NamedCamera;
pub use legend::Legend;
