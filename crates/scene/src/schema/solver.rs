//! Which solver, with its options.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the scene is stepped through time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(deny_unknown_fields)]
pub enum Solver {
    /// Chosen by what is in the scene; the program says which and why.
    #[default]
    Auto,
    /// x⁺ = x + v h, v⁺ = v + a h.
    ExplicitEuler,
    /// v⁺ = v + a h, x⁺ = x + v⁺ h.
    SemiImplicitEuler,
    /// x⁺ = x + v h + a h²/2, v⁺ = v + a h.
    Kinematic,
    /// x⁺ = (2 − s) x − (1 − s) x⁻ + a h².
    Verlet {
        /// Share of the motion lost each step: s in the formula.
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1.0))]
        #[schemars(extend("x-formula" = "x⁺ = (2 − s)x − (1 − s)x⁻ + a h²", "x-safe" = [0.0, 0.1]))]
        loss: f64,
    },
    /// Verlet that keeps velocities at full steps.
    VelocityVerlet,
    /// Runge–Kutta of fourth order.
    Rk4,
    /// Backward Euler by Newton steps.
    ImplicitEuler {
        /// Newton steps at most; absent: the solver's choice.
        #[schemars(range(min = 1, max = 1000))]
        #[schemars(extend("x-formula" = "Newton steps until |r| ≤ tolerance·|r₀|", "x-safe" = [1.0, 50.0]))]
        iterations: Option<u32>,
        /// Largest remaining error that ends the Newton steps, relative.
        #[schemars(range(min = 1e-12, max = 1.0))]
        #[schemars(extend("x-formula" = "|r| ≤ tolerance·|r₀|", "x-safe" = [1e-08, 0.1]))]
        tolerance: Option<f64>,
    },
    /// Implicit midpoint rule.
    ImplicitMidpoint {
        /// Newton steps at most; absent: the solver's choice.
        #[schemars(range(min = 1, max = 1000))]
        #[schemars(extend("x-formula" = "Newton steps until |r| ≤ tolerance·|r₀|", "x-safe" = [1.0, 50.0]))]
        iterations: Option<u32>,
        /// Largest remaining error that ends the Newton steps, relative.
        #[schemars(range(min = 1e-12, max = 1.0))]
        #[schemars(extend("x-formula" = "|r| ≤ tolerance·|r₀|", "x-safe" = [1e-08, 0.1]))]
        tolerance: Option<f64>,
    },
    /// Backward differentiation of second order.
    Bdf2 {
        /// Newton steps at most; absent: the solver's choice.
        #[schemars(range(min = 1, max = 1000))]
        #[schemars(extend("x-formula" = "Newton steps until |r| ≤ tolerance·|r₀|", "x-safe" = [1.0, 50.0]))]
        iterations: Option<u32>,
        /// Largest remaining error that ends the Newton steps, relative.
        #[schemars(range(min = 1e-12, max = 1.0))]
        #[schemars(extend("x-formula" = "|r| ≤ tolerance·|r₀|", "x-safe" = [1e-08, 0.1]))]
        tolerance: Option<f64>,
    },
    /// Singly diagonal implicit Runge–Kutta of second order, adaptive.
    Sdirk2 {
        /// Newton steps at most; absent: the solver's choice.
        #[schemars(range(min = 1, max = 1000))]
        #[schemars(extend("x-formula" = "Newton steps until |r| ≤ tolerance·|r₀|", "x-safe" = [1.0, 50.0]))]
        iterations: Option<u32>,
        /// Largest remaining error that ends the Newton steps, relative.
        #[schemars(range(min = 1e-12, max = 1.0))]
        #[schemars(extend("x-formula" = "|r| ≤ tolerance·|r₀|", "x-safe" = [1e-08, 0.1]))]
        tolerance: Option<f64>,
        /// Largest error of a position that a step may make: steps are cut until it holds; absent:
        /// steps as they are asked for. [m]
        #[schemars(range(min = 1e-9, max = 1.0))]
        #[schemars(extend("x-formula" = "⅔h|(1 − γ)v + γu₂ − u₁| ≤ error", "x-safe" = [1e-06, 0.01]))]
        error_m: Option<f64>,
    },
    /// Projective dynamics.
    Projective {
        /// Local and global rounds a step; absent: the solver's choice.
        #[schemars(range(min = 1, max = 1000))]
        #[schemars(extend("x-formula" = "local and global rounds a step", "x-safe" = [1.0, 200.0]))]
        iterations: Option<u32>,
    },
    /// Position based with compliance.
    Xpbd {
        /// Sweeps a step; absent: the solver's choice.
        #[schemars(range(min = 1, max = 1000))]
        #[schemars(extend("x-formula" = "sweeps a step", "x-safe" = [1.0, 200.0]))]
        iterations: Option<u32>,
    },
    /// Every warp and weft line solved exactly.
    LineProjection {
        /// Rounds over both directions a step; absent: the solver's choice.
        #[schemars(range(min = 1, max = 1000))]
        #[schemars(extend("x-formula" = "rounds a step", "x-safe" = [1.0, 200.0]))]
        iterations: Option<u32>,
        /// Whether flat mesh panels are carried by a warp/weft grid, otherwise their own edges
        /// are the lines; absent: where it can be done.
        embed: Option<bool>,
    },
    /// Newton steps vertex by vertex.
    VertexDescent {
        /// Sweeps a step; absent: the solver's choice.
        #[schemars(range(min = 1, max = 1000))]
        #[schemars(extend("x-formula" = "sweeps a step", "x-safe" = [1.0, 200.0]))]
        iterations: Option<u32>,
    },
    /// Strands of piecewise constant curvature and twist.
    SuperHelix {
        /// Newton steps at most; absent: the solver's choice.
        #[schemars(range(min = 1, max = 1000))]
        #[schemars(extend("x-formula" = "Newton steps a step", "x-safe" = [1.0, 50.0]))]
        iterations: Option<u32>,
    },
}

impl Solver {
    /// Every kind, as written in a scene.
    pub const KINDS: &[&str] = &[
        "auto",
        "explicit-euler",
        "semi-implicit-euler",
        "kinematic",
        "verlet",
        "velocity-verlet",
        "rk4",
        "implicit-euler",
        "implicit-midpoint",
        "bdf2",
        "sdirk2",
        "projective",
        "xpbd",
        "line-projection",
        "vertex-descent",
        "super-helix",
    ];

    /// The kind, as written in a scene.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::ExplicitEuler => "explicit-euler",
            Self::SemiImplicitEuler => "semi-implicit-euler",
            Self::Kinematic => "kinematic",
            Self::Verlet { .. } => "verlet",
            Self::VelocityVerlet => "velocity-verlet",
            Self::Rk4 => "rk4",
            Self::ImplicitEuler { .. } => "implicit-euler",
            Self::ImplicitMidpoint { .. } => "implicit-midpoint",
            Self::Bdf2 { .. } => "bdf2",
            Self::Sdirk2 { .. } => "sdirk2",
            Self::Projective { .. } => "projective",
            Self::Xpbd { .. } => "xpbd",
            Self::LineProjection { .. } => "line-projection",
            Self::VertexDescent { .. } => "vertex-descent",
            Self::SuperHelix { .. } => "super-helix",
        }
    }
}
