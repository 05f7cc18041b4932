//! Bodies of fibres as strands.

mod grounds;
mod looks;

use std::sync::Arc;

use glam::Vec3;
use tkanina_render::Frame;
use tkanina_render::frame::{StrandDisplay, Strands};
use tkanina_scene::schema::Look;
use tkanina_sim::strands::StrandSet;
use tkanina_sim::world::World;

use crate::bodies::Bodies;
use crate::keep::keep;
use crate::legend::Legend;
use crate::obstacles::Obstacles;
use grounds::Ground;
use looks::StrandFinish;

/// All bodies of fibres, with what stays the same from frame to frame.
#[derive(Debug)]
pub struct StagedStrands {
    sets: Vec<StagedSet>,
}

#[derive(Debug)]
struct StagedSet {
    /// Its number among the bodies.
    body: usize,
    /// Followers too.
    count: usize,
    /// Distance of roots from their neighbours. [m]
    spacing: f32,
    points: Arc<[Vec3]>,
    ranges: Arc<[[u32; 2]]>,
    values: Arc<[f32]>,
    finish: StrandFinish,
    ground: Option<Ground>,
    /// What is collected before it is known whether it is new.
    scratch: Scratch,
}

#[derive(Debug, Default)]
struct Scratch {
    points: Vec<Vec3>,
    ranges: Vec<[u32; 2]>,
    values: Vec<f32>,
}

impl StagedStrands {
    /// The fibres of a world, without a look as yet.
    pub fn of(world: &World) -> Self {
        let stage = |set: &StrandSet| {
            let mut staged = StagedSet {
                body: set.body,
                count: set.strands.len() + set.followers.as_ref().map_or(0, |f| f.len()),
                spacing: 0.0,
                points: Arc::from([]),
                ranges: Arc::from([]),
                values: Arc::from([]),
                finish: StrandFinish::default(),
                ground: None,
                scratch: Scratch::default(),
            };
            staged.capture(world, set);
            staged.spacing = grounds::spacing(&staged.points, &staged.ranges);
            staged.finish = looks::of_its_own(&set.fibre, staged.count);
            staged
        };
        Self { sets: world.model().strands.iter().map(stage).collect() }
    }

    /// Gives each body of fibres its look, what the scene says over a look of its own.
    pub fn set_looks(&mut self, look: &Look, bodies: &Bodies) {
        for set in &mut self.sets {
            let (name, finish) = bodies.finish(set.body);
            set.finish.dress(look.bodies.get(name), finish, (set.count, set.spacing));
        }
    }

    /// Puts all fibres into a frame, where they are now. `heat` is a value from 0 to 1 for each
    /// particle.
    pub fn draw(
        &mut self,
        world: &World,
        (bodies, obstacles): (&Bodies, &Obstacles),
        heat: Option<(&[f32], &Legend)>,
        frame: &mut Frame,
    ) {
        for (staged, set) in self.sets.iter_mut().zip(&world.model().strands) {
            if staged.finish.hidden {
                continue;
            }
            staged.capture(world, set);
            let mut look = staged.finish.look;
            let values = heat.map(|(values, legend)| {
                look.color_map = legend.map;
                staged.measure(set, values);
                keep(&mut staged.values, &staged.scratch.values)
            });
            let ground = (look.display == StrandDisplay::Shells).then(|| {
                let known = staged.ground.take();
                let seen = (set, world, bodies, obstacles);
                let ground = known.unwrap_or_else(|| {
                    Ground::under(seen, (&staged.points, &staged.ranges), staged.spacing)
                });
                let drawn = ground.draw(seen);
                staged.ground = Some(ground);
                drawn
            });
            frame.strands.push(Strands {
                points: staged.points.clone(),
                ranges: staged.ranges.clone(),
                values,
                ground,
                look,
            });
        }
    }
}

impl StagedSet {
    /// Takes the present points of a set and of its followers.
    fn capture(&mut self, world: &World, set: &StrandSet) {
        let state = world.state();
        let Scratch { points, ranges, .. } = &mut self.scratch;
        points.clear();
        ranges.clear();
        let cut = |particle: usize| state.fibres.is_cut([particle as u32, particle as u32 + 1]);
        for strand in &set.strands {
            let mut first = points.len() as u32;
            for particle in strand.particles() {
                points.push(state.x.get(particle));
                if cut(particle) {
                    ranges.push([first, points.len() as u32 - first]);
                    first = points.len() as u32;
                }
            }
            ranges.push([first, points.len() as u32 - first]);
        }
        if let Some(followers) = &set.followers {
            let guides = (&state.x, &state.fibres.directors);
            for follower in 0..followers.len() {
                let first = points.len() as u32;
                followers.points(follower, &set.strands, guides, points);
                let count = points.len() as u32 - first;
                // What its first guide has lost is gone of it too.
                let kept = followers.guides[follower].first().and_then(|&guide| {
                    let guide = set.strands.get(guide as usize)?;
                    let place = guide.particles().position(cut)?;
                    Some(place as f32 / guide.count.saturating_sub(1).max(1) as f32)
                });
                let longest = followers.lengths[follower].max(1e-3);
                let kept = kept.map_or(1.0, |part| (part / longest).min(1.0));
                ranges.push([first, (count as f32 * kept).ceil() as u32]);
            }
        }
        // A point alone is no strand.
        ranges.retain(|range| range[1] > 1);
        keep(&mut self.points, points);
        keep(&mut self.ranges, ranges);
    }

    /// Takes a value for each point from those of particles.
    fn measure(&mut self, set: &StrandSet, of: &[f32]) {
        let values = &mut self.scratch.values;
        values.clear();
        for strand in &set.strands {
            values.extend(&of[strand.particles()]);
        }
        if let Some(followers) = &set.followers {
            for follower in 0..followers.len() {
                followers.values(follower, &set.strands, of, values);
            }
        }
    }
}
