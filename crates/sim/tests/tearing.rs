//! Cloth that tears and is cut, in worlds: limits, loads, bits, the way back.

mod common;

use common::{cloth, models, world};
use glam::Vec3;
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{Cloth, ClothShape, SpringModel, TearLimit};
use tkanina_sim::commands::Command;
use tkanina_sim::elements::SpringParams;
use tkanina_sim::forces::{PointAction, PointForce};
use tkanina_sim::measure::state_hash;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::Track;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::tearing::{Cut, pieces};
use tkanina_sim::topology::{GridPlane, GridShape};
use tkanina_sim::world::World;

const DESCENT: SolverKind = SolverKind::VertexDescent { iterations: None };
const FRAME: f64 = 1.0 / 60.0;

fn parts(world: &World) -> usize {
    pieces(world.model().particle_count(), &world.model().triangles)
}

/// A cut straight down through everything, along the line from `a` to `b` of the plane y = 0.
fn down(a: [f32; 2], b: [f32; 2]) -> Command {
    let eye = Vec3::Y * 5.0;
    Command::Cut(Cut { eye, towards: [a, b].map(|[x, z]| Vec3::new(x, 0.0, z) - eye) })
}

fn frames(world: &mut World, count: usize, substeps: u32) {
    for frame in 0..count {
        world.advance_frame(FRAME, substeps).unwrap_or_else(|e| panic!("frame {frame}: {e}"));
    }
}

/// A sheet of 21 × 16 points, notched on the left, whose upper and lower rows are drawn apart.
fn drawn_apart(threads: usize) -> World {
    let structural = SpringParams { stiffness: 300.0, damping: 0.05 };
    let shear = SpringParams { stiffness: 60.0, damping: 0.02 };
    let bend = SpringParams { stiffness: 5.0, damping: 0.0 };
    let sheet = Cloth {
        springs: SpringModel::Neighbours12 { structural, shear, bend },
        tears_at: Some(TearLimit::Stretch(0.2)),
        damping: 0.02,
        ..cloth([21, 16], 0.0, 0.0)
    };
    let mut b = ModelBuilder::new(Vec3::ZERO);
    b.add_cloth(&sheet);
    for (row, way) in [(0, -1.0), (15, 1.0)] {
        let track =
            Track::new(vec![0.0, 2.0], vec![Vec3::ZERO, Vec3::Z * (0.4 * way)], None).unwrap();
        let path = AnchorPath::Track { track, centre: Vec3::ZERO };
        (0..21).for_each(|i| b.hold(row * 21 + i, path.clone(), Grip::RIGID));
    }
    let (model, state) = b.build();
    let mut world = World::new(model, state, DESCENT);
    world.set_threads(threads).unwrap();
    let notch: Vec<[u32; 2]> = (0..4).map(|i| [8 * 21 + i, 8 * 21 + i + 1]).collect();
    world.slit(&notch);
    assert_eq!(world.model().particle_count(), 21 * 16 + 4);
    world
}

#[test]
fn a_notched_sheet_tears_in_two_with_the_same_bits_on_any_number_of_threads() {
    let mut one = drawn_apart(1);
    let mass: f64 = one.model().mass.iter().map(|&m| f64::from(m)).sum();
    frames(&mut one, 120, 8);
    assert_eq!(parts(&one), 2);
    let left: f64 = one.model().mass.iter().map(|&m| f64::from(m)).sum();
    assert_eq!(left, mass);
    for threads in [2, 3, 8] {
        let mut many = drawn_apart(threads);
        frames(&mut many, 120, 8);
        assert_eq!(state_hash(many.state()), state_hash(one.state()), "{threads}");
        assert_eq!(many.state().torn, one.state().torn);
    }
}

#[test]
fn going_back_to_before_a_tear_and_on_gives_the_same_bits() {
    let mut first = drawn_apart(1);
    frames(&mut first, 20, 8);
    let before = first.state().clone();
    frames(&mut first, 50, 8);
    let torn = first.state().clone();
    assert!(torn.x.len() > before.x.len(), "nothing tore in between");
    frames(&mut first, 20, 8);
    let end = state_hash(first.state());
    // On from what is torn, in a world that never saw it tear.
    let mut other = drawn_apart(1);
    other.restore(torn);
    frames(&mut other, 20, 8);
    assert_eq!(state_hash(other.state()), end);
    // Back, and the same way again.
    first.restore(before);
    assert_eq!(first.state().x.len(), first.model().particle_count());
    frames(&mut first, 70, 8);
    assert_eq!(state_hash(first.state()), end);
}

/// A strip two points wide and nine long that hangs from one end and is drawn at the other by
/// `force`; it tears at a stretch of 0.25.
fn strip(force: f32) -> World {
    let along = SpringParams { stiffness: 100.0, damping: 1.0 };
    let none = SpringParams::default();
    let sheet = Cloth {
        shape: ClothShape::Grid(GridShape {
            counts: [9, 2],
            size: [0.8, 0.1],
            plane: GridPlane::Xz,
        }),
        springs: SpringModel::Neighbours12 { structural: along, shear: none, bend: none },
        tears_at: Some(TearLimit::Stretch(0.25)),
        damping: 0.05,
        ..cloth([9, 2], 0.0, 0.0)
    };
    let mut b = ModelBuilder::new(Vec3::ZERO);
    b.add_cloth(&sheet);
    [0, 9].iter().for_each(|&p| b.hold(p, AnchorPath::Fixed, Grip::RIGID));
    // Drawn harder and harder: a load at once would stretch it twice as far on its first swing.
    for k in 0..100 {
        let force = Vec3::X * (force / 100.0);
        let action = PointAction::Hold { force, from: 0.02 * f64::from(k), until: f64::INFINITY };
        b.add_point_force(PointForce { particles: vec![8, 17], action });
    }
    let (model, state) = b.build();
    World::new(model, state, SolverKind::ImplicitEuler(Default::default()))
}

#[test]
fn a_strip_tears_at_the_load_that_stretches_its_springs_to_the_limit() {
    // Two rows of springs share the force: F = 2 k L·0.25 = 5 N, and a row stretches F/2kL.
    for (force, tears) in [(4.7, false), (5.3, true)] {
        let mut world = strip(force);
        for frame in 0..240 {
            world.advance_frame(FRAME, 4).unwrap();
            if parts(&world) > 1 || frame == 239 {
                break;
            }
        }
        assert_eq!(parts(&world) > 1, tears, "{force} N");
        if !tears {
            let x = &world.state().x;
            let stretch = (x.get(4).x - x.get(3).x) / 0.1 - 1.0;
            let wanted = force / (2.0 * 100.0 * 0.1);
            assert!((stretch / wanted - 1.0).abs() < 0.02, "{stretch}, not {wanted}");
            assert_eq!((world.model().topology_version, world.state().torn.is_none()), (1, true));
        }
    }
}

fn kinds() -> Vec<SolverKind> {
    SolverKind::all().collect()
}

#[test]
fn a_cut_through_everything_makes_two_pieces_that_fall_apart_under_every_solver() {
    for (name, sheet) in models() {
        for kind in kinds() {
            let triangles = matches!(sheet.springs, SpringModel::Triangles { .. });
            if triangles && matches!(kind, SolverKind::LineProjection { .. }) {
                continue;
            }
            let mut world = world(common::DOWN, kind, &sheet, &[0, 35]);
            world.send(down([-0.02, -2.0], [0.03, 2.0]));
            let substeps = world.substeps_for(FRAME).min(400.0) as u32;
            frames(&mut world, 6, substeps);
            assert_eq!(parts(&world), 2, "{name} under {}", kind.name());
            assert!(world.model().particle_count() > 42);
            assert_eq!(world.solver_kind(), kind);
            // Both fall: copies of one point need not stay together, and none is left behind.
            let lowest = world.state().x.iter().map(|p| p.y).fold(0.0, f32::min);
            assert!((-0.2..-0.02).contains(&lowest), "{name} under {}: {lowest}", kind.name());
        }
    }
}

#[test]
fn a_cut_keeps_positions_velocities_and_mass() {
    let sheet = Cloth { velocity: Vec3::new(1.0, 2.0, 3.0), ..cloth([12, 12], 40.0, 0.1) };
    let mut world = world(Vec3::ZERO, SolverKind::SemiImplicitEuler, &sheet, &[]);
    world.send(down([-2.0, 0.1], [2.0, -0.2]));
    frames(&mut world, 1, 16);
    assert_eq!(parts(&world), 2);
    let (mass, v) = (&world.model().mass, &world.state().v);
    let sum = |values: &[f32]| -> f64 {
        values.iter().zip(mass).map(|(&v, &m)| f64::from(v) * f64::from(m)).sum()
    };
    let momentum = [sum(&v.x), sum(&v.y), sum(&v.z)];
    for (found, wanted) in momentum.iter().zip([1.44, 2.88, 4.32]) {
        assert!((found / wanted - 1.0).abs() < 1e-5, "{momentum:?}");
    }
}

#[test]
fn half_a_cut_opens_a_slit_and_a_miss_nothing() {
    let sheet = cloth([15, 15], 40.0, 0.1);
    let mut world = world(Vec3::ZERO, DESCENT, &sheet, &[]);
    world.send(down([3.0, -2.0], [3.0, 2.0]));
    world.send(down([0.1, 0.2], [0.1, 0.2]));
    let (nan, eye) = (Vec3::splat(f32::NAN), Vec3::Y);
    world.send(Command::Cut(Cut { eye, towards: [nan, Vec3::X] }));
    world.send(Command::Cut(Cut { eye: nan, towards: [Vec3::Z, Vec3::X] }));
    world.send(Command::Cut(Cut { eye, towards: [Vec3::ZERO, Vec3::X] }));
    // Behind the eye.
    let eye = Vec3::Y * -5.0;
    let away = [Vec3::new(-1.0, -5.0, 0.0), Vec3::new(1.0, -5.0, 0.0)];
    world.send(Command::Cut(Cut { eye, towards: away }));
    frames(&mut world, 1, 2);
    assert!(world.state().torn.is_none());
    world.send(down([-2.0, 0.01], [0.0, 0.01]));
    frames(&mut world, 1, 2);
    assert_eq!(parts(&world), 1);
    // Seven points of the left half lie on the slit.
    assert_eq!(world.model().particle_count(), 225 + 7);
    world.send(down([-0.1, 0.01], [2.0, 0.01]));
    frames(&mut world, 1, 2);
    assert_eq!((parts(&world), world.model().particle_count()), (2, 240));
}

#[test]
fn hands_keep_what_they_hold_across_a_cut() {
    let mut b = ModelBuilder::new(common::DOWN);
    let sheet = cloth([9, 9], 40.0, 0.1);
    b.add_cloth(&sheet);
    let second = Cloth { name: "second".into(), ..sheet };
    let other = b.add_cloth(&second).0.start as u32;
    let (model, state) = b.build();
    let mut world = World::new(model, state, DESCENT);
    // On the line of the cut and in the other body, whose numbers move up.
    world.send(Command::Pin { particles: vec![40, other + 3] });
    world.send(Command::Grab { id: 1, particle: other + 8, target: Vec3::Y });
    frames(&mut world, 2, 4);
    let (pinned, grabbed) = (world.state().x.get(other as usize + 3), other as usize + 8);
    let place = world.state().x.get(grabbed);
    world.send(down([-2.0, 0.0], [2.0, 0.0]));
    frames(&mut world, 1, 4);
    let body = &world.model().bodies[1];
    assert_eq!((body.particles.start, body.particles.len()), (90, 90));
    let hands = &world.state().hands;
    let held: Vec<u32> = hands.pins.iter().map(|pin| pin.particle).collect();
    assert!(held.len() == 3 && held[0] == 40 && held[1] > 80 && held[2] == 93, "{held:?}");
    assert_eq!(world.state().x.get(93), pinned);
    assert_eq!(hands.grabs[0].particle, 98);
    assert!((world.state().x.get(98) - place).length() < 0.2);
    assert!(held.iter().all(|&p| world.model().inverse_mass[p as usize] == 0.0));
}
