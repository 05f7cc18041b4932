//! Whether a pair touches during its motion, as signs of polynomials in time.

use super::polynomial::{Dyadic, Polynomial, any_root};
use glam::DVec3;
use num_bigint::BigInt;
use tkanina_sim::contact::{PairKind, PairMotion};

/// Whether the sides of a pair have a point in common at any time in [0, until].
///
/// All that touches lies in one plane: D(t) = 0 for the cubic D of the four points. Where D is not
/// zero throughout, the conditions of touching are looked at in its roots. Where it is, the pair
/// moves within planes: unless it touches at the start, it comes to touch at a corner.
pub fn touches(pair: PairKind, motion: &PairMotion, until: f64) -> bool {
    let conditions = Conditions::new(pair, &whole(motion, until));
    let ends = [0, 1].map(Dyadic::whole);
    if ends.iter().any(|t| conditions.hold(|p| p.sign_at(t))) {
        return true;
    }
    if !conditions.coplanar.is_zero() {
        return any_root(&conditions.coplanar, |root| conditions.hold(|p| root.sign_of(p)));
    }
    conditions.corners.iter().any(|Corner { collinear: [a, b, c], beyond }| {
        let common = a.greatest_common_divisor(b).greatest_common_divisor(c);
        if common.is_zero() {
            !beyond.is_zero() && any_root(beyond, |_| true)
        } else {
            any_root(&common, |root| root.sign_of(beyond) <= 0)
        }
    })
}

type Vector = [Polynomial; 3];

/// Touching is: four points in a plane, a normal, and all of `inside` not negative; or any corner
/// on an edge of the other side.
struct Conditions {
    coplanar: Polynomial,
    normal: Vector,
    inside: Vec<Polynomial>,
    corners: Vec<Corner>,
}

/// Point p on the edge from a to b: (b − a) × (p − a) = 0 and (p − a)·(p − b) ≤ 0.
struct Corner {
    collinear: Vector,
    beyond: Polynomial,
}

impl Corner {
    fn new(p: &Vector, a: &Vector, b: &Vector) -> Self {
        let from_a = minus(p, a);
        Self { collinear: cross(&minus(b, a), &from_a), beyond: dot(&from_a, &minus(p, b)) }
    }
}

impl Conditions {
    fn new(pair: PairKind, [a, b, c, d]: &[Vector; 4]) -> Self {
        match pair {
            PairKind::VertexTriangle => {
                let (u, v, r) = (minus(c, b), minus(d, b), minus(a, b));
                let normal = cross(&u, &v);
                let (p, q) = (dot(&cross(&r, &v), &normal), dot(&cross(&u, &r), &normal));
                let rest = &dot(&normal, &normal) - &(&p + &q);
                let corners = [(b, c), (c, d), (d, b)].map(|(from, to)| Corner::new(a, from, to));
                Self {
                    coplanar: dot(&r, &normal),
                    normal,
                    inside: vec![p, q, rest],
                    corners: corners.into(),
                }
            }
            PairKind::EdgeEdge => {
                let (u, v, r) = (minus(b, a), minus(d, c), minus(c, a));
                let normal = cross(&u, &v);
                let (s, t) = (dot(&cross(&r, &v), &normal), dot(&cross(&r, &u), &normal));
                let whole = dot(&normal, &normal);
                let rest = [&whole - &s, &whole - &t];
                let corners = [(a, c, d), (b, c, d), (c, a, b), (d, a, b)];
                Self {
                    coplanar: dot(&r, &normal),
                    normal,
                    inside: [s, t].into_iter().chain(rest).collect(),
                    corners: corners.map(|(p, from, to)| Corner::new(p, from, to)).into(),
                }
            }
        }
    }

    /// Whether they hold where `sign` tells a polynomial's sign.
    fn hold(&self, sign: impl Fn(&Polynomial) -> i32) -> bool {
        sign(&self.coplanar) == 0
            && (self.normal.iter().any(|p| sign(p) != 0)
                && self.inside.iter().all(|p| sign(p) >= 0)
                || self.corners.iter().any(|corner| {
                    corner.collinear.iter().all(|p| sign(p) == 0) && sign(&corner.beyond) <= 0
                }))
    }
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| &a[i] - &b[i])
}

fn dot(a: &Vector, b: &Vector) -> Polynomial {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &(&a[i] * &b[j]) - &(&a[j] * &b[i]))
}

/// The motion up to a time, multiplied by a power of two that makes all numbers whole.
fn whole(motion: &PairMotion, until: f64) -> [Vector; 4] {
    let all = motion.start.iter().chain(&motion.end).flat_map(DVec3::to_array);
    let unit = all.map(|x| parts(x).1).min().unwrap_or(0);
    let scaled = |x: f64| {
        let (mantissa, exponent) = parts(x);
        BigInt::from(mantissa) << (exponent - unit)
    };
    let (part, exponent) = parts(until);
    assert!(exponent <= 0, "times are at most 1");
    let at = |start: f64, end: f64| {
        let (start, end) = (scaled(start), scaled(end));
        let way = (&end - &start) * part;
        let start = start << -exponent;
        Polynomial::between(&start, &(&start + way))
    };
    std::array::from_fn(|i| {
        let (start, end) = (motion.start[i].to_array(), motion.end[i].to_array());
        std::array::from_fn(|k| at(start[k], end[k]))
    })
}

/// x = mantissa · 2^exponent with an odd mantissa; zero is 0 · 2⁰.
pub fn parts(x: f64) -> (i64, i32) {
    if x == 0.0 {
        return (0, 0);
    }
    let bits = x.to_bits();
    let raw = ((bits >> 52) & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) =
        if raw == 0 { (fraction, -1074) } else { (fraction | (1 << 52), raw - 1075) };
    let twos = mantissa.trailing_zeros();
    (if x < 0.0 { -(mantissa >> twos) } else { mantissa >> twos }, exponent + twos as i32)
}
