//! What closed bodies enclose.

use crate::model::{Body, Model};
use crate::soa::Soa3;

/// The signed volume V = Σ a·(b × c)/6 of a body that is closed, with its particles at `x`. [m³]
pub fn volume(model: &Model, body: &Body, x: &Soa3) -> Option<f64> {
    if !body.closed {
        return None;
    }
    // From a point of its own, so that a place far away costs no digits.
    let origin = x.get(body.particles.start).as_dvec3();
    let six = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| x.get(v as usize).as_dvec3() - origin);
        a.dot(b.cross(c))
    };
    Some(model.triangles[body.triangles.clone()].iter().map(six).sum::<f64>() / 6.0)
}
