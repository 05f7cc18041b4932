//! What of the gizmo can be taken: three arrows, three rings, and the middle.

use glam::{DVec2, Vec2, Vec3};
use tkanina_render::frame::Lines;

use crate::tools::draw;
use crate::tools::view::View;

/// A part of the gizmo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// Moves along an axis of the world.
    Axis(usize),
    /// Turns about an axis of the world.
    Ring(usize),
    /// Moves parallel to the picture.
    Middle,
}

/// Axes of the world.
pub const AXES: [Vec3; 3] = Vec3::AXES;

/// Length of the arrows. [pixels]
const ARROW: f64 = 95.0;
/// Radius of the rings as a share of the arrows.
pub const RING_SHARE: f32 = 0.75;
/// Half the side of the middle's frame as a share of the arrows.
const MIDDLE_SHARE: f32 = 0.1;
/// Nearer than this the cursor takes a handle. [pixels]
const REACH: f64 = 7.0;

/// The gizmo at a place, of the same size in the picture at any distance.
#[derive(Clone, Copy, Debug)]
pub struct Handles {
    /// The middle. [m]
    pub centre: Vec3,
    /// Length of the arrows. [m]
    pub length: f32,
}

impl Handles {
    /// The gizmo at a point; none if it is behind the eye.
    pub fn at(view: &View, centre: Vec3) -> Option<Self> {
        let local = view.local(centre);
        view.place(local)?;
        Some(Self { centre, length: (ARROW * view.pixel(local.z)) as f32 })
    }

    /// The handle under the cursor. The middle goes before the arrows that leave it.
    pub fn under(&self, view: &View, pointer: Vec2) -> Option<Handle> {
        let pointer = pointer.as_dvec2();
        let away = |segments: &[[Vec3; 2]]| {
            segments.iter().map(|s| distance(view, *s, pointer)).fold(f64::INFINITY, f64::min)
        };
        let middle = distance(view, [self.centre; 2], pointer);
        if middle <= f64::from(MIDDLE_SHARE) * ARROW + 1.0 {
            return Some(Handle::Middle);
        }
        let all = (0..3).flat_map(|i| [Handle::Axis(i), Handle::Ring(i)]);
        let near = all.map(|handle| (handle, away(&self.segments(view, handle))));
        let nearest = near.min_by(|a, b| a.1.total_cmp(&b.1))?;
        (nearest.1 <= REACH).then_some(nearest.0)
    }

    /// Lines of all handles; the one that is under the cursor or taken is marked.
    pub fn lines(&self, view: &View, marked: Option<Handle>) -> Vec<Lines> {
        let all = [Handle::Axis(0), Handle::Axis(1), Handle::Axis(2), Handle::Middle];
        let all = all.into_iter().chain([Handle::Ring(0), Handle::Ring(1), Handle::Ring(2)]);
        all.map(|handle| {
            let is_marked = marked == Some(handle);
            let color = if is_marked { draw::HOVER } else { color(handle) };
            draw::lines(self.segments(view, handle), color, if is_marked { 4.0 } else { 2.5 })
        })
        .collect()
    }

    fn segments(&self, view: &View, handle: Handle) -> Vec<[Vec3; 2]> {
        match handle {
            Handle::Axis(i) => {
                let from = self.centre + AXES[i] * (self.length * MIDDLE_SHARE);
                draw::arrow(from, self.centre + AXES[i] * self.length)
            }
            Handle::Ring(i) => draw::ring(self.centre, AXES[i], RING_SHARE * self.length),
            Handle::Middle => {
                let local = view.local(self.centre);
                let Some(place) = view.place(local) else { return Vec::new() };
                let half = Vec2::splat(MIDDLE_SHARE * ARROW as f32);
                let place = place.as_vec2();
                draw::rectangle(view, [place - half, place + half], local.z as f32)
            }
        }
    }
}

fn color(handle: Handle) -> draw::Rgba {
    match handle {
        Handle::Axis(0) | Handle::Ring(0) => [230, 70, 70, 255],
        Handle::Axis(1) | Handle::Ring(1) => [90, 190, 70, 255],
        Handle::Axis(_) | Handle::Ring(_) => [70, 120, 240, 255],
        Handle::Middle => draw::FRAME,
    }
}

/// From a place in the picture to a segment as it is seen; infinite if an end is behind the eye.
fn distance(view: &View, ends: [Vec3; 2], place: DVec2) -> f64 {
    let [Some(a), Some(b)] = ends.map(|end| view.place(view.local(end))) else {
        return f64::INFINITY;
    };
    let way = b - a;
    let share = ((place - a).dot(way) / way.length_squared().max(1e-12)).clamp(0.0, 1.0);
    (a + way * share - place).length()
}
