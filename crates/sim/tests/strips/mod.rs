//! Strips of fabric with known mechanics: one metre long, one kilogram a square metre, and a
//! bending rigidity that follows from Γ = ρ g L³/B.
#![allow(dead_code)]

use glam::{Quat, Vec3};
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{AngleBending, Cloth, ClothShape, MassRule, SpringModel};
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::Pose;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::topology::{GridPlane, GridShape};
use tkanina_sim::world::World;

use crate::common::G;

/// What resists stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stretch {
    Springs,
    Triangles,
}

/// A strip along x (or with x and z swapped in its grid), free over one metre.
#[derive(Clone, Copy, Debug)]
pub struct Strip {
    pub stretch: Stretch,
    /// Cells along the free metre.
    pub cells: usize,
    /// Cells across.
    pub across: usize,
    /// Width. [m]
    pub width: f32,
    /// Whether the strip runs along the grid's second axis.
    pub along_weft: bool,
    /// Tensile stiffness over ρ g L.
    pub stiffness: f32,
    /// ρ g L³/B.
    pub gamma: f32,
    /// Whether its hinges act together as a plate.
    pub plate: bool,
}

impl Strip {
    pub fn new(stretch: Stretch, gamma: f32) -> Self {
        let cells = 40;
        let width = 1.0 / cells as f32;
        let (stiffness, along_weft, plate) = (3000.0, false, true);
        Self { stretch, cells, across: 1, width, along_weft, stiffness, gamma, plate }
    }

    /// Clamped at the origin, pointing along +x, its width along z; then turned.
    ///
    /// Bending acts at edges and stands for half a cell on either side. The clamp holds the first
    /// cell, so that the edge at its end bends for the half cell outside: the clamp proper is in
    /// the middle of the first cell, and that is the origin.
    pub fn build(&self, kind: SolverKind, turn: Quat) -> World {
        let step = 1.0 / (self.cells as f32 - 0.5);
        let along = self.cells + 1;
        let (ni, nj) = (along, self.across + 1);
        let size = [step * self.cells as f32, self.width];
        let swap = |[a, b]: [usize; 2]| if self.along_weft { [b, a] } else { [a, b] };
        let counts = swap([ni, nj]);
        let size = if self.along_weft { [size[1], size[0]] } else { size };
        let middle = 0.5 * (size[0].max(size[1])) - 0.5 * step;
        // The grid's own first axis is x: a strip along its second is turned back to x.
        let own = if self.along_weft {
            Quat::from_rotation_y(0.5 * std::f32::consts::PI)
        } else {
            Quat::IDENTITY
        };
        let y = self.stiffness * G;
        let springs = match self.stretch {
            Stretch::Springs => {
                SpringModel::Membrane { warp: y, weft: y, shear: 0.4 * y, damping_ratio: 0.0 }
            }
            Stretch::Triangles => {
                SpringModel::Triangles { warp: y, weft: y, shear: 0.4 * y, damping_ratio: 0.0 }
            }
        };
        let grid = ClothShape::Grid(GridShape { counts, size, plane: GridPlane::Xz });
        let cloth = Cloth {
            place: Pose { position: turn * (Vec3::X * middle), rotation: turn * own },
            // k = 4B: bent along a grid line a sheet stores ½Bκ² an area.
            bending: Some(AngleBending { stiffness: 4.0 * G / self.gamma, damping: 0.0 }),
            plate: self.plate,
            ..Cloth::new("strip", grid, MassRule::AreaDensity(1.0), springs)
        };
        let mut b = ModelBuilder::new(Vec3::Y * -G);
        b.add_cloth(&cloth);
        let points: Vec<Vec3> = (0..ni * nj).map(|i| turn.conjugate() * b.position(i)).collect();
        for (i, _) in points.iter().enumerate().filter(|(_, p)| p.x < 0.75 * step) {
            b.hold(i, AnchorPath::Fixed, Grip::RIGID);
        }
        let (model, state) = b.build();
        World::new(model, state, kind)
    }
}

/// Mean place of the free end of a strip that was built with `turn`.
pub fn tip(world: &World, start: &[Vec3], turn: Quat) -> Vec3 {
    let local = |p: &Vec3| turn.conjugate() * *p;
    let far = start.iter().map(|p| local(p).x).fold(f32::MIN, f32::max);
    let ends: Vec<usize> = (0..start.len()).filter(|&i| local(&start[i]).x > far - 1e-4).collect();
    ends.iter().map(|&i| world.state().x.get(i)).sum::<Vec3>() / ends.len() as f32
}

/// Where all particles are.
pub fn places(world: &World) -> Vec<Vec3> {
    world.state().x.iter().collect()
}

/// Largest speed. [m/s]
pub fn speed(world: &World) -> f32 {
    world.state().v.iter().map(Vec3::length).fold(0.0, f32::max)
}

/// Lets a world come to rest by long backward Euler steps.
pub fn settle(world: &mut World, h: f64, most: usize) -> usize {
    for step in 0..most {
        world.step(h);
        if speed(world) * (h as f32) < 1e-6 {
            return step;
        }
    }
    most
}
