//! Strands that would start in something.

use glam::{DVec3, Vec3};
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::colliders::{Aabb, Collider, ColliderShape, Shape};
use tkanina_sim::motion::Pose;

/// Times that the direction of an edge is turned: one will do over a plane.
const TURNS: usize = 8;

/// What a point may lack of its distance. [m]
const ENOUGH: f64 = 1e-6;

/// Colliders as they stand at the start, and how far strands start outside them.
pub(super) struct Obstacles<'a> {
    solids: Vec<Solid<'a>>,
    /// [m]
    clearance: f64,
}

/// A collider with an inside, its pose, and how far it is felt in its own frame.
struct Solid<'a> {
    shape: &'a ColliderShape,
    pose: Pose,
    reach: Aabb,
}

/// The same strand laid over what it would start in: from the first free point on edges are turned, each
/// as little as it takes, until they end outside. One that starts in nothing stays as it is.
pub(super) fn clear(points: Vec<Vec3>, first_free: usize, obstacles: &Obstacles<'_>) -> Vec<Vec3> {
    let first = first_free.max(1);
    let is_in = |&p: &Vec3| obstacles.outside(p).is_some_and(|(off, _)| off < 0.0);
    if !points.iter().skip(first).any(is_in) {
        return points;
    }
    let mut at = points[first - 1].as_dvec3();
    let mut laid = points[..first].to_vec();
    for pair in points[first - 1..].windows(2) {
        let way = pair[1].as_dvec3() - pair[0].as_dvec3();
        let edge = way.length();
        at += obstacles.turned_out(at, way.normalize_or_zero(), edge) * edge;
        laid.push(at.as_vec3());
    }
    laid
}

impl<'a> Obstacles<'a> {
    /// Those that are built already. One made of triangles has no inside.
    pub fn around(builder: &'a ModelBuilder, clearance: f64) -> Self {
        let colliders = (0..).map_while(|index| builder.collider(index));
        let solid = |collider: &'a Collider| {
            let shape = &collider.shape;
            let reach = shape.aabb().grown(clearance as f32);
            let pose = collider.pose_at(0.0);
            (!matches!(shape, ColliderShape::Mesh(_))).then_some(Solid { shape, pose, reach })
        };
        Self { solids: colliders.filter_map(solid).collect(), clearance }
    }

    /// Distance from the nearest of those that a place may be too near to, negative inside [m], and the
    /// way out of it.
    fn outside(&self, place: Vec3) -> Option<(f32, Vec3)> {
        let outside = |Solid { shape, pose, reach }: &Solid<'_>| {
            let local = pose.local_point(place);
            let near = local.cmpge(reach.min).all() && local.cmple(reach.max).all();
            near.then(|| {
                let closest = shape.closest(local);
                (closest.distance, pose.vector(closest.normal))
            })
        };
        self.solids.iter().filter_map(outside).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The direction d nearest to that of an edge from a for which n·(a + e d) is enough:
    /// d = s n + √(1 − s²) t.
    fn turned_out(&self, at: DVec3, mut along: DVec3, edge: f64) -> DVec3 {
        for _ in 0..TURNS {
            let Some((off, out)) = self.outside((at + along * edge).as_vec3()) else { break };
            let (lack, out) = (self.clearance - f64::from(off), out.as_dvec3());
            if !(lack > ENOUGH) || !(edge > 0.0) {
                break;
            }
            let out = out.normalize_or(DVec3::Y);
            let sine = along.dot(out);
            let across = (along - out * sine).normalize_or(out.any_orthonormal_vector());
            let sine = (sine + lack / edge).min(1.0);
            along = out * sine + across * (1.0 - sine * sine).max(0.0).sqrt();
        }
        along
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tkanina_sim::colliders::{ColliderPlane, ColliderSphere};

    const EDGE: f32 = 0.005;
    const CLEARANCE: f64 = 6e-4;

    fn straight(from: Vec3, along: Vec3) -> Vec<Vec3> {
        (0..8).map(|i| from + along.normalize() * (EDGE * i as f32)).collect()
    }

    fn over(shape: ColliderShape) -> ModelBuilder {
        let mut builder = ModelBuilder::new(Vec3::ZERO);
        builder.add_collider(Collider::new("it", shape, Pose::IDENTITY));
        builder
    }

    fn keeps_its_edges(points: &[Vec3]) {
        for pair in points.windows(2) {
            assert!((pair[0].distance(pair[1]) / EDGE - 1.0).abs() < 1e-4, "{pair:?}");
        }
    }

    #[test]
    fn a_strand_that_would_grow_into_the_floor_lies_on_it() {
        let builder = over(ColliderShape::Plane(ColliderPlane));
        let floor = Obstacles::around(&builder, CLEARANCE);
        // Straight down, too: it has to give way to some side.
        for along in [Vec3::new(0.3, -1.0, 0.1), Vec3::NEG_Y] {
            let grown = straight(Vec3::Y * 0.0285, along);
            assert!(grown[7].y < -0.004);
            let laid = clear(grown.clone(), 2, &floor);
            keeps_its_edges(&laid);
            assert_eq!(laid[..6], grown[..6], "what is above stays");
            assert!((laid[7].y - 6e-4).abs() < 1e-5, "{}", laid[7]);
        }
    }

    #[test]
    fn a_strand_in_nothing_and_what_is_held_stay() {
        let builder = over(ColliderShape::Plane(ColliderPlane));
        let floor = Obstacles::around(&builder, CLEARANCE);
        let near = straight(Vec3::Y * 1e-4, Vec3::X);
        assert_eq!(clear(near.clone(), 2, &floor), near);
        let up = straight(Vec3::Y * -1e-3, Vec3::Y);
        assert_eq!(clear(up.clone(), 2, &floor), up);
    }

    #[test]
    fn a_strand_that_would_grow_into_a_ball_goes_round_it() {
        let builder = over(ColliderShape::Sphere(ColliderSphere { radius: 0.02 }));
        let ball = Obstacles::around(&builder, CLEARANCE);
        let laid = clear(straight(Vec3::new(0.001, 0.03, 0.0), Vec3::NEG_Y), 2, &ball);
        keeps_its_edges(&laid);
        for p in &laid[2..] {
            assert!(p.length() > 0.02 + 5e-4, "{p}");
        }
        assert!(laid[7].x > 0.015, "to the side to which it leant: {}", laid[7]);
    }
}
