//! What is round about the y axis: profiles turned once round.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::Vec3;

use super::Triangles;

/// A place of a profile: distance from the axis and height [m].
pub(super) type Place = (f64, f64);

/// A ball about the origin; `segments` round the axis and from pole to pole.
pub fn sphere(radius: f64, segments: [u32; 2]) -> Triangles {
    let place = |i: u32| {
        let angle = PI * f64::from(i) / f64::from(segments[1]);
        (radius * libm::sin(angle), -radius * libm::cos(angle))
    };
    let rings: Vec<Place> = (1..segments[1]).map(place).collect();
    turned(&rings, segments[0], Ends::Points([-radius, radius]))
}

/// A ring about the origin that lies level: a circle of radius `tube` round the circle of
/// radius `radius` [m]; `segments` round the ring and round its tube.
pub fn torus(radius: f64, tube: f64, segments: [u32; 2]) -> Triangles {
    let place = |i: u32| {
        let angle = TAU * f64::from(i) / f64::from(segments[1]);
        (radius + tube * libm::cos(angle), tube * libm::sin(angle))
    };
    let rings: Vec<Place> = (0..segments[1]).map(place).collect();
    turned(&rings, segments[0], Ends::Joined)
}

/// Half of a hollow ball, open above, whose lowest point is the origin: `radius` outside and
/// `thickness` less inside [m]; `segments` round the axis and from bottom to rim.
pub fn bowl(radius: f64, thickness: f64, segments: [u32; 2]) -> Triangles {
    let inside = radius - thickness;
    let place = |r: f64, i: u32| {
        let angle = FRAC_PI_2 * f64::from(i) / f64::from(segments[1]);
        // On the rim exactly level, though cos π/2 is not quite 0.
        let cos = if i == segments[1] { 0.0 } else { libm::cos(angle) };
        (r * libm::sin(angle), radius - r * cos)
    };
    let outer = (1..=segments[1]).map(|i| place(radius, i));
    let inner = (1..=segments[1]).rev().map(|i| place(inside, i));
    let rings: Vec<Place> = outer.chain(inner).collect();
    turned(&rings, segments[0], Ends::Points([0.0, thickness]))
}

/// A solid cylinder about the origin along y; `segments` round and along it.
pub fn cylinder(radius: f64, length: f64, segments: [u32; 2]) -> Triangles {
    let rings: Vec<Place> = along(length, segments[1]).map(|y| (radius, y)).collect();
    turned(&rings, segments[0], Ends::Points([-0.5 * length, 0.5 * length]))
}

/// A pipe about the origin along y: `radius` outside and `thickness` less inside [m];
/// `segments` round and along it.
pub fn tube(radius: f64, thickness: f64, length: f64, segments: [u32; 2]) -> Triangles {
    let outer = along(length, segments[1]).map(|y| (radius, y));
    let inner = along(length, segments[1]).map(|y| (radius - thickness, -y));
    let rings: Vec<Place> = outer.chain(inner).collect();
    turned(&rings, segments[0], Ends::Joined)
}

/// A profile from a point of the axis to another, at these heights [m].
pub(super) fn capped(rings: &[Place], around: u32, ends: [f64; 2]) -> Triangles {
    turned(rings, around, Ends::Points(ends))
}

/// How a profile begins and ends.
enum Ends {
    /// At points of the axis, at these heights [m].
    Points([f64; 2]),
    /// The last place is next to the first.
    Joined,
}

/// Heights from bottom to top.
fn along(length: f64, segments: u32) -> impl Iterator<Item = f64> {
    (0..=segments).map(move |i| length * (f64::from(i) / f64::from(segments) - 0.5))
}

/// The surface that a profile sweeps in one turn. Going along the profile the outside is on
/// the right: upward on the outside, that is.
fn turned(rings: &[Place], around: u32, ends: Ends) -> Triangles {
    let mut mesh = Triangles::default();
    for &(r, y) in rings {
        for step in 0..around {
            let turn = TAU * f64::from(step) / f64::from(around);
            let (sin, cos) = (libm::sin(turn), libm::cos(turn));
            mesh.point(Vec3::new((r * sin) as f32, y as f32, (r * cos) as f32));
        }
    }
    let count = rings.len() as u32;
    let corner = |ring: u32, step: u32| (ring % count) * around + step % around;
    let bands = if matches!(ends, Ends::Joined) { count } else { count.saturating_sub(1) };
    for ring in 0..bands {
        for step in 0..around {
            let (low, high) = ([ring, step], [ring + 1, step + 1]);
            let of = |ring, step| corner(ring, step);
            mesh.quad([
                of(low[0], low[1]),
                of(low[0], high[1]),
                of(high[0], high[1]),
                of(high[0], low[1]),
            ]);
        }
    }
    if let Ends::Points([first, last]) = ends {
        let bottom = mesh.point(Vec3::Y * first as f32);
        let top = mesh.point(Vec3::Y * last as f32);
        for step in 0..around {
            mesh.triangles.push([bottom, corner(0, step + 1), corner(0, step)]);
            let ring = count - 1;
            mesh.triangles.push([top, corner(ring, step), corner(ring, step + 1)]);
        }
    }
    mesh
}
