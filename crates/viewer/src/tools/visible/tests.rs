use glam::{Quat, Vec2, Vec3};
use tkanina_scene::schema::Show;
use tkanina_sim::colliders::{
    Collider, ColliderBox, ColliderCapsule, ColliderPlane, ColliderShape, ColliderSphere,
};
use tkanina_sim::motion::Pose;
use tkanina_sim::rng::Rng;

use super::*;
use crate::snapshot::Snapshot;
use crate::tools::testing::{SIZE, ahead, cloth, context, curtain, snapshot, somewhere, wall};

fn hanging() -> Snapshot {
    let (points, triangles) = cloth(25, |u, v| {
        let fold = 0.15 * v * (14.0 * u + 2.0 * v).sin();
        Vec3::new(u - 0.5, 0.5 - v, fold)
    });
    snapshot(points, triangles, Vec::new())
}

/// A spiral of two and a half turns: layers behind layers.
fn rolled() -> Snapshot {
    let (points, triangles) = cloth(30, |u, v| {
        let (angle, radius) = (15.7 * u, 0.15 + 0.35 * u);
        Vec3::new(radius * angle.cos(), v - 0.5, radius * angle.sin())
    });
    snapshot(points, triangles, Vec::new())
}

fn among_obstacles() -> Snapshot {
    let (points, triangles) = cloth(28, |u, v| {
        let flat = Vec3::new(1.2 * u - 0.6, 0.0, 1.2 * v - 0.6);
        let height = (0.402f32.powi(2) - flat.length_squared()).max(0.0).sqrt();
        flat.with_y(height - 0.5 * (flat.length() - 0.4).max(0.0))
    });
    let pose = |position, rotation| Pose { position, rotation };
    let tilt = Quat::from_rotation_x(0.4) * Quat::from_rotation_z(0.7);
    let colliders = vec![
        Collider::new(
            "ball",
            ColliderShape::Sphere(ColliderSphere { radius: 0.4 }),
            Pose::at(Vec3::ZERO),
        ),
        Collider::new(
            "crate",
            ColliderShape::Box(ColliderBox { half_size: Vec3::new(0.1, 0.3, 0.2) }),
            pose(Vec3::new(0.7, 0.3, 0.4), tilt),
        ),
        Collider::new(
            "rod",
            ColliderShape::Capsule(ColliderCapsule { half_length: 0.4, radius: 0.08 }),
            pose(Vec3::new(-0.6, 0.4, 0.2), tilt),
        ),
        Collider::new("floor", ColliderShape::Plane(ColliderPlane), Pose::at(Vec3::Y * -3.5)),
    ];
    snapshot(points, triangles, colliders)
}

fn anywhere(rng: &mut Rng) -> Vec2 {
    Vec2::new(rng.unit() as f32, rng.unit() as f32)
}

#[test]
fn the_same_points_are_visible_as_by_the_reference() {
    let show = Show::default();
    let mut rng = Rng::new(11);
    let [mut seen, mut inside] = [0, 0];
    for world in [hanging(), rolled(), among_obstacles()] {
        for round in 0..40 {
            let camera = somewhere(&mut rng);
            let corner = anywhere(&mut rng) * SIZE;
            let other =
                if round % 4 == 0 { SIZE - corner } else { corner + anywhere(&mut rng) * 250.0 };
            let rectangle = [corner.min(other), corner.max(other)];
            let found = Sight::new(context(&world, &camera, &show), SIZE).visible_in(corner, other);
            let expected = reference::visible(&world, &camera, SIZE, rectangle);
            assert_eq!(found, expected, "{camera:?} {rectangle:?}");
            seen += found.len();
            inside += (0..world.positions.len())
                .filter(|&i| {
                    let place = camera.project(world.positions[i], SIZE).map(|p| p.0);
                    place
                        .is_some_and(|p| p.cmpge(rectangle[0]).all() && p.cmple(rectangle[1]).all())
                })
                .count();
        }
    }
    // The cases must hide a fair part and show a fair part, or they say nothing.
    assert!(seen * 10 > inside * 3 && seen * 10 < inside * 8, "{seen} of {inside}");
}

#[test]
fn a_camera_within_the_cloth_sees_as_the_reference() {
    let show = Show::default();
    let world = rolled();
    let mut rng = Rng::new(5);
    for _ in 0..20 {
        let mut camera = somewhere(&mut rng);
        camera.eye *= 0.1;
        let found = Sight::new(context(&world, &camera, &show), SIZE).visible_in(Vec2::ZERO, SIZE);
        let expected = reference::visible(&world, &camera, SIZE, [Vec2::ZERO, SIZE]);
        assert_eq!(found, expected, "{camera:?}");
    }
}

#[test]
fn what_is_not_shown_hides_nothing() {
    let world = rolled();
    let camera = ahead();
    let everything = Vec2::splat(-1e6);
    let show = Show { faces: false, ..Show::default() };
    let found =
        Sight::new(context(&world, &camera, &show), SIZE).visible_in(everything, -everything);
    assert_eq!(found.len(), world.positions.len());

    let world = among_obstacles();
    let count = |show: &Show| {
        Sight::new(context(&world, &camera, show), SIZE).visible_in(everything, -everything).len()
    };
    let bare = Show { colliders: false, faces: false, ..Show::default() };
    assert_eq!(count(&bare), world.positions.len());
    assert!(count(&Show { faces: false, ..Show::default() }) < world.positions.len());
}

#[test]
fn the_cursor_picks_the_corner_that_it_is_nearest_to() {
    let (world, camera, show) = (wall(11), ahead(), Show::default());
    let sight = Sight::new(context(&world, &camera, &show), SIZE);
    for particle in [0u32, 17, 60, 120] {
        let (place, depth) = camera.project(world.positions[particle as usize], SIZE).unwrap();
        // Towards the middle by less than half a square, so that the cursor is on the cloth.
        let towards = (SIZE * 0.5 - place).clamp_length_max(8.0);
        let pick = sight.pick(place + towards).unwrap();
        assert_eq!(pick.particle, particle);
        assert!((pick.depth - depth).abs() < 1e-5);
        // Beside the cloth, but near.
        if particle == 0 {
            assert_eq!(sight.pick(place - Vec2::splat(5.0)).unwrap().particle, 0);
        }
    }
    assert_eq!(sight.pick(Vec2::new(5.0, 5.0)), None);
    let middle = sight.surface(SIZE * 0.5).unwrap();
    assert!(middle.length() < 1e-5);
}

#[test]
fn an_obstacle_before_the_cloth_is_picked_in_its_place() {
    let (points, triangles) = cloth(11, |u, v| Vec3::new(u - 0.5, 0.5 - v, 0.0));
    let ball = |z| {
        let shape = ColliderShape::Sphere(ColliderSphere { radius: 0.2 });
        Collider::new("ball", shape, Pose::at(Vec3::Z * z))
    };
    let (camera, show) = (ahead(), Show::default());
    let before = snapshot(points.clone(), triangles.clone(), vec![ball(-0.6), ball(0.5)]);
    let sight = Sight::new(context(&before, &camera, &show), SIZE);
    assert_eq!(sight.pick(SIZE * 0.5), None);
    assert_eq!(sight.pick_collider(SIZE * 0.5), Some(1));
    assert!((sight.surface(SIZE * 0.5).unwrap() - Vec3::Z * 0.7).length() < 1e-5);
    let behind = snapshot(points, triangles, vec![ball(-0.6)]);
    let sight = Sight::new(context(&behind, &camera, &show), SIZE);
    assert_eq!(sight.pick(SIZE * 0.5).unwrap().particle, 60);
    assert_eq!(sight.pick_collider(SIZE * 0.5), Some(0));
    assert_eq!(sight.pick_collider(Vec2::ZERO), None);
}

#[test]
fn the_cursor_picks_the_nearer_node_of_the_strand_that_it_is_on() {
    let (mut world, camera, show) = (curtain(3, 5), ahead(), Show::default());
    let place = |world: &Snapshot, i: usize| camera.project(world.positions[i], SIZE).unwrap().0;
    let pick = |world: &Snapshot, at| Sight::new(context(world, &camera, &show), SIZE).pick(at);
    let [upper, lower] = [6, 7].map(|i| place(&world, i));
    assert!(upper.distance(lower) > 60.0, "nodes are far apart");
    for (share, node) in [(0.0, 6), (0.4, 6), (0.6, 7), (1.0, 7)] {
        let at = upper.lerp(lower, share) + Vec2::X * 4.0;
        let found = pick(&world, at).unwrap();
        assert_eq!(found.particle, node);
        assert!((found.depth - 2.0).abs() < 1e-5);
    }
    assert_eq!(pick(&world, upper.lerp(lower, 0.4) + Vec2::X * 20.0), None);
    // An edge that is gone is no strand.
    world.cut = [6].into();
    assert_eq!(pick(&world, upper.lerp(lower, 0.4)), None);
    assert_eq!(pick(&world, lower.lerp(place(&world, 8), 0.4)).unwrap().particle, 7);
}

#[test]
fn strands_are_picked_before_cloth_and_not_through_it() {
    let (camera, show) = (ahead(), Show::default());
    let strands = curtain(3, 5);
    // A curtain of 15 nodes, then a wall of 11 × 11 points.
    let with_wall = |z: f32| {
        let (points, triangles) = cloth(11, |u, v| Vec3::new(u - 0.5, 0.5 - v, z));
        let all = strands.positions.iter().copied().chain(points);
        let triangles: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|i| i + 15)).collect();
        let mut world = snapshot(all.collect(), triangles, Vec::new());
        let model = std::sync::Arc::make_mut(&mut world.model);
        model.strands.clone_from(&strands.model.strands);
        world
    };
    let at = camera.project(strands.positions[7], SIZE).unwrap().0 + Vec2::new(3.0, 1.0);
    let pick = |world: &Snapshot, show: &Show| {
        Sight::new(context(world, &camera, show), SIZE).pick(at).unwrap().particle
    };
    assert_eq!(pick(&with_wall(-0.1), &show), 7);
    assert!(pick(&with_wall(0.1), &show) >= 15, "the wall hides it");
    let bare = Show { faces: false, ..Show::default() };
    assert_eq!(pick(&with_wall(0.1), &bare), 7);
    // An obstacle hides it as well.
    let ball = ColliderShape::Sphere(ColliderSphere { radius: 0.2 });
    let mut hidden = curtain(3, 5);
    let ball = Collider::new("ball", ball, Pose::at(Vec3::Z * 0.6));
    hidden.collider_poses = vec![ball.pose_at(0.0)];
    std::sync::Arc::make_mut(&mut hidden.model).colliders = vec![ball];
    assert_eq!(Sight::new(context(&hidden, &camera, &show), SIZE).pick(at), None);
}

#[test]
fn of_strands_as_near_the_foremost_is_picked() {
    let (mut world, camera, show) = (curtain(3, 5), ahead(), Show::default());
    let mut points = world.positions.to_vec();
    // The last strand moves before the middle one, along the sight of each of its nodes.
    for i in 0..5 {
        points[10 + i] = camera.eye + (points[5 + i] - camera.eye) * 0.8;
    }
    let at = camera.project(points[7], SIZE).unwrap().0;
    world.positions = points.into();
    let sight = Sight::new(context(&world, &camera, &show), SIZE);
    assert_eq!(sight.pick(at + Vec2::X).unwrap().particle, 12);
}
