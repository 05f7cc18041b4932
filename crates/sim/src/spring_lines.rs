//! All springs as lines to draw.

use crate::elements::{SpringKind, SpringParams, TieEnd};
use crate::model::Model;

/// A spring as a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpringLine {
    /// The two particles.
    pub ends: [u32; 2],
    /// What it resists.
    pub kind: SpringRole,
}

/// What a spring resists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpringRole {
    /// Stretch along warp or weft.
    Structural,
    /// Shear.
    Shear,
    /// Bending.
    Bend,
    /// The knight's-move neighbours of the 20-neighbour stencil.
    Knight,
    /// Seams.
    Other,
}

impl SpringRole {
    /// Every role.
    pub const ALL: [Self; 5] =
        [Self::Structural, Self::Shear, Self::Bend, Self::Knight, Self::Other];
}

impl From<SpringKind> for SpringRole {
    fn from(kind: SpringKind) -> Self {
        match kind {
            SpringKind::Structural => Self::Structural,
            SpringKind::Shear => Self::Shear,
            SpringKind::Bend => Self::Bend,
            SpringKind::Knight => Self::Knight,
        }
    }
}

impl Model {
    /// Springs between particles that exert any force: of grids, of meshes, then seams.
    pub fn spring_lines(&self) -> Vec<SpringLine> {
        let mut out = Vec::new();
        for grid in &self.grids {
            grid.for_each_spring(|a, b, spring| {
                if spring.stiffness != 0.0 || spring.damping != 0.0 {
                    out.push(SpringLine { ends: [a as u32, b as u32], kind: spring.kind.into() });
                }
            });
        }
        let acting =
            self.springs.springs().iter().filter(|spring| spring.params != SpringParams::default());
        out.extend(acting.map(|spring| SpringLine { ends: spring.ends, kind: spring.kind.into() }));
        out.extend(self.ties.iter().filter_map(|tie| match tie.end {
            TieEnd::Particle(other) => {
                Some(SpringLine { ends: [tie.particle, other], kind: SpringRole::Other })
            }
            TieEnd::Anchor(_) => None,
        }));
        out
    }
}
