//! How mouse and keys move the eye.
//!
//! Modern profile: the middle button, or the left one on empty space or with Alt, orbits about the
//! target; the right one, or the middle one with Shift, pans; the wheel goes to the cursor; a double
//! click looks at what is there. Classic profile (002): the mouse looks round, W A S D, Space and C
//! fly. In both, keys turn about three axes, go nearer and farther, and zoom (001).

mod axes;
mod flight;
mod orbit;

use glam::{Vec2, Vec3};
use tkanina_render::Camera;

use crate::action::Action;
use crate::preferences::CameraProfile;
use crate::tools::visible::Sight;
use crate::tools::{ToolContext, ToolInput, Used};

pub use axes::turn_and_zoom;
pub use flight::{fly, look_round};
pub use orbit::{focus, orbit, pan, zoom_to};

/// Keys that are held down, each −1, 0 or 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Movement {
    /// Flight along the sight.
    pub forward: f32,
    /// Flight to the right.
    pub right: f32,
    /// Flight up.
    pub up: f32,
    /// Round the up axis, to the right.
    pub yaw: f32,
    /// Round the right axis, to the top.
    pub pitch: f32,
    /// Round the line of sight, clockwise.
    pub roll: f32,
    /// Towards the target.
    pub nearer: f32,
    /// Narrower view.
    pub zoom: f32,
    /// All of it faster.
    pub fast: bool,
}

/// What a button of the mouse does to the camera until it is released.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Drag {
    Orbit,
    Pan,
}

/// How the person moves the camera.
#[derive(Clone, Debug, Default)]
pub struct CameraControl {
    drag: Option<Drag>,
    last: Option<Vec2>,
}

/// Distance to the target as a share of the scene's size: nearer shows nothing, farther is a dot. [1]
const DISTANCE_SHARES: [f32; 2] = [1e-3, 100.0];

impl CameraControl {
    /// Moves the camera as mouse and keys say; a changed one is pushed as [`Action::Look`].
    pub fn update(
        &mut self,
        input: &ToolInput,
        context: &ToolContext,
        held: &CameraKeys,
        actions: &mut Vec<Action>,
    ) {
        let reach = Reach::of(context.snapshot.bounds);
        let mut camera = *context.camera;
        turn_and_zoom(&mut camera, &held.movement, input.dt, &reach);
        match held.profile {
            CameraProfile::Modern => self.modern(&mut camera, input, held.used, context),
            CameraProfile::Classic => {
                self.drag = None;
                fly(&mut camera, &held.movement, input.dt, &reach);
                if held.bound {
                    look_round(&mut camera, input.motion);
                }
            }
        }
        if camera != *context.camera && finite(&camera) {
            actions.push(Action::Look(camera));
        }
    }

    /// Whether a button that went down moves the camera until it goes up.
    pub fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    fn modern(
        &mut self,
        camera: &mut Camera,
        input: &ToolInput,
        used: Used,
        context: &ToolContext,
    ) {
        let Some(pointer) = input.pointer else {
            (self.drag, self.last) = (None, None);
            return;
        };
        if input.double_click
            && let Some(point) = Sight::new(*context, input.size).surface(pointer)
        {
            focus(camera, point);
        }
        if !(input.primary.down || input.secondary.down || input.middle.down) {
            self.drag = None;
        } else if self.drag.is_none() {
            self.drag = begun(input, used);
        }
        if let (Some(drag), Some(last)) = (self.drag, self.last) {
            match drag {
                Drag::Orbit => orbit(camera, (pointer - last) / input.size.y),
                Drag::Pan => pan(camera, last, pointer, input.size),
            }
        }
        self.last = Some(pointer);
        if input.scroll != 0.0 && !used.wheel {
            let reach = Reach::of(context.snapshot.bounds);
            zoom_to(camera, pointer, input.size, reach.step(camera, input.scroll));
        }
    }
}

/// What besides the mouse decides how the camera moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CameraKeys {
    /// Keys that are down.
    pub movement: Movement,
    /// The profile in use.
    pub profile: CameraProfile,
    /// Whether the cursor is bound to the picture, so that the mouse looks round (classic).
    pub bound: bool,
    /// What a tool took of the mouse.
    pub used: Used,
}

fn begun(input: &ToolInput, used: Used) -> Option<Drag> {
    if input.middle.pressed {
        return Some(if input.modifiers.shift { Drag::Pan } else { Drag::Orbit });
    }
    if used.pointer {
        return None;
    }
    if input.primary.pressed {
        return Some(Drag::Orbit);
    }
    input.secondary.pressed.then_some(Drag::Pan)
}

/// How large the scene is, and so how fast and how far to go.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// Diagonal of the scene. [m]
    pub size: f32,
}

impl Reach {
    /// Of a scene within two corners. [m]
    pub fn of([low, high]: [Vec3; 2]) -> Self {
        let size = (high - low).length();
        Self { size: if size.is_finite() { size.max(0.1) } else { 1.0 } }
    }

    /// Factor on the distance to the target after some notches of the wheel, within bounds.
    pub fn step(&self, camera: &Camera, notches: f32) -> f32 {
        let distance = (camera.target - camera.eye).length().max(f32::MIN_POSITIVE);
        let [least, most] = DISTANCE_SHARES.map(|s| s * self.size);
        let wanted = distance * 0.88f32.powf(notches);
        wanted.clamp(least.min(distance), most.max(distance)) / distance
    }
}

fn finite(camera: &Camera) -> bool {
    camera.eye.is_finite() && camera.target.is_finite() && camera.up.is_finite()
}

#[cfg(test)]
mod tests;
