//! Ropes that are cut, and ropes beside cloth that is.

mod common;

use common::ropes::{law_of, lead, line, rope};
use common::touching::{LINES, sheet};
use glam::Vec3;
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::measure;
use tkanina_sim::motion::Pose;
use tkanina_sim::strands::{Root, RootPath, StrandLaw};
use tkanina_sim::topology::GridPlane;
use tkanina_sim::world::World;

#[test]
fn a_segment_that_is_cut_holds_nothing() {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    let held = line(Vec3::new(-0.3, 0.0, 0.0), Vec3::new(0.3, 0.0, 0.0), 41);
    let held = builder.add_strands(&rope("held", held, 0.3, StrandLaw::Rod));
    for end in [held.start, held.end - 1] {
        lead(&mut builder, end, Vec3::ZERO, [0.0, 1.0, f64::INFINITY]);
    }
    let hung = line(Vec3::new(0.002, 0.012, -0.2), Vec3::new(0.002, 0.012, 0.2), 27);
    let hung = builder.add_strands(&rope("hung", hung, 0.3, StrandLaw::Rod));
    builder.set_contact(law_of(2, true));
    let (model, state) = builder.build();
    let mut world = World::new(model, state, LINES);
    let highest =
        |world: &World| hung.clone().map(|i| world.state().x.y[i]).fold(f32::MIN, f32::max);
    let go = |world: &mut World| {
        for _ in 0..60 {
            world.advance_frame(1.0 / 60.0, 16).unwrap();
            assert_eq!(measure::crossings(world.model(), world.state()), []);
        }
    };
    go(&mut world);
    assert!(highest(&world) > -0.1, "it hangs at {}", highest(&world));
    let mut state = world.state().clone();
    state.fibres.cut = vec![20];
    world.restore(state);
    go(&mut world);
    assert!(highest(&world) < -0.5, "it hangs at {}", highest(&world));
}

#[test]
fn ropes_stay_as_they_are_where_cloth_before_them_is_slit() {
    let n = 9;
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    builder.add_cloth(&sheet("sheet", n, Pose::at(Vec3::ZERO), GridPlane::Xz));
    let start = line(Vec3::new(-0.2, 0.1, 0.03), Vec3::new(0.3, 0.1, 0.03), 31);
    let mut rod = rope("rope", start, 0.3, StrandLaw::Rod);
    rod.strands[0].root = Root { path: RootPath::Fixed, clamped: true };
    let rod = builder.add_strands(&rod);
    builder.set_contact(law_of(2, true));
    let (model, state) = builder.build();
    let mut world = World::new(model, state, LINES);
    let of = |world: &World, first: usize| -> Vec<[Vec3; 3]> {
        let state = world.state();
        let at = |i: usize| [state.x.get(i), state.v.get(i), state.fibres.directors.get(i)];
        (first..first + rod.len()).map(at).collect()
    };
    for _ in 0..5 {
        world.advance_frame(1.0 / 60.0, 16).unwrap();
    }
    let before = of(&world, rod.start);
    let middle: Vec<[u32; 2]> =
        (1..n as u32 - 2).map(|i| [4 * n as u32 + i, 4 * n as u32 + i + 1]).collect();
    assert!(world.slit(&middle));
    let strand = world.model().strands[0].strands[0].clone();
    let new = world.model().particle_count() - n * n - rod.len();
    assert!(new > 0 && strand.first as usize == rod.start + new, "{} for {new} more", strand.first);
    assert_eq!(of(&world, strand.first as usize), before);
    for _ in 0..40 {
        world.advance_frame(1.0 / 60.0, 16).unwrap();
        assert_eq!(measure::crossings(world.model(), world.state()), []);
    }
    let x = &world.state().x;
    let held = strand.held();
    assert_eq!(held.clone().map(|i| x.get(i)).collect::<Vec<_>>(), [before[0][0], before[1][0]]);
    for i in strand.particles().skip(1) {
        let long = x.get(i).distance(x.get(i - 1)) / strand.edge;
        assert!((0.97..1.031).contains(&long), "{i}: {long}");
    }
}
