//! Ropes that touch.

use glam::Vec3;
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::contact::{BodyContact, ContactLaw, Rub};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::measure;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::Track;
use tkanina_sim::strands::{
    Fibre, FibreDrag, Root, RootPath, StrandBody, StrandCurve, StrandLaw, StrandTouch, TouchParts,
};
use tkanina_sim::world::World;

/// Thickness of all ropes. [m]
pub const THICK: f32 = 0.01;

/// Points along a straight line.
pub fn line(from: Vec3, to: Vec3, count: usize) -> Vec<Vec3> {
    (0..count).map(|i| from.lerp(to, i as f32 / (count - 1) as f32)).collect()
}

/// Stiff springs with a little bending.
pub fn springs(stretch: f32, bend: f32) -> StrandLaw {
    let spring = |stiffness: f32| SpringParams { stiffness, damping: 0.002 * stiffness.sqrt() };
    StrandLaw::Springs { stretch: spring(stretch), bend: Some(spring(bend)) }
}

/// A body of one rope that would be straight.
pub fn rope(name: &str, start: Vec<Vec3>, friction: f32, law: StrandLaw) -> StrandBody {
    let edge = start[0].distance(start[1]);
    let rest = (0..start.len()).map(|i| Vec3::X * (edge * i as f32)).collect();
    StrandBody {
        name: name.to_owned(),
        strands: vec![StrandCurve {
            start,
            rest,
            root: Root { path: RootPath::Free, clamped: false },
        }],
        law,
        fibre: Fibre {
            bending: 1e-4,
            twisting: 1e-4,
            density: 0.08,
            radius: 0.5 * THICK,
            taper: 1.0,
            inner_friction: 0.0,
            drag: FibreDrag::default(),
        },
        velocity: Vec3::ZERO,
        damping: 1e-3,
        touch: StrandTouch { friction, parts: TouchParts::Segments, crowd: None },
        clump: None,
        followers: None,
    }
}

/// Contact of so many bodies.
pub fn law_of(bodies: usize, safe: bool) -> ContactLaw {
    ContactLaw {
        bodies: vec![BodyContact { touches_itself: true, thickness: 0.004 }; bodies],
        thickness: 0.004,
        safe,
        rub: Rub { friction: 0.3, restitution: 0.0 },
        pairs: Vec::new(),
    }
}

/// Leads a particle by `way` between two times. [m, s]
pub fn lead(builder: &mut ModelBuilder, particle: usize, way: Vec3, times: [f64; 2]) {
    let track = Track::new(times.to_vec(), vec![Vec3::ZERO, way], None).unwrap();
    let path = AnchorPath::Track { track, centre: Vec3::ZERO };
    builder.hold(particle, path, Grip::RIGID);
}

/// Runs step by step and counts what passes through what; after each frame nothing may be in anything.
pub fn run_whole(world: &mut World, frames: u32) -> usize {
    let substeps = world.substeps_for(1.0 / 60.0) as u32;
    let mut passages = 0;
    for frame in 0..frames {
        for _ in 0..substeps {
            let before = world.state().clone();
            world.advance_frame(1.0 / 60.0 / f64::from(substeps), 1).unwrap();
            passages += measure::passages(world.model(), &before, world.state()).len();
        }
        let found = measure::crossings_exhaustive(world.model(), world.state());
        assert!(found.is_empty(), "frame {frame}: {} crossings, {:?}", found.len(), found[0]);
    }
    passages
}

/// The least distance of segments of strands at least `apart` points from each other, as a part of
/// their thickness.
pub fn least_gap(world: &World, apart: usize) -> f32 {
    let x = &world.state().x;
    let segments: Vec<[u32; 2]> = world.model().touching_segments().collect();
    let mut least = f64::INFINITY;
    for &[a, b] in &segments {
        for &[c, d] in &segments {
            if (c as usize) < b as usize + apart {
                continue;
            }
            let at = [a, b, c, d].map(|v| x.get(v as usize).as_dvec3());
            let near = tkanina_sim::contact::closest(tkanina_sim::contact::PairKind::EdgeEdge, &at);
            least = least.min(near.distance_squared);
        }
    }
    least.sqrt() as f32 / THICK
}
