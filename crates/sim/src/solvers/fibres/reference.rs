//! Known answers for rods: shapes and thresholds from their governing equations, solved by
//! shooting. Lengths are in units of the rod's, Γ = ρgSL³/EI.

use glam::DVec2;

const STEPS: u32 = 500;

/// A step of the classical Runge–Kutta method.
fn advance<const N: usize>(
    y: [f64; N],
    (s, h): (f64, f64),
    slope: &impl Fn(f64, &[f64; N]) -> [f64; N],
) -> [f64; N] {
    let add = |k: &[f64; N], by: f64| -> [f64; N] { std::array::from_fn(|i| y[i] + by * k[i]) };
    let k1 = slope(s, &y);
    let k2 = slope(s + 0.5 * h, &add(&k1, 0.5 * h));
    let k3 = slope(s + 0.5 * h, &add(&k2, 0.5 * h));
    let k4 = slope(s + h, &add(&k3, h));
    std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
}

/// Where a function that grows changes its sign.
fn zero_between(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let sign = f(low) < 0.0;
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if (f(middle) < 0.0) == sign {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Reach and drop of the tip of a heavy rod that is clamped level: θ″ = −Γ(1 − s) cos θ, θ(0) = 0,
/// θ′(1) = 0, θ being how far it points down. From the tip up there is but one such shape.
pub(super) fn cantilever(gamma: f64) -> DVec2 {
    let shoot = |tip: f64| {
        let slope = |up: f64, y: &[f64; 4]| {
            let (sine, cosine) = libm::sincos(y[0]);
            [-y[1], gamma * up * cosine, cosine, sine]
        };
        integrate([tip, 0.0, 0.0, 0.0], &slope)
    };
    let root = shoot(zero_between(0.0, std::f64::consts::FRAC_PI_2, |tip| shoot(tip)[0]));
    DVec2::new(root[2], root[3])
}

/// A rod of natural curvature that is clamped pointing down, while it stays in a plane:
/// θ″ = Γ(1 − s) sin θ, θ(0) = 0, θ′(1) = κL, θ against the vertical.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hanging {
    gamma: f64,
    /// κL.
    pub curl: f64,
    /// θ(1).
    tip: f64,
}

impl Hanging {
    /// The shape that a rod comes to as its curvature grows from nothing.
    pub fn new(gamma: f64, curl: f64) -> Self {
        let straight = Self { gamma, curl: 0.0, tip: 0.0 };
        let steps = (curl / 0.1).ceil().max(1.0);
        (1..=steps as u32).fold(straight, |rod, i| rod.with(curl * f64::from(i) / steps))
    }

    /// The shape nearby for another curvature.
    fn with(self, curl: f64) -> Self {
        let root = |tip: f64| Self { curl, tip, ..self }.root()[0];
        let mut reach = 1e-3;
        while root(self.tip - reach).signum() == root(self.tip + reach).signum() && reach < 3.0 {
            reach *= 1.3;
        }
        Self { curl, tip: zero_between(self.tip - reach, self.tip + reach, root), ..self }
    }

    fn slope(&self, s: f64, angle: f64, curvature: f64) -> [f64; 2] {
        [curvature, self.gamma * (1.0 - s) * libm::sin(angle)]
    }

    /// θ and θ′ at the clamp, from the tip up.
    fn root(&self) -> [f64; 2] {
        let slope = |up: f64, y: &[f64; 2]| self.slope(1.0 - up, y[0], y[1]).map(|d| -d);
        integrate([self.tip, self.curl], &slope)
    }

    /// Where its tip is: how far to the side, and up.
    pub fn tip(&self) -> DVec2 {
        let [angle, curvature] = self.root();
        let slope = |s: f64, y: &[f64; 4]| {
            let [turns, bends] = self.slope(s, y[0], y[1]);
            [turns, bends, libm::sin(y[0]), -libm::cos(y[0])]
        };
        let end = integrate([angle, curvature, 0.0, 0.0], &slope);
        DVec2::new(end[2], end[3])
    }

    /// Whether it would stay in its plane, as a sign: of the determinant of the moments at the tip
    /// for the two ways to bend and twist it out of the plane at the clamp.
    ///
    /// A small rotation φ of the frames has δm = φ × m + Σ Bᵢ(φ′·dᵢ)dᵢ and δm′ = −(φ × t) × n, n
    /// being the weight below; φ(0) = 0 and δm(1) = 0.
    pub fn stays(&self, twist_over_bend: f64) -> f64 {
        let [angle, curvature] = self.root();
        let slope = |s: f64, y: &[f64; 10]| {
            let (sine, cosine) = libm::sincos(y[0]);
            let (t, across) = (DVec2::new(sine, -cosine), DVec2::new(cosine, sine));
            let moment = y[1] - self.curl;
            let mut out = [0.0; 10];
            out[..2].copy_from_slice(&self.slope(s, y[0], y[1]));
            for first in [2, 6] {
                let turn = DVec2::new(y[first], y[first + 1]);
                let own =
                    DVec2::new(y[first + 2], y[first + 3]) - DVec2::new(turn.y, -turn.x) * moment;
                let grows = t * (own.dot(t) / twist_over_bend) + across * own.dot(across);
                let out_of_plane = turn.perp_dot(t);
                let weight = self.gamma * (1.0 - s);
                out[first..first + 4].copy_from_slice(&[
                    grows.x,
                    grows.y,
                    -out_of_plane * weight,
                    0.0,
                ]);
            }
            out
        };
        let mut y = [0.0; 10];
        (y[0], y[1], y[4], y[9]) = (angle, curvature, 1.0, 1.0);
        let end = integrate(y, &slope);
        end[4] * end[9] - end[5] * end[8]
    }
}

/// κL from which on a rod of natural curvature that hangs down leaves its plane.
pub(super) fn bend_twist_onset(gamma: f64, twist_over_bend: f64) -> f64 {
    let mut rod = Hanging { gamma, curl: 0.0, tip: 0.0 };
    loop {
        let next = rod.with(rod.curl + 0.1);
        if next.stays(twist_over_bend) < 0.0 {
            let curl = |curl: f64| -rod.with(curl).stays(twist_over_bend);
            return zero_between(rod.curl, next.curl, curl);
        }
        rod = next;
    }
}

/// A rod that moves in a plane, as links between masses with springs of bending at their joints; a
/// converged answer for what swings. Length and density are 1.
///
/// Σⱼ Aᵢⱼ(cos(θᵢ − θⱼ) θ″ⱼ + sin(θᵢ − θⱼ) θ′ⱼ²) + g e μᵢ sin θᵢ + ∂E/∂θᵢ = 0, Aᵢⱼ = e² μ of the
/// later one, μ the mass from a joint on; θ against the vertical.
pub(super) struct Links {
    angles: Vec<f64>,
    rates: Vec<f64>,
    /// Direction that the first is clamped to.
    clamp: f64,
    gravity: f64,
    bending: f64,
}

impl Links {
    /// Straight and at rest, in the direction of its clamp.
    pub fn straight(links: usize, clamp: f64, (gravity, bending): (f64, f64)) -> Self {
        let (angles, rates) = (vec![clamp; links], vec![0.0; links]);
        Self { angles, rates, clamp, gravity, bending }
    }

    /// Its tip: to the side, and up.
    pub fn tip(&self) -> DVec2 {
        let edge = 1.0 / self.angles.len() as f64;
        self.angles.iter().map(|&a| DVec2::new(libm::sin(a), -libm::cos(a)) * edge).sum()
    }

    /// A step of the classical Runge–Kutta method.
    pub fn step(&mut self, h: f64) {
        let n = self.angles.len();
        let (mut sums, mut last) = (vec![[0.0; 2]; n], vec![[0.0; 2]; n]);
        for (part, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            let at = |of: &[f64], which: usize| -> Vec<f64> {
                (0..n).map(|i| of[i] + part * h * last[i][which]).collect()
            };
            let (angles, rates) = (at(&self.angles, 0), at(&self.rates, 1));
            let grows = self.accelerations(&angles, &rates);
            for i in 0..n {
                last[i] = [rates[i], grows[i]];
                sums[i] = [sums[i][0] + weight * rates[i], sums[i][1] + weight * grows[i]];
            }
        }
        for (i, [angle, rate]) in sums.into_iter().enumerate() {
            self.angles[i] += h / 6.0 * angle;
            self.rates[i] += h / 6.0 * rate;
        }
    }

    fn accelerations(&self, angles: &[f64], rates: &[f64]) -> Vec<f64> {
        let n = angles.len();
        let edge = 1.0 / n as f64;
        // The last mass stands for half an edge.
        let mass_from = |i: usize| edge * ((n - i) as f64 - 0.5);
        let mut matrix = vec![vec![0.0; n]; n];
        let mut force = vec![0.0; n];
        for i in 0..n {
            force[i] -= self.gravity * edge * mass_from(i) * libm::sin(angles[i]);
            // Half a cell belongs to the clamp.
            let (before, stiff) = if i == 0 { (self.clamp, 2.0) } else { (angles[i - 1], 1.0) };
            let moment = stiff * self.bending / edge * (angles[i] - before);
            force[i] -= moment;
            if i > 0 {
                force[i - 1] += moment;
            }
            for j in 0..n {
                let inertia = edge * edge * mass_from(i.max(j));
                let (sine, cosine) = libm::sincos(angles[i] - angles[j]);
                matrix[i][j] = inertia * cosine;
                force[i] -= inertia * sine * rates[j] * rates[j];
            }
        }
        for i in 0..n {
            let row = matrix[i].clone();
            for k in i + 1..n {
                let part = matrix[k][i] / row[i];
                matrix[k].iter_mut().zip(&row).for_each(|(to, from)| *to -= part * from);
                force[k] -= part * force[i];
            }
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|j| matrix[i][j] * force[j]).sum();
            force[i] = (force[i] - known) / matrix[i][i];
        }
        force
    }
}

fn integrate<const N: usize>(y: [f64; N], slope: &impl Fn(f64, &[f64; N]) -> [f64; N]) -> [f64; N] {
    let h = 1.0 / f64::from(STEPS);
    (0..STEPS).fold(y, |y, i| advance(y, (f64::from(i) * h, h), slope))
}

#[test]
fn a_cantilever_is_that_of_the_table() {
    for (gamma, ratio) in [(0.1, 0.0125), (1.0, 0.1246), (10.0, 1.0668), (100.0, 5.888)] {
        let tip = cantilever(gamma);
        assert!((tip.y / tip.x / ratio - 1.0).abs() < 1e-3, "{gamma}: {tip}");
    }
}

#[test]
fn the_onset_of_twist_is_that_of_the_table() {
    let half = 1.0 / 1.5;
    for (gamma, curl) in [(20.0, 5.58), (50.0, 6.34), (100.0, 7.57), (200.0, 9.43)] {
        let onset = bend_twist_onset(gamma, half);
        assert!((onset / curl - 1.0).abs() < 2e-3, "{gamma}: {onset}");
    }
}
