//! Newton's equations of a strand, solved in one way down and one way up.

use glam::{DMat3, DVec3};

use super::layout::{Curve, Layout};
use super::sums::Sums;
use crate::simd::dispatch;

/// A point that is drawn somewhere: ½(x − y)ᵀ W (x − y), W = w I + u a aᵀ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pull {
    /// w. [N/m]
    pub weight: f64,
    /// u, more than −w. [N/m]
    pub more: f64,
    /// a, a unit vector.
    pub along: DVec3,
    /// y. [m]
    pub target: DVec3,
}

impl Pull {
    /// Nothing.
    pub const NONE: Self = Self { weight: 0.0, more: 0.0, along: DVec3::ZERO, target: DVec3::ZERO };

    /// To a place, the same in all directions.
    pub fn to(target: DVec3, weight: f64) -> Self {
        Self { weight, target, ..Self::NONE }
    }

    /// W(y − x). [N]
    #[inline]
    pub fn force(&self, x: DVec3) -> DVec3 {
        let d = self.target - x;
        d * self.weight + self.along * (self.more * self.along.dot(d))
    }

    /// Its energy at `x`. [J]
    #[inline]
    pub fn energy(&self, x: DVec3) -> f64 {
        0.5 * (self.target - x).dot(self.force(x))
    }
}

/// What acts on a strand: everything is drawn somewhere, curvatures and twists too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pulls<'a> {
    /// Of each Gauss point.
    pub samples: &'a [Pull],
    /// Two of each node.
    pub nodes: &'a [[Pull; 2]],
    /// Stiffness of κ₁, κ₂ and τ of a piece, and the part of it that each has. [N·m³, 1]
    pub stiffness: DVec3,
    pub parts: &'a [f64],
    /// Where those of each piece are drawn. [1/m]
    pub darboux: &'a [DVec3],
}

/// What is left of the pieces from one on, as a function of how the first of them is moved: with
/// δx = v + ω × x for a rigid motion (v, ω) it is ½νᵀAν − bᵀν.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    /// A: of v and v, of v and ω, of ω and ω.
    pub vv: DMat3,
    pub vw: DMat3,
    pub ww: DMat3,
    /// b.
    pub v: DVec3,
    pub w: DVec3,
}

impl Rest {
    /// Beyond the tip.
    const NOTHING: Self =
        Self { vv: DMat3::ZERO, vw: DMat3::ZERO, ww: DMat3::ZERO, v: DVec3::ZERO, w: DVec3::ZERO };
}

/// How a piece answers to being moved: δΩ = g − G_v v − G_ω ω; and how its end moves with δΩ.
#[derive(Clone, Copy, Debug, Default)]
struct Answer {
    own: DVec3,
    by_v: DMat3,
    by_w: DMat3,
    end_v: DMat3,
    end_w: DMat3,
    /// gᵀQg, twice what it takes off the energy.
    gain: f64,
}

/// Buffers of the solve.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    pieces: Vec<Piece>,
    answers: Vec<Answer>,
}

impl Chain {
    /// For a strand of so many pieces.
    pub fn new(pieces: usize) -> Self {
        Self { pieces: vec![Piece::NOTHING; pieces], answers: vec![Answer::default(); pieces] }
    }

    /// Sums what everything but nodes asks of a curve.
    pub fn sum(&mut self, layout: &Layout, curve: &Curve, pulls: &Pulls<'_>) {
        for (k, piece) in self.pieces.iter_mut().enumerate() {
            *piece = Piece::new(pulls, curve.darboux[k], k);
        }
        dispatch(Sums { layout, curve, pulls, pieces: &mut self.pieces });
    }

    /// min over δ of Σ ½|x + J δ − y|²_W + ½|Ω + δ − Ω*|²_K for a curve that sums are known of; returns
    /// −gradient·δ, twice what the minimum lies below the start.
    ///
    /// A change of a piece moves all that follows as a rigid body. So the pieces are eliminated one
    /// by one from the tip on, as joints of an arm are (Featherstone): the cost grows with their
    /// number and no faster.
    pub fn solve(
        &mut self,
        layout: &Layout,
        curve: &Curve,
        pulls: &Pulls<'_>,
        step: &mut [DVec3],
    ) -> f64 {
        let mut rest = Rest::NOTHING;
        let mut node = layout.nodes.len();
        for k in (0..layout.pieces).rev() {
            let (mut piece, frame) = (self.pieces[k], curve.frames[k]);
            while node > 0 && layout.nodes[node - 1].piece as usize == k {
                node -= 1;
                for pull in pulls.nodes[node].iter().filter(|&&pull| pull != Pull::NONE) {
                    let by_q = frame * curve.node(layout, node).reach();
                    piece.add(curve.nodes[node], by_q, pull);
                }
            }
            piece.share();
            let arc = curve.piece(layout, k);
            let turning = frame * arc.turning();
            let reach = frame * arc.reach() + skew(curve.ends[k + 1]) * turning;
            self.answers[k] = piece.eliminate(&rest, reach, turning);
            rest = piece.rest;
        }
        let (mut v, mut w, mut gain) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for (answer, step) in self.answers.iter().zip(step) {
            *step = answer.own - answer.by_v * v - answer.by_w * w;
            v += answer.end_v * *step;
            w += answer.end_w * *step;
            gain += answer.gain;
        }
        gain
    }
}

/// A piece while it is added up: A and b of its own, and those of δΩ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub rest: Rest,
    pub vq: DMat3,
    pub wq: DMat3,
    pub qq: DMat3,
    pub q: DVec3,
    /// Σw, Σw x, Σw x xᵀ of points that are drawn alike in all directions.
    pub weight: f64,
    pub moment: DVec3,
    pub second: DMat3,
}

impl Piece {
    const NOTHING: Self = Self {
        rest: Rest::NOTHING,
        vq: DMat3::ZERO,
        wq: DMat3::ZERO,
        qq: DMat3::ZERO,
        q: DVec3::ZERO,
        weight: 0.0,
        moment: DVec3::ZERO,
        second: DMat3::ZERO,
    };

    fn new(pulls: &Pulls<'_>, darboux: DVec3, k: usize) -> Self {
        let stiffness = pulls.stiffness * pulls.parts[k];
        let qq = DMat3::from_diagonal(stiffness);
        Self { qq, q: stiffness * (pulls.darboux[k] - darboux), ..Self::NOTHING }
    }

    /// Adds a point at `x`: δx = v + ω × x + L δΩ.
    #[inline]
    fn add(&mut self, x: DVec3, by_q: DMat3, pull: &Pull) {
        let force = pull.force(x);
        self.rest.v += force;
        self.rest.w += x.cross(force);
        self.q += by_q.transpose() * force;
        let weighted = x * pull.weight;
        self.weight += pull.weight;
        self.moment += weighted;
        self.second += outer(weighted, x);
        let pulled = by_q * pull.weight;
        self.vq += pulled;
        self.wq += DMat3::from_cols(
            x.cross(pulled.x_axis),
            x.cross(pulled.y_axis),
            x.cross(pulled.z_axis),
        );
        self.qq += by_q.transpose() * pulled;
        if pull.more != 0.0 {
            let (a, turned) = (pull.along, x.cross(pull.along));
            let bent = by_q.transpose() * a;
            let (a, more, by) = (a * pull.more, turned * pull.more, bent * pull.more);
            self.rest.vv += outer(a, pull.along);
            self.rest.vw += outer(a, turned);
            self.rest.ww += outer(more, turned);
            self.vq += outer(a, bent);
            self.wq += outer(more, bent);
            self.qq += outer(by, bent);
        }
    }

    /// Brings what was summed up over points alike into A: W, −W[x] and [x]ᵀW[x].
    fn share(&mut self) {
        self.rest.vv += DMat3::from_diagonal(DVec3::splat(self.weight));
        self.rest.vw -= skew(self.moment);
        let trace = self.second.x_axis.x + self.second.y_axis.y + self.second.z_axis.z;
        self.rest.ww += DMat3::from_diagonal(DVec3::splat(trace)) - self.second;
    }

    /// Joins what follows, whose motion is that of this piece plus (reach, turning)·δΩ, and takes
    /// δΩ out.
    fn eliminate(&mut self, next: &Rest, reach: DMat3, turning: DMat3) -> Answer {
        let by_v = next.vv * reach + next.vw * turning;
        let by_w = next.vw.transpose() * reach + next.ww * turning;
        self.vq += by_v;
        self.wq += by_w;
        self.qq += reach.transpose() * by_v + turning.transpose() * by_w;
        self.q += reach.transpose() * next.v + turning.transpose() * next.w;
        self.rest.vv += next.vv;
        self.rest.vw += next.vw;
        self.rest.ww += next.ww;
        self.rest.v += next.v;
        self.rest.w += next.w;
        let inverse = root_of_inverse(&self.qq);
        // Q_νq Q⁻¹ Q_qν as a square, so that what is left stays symmetric.
        let (half_v, half_w) = (self.vq * inverse, self.wq * inverse);
        let half_q = inverse.transpose() * self.q;
        self.rest.vv -= half_v * half_v.transpose();
        self.rest.vw -= half_v * half_w.transpose();
        self.rest.ww -= half_w * half_w.transpose();
        self.rest.v -= half_v * half_q;
        self.rest.w -= half_w * half_q;
        Answer {
            own: inverse * half_q,
            by_v: inverse * half_v.transpose(),
            by_w: inverse * half_w.transpose(),
            end_v: reach,
            end_w: turning,
            gain: half_q.length_squared(),
        }
    }
}

/// a bᵀ.
#[inline]
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// [x]: the matrix of x × ….
#[inline]
fn skew(x: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, x.z, -x.y),
        DVec3::new(-x.z, 0.0, x.x),
        DVec3::new(x.y, -x.x, 0.0),
    )
}

/// U with U Uᵀ = Q⁻¹ of a symmetric positive matrix: L⁻ᵀ of Q = L Lᵀ. A pivot that rounding has
/// left without sign counts as a great one, which moves nothing.
#[inline]
fn root_of_inverse(q: &DMat3) -> DMat3 {
    let inverse_root = |pivot: f64, from: f64| {
        if pivot > 1e-14 * from { 1.0 / pivot.sqrt() } else { 0.0 }
    };
    let a = inverse_root(q.x_axis.x, q.x_axis.x);
    let (l1, l2) = (q.x_axis.y * a, q.x_axis.z * a);
    let b = inverse_root(q.y_axis.y - l1 * l1, q.y_axis.y);
    let l3 = (q.y_axis.z - l1 * l2) * b;
    let c = inverse_root(q.z_axis.z - l2 * l2 - l3 * l3, q.z_axis.z);
    // Columns of L⁻ᵀ are rows of L⁻¹.
    let (m1, m3) = (-l1 * a * b, -l3 * b * c);
    let m2 = -(l2 * a + l3 * m1) * c;
    DMat3::from_cols(DVec3::new(a, 0.0, 0.0), DVec3::new(m1, b, 0.0), DVec3::new(m2, m3, c))
}

#[cfg(test)]
mod tests {
    use super::super::layout::Spot;
    use super::super::piece::Arc;
    use super::*;

    /// A strand bent and twisted at random, and what draws at it.
    fn tangle() -> (Layout, Curve, Vec<Pull>, Vec<[Pull; 2]>) {
        let layout = Layout::new(12, 0.02, 5, 4);
        let mut seed = 7_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(seed >> 8) / f64::from(1 << 24) - 0.5
        };
        let mut vector = move |scale: f64| DVec3::new(random(), random(), random()) * scale;
        let mut curve = Curve::new(&layout);
        curve.darboux.iter_mut().for_each(|darboux| *darboux = vector(40.0));
        let frame = Arc::new(vector(3.0), 1.0).frame();
        curve.follow(&layout, (vector(1.0), frame));
        let mut pull = || {
            let numbers = vector(1.0).abs();
            let along = vector(1.0).normalize();
            let (weight, more) = (0.1 + numbers.x, numbers.y - 0.05);
            Pull { weight, more, along, target: vector(0.5) }
        };
        let samples = (0..layout.samples()).map(|_| pull()).collect();
        let nodes = layout.nodes.iter().map(|_| [pull(), pull()]).collect();
        (layout, curve, samples, nodes)
    }

    fn energy(layout: &Layout, curve: &Curve, pulls: &Pulls<'_>) -> f64 {
        let mut curve = curve.clone();
        let root = (curve.ends[0], curve.frames[0]);
        curve.follow(layout, root);
        let gauss = layout.gauss.len();
        let spots = (0..layout.samples())
            .map(|i| Spot { piece: (i / gauss) as u32, s: layout.gauss[i % gauss].0 });
        let nodes = layout.nodes.iter().zip(pulls.nodes).flat_map(|(s, [a, b])| [(*s, a), (*s, b)]);
        let all = spots.zip(pulls.samples).chain(nodes);
        let drawn: f64 = all.map(|(spot, pull)| pull.energy(curve.point(spot))).sum();
        let bent = |(a, b): (&DVec3, &DVec3)| 0.5 * ((*a - *b) * (*a - *b)).dot(pulls.stiffness);
        drawn + curve.darboux.iter().zip(pulls.darboux).map(bent).sum::<f64>()
    }

    #[test]
    fn the_step_solves_the_equations_of_gauss_and_newton() {
        let (layout, curve, samples, nodes) = tangle();
        let natural = vec![DVec3::new(1.0, -2.0, 3.0); layout.pieces];
        let stiffness = DVec3::new(1e-4, 1e-4, 5e-5);
        let parts = vec![1.0; layout.pieces];
        let (samples, nodes, natural, parts) = (&samples, &nodes, &natural, &parts);
        let pulls = Pulls { samples, nodes, stiffness, parts, darboux: natural };
        let mut step = vec![DVec3::ZERO; layout.pieces];
        let mut chain = Chain::new(layout.pieces);
        chain.sum(&layout, &curve, &pulls);
        let gain = chain.solve(&layout, &curve, &pulls, &mut step);

        // The Jacobian by differences, and the dense system.
        let n = 3 * layout.pieces;
        let gauss = layout.gauss.len();
        let mut spots: Vec<Spot> = (0..layout.samples())
            .map(|i| Spot { piece: (i / gauss) as u32, s: layout.gauss[i % gauss].0 })
            .collect();
        spots.extend(layout.nodes.iter().flat_map(|&spot| [spot, spot]));
        let all: Vec<Pull> = samples.iter().chain(nodes.as_flattened()).copied().collect();
        let moved = |k: usize, by: f64| {
            let mut other = curve.clone();
            other.darboux[k / 3][k % 3] += by;
            other.follow(&layout, (curve.ends[0], curve.frames[0]));
            spots.iter().map(|&spot| other.point(spot)).collect::<Vec<DVec3>>()
        };
        let column = |k: usize| {
            let (more, less) = (moved(k, 1e-5), moved(k, -1e-5));
            more.iter().zip(&less).map(|(a, b)| (*a - *b) / 2e-5).collect::<Vec<DVec3>>()
        };
        let jacobian: Vec<Vec<DVec3>> = (0..n).map(column).collect();
        let mut worst = 0.0_f64;
        let mut scale = 0.0_f64;
        let mut whole = 0.0;
        for i in 0..n {
            let mut gradient = stiffness[i % 3] * (natural[0] - curve.darboux[i / 3])[i % 3];
            let mut left = stiffness[i % 3] * step[i / 3][i % 3];
            for (p, pull) in all.iter().enumerate() {
                let x = curve.point(spots[p]);
                gradient += jacobian[i][p].dot(pull.force(x));
                let change =
                    (0..n).fold(DVec3::ZERO, |sum, k| sum + jacobian[k][p] * step[k / 3][k % 3]);
                left += jacobian[i][p].dot(pull.force(pull.target - change));
            }
            worst = worst.max((left - gradient).abs());
            scale = scale.max(gradient.abs());
            whole += gradient * step[i / 3][i % 3];
        }
        assert!(worst < 1e-6 * scale, "{worst} of {scale}");
        assert!((gain - whole).abs() < 1e-6 * whole, "{gain} {whole}");

        // Down the energy at the rate that the gain says.
        let along = |t: f64| {
            let mut other = curve.clone();
            other.darboux.iter_mut().zip(&step).for_each(|(d, s)| *d += *s * t);
            energy(&layout, &other, &pulls)
        };
        let slope = (along(1e-5) - along(-1e-5)) / 2e-5;
        assert!((slope + gain).abs() < 1e-4 * gain, "{slope} {gain}");
    }
}
