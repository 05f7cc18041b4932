//! Hinges that rest flat though their body starts bent.

use glam::DVec3;

use crate::elastic::{ElasticHinge, HingeShape};
use crate::model::Model;

/// Lengths of structural edges at rest, by their ends.
pub(super) struct FlatHinges {
    lengths: Vec<([u32; 2], f64)>,
}

/// A hinge that starts at less than this is as flat as it rests. [rad]
const FLAT: f64 = 1e-3;

impl FlatHinges {
    pub fn of(model: &Model) -> Self {
        let edge = |e: &crate::edges::Edge| {
            ([e.ends[0].min(e.ends[1]), e.ends[0].max(e.ends[1])], f64::from(e.rest))
        };
        let mut lengths: Vec<_> = model.edges.edges().iter().map(edge).collect();
        lengths.sort_by_key(|&(ends, _)| ends);
        Self { lengths }
    }

    /// Corners of a hinge at rest: as they are placed, or, if it rests flat but is placed bent
    /// (panels sewn round something), laid into a plane by the lengths of its edges.
    pub fn hinge(&self, hinge: &ElasticHinge, placed: [DVec3; 4]) -> [DVec3; 4] {
        let bent = HingeShape::new(placed).is_none_or(|shape| shape.angle.abs() > FLAT);
        if !bent || hinge.rest_sine.abs() > FLAT {
            return placed;
        }
        self.laid(hinge.corners).unwrap_or(placed)
    }

    fn laid(&self, [f, g, start, end]: [u32; 4]) -> Option<[DVec3; 4]> {
        let edge = self.length(start, end)?;
        // x = (a² − b² + L²)/2L along the edge, the rest of a beside it.
        let beside = |far: u32| {
            let (a, b) = (self.length(far, start)?, self.length(far, end)?);
            let along = (a * a - b * b + edge * edge) / (2.0 * edge);
            Some((along, (a * a - along * along).max(0.0).sqrt()))
        };
        let ((fx, fy), (gx, gy)) = (beside(f)?, beside(g)?);
        let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
        Some([at(fx, fy), at(gx, -gy), DVec3::ZERO, at(edge, 0.0)])
    }

    fn length(&self, a: u32, b: u32) -> Option<f64> {
        let pair = [a.min(b), a.max(b)];
        let at = self.lengths.binary_search_by_key(&pair, |&(ends, _)| ends).ok()?;
        Some(self.lengths[at].1)
    }
}
