//! Bodies that are drawn to a shape, in worlds.

use glam::{Quat, Vec3};
use tkanina_sim::builder::{LatticeBody, ModelBuilder};
use tkanina_sim::colliders::forms::{Triangles, cuboid};
use tkanina_sim::colliders::{Collider, ColliderPlane, ColliderShape};
use tkanina_sim::commands::Command;
use tkanina_sim::contact::{BodyContact, ContactLaw, Rub};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::lattice::{GoalLaw, Voxels, outer_faces};
use tkanina_sim::measure::{angular_momentum, energy, momentum, state_hash};
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::{Pose, Track};
use tkanina_sim::rng::Rng;
use tkanina_sim::soft_body::{SoftBody, SoftMass};
use tkanina_sim::solvers::{SolverKind, choose, refusal};
use tkanina_sim::state::State;
use tkanina_sim::tearing::Cut;
use tkanina_sim::world::World;

const XPBD: SolverKind = SolverKind::Xpbd { iterations: None };

fn block(cells: [u32; 3], spacing: f32) -> Voxels {
    let size = Vec3::from_array(cells.map(|n| n as f32 * spacing));
    let mesh = cuboid(size, cells);
    Voxels::of_mesh(&mesh.points, &mesh.triangles, f64::from(spacing)).unwrap()
}

fn jelly(voxels: Voxels, region_width: usize, law: GoalLaw) -> LatticeBody {
    LatticeBody {
        name: "jelly".into(),
        voxels,
        place: Pose { position: Vec3::Y, rotation: Quat::from_rotation_x(0.4) },
        carried: None,
        velocity: Vec3::ZERO,
        mass: SoftMass::PerPoint(0.01),
        damping: 0.0,
        law,
        region_width,
        breaks_at: f32::INFINITY,
    }
}

/// The same points as those of a lattice, drawn to their shape as a whole.
fn whole(body: &LatticeBody) -> SoftBody {
    let lattice = body.voxels.lattice();
    let points: Vec<Vec3> = (0..lattice.len()).map(|v| lattice.rest(v).as_vec3()).collect();
    let triangles = outer_faces(&body.voxels.corners_in(&lattice));
    SoftBody {
        name: body.name.clone(),
        skin: Triangles { points, triangles },
        place: body.place,
        velocity: body.velocity,
        mass: body.mass,
        edges: SpringParams::default(),
        centre: None,
        gas: None,
        damping: body.damping,
        solid: None,
        cores: None,
        tears_at: f32::INFINITY,
        carried: None,
    }
}

fn floor() -> Collider {
    Collider {
        name: "floor".into(),
        shape: ColliderShape::Plane(ColliderPlane {}),
        rest: Pose::IDENTITY,
        motion: tkanina_sim::motion::Motion::Static,
        friction: 0.4,
        restitution: 0.2,
    }
}

/// Thrown, spinning and out of shape.
fn thrown(state: &mut State, seed: u64) {
    let mut rng = Rng::new(seed);
    let centre: Vec3 = state.x.iter().sum::<Vec3>() / state.x.len() as f32;
    for i in 0..state.x.len() {
        let arm = state.x.get(i) - centre;
        let noise = Vec3::new(
            rng.between(-1.0, 1.0) as f32,
            rng.between(-1.0, 1.0) as f32,
            rng.between(-1.0, 1.0) as f32,
        );
        state.x.set(i, centre + arm * 1.08 + 0.004 * noise);
        state.v.set(i, Vec3::new(0.7, 1.0, -0.3) + Vec3::new(3.0, 5.0, -2.0).cross(arm));
    }
}

fn drawn(body: &LatticeBody, as_whole: bool, gravity: Vec3, with_floor: bool) -> World {
    let mut builder = ModelBuilder::new(gravity);
    if as_whole {
        builder.add_soft_body(&whole(body));
        builder.match_shape(body.law);
    } else {
        builder.add_lattice_body(body);
    }
    if with_floor {
        builder.add_collider(floor());
    }
    let (model, mut state) = builder.build();
    thrown(&mut state, 7);
    World::new(model, state, XPBD)
}

#[test]
fn regions_as_wide_as_the_body_are_the_body_as_a_whole() {
    // One cell thick: every vertex is on the surface.
    let law = GoalLaw { frequency: 12.0, damping: 3.0 };
    let body = jelly(block([4, 1, 3], 0.1), 5, law);
    let g = Vec3::NEG_Y * 9.81;
    let mut worlds = [drawn(&body, false, g, true), drawn(&body, true, g, true)];
    let mut hits = 0;
    for frame in 0..90 {
        for world in &mut worlds {
            world.advance_frame(1.0 / 60.0, 16).unwrap();
        }
        let [a, b] = &worlds;
        hits += a.state().contacts;
        for i in 0..a.state().x.len() {
            let apart = (a.state().x.get(i) - b.state().x.get(i)).length();
            assert!(apart < 1e-4, "frame {frame}, vertex {i}: {apart}");
        }
    }
    assert!(hits > 0, "it never hit the floor");
}

#[test]
fn a_free_body_keeps_its_momenta_and_gains_no_energy() {
    for (as_whole, width) in [(true, 1), (false, 1), (false, 2)] {
        for (frequency, damping) in [(4.0, 0.0), (60.0, 0.0), (1e4, 0.0), (60.0, 8.0)] {
            let body = jelly(block([5, 4, 3], 0.1), width, GoalLaw { frequency, damping });
            let mut world = drawn(&body, as_whole, Vec3::ZERO, false);
            let before = (
                momentum(world.model(), world.state()),
                angular_momentum(world.model(), world.state()),
                energy(world.model(), world.state()),
            );
            let (mut last, mut top) = (before.2.total(), 0.0f64);
            let mut fastest = [0.0f64; 2];
            for frame in 0..120 {
                world.advance_frame(1.0 / 60.0, 16).unwrap();
                let now = energy(world.model(), world.state());
                fastest[frame / 60] = fastest[frame / 60].max(now.kinetic);
                top = top.max(now.total() / last - 1.0);
                last = now.total();
            }
            let p = momentum(world.model(), world.state());
            let l = angular_momentum(world.model(), world.state());
            let case = format!("whole {as_whole}, w {width}, {frequency} Hz, {damping}/s");
            assert!((p - before.0).length() < 2e-4 * before.0.length(), "{case}: {p}");
            assert!((l - before.1).length() < 1e-3 * before.1.length(), "{case}: {l} {}", before.1);
            // What is rigid of the motion is not what fades.
            if frequency < 1e3 {
                assert!(top < 1e-3, "{case}: grew by {top} in a frame");
            }
            // No step follows what is faster, and it holds less than it seems to.
            assert!(fastest[1] <= 1.001 * fastest[0], "{case}: {fastest:?}");
            assert!(fastest[0] < 30.0 * before.2.kinetic, "{case}: {fastest:?}");
            assert!(last > 0.5 * before.2.kinetic, "{case}: {last} of {:?}", before.2);
        }
    }
}

/// Drawn out by 1.1 all round, a body breathes at its frequency: λ = 1 of that mode.
#[test]
fn a_body_breathes_at_its_frequency_whatever_the_step() {
    for substeps in [8, 32] {
        let law = GoalLaw { frequency: 4.0, damping: 0.0 };
        let body = jelly(block([3, 3, 3], 0.1), 1, law);
        let mut builder = ModelBuilder::new(Vec3::ZERO);
        builder.add_soft_body(&whole(&body));
        builder.match_shape(law);
        let (model, mut state) = builder.build();
        let centre: Vec3 = state.x.iter().sum::<Vec3>() / state.x.len() as f32;
        let arm = state.x.get(0) - centre;
        for i in 0..state.x.len() {
            state.x.set(i, centre + (state.x.get(i) - centre) * 1.1);
        }
        let mut world = World::new(model, state, XPBD);
        let size =
            |world: &World| (world.state().x.get(0) - centre).dot(arm) / arm.length_squared();
        // Outwards through rest at 3/4, 7/4, 11/4 of a period.
        let (mut crossings, mut before) = (Vec::new(), size(&world));
        let h = 1.0 / 60.0 / f64::from(substeps);
        for step in 1..=(0.75 / h) as usize {
            world.step(h);
            let now = size(&world);
            if before < 1.0 && now >= 1.0 {
                crossings.push((step as f64 - f64::from((now - 1.0) / (now - before))) * h);
            }
            before = now;
        }
        let period = (crossings[2] - crossings[0]) / 2.0;
        assert!((period * 4.0 - 1.0).abs() < 0.01, "{substeps}: {period} s");
    }
}

#[test]
fn held_points_stay_and_the_rest_hangs_on_them() {
    let law = GoalLaw { frequency: 60.0, damping: 20.0 };
    let place = Pose::at(Vec3::Y);
    let body = LatticeBody { place, damping: 0.1, ..jelly(block([8, 2, 2], 0.1), 2, law) };
    let mut builder = ModelBuilder::new(Vec3::NEG_Y * 9.81);
    let particles = builder.add_lattice_body(&body);
    let wall: Vec<usize> = particles.filter(|&p| builder.position(p).x < -0.39).collect();
    let starts: Vec<Vec3> = wall.iter().map(|&p| builder.position(p)).collect();
    for &p in &wall {
        builder.hold(p, AnchorPath::Fixed, tkanina_sim::builder::Grip::RIGID);
    }
    let (model, state) = builder.build();
    let last = state.x.len() - 1;
    let mut world = World::new(model, state, XPBD);
    for _ in 0..180 {
        world.advance_frame(1.0 / 60.0, 16).unwrap();
    }
    for (&p, start) in wall.iter().zip(starts) {
        assert_eq!(world.state().x.get(p), start);
    }
    let tip = world.state().x.get(last);
    assert!(tip.y < 1.1 - 0.002 && tip.y > 0.3, "{tip}");
    assert!(world.state().v.get(last).length() < 0.01);
}

#[test]
fn threads_and_restarts_do_not_show() {
    let law = GoalLaw { frequency: 40.0, damping: 4.0 };
    let body = jelly(block([12, 12, 10], 0.05), 2, law);
    let new = || drawn(&body, false, Vec3::NEG_Y * 9.81, true);
    let mut hashes = Vec::new();
    for threads in [1, 2, 3, 8] {
        let mut world = new();
        world.set_threads(threads).unwrap();
        for _ in 0..12 {
            world.advance_frame(1.0 / 60.0, 16).unwrap();
        }
        hashes.push(state_hash(world.state()));
    }
    assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "{hashes:?}");
    let mut first = new();
    for _ in 0..6 {
        first.advance_frame(1.0 / 60.0, 16).unwrap();
    }
    let mut second = new();
    second.restore(first.state().clone());
    assert_eq!(second.state(), first.state(), "rotations are part of the state");
    for _ in 0..6 {
        second.advance_frame(1.0 / 60.0, 16).unwrap();
    }
    assert_eq!(state_hash(second.state()), hashes[0]);
    let numbers = &second.state().memory.numbers;
    assert!(numbers[2..].chunks(4).any(|q| q[0] < 0.999), "no rotation is remembered");
    // All in one point: nothing but the last rotations says which way to go.
    let mut point = first.state().clone();
    point.x.fill(Vec3::Y);
    point.v.fill(Vec3::ZERO);
    let mut forgetful = point.clone();
    forgetful.memory.numbers.fill(0.0);
    let after = |state: State| {
        let mut world = new();
        world.restore(state);
        world.advance_frame(1.0 / 60.0, 16).unwrap();
        world.state().x.clone()
    };
    let again = after(point.clone());
    assert_eq!(after(point), again);
    let other = after(forgetful);
    assert!((0..again.len()).any(|i| other.get(i).distance(again.get(i)) > 0.01));
}

#[test]
fn abuse_is_survived_and_the_shape_comes_back() {
    let law = GoalLaw { frequency: 50.0, damping: 20.0 };
    // A medium, so that what spins comes to rest as well.
    let place = Pose::at(Vec3::Y);
    let body = LatticeBody { place, damping: 0.05, ..jelly(block([4, 4, 4], 0.1), 2, law) };
    for as_whole in [false, true] {
        for case in 0..9 {
            let mut builder = ModelBuilder::new(Vec3::ZERO);
            if as_whole {
                builder.add_soft_body(&whole(&body));
                builder.match_shape(law);
            } else {
                builder.add_lattice_body(&body);
            }
            let (model, mut state) = builder.build();
            let mut rng = Rng::new(case);
            for i in 0..state.x.len() {
                let p = state.x.get(i);
                match case {
                    0 => state.x.set(i, Vec3::new(p.x, 1.0, p.z)),
                    1 => state.x.set(i, Vec3::new(-p.x, p.y, p.z)),
                    2 => state.x.set(i, Vec3::Y),
                    _ => {
                        let speed = 1e-3 * 10f64.powi(case as i32 - 3);
                        let mut axis = || rng.between(-speed, speed) as f32;
                        state.v.set(i, Vec3::new(axis(), axis(), axis()));
                    }
                }
            }
            let mut world = World::new(model, state, XPBD);
            for _ in 0..360 {
                world.advance_frame(1.0 / 60.0, 16).unwrap();
            }
            let held = energy(world.model(), world.state()).elastic;
            let mass = 0.01 * world.state().x.len() as f64;
            // What a hundredth of the spacing all over would hold.
            let little = 0.5 * law.rate() * mass * 1e-6;
            let all_finite = world.state().x.iter().all(|x| x.is_finite());
            assert!(all_finite && held.is_finite(), "whole {as_whole}, case {case}");
            assert!(held < little, "whole {as_whole}, case {case}: {held} J, not {little}");
        }
    }
}

#[test]
fn xpbd_alone_draws_bodies_to_shapes() {
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    builder.add_lattice_body(&jelly(block([2, 2, 2], 0.1), 1, GoalLaw::default()));
    let (model, _) = builder.build();
    assert_eq!(choose(&model).kind, XPBD);
    assert_eq!(refusal(XPBD, &model), None);
    let newton = tkanina_sim::solvers::Newton { iterations: None, tolerance: None };
    for kind in [
        SolverKind::SemiImplicitEuler,
        SolverKind::VertexDescent { iterations: None },
        SolverKind::ImplicitEuler(newton),
        SolverKind::LineProjection { iterations: None, embed: None },
        SolverKind::Projective { iterations: None },
    ] {
        let (why, remedy) = refusal(kind, &model).unwrap();
        assert!(why.contains("`jelly`") && remedy.contains("`xpbd`"), "{why} {remedy}");
    }
}

#[test]
fn the_surface_is_closed_and_has_the_cells_volume() {
    use tkanina_sim::topology::Openings;
    let mesh = tkanina_sim::colliders::forms::torus(0.5, 0.13, [24, 10]);
    for spacing in [0.05, 0.08, 0.11, 0.2] {
        let mut voxels = Voxels::of_mesh(&mesh.points, &mesh.triangles, spacing).unwrap();
        voxels.join_touching();
        let lattice = voxels.lattice();
        let points = (0..lattice.len()).map(|v| lattice.rest(v).as_vec3()).collect();
        let triangles = outer_faces(&voxels.corners_in(&lattice));
        let surface = Triangles { points, triangles };
        let openings = Openings::of(&surface);
        assert!(openings.is_sound(), "{spacing}: {:?}", openings.sentences());
        let cells = voxels.len() as f64 * spacing.powi(3);
        assert!((surface.volume() / cells - 1.0).abs() < 1e-5, "{spacing}");
    }
}

/// A bar that is pulled apart at both ends.
fn pulled(breaks_at: f32, touching: bool) -> World {
    let law = GoalLaw { frequency: 60.0, damping: 10.0 };
    let place = Pose::at(Vec3::Y);
    let jelly = jelly(block([12, 4, 4], 0.1), 1, law);
    let body = LatticeBody { place, breaks_at, damping: 0.05, ..jelly };
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    let particles = builder.add_lattice_body(&body);
    for p in particles {
        let x = builder.position(p).x;
        if x.abs() > 0.59 {
            let ends = vec![Vec3::ZERO, Vec3::X * x.signum() * 1.5];
            let track = Track::new(vec![0.0, 3.0], ends, None).unwrap();
            let path = AnchorPath::Track { track, centre: Vec3::ZERO };
            builder.hold(p, path, tkanina_sim::builder::Grip::RIGID);
        }
    }
    if touching {
        builder.set_contact(ContactLaw {
            bodies: vec![BodyContact { touches_itself: false, thickness: 0.004 }],
            thickness: 0.004,
            safe: true,
            rub: Rub { friction: 0.3, restitution: 0.0 },
            pairs: Vec::new(),
        });
    }
    let (model, state) = builder.build();
    World::new(model, state, XPBD)
}

fn frames(world: &mut World, count: usize) {
    for _ in 0..count {
        world.advance_frame(1.0 / 60.0, 16).unwrap();
    }
}

/// Every piece is closed and faces outwards: the volume of its surface is that of its cells at rest.
fn assert_sound(world: &World) {
    let model = world.model();
    let mut cells = 0;
    for goal in &model.goals {
        let shape = goal.lattice().unwrap();
        let lattice = shape.regions.lattice();
        let points = (0..lattice.len()).map(|v| lattice.rest(v).as_vec3()).collect();
        let surface = Triangles { points, triangles: outer_faces(&shape.cells) };
        let wanted = shape.cells.len() as f64 * lattice.spacing().powi(3);
        assert!((surface.volume() / wanted - 1.0).abs() < 1e-4);
        cells += shape.cells.len();
    }
    assert_eq!(cells, world.whole_model().goals[0].lattice().unwrap().cells.len());
    let faces: usize =
        model.goals.iter().map(|goal| outer_faces(&goal.lattice().unwrap().cells).len()).sum();
    assert_eq!(faces, model.triangles.len());
    let mut seen = vec![0; model.particle_count()];
    model.goals.iter().flat_map(|goal| &goal.particles).for_each(|&p| seen[p as usize] += 1);
    assert!(seen.iter().all(|&times| times == 1), "a particle is in no piece, or in two");
}

#[test]
fn a_bar_that_is_pulled_breaks_in_two_and_keeps_its_mass() {
    let mut world = pulled(0.35, true);
    let mass = |world: &World| world.model().mass.iter().map(|&m| f64::from(m)).sum::<f64>();
    let before = mass(&world);
    frames(&mut world, 20);
    assert_eq!(world.pieces(), 1);
    assert!(world.state().torn.is_none());
    let drawn = energy(world.model(), world.state()).elastic;
    frames(&mut world, 130);
    assert_sound(&world);
    assert!((mass(&world) / before - 1.0).abs() < 1e-6);
    let pieces = world.pieces();
    assert!((2..=4).contains(&pieces), "{pieces} pieces");
    assert_eq!(world.model().goals.len(), pieces);
    // What is left at either end is no longer drawn out.
    let held = energy(world.model(), world.state()).elastic;
    assert!(held < 0.02 * drawn, "{held} J of {drawn} J");
    let mut never = pulled(f32::INFINITY, false);
    frames(&mut never, 120);
    assert_eq!(never.pieces(), 1);
}

#[test]
fn breaking_goes_on_from_any_state_with_the_same_bits_on_any_threads() {
    let mut hashes = Vec::new();
    for threads in [1, 2, 3, 8] {
        let mut world = pulled(0.35, true);
        world.set_threads(threads).unwrap();
        frames(&mut world, 100);
        assert!(world.pieces() > 1);
        hashes.push(state_hash(world.state()));
    }
    assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "{hashes:?}");
    let mut first = pulled(0.35, true);
    let mut states = vec![first.state().clone()];
    for _ in 0..100 {
        frames(&mut first, 1);
        states.push(first.state().clone());
    }
    let broken = states.iter().position(|state| state.torn.is_some()).unwrap();
    // Back to before it broke, to the moment, and to a fresh world in pieces.
    for from in [broken - 1, broken, broken + 3, 90] {
        first.restore(states[from].clone());
        frames(&mut first, 100 - from);
        assert_eq!(state_hash(first.state()), hashes[0], "from {from}, broken at {broken}");
    }
    let model = first.whole_model().clone();
    let mut second = World::new(model, states[90].clone(), XPBD);
    frames(&mut second, 10);
    assert_eq!(state_hash(second.state()), hashes[0]);
}

#[test]
fn a_cut_parts_a_lattice_where_it_passes() {
    let mut world = pulled(f32::INFINITY, false);
    // A plane across the bar at x = 0.13, between two rays that pass over and under it.
    let eye = Vec3::new(0.13, 1.0, 5.0);
    let towards = [Vec3::new(0.0, 1.0, -5.0), Vec3::new(0.0, -1.0, -5.0)];
    world.send(Command::Cut(Cut { eye, towards }));
    frames(&mut world, 1);
    assert_sound(&world);
    assert_eq!(world.pieces(), 2);
    // It follows the squares next to it.
    let sizes: Vec<usize> =
        world.model().goals.iter().map(|goal| goal.lattice().unwrap().cells.len()).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 12 * 16);
    assert!(sizes == [8 * 16, 4 * 16] || sizes == [7 * 16, 5 * 16], "{sizes:?}");
}
