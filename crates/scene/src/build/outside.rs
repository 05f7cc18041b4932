//! Gravity, wind and pushes.

use tkanina_sim::forces::{PointAction, PointForce, Turbulence, WindKind, WindSource};
use tkanina_sim::motion::Track;

use super::{Build, vec3};
use crate::check::steps;
use crate::schema::{Force, Wind};

impl Build<'_> {
    pub(super) fn gravity(&mut self) {
        let keys = &self.loaded.scene.gravity_keyframes;
        if keys.is_empty() {
            return;
        }
        let times = keys.iter().map(|key| key.t_s).collect();
        let pulls = keys.iter().map(|key| vec3(key.gravity_m_s2)).collect();
        match Track::new(times, pulls, None) {
            Ok(track) => self.builder.set_gravity_track(track),
            Err(error) => self.problem(
                &steps!["gravity_keyframes"],
                error.to_string(),
                "put keyframes in the order of time",
            ),
        }
    }

    pub(super) fn outside(&mut self) {
        let scene = &self.loaded.scene;
        for wind in &scene.air.wind {
            let kind = match wind {
                Wind::Uniform { velocity_m_s, .. } => {
                    WindKind::Uniform { velocity: vec3(*velocity_m_s) }
                }
                Wind::Turbulent { mean_m_s, rms_m_s, length_m, seed, .. } => {
                    let eddies =
                        Turbulence::new(*rms_m_s as f32, *length_m as f32, u64::from(*seed));
                    WindKind::Turbulent { mean: vec3(*mean_m_s), turbulence: Box::new(eddies) }
                }
                Wind::Force { force_n, .. } => WindKind::Force { force: vec3(*force_n) },
            };
            let sheltered_by =
                wind.sheltered_by().iter().filter_map(|name| self.collider_index(name)).collect();
            self.builder.add_wind(WindSource { kind, sheltered_by });
        }
        for (index, force) in scene.forces.iter().enumerate() {
            let (body, select) = force.target();
            let Some(chosen) = self.chosen(body, select, &steps!["forces", index]) else {
                continue;
            };
            let action = match force {
                Force::Punch { impulse_n_s, at_s, .. } => {
                    PointAction::Punch { impulse: vec3(*impulse_n_s), at: *at_s }
                }
                Force::Hold { force_n, from_s, until_s, .. } => PointAction::Hold {
                    force: vec3(*force_n),
                    from: *from_s,
                    until: until_s.unwrap_or(f64::INFINITY),
                },
            };
            let particles = chosen.into_iter().map(|p| p as u32).collect();
            self.builder.add_point_force(PointForce { particles, action });
        }
    }
}
