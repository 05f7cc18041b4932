//! What holds the first point of a strand.

use glam::{DMat3, DVec3, Quat, Vec3};

use crate::motion::{Pose, Track};

/// What holds the first point of a strand.
#[derive(Clone, Debug, PartialEq)]
pub struct Root {
    /// How it moves.
    pub path: RootPath,
    /// Whether the direction of the first edge, and its twist, are held too.
    pub clamped: bool,
}

/// How a root moves.
#[derive(Clone, Debug, PartialEq)]
pub enum RootPath {
    /// Nothing holds it.
    Free,
    /// It stays.
    Fixed,
    /// Start plus the track's position, turned about a centre by its rotation.
    Track {
        /// Positions relative to the start.
        track: Track,
        /// Centre of the turning. [m]
        centre: Vec3,
    },
    /// Carried by a collider, by index.
    Collider(usize),
    /// Carried by a triangle that moves: x = Σ weight·corner, turned with the triangle.
    Skin {
        /// Its corners.
        corners: SkinCorners,
        /// Weights of the corners, which add up to 1.
        weights: [f32; 3],
    },
}

/// Corners of a triangle that roots stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkinCorners {
    /// Particles of another body.
    Particles([u32; 3]),
    /// Vertices of mesh colliders, counted as `State::obstacles` does.
    Obstacles([u32; 3]),
}

/// The place of a point of a triangle and how the triangle is turned: its first side along x, its
/// normal along z.
pub fn skin_pose([a, b, c]: [Vec3; 3], weights: [f32; 3]) -> Pose {
    let [a, b, c] = [a, b, c].map(|p| p.as_dvec3());
    let [p, q, r] = weights.map(f64::from);
    let at = a * p + b * q + c * r;
    let x = (b - a).try_normalize().unwrap_or(DVec3::X);
    let z = (b - a).cross(c - a).try_normalize().unwrap_or_else(|| x.any_orthonormal_vector());
    let turn = glam::DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z)).as_quat();
    Pose { position: at.as_vec3(), rotation: Quat::from_array(turn.to_array()).normalize() }
}

/// The pose at a time [s] of what carries a root, but for colliders and triangles.
pub fn root_carrier_pose(path: &RootPath, time: f64) -> Pose {
    match path {
        RootPath::Track { track, centre } => {
            let turn = track.rotation_at(time).unwrap_or(Quat::IDENTITY);
            let position = *centre + track.position_at(time) - turn * *centre;
            Pose { position, rotation: turn }
        }
        _ => Pose::IDENTITY,
    }
}
