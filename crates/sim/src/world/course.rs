//! What of a model follows from the time.

use super::World;
use crate::model::Model;
use crate::strands::Strand;

impl World {
    /// Brings everything to the present time.
    pub(super) fn follow_time(&mut self) {
        turn_gravity(&mut self.model, self.state.time);
        self.grip_and_let_go();
    }

    /// Holds and frees particles whose holds end at a time or change by hand. What is held
    /// follows from the time and the hands alone, so that any state may be gone back to.
    fn grip_and_let_go(&mut self) {
        let Model { holds, mass, inverse_mass, grip_version, strands, .. } = &mut self.model;
        let (now, hands) = (self.state.time, &self.state.hands);
        let freed = |mass: f32| if mass > 0.0 { 1.0 / mass } else { 0.0 };
        if std::mem::take(&mut self.regrip) {
            inverse_mass.iter_mut().zip(mass).for_each(|(w, mass)| *w = freed(*mass));
        } else if holds.iter().all(|hold| hold.until == f64::INFINITY) {
            return;
        } else {
            for hold in holds.iter().filter(|hold| !hold.acts_at(now)) {
                inverse_mass[hold.particle as usize] = freed(mass[hold.particle as usize]);
            }
        }
        *grip_version += 1;
        // A particle is free only if none of its holds acts.
        for hold in holds.iter().filter(|hold| hands.leaves(hold, now)) {
            inverse_mass[hold.particle as usize] = 0.0;
        }
        let rods = strands.iter().filter(|set| set.law.is_rod());
        for particle in rods.flat_map(|set| &set.strands).flat_map(Strand::held) {
            inverse_mass[particle] = 0.0;
        }
        for pin in &hands.pins {
            inverse_mass[pin.particle as usize] = 0.0;
        }
    }
}

/// Gravity as it is at a time. [s]
pub(super) fn turn_gravity(model: &mut Model, time: f64) {
    if let Some(track) = &model.gravity_track {
        model.gravity = track.position_at(time);
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::builder::ModelBuilder;
    use crate::motion::Track;
    use crate::solvers::SolverKind;
    use crate::world::World;

    #[test]
    fn what_falls_follows_gravity_as_it_turns() {
        let mut builder = ModelBuilder::new(Vec3::ZERO);
        let pulls = vec![Vec3::new(0.0, -10.0, 0.0), Vec3::new(10.0, 0.0, 0.0)];
        builder.set_gravity_track(Track::new(vec![0.0, 1.0], pulls, None).unwrap());
        builder.add_particle(1.0, Vec3::ZERO, Vec3::ZERO);
        let (model, state) = builder.build();
        let mut world = World::new(model, state, SolverKind::SemiImplicitEuler);
        assert_eq!(world.model().gravity, Vec3::new(0.0, -10.0, 0.0));
        for _ in 0..100 {
            world.advance_frame(0.01, 10).unwrap();
        }
        // v = ∫g dt, and what lies beyond the last keyframe stays as it is.
        let fallen = world.state().v.get(0) - Vec3::new(5.0, -5.0, 0.0);
        assert!(fallen.length() < 0.02, "{fallen}");
        let half = world.state().clone();
        world.advance_frame(1.0, 1000).unwrap();
        let then = world.state().v.get(0) - Vec3::new(15.0, -5.0, 0.0);
        assert!(then.length() < 0.03, "{then}");
        world.restore(half);
        assert!((world.model().gravity - Vec3::new(10.0, 0.0, 0.0)).length() < 1e-4);
    }
}
