//! A world as frames.

use glam::Vec3;
use tkanina_render::Frame;
use tkanina_render::frame::{Backdrop, ColorMap, Fill, Light};
use tkanina_scene::load::LoadedScene;
use tkanina_scene::schema::{self, HeatColors, HeatMap, Look, Show};
use tkanina_sim::world::World;

use crate::bodies::Bodies;
use crate::bounds::Bounds;
use crate::errors::StageError;
use crate::ground::Ground;
use crate::heat;
use crate::legend::Legend;
use crate::lights;
use crate::obstacles::Obstacles;
use crate::overlays::Overlays;
use crate::pictures::Pictures;
use crate::scenery::SceneryMeshes;
use crate::strands::StagedStrands;

/// What of a world is shown, with everything that stays the same from frame to frame.
#[derive(Debug)]
pub struct Stage {
    pictures: Pictures,
    look: Look,
    lights: Vec<schema::Light>,
    bodies: Bodies,
    strands: StagedStrands,
    obstacles: Obstacles,
    scenery: SceneryMeshes,
    scenery_bounds: Bounds,
    ground: Ground,
    overlays: Overlays,
    values: Vec<f32>,
}

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
    pub fn new(loaded: &LoadedScene, world: &World) -> Result<Self, StageError> {
        let look = loaded.scene.look.clone();
        let scenery = SceneryMeshes::load(loaded)?;
        let bounds = Bounds::of(world, scenery.bounds());
        let mut stage = Self {
            pictures: Pictures::new(loaded.dir.clone()),
            lights: loaded.scene.lights.clone(),
            bodies: Bodies::of(world),
            strands: StagedStrands::of(world),
            obstacles: Obstacles::of(world, bounds),
            scenery_bounds: scenery.bounds(),
            scenery,
            ground: Ground::of(world, bounds),
            overlays: Overlays::default(),
            values: Vec::new(),
            look,
        };
        stage.paint()?;
        Ok(stage)
    }

    /// Looks otherwise from the next shot on. If a picture cannot be read nothing changes.
    pub fn set_look(&mut self, look: &Look) -> Result<(), StageError> {
        let before = std::mem::replace(&mut self.look, look.clone());
        if let Err(error) = self.paint() {
            self.look = before;
            // These pictures were read already.
            let _ = self.paint();
            return Err(error);
        }
        Ok(())
    }

    /// Other lights from the next shot on; none means a sun from above.
    pub fn set_lights(&mut self, lights: &[schema::Light]) {
        self.lights = lights.to_vec();
    }

    /// The present state of the world as a picture. Arrays that did not change since the last
    /// shot are the same `Arc`s.
    pub fn shoot(&mut self, world: &mut World, show: &Show) -> Shot {
        let mut frame =
            Frame { lights: self.lights(show), backdrop: backdrop(&self.look), ..Frame::default() };
        self.bodies.capture(world);
        let legend = show.heat_map.as_ref().map(|map| self.measure(world, map));
        let fill = match (show.faces, show.wireframe) {
            (true, true) => Fill::FacesAndEdges,
            (true, false) => Fill::Faces,
            (false, true) => Fill::Edges,
            (false, false) => Fill::Nothing,
        };
        let heat = legend.as_ref().map(|legend| (self.values.as_slice(), legend));
        self.bodies.draw(fill, show.shading, heat, &mut frame);
        if show.faces {
            self.strands.draw(world, (&self.bodies, &self.obstacles), heat, &mut frame);
        }
        if show.colliders {
            self.obstacles.draw(world, &mut frame);
        }
        self.scenery.draw(&mut frame);
        frame.surfaces.extend(self.ground.floor());
        self.overlays.draw(world, &self.bodies, show, &mut frame);
        Shot { frame, legend, bounds: Bounds::of(world, self.scenery_bounds).corners() }
    }

    /// Gives everything its look.
    fn paint(&mut self) -> Result<(), StageError> {
        let Self { pictures, look, bodies, strands, obstacles, scenery, ground, .. } = self;
        let looks = bodies.looks(look, pictures)?;
        let obstacle_looks = obstacles.looks(look, pictures)?;
        let scenery_looks = scenery.looks(look, pictures)?;
        bodies.set_looks(looks);
        strands.set_looks(look, bodies);
        obstacles.set_looks(obstacle_looks);
        scenery.set_looks(scenery_looks);
        ground.set_look(look);
        Ok(())
    }

    fn lights(&self, show: &Show) -> Vec<Light> {
        let mut lights = lights::of(&self.lights, &self.look);
        if !show.shadows {
            lights.iter_mut().for_each(|light| light.shadows = false);
        }
        lights
    }

    /// Measures what the heat map shows and scales it to 0..1.
    fn measure(&mut self, world: &mut World, map: &HeatMap) -> Legend {
        let range = heat::measure(world, map, &mut self.values);
        let colors = match map.colors {
            HeatColors::Viridis => ColorMap::Viridis,
            HeatColors::Cividis => ColorMap::Cividis,
        };
        Legend::new(map.of, range, colors)
    }
}

fn backdrop(look: &Look) -> Backdrop {
    let vec3 = |v: schema::Vec3| Vec3::from(v.map(|c| c as f32));
    match look.background {
        Some(color) => Backdrop::Plain(vec3(color)),
        None => Backdrop::Sky {
            top: vec3(look.sky.top),
            horizon: vec3(look.sky.horizon),
            ground: vec3(look.sky.ground),
            sun_disc: look.sky.sun_disc,
        },
    }
}
