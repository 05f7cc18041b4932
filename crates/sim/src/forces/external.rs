//! Weight, medium and air in one pass over the particles.

use glam::Vec3;

use crate::model::Model;
use crate::parallel::for_each_part;
use crate::simd::{Kernel, LANES, dispatch};
use crate::soa::{Soa3, Soa3Mut, Soa3Ref};

use super::air::air_force;

/// What the air does in this pass.
#[derive(Clone, Copy, Debug)]
pub(super) enum AirPass<'a> {
    /// Nothing.
    None,
    /// The same wind everywhere, at these normals.
    Uniform {
        /// Velocity of the air. [m/s]
        wind: Vec3,
        /// Unit normals.
        normals: &'a Soa3,
    },
    /// A wind at each particle.
    Varying {
        /// Velocities of the air. [m/s]
        wind: &'a Soa3,
        /// Unit normals.
        normals: &'a Soa3,
    },
}

/// F = m g − b v + air(v). Overwrites `f`.
pub(super) fn external_forces(model: &Model, v: &Soa3, air: AirPass<'_>, f: &mut Soa3) {
    // Where there is no normal or no wind array, any array stands in; it is not read.
    let (normals, wind, uniform) = match air {
        AirPass::None => (v, v, Vec3::ZERO),
        AirPass::Uniform { wind, normals } => (normals, v, wind),
        AirPass::Varying { wind, normals } => (normals, wind, Vec3::ZERO),
    };
    let particles = (
        f.view_mut(),
        v.view(),
        normals.view(),
        wind.view(),
        (model.mass.as_slice(), model.damping.as_slice()),
        (model.drag.as_slice(), model.lift.as_slice()),
    );
    let constants = Constants { gravity: model.gravity, wind: uniform };
    for_each_part(particles, LANES, &|_, part| match air {
        AirPass::None => dispatch(External::<NONE> { constants, part }),
        AirPass::Uniform { .. } => dispatch(External::<UNIFORM> { constants, part }),
        AirPass::Varying { .. } => dispatch(External::<VARYING> { constants, part }),
    });
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

struct External<'a, const AIR: u8> {
    constants: Constants,
    part: Part<'a>,
}

impl<const AIR: u8> Kernel for External<'_, AIR> {
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
                let push = air_force(through, [nx[i], ny[i], nz[i]], drag[i], lift[i]);
                force = [force[0] + push[0], force[1] + push[1], force[2] + push[2]];
            }
            (fx[i], fy[i], fz[i]) = (force[0], force[1], force[2]);
        }
    }
}
