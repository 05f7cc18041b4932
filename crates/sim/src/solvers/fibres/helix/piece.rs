//! A piece of a strand that has constant curvature and twist, in closed form.

use glam::{DMat3, DVec3};

/// Squares of angles below which functions of them are sums of powers. There the closed forms lose
/// a few digits at most.
const SMALL: f64 = 0.25;

/// sin θ/θ, (1 − cos θ)/θ², (θ − sin θ)/θ³, and of the last two how they grow with θ, over θ.
#[derive(Clone, Copy, Debug)]
struct Powers {
    a: f64,
    b: f64,
    c: f64,
    b_grows: f64,
    c_grows: f64,
}

impl Powers {
    #[inline]
    fn of(square: f64) -> Self {
        let t = square;
        if t < SMALL {
            let sum = |terms: [f64; 6]| {
                terms.into_iter().rev().fold(0.0, |sum, divisor| sum * t + 1.0 / divisor)
            };
            return Self {
                a: sum([1.0, -6.0, 120.0, -5040.0, 362_880.0, -39_916_800.0]),
                b: sum([2.0, -24.0, 720.0, -40_320.0, 3_628_800.0, -479_001_600.0]),
                c: sum([6.0, -120.0, 5040.0, -362_880.0, 39_916_800.0, -6_227_020_800.0]),
                b_grows: sum([-12.0, 180.0, -6720.0, 453_600.0, -47_900_160.0, 7.2648576e9]),
                c_grows: sum([
                    -60.0,
                    1260.0,
                    -60_480.0,
                    4_989_600.0,
                    -6.2270208e8,
                    1.089_728_64e11,
                ]),
            };
        }
        let angle = t.sqrt();
        let (sine, cosine) = libm::sincos(angle);
        let (a, b, c) = (sine / angle, (1.0 - cosine) / t, (angle - sine) / (t * angle));
        Self { a, b, c, b_grows: (a - 2.0 * b) / t, c_grows: (b - 3.0 * c) / t }
    }
}

/// How far a piece of Darboux vector Ω = (κ₁, κ₂, τ) has come after a length s, in the frame where
/// it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    /// sΩ. [rad]
    turn: DVec3,
    s: f64,
    powers: Powers,
}

impl Arc {
    /// After a length of `s` [m].
    #[inline]
    pub fn new(darboux: DVec3, s: f64) -> Self {
        let turn = darboux * s;
        Self { turn, s, powers: Powers::of(turn.length_squared()) }
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
    const DARBOUX: [DVec3; 5] = [
        DVec3::new(0.0, 0.0, 0.0),
        DVec3::new(1e-5, -2e-5, 3e-5),
        DVec3::new(0.28, 0.28, 0.299),
        DVec3::new(0.29, 0.29, 0.30),
        DVec3::new(3.0, -5.0, 4.0),
    ];

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
