//! How far things reach.

use glam::Vec3;
use tkanina_sim::colliders::{Aabb, Shape};
use tkanina_sim::world::World;

/// Obstacles that are larger than this many times the bodies are ground rather than things.
const GROUND: f32 = 2.0;

/// Least and greatest corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least corner. [m]
    pub low: Vec3,
    /// Greatest corner. [m]
    pub high: Vec3,
}

impl Bounds {
    /// Of nothing.
    const NONE: Self = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };

    /// Of the bodies, and of the obstacles and the scenery that are not much larger than they.
    pub fn of(world: &World, scenery: Self) -> Self {
        let bodies = Self::of_points(world.state().x.iter());
        let mut all = bodies;
        let colliders = 0..world.model().colliders.len();
        let colliders = colliders.filter_map(|index| Self::of_collider(world, index));
        for bounds in colliders.chain((!scenery.is_none()).then_some(scenery)) {
            if bodies.is_none() || bounds.diagonal() <= GROUND * bodies.diagonal() {
                all.include(bounds.low);
                all.include(bounds.high);
            }
        }
        if all.is_none() { Self { low: Vec3::NEG_ONE, high: Vec3::ONE } } else { all }
    }

    /// Of points, without those that are nowhere.
    pub fn of_points(points: impl Iterator<Item = Vec3>) -> Self {
        let mut bounds = Self::NONE;
        points.filter(|point| point.is_finite()).for_each(|point| bounds.include(point));
        bounds
    }

    /// Of a collider where it is now; none if it has no bounds.
    pub fn of_collider(world: &World, index: usize) -> Option<Self> {
        let collider = &world.model().colliders[index];
        let pose = world.collider_pose(index);
        let Aabb { min, max } = collider.shape.aabb();
        let finite = min.is_finite() && max.is_finite();
        let corners = (0..8).map(|i| {
            let pick = |axis: usize| if i >> axis & 1 == 0 { min[axis] } else { max[axis] };
            pose.point(Vec3::new(pick(0), pick(1), pick(2)))
        });
        finite.then(|| Self::of_points(corners))
    }

    /// Length from corner to corner. [m]
    pub fn diagonal(&self) -> f32 {
        (self.high - self.low).length()
    }

    /// The middle. [m]
    pub fn middle(&self) -> Vec3 {
        0.5 * (self.low + self.high)
    }

    /// Both corners.
    pub fn corners(&self) -> [Vec3; 2] {
        [self.low, self.high]
    }

    /// Whether they are those of nothing.
    pub fn is_none(&self) -> bool {
        !self.low.cmple(self.high).all()
    }

    fn include(&mut self, point: Vec3) {
        self.low = self.low.min(point);
        self.high = self.high.max(point);
    }
}
