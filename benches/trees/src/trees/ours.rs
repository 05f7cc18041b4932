//! `tkanina_sim::contact::AabbTree`.

use tkanina_sim::aabb::Aabb;
use tkanina_sim::contact::AabbTree;

use super::Tree;
use crate::boxes::Ray;

pub struct Ours {
    tree: AabbTree,
    boxes: Vec<Aabb>,
}

impl Tree for Ours {
    const NAME: &'static str = "ours";

    fn build(boxes: &[Aabb]) -> Self {
        Self { tree: AabbTree::of(boxes, 0.0), boxes: boxes.to_vec() }
    }

    fn update(&mut self, boxes: &[Aabb]) {
        self.tree.refit(|item| boxes[item as usize]);
        self.boxes.copy_from_slice(boxes);
    }

    fn pairs(&mut self, _: &[Aabb]) -> usize {
        let mut count = 0;
        self.tree.pairs(|_, _| count += 1);
        count
    }

    fn nearest(&self, ray: &Ray) -> Option<f32> {
        let hit = |item: u32| self.boxes[item as usize].ray(ray.origin, ray.direction, f32::MAX);
        self.tree.ray((ray.origin, ray.direction), f32::MAX, hit).map(|(_, t)| t)
    }

    fn meeting(&self, bounds: &Aabb) -> usize {
        let mut count = 0;
        self.tree.meeting(bounds, |_| count += 1);
        count
    }
}
