//! Line projection of what is no grid: the ladder, ties, seams and chains.

mod common;

use common::{DOWN, G, cloth, models, spring, world};
use glam::Vec3;
use tkanina_sim::builder::{Grip, GripSpring, ModelBuilder};
use tkanina_sim::cloth::{AngleBending, Cloth};
use tkanina_sim::measure;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::world::World;

const FRAME: f64 = 1.0 / 60.0;

const LINES: SolverKind = SolverKind::LineProjection { iterations: None, embed: None };

/// Meshes of springs, with and without hinges.
fn meshes() -> Vec<Cloth> {
    let (_, mesh) = models().into_iter().find(|(name, _)| *name == "mesh").unwrap();
    let mut hinged = mesh.clone();
    hinged.bending = Some(AngleBending { stiffness: 1e-3, damping: 1e-5 });
    vec![mesh, hinged]
}

#[test]
fn one_springs_alone_move_nothing() {
    for cloth in meshes() {
        for h in [1.0 / 600.0, FRAME] {
            let mut w = world(Vec3::ZERO, LINES, &cloth, &[]);
            let start = w.state().x.clone();
            (0..120).for_each(|_| w.step(h));
            for (i, x) in start.iter().enumerate() {
                let moved = (w.state().x.get(i) - x).length();
                assert!(moved <= 1e-6, "{h} s: {i} moved {moved}");
            }
        }
    }
}

#[test]
fn two_all_fall_alike_and_nothing_stretches() {
    for cloth in meshes() {
        let (h, n) = (1.0 / 300.0, 300.0);
        let mut w = world(DOWN, LINES, &cloth, &[]);
        let start = w.state().x.clone();
        (0..300).for_each(|_| w.step(h));
        let expected = -0.5 * f64::from(G) * h * h * n * (n + 1.0);
        for (i, x) in start.iter().enumerate() {
            let way = f64::from(w.state().x.get(i).y - x.y);
            // Positions are f32 and velocities their differences.
            assert!((way / expected - 1.0).abs() < 2e-4, "{way} instead of {expected}");
        }
        let elastic = measure::energy(w.model(), w.state()).elastic;
        assert!(elastic < 1e-7, "springs hold {elastic} J");
    }
}

#[test]
fn springy_pins_and_seams_hold_and_break() {
    let mut b = ModelBuilder::new(DOWN);
    let grip = |breaks_at| GripSpring { stiffness: 50.0, damping: 1.0, breaks_at };
    let [a, c, weak] = [0.0, 0.2, 0.4].map(|z| b.add_particle(0.1, Vec3::Z * z, Vec3::ZERO));
    let until = f64::INFINITY;
    b.hold(a, AnchorPath::Fixed, Grip { spring: Some(grip(None)), until });
    b.sew(a, c, grip(None));
    b.hold(weak, AnchorPath::Fixed, Grip { spring: Some(grip(Some(0.5))), until });
    let (model, state) = b.build();
    let mut w = World::new(model, state, LINES);
    (0..600).for_each(|_| w.advance_frame(FRAME, 8).unwrap());
    // a carries both, the seam one of them.
    let [a, c] = [a, c].map(|i| w.state().x.get(i));
    let sag = 0.1 * G / 50.0;
    assert!((a - Vec3::Y * (-2.0 * sag)).length() < 1e-3, "{a}");
    assert!((c - Vec3::Y * (-3.0 * sag)).length() < 1e-3, "{c}");
    assert_eq!(w.state().broken, [false, false, true]);
    assert!(w.state().x.get(weak).y < -100.0);
}

#[test]
fn a_grid_hangs_by_springy_pins() {
    let mut sheet = cloth([12, 12], 500.0, 0.2);
    sheet.damping = 0.05;
    let mut b = ModelBuilder::new(DOWN);
    b.add_cloth(&sheet);
    let spring = Some(GripSpring { stiffness: 100.0, damping: 2.0, breaks_at: None });
    for i in 0..12 {
        b.hold(i, AnchorPath::Fixed, Grip { spring, until: f64::INFINITY });
    }
    let (model, state) = b.build();
    let mut w = World::new(model, state, LINES);
    (0..900).for_each(|_| w.advance_frame(FRAME, 6).unwrap());
    let force: f32 = (0..12).map(|i| -100.0 * w.state().x.get(i).y).sum();
    let weight = 144.0 * 0.01 * G;
    assert!((force / weight - 1.0).abs() < 0.02, "pins bear {force} N of {weight} N");
}

#[test]
fn a_hanging_chain_is_as_long_as_its_weights_make_it() {
    // The i-th of n springs carries n − i masses: Σ m g (n − i)/k more than at rest.
    let (n, k, m) = (12, 200.0, 0.05);
    let mut b = ModelBuilder::new(DOWN);
    for i in 0..=n {
        b.add_particle(m, Vec3::Y * (-0.1 * i as f32), Vec3::ZERO);
    }
    b.hold(0, AnchorPath::Fixed, Grip::RIGID);
    for i in 0..n {
        b.add_spring(spring(i, i + 1, 0.1, k, 10.0));
    }
    let (model, state) = b.build();
    let mut w =
        World::new(model, state, SolverKind::LineProjection { iterations: Some(60), embed: None });
    (0..400).for_each(|_| w.advance_frame(FRAME, 2).unwrap());
    for i in 1..=n {
        let longer: f32 = (1..=i).map(|j| m * G * (n - j + 1) as f32 / k).sum();
        let expected = -0.1 * i as f32 - longer;
        let y = w.state().x.get(i).y;
        assert!((y / expected - 1.0).abs() < 1e-3, "{i} at {y}, not {expected}");
    }
}

#[test]
fn a_sewn_pair_of_panels_holds_together() {
    let mut upper = meshes().remove(1);
    upper.name = "upper".into();
    let mut lower = upper.clone();
    lower.name = "lower".into();
    lower.place.position = Vec3::Z;
    let mut b = ModelBuilder::new(DOWN);
    let (first, _) = b.add_cloth(&upper);
    let (second, _) = b.add_cloth(&lower);
    for i in 0..7 {
        b.hold(first.start + i, AnchorPath::Fixed, Grip::RIGID);
        let seam = GripSpring { stiffness: 500.0, damping: 1.0, breaks_at: None };
        b.sew(first.end - 7 + i, second.start + i, seam);
    }
    let (model, state) = b.build();
    let mut w = World::new(model, state, LINES);
    let substeps = w.substeps_for(FRAME) as u32;
    for frame in 0..300 {
        w.advance_frame(FRAME, substeps).unwrap();
        let apart =
            |i: usize| w.state().x.get(first.end - 7 + i) - w.state().x.get(second.start + i);
        let widest = (0..7).map(|i| apart(i).length()).fold(0.0, f32::max);
        assert!(widest < 0.02, "frame {frame}: {widest} m apart");
    }
}
