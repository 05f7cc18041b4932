//! What is measured of each frame, for plots.

use std::collections::VecDeque;
use std::sync::Arc;

use tkanina_sim::measure;
use tkanina_sim::world::World;

use crate::snapshot::Measure;

/// Measures of the last frames.
#[derive(Debug, Default)]
pub struct Measures {
    kept: VecDeque<Measure>,
    most: usize,
    shared: Option<Arc<[Measure]>>,
}

impl Measures {
    /// Forgets everything and keeps so many from now on.
    pub fn restart(&mut self, most: usize) {
        *self = Self { most: most.max(2), ..Self::default() };
    }

    /// Keeps more or less from now on.
    pub fn set_most(&mut self, most: usize) {
        self.most = most.max(2);
    }

    /// Keeps a frame's; those from it on, of another course of events, are forgotten.
    pub fn keep(&mut self, measure: Measure) {
        while self.kept.back().is_some_and(|last| last.frame_number >= measure.frame_number) {
            self.kept.pop_back();
        }
        while self.kept.len() >= self.most {
            self.kept.pop_front();
        }
        self.kept.push_back(measure);
        self.shared = None;
    }

    /// All, oldest first.
    pub fn share(&mut self) -> Arc<[Measure]> {
        self.shared.get_or_insert_with(|| self.kept.iter().copied().collect()).clone()
    }
}

/// Measures a world; times are the caller's to fill in.
pub fn measure(world: &World, frame_number: u64) -> Measure {
    let (model, state) = (world.model(), world.state());
    let energy = measure::energy(model, state);
    let stretch = measure::stretch_of(model, state);
    Measure {
        frame_number,
        time: state.time,
        kinetic: energy.kinetic,
        elastic: energy.elastic,
        gravity: energy.gravity,
        stretch_max: stretch.max,
        stretch_mean: stretch.mean,
        contacts: state.contacts,
        ..Measure::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(frame_number: u64) -> Measure {
        Measure { frame_number, ..Measure::default() }
    }

    #[test]
    fn the_newest_are_kept_in_order() {
        let mut measures = Measures::default();
        measures.restart(4);
        (0..10).for_each(|frame| measures.keep(at(frame)));
        let shared = measures.share();
        assert!(Arc::ptr_eq(&shared, &measures.share()));
        measures.keep(at(8));
        let frames = |list: &[Measure]| list.iter().map(|m| m.frame_number).collect::<Vec<_>>();
        assert_eq!(frames(&shared), [6, 7, 8, 9]);
        assert_eq!(frames(&measures.share()), [6, 7, 8]);
    }
}
