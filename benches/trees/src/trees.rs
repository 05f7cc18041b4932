//! The trees, each behind the same five kinds of work.

pub mod bvh;
pub mod obvhs;
pub mod ours;
pub mod parry;

use tkanina_sim::aabb::Aabb;

use crate::boxes::Ray;

/// What is timed, in the order of [`crate::Timed`].
pub const WORK: [&str; 5] = ["build", "update", "all pairs", "10⁴ rays", "10⁴ boxes"];

/// A tree over boxes, whose numbers are the items. It does everything the way its crate is
/// meant to be used on one thread, and keeps a box exactly as it is told.
pub trait Tree {
    const NAME: &'static str;

    fn build(boxes: &[Aabb]) -> Self;

    /// All boxes have moved a little.
    fn update(&mut self, boxes: &[Aabb]);

    /// Number of pairs of boxes that meet, each counted once.
    fn pairs(&mut self, boxes: &[Aabb]) -> usize;

    /// Where a ray first meets a box: the surface is the box itself.
    fn nearest(&self, ray: &Ray) -> Option<f32>;

    /// Number of boxes that meet one.
    fn meeting(&self, bounds: &Aabb) -> usize;
}

/// Pairs of a tree that has no query of its own for them: each box against the tree finds all
/// pairs twice, and itself.
fn pairs_one_by_one(tree: &impl Tree, boxes: &[Aabb]) -> usize {
    let found: usize = boxes.iter().map(|b| tree.meeting(b)).sum();
    (found - boxes.len()) / 2
}
