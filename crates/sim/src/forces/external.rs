//! Weight, medium and air in one pass over the particles.

use std::ops::Range;

use glam::Vec3;

use crate::model::Model;
use crate::simd::{Kernel, dispatch};
use crate::soa::{Soa3, Soa3Mut, Soa3Ref};

use super::air::{air_force, drag_force};

/// What acts on all particles alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings<'a> {
    /// Free fall. [m/s²]
    pub gravity: Vec3,
    /// The air.
    pub air: AirPass<'a>,
}

/// How the air moves.
#[derive(Clone, Copy, Debug)]
pub(super) enum AirPass<'a> {
    /// There is none.
    None,
    /// Alike everywhere. [m/s]
    Uniform(Vec3),
    /// As given at each particle of the world. [m/s]
    Varying(&'a Soa3),
}

/// F = m g − b v + air(v) for the particles `range`, which `f` and `normals` hold.
/// Overwrites `f`.
#[inline]
pub(super) fn external_forces(
    model: &Model,
    range: Range<usize>,
    (v, normals): (&Soa3, Soa3Ref<'_>),
    around: Surroundings<'_>,
    f: Soa3Mut<'_>,
) {
    let v = v.slice(range.clone());
    let arrays = (
        (&model.mass[range.clone()], &model.damping[range.clone()]),
        (&model.drag[range.clone()], &model.lift[range.clone()]),
    );
    let still = Constants { gravity: around.gravity, wind: Vec3::ZERO };
    // Where there is no wind array or no air, any array stands in; it is not read.
    match around.air {
        AirPass::None => run::<NONE>(still, (f, v, v, v, arrays.0, arrays.1), false),
        AirPass::Uniform(wind) => {
            let constants = Constants { wind, ..still };
            run::<UNIFORM>(constants, (f, v, normals, v, arrays.0, arrays.1), model.has_lift);
        }
        AirPass::Varying(wind) => {
            let part = (f, v, normals, wind.slice(range), arrays.0, arrays.1);
            run::<VARYING>(still, part, model.has_lift);
        }
    }
}

/// Lift costs a root and a division: most cloth has none.
#[inline]
fn run<const AIR: u8>(constants: Constants, part: Part<'_>, lift: bool) {
    if lift {
        dispatch(External::<AIR, true> { constants, part });
    } else {
        dispatch(External::<AIR, false> { constants, part });
    }
}

const NONE: u8 = 0;
const UNIFORM: u8 = 1;
const VARYING: u8 = 2;

#[derive(Clone, Copy)]
struct Constants {
    gravity: Vec3,
    wind: Vec3,
}

type Part<'a> = (
    Soa3Mut<'a>,
    Soa3Ref<'a>,
    Soa3Ref<'a>,
    Soa3Ref<'a>,
    (&'a [f32], &'a [f32]),
    (&'a [f32], &'a [f32]),
);

struct External<'a, const AIR: u8, const LIFT: bool> {
    constants: Constants,
    part: Part<'a>,
}

impl<const AIR: u8, const LIFT: bool> Kernel for External<'_, AIR, LIFT> {
    #[inline(always)]
    fn run(self) {
        let (f, v, normals, wind, (mass, damping), (drag, lift)) = self.part;
        let Constants { gravity: g, wind: w } = self.constants;
        let n = f.len();
        let (fx, fy, fz) = (&mut f.x[..n], &mut f.y[..n], &mut f.z[..n]);
        let (vx, vy, vz) = (&v.x[..n], &v.y[..n], &v.z[..n]);
        let (nx, ny, nz) = (&normals.x[..n], &normals.y[..n], &normals.z[..n]);
        let (wx, wy, wz) = (&wind.x[..n], &wind.y[..n], &wind.z[..n]);
        let (mass, damping) = (&mass[..n], &damping[..n]);
        let (drag, lift) = (&drag[..n], &lift[..n]);
        for i in 0..n {
            let mut force = [
                mass[i] * g.x - damping[i] * vx[i],
                mass[i] * g.y - damping[i] * vy[i],
                mass[i] * g.z - damping[i] * vz[i],
            ];
            if AIR != NONE {
                let air = if AIR == UNIFORM { [w.x, w.y, w.z] } else { [wx[i], wy[i], wz[i]] };
                let through = [vx[i] - air[0], vy[i] - air[1], vz[i] - air[2]];
                let normal = [nx[i], ny[i], nz[i]];
                let push = if LIFT {
                    air_force(through, normal, drag[i], lift[i])
                } else {
                    drag_force(through, normal, drag[i])
                };
                force = [force[0] + push[0], force[1] + push[1], force[2] + push[2]];
            }
            (fx[i], fy[i], fz[i]) = (force[0], force[1], force[2]);
        }
    }
}
