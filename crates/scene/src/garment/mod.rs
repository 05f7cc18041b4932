//! Clothes: panels are cut into triangles, seams closed, and what comes out is put on.

mod cut;
mod drape;
mod outline;
mod plan;
mod t_shirt;
#[cfg(test)]
mod tests;
mod weld;

use crate::check::steps;
use crate::node::Step;
use crate::schema::{Panel, PanelSeam};

pub use drape::drape;
pub use t_shirt::t_shirt;
pub use weld::sew;

/// Panels and seams.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pattern {
    /// The pieces.
    pub panels: Vec<Panel>,
    /// What is sewn to what.
    pub seams: Vec<PanelSeam>,
    /// Distance of points. [m]
    pub spacing: f64,
}

/// What is wrong with a pattern: where in it, what, and how to mend it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// From the pattern on, such as `panels[0].sides[2]`.
    pub at: Vec<Step>,
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    pub help: String,
}

/// Most points of a garment: cutting more takes too long.
const MAX_POINTS: f64 = 200_000.0;

fn fault<T>(at: &[Step], message: impl Into<String>, help: &str) -> Result<T, Fault> {
    Err(Fault { at: at.to_vec(), message: message.into(), help: help.to_owned() })
}

fn at_panel(panel: usize) -> Vec<Step> {
    steps!["panels", panel].to_vec()
}

fn at_side(panel: usize, side: usize) -> Vec<Step> {
    steps!["panels", panel, "sides", side].to_vec()
}
