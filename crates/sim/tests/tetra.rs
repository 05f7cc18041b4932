//! Solids of tetrahedra: Hooke, bending, shapes that come back, and the same bits on any number of
//! threads.

mod common;

use glam::{DVec3, Quat, Vec3};
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::colliders::forms::{ico_sphere, torus};
use tkanina_sim::commands::Command;
use tkanina_sim::elastic::{TetraLaw, TetraMaterial};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::measure;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::Pose;
use tkanina_sim::soft_body::{SoftBody, SoftMass};
use tkanina_sim::solid::Solid;
use tkanina_sim::solvers::{Newton, SolverKind};
use tkanina_sim::tearing::Cut;
use tkanina_sim::topology::TetraMesh;
use tkanina_sim::world::World;

const FRAME: f64 = 1.0 / 60.0;

const DESCENT: SolverKind = SolverKind::VertexDescent { iterations: None };
const XPBD: SolverKind = SolverKind::Xpbd { iterations: None };
const EULER: SolverKind = SolverKind::ImplicitEuler(Newton::CHOICE);

/// Solvers that take tetrahedra: one of each family.
const KINDS: [SolverKind; 5] =
    [DESCENT, XPBD, EULER, SolverKind::SemiImplicitEuler, SolverKind::Rk4];

const LAWS: [TetraLaw; 2] = [TetraLaw::NeoHookean, TetraLaw::Corotated];

fn body(mesh: TetraMesh, material: TetraMaterial, damping: f64) -> SoftBody {
    let solid = Solid { mesh, material, damping };
    SoftBody {
        name: "body".to_owned(),
        skin: solid.skin(),
        place: Pose::IDENTITY,
        velocity: Vec3::ZERO,
        mass: SoftMass::Density(1000.0),
        edges: SpringParams::default(),
        centre: None,
        gas: None,
        solid: Some(solid),
        cores: None,
        carried: None,
        damping: 0.0,
        tears_at: f32::INFINITY,
    }
}

/// A world of one body whose particles `pinned` chooses by their place are held.
fn world(body: &SoftBody, gravity: f32, kind: SolverKind, pinned: impl Fn(Vec3) -> bool) -> World {
    let mut builder = ModelBuilder::new(Vec3::NEG_Y * gravity);
    for i in builder.add_soft_body(body) {
        if pinned(builder.position(i)) {
            builder.hold(i, AnchorPath::Fixed, Grip::RIGID);
        }
    }
    let (model, state) = builder.build();
    World::new(model, state, kind)
}

fn run(world: &mut World, frames: u32) {
    let steps = world.substeps_for(FRAME) as u32;
    (0..frames).for_each(|_| world.advance_frame(FRAME, steps).unwrap());
}

/// Moves all particles of a world.
fn shape(world: &mut World, mut to: impl FnMut(usize, Vec3) -> Vec3) {
    let mut state = world.state().clone();
    for i in 0..state.x.len() {
        state.x.set(i, to(i, state.x.get(i)));
    }
    world.restore(state);
}

/// Lengths of all sides of tetrahedra, wherever the body has turned to. [m]
fn lengths(world: &World) -> Vec<f32> {
    let at = |v: u32| world.state().x.get(v as usize);
    let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let tetras = world.model().tetras.tetras().iter();
    tetras.flat_map(|t| pairs.map(|(i, j)| at(t.corners[i]).distance(at(t.corners[j])))).collect()
}

/// How far any side is from its length at rest, as a part of it.
fn worst(world: &World, rest: &[f32]) -> f32 {
    let parts = lengths(world).into_iter().zip(rest).map(|(now, rest)| (now / rest - 1.0).abs());
    parts.fold(0.0, f32::max)
}

fn elastic(world: &World) -> f64 {
    measure::energy(world.model(), world.state()).elastic
}

#[test]
fn a_stretched_bar_answers_with_young_and_poisson() {
    // W = ½Eε²V if it may grow thinner by νε, and no other width costs less.
    let (young, poisson, strain) = (2e5, 0.3, 2e-3);
    for law in LAWS {
        let mesh = TetraMesh::block(Vec3::new(0.4, 0.1, 0.1), 0.05).unwrap();
        let volume = mesh.volume();
        let body = body(mesh, TetraMaterial::new(law, young, poisson), 0.0);
        let energy = |along: f64, across: f64| {
            let mut world = world(&body, 0.0, DESCENT, |_| false);
            let part = DVec3::new(1.0 + along, 1.0 + across, 1.0 + across);
            shape(&mut world, |_, x| (x.as_dvec3() * part).as_vec3());
            elastic(&world)
        };
        let found = 2.0 * energy(strain, -poisson * strain) / (strain * strain * volume);
        assert!((found / young - 1.0).abs() < 0.01, "{law:?}: E = {found} Pa");
        // The width that costs least, from three of them.
        let widths = [-1.5, -1.0, -0.5].map(|part| part * 2.0 * poisson * strain);
        let [a, b, c] = widths.map(|width| energy(strain, width));
        let best = widths[1] + 0.5 * (widths[2] - widths[1]) * (a - c) / (a - 2.0 * b + c);
        let found = -best / strain;
        assert!((found - poisson).abs() < 0.01, "{law:?}: ν = {found}");
    }
}

/// How far a bar of square section hangs down at its far end, over what Timoshenko says:
/// w = qL⁴/(8EI) + qL²/(2κGA) with κ = 10/12 where ν = 0.
fn sag(kind: SolverKind, law: TetraLaw, across: u32, frames: u32) -> f64 {
    let (length, side, young, gravity) = (0.6f64, 0.2f64, 1e6f64, 9.81f64);
    let size = Vec3::new(length as f32, side as f32, side as f32);
    let mesh = TetraMesh::block(size, side / f64::from(across)).unwrap();
    // A medium that takes its swing within a second, and nothing of where it rests.
    let share = 24.0 / mesh.points.len() as f32;
    let mut body = body(mesh, TetraMaterial::new(law, young, 0.0), 1e-4);
    body.damping = 30.0 * share;
    let end = 0.4999 * length as f32;
    let mut world = world(&body, gravity as f32, kind, |p| p.x < -end);
    let start = world.state().x.clone();
    run(&mut world, frames);
    let (_, v) = measure::fastest(&world.state().v);
    assert!(v < 5e-3, "{kind:?}: still moves at {v} m/s");
    let far: Vec<usize> = (0..start.len()).filter(|&i| start.get(i).x > end).collect();
    let fell = |&i: &usize| f64::from(start.get(i).y - world.state().x.get(i).y);
    let (area, second, shear) = (side * side, side.powi(4) / 12.0, 0.5 * young);
    let q = 1000.0 * gravity * area;
    let known = q * length.powi(4) / (8.0 * young * second)
        + q * length.powi(2) / (2.0 * 10.0 / 12.0 * shear * area);
    far.iter().map(fell).sum::<f64>() / far.len() as f64 / known
}

#[test]
fn a_cantilever_comes_to_timoshenko_as_it_is_cut_finer() {
    // Tetrahedra of four points are too stiff in bending, the less so the finer they are.
    for law in LAWS {
        let [coarse, middle, fine] = [2, 3, 4].map(|across| sag(EULER, law, across, 60));
        println!("{law:?}: {coarse} {middle} {fine}");
        assert!(coarse < middle && middle < fine && fine < 1.0, "{coarse} {middle} {fine}");
        assert!(fine > 0.88, "{law:?}: {fine}");
        // The error falls with the square of the size: what is left at none.
        let limit = (16.0 * fine - 9.0 * middle) / 7.0;
        assert!((limit - 1.0).abs() < 0.04, "{law:?}: {coarse} {middle} {fine} lead to {limit}");
    }
}

#[test]
fn all_families_of_solvers_bend_a_bar_alike() {
    let known = sag(EULER, TetraLaw::NeoHookean, 2, 90);
    for kind in [DESCENT, XPBD, SolverKind::SemiImplicitEuler, SolverKind::Rk4] {
        for law in LAWS {
            let found = sag(kind, law, 2, 90);
            assert!((found / known - 1.0).abs() < 0.02, "{kind:?}, {law:?}: {found} and {known}");
        }
    }
}

#[test]
fn rigid_motion_costs_nothing() {
    for law in LAWS {
        let mesh = TetraMesh::block(Vec3::new(0.3, 0.2, 0.1), 0.1).unwrap();
        let body = body(mesh, TetraMaterial::new(law, 1e4, 0.45), 0.1);
        for kind in KINDS {
            let mut world = world(&body, 0.0, kind, |_| false);
            let turn = Quat::from_euler(glam::EulerRot::XYZ, 0.4, 1.1, -0.7);
            let spin = Vec3::new(0.6, -0.3, 0.5);
            let mut state = world.state().clone();
            for i in 0..state.x.len() {
                let x = turn * state.x.get(i);
                state.x.set(i, x + Vec3::new(0.5, 1.0, 0.0));
                state.v.set(i, spin.cross(x));
            }
            world.restore(state);
            let before = measure::energy(world.model(), world.state());
            assert!(before.elastic < 1e-6 * before.kinetic, "{before:?}");
            run(&mut world, 30);
            let after = measure::energy(world.model(), world.state());
            let kept = after.kinetic / before.kinetic;
            assert!((kept - 1.0).abs() < 0.01, "{kind:?}, {law:?}: {kept} of the motion is left");
        }
    }
}

#[test]
fn what_is_let_go_keeps_its_momentum() {
    for law in LAWS {
        let mesh = TetraMesh::block(Vec3::new(0.3, 0.2, 0.1), 0.1).unwrap();
        let body = body(mesh, TetraMaterial::new(law, 1e4, 0.3), 0.001);
        for kind in KINDS {
            let mut world = world(&body, 0.0, kind, |_| false);
            shape(&mut world, |_, x| Vec3::new(1.2 * x.x + 0.3 * x.y, 0.9 * x.y, x.z - 0.2 * x.x));
            run(&mut world, 30);
            let (model, state) = (world.model(), world.state());
            let (p, l) = (measure::momentum(model, state), measure::angular_momentum(model, state));
            // 6 kg.
            assert!(p.length() < 1e-4 * 6.0, "{kind:?}: {p}");
            let turn = if kind.is_explicit() { 1e-5 } else { 2e-3 };
            assert!(l.length() < turn * 6.0, "{kind:?}, {law:?}: {l}");
        }
    }
}

/// A ball of tetrahedra that comes to rest soon.
fn ball(law: TetraLaw) -> SoftBody {
    let skin = ico_sphere(0.2, 3);
    let mesh = TetraMesh::fill(&skin.points, &skin.triangles, 0.1).unwrap();
    let mut ball = body(mesh, TetraMaterial::new(law, 2e4, 0.4), 0.003);
    ball.damping = 0.02;
    ball
}

#[test]
fn squashed_flattened_mirrored_or_in_one_point_it_comes_back_to_its_shape() {
    let hair = |i: usize| {
        let part = |k: usize| 1e-4 * ((i * k % 11) as f32 - 5.0);
        Vec3::new(part(37), part(41), part(47))
    };
    for law in LAWS {
        for kind in [DESCENT, XPBD, EULER] {
            for squash in [
                Vec3::new(1.0, 0.5, 1.0),
                Vec3::new(1.0, 0.0, 1.0),
                Vec3::new(1.0, -1.0, 1.0),
                Vec3::ZERO,
            ] {
                // Under XPBD corotated tetrahedra without any size stay where they are: each pulls its
                // own way, and what they do one after the other would gain energy.
                if (kind, law, squash) == (XPBD, TetraLaw::Corotated, Vec3::ZERO) {
                    continue;
                }
                let mut world = world(&ball(law), 0.0, kind, |_| false);
                let rest = lengths(&world);
                shape(&mut world, |i, x| x * squash + hair(i));
                let before = elastic(&world);
                run(&mut world, 240);
                assert_eq!(measure::nonfinite(world.state()), 0, "{kind:?}");
                let worst = worst(&world, &rest);
                let after = measure::energy(world.model(), world.state());
                assert!(after.total() <= before, "{kind:?}, {squash}: {before} to {after:?}");
                assert!(worst < 0.01, "{kind:?}, {law:?}, {squash}: off by {worst}");
            }
        }
    }
}

#[test]
fn vertex_descent_never_gains_energy() {
    for law in LAWS {
        let mut ball = ball(law);
        ball.damping = 0.0;
        ball.solid.as_mut().unwrap().damping = 0.0;
        let mut world = world(&ball, 0.0, DESCENT, |_| false);
        let scatter = |i: usize, x: Vec3| {
            let part = |k: usize| 0.2 * ((i * k % 101) as f32 / 50.0 - 1.0);
            x + Vec3::new(part(37), part(41), part(47))
        };
        shape(&mut world, scatter);
        let mut before = elastic(&world);
        for _ in 0..60 {
            run(&mut world, 1);
            let now = measure::energy(world.model(), world.state()).total();
            assert!(now <= before * (1.0 + 1e-6) + 1e-9, "{law:?}: {before} to {now} J");
            before = now;
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let skin = torus(0.3, 0.1, [32, 16]);
    for law in LAWS {
        for kind in KINDS {
            let hash = |threads: usize| {
                let mesh = TetraMesh::fill(&skin.points, &skin.triangles, 0.05).unwrap();
                let body = body(mesh, TetraMaterial::new(law, 1e4, 0.4), 0.002);
                let mut world = world(&body, 9.81, kind, |p| p.x < -0.25);
                world.set_threads(threads).unwrap();
                run(&mut world, 2);
                measure::state_hash(world.state())
            };
            let one = hash(1);
            assert!([2, 3, 8].into_iter().all(|threads| hash(threads) == one), "{kind:?}");
        }
    }
}

#[test]
fn a_cut_parts_cloth_and_passes_over_a_solid() {
    // Cloth, solid, cloth: the cut gives the first new points, so that the others are renumbered.
    for kind in [DESCENT, XPBD, EULER, SolverKind::SemiImplicitEuler] {
        let mut builder = ModelBuilder::new(Vec3::NEG_Y * 9.81);
        let sheet = common::cloth([8, 8], 40.0, 0.1);
        builder.add_cloth(&sheet);
        let mesh = TetraMesh::block(Vec3::splat(0.2), 0.1).unwrap();
        let material = TetraMaterial::new(TetraLaw::NeoHookean, 2e4, 0.4);
        let block = builder.add_soft_body(&body(mesh, material, 0.002));
        builder.add_cloth(&sheet);
        let (model, state) = builder.build();
        let before = model.mass[block].iter().sum::<f32>();
        let mut world = World::new(model, state, kind);
        let (rest, tetras) = (lengths(&world), world.model().tetras.tetras().len());
        let eye = Vec3::Y * 5.0;
        let towards = [Vec3::new(-0.02, 0.0, -2.0) - eye, Vec3::new(0.03, 0.0, 2.0) - eye];
        world.send(Command::Cut(Cut { eye, towards }));
        run(&mut world, 10);
        let model = world.model();
        assert!(model.particle_count() > 64 + 64 + 27 + 8);
        assert_eq!(model.tetras.tetras().len(), tetras);
        let body = &model.bodies[1];
        assert_eq!((body.particles.len(), body.closed), (27 + 8, true));
        assert!(
            (model.mass[body.particles.clone()].iter().sum::<f32>() / before - 1.0).abs() < 1e-5
        );
        for t in model.tetras.tetras() {
            assert!(t.corners.iter().all(|&c| body.particles.contains(&(c as usize))));
        }
        // It falls as it is.
        assert!(worst(&world, &rest) < 1e-3, "{kind:?}");
        assert_eq!(measure::nonfinite(world.state()), 0);
    }
}
