//! `bvh::bvh::Bvh`. It has no refit. Its `update_shapes`, which takes boxes out and puts them
//! back, made trees here that are deeper than the 32 levels its iterators have room for, and they
//! panicked: an update is a build.

use bvh::aabb::{Aabb as BvhAabb, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::bvh::Bvh;
use nalgebra::{Point3, Vector3};
use tkanina_sim::aabb::Aabb;

use super::{Tree, pairs_one_by_one};
use crate::boxes::Ray;

pub struct Svenstaro {
    tree: Bvh<f32, 3>,
    shapes: Vec<Shape>,
}

struct Shape {
    bounds: BvhAabb<f32, 3>,
    ours: Aabb,
    node: usize,
}

impl Bounded<f32, 3> for Shape {
    fn aabb(&self) -> BvhAabb<f32, 3> {
        self.bounds
    }
}

impl BHShape<f32, 3> for Shape {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

fn convert(b: &Aabb) -> BvhAabb<f32, 3> {
    BvhAabb::with_bounds(Point3::from(b.min.to_array()), Point3::from(b.max.to_array()))
}

impl Tree for Svenstaro {
    const NAME: &'static str = "bvh";

    fn build(boxes: &[Aabb]) -> Self {
        let shape = |b: &Aabb| Shape { bounds: convert(b), ours: *b, node: 0 };
        let mut shapes: Vec<Shape> = boxes.iter().map(shape).collect();
        Self { tree: Bvh::build(&mut shapes), shapes }
    }

    fn update(&mut self, boxes: &[Aabb]) {
        for (shape, bounds) in self.shapes.iter_mut().zip(boxes) {
            (shape.bounds, shape.ours) = (convert(bounds), *bounds);
        }
        self.tree = Bvh::build(&mut self.shapes);
    }

    fn pairs(&mut self, boxes: &[Aabb]) -> usize {
        pairs_one_by_one(self, boxes)
    }

    fn nearest(&self, ray: &Ray) -> Option<f32> {
        let origin = Point3::from(ray.origin.to_array());
        let cast = bvh::ray::Ray::new(origin, Vector3::from(ray.direction.to_array()));
        // It goes by where boxes are entered, and boxes are all there is: the first is nearest.
        let hit = |shape: &Shape| shape.ours.ray(ray.origin, ray.direction, f32::MAX);
        self.tree.nearest_traverse_iterator(&cast, &self.shapes).find_map(hit)
    }

    fn meeting(&self, bounds: &Aabb) -> usize {
        self.tree.traverse_iterator(&convert(bounds), &self.shapes).count()
    }
}
