//! The body as a field: smooth union of round cones.

use glam::DVec3;

use super::super::blend::{RoundCone, rounded_union};
use super::super::nets::Field;
use super::skeleton::*;

/// A part of the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    shape: RoundCone,
    /// The bone that it goes with.
    pub bone: usize,
}

impl Part {
    /// To its surface, negative inside. [m]
    pub fn distance(&self, x: DVec3) -> f64 {
        self.shape.distance(x)
    }
}

/// φ(x) = −k ln Σ exp(−dᵢ/k): the union of all cones, rounded where they meet.
#[derive(Clone, Debug)]
pub(super) struct Flesh {
    pub cones: Vec<Part>,
}

/// The box that holds a person 1.75 m tall in the rest pose. [m]
const BOX: [DVec3; 2] = [DVec3::new(-0.85, -0.06, -0.28), DVec3::new(0.85, 1.81, 0.34)];

/// k: how far unions are rounded. [m]
const ROUNDING: f64 = 0.012;

impl Flesh {
    /// A person 1.75 m tall.
    pub fn new() -> Self {
        let mut cones = vec![
            cone(CHEST, [0.0, 1.45, -0.014], 0.054, [0.0, 1.56, -0.004], 0.048),
            cone(HEAD, [0.0, 1.585, 0.034], 0.052, [0.0, 1.658, 0.0], 0.088),
            // Breast bar and hips.
            cone(CHEST, [-0.085, 1.3, 0.0], 0.102, [0.085, 1.3, 0.0], 0.102),
            cone(PELVIS, [-0.07, 0.95, 0.0], 0.105, [0.07, 0.95, 0.0], 0.105),
        ];
        for (k, side) in [(0, 1.0), (1, -1.0)] {
            let at = |x: f64, y: f64, z: f64| [side * x, y, z];
            cones.extend([
                cone(CHEST, at(0.085, 1.3, 0.0), 0.102, at(0.056, 1.1, 0.0), 0.092),
                cone(PELVIS, at(0.056, 1.1, 0.0), 0.092, at(0.072, 0.95, 0.0), 0.105),
                cone(CHEST, at(0.085, 1.3, 0.0), 0.1, at(0.13, 1.39, 0.0), 0.068),
                // From the neck over the shoulder.
                cone(CHEST, at(0.02, 1.46, -0.012), 0.048, at(0.15, 1.415, 0.0), 0.056),
            ]);
            let joints = |bone: usize| joint(bone + k);
            let wrist = wrist(side);
            let hand = wrist + along_arm(side) * 0.05;
            let fingers = wrist + along_arm(side) * 0.13;
            cones.extend([
                limb(UPPER_ARM + k, joints(UPPER_ARM), 0.056, joints(FOREARM), 0.046),
                limb(FOREARM + k, joints(FOREARM), 0.046, wrist, 0.035),
                limb(FOREARM + k, hand, 0.041, fingers, 0.031),
                limb(THIGH + k, joints(THIGH), 0.086, joints(SHIN), 0.056),
                limb(SHIN + k, joints(SHIN), 0.055, joints(FOOT), 0.042),
                // The calf.
                limb(
                    SHIN + k,
                    joints(SHIN) + DVec3::new(0.0, -0.08, -0.012),
                    0.05,
                    joints(SHIN) + DVec3::new(0.0, -0.2, -0.01),
                    0.046,
                ),
                limb(
                    FOOT + k,
                    joints(FOOT) + DVec3::new(0.0, -0.04, -0.03),
                    0.045,
                    joints(FOOT) + DVec3::new(side * 0.02, -0.048, 0.14),
                    0.036,
                ),
            ]);
        }
        Self { cones }
    }

    /// The bone of the cone that is nearest.
    pub fn bone(&self, x: DVec3) -> usize {
        let by = |a: &&Part, b: &&Part| a.distance(x).total_cmp(&b.distance(x));
        self.cones.iter().min_by(by).map_or(PELVIS, |cone| cone.bone)
    }
}

impl Field for Flesh {
    fn distance(&self, x: DVec3) -> f64 {
        rounded_union(self.cones.iter().map(|c| c.distance(x)), ROUNDING)
    }

    fn bounds(&self) -> [DVec3; 2] {
        BOX
    }
}

fn cone(bone: usize, a: [f64; 3], ra: f64, b: [f64; 3], rb: f64) -> Part {
    limb(bone, DVec3::from(a), ra, DVec3::from(b), rb)
}

fn limb(bone: usize, a: DVec3, ra: f64, b: DVec3, rb: f64) -> Part {
    Part { shape: RoundCone { ends: [a, b], radii: [ra, rb] }, bone }
}
