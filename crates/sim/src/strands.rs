//! Fibres: hair, fur, ropes, grass. Curves become chains of particles with the stiffness of a rod.

mod drag;
mod energy;
mod followers;
mod frames;
pub(crate) mod groom;
mod knot;
mod root;
mod segments;

use std::sync::Arc;

use glam::{DVec3, Vec3};

use crate::elements::SpringParams;
use crate::motion::Pose;

pub use drag::AIR_VISCOSITY;
pub use energy::rod_energy;
pub use frames::{Director, bends_of, carry_director, directors_along, perpendicular};
pub use knot::overhand_knot;
pub use root::{Root, RootPath, SkinCorners, root_carrier_pose, skin_pose};

/// A body of fibres as it is described.
#[derive(Clone, Debug)]
pub struct StrandBody {
    /// Name of the body.
    pub name: String,
    /// Its strands, of two points or more each.
    pub strands: Vec<StrandCurve>,
    /// How they resist.
    pub law: StrandLaw,
    /// What they are made of.
    pub fibre: Fibre,
    /// Velocity of all free points at the start. [m/s]
    pub velocity: Vec3,
    /// F −= b v a point. [kg/s]
    pub damping: f32,
    /// How they meet what is in their way.
    pub touch: StrandTouch,
    /// What draws them together.
    pub clump: Option<Clump>,
    /// Strands that are shown between those that are simulated.
    pub followers: Option<Arc<Followers>>,
}

/// A fibre where it starts, and the shape it would have without any load.
#[derive(Clone, Debug, PartialEq)]
pub struct StrandCurve {
    /// Points, root first, at equal distances. [m]
    pub start: Vec<Vec3>,
    /// As many points of the natural shape, anywhere and turned as it likes; its first edge is
    /// brought to that of `start` on the shortest way. [m]
    pub rest: Vec<Vec3>,
    /// What holds its first point.
    pub root: Root,
}

impl StrandCurve {
    /// The frame of its first edge at the start that its root carries: director, tangent ×
    /// director, tangent.
    pub fn root_frame(&self) -> [DVec3; 3] {
        let rest = first_tangent(&self.rest);
        let tangent = first_tangent(&self.start);
        let across = carry_director(perpendicular(rest), rest, tangent);
        [across, tangent.cross(across), tangent]
    }
}

/// Direction of the first edge of a curve that has a length.
pub(crate) fn first_tangent(points: &[Vec3]) -> DVec3 {
    let edge = |ends: &[Vec3]| (ends[1] - ends[0]).as_dvec3().try_normalize();
    points.windows(2).find_map(edge).unwrap_or(DVec3::NEG_Y)
}

/// How strands resist stretch, bending and twist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StrandLaw {
    /// Springs between neighbours (004), as any solver takes them; bending, if any, by springs
    /// between every other point.
    Springs {
        /// Between neighbours.
        stretch: SpringParams,
        /// Between every other point.
        bend: Option<SpringParams>,
    },
    /// Stretch and bending of a strand in one banded solve, twist at rest in every step.
    Rod,
    /// A rod of Cosserat: a rotation for each edge; all of a strand at once.
    Cosserat {
        /// Newton steps a short step.
        sweeps: u32,
    },
    /// Pieces of constant curvature and twist: no length can change at all.
    Helix {
        /// Pieces of a strand.
        pieces: u32,
    },
}

/// What a fibre is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fibre {
    /// E I. [N·m²]
    pub bending: f32,
    /// G J. [N·m²]
    pub twisting: f32,
    /// Mass of a length. [kg/m]
    pub density: f32,
    /// Half of its thickness, for pictures and for what it touches. [m]
    pub radius: f32,
    /// Thickness at the tip as a part of that at the root, for pictures. [1]
    pub taper: f32,
    /// Time constant β of inner friction: moments are those of κ + β κ̇. [s]
    pub inner_friction: f32,
    /// Air across it.
    pub drag: FibreDrag,
    /// Strands slower than this for half a second, with nothing round them moving, come to rest;
    /// zero: none does. [m/s]
    pub rest_speed: f32,
}

/// F/length = −(viscous + inertial·|u|) u across the fibre, u the velocity through the air;
/// along it a part of that.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FibreDrag {
    /// [kg/(m·s)]
    pub viscous: f32,
    /// [kg/m²]
    pub inertial: f32,
    /// Along the fibre, as a part of across. [1]
    pub along: f32,
}

/// How strands meet what is in their way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandTouch {
    /// Coulomb coefficient among strands, and factor 1 on that of obstacles. [1]
    pub friction: f32,
    /// Which parts of them touch.
    pub parts: TouchParts,
    /// Hair in hair.
    pub crowd: Option<Crowd>,
}

/// Which parts of strands touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TouchParts {
    /// Nothing.
    Nothing,
    /// Points against colliders.
    #[default]
    Points,
    /// Points against colliders, and segments of their thickness against segments and triangles.
    Segments,
}

/// Hair in hair, by a grid of mass and velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crowd {
    /// Width of its cells. [m]
    pub cell: f32,
    /// Part of the difference to the velocity of the hair round it that a point loses. [1/s]
    pub friction: f32,
    /// Mass in a volume from which on hair resists. [kg/m³]
    pub density: f32,
    /// Acceleration at twice that density over a cell. [m/s²]
    pub pressure: f32,
}

/// What draws strands to others.
#[derive(Clone, Debug, PartialEq)]
pub struct Clump {
    /// The strand of the same body that each is drawn to; itself if to none.
    pub leaders: Vec<u32>,
    /// Square of the frequency at which it swings about its leader. [1/s²]
    pub pull: f32,
}

/// Strands that are shown between those that are simulated: each is a weighted sum of up to three,
/// with its own place at the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Followers {
    /// Strands of the body for each follower.
    pub guides: Vec<[u32; 3]>,
    /// Their weights, which add up to 1.
    pub weights: Vec<[f32; 3]>,
    /// Of each, where its root is beside that of the first guide, in the first guide's root frame
    /// (director, its cross product with the tangent, tangent). [m]
    pub offsets: Vec<Vec3>,
    /// Length of each as a part of its guides'. [1]
    pub lengths: Vec<f32>,
}

/// Fibres of one body: what stays the same.
#[derive(Clone, Debug)]
pub struct StrandSet {
    /// Its number in `Model::bodies`.
    pub body: usize,
    /// Each strand.
    pub strands: Vec<Strand>,
    /// How they resist.
    pub law: StrandLaw,
    /// What they are made of.
    pub fibre: Fibre,
    /// How they meet what is in their way.
    pub touch: StrandTouch,
    /// What draws them together.
    pub clump: Option<Clump>,
    /// Strands that are shown between them.
    pub followers: Option<Arc<Followers>>,
    /// Natural bend at each particle of the body: x₋ − 2x + x₊ at rest, along the mean of both
    /// edges' directors and along that of their cross products with the tangents. Zero at ends. [m]
    pub bends: Vec<[f32; 2]>,
}

/// One fibre.
#[derive(Clone, Debug, PartialEq)]
pub struct Strand {
    /// Its first particle; the others follow.
    pub first: u32,
    /// Its particles.
    pub count: u32,
    /// Length of each of its edges. [m]
    pub edge: f32,
    /// What holds its first particle.
    pub root: Root,
    /// The frame of its first edge (director, tangent × director, tangent) at its first particle, as
    /// what carries its root sees it; in the world where nothing does.
    pub root_pose: Pose,
}

impl Strand {
    /// Its particles.
    pub fn particles(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// Particles that its root holds.
    pub fn held(&self) -> std::ops::Range<usize> {
        let count = match (&self.root.path, self.root.clamped) {
            (RootPath::Free, _) => 0,
            (_, false) => 1,
            (_, true) => 2,
        };
        self.first as usize..self.first as usize + count.min(self.count as usize)
    }

    /// Whether its root holds its direction and twist too.
    pub fn is_clamped(&self) -> bool {
        self.root.clamped && self.root.path != RootPath::Free
    }

    /// Length of all its edges. [m]
    pub fn length(&self) -> f32 {
        self.edge * self.count.saturating_sub(1) as f32
    }
}

impl StrandLaw {
    /// Whether scissors can cut it.
    pub fn can_be_cut(&self) -> bool {
        self.is_rod()
    }

    /// Whether fibres are advanced on their own, not by the solver of all else.
    pub fn is_rod(&self) -> bool {
        !matches!(self, Self::Springs { .. })
    }
}
