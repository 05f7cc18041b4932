//! `parry3d::partitioning::Bvh`.

use parry3d::bounding_volume::Aabb as ParryAabb;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use tkanina_sim::aabb::Aabb;

use super::Tree;
use crate::boxes::Ray;

pub struct Parry {
    tree: Bvh,
    boxes: Vec<Aabb>,
    workspace: BvhWorkspace,
}

fn convert(b: &Aabb) -> ParryAabb {
    ParryAabb::new(Vector::from(b.min.to_array()), Vector::from(b.max.to_array()))
}

impl Tree for Parry {
    const NAME: &'static str = "parry3d";

    fn build(boxes: &[Aabb]) -> Self {
        let leaves = boxes.iter().map(convert).enumerate();
        let tree = Bvh::from_iter(BvhBuildStrategy::Binned, leaves);
        Self { tree, boxes: boxes.to_vec(), workspace: BvhWorkspace::default() }
    }

    fn update(&mut self, boxes: &[Aabb]) {
        for (item, bounds) in (0..).zip(boxes) {
            self.tree.insert_or_update_partially(convert(bounds), item, 0.0);
        }
        self.tree.refit_without_opt();
        self.boxes.copy_from_slice(boxes);
    }

    fn pairs(&mut self, _: &[Aabb]) -> usize {
        let mut count = 0;
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |_, _| count += 1);
        count
    }

    fn nearest(&self, ray: &Ray) -> Option<f32> {
        let hit = |item: u32, _| self.boxes[item as usize].ray(ray.origin, ray.direction, f32::MAX);
        let cast = parry3d::query::Ray::new(
            Vector::from(ray.origin.to_array()),
            Vector::from(ray.direction.to_array()),
        );
        self.tree.cast_ray(&cast, f32::MAX, hit).map(|(_, t)| t)
    }

    fn meeting(&self, bounds: &Aabb) -> usize {
        self.tree.intersect_aabb(&convert(bounds)).count()
    }
}
