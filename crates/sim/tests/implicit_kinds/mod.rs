//! The implicit methods by short names.
#![allow(dead_code)]

use tkanina_sim::solvers::{Newton, SolverKind};

pub const EULER: SolverKind = SolverKind::ImplicitEuler(Newton::CHOICE);
pub const MIDPOINT: SolverKind = SolverKind::ImplicitMidpoint(Newton::CHOICE);
pub const BDF2: SolverKind = SolverKind::Bdf2(Newton::CHOICE);
pub const SDIRK2: SolverKind = SolverKind::Sdirk2 { newton: Newton::CHOICE, error: None };
pub const ALL: [SolverKind; 4] = [EULER, MIDPOINT, BDF2, SDIRK2];

/// SDIRK2 that keeps to an error. [m]
pub fn adaptive(error: f32) -> SolverKind {
    SolverKind::Sdirk2 { newton: Newton::CHOICE, error: Some(error) }
}
