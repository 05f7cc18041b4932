//! A number for each particle: what heat maps show.

use glam::Vec3;

use crate::colliders::Shape;
use crate::colliders::step::{TOUCH_M, TOUCH_RELATIVE};
use crate::model::Model;
use crate::world::World;

/// What can be shown over a cloth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// Largest length/rest − 1 of a particle's structural edges.
    Stretch,
    /// Largest angle between two triangles at an edge that ends in the particle. [°]
    Bending,
    /// Speed. [m/s]
    Speed,
    /// 1 where a particle touches a collider, else 0.
    Contact,
    /// Size of the sum of all forces; on a held particle, what its hold bears. [N]
    Force,
}

impl Quantity {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Stretch, Self::Bending, Self::Speed, Self::Contact, Self::Force];

    /// Its unit; empty for pure numbers.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Stretch | Self::Contact => "",
            Self::Bending => "°",
            Self::Speed => "m/s",
            Self::Force => "N",
        }
    }
}

/// Distance in contact offsets up to which a particle counts as touching.
const TOUCHING: f32 = 1.5;

/// `quantity` at every particle of the present state, in place of what `out` held.
pub fn field(world: &mut World, quantity: Quantity, out: &mut Vec<f32>) {
    out.clear();
    match quantity {
        Quantity::Stretch => stretch(world, out),
        Quantity::Bending => bending(world, out),
        Quantity::Speed => out.extend(world.state().v.iter().map(Vec3::length)),
        Quantity::Contact => contact(world, out),
        Quantity::Force => out.extend(world.forces().iter().map(Vec3::length)),
    }
}

fn stretch(world: &World, out: &mut Vec<f32>) {
    let (model, x) = (world.model(), &world.state().x);
    out.resize(x.len(), f32::NEG_INFINITY);
    for edge in model.edges.edges().iter().filter(|edge| edge.rest > 0.0) {
        let [a, b] = edge.ends.map(|e| e as usize);
        let value = (x.get(b) - x.get(a)).length() / edge.rest - 1.0;
        out[a] = out[a].max(value);
        out[b] = out[b].max(value);
    }
    // A particle without edges is not stretched.
    out.iter_mut().filter(|value| **value == f32::NEG_INFINITY).for_each(|value| *value = 0.0);
}

fn bending(world: &mut World, out: &mut Vec<f32>) {
    out.resize(world.state().x.len(), 0.0);
    let (state, hinges) = world.state_and_hinges();
    for corners in hinges {
        let [a, b, start, end] = corners.map(|c| state.x.get(c as usize));
        let n1 = (a - start).cross(a - end);
        let n2 = (b - end).cross(b - start);
        // By the arc tangent: exact for flat cloth, unlike the arc cosine.
        let degrees = libm::atan2f(n1.cross(n2).length(), n1.dot(n2)).to_degrees();
        for &end in &corners[2..] {
            out[end as usize] = out[end as usize].max(degrees);
        }
    }
}

fn contact(world: &World, out: &mut Vec<f32>) {
    let Model { colliders, contact_offset, .. } = world.model();
    let x = &world.state().x;
    out.resize(x.len(), 0.0);
    for (index, collider) in colliders.iter().enumerate() {
        let pose = world.collider_pose(index);
        for (value, point) in out.iter_mut().zip(x.iter()) {
            let slack = 2.0 * (TOUCH_M + TOUCH_RELATIVE * point.abs().max_element());
            let distance = collider.shape.signed_distance(pose.local_point(point));
            if distance <= TOUCHING * contact_offset + slack {
                *value = 1.0;
            }
        }
    }
}
