//! What the masses of a strand ask of its pieces, eight pieces side by side.

use glam::{DMat3, DVec3};

use super::chain::{Piece, Pulls};
use super::layout::{Curve, Layout};
use super::piece::TOGETHER;
use crate::simd::Kernel;

/// A number of each of eight pieces, vectors of them, and matrices by columns.
type Eight = [f64; TOGETHER];
type Vectors = [Eight; 3];
type Matrices = [Vectors; 3];

/// Symmetric matrices: xx, xy, xz, yy, yz, zz.
type Symmetric = [Eight; 6];

/// Adds all Gauss points to their pieces: δx = v + ω × x + L δΩ of each.
pub(super) struct Sums<'a> {
    pub layout: &'a Layout,
    pub curve: &'a Curve,
    pub pulls: &'a Pulls<'a>,
    pub pieces: &'a mut [Piece],
}

/// A Gauss point of each of eight pieces.
#[derive(Default)]
struct Points {
    x: Vectors,
    /// sΩ and s². [rad, m²]
    turn: Vectors,
    square: Eight,
    /// Functions of the angle, as in [`super::piece::Arc::reach`].
    b: Eight,
    c: Eight,
    b_grows: Eight,
    c_grows: Eight,
    /// What draws it.
    weight: Eight,
    more: Eight,
    along: Vectors,
    target: Vectors,
}

/// What is added up.
#[derive(Default)]
struct Added {
    vv: Symmetric,
    vw: Matrices,
    ww: Symmetric,
    v: Vectors,
    w: Vectors,
    vq: Matrices,
    wq: Matrices,
    qq: Symmetric,
    q: Vectors,
    weight: Eight,
    moment: Vectors,
    second: Symmetric,
}

impl Kernel for Sums<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { layout, curve, pulls, pieces } = self;
        let gauss = layout.gauss.len();
        for (batch, pieces) in pieces.chunks_mut(TOGETHER).enumerate() {
            let first = batch * TOGETHER;
            let mut frames = Matrices::default();
            for l in 0..pieces.len() {
                let frame = curve.frames[first + l];
                put(&mut frames[0], l, frame.x_axis);
                put(&mut frames[1], l, frame.y_axis);
                put(&mut frames[2], l, frame.z_axis);
            }
            let (mut added, mut points) = (Added::default(), Points::default());
            for g in 0..gauss {
                for l in 0..pieces.len() {
                    let i = (first + l) * gauss + g;
                    let (pull, arc) = (&pulls.samples[i], curve.sample(layout, i));
                    put(&mut points.x, l, curve.samples[i]);
                    put(&mut points.turn, l, arc.turn);
                    points.square[l] = arc.s * arc.s;
                    (points.b[l], points.c[l]) = (arc.powers.b, arc.powers.c);
                    points.b_grows[l] = arc.powers.b_grows;
                    points.c_grows[l] = arc.powers.c_grows;
                    (points.weight[l], points.more[l]) = (pull.weight, pull.more);
                    put(&mut points.along, l, pull.along);
                    put(&mut points.target, l, pull.target);
                }
                add_points(&frames, &points, &mut added);
            }
            pieces.iter_mut().enumerate().for_each(|(l, piece)| added.give(l, piece));
        }
    }
}

/// A function of its own: only arguments are known to share no memory, and only then does the
/// compiler use vectors.
#[inline(always)]
fn add_points(frames: &Matrices, points: &Points, added: &mut Added) {
    for l in 0..TOGETHER {
        let (x, turn) = (at(&points.x, l), at(&points.turn, l));
        let by = {
            let (b, c) = (points.b[l], points.c[l]);
            let across = [turn[1], -turn[0], 0.0];
            let grown = sum(
                scaled(across, points.b_grows[l]),
                scaled(cross(turn, across), points.c_grows[l]),
            );
            let column =
                |own: Three, k: usize| scaled(sum(own, scaled(grown, turn[k])), points.square[l]);
            let columns = [
                column([c * turn[2], -b, -2.0 * c * turn[0]], 0),
                column([b, c * turn[2], -2.0 * c * turn[1]], 1),
                column([c * turn[0], c * turn[1], 0.0], 2),
            ];
            let axes = [at(&frames[0], l), at(&frames[1], l), at(&frames[2], l)];
            let turned = |v: Three| {
                sum(sum(scaled(axes[0], v[0]), scaled(axes[1], v[1])), scaled(axes[2], v[2]))
            };
            [turned(columns[0]), turned(columns[1]), turned(columns[2])]
        };
        let (weight, more, along) = (points.weight[l], points.more[l], at(&points.along, l));
        let target = at(&points.target, l);
        let apart = [target[0] - x[0], target[1] - x[1], target[2] - x[2]];
        let force = sum(scaled(apart, weight), scaled(along, more * dot(along, apart)));
        let arm = cross(x, along);
        let bent = [dot(by[0], along), dot(by[1], along), dot(by[2], along)];
        grow(&mut added.v, l, force);
        grow(&mut added.w, l, cross(x, force));
        grow(&mut added.q, l, [dot(by[0], force), dot(by[1], force), dot(by[2], force)]);
        added.weight[l] += weight;
        let heavy = scaled(x, weight);
        grow(&mut added.moment, l, heavy);
        grow_outer(&mut added.second, l, heavy, x);
        let (a, t) = (scaled(along, more), scaled(arm, more));
        grow_outer(&mut added.vv, l, a, along);
        grow_outer(&mut added.ww, l, t, arm);
        grow_outer(&mut added.qq, l, scaled(bent, more), bent);
        for k in 0..3 {
            let pulled = scaled(by[k], weight);
            grow(&mut added.vw[k], l, scaled(a, arm[k]));
            grow(&mut added.vq[k], l, sum(pulled, scaled(a, bent[k])));
            grow(&mut added.wq[k], l, sum(cross(x, pulled), scaled(t, bent[k])));
        }
        let heavy = [scaled(by[0], weight), scaled(by[1], weight), scaled(by[2], weight)];
        added.qq[0][l] += dot(by[0], heavy[0]);
        added.qq[1][l] += dot(by[0], heavy[1]);
        added.qq[2][l] += dot(by[0], heavy[2]);
        added.qq[3][l] += dot(by[1], heavy[1]);
        added.qq[4][l] += dot(by[1], heavy[2]);
        added.qq[5][l] += dot(by[2], heavy[2]);
    }
}

impl Added {
    /// Adds what belongs to one piece.
    #[inline(always)]
    fn give(&self, l: usize, piece: &mut Piece) {
        let vector = |v: &Vectors| DVec3::from_array(at(v, l));
        let matrix = |m: &Matrices| DMat3::from_cols(vector(&m[0]), vector(&m[1]), vector(&m[2]));
        let whole = |s: &Symmetric| {
            let [xx, xy, xz, yy, yz, zz] = s.map(|one| one[l]);
            DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz])
        };
        piece.rest.vv += whole(&self.vv);
        piece.rest.vw += matrix(&self.vw);
        piece.rest.ww += whole(&self.ww);
        piece.rest.v += vector(&self.v);
        piece.rest.w += vector(&self.w);
        piece.vq += matrix(&self.vq);
        piece.wq += matrix(&self.wq);
        piece.qq += whole(&self.qq);
        piece.q += vector(&self.q);
        piece.weight += self.weight[l];
        piece.moment += vector(&self.moment);
        piece.second += whole(&self.second);
    }
}

type Three = [f64; 3];

#[inline(always)]
fn at(v: &Vectors, l: usize) -> Three {
    [v[0][l], v[1][l], v[2][l]]
}

#[inline(always)]
fn put(v: &mut Vectors, l: usize, to: DVec3) {
    (v[0][l], v[1][l], v[2][l]) = (to.x, to.y, to.z);
}

#[inline(always)]
fn grow(v: &mut Vectors, l: usize, by: Three) {
    v[0][l] += by[0];
    v[1][l] += by[1];
    v[2][l] += by[2];
}

/// Adds a bᵀ, which is symmetric.
#[inline(always)]
fn grow_outer(s: &mut Symmetric, l: usize, a: Three, b: Three) {
    s[0][l] += a[0] * b[0];
    s[1][l] += a[0] * b[1];
    s[2][l] += a[0] * b[2];
    s[3][l] += a[1] * b[1];
    s[4][l] += a[1] * b[2];
    s[5][l] += a[2] * b[2];
}

#[inline(always)]
fn sum(a: Three, b: Three) -> Three {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
fn scaled(a: Three, s: f64) -> Three {
    [a[0] * s, a[1] * s, a[2] * s]
}

#[inline(always)]
fn dot(a: Three, b: Three) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross(a: Three, b: Three) -> Three {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
