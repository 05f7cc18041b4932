//! Solids blended from round cones: a plush toy, the head of a robot, that of a person.

use glam::DVec3;

use super::Triangles;
use super::nets::{Field, surface};

/// All between two balls, and them: a ball rolling from one end to the other while its radius
/// changes evenly.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundCone {
    /// Middles of the balls. [m]
    pub ends: [DVec3; 2],
    /// Their radii. [m]
    pub radii: [f64; 2],
}

impl RoundCone {
    /// |x − p| − r at the place p of the axis whose ball is nearest, negative inside. [m]
    pub fn distance(&self, x: DVec3) -> f64 {
        let [a, b] = self.ends;
        let axis = b - a;
        let length = axis.length();
        if length < SHORTEST {
            return (x - a).length() - self.radii[0].max(self.radii[1]);
        }
        let slope = (self.radii[0] - self.radii[1]) / length;
        let along = (x - a).dot(axis) / length;
        let across = (x - a - axis * (along / length)).length();
        // The nearest ball lies where the cone's generator meets the foot of x.
        let lean = slope / (1.0 - slope * slope).max(1e-9).sqrt();
        let t = ((along - across * lean) / length).clamp(0.0, 1.0);
        (x - a - axis * t).length() - (self.radii[0] + (self.radii[1] - self.radii[0]) * t)
    }
}

/// Balls nearer to each other than this are one. [m]
const SHORTEST: f64 = 1e-9;

/// −k ln Σ exp(−dᵢ/k): the union of solids at distances dᵢ, rounded by k where they meet. [m]
pub(super) fn rounded_union(distances: impl Iterator<Item = f64> + Clone, k: f64) -> f64 {
    let least = distances.clone().fold(f64::INFINITY, f64::min);
    let near = |d: f64| {
        let over = (d - least) / k;
        // Beyond this a solid adds less than rounding.
        if over > 40.0 { 0.0 } else { libm::exp(-over) }
    };
    least - k * libm::log(distances.map(near).sum())
}

/// A bear that sits, faces z, and is `height` high [m], in cells of `cell` [m]; its middle is at
/// the origin.
pub fn bear(height: f64, cell: f64) -> Triangles {
    let mut parts = vec![
        cone([0.0, -0.26, 0.0], 0.21, [0.0, 0.02, 0.0], 0.16),
        ball([0.0, 0.25, 0.03], 0.185),
        cone([0.0, 0.2, 0.16], 0.09, [0.0, 0.2, 0.2], 0.075),
    ];
    for side in [-1.0, 1.0] {
        let at = |x: f64, y: f64, z: f64| [side * x, y, z];
        parts.extend([
            cone(at(0.14, 0.39, 0.0), 0.07, at(0.17, 0.42, 0.0), 0.075),
            cone(at(0.13, 0.06, 0.02), 0.085, at(0.32, -0.1, 0.12), 0.08),
            cone(at(0.13, -0.37, 0.04), 0.11, at(0.24, -0.4, 0.27), 0.09),
            ball(at(0.25, -0.37, 0.33), 0.1),
        ]);
    }
    let low = DVec3::new(-0.5, -0.56, -0.3);
    let solid = Blend {
        parts,
        hollows: Vec::new(),
        inlays: Vec::new(),
        bounds: [low, DVec3::new(0.5, 0.56, 0.52)],
    };
    solid.mesh(height, cell)
}

/// The head of a robot that faces z and is `height` high with its aerial [m], in cells of `cell`
/// [m]; its middle is at the origin.
pub fn robot_head(height: f64, cell: f64) -> Triangles {
    let mut parts = vec![
        slab([0.0, -0.02, 0.0], [0.3, 0.26, 0.27], 0.08),
        slab([0.0, -0.32, 0.03], [0.22, 0.07, 0.22], 0.05),
        cone([0.0, -0.3, -0.02], 0.15, [0.0, -0.36, -0.02], 0.13),
        cone([-0.23, 0.17, 0.27], 0.035, [0.23, 0.17, 0.27], 0.035),
        cone([0.0, 0.03, 0.27], 0.03, [0.0, -0.07, 0.31], 0.045),
        cone([0.0, 0.22, 0.0], 0.035, [0.0, 0.4, 0.0], 0.022),
        ball([0.0, 0.435, 0.0], 0.055),
    ];
    let mut hollows = vec![slab([0.0, -0.19, 0.3], [0.15, 0.022, 0.08], 0.01)];
    let mut inlays = Vec::new();
    for side in [-1.0, 1.0] {
        let at = |x: f64, y: f64, z: f64| [side * x, y, z];
        parts.push(cone(at(0.28, 0.0, 0.0), 0.1, at(0.37, 0.0, 0.0), 0.07));
        inlays.push(ball(at(0.13, 0.07, 0.24), 0.06));
        hollows.push(ball(at(0.13, 0.07, 0.31), 0.085));
    }
    let low = DVec3::new(-0.5, -0.56, -0.35);
    let solid = Blend { parts, hollows, inlays, bounds: [low, DVec3::new(0.5, 0.55, 0.42)] };
    solid.mesh(height, cell)
}

/// A head of common size that faces z, with its neck, and with shoulders down to the breast if
/// wanted, in cells of `cell` [m]; the origin is in the middle of the skull.
pub fn bust(shoulders: bool, cell: f64) -> Triangles {
    let mut parts = vec![
        cone([0.0, 0.02, -0.014], 0.087, [0.0, 0.012, 0.018], 0.081),
        cone([0.0, -0.02, 0.032], 0.062, [0.0, -0.085, 0.054], 0.032),
        cone([0.0, -0.005, 0.094], 0.009, [0.0, -0.034, 0.107], 0.011),
        cone([0.0, -0.07, -0.016], 0.054, [0.0, -0.19, -0.03], 0.056),
    ];
    for side in [-1.0, 1.0] {
        let at = |x: f64, y: f64, z: f64| [side * x, y, z];
        parts.push(cone(at(0.083, -0.008, -0.006), 0.012, at(0.085, -0.035, 0.0), 0.009));
        if shoulders {
            parts.extend([
                cone(at(0.02, -0.185, -0.03), 0.05, at(0.165, -0.245, -0.02), 0.056),
                cone(at(0.165, -0.245, -0.02), 0.056, at(0.195, -0.39, -0.01), 0.05),
                cone(at(0.075, -0.29, -0.015), 0.1, at(0.07, -0.4, -0.01), 0.098),
            ]);
        }
    }
    let (low, high) = if shoulders {
        (DVec3::new(-0.28, -0.53, -0.16), DVec3::new(0.28, 0.14, 0.16))
    } else {
        (DVec3::new(-0.13, -0.28, -0.13), DVec3::new(0.13, 0.14, 0.16))
    };
    Blend { parts, hollows: Vec::new(), inlays: Vec::new(), bounds: [low, high] }.mesh(1.0, cell)
}

/// A union of parts, less what is hollow, and what is in there; about one high.
struct Blend {
    parts: Vec<Part>,
    hollows: Vec<Part>,
    /// What is in the hollows.
    inlays: Vec<Part>,
    bounds: [DVec3; 2],
}

enum Part {
    Cone(RoundCone),
    /// A box with rounded edges.
    Slab {
        middle: DVec3,
        half: DVec3,
        rounding: f64,
    },
}

/// How far unions are rounded, of a solid that is one high.
const ROUNDING: f64 = 0.012;

impl Part {
    fn distance(&self, x: DVec3) -> f64 {
        match self {
            Self::Cone(cone) => cone.distance(x),
            Self::Slab { middle, half, rounding } => {
                let over = (x - *middle).abs() - (*half - DVec3::splat(*rounding));
                over.max(DVec3::ZERO).length() + over.max_element().min(0.0) - rounding
            }
        }
    }
}

impl Field for Blend {
    fn distance(&self, x: DVec3) -> f64 {
        let solid = rounded_union(self.parts.iter().map(|part| part.distance(x)), ROUNDING);
        let hollow = self.hollows.iter().fold(solid, |solid, part| solid.max(-part.distance(x)));
        self.inlays.iter().fold(hollow, |solid, part| solid.min(part.distance(x)))
    }

    fn bounds(&self) -> [DVec3; 2] {
        self.bounds
    }
}

impl Blend {
    fn mesh(&self, height: f64, cell: f64) -> Triangles {
        let (points, triangles) = surface(self, cell / height);
        let points = points.iter().map(|&p| (p * height).as_vec3()).collect();
        Triangles { points, triangles }
    }
}

fn cone(a: [f64; 3], ra: f64, b: [f64; 3], rb: f64) -> Part {
    Part::Cone(RoundCone { ends: [a.into(), b.into()], radii: [ra, rb] })
}

fn ball(middle: [f64; 3], radius: f64) -> Part {
    cone(middle, radius, middle, radius)
}

fn slab(middle: [f64; 3], half: [f64; 3], rounding: f64) -> Part {
    Part::Slab { middle: middle.into(), half: half.into(), rounding }
}
