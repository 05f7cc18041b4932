//! Taut skins full of gas that touch: plates between them give what they take, rub by Coulomb's law,
//! let nothing pass, and carry what pairs of triangles carry.

mod common;

use std::f32::consts::TAU;

use glam::Vec3;
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::colliders::forms::{cuboid, ico_sphere};
use tkanina_sim::colliders::{Collider, ColliderPlane, ColliderShape};
use tkanina_sim::contact::{BodyContact, ContactLaw, Rub};
use tkanina_sim::elements::{GasLaw, SpringParams};
use tkanina_sim::measure::{self, Through};
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
        assert_eq!(passages(world), 0, "in frame {frame}");
    }
}

/// Edges of a body that pass through triangles of another.
fn passages(world: &World) -> usize {
    let body = |v: u32| {
        let bodies = &world.model().bodies;
        bodies.iter().position(|body| body.particles.contains(&(v as usize)))
    };
    let all = measure::crossings_exhaustive(world.model(), world.state());
    let between = all.iter().filter(|crossing| match crossing.through {
        Through::Triangle([corner, ..]) => body(crossing.edge[0]) != body(corner),
        Through::Segment(_) => true,
    });
    between.count()
}

fn centre(world: &World, body: usize) -> Vec3 {
    let own = world.model().bodies[body].particles.clone();
    let count = own.len() as f32;
    own.map(|i| world.state().x.get(i)).sum::<Vec3>() / count
}

fn velocity(world: &World, body: usize) -> Vec3 {
    let own = world.model().bodies[body].particles.clone();
    let count = own.len() as f32;
    own.map(|i| world.state().v.get(i)).sum::<Vec3>() / count
}

/// Pairs of triangles are watched where no plate stands.
fn watched(world: &World) -> usize {
    world.contact_tally().map_or(0, |tally| tally.watched)
}

#[test]
fn balls_that_collide_keep_momentum_and_turn() {
    [false, true].into_iter().for_each(collision_keeps_momentum_and_turn);
}

fn collision_keeps_momentum_and_turn(by_pairs: bool) {
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    builder.add_soft_body(&ball(Vec3::new(-0.12, 0.0, 0.0), Vec3::new(1.5, 0.0, 0.3)));
    builder.add_soft_body(&ball(Vec3::new(0.12, 0.05, 0.0), Vec3::new(-1.0, 0.2, 0.0)));
    let mut world = start(builder, law(2, 0.4, by_pairs), XPBD);
    let of = |world: &World| {
        let (model, state) = (world.model(), world.state());
        (measure::momentum(model, state), measure::angular_momentum(model, state))
    };
    let (momentum, turn) = of(&world);
    run(&mut world, 40);
    let (after, turned) = of(&world);
    // They have met: the first is slower by far.
    let speed = velocity(&world, 0).x;
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

/// How far a slab slides down another that is held, in half a second on a slope after so many frames [m], and
/// its velocities before and after. [m/s]
fn slide(slope: f32, friction: f32, after: usize, by_pairs: bool) -> (f32, [Vec3; 2]) {
    let gravity = Vec3::new(G * slope.sin(), -G * slope.cos(), 0.0);
    let mut builder = ModelBuilder::new(gravity);
    let slab = |size: Vec3, cells: [u32; 3], at: Vec3| SoftBody {
        skin: cuboid(size, cells),
        mass: SoftMass::Total(0.2),
        edges: SpringParams { stiffness: 3000.0, damping: 3.0 },
        // It presses as hard when it has bulged.
        gas: ball(at, Vec3::ZERO).gas.map(|gas| GasFill { outside: 0.0, ..gas }),
        ..ball(at, Vec3::ZERO)
    };
    let mut long = slab(Vec3::new(2.0, 0.1, 0.4), [20, 1, 4], Vec3::ZERO);
    if by_pairs {
        // It is held: how hard it presses says only who keeps it apart.
        let hard = GasAmount::Overpressure(2000.0);
        long.gas = long.gas.map(|gas| GasFill { amount: hard, ..gas });
    }
    let held = builder.add_soft_body(&long);
    held.for_each(|particle| builder.hold(particle, AnchorPath::Fixed, Grip::RIGID));
    let short = slab(Vec3::new(0.4, 0.1, 0.3), [4, 1, 3], Vec3::new(-0.6, 0.103, 0.0));
    builder.add_soft_body(&short);
    let mut world = start(builder, law(2, friction, false), XPBD);
    run(&mut world, after);
    let from = centre(&world, 1).x;
    let before = velocity(&world, 1);
    run(&mut world, 30);
    (centre(&world, 1).x - from, [before, velocity(&world, 1)])
}

#[test]
fn a_slab_on_a_slab_sticks_below_the_angle_of_friction_and_slides_by_the_law_above() {
    sticks_and_slides(false, [(0.1, 20, 0.03), (0.25, 20, 0.03)]);
}

#[test]
fn so_it_does_triangle_by_triangle_however_fast() {
    // It slides on at 2.5, 2 and 0.9 m/s.
    sticks_and_slides(true, [(0.1, 30, 0.06), (0.25, 60, 0.03), (0.35, 90, 0.01)]);
}

/// With coefficients of friction, after how many frames it slides by them, and how far off it may be.
fn sticks_and_slides<const N: usize>(by_pairs: bool, all: [(f32, usize, f32); N]) {
    let slope = 20.0f32.to_radians();
    let (stays, _) = slide(slope, slope.tan() * 1.05, 360, by_pairs);
    // Pillows on pillows go on trembling a little, and each time they are lighter they creep: without
    // friction it would be 0.42 m from rest.
    assert!(stays.abs() < 5e-3, "{stays} m");
    for (friction, after, off) in all {
        let (_, [before, after]) = slide(slope, friction, after, by_pairs);
        // It bounces a little: friction is μ times what bears the weight and turns the motion round.
        let borne = 0.5 * G * slope.cos() + after.y - before.y;
        let found = (0.5 * G * slope.sin() - (after.x - before.x)) / borne;
        assert!((found / friction - 1.0).abs() < off, "{found} for {friction}");
    }
}

/// Height at which a ball lies on four that are held by their lower halves, without friction.
fn height_on_four(by_pairs: bool) -> f32 {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -G, 0.0));
    for k in 0..4 {
        let angle = TAU * (k as f32 + 0.5) / 4.0;
        let at = Vec3::new(0.15 * angle.cos(), 0.105, 0.15 * angle.sin());
        let own = builder.add_soft_body(&SoftBody { damping: 2e-3, ..ball(at, Vec3::ZERO) });
        for particle in own {
            if builder.position(particle).y < at.y {
                builder.hold(particle, AnchorPath::Fixed, Grip::RIGID);
            }
        }
    }
    let top = ball(Vec3::new(0.0, 0.25, 0.0), Vec3::ZERO);
    builder.add_soft_body(&SoftBody { damping: 2e-3, ..top });
    let mut world = start(builder, law(5, 0.0, by_pairs), XPBD);
    run(&mut world, 150);
    let mut height = 0.0;
    let mut plain = 0;
    for _ in 0..30 {
        run(&mut world, 1);
        height += centre(&world, 4).y / 30.0;
        plain += usize::from(watched(&world) == 0);
    }
    assert_eq!(plain > 0, !by_pairs, "{plain}");
    height
}

#[test]
fn plates_carry_what_pairs_of_triangles_carry() {
    let (plates, pairs) = (height_on_four(false), height_on_four(true));
    // Plates have their say after four steps of the solver each, in which points swing: 2.5 mm. After each
    // step they carry it as high as pairs do.
    assert!((plates - pairs).abs() < 0.03 * 0.1, "{plates} m with plates, {pairs} m with pairs");
}

/// Speed at which two balls part that met at 2 m/s.
fn parting(by_pairs: bool) -> f32 {
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    builder.add_soft_body(&ball(Vec3::new(-0.12, 0.0, 0.0), Vec3::X));
    builder.add_soft_body(&ball(Vec3::new(0.12, 0.0, 0.0), -Vec3::X));
    let mut world = start(builder, law(2, 0.2, by_pairs), XPBD);
    run(&mut world, 40);
    velocity(&world, 1).x - velocity(&world, 0).x
}

#[test]
fn balls_bounce_off_plates_as_off_each_other() {
    let (plates, pairs) = (parting(false), parting(true));
    assert!(pairs > 1.0, "{pairs} m/s");
    assert!((plates / pairs - 1.0).abs() < 0.05, "{plates} and {pairs} m/s");
}

#[test]
fn the_number_of_threads_and_a_fresh_start_change_no_bit() {
    [false, true].into_iter().for_each(no_bit_changes);
}

fn no_bit_changes(by_pairs: bool) {
    let world = |threads: usize| {
        let mut builder = ModelBuilder::new(Vec3::new(0.0, -G, 0.0));
        builder.add_collider(floor(0.3));
        for k in 0..12 {
            let at = Vec3::new(
                0.205 * (k % 3) as f32,
                0.11 + 0.205 * (k / 6) as f32,
                0.21 * (k / 3 % 2) as f32,
            );
            builder.add_soft_body(&ball(at + Vec3::X * 0.05 * (k / 6) as f32, Vec3::ZERO));
        }
        let mut world = start(builder, law(12, 0.3, by_pairs), XPBD);
        world.set_threads(threads).unwrap();
        world
    };
    let mut first = world(1);
    run(&mut first, 20);
    let middle = first.state().clone();
    run(&mut first, 10);
    assert!(first.state().contacts > 0);
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
    builder.add_soft_body(&ball(Vec3::new(-0.12, 0.0, 0.0), Vec3::X * 0.5));
    let mut hard = ball(Vec3::new(0.12, 0.0, 0.0), Vec3::X * -0.5);
    hard.edges.stiffness = 500.0;
    hard.gas = hard.gas.map(|gas| GasFill { amount: GasAmount::Overpressure(1000.0), ..gas });
    builder.add_soft_body(&hard);
    let mut world = start(builder, law(2, 0.2, false), XPBD);
    let mut most = 0;
    for _ in 0..15 {
        run(&mut world, 1);
        most = most.max(watched(&world));
    }
    assert!(most > 100, "{most}");
}
