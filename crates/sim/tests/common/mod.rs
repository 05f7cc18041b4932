//! Small worlds with known answers.
#![allow(dead_code)]

pub mod ropes;
pub mod touching;

use glam::Vec3;
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{AngleBending, Cloth, ClothShape, MassRule, SpringModel};
use tkanina_sim::elements::{Spring, SpringKind, SpringParams};
use tkanina_sim::model::AnchorPath;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::topology::{GridPlane, GridShape};
use tkanina_sim::world::World;

pub const G: f32 = 9.81;
pub const DOWN: Vec3 = Vec3::new(0.0, -G, 0.0);

/// The solvers that move positions particle by particle or constraint by constraint.
pub const POSITION_BASED: [SolverKind; 3] = position_based(None);

/// The same with so many sweeps or rounds a step.
pub const fn position_based(iterations: Option<u32>) -> [SolverKind; 3] {
    [
        SolverKind::VertexDescent { iterations },
        SolverKind::Xpbd { iterations },
        SolverKind::Projective { iterations },
    ]
}

pub fn spring(a: usize, b: usize, rest: f32, stiffness: f32, damping: f32) -> Spring {
    Spring {
        ends: [a as u32, b as u32],
        rest,
        params: SpringParams { stiffness, damping },
        kind: SpringKind::Structural,
    }
}

/// A unit mass on a spring of rest length 1 along x, drawn out by `amplitude`; ω = √k.
pub fn oscillator(kind: SolverKind, omega: f64, gamma: f64, amplitude: f32) -> World {
    let mut b = ModelBuilder::new(Vec3::ZERO);
    let wall = b.add_particle(1.0, Vec3::X * -1.0, Vec3::ZERO);
    let bob = b.add_particle(1.0, Vec3::X * amplitude, Vec3::ZERO);
    b.hold(wall, AnchorPath::Fixed, Grip::RIGID);
    b.add_spring(spring(wall, bob, 1.0, (omega * omega) as f32, gamma as f32));
    let (model, state) = b.build();
    World::new(model, state, kind)
}

/// A plain cloth of the 12-neighbour kind, to be changed as a test needs.
pub fn cloth(counts: [usize; 2], stiffness: f32, damping: f32) -> Cloth {
    let params = SpringParams { stiffness, damping };
    Cloth::new(
        "sheet",
        ClothShape::Grid(GridShape { counts, size: [1.0, 1.0], plane: GridPlane::Xz }),
        MassRule::PerPoint(0.01),
        SpringModel::Neighbours12 { structural: params, shear: params, bend: params },
    )
}

pub fn world(gravity: Vec3, kind: SolverKind, cloth: &Cloth, pins: &[usize]) -> World {
    let mut b = ModelBuilder::new(gravity);
    b.add_cloth(cloth);
    for &p in pins {
        b.hold(p, AnchorPath::Fixed, Grip::RIGID);
    }
    let (model, state) = b.build();
    World::new(model, state, kind)
}

/// One cloth of each kind of body.
pub fn models() -> Vec<(&'static str, Cloth)> {
    let twelve = cloth([7, 6], 40.0, 0.1);
    let mut angle = twelve.clone();
    angle.bending = Some(AngleBending { stiffness: 1e-3, damping: 1e-5 });
    let mut twenty = twelve.clone();
    twenty.springs = SpringModel::Neighbours20(SpringParams { stiffness: 40.0, damping: 0.1 });
    let mut membrane = twelve.clone();
    membrane.springs =
        SpringModel::Membrane { warp: 40.0, weft: 60.0, shear: 10.0, damping_ratio: 0.1 };
    let mut mesh = twelve.clone();
    mesh.shape = quads(&mesh);
    let mut triangles = twelve.clone();
    triangles.springs =
        SpringModel::Triangles { warp: 40.0, weft: 60.0, shear: 10.0, damping_ratio: 0.1 };
    triangles.bending = angle.bending;
    triangles.plate = true;
    let mut mesh_triangles = triangles.clone();
    mesh_triangles.shape = mesh.shape.clone();
    vec![
        ("triangles", triangles),
        ("triangles of a mesh", mesh_triangles),
        ("12 neighbours", twelve),
        ("angle bending", angle),
        ("20 neighbours", twenty),
        ("membrane", membrane),
        ("mesh", mesh),
    ]
}

fn quads(cloth: &Cloth) -> ClothShape {
    let ClothShape::Grid(grid) = &cloth.shape else { unreachable!() };
    let [ni, nj] = grid.counts;
    let at = |i, j| grid.index(i, j) as u32;
    let faces = (0..nj - 1)
        .flat_map(|j| (0..ni - 1).map(move |i| (i, j)))
        .map(|(i, j)| vec![at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)])
        .collect();
    ClothShape::Mesh { points: grid.points(), faces, uvs: Vec::new() }
}

/// Moments at which `value` passes zero, by linear interpolation.
#[derive(Default)]
pub struct Crossings {
    last: Option<(f64, f64)>,
    pub times: Vec<f64>,
}

impl Crossings {
    pub fn see(&mut self, time: f64, value: f64) {
        if let Some((t, before)) = self.last
            && before * value < 0.0
        {
            self.times.push(t + (time - t) * before / (before - value));
        }
        self.last = Some((time, value));
    }
}
