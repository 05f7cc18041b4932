//! Strands that are shown between those that are simulated.

use std::ops::{Add, Mul};

use glam::{Mat3, Vec3};

use super::{Followers, Strand, perpendicular};
use crate::soa::Soa3;

impl Followers {
    /// How many there are.
    pub fn len(&self) -> usize {
        let parts = [self.weights.len(), self.offsets.len(), self.lengths.len()];
        parts.into_iter().fold(self.guides.len(), usize::min)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Points of one follower: as many as its first guide has. None if a guide is none of
    /// `strands`.
    pub fn count(&self, follower: usize, strands: &[Strand]) -> usize {
        let guides = self.guides[follower];
        let known = guides.iter().all(|&guide| (guide as usize) < strands.len());
        if known { strands[guides[0] as usize].count as usize } else { 0 }
    }

    /// x(s) = r + Σ wᵢ (xᵢ(s λ) − xᵢ(0)): a follower has the mean shape of its guides, cut at its
    /// part λ of their length, from its own root r, which moves with the first guide's root frame
    /// (director, tangent × director, tangent). Appends its points. [m]
    pub fn points(
        &self,
        follower: usize,
        strands: &[Strand],
        (x, directors): (&Soa3, &Soa3),
        points: &mut Vec<Vec3>,
    ) {
        let count = self.count(follower, strands);
        if count == 0 {
            return;
        }
        let first = &strands[self.guides[follower][0] as usize];
        let at = first.first as usize;
        let (root, next) = (x.get(at), x.get((at + 1).min(first.particles().end - 1)));
        let tangent = (next - root).try_normalize().unwrap_or(Vec3::Y);
        let director = if at < directors.len() { directors.get(at) } else { Vec3::ZERO };
        let own = root + frame(tangent, director) * self.offsets[follower];
        let roots = self.sum(follower, strands, |particle| x.get(particle), 0.0);
        for k in 0..count {
            let share = k as f32 / (count - 1).max(1) as f32;
            let shape = self.sum(follower, strands, |particle| x.get(particle), share);
            points.push(own + (shape - roots));
        }
    }

    /// v(s) = Σ wᵢ vᵢ(s λ): a quantity of the guides' particles over a follower. Appends a number a
    /// point.
    pub fn values(&self, follower: usize, strands: &[Strand], of: &[f32], values: &mut Vec<f32>) {
        let count = self.count(follower, strands);
        for k in 0..count {
            let share = k as f32 / (count - 1).max(1) as f32;
            values.push(self.sum(follower, strands, |particle| of[particle], share));
        }
    }

    /// The weighted sum over a follower's guides at a share of its length.
    fn sum<T: Add<Output = T> + Mul<f32, Output = T> + Default>(
        &self,
        follower: usize,
        strands: &[Strand],
        of: impl Fn(usize) -> T,
        share: f32,
    ) -> T {
        let part = share * self.lengths[follower].clamp(0.0, 1.0);
        let guides = self.guides[follower].into_iter().zip(self.weights[follower]);
        guides.filter(|&(_, weight)| weight != 0.0).fold(T::default(), |sum, (guide, weight)| {
            let strand = &strands[guide as usize];
            let last = strand.count.saturating_sub(1) as usize;
            let at = part * last as f32;
            let i = (at as usize).min(last.saturating_sub(1));
            let t = at - i as f32;
            let first = strand.first as usize + i;
            let second = (first + 1).min(strand.first as usize + last);
            sum + of(first) * (weight * (1.0 - t)) + of(second) * (weight * t)
        })
    }
}

/// Director, tangent × director, tangent; the director made square to the tangent.
fn frame(tangent: Vec3, director: Vec3) -> Mat3 {
    let square = (director - tangent * director.dot(tangent)).try_normalize();
    let d = square.unwrap_or_else(|| perpendicular(tangent.as_dvec3()).as_vec3());
    Mat3::from_cols(d, tangent.cross(d), tangent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strands::{Root, RootPath};

    fn strand(first: u32, count: u32) -> Strand {
        let root = Root { path: RootPath::Fixed, clamped: false };
        Strand { first, count, edge: 1.0, root, root_pose: crate::motion::Pose::IDENTITY }
    }

    /// Two guides: straight up from the origin, and along x from (0, 0, 2).
    fn guides() -> (Vec<Strand>, Soa3, Soa3) {
        let up = (0..3).map(|k| Vec3::Y * k as f32);
        let aside = (0..3).map(|k| Vec3::new(k as f32, 0.0, 2.0));
        let points: Vec<Vec3> = up.chain(aside).collect();
        let directors = Soa3::from_points(&[Vec3::Z; 6]);
        (vec![strand(0, 3), strand(3, 3)], Soa3::from_points(&points), directors)
    }

    fn follower(weights: [f32; 3], offset: Vec3, length: f32) -> Followers {
        Followers {
            guides: vec![[0, 1, 0]],
            weights: vec![weights],
            offsets: vec![offset],
            lengths: vec![length],
        }
    }

    #[test]
    fn a_follower_of_one_guide_is_its_copy_at_its_own_root() {
        let (strands, x, directors) = guides();
        // Along the director z, along y × z = x, along the tangent y.
        let copy = follower([1.0, 0.0, 0.0], Vec3::new(0.5, 0.25, 0.125), 1.0);
        let mut points = Vec::new();
        copy.points(0, &strands, (&x, &directors), &mut points);
        let root = Vec3::new(0.25, 0.125, 0.5);
        assert_eq!(points, [root, root + Vec3::Y, root + 2.0 * Vec3::Y]);
    }

    #[test]
    fn a_follower_has_the_mean_shape_of_its_guides_and_its_part_of_their_length() {
        let (strands, x, directors) = guides();
        let mean = follower([0.25, 0.75, 0.0], Vec3::ZERO, 0.5);
        let mut points = Vec::new();
        mean.points(0, &strands, (&x, &directors), &mut points);
        assert_eq!(points[2], Vec3::new(0.75, 0.25, 0.0));
        assert_eq!(points[1], 0.5 * points[2]);
        let mut values = Vec::new();
        mean.values(0, &strands, &[0.0, 4.0, 8.0, 1.0, 1.0, 1.0], &mut values);
        assert_eq!(values, [0.75, 0.75 + 0.5, 0.75 + 1.0]);
    }

    #[test]
    fn a_follower_turns_with_the_root_of_its_guide() {
        let (strands, x, _) = guides();
        let turned = Soa3::from_points(&[Vec3::X; 6]);
        let beside = follower([1.0, 0.0, 0.0], Vec3::X, 1.0);
        let mut points = Vec::new();
        beside.points(0, &strands, (&x, &turned), &mut points);
        assert_eq!(points[0], Vec3::X);
        // Without directors it still has a place.
        beside.points(0, &strands, (&x, &Soa3::default()), &mut points);
        assert!((points[3].length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_guide_that_is_not_there_has_no_followers() {
        let (strands, x, directors) = guides();
        let lost = Followers { guides: vec![[7, 0, 0]], ..follower([1.0; 3], Vec3::ZERO, 1.0) };
        let mut points = Vec::new();
        lost.points(0, &strands, (&x, &directors), &mut points);
        assert!(points.is_empty());
    }
}
