//! The planar elastica between a clamp and the ground.

/// An inextensible strip without weight, L = B = 1, clamped at the origin pointing down, whose end
/// stands on the ground straight below at the depth 1 − ε and is free to turn there.
///
/// θ″ = −H cos θ − P sin θ, x′ = sin θ, y′ = cos θ, θ(0) = 0: θ is the angle from the vertical, y
/// points down, and the ground pushes the end with (H, −P). Moments about the clamp give
/// θ′(0) = H (1 − ε); H and P follow from x(1) = 0 and y(1) = 1 − ε. The end holds as long as
/// μ ≥ H/P. (Sano, Yamaguchi and Wada, "Slip morphology of elastic
/// strips on frictional rigid substrates", 2017; proposed as a test by Romero et al., "Physical
/// validation of simulators in computer graphics", 2021.)
#[derive(Clone, Copy, Debug)]
pub struct Elastica {
    /// ε.
    pub strain: f64,
    /// H.
    pub across: f64,
    /// P.
    pub along: f64,
}

/// Steps of the classical Runge–Kutta method: 400 give the same four digits.
const STEPS: usize = 200;

impl Elastica {
    /// The buckled shape at ε, its belly at x > 0.
    pub fn pressed(strain: f64) -> Self {
        // Small deflections: tan √P = √P, and H/P = 0.449 √ε. From there in small shares.
        let mut out = Self { strain: 1e-3, across: 9.1 * 1e-3f64.sqrt(), along: 20.19 };
        out.solve();
        let stretch = (strain / out.strain).powf(1.0 / 16.0);
        for _ in 0..16 {
            out.across *= stretch.sqrt();
            out.strain *= stretch;
            out.solve();
        }
        out
    }

    /// H/P: the friction that the end needs.
    pub fn friction(&self) -> f64 {
        self.across / self.along
    }

    /// x and y at a length from the clamp.
    pub fn point(&self, length: f64) -> [f64; 2] {
        let slope = |[_, _, angle, bend]: [f64; 4]| {
            let (sin, cos) = angle.sin_cos();
            [sin, cos, bend, -self.across * cos - self.along * sin]
        };
        let add = |u: [f64; 4], v: [f64; 4], h: f64| [0, 1, 2, 3].map(|i| u[i] + h * v[i]);
        let h = length / STEPS as f64;
        let mut u = [0.0, 0.0, 0.0, self.across * (1.0 - self.strain)];
        for _ in 0..STEPS {
            let a = slope(u);
            let b = slope(add(u, a, 0.5 * h));
            let c = slope(add(u, b, 0.5 * h));
            let d = slope(add(u, c, h));
            u = [0, 1, 2, 3].map(|i| u[i] + h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]));
        }
        [u[0], u[1]]
    }

    /// Newton's method for H and P.
    fn solve(&mut self) {
        let missed = |e: &Self| {
            let [x, y] = e.point(1.0);
            [x, y - (1.0 - e.strain)]
        };
        for _ in 0..12 {
            let at = missed(self);
            let by = 1e-6;
            let [h, p] = [
                missed(&Self { across: self.across + by, ..*self }),
                missed(&Self { along: self.along + by, ..*self }),
            ];
            let [hx, hy, px, py] = [h[0] - at[0], h[1] - at[1], p[0] - at[0], p[1] - at[1]];
            let det = hx * py - hy * px;
            self.across -= by * (at[0] * py - at[1] * px) / det;
            self.along -= by * (hx * at[1] - hy * at[0]) / det;
        }
    }
}
