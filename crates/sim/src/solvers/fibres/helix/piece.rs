//! A piece of a strand that has constant curvature and twist, in closed form.

use glam::{DMat3, DVec3};

use crate::simd::{Kernel, dispatch};

/// Squares of angles up to which functions of them are sums of powers: as many terms as are left of
/// rounding there. Beyond, closed forms lose no digits.
const SMALL: f64 = 16.0;
const TERMS: usize = 15;

/// Squares of angles that are taken together.
pub(super) const TOGETHER: usize = 8;

/// sin θ/θ, (1 − cos θ)/θ², (θ − sin θ)/θ³, and of the last two how they grow with θ, over θ.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Powers {
    a: f64,
    pub b: f64,
    pub c: f64,
    pub b_grows: f64,
    pub c_grows: f64,
}

/// (−1)ᵏ/(2k + n)!.
const fn terms(n: usize) -> [f64; TERMS] {
    let (mut terms, mut k, mut factorial, mut to) = ([0.0; TERMS], 0, 1.0, 1);
    while k < TERMS {
        while to < 2 * k + n {
            to += 1;
            factorial *= to as f64;
        }
        terms[k] = if k % 2 == 0 { 1.0 / factorial } else { -1.0 / factorial };
        k += 1;
    }
    terms
}

const B: [f64; TERMS] = terms(2);
const C: [f64; TERMS] = terms(3);

/// b, c, and 2 db/dt, 2 dc/dt of t = θ².
#[inline(always)]
fn sums(t: f64) -> [f64; 4] {
    let (mut b, mut c, mut db, mut dc) = (0.0, 0.0, 0.0, 0.0);
    for k in (0..TERMS).rev() {
        (db, dc) = (db * t + b, dc * t + c);
        (b, c) = (b * t + B[k], c * t + C[k]);
    }
    [b, c, 2.0 * db, 2.0 * dc]
}

impl Powers {
    /// Of the square of an angle.
    #[inline]
    fn of(square: f64) -> Self {
        if square < SMALL { Self::summed(square, sums(square)) } else { Self::closed(square) }
    }

    /// Of many of them, a multiple of [`TOGETHER`].
    pub fn of_all(squares: &[f64], powers: &mut [Self]) {
        dispatch(Sums { squares, powers });
        for (&square, powers) in squares.iter().zip(powers) {
            if !(square < SMALL) {
                *powers = Self::closed(square);
            }
        }
    }

    #[inline(always)]
    fn summed(t: f64, [b, c, b_grows, c_grows]: [f64; 4]) -> Self {
        Self { a: 1.0 - t * c, b, c, b_grows, c_grows }
    }

    #[inline(never)]
    fn closed(t: f64) -> Self {
        let angle = t.sqrt();
        let (sine, cosine) = libm::sincos(angle);
        let (a, b, c) = (sine / angle, (1.0 - cosine) / t, (angle - sine) / (t * angle));
        Self { a, b, c, b_grows: (a - 2.0 * b) / t, c_grows: (b - 3.0 * c) / t }
    }
}

struct Sums<'a> {
    squares: &'a [f64],
    powers: &'a mut [Powers],
}

impl Kernel for Sums<'_> {
    #[inline(always)]
    fn run(self) {
        let squares = self.squares.chunks_exact(TOGETHER);
        for (squares, powers) in squares.zip(self.powers.chunks_exact_mut(TOGETHER)) {
            let mut t = [0.0; TOGETHER];
            t.copy_from_slice(squares);
            let mut found = [[0.0; TOGETHER]; 4];
            for l in 0..TOGETHER {
                let all = sums(t[l]);
                for (found, one) in found.iter_mut().zip(all) {
                    found[l] = one;
                }
            }
            for (l, powers) in powers.iter_mut().enumerate() {
                *powers = Powers::summed(t[l], [0, 1, 2, 3].map(|k| found[k][l]));
            }
        }
    }
}

/// How far a piece of Darboux vector Ω = (κ₁, κ₂, τ) has come after a length s, in the frame where
/// it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    /// sΩ. [rad]
    pub turn: DVec3,
    pub s: f64,
    pub powers: Powers,
}

impl Arc {
    /// After a length of `s` [m].
    #[inline]
    pub fn new(darboux: DVec3, s: f64) -> Self {
        let turn = darboux * s;
        Self { turn, s, powers: Powers::of(turn.length_squared()) }
    }

    /// The same if the functions of its angle are known.
    #[inline]
    pub fn known(darboux: DVec3, s: f64, powers: Powers) -> Self {
        Self { turn: darboux * s, s, powers }
    }

    /// ∫₀ˢ exp(u[Ω]) e₃ du = s(I + b[w] + c[w]²)e₃, w = sΩ. [m]
    #[inline]
    pub fn way(&self) -> DVec3 {
        let across = DVec3::new(self.turn.y, -self.turn.x, 0.0);
        let twice = self.turn.cross(across);
        (DVec3::Z + across * self.powers.b + twice * self.powers.c) * self.s
    }

    /// exp([w]) = I + a[w] + b[w]². Rodrigues.
    #[inline]
    pub fn frame(&self) -> DMat3 {
        self.series([self.powers.a, self.powers.b])
    }

    /// ∂(rotation)/∂Ω in the frame where the piece begins: s(I + b[w] + c[w]²). [m]
    #[inline]
    pub fn turning(&self) -> DMat3 {
        self.series([self.powers.b, self.powers.c]) * self.s
    }

    /// ∂(way)/∂Ω. [m²]
    #[inline]
    pub fn reach(&self) -> DMat3 {
        let Powers { b, c, b_grows, c_grows, .. } = self.powers;
        let w = self.turn;
        let across = DVec3::new(w.y, -w.x, 0.0);
        let grown = across * b_grows + w.cross(across) * c_grows;
        // e_k × e₃, and how [w]²e₃ changes with w_k: e_k × (w × e₃) + w × (e_k × e₃).
        let column = |k: DVec3, by: DVec3, w_k: f64| {
            by * b + (k.cross(across) + w.cross(by)) * c + grown * w_k
        };
        let square = self.s * self.s;
        DMat3::from_cols(
            column(DVec3::X, DVec3::NEG_Y, w.x) * square,
            column(DVec3::Y, DVec3::X, w.y) * square,
            column(DVec3::Z, DVec3::ZERO, w.z) * square,
        )
    }

    /// I + p[w] + q[w]².
    #[inline]
    fn series(&self, [p, q]: [f64; 2]) -> DMat3 {
        let w = self.turn;
        let (pw, d) = (w * p, 1.0 - q * w.length_squared());
        let qw = w * q;
        DMat3::from_cols(
            DVec3::new(d + qw.x * w.x, qw.x * w.y + pw.z, qw.x * w.z - pw.y),
            DVec3::new(qw.y * w.x - pw.z, d + qw.y * w.y, qw.y * w.z + pw.x),
            DVec3::new(qw.z * w.x + pw.y, qw.z * w.y - pw.x, d + qw.z * w.z),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both sides of where sums of powers take over, and far from it.
    const DARBOUX: [DVec3; 7] = [
        DVec3::new(0.0, 0.0, 0.0),
        DVec3::new(1e-5, -2e-5, 3e-5),
        DVec3::new(0.28, 0.28, 0.299),
        DVec3::new(0.29, 0.29, 0.30),
        DVec3::new(2.3, 2.3, 2.32),
        DVec3::new(2.4, 2.3, 2.3),
        DVec3::new(3.0, -5.0, 4.0),
    ];

    #[test]
    fn sums_and_closed_forms_agree() {
        let squares: Vec<f64> = (0..64).map(|i| 0.5 * f64::from(i) + 0.25).collect();
        let mut all = vec![Powers::default(); squares.len()];
        Powers::of_all(&squares, &mut all);
        for (&square, powers) in squares.iter().zip(&all) {
            let (one, closed) = (Powers::of(square), Powers::closed(square));
            let numbers = |p: &Powers| [p.a, p.b, p.c, p.b_grows, p.c_grows];
            assert_eq!(numbers(powers), numbers(&one), "{square}");
            for (a, b) in numbers(powers).into_iter().zip(numbers(&closed)) {
                assert!((a - b).abs() < 1e-14, "{square}: {a} {b}");
            }
        }
    }

    #[test]
    fn a_frame_is_carried_by_the_darboux_vector() {
        // R′ = R[Ω] and p′ = R e₃ in steps of the classical Runge–Kutta method.
        for darboux in DARBOUX {
            let spin = |r: DMat3| {
                r * DMat3::from_cols(
                    DVec3::new(0.0, darboux.z, -darboux.y),
                    DVec3::new(-darboux.z, 0.0, darboux.x),
                    DVec3::new(darboux.y, -darboux.x, 0.0),
                )
            };
            let (mut r, mut p) = (DMat3::IDENTITY, DVec3::ZERO);
            let (n, s) = (4000, 1.0);
            let h = s / f64::from(n);
            for _ in 0..n {
                let k1 = spin(r);
                let half = spin(r + k1 * (0.5 * h));
                let again = spin(r + half * (0.5 * h));
                let full = spin(r + again * h);
                // Simpson's rule, the middle by Rodrigues' own derivative being R + ½h R′.
                let middle = r.z_axis + k1.z_axis * (0.5 * h) + spin(k1).z_axis * (0.125 * h * h);
                let next = r + (k1 + (half + again) * 2.0 + full) * (h / 6.0);
                p += (r.z_axis + middle * 4.0 + next.z_axis) * (h / 6.0);
                r = next;
            }
            let arc = Arc::new(darboux, s);
            assert!((arc.way() - p).length() < 1e-9, "{darboux}: {} {p}", arc.way());
            assert!(arc.frame().abs_diff_eq(r, 1e-9), "{darboux}: {} {r}", arc.frame());
        }
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        let (s, step) = (0.7, 1e-6);
        for darboux in DARBOUX {
            let arc = Arc::new(darboux, s);
            for (k, axis) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
                let ends = [1.0, -1.0].map(|sign| Arc::new(darboux + axis * (sign * step), s));
                let reach = (ends[0].way() - ends[1].way()) / (2.0 * step);
                assert!((arc.reach().col(k) - reach).length() < 1e-8, "{darboux} {k}");
                let change = (ends[0].frame() - ends[1].frame()) * (0.5 / step);
                let spin = change * arc.frame().transpose();
                let turning = DVec3::new(spin.y_axis.z, spin.z_axis.x, spin.x_axis.y);
                assert!((arc.turning().col(k) - turning).length() < 1e-8, "{darboux} {k}");
            }
        }
    }
}
