//! A rod whose points contact has moved.

use super::{Rod, between};
use crate::soa::Soa3;

impl Rod {
    /// Goes on from places to which points were brought at the end of a step of `h`: what is nearest to
    /// them, as weights say, once lengths and bends are right. Velocities follow.
    pub(in super::super) fn adjust(&mut self, x: &Soa3, h: f64) {
        let mut any = false;
        for (i, point) in self.points.iter_mut().enumerate() {
            (point.was, point.wanted, point.harder) = (point.x, point.x, 1.0);
            let place = x.get(self.first + i);
            if place != point.x.as_vec3() && !point.held {
                (point.x, point.wanted, any) = (place.as_dvec3(), place.as_dvec3(), true);
            }
        }
        if !any {
            return;
        }
        self.edges.iter_mut().for_each(|edge| (edge.was, edge.wanted) = (edge.q, edge.q));
        self.solve(h);
        for point in &mut self.points {
            point.v += (point.x - point.was) / h;
        }
        for edge in &mut self.edges {
            edge.w += between(edge.was, edge.q) / h;
        }
    }
}
