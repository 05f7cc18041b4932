//! Random fast points against random fast colliders: nothing gets in or through.

use glam::{Quat, Vec3};

use super::*;
use crate::rng::Rng;
use crate::soa::Soa3;

const OFFSET: f32 = 0.002;

fn random_vector(rng: &mut Rng, size: f64) -> Vec3 {
    let mut c = || rng.between(-size, size) as f32;
    Vec3::new(c(), c(), c())
}

fn random_pose(rng: &mut Rng, near: Pose, turn: f64) -> Pose {
    let spin = random_vector(rng, turn);
    let step = Quat::from_xyzw(spin.x, spin.y, spin.z, 1.0).normalize();
    Pose {
        position: near.position + random_vector(rng, 1.0),
        rotation: (step * near.rotation).normalize(),
    }
}

fn random_shape(rng: &mut Rng) -> ColliderShape {
    let half_size = random_vector(rng, 0.5).abs() + Vec3::splat(0.005);
    match rng.next_u64() % 4 {
        0 => ColliderShape::Sphere(ColliderSphere { radius: half_size.x }),
        1 => ColliderShape::Box(ColliderBox { half_size }),
        2 => ColliderShape::Plane(ColliderPlane),
        _ => ColliderShape::Capsule(ColliderCapsule {
            half_length: half_size.x,
            radius: half_size.y,
        }),
    }
}

#[test]
fn no_path_ends_inside_or_behind_a_collider() {
    let mut rng = Rng::new(5);
    let mut hits = 0;
    for case in 0..200_000 {
        let shape = random_shape(&mut rng);
        let start = random_pose(&mut rng, Pose::IDENTITY, 1.0);
        let turn = if case % 2 == 0 { 0.0 } else { 0.05 };
        let end = random_pose(&mut rng, start, turn);
        let mut collider = Collider::new("", shape.clone(), start);
        collider.friction = rng.between(0.0, 1.0) as f32;
        collider.restitution = if case % 3 == 0 { rng.unit() as f32 } else { 0.0 };
        let x0 = random_vector(&mut rng, 1.5);
        let from = start.local_point(x0);
        if shape.signed_distance(from) < 2.0 * OFFSET {
            continue;
        }
        let (h, target) = (0.01, random_vector(&mut rng, 1.5));
        let steps = [ColliderStep::new(&shape, start, end, OFFSET)];
        let settings = ContactSettings::new(OFFSET, h, Vec3::NEG_Y * 9.81);
        let (x_start, mut x) = (Soa3::from_points(&[x0]), Soa3::from_points(&[target]));
        let mut v = Soa3::from_points(&[(target - x0) / h]);
        let (xm, vm) = (x.view_mut(), v.view_mut());
        let particles = Particles { x_start: x_start.view(), x: xm, v: vm, inverse_mass: &[1.0] };
        hits += resolve(&[collider], &steps, &settings, particles);
        let to = end.local_point(x.get(0));
        let outside = shape.signed_distance(to);
        assert!(outside > OFFSET - 1e-5, "{case}: {shape:?} {outside}");
        let through = match &shape {
            // Put out radially, up to 45° from where it came in, its path may cut a corner.
            ColliderShape::Sphere(ball) => {
                ColliderSphere { radius: 0.85 * ball.radius }.hit(from, to, 0.0)
            }
            ColliderShape::Capsule(rod) => {
                ColliderCapsule { radius: 0.85 * rod.radius, ..*rod }.hit(from, to, 0.0)
            }
            sharp => sharp.hit(from, to, OFFSET - 1e-4),
        };
        assert!(through.is_none(), "{case}: {shape:?} {from} {to}");
    }
    assert!(hits > 10_000, "{hits}");
}
