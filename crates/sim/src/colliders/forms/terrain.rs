//! Ground by heights.

use std::f64::consts::TAU;

use glam::Vec3;

use super::Triangles;
use crate::rng::Rng;

/// A sheet over `counts` points along x and z, about the origin, `size` wide [m], that faces up:
/// `height` says how high [m] each point lies, x first. Open: cloth below it would be kept below.
pub fn height_field(
    counts: [u32; 2],
    size: [f64; 2],
    mut height: impl FnMut(u32, u32) -> f64,
) -> Triangles {
    let [nx, nz] = counts;
    let mut mesh = Triangles::default();
    let place = |i: u32, n: u32, size: f64| size * (f64::from(i) / f64::from(n - 1) - 0.5);
    for j in 0..nz {
        for i in 0..nx {
            let (x, z) = (place(i, nx, size[0]), place(j, nz, size[1]));
            mesh.point(Vec3::new(x as f32, height(i, j) as f32, z as f32));
        }
    }
    for j in 0..nz - 1 {
        for i in 0..nx - 1 {
            let at = j * nx + i;
            let [a, b, c, d] = [at, at + nx, at + nx + 1, at + 1];
            // Diagonals in turns: no direction is smoother than another.
            if (i + j) % 2 == 0 {
                mesh.quad([a, b, c, d]);
            } else {
                mesh.quad([b, c, d, a]);
            }
        }
    }
    mesh
}

/// Rolling ground: y = H Σₒ 2⁻ᵒ Σₖ cos(2π dₖ·x·2ᵒ/λ + φₖ)/(4·1.75), with directions dₖ and phases
/// φₖ of a seed, over three octaves of four waves each. |y| ≤ H.
#[derive(Clone, Debug, PartialEq)]
pub struct Hills {
    /// Wave vector [1/m], phase [rad] and amplitude [m] of each wave.
    waves: Vec<([f64; 2], f64, f64)>,
}

const OCTAVES: i32 = 3;
const WAVES: u32 = 4;

impl Hills {
    /// Hills of this height above and below level, and of this wavelength [m].
    pub fn new(height: f64, wavelength: f64, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut waves = Vec::new();
        let whole: f64 = (0..OCTAVES).map(|o| libm::ldexp(1.0, -o)).sum();
        for octave in 0..OCTAVES {
            let size = libm::ldexp(1.0, -octave);
            for wave in 0..WAVES {
                // A direction from each quarter: no seed gives furrows.
                let turn = TAU * (f64::from(wave) + rng.unit()) / (2.0 * f64::from(WAVES));
                let k = [libm::cos(turn), libm::sin(turn)].map(|d| d / (size * wavelength));
                let amplitude = height * size / (whole * f64::from(WAVES));
                waves.push((k, TAU * rng.unit(), amplitude));
            }
        }
        Self { waves }
    }

    /// Height at a place. [m]
    pub fn height(&self, x: f64, z: f64) -> f64 {
        let of = |&(k, phase, amplitude): &([f64; 2], f64, f64)| {
            amplitude * libm::cos(TAU * (k[0] * x + k[1] * z) + phase)
        };
        self.waves.iter().map(of).sum()
    }
}
