//! Hinges of a mesh that is flat at rest, sixteen at a time.

use std::ops::Range;

use glam::DVec3;

use crate::elastic::{ElasticHinge, HingeShape};
use crate::simd::{Kernel, LANES, Lane, dispatch};

use super::gather::{BLOCK, Numbers, Point, Sixteen, batches, gather, lane, numbers, scatter};

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
    blocks: Vec<Range<usize>>,
    damped: bool,
}

impl Bows {
    /// `bows` among `points` points; number `points` stands for nobody.
    pub fn new(points: usize, bows: &[Bow]) -> Self {
        let corners: Vec<[u32; 4]> = bows.iter().map(|b| b.corners).collect();
        let (batches, blocks) = batches(points, &corners, |part| Batch {
            corners: [0, 1, 2, 3].map(|k| numbers(&corners, part, k, points as u32)),
            slopes: [0, 1, 2, 3].map(|k| lane(bows, part, |b| b.slopes[k])),
            stiffness: lane(bows, part, |b| b.stiffness),
            damping: lane(bows, part, |b| b.damping),
        });
        Self { batches, blocks, damped: bows.iter().any(|b| b.damping > 0.0) }
    }

    /// Whether a sweep asks where points were at the start of the step.
    pub fn is_damped(&self) -> bool {
        self.damped
    }

    /// One sweep over a step of `h` that began at `start`.
    pub fn sweep(&self, points: &mut [Point], start: &[Point], h: f32) {
        let start = if self.damped { start } else { &[] };
        dispatch(Sweep { bows: self, points, start, h });
    }
}

struct Sweep<'a> {
    bows: &'a Bows,
    points: &'a mut [Point],
    start: &'a [Point],
    h: f32,
}

impl Kernel for Sweep<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { bows, points, start, h } = self;
        let mut corners = [[[Lane::ZERO; 4]; 4]; BLOCK];
        let mut starts = corners;
        for block in &bows.blocks {
            let batches = &bows.batches[block.clone()];
            for (batch, x) in batches.iter().zip(&mut corners) {
                for (numbers, x) in batch.corners.iter().zip(x) {
                    gather(points, numbers, x);
                }
            }
            if !start.is_empty() {
                for (batch, x) in batches.iter().zip(&mut starts) {
                    for (numbers, x) in batch.corners.iter().zip(x) {
                        gather(start, numbers, x);
                    }
                }
            }
            for ((batch, x), before) in batches.iter().zip(&mut corners).zip(&starts) {
                straighten(batch, x, (!start.is_empty()).then_some(before), h);
            }
            for (batch, x) in batches.iter().zip(&corners) {
                for (numbers, x) in batch.corners.iter().zip(x) {
                    scatter(points, numbers, x);
                }
            }
        }
    }
}

/// Δλ = −(K C + c(C − C₀)/h)/(Σ w c² (K + c/h) + 1/h²). One loop over copies: with corners or
/// coordinates in loops of their own the compiler makes vectors of those.
#[inline(always)]
fn straighten(batch: &Batch, x: &mut [Sixteen; 4], before: Option<&[Sixteen; 4]>, h: f32) {
    let Batch { slopes: [sa, sb, sc, sd], stiffness, damping, .. } = batch;
    let [bow_x, bow_y, bow_z] = bow_of(x, &batch.slopes);
    let (mut fx, mut fy, mut fz, mut stiff) = (bow_x, bow_y, bow_z, *stiffness);
    for l in 0..LANES {
        fx.0[l] *= stiff.0[l];
        fy.0[l] *= stiff.0[l];
        fz.0[l] *= stiff.0[l];
    }
    if let Some(before) = before {
        let [was_x, was_y, was_z] = bow_of(before, &batch.slopes);
        for l in 0..LANES {
            let dashpot = damping.0[l] / h;
            stiff.0[l] += dashpot;
            fx.0[l] += dashpot * (bow_x.0[l] - was_x.0[l]);
            fy.0[l] += dashpot * (bow_y.0[l] - was_y.0[l]);
            fz.0[l] += dashpot * (bow_z.0[l] - was_z.0[l]);
        }
    }
    let [[mut ax, mut ay, mut az, wa], [mut bx, mut by, mut bz, wb], far_c, far_d] = *x;
    let [mut cx, mut cy, mut cz, wc] = far_c;
    let [mut dx, mut dy, mut dz, wd] = far_d;
    for l in 0..LANES {
        let (a, b) = (wa.0[l] * sa.0[l], wb.0[l] * sb.0[l]);
        let (c, d) = (wc.0[l] * sc.0[l], wd.0[l] * sd.0[l]);
        let sum = a * sa.0[l] + b * sb.0[l] + c * sc.0[l] + d * sd.0[l];
        let scale = -(h * h) / (h * h * stiff.0[l] * sum + 1.0);
        let (px, py, pz) = (scale * fx.0[l], scale * fy.0[l], scale * fz.0[l]);
        ax.0[l] += a * px;
        ay.0[l] += a * py;
        az.0[l] += a * pz;
        bx.0[l] += b * px;
        by.0[l] += b * py;
        bz.0[l] += b * pz;
        cx.0[l] += c * px;
        cy.0[l] += c * py;
        cz.0[l] += c * pz;
        dx.0[l] += d * px;
        dy.0[l] += d * py;
        dz.0[l] += d * pz;
    }
    *x = [[ax, ay, az, wa], [bx, by, bz, wb], [cx, cy, cz, wc], [dx, dy, dz, wd]];
}

/// C. Differences first: far from the origin the sum would be rounding.
#[inline(always)]
fn bow_of([a, b, c, d]: &[Sixteen; 4], [sa, sb, sc, _]: &[Lane; 4]) -> [Lane; 3] {
    let (mut x, mut y, mut z) = (Lane::ZERO, Lane::ZERO, Lane::ZERO);
    for l in 0..LANES {
        let (sa, sb, sc) = (sa.0[l], sb.0[l], sc.0[l]);
        let far = [d[0].0[l], d[1].0[l], d[2].0[l]];
        x.0[l] = sa * (a[0].0[l] - far[0]) + sb * (b[0].0[l] - far[0]) + sc * (c[0].0[l] - far[0]);
        y.0[l] = sa * (a[1].0[l] - far[1]) + sb * (b[1].0[l] - far[1]) + sc * (c[1].0[l] - far[1]);
        z.0[l] = sa * (a[2].0[l] - far[2]) + sb * (b[2].0[l] - far[2]) + sc * (c[2].0[l] - far[2]);
    }
    [x, y, z]
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
