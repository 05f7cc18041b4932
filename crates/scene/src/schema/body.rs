//! What is simulated.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Panel, PanelSeam, Pin, SoftBody, StrandTouch, Strands, TShirtSize, Vec3};

/// A simulated body.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Body {
    /// A sheet of fabric.
    Cloth(Box<Cloth>),
    /// A body with an inside.
    SoftBody(Box<SoftBody>),
    /// Hair, fur, ropes or grass.
    Strands(Box<Strands>),
}

impl Body {
    /// The body's name.
    pub fn name(&self) -> &str {
        match self {
            Self::Cloth(cloth) => &cloth.name,
            Self::SoftBody(body) => &body.name,
            Self::Strands(body) => &body.name,
        }
    }

    /// It as a cloth, if it is one.
    pub fn as_cloth(&self) -> Option<&Cloth> {
        match self {
            Self::Cloth(cloth) => Some(cloth),
            Self::SoftBody(_) | Self::Strands(_) => None,
        }
    }

    /// Whether it may touch itself.
    pub fn self_contact(&self) -> bool {
        match self {
            Self::Cloth(cloth) => cloth.self_contact,
            Self::SoftBody(body) => body.self_contact,
            Self::Strands(body) => body.touch == StrandTouch::Segments,
        }
    }

    /// Points of it that are held.
    pub fn pins(&self) -> &[Pin] {
        match self {
            Self::Cloth(cloth) => &cloth.pins,
            Self::SoftBody(body) => &body.pins,
            Self::Strands(body) => &body.pins,
        }
    }

    /// It as strands, if it is that.
    pub fn as_strands(&self) -> Option<&Strands> {
        match self {
            Self::Strands(strands) => Some(strands),
            _ => None,
        }
    }
}

/// A sheet of fabric.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Cloth {
    /// Name by which pins, seams and expectations refer to it.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
    /// Its points and how they are joined.
    pub shape: Shape,
    /// Where it starts.
    #[serde(default)]
    pub place: Place,
    /// Velocity of all points at the start. [m/s]
    #[serde(default)]
    #[schemars(inner(range(min = -1e4, max = 1e4)))]
    #[schemars(extend("x-formula" = "v(0) = v₀", "x-safe" = [-20.0, 20.0]))]
    pub velocity_m_s: Vec3,
    /// Starts in another shape than the one it rests in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disorder: Option<Disorder>,
    /// Name of its material.
    pub material: String,
    /// Whether it may touch itself.
    #[serde(default)]
    pub self_contact: bool,
    /// Cuts that it starts with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 1000))]
    pub slits: Vec<Slit>,
    /// Points that are held.
    #[serde(default)]
    #[schemars(length(max = 10000))]
    pub pins: Vec<Pin>,
}

/// Points of a cloth and how they are joined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum Shape {
    /// A rectangle of a × b points, centred on its place.
    Grid {
        /// Points along the plane's first and second axis. [1]
        #[schemars(inner(range(min = 2, max = 2000000)))]
        points: [u32; 2],
        /// Size along the plane's first and second axis. [m]
        #[schemars(inner(range(min = 1e-4, max = 1e5)))]
        #[schemars(extend("x-formula" = "L = size/(points − 1)", "x-safe" = [0.05, 50.0]))]
        size_m: [f64; 2],
        /// Plane it lies in before rotation.
        #[serde(default)]
        plane: GridPlane,
    },
    /// The polygons of an OBJ file.
    Mesh {
        /// The file, relative to the scene.
        #[schemars(length(min = 1, max = 1000))]
        file: String,
        /// Factor on its coordinates. [1]
        #[serde(default = "one")]
        #[schemars(range(max = 1e6), extend("x-formula" = "x = R·(scale·x₀) + p", "x-safe" = [0.001, 1000.0], "exclusiveMinimum" = 0))]
        scale: f64,
    },
    /// Flat panels, sewn together and put on.
    Garment {
        /// The panels.
        #[schemars(length(min = 1, max = 1000))]
        panels: Vec<Panel>,
        /// What is sewn to what.
        #[serde(default)]
        #[schemars(length(max = 10000))]
        seams: Vec<PanelSeam>,
        /// Distance of points. [m]
        #[serde(default = "default_spacing")]
        #[schemars(range(min = 1e-4, max = 1e4))]
        #[schemars(extend("x-formula" = "points ≈ 1.16·area/spacing²", "x-safe" = [0.005, 0.2]))]
        spacing_m: f64,
        /// Name of the collider that it is put on; absent: none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(length(min = 1, max = 200))]
        around: Option<String>,
    },
    /// A T-shirt, sewn from panels and put on.
    TShirt {
        /// Its measures.
        #[serde(default)]
        size: TShirtSize,
        /// Distance of points. [m]
        #[serde(default = "default_spacing")]
        #[schemars(range(min = 1e-4, max = 1e4))]
        #[schemars(extend("x-formula" = "points ≈ 1.16·area/spacing²", "x-safe" = [0.005, 0.2]))]
        spacing_m: f64,
        /// Name of the collider that it is put on; absent: none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(length(min = 1, max = 200))]
        around: Option<String>,
    },
}

/// A cut from point to point: one of the two fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Slit {
    /// Points of a grid as [i, j]; from one to the next along a row, a column or the diagonal of
    /// its triangles.
    #[serde(rename = "points")]
    Points(#[schemars(length(min = 2, max = 100000))] Vec<[u32; 2]>),
    /// Vertices by number, each joined to the next by an edge.
    #[serde(rename = "vertices")]
    Vertices(#[schemars(length(min = 2, max = 100000))] Vec<u32>),
}

/// How a start differs from the shape at rest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum Disorder {
    /// Every point moved at random.
    Scattered {
        /// Farthest move along each axis. [m]
        #[schemars(range(min = 0.0, max = 1e4))]
        #[schemars(extend("x-formula" = "x += s·(r₁, r₂, r₃), −1 ≤ r ≤ 1", "x-safe" = [0.0, 1.0]))]
        spread_m: f64,
        /// Number that the moves follow from.
        #[serde(default)]
        #[schemars(extend("x-formula" = "r of the seed's sequence", "x-safe" = [0.0, 1e6]))]
        seed: u32,
    },
    /// Pressed flat along an axis of the world, to its place.
    Flattened {
        /// The axis along which nothing is left.
        axis: WorldAxis,
    },
    /// Turned inside out along an axis of the world, about its place.
    Mirrored {
        /// The axis along which it is turned over.
        axis: WorldAxis,
    },
}

/// An axis of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WorldAxis {
    /// To the right.
    X,
    /// Up.
    Y,
    /// Towards the viewer.
    Z,
}

/// A plane by its first and second axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GridPlane {
    /// Upright, facing z.
    Xy,
    /// Level.
    #[default]
    Xz,
    /// Upright, facing x.
    Yz,
}

/// Where something starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(deny_unknown_fields)]
pub struct Place {
    /// Position. [m]
    #[schemars(inner(range(min = -1e5, max = 1e5)))]
    #[schemars(extend("x-formula" = "x = R·x₀ + p", "x-safe" = [-100.0, 100.0]))]
    pub position_m: Vec3,
    /// Rotation, XYZ Euler. [°]
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    #[schemars(extend("x-formula" = "x = R·x₀ + p, R = R_z·R_y·R_x", "x-safe" = [-360.0, 360.0]))]
    pub rotation_deg: Vec3,
}

/// Folds of a hand's width have ten points. [m]
fn default_spacing() -> f64 {
    0.022
}

fn one() -> f64 {
    1.0
}
