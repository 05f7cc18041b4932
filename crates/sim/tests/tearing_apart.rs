//! What comes apart parts without passing through what lies close to it.

mod common;

use common::touching::{LINES, law};
use glam::Vec3;
use tkanina_sim::builder::{LatticeBody, ModelBuilder};
use tkanina_sim::cloth::{Cloth, ClothShape, MassRule, SpringModel};
use tkanina_sim::colliders::forms::cuboid;
use tkanina_sim::commands::Command;
use tkanina_sim::elements::SpringParams;
use tkanina_sim::lattice::{GoalLaw, Voxels};
use tkanina_sim::measure;
use tkanina_sim::motion::Pose;
use tkanina_sim::soft_body::SoftMass;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::tearing::Cut;
use tkanina_sim::world::World;

const N: usize = 7;

/// A roof of N × N points with its ridge along z, lowered by `down`.
fn roof(name: &str, down: f32) -> Cloth {
    let at = |i: usize| 0.05 * (i as f32 - 0.5 * (N - 1) as f32);
    let point = |p: usize| Vec3::new(at(p % N), -at(p % N).abs() - down, at(p / N));
    let corner = |i: usize, j: usize| (j * N + i) as u32;
    let faces = (0..(N - 1) * (N - 1)).flat_map(|c| {
        let (i, j) = (c % (N - 1), c / (N - 1));
        let [a, b] = [corner(i, j), corner(i + 1, j)];
        let [c, d] = [corner(i, j + 1), corner(i + 1, j + 1)];
        [vec![a, c, b], vec![b, c, d]]
    });
    let shape = ClothShape::Mesh {
        points: (0..N * N).map(point).collect(),
        faces: faces.collect(),
        uvs: Vec::new(),
    };
    let spring = SpringParams { stiffness: 100.0, damping: 0.01 };
    let springs = SpringModel::Neighbours12 { structural: spring, shear: spring, bend: spring };
    Cloth::new(name, shape, MassRule::AreaDensity(0.2), springs)
}

/// Two roofs, one under the other by `gap`, the upper one slit across its ridge.
fn slit_over(gap: f32) -> (World, bool) {
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    builder.add_cloth(&roof("upper", 0.0));
    builder.add_cloth(&roof("lower", gap));
    builder.set_contact(law(2, 0.3));
    let (model, state) = builder.build();
    let mut world = World::new(model, state, LINES);
    assert_eq!(measure::crossings(world.model(), world.state()), []);
    let row = |i: usize| (N * (N / 2) + i) as u32;
    let cut: Vec<[u32; 2]> = (0..N - 1).map(|i| [row(i), row(i + 1)]).collect();
    let opened = world.slit(&cut);
    (world, opened)
}

#[test]
fn copies_of_a_ridge_stay_above_what_lies_microns_below() {
    for gap in [1e-3, 2e-6, 3e-7, 2e-8] {
        let (mut world, opened) = slit_over(gap);
        let new = world.model().particle_count() - 2 * N * N;
        // Nearer than copies have to go, what cannot part stays whole.
        assert_eq!((opened, new == N), (new > 0, gap > 1e-7), "{gap}: {new} new points");
        let found = measure::crossings(world.model(), world.state());
        assert!(found.is_empty(), "{gap}: {} crossings, {:?}", found.len(), found[0]);
        for frame in 0..20 {
            world.advance_frame(1.0 / 60.0, 12).unwrap();
            let found = measure::crossings(world.model(), world.state());
            assert!(found.is_empty(), "{gap}: {} crossings in frame {frame}", found.len());
        }
    }
}

/// A bar of lattice cells, bent upwards in its middle, over a sheet that is bent with it `gap` below.
fn bent_bar(gap: f32) -> World {
    let spacing = 0.05;
    let size = Vec3::new(8.0, 2.0, 2.0) * spacing;
    let mesh = cuboid(size, [8, 2, 2]);
    let voxels = Voxels::of_mesh(&mesh.points, &mesh.triangles, f64::from(spacing)).unwrap();
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    builder.add_lattice_body(&LatticeBody {
        name: "bar".into(),
        voxels,
        place: Pose::IDENTITY,
        carried: None,
        velocity: Vec3::ZERO,
        mass: SoftMass::PerPoint(0.01),
        damping: 0.0,
        law: GoalLaw { frequency: 20.0, damping: 1.0 },
        region_width: 1,
        breaks_at: f32::INFINITY,
    });
    builder.add_cloth(&roof("sheet", 0.0));
    builder.set_contact(law(2, 0.3));
    let (model, mut state) = builder.build();
    let bar = model.bodies[0].particles.clone();
    // Both follow y = −|x|; the bar's lower face is on it, the sheet below it.
    for i in 0..state.x.len() {
        let x = state.x.get(i);
        let y = if bar.contains(&i) { x.y + 0.05 - x.x.abs() } else { x.y - gap };
        state.x.set(i, Vec3::new(x.x, y, x.z));
    }
    World::new(model, state, SolverKind::Xpbd { iterations: None })
}

#[test]
fn pieces_of_a_bar_stay_above_what_lies_microns_below() {
    for gap in [1e-3, 1e-6, 1e-8] {
        let mut world = bent_bar(gap);
        assert_eq!(measure::crossings(world.model(), world.state()), []);
        let eye = Vec3::new(0.02, 0.0, 5.0);
        let towards = [Vec3::new(0.0, 1.0, -5.0), Vec3::new(0.0, -0.1, -5.0)];
        world.send(Command::Cut(Cut { eye, towards }));
        for frame in 0..10 {
            world.advance_frame(1.0 / 60.0, 16).unwrap();
            let found = measure::crossings(world.model(), world.state());
            assert!(found.is_empty(), "{gap}: {} crossings in frame {frame}", found.len());
        }
        let goals = world.model().goals.len();
        println!("{gap}: {goals} pieces");
        assert!(gap < 1e-7 || goals == 2, "{gap}: {goals} pieces");
    }
}
