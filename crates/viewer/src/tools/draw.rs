//! Marks that tools draw into the picture.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};
use tkanina_render::frame::{Lines, Points};

use super::view::View;

/// Marks of tools.
pub type Marks = (Vec<Lines>, Vec<Points>);

/// A colour with its opacity.
pub type Rgba = [u8; 4];

/// What is under the cursor.
pub const HOVER: Rgba = [255, 214, 64, 255];
/// What a tool acts on.
pub const ACTIVE: Rgba = [255, 128, 32, 255];
/// What is held.
pub const HELD: Rgba = [235, 64, 64, 255];
/// Frames and rectangles.
pub const FRAME: Rgba = [255, 255, 255, 220];

/// Segments that show through everything.
pub fn lines(segments: Vec<[Vec3; 2]>, color: Rgba, width: f32) -> Lines {
    Lines { segments: segments.into(), colors: [color].into(), width, on_top: true }
}

/// Dots that show through everything.
pub fn points(positions: Vec<Vec3>, color: Rgba, size: f32) -> Points {
    Points { positions: positions.into(), colors: [color].into(), size, on_top: true }
}

/// A rectangle of the picture as a frame in the world, at a depth. [pixels, m]
pub fn rectangle(view: &View, [a, b]: [Vec2; 2], depth: f32) -> Vec<[Vec3; 2]> {
    let corners = [a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)];
    let corners = corners.map(|place| view.world(view.ray(place) * f64::from(depth)));
    closed(&corners)
}

/// An arrow between two points with a head of four barbs, so that it is seen from all sides.
pub fn arrow(from: Vec3, to: Vec3) -> Vec<[Vec3; 2]> {
    let Some(way) = (to - from).try_normalize() else {
        return Vec::new();
    };
    let barb = 0.2 * (to - from).length();
    let side = way.any_orthonormal_vector();
    let other = way.cross(side);
    let barbs = [side, -side, other, -other].map(|s| [to, to - (way - 0.5 * s) * barb]);
    [[from, to]].into_iter().chain(barbs).collect()
}

/// A circle about an axis.
pub fn ring(centre: Vec3, axis: Vec3, radius: f32) -> Vec<[Vec3; 2]> {
    const CORNERS: usize = 64;
    let side = axis.any_orthonormal_vector();
    let other = axis.cross(side);
    let corner = |i: usize| {
        let (sin, cos) = (TAU * i as f32 / CORNERS as f32).sin_cos();
        centre + (side * cos + other * sin) * radius
    };
    closed(&std::array::from_fn::<Vec3, CORNERS, _>(corner))
}

fn closed(corners: &[Vec3]) -> Vec<[Vec3; 2]> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(&a, &b)| [a, b]).collect()
}
