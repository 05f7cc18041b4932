//! Bones and joints of a person 1.75 m tall in the rest pose.

use glam::DVec3;

/// Number of bones.
pub(super) const BONES: usize = 13;

/// Bones by number; pairs have the left one first, which is at +x.
pub(super) const PELVIS: usize = 0;
pub(super) const CHEST: usize = 1;
pub(super) const HEAD: usize = 2;
pub(super) const UPPER_ARM: usize = 3;
pub(super) const FOREARM: usize = 5;
pub(super) const THIGH: usize = 7;
pub(super) const SHIN: usize = 9;
pub(super) const FOOT: usize = 11;

/// The bone that each hangs on; the pelvis on none.
pub(super) const PARENT: [usize; BONES] = [
    PELVIS,
    PELVIS,
    CHEST,
    CHEST,
    CHEST,
    UPPER_ARM,
    UPPER_ARM + 1,
    PELVIS,
    PELVIS,
    THIGH,
    THIGH + 1,
    SHIN,
    SHIN + 1,
];

/// Arms are raised so far from hanging: then sleeves never reach the sides. [rad]
const RAISED: f64 = 0.87;
const UPPER_ARM_LENGTH: f64 = 0.28;
const FOREARM_LENGTH: f64 = 0.25;

/// Where a bone turns about, in the rest pose. [m]
pub(super) fn joint(bone: usize) -> DVec3 {
    // Left bones of pairs have odd numbers.
    let side = if bone % 2 == 1 { 1.0 } else { -1.0 };
    let at = |x: f64, y: f64, z: f64| DVec3::new(side * x, y, z);
    match bone {
        PELVIS => DVec3::new(0.0, 0.95, 0.0),
        CHEST => DVec3::new(0.0, 1.09, 0.0),
        HEAD => DVec3::new(0.0, 1.5, 0.0),
        3 | 4 => at(0.165, 1.415, 0.0),
        5 | 6 => joint(bone - 2) + along_arm(side) * UPPER_ARM_LENGTH,
        7 | 8 => at(0.09, 0.93, 0.0),
        9 | 10 => at(0.1, 0.5, 0.0),
        _ => at(0.106, 0.085, 0.0),
    }
}

/// The wrist of the left (1) or right (−1) side. [m]
pub(super) fn wrist(side: f64) -> DVec3 {
    let elbow = joint(if side > 0.0 { FOREARM } else { FOREARM + 1 });
    elbow + along_arm(side) * FOREARM_LENGTH
}

/// The direction of an arm.
pub(super) fn along_arm(side: f64) -> DVec3 {
    DVec3::new(side * libm::sin(RAISED), -libm::cos(RAISED), 0.0)
}

/// Sole below the ankle and below the ball of the foot: what must not go below the ground. [m]
pub(super) fn soles(bone: usize) -> [DVec3; 2] {
    let ankle = joint(bone);
    let (heel, ball) = (DVec3::new(0.0, -0.08, -0.02), DVec3::new(0.0, -0.08, 0.13));
    [ankle + heel, ankle + ball]
}
