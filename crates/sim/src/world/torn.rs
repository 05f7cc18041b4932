//! What has come apart of a world.

use super::World;
use crate::tearing::pieces;

impl World {
    /// Opens the sides of triangles between pairs of particles, as if the cloth had been made so.
    /// Whether anything came apart.
    pub fn slit(&mut self, pairs: &[[u32; 2]]) -> bool {
        let opened = self.tearing.slit(&mut self.model, &mut self.state, pairs);
        if opened {
            self.renew();
        }
        opened
    }

    /// The particle of [`Self::whole_model`] that each one is, or is a copy of.
    pub fn origins(&self) -> Vec<u32> {
        self.tearing.origins(self.model.particle_count())
    }

    /// Pieces that cloth has come apart into, or always was.
    pub fn pieces(&self) -> usize {
        pieces(self.model.particle_count(), &self.model.triangles)
    }
}
