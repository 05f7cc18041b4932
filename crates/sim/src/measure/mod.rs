//! What is true of a state. Used by statistics, tests and plots alike.

mod crossings;
mod energy;
mod field;
mod hash;
mod strands;
mod stretch;
mod volume;

pub(crate) use crossings::side;
pub use crossings::{
    Crossing, Through, crosses, crossings, crossings_exhaustive, crossings_within,
};
pub(crate) use energy::stored;
pub use energy::{Energy, angular_momentum, energy, momentum, unresolved};
pub use field::{Quantity, field};
pub use hash::state_hash;
pub use strands::{Passage, passages};
pub use stretch::{Stretch, stretch, stretch_of};
pub use volume::volume;

use crate::soa::Soa3;
use crate::state::State;

/// Largest speed and whose it is. [m/s]
pub fn fastest(v: &Soa3) -> (usize, f32) {
    let mut best = (0, 0.0f32);
    for i in 0..v.len() {
        let speed = v.get(i).length_squared();
        if speed > best.1 {
            best = (i, speed);
        }
    }
    (best.0, best.1.sqrt())
}

/// Number of particles with a coordinate that is not finite.
pub fn nonfinite(state: &State) -> usize {
    (0..state.x.len())
        .filter(|&i| !(state.x.get(i).is_finite() && state.v.get(i).is_finite()))
        .count()
}
