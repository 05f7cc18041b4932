//! What acts on particles from outside, and the sum of all forces.

mod air;
mod conditions;
mod evaluate;
mod external;
mod free;
mod grab;
mod own_colliders;
mod passes;
mod point_force;
mod turbulence;
mod wind;

pub use air::{air_force, drag_force};
pub use conditions::Conditions;
pub(crate) use evaluate::add_pushes;
pub use evaluate::{Workspace, evaluate};
pub(crate) use free::only_weight;
pub use free::{free_velocities, only_weight_acts, only_weight_and_medium_act};
pub use point_force::{PointAction, PointForce};
pub use turbulence::Turbulence;
pub use wind::{
    Shelter, WindKind, WindSource, add_wind_forces, air_velocity, uniform_air_velocity,
};
