//! Cloth: a shape and a material become particles, springs and hinges.

mod bending;
mod membranes;
mod rest;
mod springs;
mod tears;

use glam::Vec3;

use crate::edges::Edge;
use crate::elements::{
    AngleBend, BendCoupling, GridStencil, MembraneTriangle, Spring, SpringParams,
};
use crate::motion::Pose;
use crate::topology::{GridShape, MeshReport, SewnMesh, connect_mesh, hinges};

use bending::{plain_hinges, plate_hinges};
use membranes::{grid_membranes, mesh_membranes, sewn_membranes};
use rest::{PlacedShape, RestShape, SewnShape, point_areas};
use springs::{mesh_springs, stencil_springs};
pub use tears::TearLimit;

/// A piece of cloth as it is described.
#[derive(Clone, Debug)]
pub struct Cloth {
    /// Name of the body.
    pub name: String,
    /// Grid or mesh.
    pub shape: ClothShape,
    /// Where it is.
    pub place: Pose,
    /// Velocity of every point at the start. [m/s]
    pub velocity: Vec3,
    /// How its points get their mass.
    pub mass: MassRule,
    /// How it resists stretch and shear (and bending by springs).
    pub springs: SpringModel,
    /// Bending by angle; `None` for bending by springs or not at all.
    pub bending: Option<AngleBending>,
    /// Whether hinges act together as an isotropic plate: then `bending.stiffness` = 4B is the
    /// rigidity B in every direction, not along the lines of a grid only.
    pub plate: bool,
    /// F −= c|u·n|u a point (000). [kg/m]
    pub drag_per_point: f32,
    /// ½ρC_d a unit of area. [kg/m³]
    pub drag_per_area: f32,
    /// ½ρC_l a unit of area. [kg/m³]
    pub lift_per_area: f32,
    /// F −= b v a point. [kg/s]
    pub damping: f32,
    /// Part of the speed that each step takes away (002).
    pub loss_per_step: f32,
    /// Largest allowed stretch of a structural edge.
    pub max_stretch: Option<f32>,
    /// Where it tears; `None` if it never does.
    pub tears_at: Option<TearLimit>,
}

impl Cloth {
    /// A cloth at rest at the origin that neither air nor anything else touches, and that never
    /// tears.
    pub fn new(
        name: impl Into<String>,
        shape: ClothShape,
        mass: MassRule,
        springs: SpringModel,
    ) -> Self {
        Self {
            name: name.into(),
            shape,
            place: Pose::IDENTITY,
            velocity: Vec3::ZERO,
            mass,
            springs,
            bending: None,
            plate: false,
            drag_per_point: 0.0,
            drag_per_area: 0.0,
            lift_per_area: 0.0,
            damping: 0.0,
            loss_per_step: 0.0,
            max_stretch: None,
            tears_at: None,
        }
    }
}

/// The geometry of a cloth at rest.
#[derive(Clone, Debug)]
pub enum ClothShape {
    /// A regular grid.
    Grid(GridShape),
    /// A polygon mesh.
    Mesh {
        /// Vertices. [m]
        points: Vec<Vec3>,
        /// Corners of each face.
        faces: Vec<Vec<u32>>,
        /// Texture coordinates a vertex; may be empty.
        uvs: Vec<[f32; 2]>,
    },
    /// Flat panels with their seams closed, which start in another shape than they rest in.
    Sewn(SewnMesh),
}

/// How points get their mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MassRule {
    /// The same for each. [kg]
    PerPoint(f32),
    /// By the area round it: the total does not depend on resolution. [kg/m²]
    AreaDensity(f32),
}

/// How cloth resists stretch and shear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpringModel {
    /// The 20-neighbour stencil of document 000; grids only.
    Neighbours20(SpringParams),
    /// Structural, shear and bend springs of their own (001, 002).
    Neighbours12 {
        /// Between neighbours.
        structural: SpringParams,
        /// Along diagonals.
        shear: SpringParams,
        /// Over two cells.
        bend: SpringParams,
    },
    /// Springs that add up to a sheet's tensile stiffness whatever the resolution.
    Membrane {
        /// Force per width along the first axis. [N/m]
        warp: f32,
        /// Force per width along the second axis. [N/m]
        weft: f32,
        /// Shear force per width. [N/m]
        shear: f32,
        /// Damping of each spring as a part of critical.
        damping_ratio: f32,
    },
    /// Finite elements in place of springs: triangles of an orthotropic sheet.
    Triangles {
        /// Force per width along the first axis. [N/m]
        warp: f32,
        /// Force per width along the second axis. [N/m]
        weft: f32,
        /// Shear force per width. [N/m]
        shear: f32,
        /// Damping as a part of critical for two points on a side of a cell.
        damping_ratio: f32,
    },
}

/// Bending by the angle between triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleBending {
    /// k of 001, eq. 3.2. [N·m]
    pub stiffness: f32,
    /// Torque per turning speed. [N·m·s]
    pub damping: f32,
}

impl AngleBending {
    /// B and its viscous counterpart of a sheet that bends so. The torque of a hinge is k sin θ/2
    /// but its dashpot's goes by θ, not its half.
    fn of_plate(self) -> SpringParams {
        SpringParams {
            stiffness: self.stiffness / ANGLE_PER_RIGIDITY,
            damping: 2.0 * self.damping / ANGLE_PER_RIGIDITY,
        }
    }
}

/// k of the angle law over the bending rigidity B: bent along a grid line a sheet stores
/// ½Bκ² an area if k = 4B.
pub const ANGLE_PER_RIGIDITY: f32 = 4.0;

/// What a cloth adds to a model.
pub(crate) struct ClothParts {
    pub points: Vec<Vec3>,
    pub masses: Vec<f32>,
    pub drag: Vec<f32>,
    pub lift: Vec<f32>,
    pub triangles: Vec<[u32; 3]>,
    pub grid: Option<[usize; 2]>,
    pub stencil: Option<GridStencil>,
    pub springs: Vec<Spring>,
    pub bends: Vec<AngleBend>,
    /// By numbers of this cloth's own hinges.
    pub couplings: Vec<BendCoupling>,
    pub membranes: Vec<MembraneTriangle>,
    pub edges: Vec<Edge>,
    pub uvs: Vec<[f32; 2]>,
    pub report: MeshReport,
}

impl ClothParts {
    /// Parts with particle numbers from `first` on.
    pub fn of(cloth: &Cloth, first: usize) -> Self {
        match &cloth.shape {
            ClothShape::Grid(grid) => Self::from_grid(cloth, grid, first),
            ClothShape::Mesh { points, faces, uvs } => {
                Self::from_mesh(cloth, points, faces, uvs.clone(), first)
            }
            ClothShape::Sewn(mesh) => Self::from_sewn(cloth, mesh, first),
        }
    }

    fn from_grid(cloth: &Cloth, grid: &GridShape, first: usize) -> Self {
        let (points, triangles) = (grid.points(), grid.triangles());
        let rest = PlacedShape { points: &points, triangles: &triangles };
        let hinges = if cloth.bending.is_some() { hinges(&triangles) } else { Vec::new() };
        let edges = grid.structural_edges();
        let mut parts = Self::common(cloth, (&points, &rest), &triangles, (&edges, &hinges), first);
        let springs = stencil_springs(cloth, grid, mean(&parts.masses));
        let bending = cloth.bending.map_or(SpringParams::default(), AngleBending::of_plate);
        let stencil = GridStencil::new(first, grid.counts, springs);
        parts.stencil = Some(stencil.on_panel(grid.spacing(), bending));
        parts.membranes = grid_membranes(cloth, grid, mean(&parts.masses), first);
        parts.grid = Some(grid.counts);
        parts.uvs = grid.uvs();
        parts
    }

    fn from_mesh(
        cloth: &Cloth,
        points: &[Vec3],
        faces: &[Vec<u32>],
        uvs: Vec<[f32; 2]>,
        first: usize,
    ) -> Self {
        let mesh = connect_mesh(points, faces);
        let links = (mesh.structural.as_slice(), mesh.hinges.as_slice());
        let rest = PlacedShape { points, triangles: &mesh.triangles };
        let mut parts = Self::common(cloth, (points, &rest), &mesh.triangles, links, first);
        parts.springs = mesh_springs(cloth, &rest, &mesh, mean(&parts.masses), first);
        parts.membranes =
            mesh_membranes(cloth, (points, &uvs), &mesh.triangles, mean(&parts.masses), first);
        parts.uvs = uvs;
        parts.report = mesh.report;
        parts
    }

    fn from_sewn(cloth: &Cloth, mesh: &SewnMesh, first: usize) -> Self {
        let joined = mesh.connections();
        let rest = SewnShape::new(mesh, &joined.hinges);
        let links = (joined.structural.as_slice(), joined.hinges.as_slice());
        let mut parts = Self::common(cloth, (&mesh.start, &rest), &mesh.triangles, links, first);
        parts.springs = mesh_springs(cloth, &rest, &joined, mean(&parts.masses), first);
        parts.membranes = sewn_membranes(cloth, mesh, mean(&parts.masses), first);
        parts
    }

    fn common(
        cloth: &Cloth,
        (points, rest): (&[Vec3], &dyn RestShape),
        triangles: &[[u32; 3]],
        (edges, hinges): (&[[u32; 2]], &[[u32; 4]]),
        first: usize,
    ) -> Self {
        let areas = point_areas(rest, triangles);
        let offset = first as u32;
        let law = cloth.bending.filter(|b| b.stiffness > 0.0 || b.damping > 0.0);
        let (mut bends, couplings) = match law {
            None => (Vec::new(), Vec::new()),
            Some(law) if cloth.plate && law.stiffness > 0.0 => {
                plate_hinges(rest, triangles, hinges, law)
            }
            Some(law) => plain_hinges(rest, hinges, law),
        };
        bends.iter_mut().for_each(|bend| bend.corners = bend.corners.map(|c| c + offset));
        let edges = edges
            .iter()
            .map(|ends| Edge {
                ends: ends.map(|e| e + offset),
                rest: rest.length(*ends),
                max_stretch: cloth.max_stretch.unwrap_or(f32::INFINITY),
                tears_at: tears::stretch(cloth, *ends),
            })
            .collect();
        Self {
            masses: masses(cloth.mass, &areas),
            drag: areas.iter().map(|a| cloth.drag_per_point + cloth.drag_per_area * a).collect(),
            lift: areas.iter().map(|a| cloth.lift_per_area * a).collect(),
            points: points.iter().map(|&p| cloth.place.point(p)).collect(),
            triangles: triangles.iter().map(|t| t.map(|c| c + offset)).collect(),
            grid: None,
            stencil: None,
            springs: Vec::new(),
            bends,
            couplings,
            membranes: Vec::new(),
            edges,
            uvs: Vec::new(),
            report: MeshReport::default(),
        }
    }
}

fn masses(rule: MassRule, areas: &[f32]) -> Vec<f32> {
    match rule {
        MassRule::PerPoint(mass) => vec![mass; areas.len()],
        MassRule::AreaDensity(density) => areas.iter().map(|a| density * a).collect(),
    }
}

fn mean(values: &[f32]) -> f32 {
    (values.iter().map(|&v| f64::from(v)).sum::<f64>() / values.len().max(1) as f64) as f32
}

fn distance(points: &[Vec3], [a, b]: [u32; 2]) -> f32 {
    (points[b as usize].as_dvec3() - points[a as usize].as_dvec3()).length() as f32
}
