//! From the cursor's way to a shift in the world.

use std::f32::consts::PI;

use glam::{Quat, Vec2, Vec3};
use tkanina_render::Camera;
use tkanina_sim::motion::Pose;

use super::handles::{AXES, Handle, Handles, RING_SHARE};

/// Shift and Ctrl move in steps of this. [m]
const STEP: f32 = 0.05;
/// Shift and Ctrl turn in steps of this. [rad]
const STEP_ANGLE: f32 = 5.0 * PI / 180.0;
/// A ring whose plane is seen flatter than this is turned along its edge. [1]
const EDGE_ON: f32 = 0.15;
/// An arrow along the sight cannot be pulled. [1]
const END_ON: f32 = 1e-3;

/// A handle that is being pulled.
#[derive(Clone, Copy, Debug)]
pub struct Drag {
    /// The handle.
    pub handle: Handle,
    centre: Vec3,
    radius: f32,
    /// Where along the handle it was taken.
    start: Grip,
}

/// A place along a handle.
#[derive(Clone, Copy, Debug)]
enum Grip {
    /// On a line. [m]
    Line { through: Vec3, along: Vec3, at: f32 },
    /// On a ring. [rad]
    Ring { axis: Vec3, at: f32 },
    /// On the plane parallel to the picture. [m]
    Plane { normal: Vec3, at: Vec3 },
}

/// The cursor and the eye.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    /// The eye.
    pub camera: &'a Camera,
    /// Size of the picture. [pixels]
    pub size: Vec2,
    /// The cursor. [pixels]
    pub pointer: Vec2,
}

impl Cursor<'_> {
    fn ray(&self) -> Vec3 {
        self.camera.ray(self.pointer, self.size)
    }

    /// Where on a line the cursor's ray is nearest to it; none for a line along the ray. [m]
    fn on_line(&self, through: Vec3, along: Vec3) -> Option<f32> {
        let (ray, arm) = (self.ray(), self.camera.eye - through);
        let cosine = ray.dot(along);
        let sine2 = 1.0 - cosine * cosine;
        (sine2 > END_ON).then(|| (along.dot(arm) - cosine * ray.dot(arm)) / sine2)
    }

    /// Where the cursor's ray meets a plane before the eye. [m]
    fn on_plane(&self, through: Vec3, normal: Vec3) -> Option<Vec3> {
        let ray = self.ray();
        let t = (through - self.camera.eye).dot(normal) / ray.dot(normal);
        (t.is_finite() && t > 0.0).then(|| self.camera.eye + ray * t)
    }

    fn angle(&self, centre: Vec3, axis: Vec3) -> Option<f32> {
        let arm = self.on_plane(centre, axis)? - centre;
        let side = axis.any_orthonormal_vector();
        (arm.length() > 1e-9).then(|| arm.dot(axis.cross(side)).atan2(arm.dot(side)))
    }
}

impl Drag {
    /// Takes a handle; none if it is seen so that it cannot be pulled.
    pub fn begin(handle: Handle, handles: &Handles, cursor: Cursor) -> Option<Self> {
        let centre = handles.centre;
        let radius = RING_SHARE * handles.length;
        let start = match handle {
            Handle::Axis(i) => line(centre, AXES[i], cursor)?,
            Handle::Middle => {
                let normal = cursor.camera.forward();
                Grip::Plane { normal, at: cursor.on_plane(centre, normal)? }
            }
            Handle::Ring(i) => {
                let sight = (centre - cursor.camera.eye).normalize_or(Vec3::NEG_Z);
                if sight.dot(AXES[i]).abs() >= EDGE_ON {
                    Grip::Ring { axis: AXES[i], at: cursor.angle(centre, AXES[i])? }
                } else {
                    // The near edge of the ring looks like a line, and turns as a wheel on it.
                    let near = (-sight - AXES[i] * (-sight).dot(AXES[i])).normalize_or(Vec3::Y);
                    line(centre + near * radius, AXES[i].cross(near), cursor)?
                }
            }
        };
        Some(Self { handle, centre, radius, start })
    }

    /// The shift in the world since the handle was taken; none if the cursor points past it.
    pub fn shift(&self, cursor: Cursor, snap: bool) -> Option<Pose> {
        let way = match self.start {
            Grip::Plane { normal, at } => {
                let way = cursor.on_plane(self.centre, normal)? - at;
                return Some(Pose::at(if snap { (way / STEP).round() * STEP } else { way }));
            }
            Grip::Ring { axis, at } => cursor.angle(self.centre, axis)? - at,
            Grip::Line { through, along, at } => cursor.on_line(through, along)? - at,
        };
        let snapped =
            |value: f32, step: f32| if snap { (value / step).round() * step } else { value };
        Some(match (self.handle, self.start) {
            (Handle::Ring(i), Grip::Line { .. }) => {
                self.turn(AXES[i], snapped(way / self.radius, STEP_ANGLE))
            }
            (Handle::Ring(i), _) => self.turn(AXES[i], snapped(way, STEP_ANGLE)),
            (Handle::Axis(i), _) => Pose::at(AXES[i] * snapped(way, STEP)),
            (Handle::Middle, _) => Pose::IDENTITY,
        })
    }

    fn turn(&self, axis: Vec3, angle: f32) -> Pose {
        let rotation = Quat::from_axis_angle(axis, angle);
        Pose { position: self.centre - rotation * self.centre, rotation }
    }
}

fn line(through: Vec3, along: Vec3, cursor: Cursor) -> Option<Grip> {
    let at = cursor.on_line(through, along)?;
    Some(Grip::Line { through, along, at })
}
