//! The methods by name.

/// An integration method that can be run. Options that are `None` are the solver's choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SolverKind {
    /// x⁺ = x + h v, v⁺ = v + h a(x, v).
    ExplicitEuler,
    /// v⁺ = v + h a(x, v), x⁺ = x + h v⁺.
    SemiImplicitEuler,
    /// x⁺ = x + h v + ½h² a, v⁺ = v + h a (000 §1.1.7).
    Kinematic,
    /// x⁺ = (2 − s) x − (1 − s) x⁻ + h² a (000 §1.1.8, loss s of 002).
    Verlet {
        /// s, between 0 and 1.
        loss: f32,
    },
    /// v½ = v + ½h a, x⁺ = x + h v½, v⁺ = v½ + ½h a⁺.
    VelocityVerlet,
    /// The classical fourth-order Runge–Kutta method.
    Rk4,
    /// x⁺ = x + h v⁺, v⁺ = v + h a(x⁺, v⁺).
    ImplicitEuler(Newton),
    /// x⁺ = x + h vₘ, v⁺ = v + h a(xₘ, vₘ), the middle being the mean of both ends.
    ImplicitMidpoint(Newton),
    /// x⁺ = (4x − x⁻ + 2h v⁺)/3, v⁺ = (4v − v⁻ + 2h a⁺)/3.
    Bdf2(Newton),
    /// Two implicit stages of γh, γ = 1 − 1/√2: L-stable, second order.
    Sdirk2 {
        /// How each stage is solved.
        newton: Newton,
        /// Largest error of a position that a step may make; the step is cut until it
        /// holds. `None`: steps as they are asked for. [m]
        error: Option<f32>,
    },
    /// Projective dynamics: local projections, one prefactored global solve.
    Projective {
        /// Rounds a step.
        iterations: Option<u32>,
    },
    /// Extended position based dynamics.
    Xpbd {
        /// Sweeps a step.
        iterations: Option<u32>,
    },
    /// Warp and weft lines, each solved exactly.
    LineProjection {
        /// Rounds over both directions a step.
        iterations: Option<u32>,
        /// Whether flat panels of meshes are carried by a warp/weft grid; otherwise the
        /// mesh's own edges are the lines. `None`: where it can be done.
        embed: Option<bool>,
    },
    /// Newton steps vertex by vertex.
    VertexDescent {
        /// Sweeps a step.
        iterations: Option<u32>,
    },
    /// All rods as pieces of constant curvature and twist, all else by line projection.
    SuperHelix {
        /// Newton steps a stage at most.
        iterations: Option<u32>,
    },
}

/// When Newton's method stops.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Newton {
    /// Newton steps at most.
    pub iterations: Option<u32>,
    /// Remaining residual that ends them, relative to the first.
    pub tolerance: Option<f32>,
}

impl SolverKind {
    /// Name in scene files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::ExplicitEuler => "explicit-euler",
            Self::SemiImplicitEuler => "semi-implicit-euler",
            Self::Kinematic => "kinematic",
            Self::Verlet { .. } => "verlet",
            Self::VelocityVerlet => "velocity-verlet",
            Self::Rk4 => "rk4",
            Self::ImplicitEuler(_) => "implicit-euler",
            Self::ImplicitMidpoint(_) => "implicit-midpoint",
            Self::Bdf2(_) => "bdf2",
            Self::Sdirk2 { .. } => "sdirk2",
            Self::Projective { .. } => "projective",
            Self::Xpbd { .. } => "xpbd",
            Self::LineProjection { .. } => "line-projection",
            Self::VertexDescent { .. } => "vertex-descent",
            Self::SuperHelix { .. } => "super-helix",
        }
    }

    /// Whether forces are taken at known positions only: then a step can be too long.
    pub fn is_explicit(self) -> bool {
        Self::EXPLICIT.iter().any(|kind| kind.name() == self.name())
    }

    /// The explicit methods, without loss.
    pub const EXPLICIT: [Self; 6] = [
        Self::ExplicitEuler,
        Self::SemiImplicitEuler,
        Self::Kinematic,
        Self::Verlet { loss: 0.0 },
        Self::VelocityVerlet,
        Self::Rk4,
    ];

    /// The methods that any step leaves stable, with their own choice of options.
    pub const STABLE: [Self; 8] = [
        Self::ImplicitEuler(Newton::CHOICE),
        Self::ImplicitMidpoint(Newton::CHOICE),
        Self::Bdf2(Newton::CHOICE),
        Self::Sdirk2 { newton: Newton::CHOICE, error: None },
        Self::Projective { iterations: None },
        Self::Xpbd { iterations: None },
        Self::LineProjection { iterations: None, embed: None },
        Self::VertexDescent { iterations: None },
    ];

    /// The method that is for strands alone.
    pub const FOR_STRANDS: Self = Self::SuperHelix { iterations: None };

    /// Every method that takes any body.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::EXPLICIT.into_iter().chain(Self::STABLE)
    }

    /// Every method, also that for strands.
    pub fn known() -> impl Iterator<Item = Self> {
        Self::all().chain([Self::FOR_STRANDS])
    }
}

impl Newton {
    /// Everything as the solver chooses.
    pub const CHOICE: Self = Self { iterations: None, tolerance: None };
}
