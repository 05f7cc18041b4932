//! Soft bodies: a closed surface becomes particles, springs and gas.

mod cores;

use std::sync::Arc;

use glam::Vec3;

use crate::carried::Carried;
use crate::colliders::forms::Triangles;
use crate::edges::Edge;
use crate::elastic::ElasticTetra;
use crate::elements::{Gas, GasLaw, Spring, SpringKind, SpringParams};
use crate::lattice::Goal;
use crate::motion::Pose;
use crate::solid::Solid;

use cores::CoreParts;

pub use cores::Cores;

/// A soft body as it is described.
#[derive(Clone, Debug)]
pub struct SoftBody {
    /// Name of the body.
    pub name: String,
    /// Its skin at rest, closed and facing outwards.
    pub skin: Triangles,
    /// Where it is.
    pub place: Pose,
    /// Velocity of every point at the start. [m/s]
    pub velocity: Vec3,
    /// How its points get their mass.
    pub mass: SoftMass,
    /// Springs along the edges of the skin.
    pub edges: SpringParams,
    /// Springs from every point to one in the middle; `None` without such a point.
    pub centre: Option<SpringParams>,
    /// What is inside.
    pub gas: Option<GasFill>,
    /// Tetrahedra inside; the skin is theirs then, with all their points (see [`Solid::skin`]), and
    /// neither tears nor has a point in the middle.
    pub solid: Option<Solid>,
    /// F −= b v a point. [kg/s]
    pub damping: f32,
    /// length/rest − 1 beyond which its skin tears; infinite where it does not.
    pub tears_at: f32,
    /// Rigid cores inside it.
    pub cores: Option<Cores>,
    /// A mesh that is shown in its place, carried by its points.
    pub carried: Option<Arc<Carried>>,
}

/// How the points of a soft body get their mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SoftMass {
    /// The same for each. [kg]
    PerPoint(f32),
    /// By the volume behind it. [kg/m³]
    Density(f32),
    /// All together, by the volume behind each. [kg]
    Total(f32),
}

/// Gas in a soft body.
#[derive(Clone, Debug, PartialEq)]
pub struct GasFill {
    /// How it presses.
    pub law: GasLaw,
    /// How much there is.
    pub amount: GasAmount,
    /// Times and factors on the amount. [s]
    pub inflation: Vec<(f64, f32)>,
    /// Part of it that leaks away in a second. [1/s]
    pub leak: f32,
    /// Pressure of what is outside. [Pa]
    pub outside: f32,
}

/// How much gas there is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GasAmount {
    /// n R T. [J]
    Energy(f32),
    /// What it presses more than the outside at the volume at rest. [Pa]
    Overpressure(f32),
}

/// Volume, as a part of the one at rest, below which gas presses no harder.
const LEAST_VOLUME: f64 = 0.02;

/// What a soft body adds to a model.
pub(crate) struct SoftParts {
    pub points: Vec<Vec3>,
    pub masses: Vec<f32>,
    pub triangles: Vec<[u32; 3]>,
    pub springs: Vec<Spring>,
    pub edges: Vec<Edge>,
    pub tetras: Vec<ElasticTetra>,
    pub gas: Option<Gas>,
    pub goals: Vec<Goal>,
}

impl SoftParts {
    /// Parts of the body of that number, with particle numbers from `first` on; a point in the
    /// middle comes after the skin, those of cores come last.
    pub fn of(body: &SoftBody, number: usize, first: usize) -> Self {
        let first = first as u32;
        let skin = &body.skin;
        let mut points = skin.points.clone();
        let middle = middle(skin);
        let mut springs = Vec::new();
        let mut edges = Vec::new();
        for ends in sides(&skin.triangles) {
            let [a, b] = ends.map(|v| skin.points[v as usize]);
            let (rest, ends) = ((b - a).length(), ends.map(|v| v + first));
            // A solid needs none, and most have none.
            if body.solid.is_none() || body.edges != SpringParams::default() {
                let kind = SpringKind::Structural;
                springs.push(Spring { ends, rest, params: body.edges, kind });
            }
            edges.push(Edge { ends, rest, max_stretch: f32::INFINITY, tears_at: body.tears_at });
        }
        if let Some(params) = body.centre {
            let last = points.len() as u32;
            for (v, &point) in (0..last).zip(&skin.points) {
                let rest = (point - middle).length();
                let ends = [first + v, first + last];
                springs.push(Spring { ends, rest, params, kind: SpringKind::Shear });
            }
            points.push(middle);
        }
        let triangles: Vec<[u32; 3]> =
            skin.triangles.iter().map(|t| t.map(|v| v + first)).collect();
        let volume = skin.volume();
        let gas = body.gas.as_ref().map(|fill| Gas {
            body: number,
            surface: triangles.clone(),
            law: fill.law,
            amount: match fill.amount {
                GasAmount::Energy(energy) => energy,
                GasAmount::Overpressure(more) => ((more + fill.outside) as f64 * volume) as f32,
            },
            inflation: fill.inflation.clone(),
            leak: fill.leak,
            outside: fill.outside,
            least: (LEAST_VOLUME * volume) as f32,
        });
        let mut masses = match &body.solid {
            Some(solid) => solid.masses(body.mass),
            None => masses(body, middle),
        };
        let tetras = body.solid.as_ref().map_or_else(Vec::new, |solid| solid.elements(first));
        let cores = body
            .cores
            .as_ref()
            .map(|cores| CoreParts::of(cores, &skin.points, (first, points.len() as u32)));
        if let Some(parts) = &cores {
            points.extend(&parts.points);
            masses.extend(&parts.masses);
            springs.extend(&parts.springs);
        }
        let points: Vec<Vec3> = points.into_iter().map(|p| body.place.point(p)).collect();
        let place = |particle: u32| points[(particle - first) as usize];
        let goals = cores.iter().flat_map(|parts| parts.goals(number, place)).collect();
        Self { points, masses, triangles, springs, edges, tetras, gas, goals }
    }
}

/// The centre of what the skin encloses.
fn middle(skin: &Triangles) -> Vec3 {
    let tetra = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| skin.points[v as usize].as_dvec3());
        let six = a.dot(b.cross(c));
        ((a + b + c) * (six / 4.0), six)
    };
    let sum = skin
        .triangles
        .iter()
        .map(tetra)
        .fold((glam::DVec3::ZERO, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    if sum.1.abs() > 0.0 { (sum.0 / sum.1).as_vec3() } else { Vec3::ZERO }
}

/// Each tetrahedron of a triangle and the middle gives its mass in equal parts to its corners.
fn masses(body: &SoftBody, middle: Vec3) -> Vec<f32> {
    let skin = &body.skin;
    let count = skin.points.len() + usize::from(body.centre.is_some());
    let mass = match body.mass {
        SoftMass::PerPoint(mass) => return vec![mass; count],
        SoftMass::Density(density) => f64::from(density) * skin.volume(),
        SoftMass::Total(total) => f64::from(total),
    };
    let middle = middle.as_dvec3();
    let mut shares = vec![0.0f64; count];
    for t in &skin.triangles {
        let [a, b, c] = t.map(|v| skin.points[v as usize].as_dvec3() - middle);
        // Of a concave body some count against others; no point may end up without.
        let volume = a.dot(b.cross(c)).abs();
        t.iter().for_each(|&v| shares[v as usize] += volume);
        if body.centre.is_some() {
            shares[count - 1] += volume;
        }
    }
    let whole: f64 = shares.iter().sum();
    let even = whole / count.max(1) as f64;
    // A point whose triangles all lead to the middle has no volume of its own.
    shares.iter_mut().for_each(|share| *share = share.max(0.1 * even));
    let whole: f64 = shares.iter().sum();
    shares.into_iter().map(|share| (mass * share / whole) as f32).collect()
}

/// Sides of triangles, each once.
fn sides(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let all = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut sides: Vec<[u32; 2]> = all.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    sides.sort_unstable();
    sides.dedup();
    sides
}
