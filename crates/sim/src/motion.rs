//! How colliders and pins move: poses as functions of time.
//!
//! Every function here is of time alone, never of the previous pose, so that a
//! long run drifts by nothing and a run resumed half-way sees the same poses.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3, Quat, Vec3};

/// world = rotation · local + position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Where the local origin is in the world [m].
    pub position: Vec3,
    /// Unit quaternion that turns local directions into world ones.
    pub rotation: Quat,
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// A way of moving, applied to a rest pose. Axes and velocities are of the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Motion {
    /// Stays at the rest pose.
    #[default]
    Static,
    /// p(t) = p₀ + v t.
    Linear {
        /// Constant velocity [m/s].
        velocity: Vec3,
    },
    /// Turns about an axis through a pivot: q(t) = exp(axis · ω t / 2).
    Rotate {
        /// Axis of rotation; its length does not matter, zero means no turning.
        axis: Vec3,
        /// Angular speed ω [rad/s], counter-clockwise about the axis.
        rad_s: f64,
        /// Fixed point of the world [m]; `None` turns the body on the spot.
        pivot: Option<Vec3>,
    },
    /// p(t) = p₀ + A sin(2π f t + φ).
    Oscillate {
        /// Amplitude A [m].
        amplitude: Vec3,
        /// Frequency f [Hz].
        frequency_hz: f64,
        /// Phase φ at t = 0 [rad].
        phase_rad: f64,
    },
    /// World poses over time, in place of the rest pose. A track without
    /// rotations keeps the rotation of the rest pose.
    Keyframes(Track),
}

/// Keyframes: positions between them by straight lines, rotations by slerp,
/// held at the first and last.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    times: Vec<f64>,
    positions: Vec<Vec3>,
    rotations: Option<Vec<Quat>>,
}

/// Why keyframes make no track.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TrackError {
    /// There is no keyframe.
    #[error("a track needs at least one keyframe")]
    Empty,
    /// The lists differ in length.
    #[error("{times} times, but {found} {what}")]
    Length {
        /// Number of times.
        times: usize,
        /// Number of the other thing.
        found: usize,
        /// The other thing.
        what: &'static str,
    },
    /// A time is not after the one before.
    #[error("the time of keyframe {index} is not after the one before it")]
    Order {
        /// The later keyframe.
        index: usize,
    },
    /// A number is infinite or not a number, or a rotation has no length.
    #[error("keyframe {index} is not a finite time, position and rotation")]
    NotFinite {
        /// The keyframe.
        index: usize,
    },
}

impl Pose {
    /// World and local coordinates are the same.
    pub const IDENTITY: Pose = Pose { position: Vec3::ZERO, rotation: Quat::IDENTITY };

    /// Not turned.
    pub fn at(position: Vec3) -> Self {
        Self { position, rotation: Quat::IDENTITY }
    }

    /// World coordinates of a local point.
    #[inline]
    pub fn point(&self, local: Vec3) -> Vec3 {
        self.rotation * local + self.position
    }

    /// World components of a local direction.
    #[inline]
    pub fn vector(&self, local: Vec3) -> Vec3 {
        self.rotation * local
    }

    /// Local coordinates of a world point. Subtracts before it turns: near the
    /// body, far from the origin, this keeps the bits that `inverse` would lose.
    #[inline]
    pub fn local_point(&self, world: Vec3) -> Vec3 {
        self.rotation.conjugate() * (world - self.position)
    }

    /// Local components of a world direction.
    #[inline]
    pub fn local_vector(&self, world: Vec3) -> Vec3 {
        self.rotation.conjugate() * world
    }

    /// First `inner`, then this one.
    pub fn compose(&self, inner: Pose) -> Self {
        let rotation = (self.rotation * inner.rotation).normalize();
        Self { position: self.point(inner.position), rotation }
    }

    /// local_from_world.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { position: rotation * -self.position, rotation }
    }
}

impl Motion {
    /// The pose at time `t` [s] of a body whose rest pose is `rest`.
    pub fn pose_at(&self, rest: Pose, t: f64) -> Pose {
        match self {
            Motion::Static => rest,
            Motion::Linear { velocity } => Pose {
                position: (rest.position.as_dvec3() + velocity.as_dvec3() * t).as_vec3(),
                ..rest
            },
            Motion::Rotate { axis, rad_s, pivot } => {
                let turn = turn_about(axis.as_dvec3(), rad_s * t);
                let rotation = (turn * rest.rotation.as_dquat()).normalize().as_quat();
                let position = match pivot {
                    None => rest.position,
                    Some(pivot) => {
                        let arm = rest.position.as_dvec3() - pivot.as_dvec3();
                        (pivot.as_dvec3() + turn * arm).as_vec3()
                    }
                };
                Pose { position, rotation }
            }
            Motion::Oscillate { amplitude, frequency_hz, phase_rad } => {
                let angle = (TAU * ((frequency_hz * t) % 1.0)) + phase_rad;
                let offset = amplitude.as_dvec3() * libm::sin(angle);
                Pose { position: (rest.position.as_dvec3() + offset).as_vec3(), ..rest }
            }
            Motion::Keyframes(track) => Pose {
                position: track.position_at(t),
                rotation: track.rotation_at(t).unwrap_or(rest.rotation),
            },
        }
    }
}

impl Track {
    /// Keyframes at strictly rising `times` [s] with world positions [m] and,
    /// if the body also turns, world rotations (normalised here).
    pub fn new(
        times: Vec<f64>,
        positions: Vec<Vec3>,
        rotations: Option<Vec<Quat>>,
    ) -> Result<Self, TrackError> {
        let count = times.len();
        if count == 0 {
            return Err(TrackError::Empty);
        }
        if positions.len() != count {
            let found = positions.len();
            return Err(TrackError::Length { times: count, found, what: "positions" });
        }
        if let Some(index) =
            (0..count).find(|&i| !times[i].is_finite() || !positions[i].is_finite())
        {
            return Err(TrackError::NotFinite { index });
        }
        if let Some(index) = (1..count).find(|&i| times[i] <= times[i - 1]) {
            return Err(TrackError::Order { index });
        }
        let rotations = rotations.map(|turns| normalised(&turns, count)).transpose()?;
        Ok(Self { times, positions, rotations })
    }

    /// Position at time `t` [m].
    pub fn position_at(&self, t: f64) -> Vec3 {
        let (i, j, s) = self.interval(t);
        if s == 0.0 {
            return self.positions[i];
        }
        let from: DVec3 = self.positions[i].as_dvec3();
        (from + (self.positions[j].as_dvec3() - from) * s).as_vec3()
    }

    /// Rotation at time `t`, if the track has rotations.
    pub fn rotation_at(&self, t: f64) -> Option<Quat> {
        let (i, j, s) = self.interval(t);
        let turns = self.rotations.as_ref()?;
        if s == 0.0 {
            return Some(turns[i]);
        }
        Some(turns[i].as_dquat().slerp(turns[j].as_dquat(), s).normalize().as_quat())
    }

    /// Time of the last keyframe [s].
    pub fn end(&self) -> f64 {
        self.times[self.times.len() - 1]
    }

    /// The keyframes on either side of `t` and how far between them `t` lies.
    fn interval(&self, t: f64) -> (usize, usize, f64) {
        let after = self.times.partition_point(|&time| time <= t);
        if after == 0 {
            return (0, 0, 0.0);
        }
        if after == self.times.len() {
            return (after - 1, after - 1, 0.0);
        }
        let (from, to) = (self.times[after - 1], self.times[after]);
        (after - 1, after, (t - from) / (to - from))
    }
}

/// The rotation by `angle` [rad] about `axis`. The angle is reduced first: an
/// hour of turning is as exact as a second.
fn turn_about(axis: DVec3, angle: f64) -> DQuat {
    let axis = axis.normalize_or_zero();
    let half = 0.5 * (angle % (2.0 * TAU));
    let xyz = axis * libm::sin(half);
    if axis == DVec3::ZERO {
        return DQuat::IDENTITY;
    }
    DQuat::from_xyzw(xyz.x, xyz.y, xyz.z, libm::cos(half))
}

fn normalised(turns: &[Quat], count: usize) -> Result<Vec<Quat>, TrackError> {
    if turns.len() != count {
        return Err(TrackError::Length { times: count, found: turns.len(), what: "rotations" });
    }
    let unit = |(index, turn): (usize, &Quat)| {
        let length = turn.as_dquat().length();
        if !length.is_finite() || length < 1e-6 {
            return Err(TrackError::NotFinite { index });
        }
        Ok(turn.as_dquat().normalize().as_quat())
    };
    turns.iter().enumerate().map(unit).collect()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI};

    use super::*;

    fn assert_close(a: Vec3, b: Vec3, tolerance: f32) {
        assert!((a - b).length() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn inverse_undoes_a_pose() {
        let rotation = Quat::from_xyzw(0.1, -0.5, 0.3, 0.7).normalize();
        let pose = Pose { position: Vec3::new(1.0, 2.0, 3.0), rotation };
        let p = Vec3::new(-0.3, 0.2, 0.9);
        assert_close(pose.inverse().point(pose.point(p)), p, 1e-6);
        assert_close(pose.local_point(pose.point(p)), p, 1e-6);
        assert_close(pose.local_vector(pose.vector(p)), p, 1e-6);
    }

    #[test]
    fn a_quarter_turn_about_a_pivot() {
        let rest = Pose::at(Vec3::new(2.0, 0.0, 0.0));
        let motion = Motion::Rotate { axis: Vec3::Y * 3.0, rad_s: FRAC_PI_2, pivot: Some(Vec3::X) };
        let pose = motion.pose_at(rest, 1.0);
        assert_close(pose.position, Vec3::new(1.0, 0.0, -1.0), 1e-6);
        assert_close(pose.vector(Vec3::X), -Vec3::Z, 1e-6);
        // 10⁶ whole turns later (four seconds each) nothing has drifted.
        let later = motion.pose_at(rest, 1.0 + 4.0e6);
        assert_close(later.position, pose.position, 1e-6);
    }

    #[test]
    fn oscillation_and_line_follow_their_formulas() {
        let rest = Pose::at(Vec3::Y);
        let motion =
            Motion::Oscillate { amplitude: Vec3::X, frequency_hz: 2.0, phase_rad: PI / 6.0 };
        assert_close(motion.pose_at(rest, 0.0).position, Vec3::new(0.5, 1.0, 0.0), 1e-6);
        assert_close(motion.pose_at(rest, 0.25).position, Vec3::new(-0.5, 1.0, 0.0), 1e-6);
        let motion = Motion::Linear { velocity: Vec3::Z };
        assert_close(motion.pose_at(rest, 2.5).position, Vec3::new(0.0, 1.0, 2.5), 0.0);
    }

    #[test]
    fn a_track_is_held_at_its_ends_and_slerps_between() {
        let turns = vec![Quat::IDENTITY, Quat::from_xyzw(0.0, 0.0, 2.0, 2.0)];
        let track = Track::new(vec![1.0, 3.0], vec![Vec3::ZERO, Vec3::X], Some(turns)).unwrap();
        assert_eq!(track.position_at(-1.0), Vec3::ZERO);
        assert_eq!(track.position_at(9.0), Vec3::X);
        assert_close(track.position_at(1.5), Vec3::X * 0.25, 1e-7);
        // Half of a quarter turn about Z.
        let half = track.rotation_at(2.0).unwrap() * Vec3::X;
        assert_close(half, Vec3::new(1.0, 1.0, 0.0).normalize(), 1e-6);
        assert_eq!(track.position_at(f64::NAN), Vec3::ZERO);
    }

    #[test]
    fn unusable_tracks_say_why() {
        let points = vec![Vec3::ZERO, Vec3::X];
        assert_eq!(Track::new(vec![], vec![], None), Err(TrackError::Empty));
        let order = Track::new(vec![1.0, 1.0], points.clone(), None);
        assert_eq!(order, Err(TrackError::Order { index: 1 }));
        let nan = Track::new(vec![0.0, f64::NAN], points.clone(), None);
        assert_eq!(nan, Err(TrackError::NotFinite { index: 1 }));
        let short = Track::new(vec![0.0], points, None);
        assert!(matches!(short, Err(TrackError::Length { .. })));
        let flat = Track::new(vec![0.0], vec![Vec3::X], Some(vec![Quat::from_array([0.0; 4])]));
        assert_eq!(flat, Err(TrackError::NotFinite { index: 0 }));
    }
}
