//! The methods by name.

/// An integration method that can be run.
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
        }
    }

    /// Every method, without loss.
    pub const ALL: [Self; 6] = [
        Self::ExplicitEuler,
        Self::SemiImplicitEuler,
        Self::Kinematic,
        Self::Verlet { loss: 0.0 },
        Self::VelocityVerlet,
        Self::Rk4,
    ];
}
