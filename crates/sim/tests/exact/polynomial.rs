//! Polynomials with whole coefficients, and their roots between 0 and 1 by Sturm's theorem.

use num_bigint::{BigInt, Sign};
use std::ops::{Add, Mul, Sub};

/// Σ cₖ tᵏ, constant first; the last coefficient is not zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Polynomial(Vec<BigInt>);

/// A number k/2ᵉ.
#[derive(Clone, Debug)]
pub struct Dyadic {
    numerator: BigInt,
    exponent: u64,
}

impl Dyadic {
    pub fn whole(value: i32) -> Self {
        Self { numerator: value.into(), exponent: 0 }
    }

    fn mean(&self, other: &Self) -> Self {
        let exponent = self.exponent.max(other.exponent);
        let numerator = (&self.numerator << (exponent - self.exponent))
            + (&other.numerator << (exponent - other.exponent));
        Self { numerator, exponent: exponent + 1 }
    }
}

fn sign_of(value: &BigInt) -> i32 {
    match value.sign() {
        Sign::Minus => -1,
        Sign::NoSign => 0,
        Sign::Plus => 1,
    }
}

impl Polynomial {
    /// (1 − t) start + t end.
    pub fn between(start: &BigInt, end: &BigInt) -> Self {
        Self(vec![start.clone(), end - start]).trimmed()
    }

    pub fn zero() -> Self {
        Self(Vec::new())
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Sign of the value at t: that of Σ kⁱ 2^(e(n − i)) cᵢ.
    pub fn sign_at(&self, t: &Dyadic) -> i32 {
        let mut value = BigInt::ZERO;
        for (i, c) in self.0.iter().rev().enumerate() {
            value = value * &t.numerator + (c << (t.exponent * i as u64));
        }
        sign_of(&value)
    }

    pub fn greatest_common_divisor(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        while !b.is_zero() {
            (a, b) = (b.clone(), a.minus_remainder(&b));
        }
        a
    }

    /// Minus the remainder of the division by `other`, times some positive number.
    fn minus_remainder(&self, other: &Self) -> Self {
        let mut rest = self.clone();
        let Some(lead) = other.0.last() else { return rest };
        let size = lead * sign_of(lead);
        while rest.0.len() >= other.0.len() {
            let shift = rest.0.len() - other.0.len();
            let factor = rest.0[rest.0.len() - 1].clone() * sign_of(lead);
            rest.0.iter_mut().for_each(|c| *c *= &size);
            for (i, c) in other.0.iter().enumerate() {
                rest.0[shift + i] -= c * &factor;
            }
            rest = rest.trimmed();
        }
        // Powers of two come in by the way whole numbers are made of fractions; without them
        // numbers stay short.
        let twos = rest.0.iter().filter_map(BigInt::trailing_zeros).min().unwrap_or(0);
        Self(rest.0.into_iter().map(|c| -(c >> twos)).collect())
    }

    fn derivative(&self) -> Self {
        Self(self.0.iter().enumerate().skip(1).map(|(i, c)| c * i).collect())
    }

    /// Without its roots at 0 and 1.
    fn without_ends(&self) -> Self {
        let mut rest = self.clone();
        while rest.0.first().is_some_and(|c| sign_of(c) == 0) {
            rest.0.remove(0);
        }
        // By Horner's scheme at 1: the partial sums are the quotient, the last the remainder.
        while rest.0.len() > 1 && sign_of(&rest.0.iter().sum()) == 0 {
            let mut sum = BigInt::ZERO;
            let mut quotient: Vec<_> = (rest.0.iter().skip(1).rev())
                .map(|c| {
                    sum += c;
                    sum.clone()
                })
                .collect();
            quotient.reverse();
            rest = Self(quotient);
        }
        rest
    }

    fn trimmed(mut self) -> Self {
        while self.0.last().is_some_and(|c| sign_of(c) == 0) {
            self.0.pop();
        }
        self
    }
}

/// Sturm's chain of a polynomial: p, p′, and each next minus the remainder of the two before.
struct Chain(Vec<Polynomial>);

impl Chain {
    fn new(polynomial: Polynomial) -> Self {
        let mut chain = vec![polynomial.derivative(), polynomial];
        chain.reverse();
        while let [.., a, b] = &chain[..]
            && !b.is_zero()
        {
            chain.push(a.minus_remainder(b));
        }
        Self(chain)
    }

    /// Number of different roots in (low, high), neither of which may be a root.
    fn roots_between(&self, low: &Dyadic, high: &Dyadic) -> usize {
        self.changes(low) - self.changes(high)
    }

    fn changes(&self, at: &Dyadic) -> usize {
        let signs: Vec<_> = self.0.iter().map(|p| p.sign_at(at)).filter(|&s| s != 0).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// A point strictly between that is no root.
    fn split(&self, low: &Dyadic, high: &Dyadic) -> Dyadic {
        let mut middle = low.mean(high);
        while self.0[0].sign_at(&middle) == 0 {
            middle = low.mean(&middle);
        }
        middle
    }
}

/// The only root of a polynomial between two points.
pub struct Root<'a> {
    chain: &'a Chain,
    low: Dyadic,
    high: Dyadic,
}

impl Root<'_> {
    /// Sign of another polynomial at this root.
    pub fn sign_of(&self, other: &Polynomial) -> i32 {
        let (mut low, mut high) = (self.low.clone(), self.high.clone());
        let common = self.chain.0[0].greatest_common_divisor(other);
        if other.is_zero() || Chain::new(common).roots_between(&low, &high) > 0 {
            return 0;
        }
        let chain = Chain::new(other.clone());
        // No root in common: narrow this one down until the other has none near it.
        loop {
            let (a, b) = (other.sign_at(&low), other.sign_at(&high));
            if a != 0 && a == b && chain.roots_between(&low, &high) == 0 {
                return a;
            }
            let middle = self.chain.split(&low, &high);
            if self.chain.roots_between(&low, &middle) > 0 {
                high = middle;
            } else {
                low = middle;
            }
        }
    }
}

/// Whether `test` holds at any root in the open interval (0, 1) of a polynomial that is not zero.
pub fn any_root(polynomial: &Polynomial, test: impl Fn(&Root<'_>) -> bool) -> bool {
    let chain = Chain::new(polynomial.without_ends());
    let mut open = vec![(Dyadic::whole(0), Dyadic::whole(1))];
    while let Some((low, high)) = open.pop() {
        match chain.roots_between(&low, &high) {
            0 => {}
            1 => {
                if test(&Root { chain: &chain, low, high }) {
                    return true;
                }
            }
            _ => {
                let middle = chain.split(&low, &high);
                open.push((low, middle.clone()));
                open.push((middle, high));
            }
        }
    }
    false
}

impl Polynomial {
    /// Coefficient by coefficient.
    fn zip(&self, other: &Self, f: impl Fn(BigInt, BigInt) -> BigInt) -> Self {
        let at = |p: &Self, i: usize| p.0.get(i).cloned().unwrap_or_default();
        let length = self.0.len().max(other.0.len());
        Self((0..length).map(|i| f(at(self, i), at(other, i))).collect()).trimmed()
    }
}

impl Add for &Polynomial {
    type Output = Polynomial;
    fn add(self, other: Self) -> Polynomial {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;
    fn sub(self, other: Self) -> Polynomial {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;
    fn mul(self, other: Self) -> Polynomial {
        if self.is_zero() || other.is_zero() {
            return Polynomial::zero();
        }
        let mut product = vec![BigInt::ZERO; self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Polynomial(product)
    }
}
