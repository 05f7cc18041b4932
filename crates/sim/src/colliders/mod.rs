//! Rigid things that particles may not enter: shapes, how they move, how
//! particles respond.
//!
//! A shape knows only its local frame; [`Pose`] brings any position and
//! rotation. Friction and restitution live in [`response`] alone.

mod bounds;
pub mod box_;
pub mod capsule;
mod contact;
pub mod distance_field;
pub mod forms;
mod meet;
pub mod mesh;
pub mod mesh_shape;
mod nearest;
mod obstacle;
pub mod plane;
pub mod response;
mod round;
pub mod sphere;
pub mod step;
mod together;

use glam::Vec3;

pub use box_::ColliderBox;
pub use capsule::ColliderCapsule;
pub use distance_field::DistanceField;
pub use mesh::{MeshCollider, MeshPath};
pub use mesh_shape::ColliderMesh;
pub(crate) use nearest::NearestTriangle;
pub use plane::ColliderPlane;
pub use response::{ContactSettings, Obstacles, Particles, resolve};
pub use sphere::ColliderSphere;
pub use step::{ColliderStep, prepare_steps};

pub use crate::aabb::Aabb;
use crate::motion::{Motion, Pose};

/// One rigid obstacle.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// What the scene calls it.
    pub name: String,
    /// Its form in its own frame.
    pub shape: ColliderShape,
    /// Its pose before any motion.
    pub rest: Pose,
    /// How it moves from there.
    pub motion: Motion,
    /// Coulomb coefficient μ of static and sliding friction.
    pub friction: f32,
    /// Restitution e: speed after over speed before an impact, 0 to 1.
    pub restitution: f32,
}

/// The forms a collider can have.
#[derive(Clone, Debug, PartialEq)]
pub enum ColliderShape {
    /// A ball.
    Sphere(ColliderSphere),
    /// A rectangular box.
    Box(ColliderBox),
    /// Everything below a plane.
    Plane(ColliderPlane),
    /// A rod with round ends.
    Capsule(ColliderCapsule),
    /// Triangles: the pose of a [`MeshCollider`].
    Mesh(ColliderMesh),
    /// A closed mesh as samples of the distance to it.
    DistanceField(DistanceField),
}

/// Where a moving point met a shape, in the shape's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// How far along its path it came in: 0 at the start (also when it was in
    /// already), 1 at the end.
    pub fraction: f32,
    /// A point of the tangent plane that holds it off [m].
    pub point: Vec3,
    /// Unit outward normal of that plane.
    pub normal: Vec3,
}

/// The place on a surface nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// The nearest point of the surface [m].
    pub point: Vec3,
    /// Unit outward normal there.
    pub normal: Vec3,
    /// Distance, negative inside [m].
    pub distance: f32,
}

/// What every form answers, in its own frame.
pub trait Shape {
    /// Where a point travelling `from` → `to` must be held off so that it stays
    /// `offset` [m] outside. Finds a path that ends inside and one that passes
    /// right through; `None` if the path is free.
    fn hit(&self, from: Vec3, to: Vec3, offset: f32) -> Option<Hit>;

    /// The nearest place on the surface.
    fn closest(&self, point: Vec3) -> Closest;

    /// Bounds of the shape; infinite for unbounded shapes.
    fn aabb(&self) -> Aabb;

    /// The least t ≥ 0 at which `origin + t · direction` is in the shape.
    fn ray(&self, origin: Vec3, direction: Vec3) -> Option<f32>;

    /// Whether a straight line between two of its points stays inside. Where one does not,
    /// holding a point off one place may put it into another.
    fn is_convex(&self) -> bool {
        true
    }

    /// Distance to the surface, negative inside [m].
    fn signed_distance(&self, point: Vec3) -> f32 {
        self.closest(point).distance
    }
}

impl ColliderShape {
    fn inner(&self) -> &dyn Shape {
        match self {
            Self::Sphere(shape) => shape,
            Self::Box(shape) => shape,
            Self::Plane(shape) => shape,
            Self::Capsule(shape) => shape,
            Self::Mesh(shape) => shape,
            Self::DistanceField(shape) => shape,
        }
    }
}

impl Shape for ColliderShape {
    fn hit(&self, from: Vec3, to: Vec3, offset: f32) -> Option<Hit> {
        match self {
            Self::Sphere(shape) => shape.hit(from, to, offset),
            Self::Box(shape) => shape.hit(from, to, offset),
            Self::Plane(shape) => shape.hit(from, to, offset),
            Self::Capsule(shape) => shape.hit(from, to, offset),
            Self::Mesh(shape) => shape.hit(from, to, offset),
            Self::DistanceField(shape) => shape.hit(from, to, offset),
        }
    }

    fn closest(&self, point: Vec3) -> Closest {
        self.inner().closest(point)
    }

    fn aabb(&self) -> Aabb {
        self.inner().aabb()
    }

    fn ray(&self, origin: Vec3, direction: Vec3) -> Option<f32> {
        self.inner().ray(origin, direction)
    }

    fn is_convex(&self) -> bool {
        !matches!(self, Self::DistanceField(_))
    }
}

impl Collider {
    /// A collider at rest without friction or restitution.
    pub fn new(name: impl Into<String>, shape: ColliderShape, rest: Pose) -> Self {
        let name = name.into();
        Self { name, shape, rest, motion: Motion::Static, friction: 0.0, restitution: 0.0 }
    }

    /// Its pose at time `t` [s].
    pub fn pose_at(&self, t: f64) -> Pose {
        self.motion.pose_at(self.rest, t)
    }
}

#[cfg(test)]
mod response_tests;
#[cfg(test)]
mod swept_tests;
#[cfg(test)]
mod together_tests;
