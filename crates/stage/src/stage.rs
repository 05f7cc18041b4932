//! A world as frames.

use glam::Vec3;
use tkanina_render::Frame;
use tkanina_scene::load::LoadedScene;
use tkanina_scene::schema::{self, Look, Show};
use tkanina_sim::world::World;

use crate::errors::StageError;
use crate::legend::Legend;

/// What of a world is shown, with everything that stays the same from frame to frame.
#[derive(Debug)]
pub struct Stage {}

/// A moment of a world as a picture.
#[derive(Clone, Debug)]
pub struct Shot {
    /// What a renderer draws.
    pub frame: Frame,
    /// Colours of the heat map, if one is shown.
    pub legend: Option<Legend>,
    /// Least and greatest corner of bodies and of obstacles near them. [m]
    pub bounds: [Vec3; 2],
}

impl Stage {
    /// Reads pictures and meshes that the scene names, and makes what does not move.
    pub fn new(_loaded: &LoadedScene, _world: &World) -> Result<Self, StageError> {
        Ok(Self {})
    }

    /// Looks otherwise from the next shot on. If a picture cannot be read nothing changes.
    pub fn set_look(&mut self, _look: &Look) -> Result<(), StageError> {
        Ok(())
    }

    /// Other lights from the next shot on; none means a sun from above.
    pub fn set_lights(&mut self, _lights: &[schema::Light]) {}

    /// The present state of the world as a picture. Arrays that did not change since the last
    /// shot are the same `Arc`s.
    pub fn shoot(&mut self, _world: &mut World, _show: &Show) -> Shot {
        Shot { frame: Frame::default(), legend: None, bounds: [Vec3::ZERO; 2] }
    }
}
