//! Forces from outside the body: air in motion and what it does to a surface.

pub mod air;
pub mod turbulence;
pub mod wind;

pub use air::add_air_forces;
pub use turbulence::Turbulence;
pub use wind::{
    Shelter, WindKind, WindSource, add_wind_forces, air_velocity, uniform_air_velocity,
};
