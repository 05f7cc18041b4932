//! Damping of what is not rigid.

use std::sync::Arc;

use super::matching::{held, shares};
use super::node::Node;
use super::regions::Regions;
use super::sums::{Emit, Finish, Lanes, Load, Sums};
use crate::simd::LANES;
use crate::soa::{Soa3, Soa3Mut};

/// v ← v + s(u − v), uᵢ the mean over i's regions of v̄ᵣ + ωᵣ × (xᵢ − cᵣ): the rigid motion that has a
/// region's momentum and angular momentum, ω = I⁻¹L. Rivers and James 2007, section 3.5.
///
/// As vertices count with m/N in each region, momentum and angular momentum of the body are kept.
#[derive(Clone, Debug)]
pub struct RegionDamping {
    regions: Arc<Regions>,
    shares: Vec<f64>,
    sums: Sums<16>,
    none: Vec<()>,
}

impl RegionDamping {
    /// For vertices of these masses. [kg]
    pub fn new(regions: Arc<Regions>, masses: &[f32]) -> Self {
        let (shares, sums) = (shares(&regions, masses), Sums::new(&regions));
        let none = vec![(); shares.len()];
        Self { regions, shares, sums, none }
    }

    /// Draws velocities of vertices at `x` to the rigid motions of their regions: not at all if
    /// `share` is 0, all the way if it is 1.
    pub fn damp(&mut self, x: &Soa3, v: &mut Soa3, share: f32) {
        let Self { regions, shares, sums, none } = self;
        let n = shares.len();
        if n == 0 || x.len() != n || v.len() != n || !(share > 0.0) {
            return;
        }
        let origin = x.get(0).as_dvec3().to_array();
        let load = DampLoad { shares, x, v, origin };
        sums.collect(regions, &load, (&DampFinish, none));
        let share = f64::from(share.min(1.0));
        let emit = DampEmit { inverse_counts: &regions.inverse_counts, x, origin, share };
        sums.spread(regions, &emit, v.view_mut());
    }
}

/// A region that lies on a line does not tell how fast it turns about that: what is left of its
/// inertia is rounding error, less than this part of Σ m̃ x².
const ROUNDING: f64 = 1e-13;

struct DampLoad<'a> {
    shares: &'a [f64],
    x: &'a Soa3,
    v: &'a Soa3,
    origin: [f64; 3],
}

impl Load<16> for DampLoad<'_> {
    #[inline(always)]
    fn load(&self, vertex: usize, _: [f64; 3]) -> Node<16> {
        let m = self.shares[vertex];
        let at = |of: &Soa3| [of.x[vertex], of.y[vertex], of.z[vertex]].map(f64::from);
        let (x, v) = (at(self.x), at(self.v));
        let x = [x[0] - self.origin[0], x[1] - self.origin[1], x[2] - self.origin[2]];
        let p = [m * x[0], m * x[1], m * x[2]];
        Node([
            p[0],
            p[1],
            p[2],
            p[0] * x[0],
            p[1] * x[1],
            p[2] * x[2],
            p[0] * x[1],
            p[0] * x[2],
            p[1] * x[2],
            m * v[0],
            m * v[1],
            m * v[2],
            p[1] * v[2] - p[2] * v[1],
            p[2] * v[0] - p[0] * v[2],
            p[0] * v[1] - p[1] * v[0],
            m,
        ])
    }
}

struct DampFinish;

impl Finish<16> for DampFinish {
    type Memory = ();

    #[inline(always)]
    fn finish(&self, _: usize, sums: &[Lanes; 16], _: &mut [()]) -> [Lanes; 16] {
        let mut said = [[0.0; LANES]; 16];
        for l in 0..LANES {
            let s = |k: usize| sums[k][l];
            let some = s(15) > 0.0;
            let inverse = if some { 1.0 } else { 0.0 } / if some { s(15) } else { 1.0 };
            let c = [s(0) * inverse, s(1) * inverse, s(2) * inverse];
            let v = [s(9) * inverse, s(10) * inverse, s(11) * inverse];
            // About the centre: Σ m̃ x xᵀ − M c cᵀ and L − c × P.
            let [xx, yy, zz] = [s(3) - c[0] * s(0), s(4) - c[1] * s(1), s(5) - c[2] * s(2)];
            let [xy, xz, yz] = [s(6) - c[0] * s(1), s(7) - c[0] * s(2), s(8) - c[1] * s(2)];
            let turn = [
                s(12) - (c[1] * s(11) - c[2] * s(10)),
                s(13) - (c[2] * s(9) - c[0] * s(11)),
                s(14) - (c[0] * s(10) - c[1] * s(9)),
            ];
            let about_origin = s(3) + s(4) + s(5);
            let least = if about_origin > 0.0 { ROUNDING * about_origin } else { 0.0 };
            let w = solved([yy + zz, xx + zz, xx + yy], [-xy, -xz, -yz], turn, least);
            said[0][l] = w[0];
            said[1][l] = w[1];
            said[2][l] = w[2];
            said[3][l] = v[0] - (w[1] * c[2] - w[2] * c[1]);
            said[4][l] = v[1] - (w[2] * c[0] - w[0] * c[2]);
            said[5][l] = v[2] - (w[0] * c[1] - w[1] * c[0]);
        }
        said
    }
}

/// A⁻¹b by LDLᵀ for A with this diagonal and xy, xz, yz; a pivot that is no more than `least` has
/// no part in it.
#[inline(always)]
pub(super) fn solved(diagonal: [f64; 3], off: [f64; 3], b: [f64; 3], least: f64) -> [f64; 3] {
    let inverse = |pivot: f64| {
        let counts = pivot > least;
        (if counts { 1.0 } else { 0.0 }) / if counts { pivot } else { 1.0 }
    };
    let d0 = inverse(diagonal[0]);
    let (l10, l20) = (off[0] * d0, off[1] * d0);
    let d1 = inverse(diagonal[1] - l10 * off[0]);
    let u21 = off[2] - l20 * off[0];
    let l21 = u21 * d1;
    let d2 = inverse(diagonal[2] - l20 * off[1] - l21 * u21);
    let y1 = b[1] - l10 * b[0];
    let y2 = b[2] - l20 * b[0] - l21 * y1;
    let z = y2 * d2;
    let y = y1 * d1 - l21 * z;
    [b[0] * d0 - l10 * y - l20 * z, y, z]
}

struct DampEmit<'a> {
    inverse_counts: &'a [f64],
    x: &'a Soa3,
    origin: [f64; 3],
    share: f64,
}

impl Emit<16> for DampEmit<'_> {
    #[inline(always)]
    fn emit(
        &self,
        (vertex, _): (usize, [f64; 3]),
        sum: &Node<16>,
        out: &mut Soa3Mut<'_>,
        index: usize,
    ) {
        let (s, inverse) = (&sum.0, self.inverse_counts[vertex]);
        let x = [
            f64::from(self.x.x[vertex]) - self.origin[0],
            f64::from(self.x.y[vertex]) - self.origin[1],
            f64::from(self.x.z[vertex]) - self.origin[2],
        ];
        let rigid = [
            (s[1] * x[2] - s[2] * x[1] + s[3]) * inverse,
            (s[2] * x[0] - s[0] * x[2] + s[4]) * inverse,
            (s[0] * x[1] - s[1] * x[0] + s[5]) * inverse,
        ];
        let drawn = |v: f32, u: f64| held(f64::from(v) + self.share * (u - f64::from(v)));
        out.x[index] = drawn(out.x[index], rigid[0]);
        out.y[index] = drawn(out.y[index], rigid[1]);
        out.z[index] = drawn(out.z[index], rigid[2]);
    }
}
