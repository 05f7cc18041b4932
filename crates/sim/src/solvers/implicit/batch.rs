//! Elements of one type: energies, gradients and Hessians computed once an element, then
//! gathered by each particle in a fixed order.

use glam::{DMat3, DVec3};

use super::matrix::{Pattern, RowsMut};
use crate::incidence::Incidence;
use crate::parallel::for_each_part;

/// An element of `C` corners as Newton's method sees it.
pub(super) trait Element<const C: usize>: Copy + Send + Sync {
    /// What of the start of a stage its damping refers to.
    type Lag: Copy + Default + Send + Sync;
    /// Its first and second derivatives, in as few numbers as hold them.
    type Slopes: Copy + Default + Send + Sync;

    /// Its particles.
    fn corners(&self) -> [u32; C];
    /// The shape at the start of a stage.
    fn lag(&self, base: [DVec3; C]) -> Self::Lag;
    /// Elastic energy and dissipation potential; `rate` is 1/τ, or 0 without dissipation. [J]
    fn energy(&self, lag: &Self::Lag, x: [DVec3; C], rate: f64) -> f64;
    /// The derivatives of that.
    fn slopes(&self, lag: &Self::Lag, x: [DVec3; C], rate: f64) -> Self::Slopes;
    /// ∂/∂x of one corner. [N]
    fn gradient(&self, slopes: &Self::Slopes, corner: usize) -> DVec3;
    /// ∂²/∂x∂x of two corners, the whole being positive semidefinite. [N/m]
    fn block(&self, slopes: &Self::Slopes, row: usize, column: usize) -> DMat3;
}

/// All elements of one type, with room for what they compute.
#[derive(Debug)]
pub(super) struct Batch<T: Element<C>, const C: usize> {
    pub elements: Vec<T>,
    incidence: Incidence,
    /// Where each pair of corners stands among the matrix's blocks.
    places: Vec<[[u32; C]; C]>,
    lags: Vec<T::Lag>,
    slopes: Vec<T::Slopes>,
    energies: Vec<f64>,
}

impl<T: Element<C>, const C: usize> Batch<T, C> {
    pub fn new(particles: usize, elements: Vec<T>) -> Self {
        let corners: Vec<[u32; C]> = elements.iter().map(|e| e.corners()).collect();
        let count = elements.len();
        Self {
            incidence: Incidence::new(particles, &corners),
            places: Vec::new(),
            lags: vec![T::Lag::default(); count],
            slopes: vec![T::Slopes::default(); count],
            energies: vec![0.0; count],
            elements,
        }
    }

    /// Calls `join(i, j)` for all pairs of particles that an element joins.
    pub fn for_each_pair(&self, mut join: impl FnMut(u32, u32)) {
        for corners in self.elements.iter().map(|e| e.corners()) {
            corners.iter().for_each(|&a| corners.iter().for_each(|&b| join(a, b)));
        }
    }

    /// Finds its places in the matrix, once.
    pub fn settle(&mut self, pattern: &Pattern) {
        let places = self.elements.iter().map(|e| {
            let corners = e.corners();
            corners.map(|a| corners.map(|b| pattern.place(a, b)))
        });
        self.places = places.collect();
    }

    /// A stage begins at `base`.
    pub fn begin(&mut self, base: &[DVec3]) {
        let parts = (self.elements.as_slice(), self.lags.as_mut_slice());
        for_each_part(parts, 1, &|_, (elements, lags): (&[T], &mut [T::Lag])| {
            for (element, lag) in elements.iter().zip(lags) {
                *lag = element.lag(element.corners().map(|c| base[c as usize]));
            }
        });
    }

    /// The sum of all energies at `x`, in element order. [J]
    pub fn energy(&mut self, x: &[DVec3], rate: f64) -> f64 {
        let parts = (self.elements.as_slice(), self.lags.as_slice(), &mut self.energies[..]);
        for_each_part(parts, 1, &|_, (elements, lags, out): (&[T], &[T::Lag], &mut [f64])| {
            for ((element, lag), out) in elements.iter().zip(lags).zip(out) {
                *out = element.energy(lag, element.corners().map(|c| x[c as usize]), rate);
            }
        });
        self.energies.iter().sum()
    }

    /// Computes all derivatives at `x`.
    pub fn differentiate(&mut self, x: &[DVec3], rate: f64) {
        let parts = (self.elements.as_slice(), self.lags.as_slice(), &mut self.slopes[..]);
        for_each_part(parts, 1, &|_, part: (&[T], &[T::Lag], &mut [T::Slopes])| {
            for ((element, lag), out) in part.0.iter().zip(part.1).zip(part.2) {
                *out = element.slopes(lag, element.corners().map(|c| x[c as usize]), rate);
            }
        });
    }

    /// Adds each particle's share of the gradient.
    pub fn add_gradient(&self, gradient: &mut [DVec3]) {
        if self.elements.is_empty() {
            return;
        }
        for_each_part(gradient, 1, &|first, gradient: &mut [DVec3]| {
            for (i, sum) in gradient.iter_mut().enumerate() {
                for &entry in self.incidence.of(first + i) {
                    let (element, corner) = (entry as usize / C, entry as usize % C);
                    *sum += self.elements[element].gradient(&self.slopes[element], corner);
                }
            }
        });
    }

    /// Adds each particle's rows of the Hessian.
    pub fn add_hessian(&self, rows: RowsMut<'_>) {
        if self.elements.is_empty() {
            return;
        }
        for_each_part(rows, 1, &|first, mut rows: RowsMut<'_>| {
            for row in first..first + rows.count() {
                for &entry in self.incidence.of(row) {
                    let (element, corner) = (entry as usize / C, entry as usize % C);
                    let (own, slopes) = (&self.elements[element], &self.slopes[element]);
                    for (column, &place) in self.places[element][corner].iter().enumerate() {
                        rows.add(place, own.block(slopes, corner, column));
                    }
                }
            }
        });
    }
}
