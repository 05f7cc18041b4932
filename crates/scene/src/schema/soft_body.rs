//! Soft bodies: closed skins with springs and gas.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Body, Carries, Cores, Disorder, Inside, Pin, Place, Scene, SpringLaw, Vec3};

/// A body with an inside: a closed skin of springs, filled with gas, with springs to its middle, or both.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SoftBody {
    /// Name by which pins, seams and expectations refer to it.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
    /// Its skin at rest.
    pub shape: SoftShape,
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
    /// Its mass, by point, by volume or in all.
    pub mass: SoftMass,
    /// Springs along the edges of its skin.
    #[serde(default)]
    pub springs: SpringLaw,
    /// Springs from every point to one in its middle; absent: no such point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre_springs: Option<SpringLaw>,
    /// What fills it; absent: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gas: Option<GasFill>,
    /// What else is inside, so that it keeps its shape; absent: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<Inside>,
    /// Rigid cores inside; absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<Cores>,
    /// Damping by the medium, F = −b·v on every point. [kg/s]
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e6))]
    #[schemars(extend("x-formula" = "F = −b·v", "x-safe" = [0.0, 1.0]))]
    pub damping_kg_s: f64,
    /// Elongation of edges beyond which its skin tears: 0.3 is 30 %; absent: never. [1]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 100.0), extend("x-formula" = "|d| > (1 + s)L", "x-safe" = [0.01, 2.0], "exclusiveMinimum" = 0))]
    pub tears_at_stretch: Option<f64>,
    /// A detailed mesh that is shown in its place; absent: its own skin is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carries: Option<Carries>,
    /// Whether it may touch itself.
    #[serde(default)]
    pub self_contact: bool,
    /// Points that are held.
    #[serde(default)]
    #[schemars(length(max = 10000))]
    pub pins: Vec<Pin>,
}

impl Scene {
    /// Lets meshes of soft bodies be repaired.
    pub fn repair_meshes(&mut self) {
        for body in &mut self.bodies {
            if let Body::SoftBody(body) = body
                && let SoftShape::Mesh { repair, .. } = &mut body.shape
            {
                *repair = true;
            }
        }
    }
}

/// Mass of a soft body: one of the fields.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum SoftMass {
    /// Mass of every point. [kg]
    #[serde(rename = "per_point_kg")]
    PerPointKg(
        #[schemars(range(min = 1e-12, max = 1e6), extend("x-formula" = "a = F/m", "x-safe" = [1e-05, 10.0]))]
         f64,
    ),
    /// Mass by volume, shared among the points. [kg/m³]
    #[serde(rename = "density_kg_m3")]
    DensityKgM3(
        #[schemars(range(min = 1e-9, max = 1e6), extend("x-formula" = "m = ρ·V of a point", "x-safe" = [0.1, 5000.0]))]
         f64,
    ),
    /// Mass in all, shared among the points by volume. [kg]
    #[serde(rename = "total_kg")]
    TotalKg(
        #[schemars(range(min = 1e-9, max = 1e9), extend("x-formula" = "Σm = M", "x-safe" = [0.001, 1000.0]))]
         f64,
    ),
}

/// A closed skin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum SoftShape {
    /// The polygons of an OBJ file, or tetrahedra of Gmsh or VTK; they must enclose a volume.
    Mesh {
        /// The file, relative to the scene.
        #[schemars(length(min = 1, max = 1000))]
        file: String,
        /// Factor on its coordinates. [1]
        #[serde(default = "one")]
        #[schemars(range(max = 1e6), extend("x-formula" = "x = R·(scale·x₀) + p", "x-safe" = [0.001, 1000.0], "exclusiveMinimum" = 0))]
        scale: f64,
        /// Whether holes are closed and faces turned outwards.
        #[serde(default)]
        repair: bool,
    },
    /// A ball of evenly spread triangles.
    IcoSphere {
        /// Radius. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "|x| = r", "x-safe" = [0.005, 50.0], "exclusiveMinimum" = 0))]
        radius_m: f64,
        /// Times that the triangles of an icosahedron are cut in four. [1]
        #[serde(default = "default_subdivisions")]
        #[schemars(range(max = 8), extend("x-formula" = "10·4^n + 2 points", "x-safe" = [0, 6]))]
        subdivisions: u32,
    },
    /// A box with a point in the middle of every face.
    CentredBox {
        /// Whole size along its three axes. [m]
        #[schemars(inner(range(min = 1e-6, max = 1e5)))]
        #[schemars(extend("x-formula" = "|xᵢ| ≤ size/2 is inside", "x-safe" = [0.005, 200.0]))]
        size_m: Vec3,
    },
    /// A box of squares.
    Box {
        /// Whole size along its three axes. [m]
        #[schemars(inner(range(min = 1e-6, max = 1e5)))]
        #[schemars(extend("x-formula" = "|xᵢ| ≤ size/2 is inside", "x-safe" = [0.005, 200.0]))]
        size_m: Vec3,
        /// Squares along each of its axes. [1]
        #[serde(default = "default_cells")]
        #[schemars(inner(range(min = 1, max = 512)))]
        #[schemars(extend("x-formula" = "a mesh of so many parts", "x-safe" = [1, 128]))]
        cells: [u32; 3],
    },
    /// A ring that lies level.
    Torus {
        /// Radius of the ring, to the middle of its tube. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "(|x_xz| − R)² + y² = r²", "x-safe" = [0.01, 50.0], "exclusiveMinimum" = 0))]
        radius_m: f64,
        /// Radius of its tube; less than the ring's. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "(|x_xz| − R)² + y² = r²", "x-safe" = [0.005, 20.0], "exclusiveMinimum" = 0))]
        tube_m: f64,
        /// Segments round the ring and round its tube. [1]
        #[serde(default = "default_ring")]
        #[schemars(inner(range(min = 3, max = 1024)))]
        #[schemars(extend("x-formula" = "a mesh of so many parts", "x-safe" = [3, 256]))]
        segments: [u32; 2],
    },
    /// A cylinder along y with half balls for ends.
    Capsule {
        /// Radius. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "|x − nearest of the axis| = r", "x-safe" = [0.005, 50.0], "exclusiveMinimum" = 0))]
        radius_m: f64,
        /// Height of the cylinder without its ends. [m]
        #[schemars(range(max = 1e5), extend("x-formula" = "|y| ≤ h/2 + r", "x-safe" = [0.005, 50.0], "exclusiveMinimum" = 0))]
        height_m: f64,
        /// Segments round the axis, along the cylinder and from its end to the pole. [1]
        #[serde(default = "default_capsule")]
        #[schemars(inner(range(min = 1, max = 512)))]
        #[schemars(extend("x-formula" = "a mesh of so many parts", "x-safe" = [1, 128]))]
        segments: [u32; 3],
    },
    /// A letter that stands upright, three squares wide and five high.
    Letter {
        /// Which one.
        letter: Letter,
        /// Whole size along its three axes. [m]
        #[schemars(inner(range(min = 1e-6, max = 1e5)))]
        #[schemars(extend("x-formula" = "|xᵢ| ≤ size/2", "x-safe" = [0.005, 200.0]))]
        size_m: Vec3,
        /// Parts that each side of a square is cut in. [1]
        #[serde(default = "default_letter")]
        #[schemars(range(min = 1, max = 100))]
        #[schemars(extend("x-formula" = "a mesh of so many parts", "x-safe" = [1, 32]))]
        cells: u32,
    },
    /// A toy bear that sits and faces z.
    Bear {
        /// Height. [m]
        #[schemars(range(min = 0.001, max = 1e4))]
        #[schemars(extend("x-formula" = "x = x₀·height", "x-safe" = [0.05, 20.0]))]
        height_m: f64,
        /// Triangles along its height, about. [1]
        #[serde(default = "default_fineness")]
        #[schemars(range(min = 8, max = 400))]
        #[schemars(extend("x-formula" = "edge ≈ height/n", "x-safe" = [12, 100]))]
        cells: u32,
    },
    /// The head of a robot that faces z.
    RobotHead {
        /// Height. [m]
        #[schemars(range(min = 0.001, max = 1e4))]
        #[schemars(extend("x-formula" = "x = x₀·height", "x-safe" = [0.05, 20.0]))]
        height_m: f64,
        /// Triangles along its height, about. [1]
        #[serde(default = "default_fineness")]
        #[schemars(range(min = 8, max = 400))]
        #[schemars(extend("x-formula" = "edge ≈ height/n", "x-safe" = [12, 200]))]
        cells: u32,
    },
}

/// A letter that can be a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Letter {
    /// Open to the right.
    C,
    /// Three arms.
    E,
    /// Two posts and a bar.
    H,
    /// A post and a foot.
    L,
    /// A bar on a post.
    T,
    /// Open above.
    U,
}

impl Letter {
    /// The letter itself.
    pub fn as_char(self) -> char {
        match self {
            Self::C => 'C',
            Self::E => 'E',
            Self::H => 'H',
            Self::L => 'L',
            Self::T => 'T',
            Self::U => 'U',
        }
    }
}

/// Gas in a body: either `amount_mol` or `overpressure_Pa` says how much.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GasFill {
    /// How it presses.
    #[serde(default)]
    pub law: GasLaw,
    /// Amount n. [mol]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e9))]
    #[schemars(extend("x-formula" = "p = nRT/V", "x-safe" = [0.0, 1000.0]))]
    pub amount_mol: Option<f64>,
    /// What it presses more than the outside at the volume at rest. [Pa]
    #[serde(rename = "overpressure_Pa", default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1e9))]
    #[schemars(extend("x-formula" = "nRT = (p + p₀)V₀", "x-safe" = [0.0, 100000.0]))]
    pub overpressure_pa: Option<f64>,
    /// Temperature T. [K]
    #[serde(rename = "temperature_K", default = "default_temperature")]
    #[schemars(range(min = 1e-3, max = 1e6))]
    #[schemars(extend("x-formula" = "p = nRT/V", "x-safe" = [200.0, 400.0]))]
    pub temperature_k: f64,
    /// Pressure of what is outside. [Pa]
    #[serde(rename = "outside_Pa", default)]
    #[schemars(range(min = 0.0, max = 1e9))]
    #[schemars(extend("x-formula" = "F = (p − p₀)·dV/dx", "x-safe" = [0.0, 101325.0]))]
    pub outside_pa: f64,
    /// Part of it that leaks away in a second. [1/s]
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e4))]
    #[schemars(extend("x-formula" = "n = n₀e^(−λt)", "x-safe" = [0.0, 10.0]))]
    pub leak_per_second: f64,
    /// Factors on the amount over time, straight lines between them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 100000))]
    pub inflation: Vec<InflationKey>,
}

/// A factor on the amount of gas at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct InflationKey {
    /// When. [s]
    #[schemars(range(min = 0.0, max = 100000.0))]
    #[schemars(extend("x-formula" = "n = n₀·lerp(key, next key)", "x-safe" = [0.0, 3600.0]))]
    pub t_s: f64,
    /// Factor on the amount. [1]
    #[schemars(range(min = 0.0, max = 1e6))]
    #[schemars(extend("x-formula" = "n = n₀·lerp(key, next key)", "x-safe" = [0.0, 100.0]))]
    pub factor: f64,
}

/// How gas presses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GasLaw {
    /// By the ideal gas law on every triangle.
    #[default]
    Ideal,
    /// As document 003 has it: the whole surface at every point, along its normal.
    Document,
}

/// 642 points.
fn default_subdivisions() -> u32 {
    3
}

fn default_cells() -> [u32; 3] {
    [4; 3]
}

fn default_ring() -> [u32; 2] {
    [32, 16]
}

fn default_capsule() -> [u32; 3] {
    [20, 6, 5]
}

fn default_fineness() -> u32 {
    24
}

fn default_letter() -> u32 {
    2
}

/// A warm room. [K]
fn default_temperature() -> f64 {
    298.15
}

fn one() -> f64 {
    1.0
}
