//! Friction on a plate.

use glam::DVec2;

use super::sample::Sample;

/// Rounds in which it is found out how the plate itself goes.
const ROUNDS: usize = 2;

/// Takes from the ways along a plate what friction does: of each point's way against the plate at most
/// μ times what it was pressed out.
///
/// The plate goes as what rubs on it takes it, along and about its normal: then
/// Σ w (s − P − Ω r⊥) = 0 and Σ w r⊥·(s − P − Ω r⊥) = 0, w the mass that friction can stop, so that both
/// sides get opposite impulses and moments.
pub(super) fn drag(samples: &mut [Sample], friction: f64) {
    if friction <= 0.0 {
        samples.iter_mut().for_each(|s| s.stop = DVec2::ZERO);
        return;
    }
    // `stop.x` holds the part of a point's way that friction can stop.
    samples.iter_mut().for_each(|s| s.stop.x = 1.0);
    for _ in 0..ROUNDS {
        let plate = Motion::of(samples);
        for s in samples.iter_mut() {
            let slid = (s.way - plate.at(s.along)).length();
            let most = friction * s.lack;
            s.stop.x = if slid > most { most / slid } else { 1.0 };
        }
    }
    // With these parts the plate is balanced.
    let plate = Motion::of(samples);
    for s in samples {
        let part = s.stop.x;
        s.stop = (plate.at(s.along) - s.way) * part;
    }
}

/// How a plate goes along itself.
#[derive(Clone, Copy, Debug, Default)]
struct Motion {
    way: DVec2,
    /// About its normal, at `middle`. [rad]
    turn: f64,
    middle: DVec2,
}

impl Motion {
    fn of(samples: &[Sample]) -> Self {
        let weight = |s: &Sample| s.mass * s.stop.x;
        let sum: f64 = samples.iter().map(weight).sum();
        if !(sum > 0.0) {
            return Self::default();
        }
        let middle = samples.iter().map(|s| s.along * weight(s)).sum::<DVec2>() / sum;
        let way = samples.iter().map(|s| s.way * weight(s)).sum::<DVec2>() / sum;
        let (mut moment, mut inertia) = (0.0, 0.0);
        for s in samples {
            let arm = s.along - middle;
            moment += weight(s) * arm.perp_dot(s.way - way);
            inertia += weight(s) * arm.length_squared();
        }
        let turn = if inertia > 0.0 { moment / inertia } else { 0.0 };
        Self { way, turn, middle }
    }

    fn at(&self, along: DVec2) -> DVec2 {
        self.way + (along - self.middle).perp() * self.turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six points above that slide over six below, each as hard pressed as the one across.
    fn sliding(speed: f64, spin: f64) -> Vec<Sample> {
        let point = |k: usize| {
            let (angle, side) = ((k / 2) as f64, if k.is_multiple_of(2) { 1.0 } else { -1.0 });
            let along = DVec2::new(angle.cos(), angle.sin()) * 0.02 * (1.0 + (k / 2 % 3) as f64);
            let turning = along.perp() * spin;
            let way = if side > 0.0 { DVec2::new(speed, 0.0) + turning } else { DVec2::ZERO };
            let (mass, lack) = (1.0 + 0.2 * angle, 1e-3);
            Sample { mass, along, side, lack, way, ..Sample::default() }
        };
        (0..12).map(point).collect()
    }

    fn check_balance(samples: &[Sample]) {
        let push: DVec2 = samples.iter().map(|s| s.stop * s.mass).sum();
        let moment: f64 = samples.iter().map(|s| s.along.perp_dot(s.stop) * s.mass).sum();
        let size: f64 = samples.iter().map(|s| s.stop.length() * s.mass).sum();
        assert!(push.length() < 1e-12 * size.max(1e-9), "{push} of {size}");
        assert!(moment.abs() < 1e-12 * size.max(1e-9), "{moment} of {size}");
    }

    #[test]
    fn what_sticks_goes_on_together() {
        let mut samples = sliding(2e-4, 1e-3);
        drag(&mut samples, 0.5);
        check_balance(&samples);
        let after = |s: &Sample| s.way + s.stop;
        let plate = Motion::of(&sliding_with_all(&samples));
        for s in &samples {
            assert!((after(s) - plate.at(s.along)).length() < 1e-12, "{s:?}");
        }
    }

    fn sliding_with_all(samples: &[Sample]) -> Vec<Sample> {
        let mut all = samples.to_vec();
        all.iter_mut().for_each(|s| s.stop = DVec2::X);
        all
    }

    #[test]
    fn what_slides_is_slowed_by_the_coefficient() {
        let mut samples = sliding(0.1, 0.0);
        drag(&mut samples, 0.3);
        check_balance(&samples);
        for s in &samples {
            let most = 0.3 * s.lack;
            assert!((s.stop.length() - most).abs() < 0.05 * most, "{s:?}");
            assert!(s.stop.x * s.side < 0.0);
        }
    }
}
