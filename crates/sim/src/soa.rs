//! Structure-of-arrays storage for three-dimensional quantities.

use std::ops::Range;

use glam::Vec3;

use crate::parallel::{Split, for_each_part};

/// N vectors as three coordinate arrays of equal length, the layout that
/// vectorised kernels read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Soa3 {
    /// First coordinates.
    pub x: Vec<f32>,
    /// Second coordinates.
    pub y: Vec<f32>,
    /// Third coordinates.
    pub z: Vec<f32>,
}

impl Soa3 {
    /// `len` zero vectors.
    pub fn zeros(len: usize) -> Self {
        Self { x: vec![0.0; len], y: vec![0.0; len], z: vec![0.0; len] }
    }

    /// One entry per point, in order.
    pub fn from_points(points: &[Vec3]) -> Self {
        Self {
            x: points.iter().map(|p| p.x).collect(),
            y: points.iter().map(|p| p.y).collect(),
            z: points.iter().map(|p| p.z).collect(),
        }
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// The vector at `i`.
    #[inline]
    pub fn get(&self, i: usize) -> Vec3 {
        Vec3::new(self.x[i], self.y[i], self.z[i])
    }

    /// Replaces the vector at `i`.
    #[inline]
    pub fn set(&mut self, i: usize, value: Vec3) {
        self.x[i] = value.x;
        self.y[i] = value.y;
        self.z[i] = value.z;
    }

    /// Adds to the vector at `i`.
    #[inline]
    pub fn add(&mut self, i: usize, value: Vec3) {
        self.x[i] += value.x;
        self.y[i] += value.y;
        self.z[i] += value.z;
    }

    /// Appends one vector.
    pub fn push(&mut self, value: Vec3) {
        self.x.push(value.x);
        self.y.push(value.y);
        self.z.push(value.z);
    }

    /// Sets every entry to `value`.
    pub fn fill(&mut self, value: Vec3) {
        self.x.fill(value.x);
        self.y.fill(value.y);
        self.z.fill(value.z);
    }

    /// Copies `other`, which has the same length; a thread of a pool has the others help.
    pub fn copy_from(&mut self, other: &Soa3) {
        let copy = |_, (mut to, from): (Soa3Mut<'_>, Soa3Ref<'_>)| to.copy_from(from);
        let views = (self.view_mut(), other.view());
        if rayon::current_thread_index().is_some() {
            for_each_part(views, 1024, &copy);
        } else {
            copy(0, views);
        }
    }

    /// All vectors in order.
    pub fn iter(&self) -> impl Iterator<Item = Vec3> + '_ {
        (0..self.len()).map(|i| self.get(i))
    }

    /// A shared view of a range.
    #[inline]
    pub fn slice(&self, range: Range<usize>) -> Soa3Ref<'_> {
        Soa3Ref { x: &self.x[range.clone()], y: &self.y[range.clone()], z: &self.z[range] }
    }

    /// An exclusive view of a range.
    #[inline]
    pub fn slice_mut(&mut self, range: Range<usize>) -> Soa3Mut<'_> {
        Soa3Mut {
            x: &mut self.x[range.clone()],
            y: &mut self.y[range.clone()],
            z: &mut self.z[range],
        }
    }

    /// A shared view of everything.
    #[inline]
    pub fn view(&self) -> Soa3Ref<'_> {
        self.slice(0..self.len())
    }

    /// An exclusive view of everything.
    #[inline]
    pub fn view_mut(&mut self) -> Soa3Mut<'_> {
        self.slice_mut(0..self.len())
    }
}

/// Shared view of consecutive vectors of a [`Soa3`].
#[derive(Clone, Copy, Debug)]
pub struct Soa3Ref<'a> {
    /// First coordinates.
    pub x: &'a [f32],
    /// Second coordinates.
    pub y: &'a [f32],
    /// Third coordinates.
    pub z: &'a [f32],
}

impl<'a> Soa3Ref<'a> {
    /// A part of the view.
    #[inline]
    pub fn slice(&self, range: Range<usize>) -> Soa3Ref<'a> {
        Soa3Ref { x: &self.x[range.clone()], y: &self.y[range.clone()], z: &self.z[range] }
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// The vector at `i` of the view.
    #[inline]
    pub fn get(&self, i: usize) -> Vec3 {
        Vec3::new(self.x[i], self.y[i], self.z[i])
    }
}

/// Exclusive view of consecutive vectors of a [`Soa3`].
#[derive(Debug)]
pub struct Soa3Mut<'a> {
    /// First coordinates.
    pub x: &'a mut [f32],
    /// Second coordinates.
    pub y: &'a mut [f32],
    /// Third coordinates.
    pub z: &'a mut [f32],
}

impl Soa3Mut<'_> {
    /// Copies `other`, which has the same length.
    fn copy_from(&mut self, other: Soa3Ref<'_>) {
        self.x.copy_from_slice(other.x);
        self.y.copy_from_slice(other.y);
        self.z.copy_from_slice(other.z);
    }

    /// A part of the view, for reading.
    #[inline]
    pub fn slice(&self, range: Range<usize>) -> Soa3Ref<'_> {
        Soa3Ref { x: &self.x[range.clone()], y: &self.y[range.clone()], z: &self.z[range] }
    }

    /// A part of the view.
    #[inline]
    pub fn slice_mut(&mut self, range: Range<usize>) -> Soa3Mut<'_> {
        Soa3Mut {
            x: &mut self.x[range.clone()],
            y: &mut self.y[range.clone()],
            z: &mut self.z[range],
        }
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// The vector at `i` of the view.
    #[inline]
    pub fn get(&self, i: usize) -> Vec3 {
        Vec3::new(self.x[i], self.y[i], self.z[i])
    }

    /// Replaces the vector at `i` of the view.
    #[inline]
    pub fn set(&mut self, i: usize, value: Vec3) {
        self.x[i] = value.x;
        self.y[i] = value.y;
        self.z[i] = value.z;
    }

    /// Adds to the vector at `i` of the view.
    #[inline]
    pub fn add(&mut self, i: usize, value: Vec3) {
        self.x[i] += value.x;
        self.y[i] += value.y;
        self.z[i] += value.z;
    }
}

impl Split for Soa3Ref<'_> {
    fn len(&self) -> usize {
        self.x.len()
    }

    fn split(self, mid: usize) -> (Self, Self) {
        let (x0, x1) = self.x.split_at(mid);
        let (y0, y1) = self.y.split_at(mid);
        let (z0, z1) = self.z.split_at(mid);
        (Self { x: x0, y: y0, z: z0 }, Self { x: x1, y: y1, z: z1 })
    }
}

impl Split for Soa3Mut<'_> {
    fn len(&self) -> usize {
        self.x.len()
    }

    fn split(self, mid: usize) -> (Self, Self) {
        let (x0, x1) = self.x.split_at_mut(mid);
        let (y0, y1) = self.y.split_at_mut(mid);
        let (z0, z1) = self.z.split_at_mut(mid);
        (Self { x: x0, y: y0, z: z0 }, Self { x: x1, y: y1, z: z1 })
    }
}
