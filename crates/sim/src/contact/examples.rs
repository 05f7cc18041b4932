//! Pairs whose answers are known, for tests.

use glam::DVec3;

use super::{PairKind, PairMotion};

pub(super) const PAIRS: [PairKind; 2] = [PairKind::VertexTriangle, PairKind::EdgeEdge];

pub(super) fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// Side A comes down over the middle of side B, from one height to another.
pub(super) fn falling(pair: PairKind, from: f64, to: f64) -> PairMotion {
    let at = |z| match pair {
        PairKind::VertexTriangle => {
            [v(0.5, 0.5, z), v(0.0, 0.0, 0.0), v(2.0, 0.0, 0.0), v(0.0, 2.0, 0.0)]
        }
        PairKind::EdgeEdge => {
            [v(-1.0, 0.0, z), v(1.0, 0.0, z), v(0.0, -1.0, 0.0), v(0.0, 1.0, 0.0)]
        }
    };
    PairMotion { start: at(from), end: at(to) }
}
