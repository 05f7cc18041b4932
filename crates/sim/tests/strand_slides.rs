//! Strands that slide do so as fast as Coulomb's friction lets them, under every law.

use glam::{Quat, Vec3};
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::colliders::{Collider, ColliderPlane, ColliderShape};
use tkanina_sim::contact::Rub;
use tkanina_sim::motion::{Motion, Pose, Track};
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::strands::{
    Fibre, FibreDrag, Root, RootPath, StrandBody, StrandCurve, StrandLaw, StrandTouch, TouchParts,
};
use tkanina_sim::world::World;

const G: f32 = 9.81;

/// Step that a frame is divided into. [1]
const SUBSTEPS: u32 = 4;

const NODES: usize = 21;

/// How far points stay off what they lie on, and where they start above it. [m]
const OFF: f32 = 1e-3;
const RADIUS: f32 = 1e-6;

const ROD: StrandLaw = StrandLaw::Rod;
const COSSERAT: StrandLaw = StrandLaw::Cosserat { sweeps: 4 };
const HELIX: StrandLaw = StrandLaw::Helix { pieces: 8 };

/// Half a metre of a strand so limp that Γ = ρgSL³/EI is 10⁴: an end that is held is not felt farther
/// off than a few hundredths of its length.
fn strand(along: Vec3, root: Root, law: StrandLaw) -> StrandBody {
    above(0.0, along, root, law)
}

/// The same, so far above where it would lie. [m]
fn above(height: f32, along: Vec3, root: Root, law: StrandLaw) -> StrandBody {
    let up = Vec3::Y * (OFF + RADIUS + height);
    let edge = 0.5 / (NODES - 1) as f32;
    let points: Vec<Vec3> = (0..NODES).map(|i| along * (edge * i as f32) + up).collect();
    let bending = 0.01 * G * 0.125 * 1e-4;
    StrandBody {
        name: "strand".into(),
        strands: vec![StrandCurve { start: points.clone(), rest: points, root }],
        law,
        fibre: Fibre {
            bending,
            twisting: 0.5 * bending,
            density: 0.01,
            radius: RADIUS,
            taper: 1.0,
            inner_friction: 0.0,
            drag: FibreDrag::default(),
            rest_speed: 0.0,
        },
        velocity: Vec3::ZERO,
        damping: 0.0,
        touch: StrandTouch { friction: 0.0, parts: TouchParts::Points, crowd: None },
        clump: None,
        followers: None,
    }
}

fn plane(friction: f32) -> Collider {
    let shape = ColliderShape::Plane(ColliderPlane {});
    let mut plane = Collider::new("floor", shape, Pose::at(Vec3::ZERO));
    plane.friction = friction;
    plane
}

/// A strand on a plane, with a friction of their pair if there is one; gravity leans along z by a part of
/// what it presses with.
fn on(plane: Collider, body: &StrandBody, lean: f32, pair: Option<f32>) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -G, lean * G));
    builder.add_strands(body);
    builder.add_collider(plane);
    builder.set_contact_offset(OFF);
    if let Some(friction) = pair {
        builder.set_rub(0, 0, Rub { friction, restitution: 0.0 });
    }
    let (model, state) = builder.build();
    World::new(model, state, SolverKind::Xpbd { iterations: None })
}

fn run(world: &mut World, frames: u32) {
    for _ in 0..frames {
        world.advance_frame(1.0 / 60.0, SUBSTEPS).unwrap();
    }
}

/// v = g(lean − μ)t, along a slope, across it and anywhere between.
#[test]
fn a_free_strand_slides_down_a_slope_as_friction_lets_it() {
    for law in [ROD, COSSERAT] {
        for (lean, friction) in [(0.55, 0.5), (0.5, 0.2), (1.0, 0.9)] {
            for angle in [0.0, 0.7, std::f32::consts::FRAC_PI_2] {
                let along = Quat::from_rotation_y(angle) * Vec3::X;
                let free = Root { path: RootPath::Free, clamped: false };
                let mut world = on(plane(friction), &strand(along, free, law), lean, None);
                run(&mut world, 60);
                let known = G * (lean - friction);
                for v in world.state().v.iter() {
                    let found = v.z;
                    assert!(
                        (found / known - 1.0).abs() < 0.01 && v.x.abs() < 0.01 * known,
                        "{law:?}, lean {lean}, μ {friction}, at {angle}: {v} is not {known} m/s"
                    );
                }
            }
        }
    }
}

/// A strand whose root is led as fast as it would slide by itself is not drawn by it: were friction weaker
/// or stronger by a part, the tip would be ahead or behind by that part of μ/(lean − μ). Returns how far
/// its points are from where they should be after a second, and how much faster or slower, as parts.
fn beside_its_root(law: StrandLaw, height: f32, lean: f32, [own, pair]: [f32; 2]) -> f32 {
    let known = G * (lean - pair);
    let times: Vec<f64> = (0..=240).map(|i| f64::from(i) / 240.0).collect();
    let at = |t: &f64| Vec3::Z * (0.5 * f64::from(known) * t * t) as f32;
    let track = Track::new(times.clone(), times.iter().map(at).collect(), None).unwrap();
    let path = RootPath::Track { track, centre: Vec3::ZERO };
    let led = above(height, Vec3::X, Root { path, clamped: true }, law);
    let mut world = on(plane(own), &led, lean, (pair != own).then_some(pair));
    run(&mut world, 60);
    let off = |i: usize| {
        let (x, v) = (world.state().x.get(i), world.state().v.get(i));
        (x.z / (0.5 * known) - 1.0).abs().max((v.z / known - 1.0).abs())
    };
    (NODES / 4..NODES).map(off).fold(0.0, f32::max)
}

#[test]
fn a_strand_slides_beside_its_root_as_friction_lets_it() {
    for law in [ROD, COSSERAT, HELIX] {
        for (lean, friction) in [(0.55, 0.5), (0.5, 0.2)] {
            let off = beside_its_root(law, 0.0, lean, [friction; 2]);
            // Where little is left beside friction, what that is off by shows ten times: super-helices rub
            // by up to 1.1 % more than they should while they are fast.
            let most = if law == HELIX && lean - friction < 0.1 { 0.12 } else { 0.01 };
            assert!(off < most, "{law:?}, lean {lean}, μ {friction}: {off}");
        }
    }
}

#[test]
fn a_strand_rubs_on_a_collider_as_their_pair_says() {
    for law in [ROD, COSSERAT, HELIX] {
        let off = beside_its_root(law, 0.0, 0.5, [0.7, 0.2]);
        assert!(off < 0.01, "{law:?}: {off}");
    }
}

/// Super-helices that landed from a tenth of a millimetre lost a third of their speed now and then: a node
/// that a rough Newton step had left in the ground was taken to be pressed there by ten times its weight.
#[test]
fn a_node_left_in_the_ground_by_a_rough_step_does_not_rub() {
    for law in [COSSERAT, HELIX] {
        for (lean, friction) in [(0.55, 0.5), (0.5, 0.2)] {
            let off = beside_its_root(law, 1e-4, lean, [friction; 2]);
            assert!(off < 0.03, "{law:?}, lean {lean}, μ {friction}: {off}");
        }
    }
}

/// On a belt that runs below it a strand is drawn by friction μρg along the belt and by the lean of
/// gravity across it: it trails from its root in a straight line, at tan θ = lean/μ to the belt. The belt
/// is fast beside what weight adds to a speed in a step: friction is found against the way before lengths
/// are made right.
#[test]
fn a_strand_on_a_belt_trails_where_friction_and_weight_draw_it() {
    for law in [ROD, COSSERAT, HELIX] {
        for (lean, friction) in [(0.1, 0.5), (0.4, 0.5), (0.3, 0.9)] {
            let mut belt = plane(friction);
            belt.motion = Motion::Linear { velocity: Vec3::X * 4.0 };
            let held = strand(Vec3::X, Root { path: RootPath::Fixed, clamped: true }, law);
            let mut world = on(belt, &held, lean, None);
            run(&mut world, 1500);
            let x = &world.state().x;
            let way = x.get(NODES - 1) - x.get(NODES / 2);
            let (found, known) = (way.z / way.x, lean / friction);
            assert!(
                (found / known - 1.0).abs() < 0.01,
                "{law:?}, lean {lean}, μ {friction}: tan θ {found} is not {known}"
            );
        }
    }
}
