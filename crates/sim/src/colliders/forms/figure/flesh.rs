//! The body as a field: smooth union of round cones.

use glam::DVec3;

use super::skeleton::*;

/// All between two balls, and them: a ball rolling from one end to the other while its radius
/// changes evenly.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundCone {
    ends: [DVec3; 2],
    radii: [f64; 2],
    /// The bone that it goes with.
    pub bone: usize,
}

impl RoundCone {
    /// |x − p| − r at the place p of the axis whose ball is nearest, negative inside. [m]
    pub fn distance(&self, x: DVec3) -> f64 {
        let [a, b] = self.ends;
        let axis = b - a;
        let length = axis.length();
        let slope = (self.radii[0] - self.radii[1]) / length;
        let along = (x - a).dot(axis) / length;
        let across = (x - a - axis * (along / length)).length();
        // The nearest ball lies where the cone's generator meets the foot of x.
        let lean = slope / (1.0 - slope * slope).max(1e-9).sqrt();
        let t = ((along - across * lean) / length).clamp(0.0, 1.0);
        (x - a - axis * t).length() - (self.radii[0] + (self.radii[1] - self.radii[0]) * t)
    }
}

/// φ(x) = −k ln Σ exp(−dᵢ/k): the union of all cones, rounded where they meet.
#[derive(Clone, Debug)]
pub(super) struct Flesh {
    pub cones: Vec<RoundCone>,
}

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

    /// φ. [m]
    pub fn distance(&self, x: DVec3) -> f64 {
        let least = self.cones.iter().map(|c| c.distance(x)).fold(f64::INFINITY, f64::min);
        let near = |c: &RoundCone| {
            let over = (c.distance(x) - least) / ROUNDING;
            // Beyond this a cone adds less than rounding.
            if over > 40.0 { 0.0 } else { libm::exp(-over) }
        };
        least - ROUNDING * libm::log(self.cones.iter().map(near).sum())
    }

    /// ∇φ by central differences.
    pub fn gradient(&self, x: DVec3) -> DVec3 {
        let step = 1e-5;
        let along =
            |e: DVec3| (self.distance(x + e * step) - self.distance(x - e * step)) / (2.0 * step);
        DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
    }

    /// The bone of the cone that is nearest.
    pub fn bone(&self, x: DVec3) -> usize {
        let by = |a: &&RoundCone, b: &&RoundCone| a.distance(x).total_cmp(&b.distance(x));
        self.cones.iter().min_by(by).map_or(PELVIS, |cone| cone.bone)
    }
}

fn cone(bone: usize, a: [f64; 3], ra: f64, b: [f64; 3], rb: f64) -> RoundCone {
    limb(bone, DVec3::from(a), ra, DVec3::from(b), rb)
}

fn limb(bone: usize, a: DVec3, ra: f64, b: DVec3, rb: f64) -> RoundCone {
    RoundCone { ends: [a, b], radii: [ra, rb], bone }
}
