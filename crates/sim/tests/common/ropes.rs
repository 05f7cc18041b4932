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
            rest_speed: 0.0,
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

/// Leads a particle by `way` from one time to another, and lets it go at a third. [m, s]
pub fn lead(builder: &mut ModelBuilder, particle: usize, way: Vec3, [from, to, until]: [f64; 3]) {
    let track = Track::new(vec![from, to], vec![Vec3::ZERO, way], None).unwrap();
    let path = AnchorPath::Track { track, centre: Vec3::ZERO };
    builder.hold(particle, path, Grip { until, ..Grip::RIGID });
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

/// |Δ(−1)| of the knot that an open curve along x makes when its ends are joined far away: 1 if it
/// is none, 3 if it is a trefoil. By the arcs and crossings of a projection: at each crossing twice
/// the arc above is the sum of both below.
pub fn knot_determinant(points: &[Vec3]) -> f64 {
    // Turned about x, so that nothing lies exactly above anything.
    let mut curve: Vec<[f64; 3]> = points
        .iter()
        .map(|p| {
            let [x, y, z] = p.as_dvec3().to_array();
            [x, 0.8 * y - 0.6 * z, 0.6 * y + 0.8 * z]
        })
        .collect();
    let (first, last) = (curve[0], curve[points.len() - 1]);
    curve.push([last[0] + 1.0, last[1] - 9.0, 0.0]);
    curve.push([first[0] - 1.0, first[1] - 9.0, 0.0]);
    curve.push(first);
    // Where along the curve each crossing is, on either side, and whether that is above.
    let mut ends: Vec<(f64, usize, bool)> = Vec::new();
    let mut count = 0;
    for i in 1..curve.len() {
        for j in i + 2..curve.len() {
            let ([p, q], [r, s]) = ([curve[i - 1], curve[i]], [curve[j - 1], curve[j]]);
            let (u, v) = ([q[0] - p[0], q[1] - p[1]], [s[0] - r[0], s[1] - r[1]]);
            let w = [r[0] - p[0], r[1] - p[1]];
            let area = u[0] * v[1] - u[1] * v[0];
            let a = (w[0] * v[1] - w[1] * v[0]) / area;
            let b = (w[0] * u[1] - w[1] * u[0]) / area;
            if (0.0..1.0).contains(&a) && (0.0..1.0).contains(&b) {
                let (high, low) = (p[2] + a * (q[2] - p[2]), r[2] + b * (s[2] - r[2]));
                ends.push((i as f64 + a, count, high > low));
                ends.push((j as f64 + b, count, low > high));
                count += 1;
            }
        }
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    if count < 2 {
        return 1.0;
    }
    // Arcs end where the curve goes below.
    let mut rows = vec![vec![0.0; count]; count];
    let mut arc = 0;
    for &(_, crossing, above) in &ends {
        if above {
            rows[crossing][arc] += 2.0;
        } else {
            rows[crossing][arc] -= 1.0;
            arc = (arc + 1) % count;
            rows[crossing][arc] -= 1.0;
        }
    }
    determinant(rows, count - 1).abs()
}

/// Of the first rows and columns.
fn determinant(mut rows: Vec<Vec<f64>>, size: usize) -> f64 {
    let mut product = 1.0;
    for k in 0..size {
        let pivot = (k..size).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs()));
        let pivot = pivot.unwrap_or(k);
        rows.swap(k, pivot);
        product *= rows[k][k];
        if rows[k][k] == 0.0 {
            return 0.0;
        }
        let above = rows[k].clone();
        for row in &mut rows[k + 1..size] {
            let part = row[k] / above[k];
            (k..size).for_each(|c| row[c] -= part * above[c]);
        }
    }
    product
}
