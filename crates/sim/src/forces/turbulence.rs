//! Turbulent air as a sum of waves.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3, Vec3};
use multiversion::multiversion;

use crate::parallel::for_each_part;
use crate::rng::Rng;
use crate::soa::{Soa3Mut, Soa3Ref};

/// u(x, t) = Σ a_j sin(k_j · (x − U t) + ω_j t + φ_j), with a_j ⊥ k_j, so that
/// ∇·u = 0 term by term. Random Fourier modes, Kraichnan 1970; their energies
/// follow the von Kármán spectrum E(k) ∝ k⁴ / (k² + k_e²)^(17/6).
///
/// The pattern is carried along by the mean wind U (Taylor's frozen turbulence)
/// and changes by itself, slowly, through ω_j. The same seed gives the same bits
/// on every machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Turbulence {
    /// Wave vectors over 2π [1/m].
    wave: [[f32; MODES]; 3],
    /// Amplitudes [m/s].
    amplitude: [[f32; MODES]; 3],
    /// Wave vectors in f64, for phases at late times [1/m].
    exact_wave: [DVec3; MODES],
    /// Own frequencies ω / 2π [Hz].
    frequency: [f64; MODES],
    /// Phases φ / 2π.
    phase: [f64; MODES],
}

/// The phase of each wave at one instant, in turns.
#[derive(Clone, Copy, Debug)]
pub struct TurbulencePhases([f32; MODES]);

/// Shells of equal wave number; each holds three waves along three orthogonal
/// directions, whose amplitudes are orthogonal too: so every component of the
/// velocity has the same mean square, whatever the seed.
const SHELLS: usize = 16;
const MODES: usize = 3 * SHELLS;

/// Longest and shortest waves, in wave numbers of the spectrum's peak: these
/// hold all but a few hundredths of the energy.
const WAVE_NUMBERS: [f64; 2] = [0.35, 8.0];

/// Own change of a wave, relative to the rate rms · k at which eddies of its
/// size would turn over.
const EVOLUTION: f64 = 0.2;

/// Points that a kernel works on together: a whole number of vectors on every machine.
const LANES: usize = 16;

impl Turbulence {
    /// Turbulence in which each of the three components of velocity has the root
    /// mean square `rms_m_s`, and whose most energetic waves are `length_m` long.
    pub fn new(rms_m_s: f32, length_m: f32, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let rms = f64::from(rms_m_s);
        let peak = 1.0 / f64::from(length_m).max(1e-6);
        let shells = shells(&mut rng);
        let energy: f64 = shells.iter().map(|shell| shell[1]).sum();
        let mut it = Self {
            wave: [[0.0; MODES]; 3],
            amplitude: [[0.0; MODES]; 3],
            exact_wave: [DVec3::ZERO; MODES],
            frequency: [0.0; MODES],
            phase: [0.0; MODES],
        };
        for (shell, &[number, share]) in shells.iter().enumerate() {
            let axes = random_axes(&mut rng);
            // The mean square of a sine is a half.
            let size = rms * (2.0 * share / energy).sqrt();
            for axis in 0..3 {
                let mode = 3 * shell + axis;
                let wave = axes[axis] * (number * peak);
                let amplitude = axes[(axis + 1) % 3] * size;
                for c in 0..3 {
                    it.wave[c][mode] = wave[c] as f32;
                    it.amplitude[c][mode] = amplitude[c] as f32;
                }
                it.exact_wave[mode] = wave;
                it.frequency[mode] = EVOLUTION * rms * number * peak * rng.between(-1.0, 1.0);
                it.phase[mode] = rng.unit();
            }
        }
        it
    }

    /// Root mean square of one component of the velocity [m/s].
    pub fn rms(&self) -> f32 {
        let square: f32 = self.amplitude.iter().flatten().map(|a| a * a).sum();
        (square / 6.0).sqrt()
    }

    /// Adds the turbulent velocity at each point `x` at time `t` [s] in a mean
    /// wind [m/s]; the mean itself is not added.
    pub fn velocity(&self, mean: Vec3, t: f64, x: Soa3Ref<'_>, out_add: Soa3Mut<'_>) {
        let phases = self.phases_at(mean, t);
        for_each_part((x, out_add), LANES, &|_, (x, out): (Soa3Ref, Soa3Mut)| {
            self.add_velocity(&phases, x, out);
        });
    }

    /// Phases of all waves at time `t` [s], reduced in f64: an hour from the start
    /// is as exact as the start.
    pub fn phases_at(&self, mean: Vec3, t: f64) -> TurbulencePhases {
        let mean = mean.as_dvec3();
        TurbulencePhases(std::array::from_fn(|mode| {
            let turns = (self.frequency[mode] - self.exact_wave[mode].dot(mean)) * t;
            ((turns + self.phase[mode]) % 1.0) as f32
        }))
    }

    /// [`Turbulence::velocity`] on this thread, with phases worked out before.
    pub fn add_velocity(&self, phases: &TurbulencePhases, x: Soa3Ref<'_>, out: Soa3Mut<'_>) {
        let len = x.len().min(out.len());
        let mut first = 0;
        while first < len {
            let count = LANES.min(len - first);
            let mut point = [[0.0; LANES]; 3];
            for (lanes, all) in point.iter_mut().zip([x.x, x.y, x.z]) {
                lanes[..count].copy_from_slice(&all[first..first + count]);
            }
            let sum = sum_of_waves(&self.wave, &self.amplitude, &phases.0, &point);
            let last = first + count;
            let parts = [&mut out.x[first..last], &mut out.y[first..last], &mut out.z[first..last]];
            for (part, sum) in parts.into_iter().zip(&sum) {
                for (value, add) in part.iter_mut().zip(sum) {
                    *value += add;
                }
            }
            first += count;
        }
    }
}

/// [`waves_at`] in the widest vectors the machine has.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+sse4.1"))]
fn sum_of_waves(
    wave: &[[f32; MODES]; 3],
    amplitude: &[[f32; MODES]; 3],
    phase: &[f32; MODES],
    point: &[[f32; LANES]; 3],
) -> [[f32; LANES]; 3] {
    waves_at(wave, amplitude, phase, point)
}

/// The waves at a few points: multiplications and additions only, in one order,
/// so that every instruction set gives the same bits.
#[inline(always)]
fn waves_at(
    wave: &[[f32; MODES]; 3],
    amplitude: &[[f32; MODES]; 3],
    phase: &[f32; MODES],
    point: &[[f32; LANES]; 3],
) -> [[f32; LANES]; 3] {
    let mut sum = [[0.0; LANES]; 3];
    for mode in 0..MODES {
        let [kx, ky, kz] = [wave[0][mode], wave[1][mode], wave[2][mode]];
        let [ax, ay, az] = [amplitude[0][mode], amplitude[1][mode], amplitude[2][mode]];
        for lane in 0..LANES {
            let turns =
                kx * point[0][lane] + ky * point[1][lane] + kz * point[2][lane] + phase[mode];
            let sine = sin_turns(turns);
            sum[0][lane] += ax * sine;
            sum[1][lane] += ay * sine;
            sum[2][lane] += az * sine;
        }
    }
    sum
}

/// sin(2π p) to 2e-7 for |p| < 2²², always within ±1: the nearest whole turn is
/// taken off, the rest folded into a quarter, there Taylor's series to y¹¹.
#[inline(always)]
fn sin_turns(p: f32) -> f32 {
    // Adding 1.5 · 2²³ leaves no bits after the point: rounds to the nearest whole
    // number with two additions that vectorise everywhere.
    const ROUND: f32 = 12_582_912.0;
    let r = p - ((p + ROUND) - ROUND);
    let size = r.abs().min(0.5);
    let y = std::f32::consts::TAU * size.min(0.5 - size);
    let y2 = y * y;
    let series = -1.0 / 5_040.0 + y2 * (1.0 / 362_880.0 - y2 * (1.0 / 39_916_800.0));
    let series = y * (1.0 + y2 * (-1.0 / 6.0 + y2 * (1.0 / 120.0 + y2 * series)));
    series.copysign(r)
}

/// Wave number (in those of the peak) and energy of each shell, one at random in
/// each of equal steps of the logarithm.
fn shells(rng: &mut Rng) -> [[f64; 2]; SHELLS] {
    let (low, high) = (libm::log(WAVE_NUMBERS[0]), libm::log(WAVE_NUMBERS[1]));
    std::array::from_fn(|shell| {
        let place = (shell as f64 + rng.unit()) / SHELLS as f64;
        let number = libm::exp(low + (high - low) * place);
        // dE/dk = 0 at k² = 12/5 k_e²; energy per step of ln k is k E(k).
        let k2 = number * number * 12.0 / 5.0;
        [number, number * k2 * k2 * libm::pow(1.0 + k2, -17.0 / 6.0)]
    })
}

/// Three orthogonal unit vectors, evenly over all rotations. Shoemake 1992.
fn random_axes(rng: &mut Rng) -> [DVec3; 3] {
    let (u, a, b) = (rng.unit(), TAU * rng.unit(), TAU * rng.unit());
    let (s, c) = ((1.0 - u).sqrt(), u.sqrt());
    let turn =
        DQuat::from_xyzw(s * libm::sin(a), s * libm::cos(a), c * libm::sin(b), c * libm::cos(b));
    [turn * DVec3::X, turn * DVec3::Y, turn * DVec3::Z]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soa::Soa3;

    const LENGTH: f32 = 0.4;

    fn field() -> Turbulence {
        Turbulence::new(1.5, LENGTH, 7)
    }

    fn sample(field: &Turbulence, mean: Vec3, t: f64, points: &[Vec3]) -> Vec<Vec3> {
        let mut out = Soa3::zeros(points.len());
        field.velocity(mean, t, Soa3::from_points(points).view(), out.view_mut());
        out.iter().collect()
    }

    fn random_points(count: usize, size: f64) -> Vec<Vec3> {
        let mut rng = Rng::new(99);
        let mut c = || rng.between(-size, size) as f32;
        (0..count).map(|_| Vec3::new(c(), c(), c())).collect()
    }

    /// Mean of u · w over mean of u · u.
    fn correlation(u: &[Vec3], w: &[Vec3]) -> f32 {
        let both: f32 = u.iter().zip(w).map(|(u, w)| u.dot(*w)).sum();
        both / u.iter().map(|u| u.length_squared()).sum::<f32>()
    }

    #[test]
    fn sine_of_turns_is_the_sine() {
        for i in -40_000..40_000 {
            let p = i as f32 * 1e-4;
            let expected = libm::sin(TAU * f64::from(p)) as f32;
            assert!((sin_turns(p) - expected).abs() < 1e-6, "{p}");
        }
        assert!(sin_turns(1e30).abs() <= 1.0 + 1e-6);
    }

    #[test]
    fn divergence_vanishes() {
        let (field, d) = (field(), 1e-2f32);
        let points = random_points(2000, 2.0);
        let (mut divergence, mut gradient) = (0.0, 0.0);
        let at = |offset: Vec3| {
            let moved: Vec<_> = points.iter().map(|&p| p + offset).collect();
            sample(&field, Vec3::X, 3.0, &moved)
        };
        let slope: Vec<Vec<Vec3>> = Vec3::AXES
            .iter()
            .map(|&e| {
                let (a, b) = (at(e * d), at(-e * d));
                let (a2, b2) = (at(e * (2.0 * d)), at(e * (-2.0 * d)));
                // Fourth order, as short waves bend within a centimetre.
                let slope = |i: usize| (8.0 * (a[i] - b[i]) - (a2[i] - b2[i])) / (12.0 * d);
                (0..points.len()).map(slope).collect()
            })
            .collect();
        for ((x, y), z) in slope[0].iter().zip(&slope[1]).zip(&slope[2]) {
            divergence += (x.x + y.y + z.z).powi(2);
            gradient += x.length_squared() + y.length_squared() + z.length_squared();
        }
        let ratio = (divergence / gradient).sqrt();
        assert!(ratio < 0.02, "divergence is {ratio} of the gradient");
    }

    #[test]
    fn each_component_has_the_stated_rms() {
        for seed in [1, 7, 1234] {
            let field = Turbulence::new(1.5, LENGTH, seed);
            let u = sample(&field, Vec3::ZERO, 0.0, &random_points(40_000, 40.0));
            let square = |c: usize| u.iter().map(|u| u[c] * u[c]).sum::<f32>() / u.len() as f32;
            for c in 0..3 {
                let rms = square(c).sqrt();
                assert!((rms / 1.5 - 1.0).abs() < 0.05, "seed {seed}, component {c}: {rms}");
            }
        }
    }

    #[test]
    fn correlation_falls_over_the_length() {
        let field = field();
        let points = random_points(20_000, 20.0);
        let u = sample(&field, Vec3::ZERO, 0.0, &points);
        let apart = |r: f32| {
            let moved: Vec<_> = points.iter().map(|&p| p + Vec3::Z * r).collect();
            correlation(&u, &sample(&field, Vec3::ZERO, 0.0, &moved))
        };
        assert!(apart(0.02 * LENGTH) > 0.9);
        assert!((0.1..0.8).contains(&apart(0.15 * LENGTH)), "{}", apart(0.15 * LENGTH));
        assert!(apart(LENGTH).abs() < 0.2, "{}", apart(LENGTH));
    }

    #[test]
    fn pattern_moves_with_the_mean_wind_and_changes_slowly() {
        let field = field();
        let points = random_points(5000, 5.0);
        let mean = Vec3::new(4.0, 0.5, -1.0);
        let u = sample(&field, mean, 10.0, &points);
        let carried: Vec<_> = points.iter().map(|&p| p + mean * 0.02).collect();
        let with_it = correlation(&u, &sample(&field, mean, 10.02, &carried));
        let in_place = correlation(&u, &sample(&field, mean, 10.02, &points));
        assert!(with_it > 0.97, "{with_it}");
        assert!(in_place < 0.7, "{in_place}");
        // A second later these eddies are others.
        let carried: Vec<_> = points.iter().map(|&p| p + mean).collect();
        assert!(correlation(&u, &sample(&field, mean, 11.0, &carried)) < 0.5);
    }

    #[test]
    fn wide_vectors_give_the_bits_of_plain_code() {
        let (field, phases) = (field(), field().phases_at(Vec3::X, 2.0));
        for points in random_points(160, 5.0).chunks(LANES) {
            let lanes = std::array::from_fn(|c| std::array::from_fn(|lane| points[lane][c]));
            let (wave, amplitude) = (&field.wave, &field.amplitude);
            let wide = sum_of_waves(wave, amplitude, &phases.0, &lanes);
            assert_eq!(wide, waves_at(wave, amplitude, &phases.0, &lanes));
        }
    }

    #[test]
    fn same_bits_on_every_machine_and_for_any_cut() {
        let points = random_points(1000, 3.0);
        let u = sample(&field(), Vec3::new(4.0, 0.0, 0.0), 1.25, &points);
        let mut hasher = blake3::Hasher::new();
        for c in u.iter().flat_map(|u| u.to_array()) {
            hasher.update(&c.to_bits().to_le_bytes());
        }
        let hash = hasher.finalize().to_hex();
        assert_eq!(&hash[..16], "eb5a055a624772f0");
        let tail = sample(&field(), Vec3::new(4.0, 0.0, 0.0), 1.25, &points[17..]);
        assert_eq!(tail, u[17..]);
    }
}
