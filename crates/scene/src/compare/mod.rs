//! One scene under many solvers: how they are named, what is seen of each frame, what it
//! comes to. Whoever has a clock runs them and tells how long each frame took.

mod distance;
mod entry;
mod reference;
mod summary;
#[cfg(test)]
mod tests;
mod track;

pub use distance::{Distance, Trajectory, body_size};
pub use entry::{Count, Entry, EntryError};
pub use reference::{ReferencePlan, Shortfall};
pub use summary::{DistanceSummary, Energies, Summary};
pub use track::{End, Series, Track};
