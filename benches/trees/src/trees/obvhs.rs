//! `obvhs::bvh2::Bvh2`: its fast build with one box a leaf, which queries about boxes need.

use std::time::Duration;

use obvhs::BvhBuildParams;
use obvhs::aabb::Aabb as ObvhsAabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2;
use obvhs::ray::{Ray as ObvhsRay, RayHit};
use tkanina_sim::aabb::Aabb;

use super::{Tree, pairs_one_by_one};
use crate::boxes::Ray;

pub struct Obvhs {
    tree: Bvh2,
    boxes: Vec<Aabb>,
}

fn convert(b: &Aabb) -> ObvhsAabb {
    ObvhsAabb { min: b.min.to_array().into(), max: b.max.to_array().into() }
}

impl Tree for Obvhs {
    const NAME: &'static str = "obvhs";

    fn build(boxes: &[Aabb]) -> Self {
        let leaves: Vec<ObvhsAabb> = boxes.iter().map(convert).collect();
        let config = BvhBuildParams { max_prims_per_leaf: 1, ..BvhBuildParams::fast_build() };
        let tree = build_bvh2(&leaves, config, &mut Duration::default());
        Self { tree, boxes: boxes.to_vec() }
    }

    fn update(&mut self, boxes: &[Aabb]) {
        for node in self.tree.nodes.iter_mut().filter(|n| n.is_leaf()) {
            let item = self.tree.primitive_indices[node.first_index as usize];
            node.set_aabb(convert(&boxes[item as usize]));
        }
        self.tree.refit_all();
        self.boxes.copy_from_slice(boxes);
    }

    fn pairs(&mut self, boxes: &[Aabb]) -> usize {
        pairs_one_by_one(self, boxes)
    }

    fn nearest(&self, ray: &Ray) -> Option<f32> {
        let (origin, direction) = (ray.origin.to_array().into(), ray.direction.to_array().into());
        let mut hit = RayHit::none();
        let found =
            self.tree.ray_traverse(ObvhsRay::new_inf(origin, direction), &mut hit, |_, at| {
                let item = self.tree.primitive_indices[at] as usize;
                self.boxes[item].ray(ray.origin, ray.direction, f32::MAX).unwrap_or(f32::INFINITY)
            });
        found.then_some(hit.t)
    }

    fn meeting(&self, bounds: &Aabb) -> usize {
        let mut count = 0;
        self.tree.aabb_traverse(convert(bounds), |_, _| {
            count += 1;
            true
        });
        count
    }
}
