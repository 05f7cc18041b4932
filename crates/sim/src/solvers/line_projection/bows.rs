//! Hinges of a mesh that is flat at rest, sixteen at a time.

use glam::DVec3;

use crate::elastic::{ElasticHinge, HingeShape};
use crate::simd::{Kernel, LANES, Lane, dispatch};
use crate::solvers::colouring::Colours;

use super::gather::{Numbers, Point, gather, gather_weights, scatter};

/// C = Σ cᵢxᵢ, E = ½(K/2)|C|²: with cᵢ the slopes of the angle in the flat shape |C| is the
/// angle for small ones and 2 sin(θ/2) for large ones, no matter how the two triangles are
/// moved, turned or sheared in their planes. A vector constraint, linear, so that it needs
/// no root (Bergou et al. 2006).
#[derive(Clone, Copy, Debug)]
pub(super) struct Bow {
    pub corners: [u32; 4],
    slopes: [f32; 4],
    /// ½K. [N·m]
    stiffness: f32,
    /// [N·m·s]
    damping: f32,
}

/// sin(θ₀/2) below which a rest shape counts as flat.
const FLAT: f64 = 1e-3;

impl Bow {
    /// The bow of `hinge`, whose corners at rest are `rest`; `None` if that is not flat.
    pub fn of(hinge: &ElasticHinge, rest: [DVec3; 4]) -> Option<Self> {
        if hinge.rest_sine.abs() > FLAT {
            return None;
        }
        let shape = HingeShape::new(rest)?;
        let normal = shape.gradient[0].normalize_or_zero();
        let slopes = shape.gradient.map(|u| u.dot(normal) as f32);
        let [a, b, c, _] = slopes;
        Some(Self {
            corners: hinge.corners,
            // Rounding must not make a sheet that lies far from the origin bend.
            slopes: [a, b, c, -(a + b + c)],
            stiffness: 0.5 * hinge.stiffness as f32,
            damping: hinge.damping as f32,
        })
    }

    /// What the bow stores for each unit of C²: ½K/2. [N·m]
    pub fn half_stiffness(&self) -> f64 {
        0.5 * f64::from(self.stiffness)
    }

    /// C of a height at each corner.
    pub fn of_heights(&self, z: [f64; 4]) -> f64 {
        self.slopes.iter().zip(z).map(|(&c, z)| f64::from(c) * z).sum()
    }
}

#[derive(Clone, Debug)]
struct Batch {
    corners: [Numbers; 4],
    slopes: [Lane; 4],
    stiffness: Lane,
    damping: Lane,
}

/// All bows, colour after colour.
#[derive(Debug, Default)]
pub(super) struct Bows {
    batches: Vec<Batch>,
    damped: bool,
}

impl Bows {
    /// `bows` among `points` points; number `points` stands for nobody.
    pub fn new(points: usize, bows: &[Bow]) -> Self {
        let corners: Vec<[u32; 4]> = bows.iter().map(|b| b.corners).collect();
        let colours = Colours::of_elements(points, &corners);
        let mut batches = Vec::new();
        for range in colours.ranges() {
            for part in colours.order()[range].chunks(LANES) {
                let of = |l: usize| part.get(l).map(|&i| &bows[i as usize]);
                let nobody = points as u32;
                batches.push(Batch {
                    corners: [0, 1, 2, 3]
                        .map(|k| std::array::from_fn(|l| of(l).map_or(nobody, |b| b.corners[k]))),
                    slopes: [0, 1, 2, 3]
                        .map(|k| Lane(std::array::from_fn(|l| of(l).map_or(0.0, |b| b.slopes[k])))),
                    stiffness: Lane(std::array::from_fn(|l| of(l).map_or(0.0, |b| b.stiffness))),
                    damping: Lane(std::array::from_fn(|l| of(l).map_or(0.0, |b| b.damping))),
                });
            }
        }
        Self { batches, damped: bows.iter().any(|b| b.damping > 0.0) }
    }

    /// Whether a sweep asks where points were at the start of the step.
    pub fn is_damped(&self) -> bool {
        self.damped
    }

    /// One sweep over a step of `h` that began at `start`.
    pub fn sweep(&self, points: &mut [Point], start: &[Point], h: f32) {
        let start = if self.damped { start } else { &[] };
        dispatch(Sweep { batches: &self.batches, points, start, h });
    }
}

struct Sweep<'a> {
    batches: &'a [Batch],
    points: &'a mut [Point],
    start: &'a [Point],
    h: f32,
}

impl Kernel for Sweep<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { batches, points, start, h } = self;
        for Batch { corners, slopes, stiffness, damping } in batches {
            let mut x = [[Lane::ZERO; 3]; 4];
            let mut w = [Lane::ZERO; 4];
            for k in 0..4 {
                x[k] = gather(points, &corners[k]);
                w[k] = gather_weights(points, &corners[k]);
            }
            let mut bow = bow_of(&x, slopes);
            // K C + c(C − C₀)/h, K + c/h being the stiffness.
            let mut stiff = *stiffness;
            for l in 0..LANES {
                for bow in &mut bow {
                    bow.0[l] *= stiffness.0[l];
                }
            }
            if !start.is_empty() {
                let now = bow_of(&x, slopes);
                let mut before = [[Lane::ZERO; 3]; 4];
                for k in 0..4 {
                    before[k] = gather(start, &corners[k]);
                }
                let before = bow_of(&before, slopes);
                for l in 0..LANES {
                    let dashpot = damping.0[l] / h;
                    stiff.0[l] += dashpot;
                    for c in 0..3 {
                        bow[c].0[l] += dashpot * (now[c].0[l] - before[c].0[l]);
                    }
                }
            }
            for l in 0..LANES {
                let mut sum = 0.0;
                for k in 0..4 {
                    sum += w[k].0[l] * slopes[k].0[l] * slopes[k].0[l];
                }
                let s = h * h / (h * h * stiff.0[l] * sum + 1.0);
                for k in 0..4 {
                    let way = -(w[k].0[l] * slopes[k].0[l] * s);
                    for c in 0..3 {
                        x[k][c].0[l] += way * bow[c].0[l];
                    }
                }
            }
            for k in 0..4 {
                scatter(points, &corners[k], &x[k]);
            }
        }
    }
}

#[inline(always)]
fn bow_of(x: &[[Lane; 3]; 4], slopes: &[Lane; 4]) -> [Lane; 3] {
    let mut out = [Lane::ZERO; 3];
    for c in 0..3 {
        for l in 0..LANES {
            // Differences first: far from the origin the sum would be rounding.
            out[c].0[l] = slopes[0].0[l] * (x[0][c].0[l] - x[3][c].0[l])
                + slopes[1].0[l] * (x[1][c].0[l] - x[3][c].0[l])
                + slopes[2].0[l] * (x[2][c].0[l] - x[3][c].0[l]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles over the edge from (0, 0, 0) to (0, 0, 1), folded by `angle`.
    fn folded(angle: f64) -> [DVec3; 4] {
        let (s, c) = (libm::sin(0.5 * angle), libm::cos(0.5 * angle));
        [
            DVec3::new(-0.5 * c, 0.5 * s, 0.4),
            DVec3::new(0.7 * c, 0.7 * s, 0.6),
            DVec3::ZERO,
            DVec3::new(0.0, 0.0, 1.0),
        ]
    }

    #[test]
    fn a_bow_costs_what_its_hinge_costs_at_small_angles() {
        let hinge =
            ElasticHinge { corners: [0, 1, 2, 3], stiffness: 2.0, damping: 0.0, rest_sine: 0.0 };
        let bow = Bow::of(&hinge, folded(0.0)).unwrap();
        for angle in [0.02, -0.1, 0.3] {
            let x = folded(angle);
            let c: DVec3 = bow.slopes.iter().zip(x).map(|(&slope, x)| f64::from(slope) * x).sum();
            let expected = hinge.energy(HingeShape::new(x).unwrap().angle);
            let energy = bow.half_stiffness() * c.length_squared();
            assert!((energy / expected - 1.0).abs() < 0.02, "{angle}: {energy} {expected}");
        }
        let bent = ElasticHinge { rest_sine: 0.2, ..hinge };
        assert!(Bow::of(&bent, folded(0.4)).is_none());
    }

    #[test]
    fn one_sweep_of_one_bow_is_its_implicit_step() {
        let hinge =
            ElasticHinge { corners: [0, 1, 2, 3], stiffness: 2.0, damping: 0.0, rest_sine: 0.0 };
        let bow = Bow::of(&hinge, folded(0.0)).unwrap();
        let bows = Bows::new(4, &[bow]);
        let at = |x: [DVec3; 4]| -> Vec<Point> {
            let mut points: Vec<Point> =
                x.iter().map(|p| [p.x as f32, p.y as f32, p.z as f32, 1.5]).collect();
            points.push([0.0; 4]);
            points
        };
        let (start, h) = (at(folded(0.3)), 0.1);
        let mut points = start.clone();
        bows.sweep(&mut points, &start, h);
        // m Δx/h² = −(K/2) cᵢ C at the end, for the one component that is not zero.
        let sum = |points: &[Point]| -> f64 {
            (0..4).map(|k| f64::from(bow.slopes[k]) * f64::from(points[k][1])).sum()
        };
        for k in 0..4 {
            let way = f64::from(points[k][1] - start[k][1]);
            let expected = -0.01 * 1.5 * f64::from(bow.slopes[k]) * sum(&points);
            assert!((way - expected).abs() < 1e-5, "{k}: {way} {expected}");
        }
        let moved: f32 = (0..4).map(|k| points[k][1] - start[k][1]).sum();
        assert!(moved.abs() < 1e-6, "momentum");
    }
}
