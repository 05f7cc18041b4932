//! Running a simulation frame by frame, with what is seen on the way.

mod expect;
mod frame;
mod held_up;
mod record;
mod restart;
mod stats;

pub use expect::unmet;
pub use frame::FrameBuffer;
pub use held_up::{HeldUp, tangled_start};
pub use record::Record;
pub(crate) use restart::come_apart;
pub use restart::{RestoreError, checkpoint, restore};
pub use stats::{Elements, EnergyStats, FrameMs, Stats, StretchStats};

use tkanina_sim::explosion::Explosion;

use crate::build::Simulation;

impl Simulation {
    /// Simulates one frame. The world stays at the last good frame if it explodes.
    pub fn advance(&mut self) -> Result<(), Explosion> {
        self.world.advance_frame(self.schedule.frame_s, self.schedule.substeps)
    }

    /// Frames done since the run started.
    pub fn frame(&self) -> u64 {
        let before = (self.start_s / self.step_s()).round() as u64;
        self.world.state().step.saturating_sub(before) / u64::from(self.schedule.substeps)
    }
}
