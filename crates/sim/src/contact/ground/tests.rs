use glam::Quat;

use super::*;
use crate::colliders::{ColliderBox, ColliderPlane, ColliderSphere};
use crate::motion::Pose;

/// Where a particle of some weight ends that contact moves past a collider at a pose.
fn ends(shape: ColliderShape, pose: Pose, weight: f32, [from, to]: [Vec3; 2]) -> Vec3 {
    let steps = vec![ColliderStep::new(&shape, pose, pose, 0.002)];
    let ground = Ground { shapes: vec![shape], steps };
    let [before, mut y] = [from, to].map(|p| [[p.x, p.y, p.z, 0.0]]);
    ground.hold_off(&[weight], &before, &mut y);
    place(&y[0])
}

#[test]
fn what_is_pressed_into_a_floor_stays_on_it_and_else_goes_where_it_is_pushed() {
    let floor = || ColliderShape::Plane(ColliderPlane);
    let end = |weight, from, to| ends(floor(), Pose::IDENTITY, weight, [from, to]);
    let at = |y: f32| Vec3::new(0.1, y, -0.2);
    assert_eq!(end(1.0, at(0.002), Vec3::new(0.3, -0.001, 0.1)), Vec3::new(0.3, 0.0, 0.1));
    assert_eq!(end(1.0, at(0.002), at(0.001)), at(0.001), "contact may use the distance up");
    assert_eq!(end(0.0, at(0.002), at(-0.001)), at(-0.001), "what is held goes where it is led");
    let overlap = end(1.0, at(-0.001), at(-0.003));
    assert!((overlap - at(-0.001)).length() < 1e-8, "as deep as before: {overlap}");
    assert_eq!(end(1.0, at(-0.003), at(-0.001)), at(-0.001), "the way out is free");
}

#[test]
fn what_is_pressed_into_a_ball_or_a_turned_plate_stays_on_the_side_that_it_came_from() {
    let ball = ColliderShape::Sphere(ColliderSphere { radius: 0.1 });
    let up = Vec3::new(0.6, 0.8, 0.0);
    let end = ends(ball, Pose::at(Vec3::X), 1.0, [Vec3::X + up * 0.102, Vec3::X + up * 0.095]);
    assert!((end - (Vec3::X + up * 0.1)).length() < 1e-6, "{end}");
    // Of one millimetre, and pushed through by three.
    let plate = ColliderShape::Box(ColliderBox { half_size: Vec3::new(0.1, 5e-4, 0.1) });
    let pose = Pose { position: Vec3::Y, rotation: Quat::from_rotation_z(0.5) };
    let path = [Vec3::new(0.01, 0.001, 0.02), Vec3::new(0.011, -0.003, 0.02)];
    let end = pose.local_point(ends(plate, pose, 1.0, path.map(|p| pose.point(p))));
    assert!((end - Vec3::new(0.011, 5e-4, 0.02)).length() < 1e-6, "{end}");
}
