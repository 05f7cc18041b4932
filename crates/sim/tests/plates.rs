//! Taut skins full of gas that touch: plates between them give what they take, rub by Coulomb's law,
//! let nothing pass, and carry what pairs of triangles carry.

mod common;

use std::f32::consts::TAU;

use glam::{DVec3, Vec3};
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::colliders::forms::{cuboid, ico_sphere};
use tkanina_sim::colliders::{Collider, ColliderPlane, ColliderShape};
use tkanina_sim::contact::{BodyContact, ContactLaw, Rub};
use tkanina_sim::elements::{GasLaw, SpringParams};
use tkanina_sim::measure;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::{Motion, Pose};
use tkanina_sim::soft_body::{GasAmount, GasFill, SoftBody, SoftMass};
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::world::World;

use common::G;

const FRAME: f64 = 1.0 / 60.0;
const XPBD: SolverKind = SolverKind::Xpbd { iterations: None };
const THICKNESS: f32 = 0.002;

/// A ball of 0.1 m full of gas.
fn ball(at: Vec3, velocity: Vec3) -> SoftBody {
    SoftBody {
        name: "ball".to_owned(),
        skin: ico_sphere(0.1, 2),
        place: Pose::at(at),
        velocity,
        mass: SoftMass::Total(0.05),
        edges: SpringParams { stiffness: 50.0, damping: 0.01 },
        centre: None,
        gas: Some(GasFill {
            law: GasLaw::Ideal,
            amount: GasAmount::Overpressure(200.0),
            inflation: Vec::new(),
            leak: 0.0,
            outside: 1000.0,
        }),
        solid: None,
        cores: None,
        damping: 0.0,
        tears_at: f32::INFINITY,
        carried: None,
    }
}

/// How bodies meet; any restitution at all is answered by pairs of triangles.
fn law(bodies: usize, friction: f32, by_pairs: bool) -> ContactLaw {
    ContactLaw {
        bodies: vec![BodyContact { touches_itself: false, thickness: THICKNESS }; bodies],
        thickness: THICKNESS,
        safe: true,
        rub: Rub { friction, restitution: if by_pairs { 1e-9 } else { 0.0 } },
        pairs: Vec::new(),
    }
}

fn floor(friction: f32) -> Collider {
    Collider {
        name: "floor".to_owned(),
        shape: ColliderShape::Plane(ColliderPlane {}),
        rest: Pose::IDENTITY,
        motion: Motion::Static,
        friction,
        restitution: 0.0,
    }
}

fn start(mut builder: ModelBuilder, law: ContactLaw, kind: SolverKind) -> World {
    builder.set_contact_offset(THICKNESS);
    builder.set_contact(law);
    let (model, state) = builder.build();
    World::new(model, state, kind)
}

/// Frames, with a look at every one for what passes through what.
fn run(world: &mut World, frames: usize) {
    let steps = world.substeps_for(FRAME) as u32;
    for frame in 0..frames {
        world.advance_frame(FRAME, steps).unwrap();
        let crossings = measure::crossings_exhaustive(world.model(), world.state()).len();
        assert_eq!(crossings, 0, "in frame {frame}");
    }
}

fn centre(world: &World, body: usize) -> Vec3 {
    let own = world.model().bodies[body].particles.clone();
    let count = own.len() as f32;
    own.map(|i| world.state().x.get(i)).sum::<Vec3>() / count
}

/// Pairs of triangles are watched where no plate stands.
fn watched(world: &World) -> usize {
    world.contact_tally().map_or(0, |tally| tally.watched)
}

#[test]
fn balls_that_collide_keep_momentum_and_turn() {
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    builder.add_soft_body(&ball(Vec3::new(-0.12, 0.0, 0.0), Vec3::new(1.5, 0.0, 0.3)));
    builder.add_soft_body(&ball(Vec3::new(0.12, 0.05, 0.0), Vec3::new(-1.0, 0.2, 0.0)));
    let mut world = start(builder, law(2, 0.4, false), XPBD);
    let of = |world: &World| {
        let (model, state) = (world.model(), world.state());
        (measure::momentum(model, state), measure::angular_momentum(model, state))
    };
    let (momentum, turn) = of(&world);
    run(&mut world, 40);
    let (after, turned) = of(&world);
    // They have met: the first is slower by far.
    let own = world.model().bodies[0].particles.clone();
    let speed = own.clone().map(|i| world.state().v.get(i).x).sum::<f32>() / own.len() as f32;
    assert!(speed < 0.5, "{speed} m/s");
    let scale = 0.05 * 2.5;
    assert!((after - momentum).length() < 1e-4 * scale, "{momentum} and {after}");
    // About the point between both, where lengths are a tenth of a metre.
    assert!((turned - turn).length() < 0.01 * 0.1 * scale, "{turn} and {turned}");
}

#[test]
fn no_ball_is_so_fast_that_it_passes_through_another() {
    for speed in [10.0, 100.0] {
        let mut builder = ModelBuilder::new(Vec3::ZERO);
        builder.add_soft_body(&ball(Vec3::ZERO, Vec3::ZERO));
        builder.add_soft_body(&ball(Vec3::new(0.5, 0.03, 0.02), Vec3::new(-speed, 0.0, 0.0)));
        let mut world = start(builder, law(2, 0.2, false), XPBD);
        run(&mut world, 20);
        assert!(centre(&world, 0).x < centre(&world, 1).x, "at {speed} m/s");
    }
}

/// How far a slab slides down another that is held, in a second on a slope. [m]
fn slide(slope: f32, friction: f32) -> f32 {
    let gravity = Vec3::new(G * slope.sin(), -G * slope.cos(), 0.0);
    let mut builder = ModelBuilder::new(gravity);
    let slab = |size: Vec3, cells: [u32; 3], at: Vec3| SoftBody {
        skin: cuboid(size, cells),
        mass: SoftMass::Total(0.2),
        edges: SpringParams { stiffness: 3000.0, damping: 1.0 },
        ..ball(at, Vec3::ZERO)
    };
    let long = slab(Vec3::new(2.0, 0.1, 0.4), [20, 1, 4], Vec3::ZERO);
    let held = builder.add_soft_body(&long);
    held.for_each(|particle| builder.hold(particle, AnchorPath::Fixed, Grip::RIGID));
    let short = slab(Vec3::new(0.4, 0.1, 0.3), [4, 1, 3], Vec3::new(-0.6, 0.103, 0.0));
    builder.add_soft_body(&short);
    let mut world = start(builder, law(2, friction, false), XPBD);
    // It comes to lie first.
    run(&mut world, 20);
    let from = centre(&world, 1).x;
    let speed = {
        let own = world.model().bodies[1].particles.clone();
        own.clone().map(|i| world.state().v.get(i).x).sum::<f32>() / own.len() as f32
    };
    run(&mut world, 30);
    assert_eq!(watched(&world), 0);
    centre(&world, 1).x - from - speed * 0.5
}

#[test]
fn a_slab_on_a_slab_sticks_below_the_angle_of_friction_and_slides_by_the_law_above() {
    let slope = 20.0f32.to_radians();
    let stays = slide(slope, slope.tan() * 1.05);
    assert!(stays.abs() < 1e-3, "{stays} m");
    for friction in [0.1, 0.25] {
        let found = slide(slope, friction);
        let expected = 0.5 * G * (slope.sin() - friction * slope.cos()) * 0.25;
        assert!((found / expected - 1.0).abs() < 0.03, "μ {friction}: {found} m for {expected} m");
    }
}

/// Heights of balls that have come to lie in a bowl of four with one on top.
fn heap(by_pairs: bool) -> Vec<f32> {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -G, 0.0));
    builder.add_collider(floor(1.0));
    for k in 0..4 {
        let angle = TAU * (k as f32 + 0.5) / 4.0;
        let at = Vec3::new(0.15 * angle.cos(), 0.105, 0.15 * angle.sin());
        builder.add_soft_body(&SoftBody { damping: 2e-3, ..ball(at, Vec3::ZERO) });
    }
    let top = ball(Vec3::new(0.0, 0.25, 0.0), Vec3::ZERO);
    builder.add_soft_body(&SoftBody { damping: 2e-3, ..top });
    let mut world = start(builder, law(5, 0.8, by_pairs), XPBD);
    run(&mut world, 150);
    assert_eq!(watched(&world) == 0, !by_pairs);
    (0..5).map(|body| centre(&world, body).y).collect()
}

#[test]
fn plates_carry_what_pairs_of_triangles_carry() {
    let (plates, pairs) = (heap(false), heap(true));
    for (body, (a, b)) in plates.iter().zip(&pairs).enumerate() {
        assert!((a - b).abs() < 0.02 * 0.1, "{body}: {a} m with plates, {b} m with pairs");
    }
}

#[test]
fn the_number_of_threads_and_a_fresh_start_change_no_bit() {
    let world = |threads: usize| {
        let mut builder = ModelBuilder::new(Vec3::new(0.0, -G, 0.0));
        builder.add_collider(floor(0.3));
        for k in 0..12 {
            let at = Vec3::new(
                0.19 * (k % 3) as f32,
                0.11 + 0.205 * (k / 6) as f32,
                0.2 * (k / 3 % 2) as f32,
            );
            builder.add_soft_body(&ball(at + Vec3::X * 0.01 * (k % 5) as f32, Vec3::ZERO));
        }
        let mut world = start(builder, law(12, 0.3, false), XPBD);
        world.set_threads(threads).unwrap();
        world
    };
    let mut first = world(1);
    run(&mut first, 20);
    let middle = first.state().clone();
    run(&mut first, 10);
    let expected = measure::state_hash(first.state());
    for threads in [2, 3, 8] {
        let mut other = world(threads);
        run(&mut other, 30);
        assert_eq!(measure::state_hash(other.state()), expected, "{threads} threads");
    }
    let mut again = world(2);
    again.restore(middle);
    run(&mut again, 10);
    assert_eq!(measure::state_hash(again.state()), expected, "from the middle");
}

#[test]
fn harder_and_softer_skins_meet_triangle_by_triangle() {
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    builder.add_soft_body(&ball(Vec3::new(-0.12, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0)));
    let mut hard = ball(Vec3::new(0.12, 0.0, 0.0), Vec3::new(-1.0, 0.0, 0.0));
    hard.edges.stiffness = 500.0;
    hard.gas = hard.gas.map(|gas| GasFill { amount: GasAmount::Overpressure(2000.0), ..gas });
    builder.add_soft_body(&hard);
    let mut world = start(builder, law(2, 0.2, false), XPBD);
    let mut most = 0;
    for _ in 0..10 {
        run(&mut world, 1);
        most = most.max(watched(&world));
    }
    assert!(most > 100, "{most}");
    let momentum = measure::momentum(world.model(), world.state());
    assert!(momentum.distance(DVec3::ZERO) < 1e-4 * 0.05, "{momentum}");
}
