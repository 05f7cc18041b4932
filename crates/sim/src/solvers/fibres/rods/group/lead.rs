//! Points that do not move by themselves.

use glam::{Mat3, Vec3};

use super::super::super::carriers::Carriers;
use super::super::super::obstacles::between;
use super::super::super::step::RootStep;
use super::super::lanes::{at, put};
use super::Group;
use crate::simd::LANES;

impl Group {
    /// Puts roots, and points that are held otherwise, where they are at a part of the step.
    pub(super) fn lead(&mut self, carriers: &Carriers, part: f32) {
        // Most roots of a group stand on the same thing.
        let mut known = None;
        for l in 0..if self.held > 0 { LANES } else { 0 } {
            let number = self.members[l.min(self.members.len() - 1)] as usize;
            let Some(carrier) = carriers.of(number) else { continue };
            let (place, axes) = match known {
                Some((other, pose)) if other == carrier => pose,
                _ => {
                    let RootStep { start, end } = carriers.step(carrier);
                    let pose = between(start, end, part);
                    (pose.position, Mat3::from_quat(pose.rotation))
                }
            };
            known = Some((carrier, (place, axes)));
            let [root, along, across] = self.roots.each_ref().map(|r| axes * Vec3::from(at(r, l)));
            put(&mut self.strip.x[0], l, (place + root).to_array());
            if self.held > 1 {
                let second = place + root + self.edge.0[l] * along;
                put(&mut self.strip.x[1], l, second.to_array());
                put(&mut self.tangents[0], l, along.to_array());
                put(&mut self.directors[0], l, across.to_array());
            }
        }
        for &(j, l, from, to) in &self.guided {
            put(&mut self.strip.x[j], l, from.lerp(to, part).to_array());
        }
    }
}
