//! Soft bodies that are alike: solved side by side they do what each would do alone, and a heap of
//! them lets nothing pass.

use glam::{DVec3, Vec3};
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::colliders::forms::ico_sphere;
use tkanina_sim::colliders::{Collider, ColliderPlane, ColliderShape};
use tkanina_sim::contact::{BodyContact, ContactLaw, Rub};
use tkanina_sim::elements::{GasLaw, SpringParams};
use tkanina_sim::measure;
use tkanina_sim::motion::{Motion, Pose};
use tkanina_sim::simd::{SimdLevel, limit_simd};
use tkanina_sim::soft_body::{GasAmount, GasFill, SoftBody, SoftMass};
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::world::World;

const FRAME: f64 = 1.0 / 60.0;
const XPBD: SolverKind = SolverKind::Xpbd { iterations: None };

/// A balloon like all others but for its place, velocity and gas.
fn balloon(number: usize) -> SoftBody {
    SoftBody {
        name: format!("balloon{number}"),
        skin: ico_sphere(0.3, 2),
        place: Pose::at(Vec3::new(number as f32, 0.1 * number as f32, 0.0)),
        velocity: Vec3::new(0.0, 0.2 * number as f32, 0.1),
        mass: SoftMass::Total(0.5),
        edges: SpringParams { stiffness: 40.0, damping: 0.05 },
        centre: None,
        gas: Some(GasFill {
            law: GasLaw::Ideal,
            amount: GasAmount::Overpressure(300.0 + 20.0 * number as f32),
            inflation: Vec::new(),
            leak: 0.0,
            outside: 50.0,
        }),
        damping: 0.01,
        tears_at: f32::INFINITY,
        solid: None,
        cores: None,
        carried: None,
    }
}

fn world(bodies: &[SoftBody]) -> World {
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    for body in bodies {
        builder.add_soft_body(body);
    }
    let (model, state) = builder.build();
    World::new(model, state, XPBD)
}

fn run(world: &mut World, frames: u32) {
    let steps = world.substeps_for(FRAME) as u32;
    (0..frames).for_each(|_| world.advance_frame(FRAME, steps).unwrap());
}

/// Places and velocities of a body of a world.
fn moving(world: &World, body: usize) -> Vec<[Vec3; 2]> {
    let state = world.state();
    let particles = world.model().bodies[body].particles.clone();
    particles.map(|i| [state.x.get(i), state.v.get(i)]).collect()
}

#[test]
fn in_a_crowd_each_does_what_it_does_among_others() {
    let bodies: Vec<SoftBody> = (0..19).map(balloon).collect();
    let mut crowd = world(&bodies);
    // Hardly stiffer than each other they are no longer alike.
    let mut others = bodies;
    for (number, body) in others.iter_mut().enumerate() {
        body.edges.stiffness += 1e-5 * number as f32;
    }
    let mut others = world(&others);
    run(&mut crowd, 30);
    run(&mut others, 30);
    for number in 0..19 {
        for ([x, v], [y, u]) in moving(&crowd, number).into_iter().zip(moving(&others, number)) {
            assert!(x.distance(y) < 2e-5, "{number}: {x} and {y} m");
            assert!(v.distance(u) < 5e-3, "{number}: {v} and {u} m/s");
        }
    }
}

#[test]
fn bodies_of_two_shapes_in_turn_do_what_they_do_among_their_own_kind() {
    let kind = |number: usize| SoftBody {
        skin: ico_sphere(0.3, 1 + (number % 2) as u32),
        ..balloon(number)
    };
    let mut mixed = world(&(0..40).map(kind).collect::<Vec<_>>());
    run(&mut mixed, 20);
    for parity in 0..2 {
        let numbers = (0..40).filter(|number| number % 2 == parity);
        let mut own = world(&numbers.clone().map(kind).collect::<Vec<_>>());
        run(&mut own, 20);
        for (place, number) in numbers.enumerate() {
            for ([x, v], [y, u]) in moving(&mixed, number).into_iter().zip(moving(&own, place)) {
                assert!(x.distance(y) < 1e-5, "{number}: {x} and {y} m");
                assert!(v.distance(u) < 1e-3, "{number}: {v} and {u} m/s");
            }
        }
    }
}

#[test]
fn a_crowd_obeys_the_gas_law_and_laplace_and_does_not_turn() {
    // So fine that Laplace's law, which is that of a sphere, holds for its skin.
    let fine = |number: usize| SoftBody { skin: ico_sphere(0.3, 3), ..balloon(number) };
    let mut crowd = world(&(0..5).map(fine).collect::<Vec<_>>());
    run(&mut crowd, 300);
    let (model, state) = (crowd.model(), crowd.state());
    let at = |v: u32| state.x.get(v as usize).as_dvec3();
    for (number, gas) in model.gases.gases().iter().enumerate() {
        let area: f64 = gas
            .surface
            .iter()
            .map(|&[a, b, c]| (at(b) - at(a)).cross(at(c) - at(a)).length() / 2.0)
            .sum();
        let own = model.bodies[number].particles.clone();
        let springs = model.springs.springs().iter();
        let tension: f64 = springs
            .filter(|s| own.contains(&(s.ends[0] as usize)))
            .map(|s| {
                let long = (at(s.ends[1]) - at(s.ends[0])).length();
                f64::from(s.params.stiffness) * (long - f64::from(s.rest)) * long
            })
            .sum::<f64>()
            / (2.0 * area);
        let points = || own.clone().map(|i| at(i as u32));
        let count = own.len() as f64;
        let centre = points().sum::<DVec3>() / count;
        let radius = points().map(|x| (x - centre).length()).sum::<f64>() / count;
        let found = gas.at(state.time).overpressure(gas.volume(at));
        let expected = 2.0 * tension / radius;
        assert!(expected > 50.0, "{expected} Pa");
        assert!((found / expected - 1.0).abs() < 0.01, "{number}: {found} and {expected} Pa");
        let turn: DVec3 = own
            .clone()
            .map(|i| (at(i as u32) - centre).cross(state.v.get(i).as_dvec3()))
            .sum::<DVec3>()
            / count;
        assert!(turn.length() < 1e-4, "{number}: {turn}");
    }
}

#[test]
fn neither_threads_nor_vectors_change_a_bit_of_a_crowd() {
    let hash = |threads: usize, level: SimdLevel| {
        let mut crowd = world(&(0..40).map(balloon).collect::<Vec<_>>());
        crowd.set_threads(threads).unwrap();
        limit_simd(level);
        run(&mut crowd, 3);
        limit_simd(SimdLevel::Widest);
        measure::state_hash(crowd.state())
    };
    let one = hash(1, SimdLevel::Widest);
    for (threads, level) in
        [(2, SimdLevel::Widest), (3, SimdLevel::Avx2), (8, SimdLevel::Plain), (1, SimdLevel::Plain)]
    {
        assert_eq!(hash(threads, level), one, "{threads} threads, {level:?}");
    }
}

/// A frame's steps are taken together; single ones are looked at one by one.
#[test]
fn steps_taken_together_do_what_they_do_one_by_one() {
    let falling = || {
        let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
        builder.add_collider(Collider::new(
            "floor",
            ColliderShape::Plane(ColliderPlane {}),
            Pose::IDENTITY,
        ));
        for number in 0..19 {
            let place = Pose::at(Vec3::new(0.7 * number as f32, 0.31, 0.0));
            builder.add_soft_body(&SoftBody { place, ..balloon(number) });
        }
        let (model, state) = builder.build();
        World::new(model, state, XPBD)
    };
    let (mut together, mut alone) = (falling(), falling());
    let steps = together.substeps_for(FRAME) as u32;
    let mut touched = 0;
    for frame in 0..40 {
        together.advance_frame(FRAME, steps).unwrap();
        (0..steps).for_each(|_| alone.step(FRAME / f64::from(steps)));
        let (together, alone) = (together.state(), alone.state());
        assert_eq!(together.contacts, alone.contacts, "frame {frame}");
        assert_eq!((together.step, together.time), (alone.step, alone.time));
        touched = touched.max(together.contacts);
        assert_eq!(measure::state_hash(together), measure::state_hash(alone), "frame {frame}");
    }
    assert!(touched > 19, "{touched} touches");
    assert_eq!(together.effort(), alone.effort());
}

/// Eight balls that fall on each other and on a floor.
fn heap() -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    builder.add_collider(Collider {
        name: "floor".to_owned(),
        shape: ColliderShape::Plane(ColliderPlane {}),
        rest: Pose::IDENTITY,
        motion: Motion::Static,
        friction: 0.5,
        restitution: 0.0,
    });
    for number in 0..8 {
        let [i, j, k] = [number % 2, number / 2 % 2, number / 4].map(|n| n as f32);
        let at = Vec3::new(0.25 * i + 0.06 * k, 0.15 + 0.27 * k, 0.25 * j + 0.03 * k);
        builder.add_soft_body(&SoftBody {
            skin: ico_sphere(0.1, 2),
            place: Pose::at(at),
            velocity: Vec3::new(0.0, -1.0, 0.0),
            mass: SoftMass::Total(0.05),
            edges: SpringParams { stiffness: 30.0, damping: 0.02 },
            damping: 2e-3,
            ..balloon(number)
        });
    }
    let thickness = 0.003;
    builder.set_contact_offset(thickness);
    builder.set_contact(ContactLaw {
        bodies: vec![BodyContact { touches_itself: false, thickness }; 8],
        thickness,
        safe: true,
        rub: Rub { friction: 0.5, restitution: 0.0 },
        pairs: Vec::new(),
    });
    let (model, state) = builder.build();
    World::new(model, state, XPBD)
}

#[test]
fn a_heap_lets_nothing_pass_comes_to_rest_and_asks_for_no_memory() {
    let mut world = heap();
    let steps = world.substeps_for(FRAME) as u32;
    let mut touching = 0;
    for frame in 0..240 {
        world.advance_frame(FRAME, steps).unwrap();
        let found = measure::crossings(world.model(), world.state());
        assert!(found.is_empty(), "frame {frame}: {} crossings", found.len());
        touching = touching.max(world.contact_tally().unwrap().touching);
    }
    let tally = world.contact_tally().unwrap();
    assert!(steps >= 16 && tally.steps == 4 * 240, "{steps} and {} steps", tally.steps);
    assert!(touching > 50, "{touching} touch");
    let (fastest, v) = measure::fastest(&world.state().v);
    assert!(v < 0.1, "point {fastest} moves at {v} m/s");
    let count = allocation_counter::measure(|| {
        (0..10).for_each(|_| world.advance_frame(FRAME, steps).unwrap());
    });
    assert_eq!(count.count_total, 0, "{count:?}");
}
