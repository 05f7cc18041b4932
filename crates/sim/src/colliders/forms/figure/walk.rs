//! Where bones are at a time.

use glam::{DAffine3, DQuat, DVec3};

use super::skeleton::*;
use super::{Figure, USUAL_HEIGHT};

/// Getting into the walk and out of it takes this. [s]
const EASE: f64 = 1.0;
/// From hip to sole. [m]
const LEG: f64 = 0.93;
/// Arms swing by this part of what legs do.
const ARM_SWING: f64 = 0.55;
/// Knees bend by this part of what hips do, when a leg swings forward.
const KNEE: f64 = 1.9;
/// How far elbows are bent in a walk. [rad]
const ELBOW: f64 = 0.3;
/// Turn of pelvis and chest about the upright, against each other, as parts of what hips do.
const TWIST: [f64; 2] = [0.2, 0.22];
/// Feet keep so much of their level.
const LEVEL: f64 = 0.75;
/// Below this difference in height both soles count as lowest. [m]
const BOTH_FEET: f64 = 0.004;

/// What moves each bone from the rest pose to that at `time` [s], for the usual height.
pub(super) fn pose(figure: &Figure, time: f64) -> [DAffine3; BONES] {
    let since = (time - figure.stand).clamp(0.0, figure.walk);
    let ease = EASE.min(0.5 * figure.walk);
    let effort = smooth(since / ease) * smooth((figure.walk - since) / ease);
    let stride = figure.stride * USUAL_HEIGHT / figure.height;
    // Both legs swing out to ±θ: a step is 2·leg·sin θ long.
    let reach = libm::asin((0.5 * stride / LEG).clamp(0.0, 0.7)) * effort;
    let phase = std::f64::consts::TAU * figure.pace * since;
    let mut bones = turned(reach, effort, phase);
    let foot = |bone: usize| soles(bone).map(|sole| bones[bone].transform_point3(sole).y - sole.y);
    let lowest = [foot(FOOT), foot(FOOT + 1)].concat();
    let travel = if figure.forward {
        2.0 * stride * figure.pace * eased(since, ease, figure.walk)
    } else {
        0.0
    };
    let root = DAffine3::from_translation(DVec3::new(0.0, -soft_least(&lowest), travel));
    bones.iter_mut().for_each(|bone| *bone = root * *bone);
    bones
}

/// Bones for legs that swing to ±`reach` [rad] at a phase [rad]; pelvis where it rests.
fn turned(reach: f64, effort: f64, phase: f64) -> [DAffine3; BONES] {
    let about = DQuat::from_axis_angle;
    let mut own = [DQuat::IDENTITY; BONES];
    let swing = libm::sin(phase);
    own[PELVIS] = about(DVec3::Y, -TWIST[0] * reach * swing);
    own[CHEST] = about(DVec3::Y, (TWIST[0] + TWIST[1]) * reach * swing);
    own[HEAD] = about(DVec3::Y, -TWIST[1] * reach * swing);
    for (k, phase) in [(0, phase), (1, phase + std::f64::consts::PI)] {
        let swing = libm::sin(phase);
        // Forward is against the turn about x.
        let hip = -reach * swing;
        let lift = 0.5 * (1.0 + libm::cos(phase + 0.35));
        let knee = KNEE * reach * lift * lift + 0.12 * reach;
        own[THIGH + k] = about(DVec3::X, hip);
        own[SHIN + k] = about(DVec3::X, knee);
        own[FOOT + k] = about(DVec3::X, -LEVEL * (hip + knee));
        own[UPPER_ARM + k] = about(DVec3::X, ARM_SWING * reach * swing);
        own[FOREARM + k] = about(DVec3::X, -ELBOW * effort * (1.0 - 0.4 * swing));
    }
    let mut bones = [DAffine3::IDENTITY; BONES];
    for bone in 0..BONES {
        let at = joint(bone);
        let turn = DAffine3::from_translation(at)
            * DAffine3::from_quat(own[bone])
            * DAffine3::from_translation(-at);
        // Parents have lower numbers; the pelvis is its own.
        bones[bone] = if bone == PELVIS { turn } else { bones[PARENT[bone]] * turn };
    }
    bones
}

/// 3s² − 2s³ between 0 and 1.
fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// ∫ of the effort from 0 to t. [s]
fn eased(t: f64, ease: f64, whole: f64) -> f64 {
    // ∫ (3s² − 2s³) ds = s³ − s⁴/2.
    let rise = |t: f64| {
        let s = (t / ease.max(1e-9)).clamp(0.0, 1.0);
        ease * (s * s * s - 0.5 * s * s * s * s) + (t - ease).max(0.0)
    };
    // Going out is coming in backwards; the two never overlap.
    let out = rise((whole - t).max(0.0));
    if t < 0.5 * whole { rise(t) } else { 2.0 * rise(0.5 * whole) - out }
}

/// −k ln (Σ exp(−h/k)/n): the least, but smooth in time.
fn soft_least(heights: &[f64]) -> f64 {
    let least = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let sum: f64 = heights.iter().map(|h| libm::exp(-(h - least) / BOTH_FEET)).sum();
    least - BOTH_FEET * libm::log(sum / heights.len() as f64)
}
