//! What is drawn over the surfaces: particles, springs, normals, pins, wind, tangles.

mod pins;
mod tangle;
mod wind;

use std::sync::Arc;

use glam::Vec3;
use tkanina_render::Frame;
use tkanina_render::frame::{Lines, Points};
use tkanina_scene::schema::Show;
use tkanina_sim::spring_lines::{SpringLine, SpringRole};
use tkanina_sim::world::World;

use crate::bodies::Bodies;
use crate::bounds::Bounds;
use crate::keep::keep;

const PARTICLE: [u8; 4] = [24, 28, 36, 255];
const NORMAL: [u8; 4] = [130, 60, 190, 255];
const PIN: [u8; 4] = [235, 70, 30, 255];
const WIND: [u8; 4] = [30, 110, 170, 255];
const TANGLE: [u8; 4] = [230, 20, 90, 255];

/// Springs by what they resist; told apart by the colour-blind too.
fn spring_color(role: SpringRole) -> [u8; 4] {
    match role {
        SpringRole::Structural => [30, 30, 30, 255],
        SpringRole::Shear => [0, 114, 178, 255],
        SpringRole::Bend => [213, 94, 0, 255],
        SpringRole::Knight => [0, 158, 115, 255],
        SpringRole::Other => [204, 60, 140, 255],
    }
}

/// Arrays of the overlays, kept while they stay the same.
#[derive(Debug, Default)]
pub struct Overlays {
    springs: Option<[Springs; 2]>,
    normals: Segments,
    particles: Dots,
    pins: Dots,
    wind: Segments,
    tangle: Segments,
}

/// Springs that are drawn in one width.
#[derive(Debug)]
struct Springs {
    topology_version: u64,
    lines: Vec<SpringLine>,
    colors: Arc<[[u8; 4]]>,
    width: f32,
    segments: Segments,
}

/// Segments that are kept while they stay the same.
#[derive(Debug)]
struct Segments {
    next: Vec<[Vec3; 2]>,
    kept: Arc<[[Vec3; 2]]>,
    color: Arc<[[u8; 4]]>,
}

/// Dots that are kept while they stay the same.
#[derive(Debug)]
struct Dots {
    next: Vec<Vec3>,
    kept: Arc<[Vec3]>,
    color: Arc<[[u8; 4]]>,
}

impl Overlays {
    /// Puts what is to be shown into a frame.
    pub fn draw(&mut self, world: &World, bodies: &Bodies, show: &Show, frame: &mut Frame) {
        if show.springs {
            self.draw_springs(world, bodies, frame);
        }
        if show.normals {
            let next = &mut self.normals.next;
            next.clear();
            for particles in bodies.shown() {
                let places = &bodies.positions()[particles.clone()];
                let length = NORMAL_LENGTH * Bounds::of_points(places.iter().copied()).diagonal();
                let normals = &bodies.normals()[particles];
                // Points of strands have none.
                let have = places.iter().zip(normals).filter(|(_, n)| **n != Vec3::ZERO);
                next.extend(have.map(|(x, n)| [*x, *x + length * *n]));
            }
            frame.lines.push(self.normals.lines(NORMAL, 1.2, false));
        }
        if show.particles {
            let next = &mut self.particles.next;
            next.clear();
            bodies.shown().for_each(|range| next.extend(&bodies.positions()[range]));
            frame.points.push(self.particles.points(PARTICLE, 3.5, false));
        }
        if show.pins {
            pins::places(world, &mut self.pins.next);
            frame.points.push(self.pins.points(PIN, 9.0, true));
        }
        if show.wind {
            wind::arrows(world, &mut self.wind.next);
            frame.lines.push(self.wind.lines(WIND, 1.8, false));
        }
        // Whatever else is shown: nobody would look for it.
        if tangle::outlines(world, &mut self.tangle.next) {
            frame.lines.push(self.tangle.lines(TANGLE, 2.2, true));
        }
    }

    fn draw_springs(&mut self, world: &World, bodies: &Bodies, frame: &mut Frame) {
        let (model, x) = (world.model(), bodies.positions());
        let version = model.topology_version;
        let known = self.springs.take().filter(|groups| groups[0].topology_version == version);
        let mut groups = known.unwrap_or_else(|| {
            let (under, over) = model.spring_lines().into_iter().partition(lies_under);
            [Springs::new(version, under, 3.0), Springs::new(version, over, 1.2)]
        });
        for group in &mut groups {
            let segments = &mut group.segments;
            segments.next.clear();
            segments.next.extend(group.lines.iter().map(|l| l.ends.map(|end| x[end as usize])));
            let lines = segments.lines(PARTICLE, group.width, false);
            frame.lines.push(Lines { colors: group.colors.clone(), ..lines });
        }
        self.springs = Some(groups);
    }
}

/// Springs over two cells lie along those over one where cloth is flat: drawn wider and first,
/// both can be seen.
fn lies_under(line: &SpringLine) -> bool {
    line.kind == SpringRole::Bend
}

impl Springs {
    fn new(topology_version: u64, lines: Vec<SpringLine>, width: f32) -> Self {
        let colors = lines.iter().map(|line| spring_color(line.kind)).collect();
        Self { topology_version, lines, colors, width, segments: Segments::default() }
    }
}

/// Length of a normal as a share of its body's diagonal. [1]
const NORMAL_LENGTH: f32 = 0.04;

impl Segments {
    fn lines(&mut self, color: [u8; 4], width: f32, on_top: bool) -> Lines {
        let colors = keep(&mut self.color, &[color]);
        Lines { segments: keep(&mut self.kept, &self.next), colors, width, on_top }
    }
}

impl Dots {
    fn points(&mut self, color: [u8; 4], size: f32, on_top: bool) -> Points {
        let colors = keep(&mut self.color, &[color]);
        Points { positions: keep(&mut self.kept, &self.next), colors, size, on_top }
    }
}

impl Default for Segments {
    fn default() -> Self {
        Self { next: Vec::new(), kept: Arc::from([]), color: Arc::from([]) }
    }
}

impl Default for Dots {
    fn default() -> Self {
        Self { next: Vec::new(), kept: Arc::from([]), color: Arc::from([]) }
    }
}
