//! Rigid cores with a soft skin.

use glam::{Quat, Vec3};
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::colliders::forms::capsule;
use tkanina_sim::colliders::{Collider, ColliderPlane, ColliderShape};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::measure;
use tkanina_sim::motion::Pose;
use tkanina_sim::soft_body::{Cores, SoftBody, SoftMass};
use tkanina_sim::solvers::choose;
use tkanina_sim::world::World;

const JOINTS: usize = 4;

/// A sausage with three cores along y, a metre long.
fn sausage(place: Pose, velocity: Vec3) -> SoftBody {
    SoftBody {
        name: "sausage".into(),
        skin: capsule(0.12, 0.8, [12, 10, 3]),
        place,
        velocity,
        mass: SoftMass::Total(1.0),
        edges: SpringParams { stiffness: 100.0, damping: 0.05 },
        centre: None,
        gas: None,
        solid: None,
        cores: Some(Cores {
            joints: (0..JOINTS).map(|k| Vec3::Y * (0.27 * k as f32 - 0.405)).collect(),
            radius: 0.04,
            mass: 1.0,
            springs: SpringParams { stiffness: 60.0, damping: 0.05 },
        }),
        damping: 0.0,
        tears_at: f32::INFINITY,
        carried: None,
    }
}

fn world(body: &SoftBody, gravity: Vec3, floor: bool) -> World {
    let mut builder = ModelBuilder::new(gravity);
    if floor {
        let plane = ColliderShape::Plane(ColliderPlane);
        builder.add_collider(Collider::new("floor", plane, Pose::IDENTITY));
    }
    builder.add_soft_body(body);
    let (model, state) = builder.build();
    let kind = choose(&model).kind;
    World::new(model, state, kind)
}

/// By how much any two points of one core are farther apart, or nearer, than at rest. [m]
fn bent(world: &World) -> f32 {
    let (model, x) = (world.model(), &world.state().x);
    let rest = &model.bodies[0].rest;
    let mut worst = 0.0f32;
    for goal in &model.goals {
        for (k, &a) in goal.particles.iter().enumerate() {
            for &b in &goal.particles[k + 1..] {
                let [a, b] = [a as usize, b as usize];
                let now = x.get(a).distance(x.get(b));
                worst = worst.max((now - rest[a].distance(rest[b])).abs());
            }
        }
    }
    worst
}

#[test]
fn cores_stay_rigid_while_the_chain_bends_and_the_skin_follows() {
    let lying = Pose { position: Vec3::Y * 0.8, rotation: Quat::from_rotation_z(1.2) };
    let mut world = world(&sausage(lying, Vec3::X), Vec3::NEG_Y * 9.81, true);
    let skin = world.model().bodies[0].particles.len() - JOINTS - 4 * (JOINTS - 1);
    let joint = |world: &World, k: usize| world.state().x.get(skin + k);
    let (mut worst, mut sharpest) = (0.0f32, 1.0f32);
    for _ in 0..120 {
        world.advance_frame(1.0 / 60.0, 16).unwrap();
        worst = worst.max(bent(&world));
        let way = |k: usize| (joint(&world, k + 1) - joint(&world, k)).normalize();
        sharpest = sharpest.min(way(0).dot(way(1))).min(way(1).dot(way(2)));
    }
    assert!(worst < 0.003, "a core of 0.27 m is off by {worst} m");
    assert!(sharpest < 0.995, "the chain never bends: {sharpest}");
    // The skin stays around its cores: no point farther from the nearest joint than at rest.
    let x = &world.state().x;
    for v in 0..skin {
        let nearest = (0..JOINTS).map(|k| x.get(v).distance(joint(&world, k)));
        let nearest = nearest.fold(f32::INFINITY, f32::min);
        assert!(nearest < 0.25, "point {v} is {nearest} m from any joint");
    }
}

#[test]
fn what_nothing_holds_keeps_its_momentum() {
    let place = Pose { position: Vec3::ZERO, rotation: Quat::from_rotation_x(0.5) };
    let mut body = sausage(place, Vec3::new(0.3, 0.0, 0.2));
    body.edges.damping = 0.0;
    let mut world = world(&body, Vec3::ZERO, false);
    let push = tkanina_sim::commands::Command::Impulse {
        particles: vec![3, 4, 5],
        impulse: Vec3::new(0.3, 0.0, 0.0),
    };
    world.send(push);
    world.advance_frame(1.0 / 60.0, 16).unwrap();
    let (p, l) = momenta(&world);
    for _ in 0..60 {
        world.advance_frame(1.0 / 60.0, 16).unwrap();
    }
    assert!(l.length() > 0.02, "it turns: {l}");
    let (q, m) = momenta(&world);
    assert!((p - q).length() < 1e-3 * p.length(), "{p} became {q}");
    assert!((l - m).length() < 0.05 * l.length(), "{l} became {m}");
}

fn momenta(world: &World) -> (glam::DVec3, glam::DVec3) {
    let (model, state) = (world.model(), world.state());
    (measure::momentum(model, state), measure::angular_momentum(model, state))
}
