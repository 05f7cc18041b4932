//! Where points would go without bending, stretch and contact.

use crate::simd::three::{Three, add, dot, scale, sub};
use crate::simd::{Kernel, LANES, Lane, dispatch};

use super::lanes::{at, put};

/// What acts on the points of sixteen strands from outside.
#[derive(Debug)]
pub(super) struct Outside {
    /// Pushes over mass. [m/s²]
    pub push: Vec<[Lane; 3]>,
    /// Velocity of the air. [m/s]
    pub air: Vec<[Lane; 3]>,
    /// What draws them to other strands: v̇ = carried − rate·v. [m/s², 1/s]
    pub carried: Vec<[Lane; 3]>,
    pub rate: Vec<Lane>,
}

impl Outside {
    /// Nothing acts on so many points.
    pub fn none(points: usize) -> Self {
        let zeros = || vec![[Lane::ZERO; 3]; points];
        Self { push: zeros(), air: zeros(), carried: zeros(), rate: vec![Lane::ZERO; points] }
    }

    /// Nothing but the air acts any more.
    pub fn let_go(&mut self) {
        self.push.fill([Lane::ZERO; 3]);
        self.carried.fill([Lane::ZERO; 3]);
        self.rate.fill(Lane::ZERO);
    }
}

/// The air against a strand, over its mass: (viscous + inertial·|u|) u across it, a part of that
/// along it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Air {
    /// [1/s]
    pub viscous: f32,
    /// [1/m]
    pub inertial: f32,
    /// [1]
    pub along: f32,
}

/// v⁺ = v through medium and air over h, both implicitly; x⁻ ← x, x ← x + h v⁺. What pushes and
/// weight add to that goes to `fall`: frames are turned in between, and must not feel that points
/// fall which are held an instant later. Points that are held stay.
///
/// Medium and air across the strand make points harder to move for all that acts over the step, by
/// `inertia`: were it for pushes alone, a strand at rest would bear less than its weight.
///
/// `AIRY`: there is air. `ACTED`: something of `outside` is not zero.
pub(super) struct Predict<'a, const AIRY: bool, const ACTED: bool> {
    pub x: &'a mut [[Lane; 3]],
    pub start: &'a mut [[Lane; 3]],
    /// Velocities at the start. [m/s]
    pub v: &'a [[Lane; 3]],
    pub tangents: &'a [[Lane; 3]],
    pub outside: &'a Outside,
    pub free: &'a [Lane],
    pub fall: &'a mut [[Lane; 3]],
    /// 1 + h·(all that resists).
    pub inertia: &'a mut [Lane],
    pub air: Air,
    /// Resistance of a medium, b/m. [1/s]
    pub damping: f32,
    /// Free fall. [m/s²]
    pub gravity: Three,
    pub h: f32,
}

impl<'a> Predict<'a, true, true> {
    /// Does it, without what there is none of.
    pub fn dispatch(self, acted: bool) {
        match (self.air.viscous != 0.0 || self.air.inertial != 0.0, acted) {
            (true, true) => dispatch(self),
            (true, false) => dispatch(self.less::<true, false>()),
            (false, true) => dispatch(self.less::<false, true>()),
            (false, false) => dispatch(self.less::<false, false>()),
        }
    }

    fn less<const AIRY: bool, const ACTED: bool>(self) -> Predict<'a, AIRY, ACTED> {
        let Self { x, start, v, tangents, outside, free, fall, inertia, .. } = self;
        let Self { air, damping, gravity, h, .. } = self;
        Predict { x, start, v, tangents, outside, free, fall, inertia, air, damping, gravity, h }
    }
}

impl<const AIRY: bool, const ACTED: bool> Kernel for Predict<'_, AIRY, ACTED> {
    #[inline(always)]
    fn run(self) {
        let Self { x, start, v, tangents, outside, free, fall, inertia, .. } = self;
        let Self { air, damping, gravity, h, .. } = self;
        for j in 0..x.len() {
            let (here, old, mobile) = (x[j], v[j], free[j]);
            // The edge that leads to a point, for the first the one that leaves it.
            let edge = tangents[j.saturating_sub(1)];
            let (mut acting, mut wind, mut rate) = ([Lane::ZERO; 3], [Lane::ZERO; 3], Lane::ZERO);
            if ACTED {
                let (push, carried) = (outside.push[j], outside.carried[j]);
                (wind, rate) = (outside.air[j], outside.rate[j]);
                for l in 0..LANES {
                    put(&mut acting, l, add(at(&push, l), at(&carried, l)));
                }
            }
            let (mut there, mut falls, mut harder) = (here, [Lane::ZERO; 3], Lane::ZERO);
            for l in 0..LANES {
                let push = add(gravity, at(&acting, l));
                let mut resists = 1.0 + h * (damping + rate.0[l]);
                let mut v = scale(at(&old, l), 1.0 / resists);
                if AIRY {
                    let (slowed, by) = through_air(v, at(&wind, l), at(&edge, l), air, h);
                    (v, resists) = (slowed, resists * by);
                }
                put(&mut there, l, add(at(&here, l), scale(v, h * mobile.0[l])));
                put(&mut falls, l, scale(push, h * h * mobile.0[l] / resists));
                harder.0[l] = resists;
            }
            (start[j], x[j], fall[j], inertia[j]) = (here, there, falls, harder);
        }
    }
}

/// u⁺ = u/(1 + h c), u = v − air, c across and along the edge each with its own speed. Returns
/// 1 + h c across besides.
#[inline(always)]
fn through_air(v: Three, wind: Three, tangent: Three, air: Air, h: f32) -> (Three, f32) {
    let u = sub(v, wind);
    let along = dot(u, tangent);
    let across = sub(u, scale(tangent, along));
    let speed = dot(across, across).sqrt();
    let c = 1.0 + h * (air.viscous + air.inertial * speed);
    let d = 1.0 + h * air.along * (air.viscous + air.inertial * along.abs());
    (add(wind, add(scale(across, 1.0 / c), scale(tangent, along / d))), c)
}
