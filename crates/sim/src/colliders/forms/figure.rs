//! A walking mannequin: flesh as a blend of round cones, meshed once, moved by its bones.

mod flesh;
mod skeleton;
mod skin;
#[cfg(test)]
mod tests;
mod walk;

use glam::Vec3;

use super::{Triangles, nets};
use flesh::Flesh;
use skin::Skin;

/// A person of some height that stands for a while, then walks, then stands again. It stands on
/// its origin, upright along y, and faces z; arms are held off the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// From the ground to the top of the head. [m]
    pub height: f64,
    /// Length of a step, from foot to foot. [m]
    pub stride: f64,
    /// Pairs of steps a second. [Hz]
    pub pace: f64,
    /// How long it stands before it walks. [s]
    pub stand: f64,
    /// How long it walks, with getting into it and out of it. [s]
    pub walk: f64,
    /// Whether it moves along z; else it walks on the spot.
    pub forward: bool,
    /// Size of the cells that its surface is found in. [m]
    pub cell: f64,
}

/// Height that the proportions are written for. [m]
pub const USUAL_HEIGHT: f64 = 1.75;

/// Frames a second: a step of a quick walk has some thirty. [Hz]
pub const FIGURE_RATE: f64 = 60.0;

/// Longest step as a share of the height: beyond it legs would have to stretch.
pub const LONGEST_STRIDE: f64 = 0.5;

impl Figure {
    /// Frames from the start to the end of the walk; the last one is held.
    pub fn frame_count(&self) -> usize {
        ((self.stand + self.walk) * FIGURE_RATE).ceil() as usize + 1
    }

    /// Its surface at rest, closed.
    pub fn at_rest(&self) -> Triangles {
        let scale = self.height / USUAL_HEIGHT;
        let (points, triangles) = self.mesh();
        Triangles { points: points.iter().map(|&p| (p * scale).as_vec3()).collect(), triangles }
    }

    /// Its triangles, and its vertices [m] at [`FIGURE_RATE`]; the first frame is the rest pose.
    pub fn frames(&self) -> (Vec<[u32; 3]>, Vec<Vec<Vec3>>) {
        let scale = self.height / USUAL_HEIGHT;
        let (points, triangles) = self.mesh();
        let skin = Skin::new(&points, &triangles, self.cell / scale);
        let frame = |number: usize| {
            let pose = walk::pose(self, number as f64 / FIGURE_RATE);
            let mut places = skin.posed(&points, &pose);
            places.iter_mut().for_each(|p| *p *= scale as f32);
            places
        };
        let frames = (0..self.frame_count()).map(frame).collect();
        (triangles, frames)
    }

    fn mesh(&self) -> (Vec<glam::DVec3>, Vec<[u32; 3]>) {
        nets::surface(&Flesh::new(), self.cell * USUAL_HEIGHT / self.height)
    }
}
