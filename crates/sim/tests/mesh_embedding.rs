//! Line projection of irregular meshes: by their own edges and carried by a grid.

mod common;

use common::{DOWN, G};
use glam::{Quat, Vec3};
use tkanina_sim::builder::{Grip, GripSpring, ModelBuilder};
use tkanina_sim::cloth::{AngleBending, Cloth, ClothShape, MassRule, SpringModel};
use tkanina_sim::commands::Command;
use tkanina_sim::elements::SpringParams;
use tkanina_sim::measure;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::rng::Rng;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::topology::IrregularSheet;
use tkanina_sim::world::World;

const FRAME: f64 = 1.0 / 60.0;

fn lines(embed: bool) -> SolverKind {
    SolverKind::LineProjection { iterations: None, embed: Some(embed) }
}

/// The stiff cloth of the benchmarks, 2 m × 2 m, of n² points.
fn cloth(n: usize) -> Cloth {
    let sheet = IrregularSheet::new([n, n], [2.0, 2.0], 7);
    let params = |stiffness| SpringParams { stiffness, damping: 0.0 };
    let faces = sheet.faces();
    Cloth {
        bending: Some(AngleBending { stiffness: 1e-4, damping: 0.0 }),
        ..Cloth::new(
            "sheet",
            ClothShape::Mesh { points: sheet.points, faces, uvs: sheet.uvs },
            MassRule::AreaDensity(0.2),
            SpringModel::Neighbours12 {
                structural: params(2e4),
                shear: params(1e3),
                bend: params(0.0),
            },
        )
    }
}

fn without_uvs(mut cloth: Cloth) -> Cloth {
    if let ClothShape::Mesh { uvs, .. } = &mut cloth.shape {
        uvs.clear();
    }
    cloth
}

fn world(gravity: Vec3, kind: SolverKind, cloth: &Cloth, pins: &[usize]) -> World {
    common::world(gravity, kind, cloth, pins)
}

fn stretch(w: &World) -> f64 {
    measure::stretch(w.model().edges.edges(), &w.state().x).max
}

fn frames(w: &mut World, count: usize) {
    let substeps = w.substeps_for(FRAME) as u32;
    (0..count).for_each(|_| w.advance_frame(FRAME, substeps).unwrap());
}

#[test]
fn one_springs_alone_move_nothing() {
    for embed in [false, true] {
        for cloth in [cloth(20), without_uvs(cloth(20))] {
            let mut w = world(Vec3::ZERO, lines(embed), &cloth, &[]);
            let start = w.state().x.clone();
            frames(&mut w, 60);
            let moved = (0..start.len()).map(|i| (w.state().x.get(i) - start.get(i)).length());
            let farthest = moved.fold(0.0, f32::max);
            assert!(farthest <= 3e-5, "embed {embed}: {farthest}");
        }
    }
}

#[test]
fn two_all_fall_alike_and_nothing_stretches() {
    for embed in [false, true] {
        let mut cloth = cloth(20);
        cloth.place.rotation = Quat::from_rotation_x(0.4);
        let mut w = world(DOWN, lines(embed), &cloth, &[]);
        let start = w.state().x.clone();
        let (h, n) = (1.0 / 480.0, 480.0);
        (0..480).for_each(|_| w.step(h));
        let expected = -0.5 * f64::from(G) * h * h * n * (n + 1.0);
        for (i, x) in start.iter().enumerate() {
            let way = f64::from(w.state().x.get(i).y - x.y);
            assert!((way / expected - 1.0).abs() < 1e-3, "embed {embed}: {way} not {expected}");
        }
        assert!(stretch(&w) < 1e-3, "embed {embed}: {}", stretch(&w));
    }
}

#[test]
fn a_hung_mesh_keeps_its_length_and_what_is_held_stays() {
    for embed in [false, true] {
        for cloth in [cloth(50), without_uvs(cloth(50))] {
            let mut w = world(DOWN, lines(embed), &cloth, &[0, 49]);
            let corners = [0, 49].map(|i| w.state().x.get(i));
            let mut worst = 0.0f64;
            for frame in 0..300 {
                frames(&mut w, 1);
                assert_eq!([0, 49].map(|i| w.state().x.get(i)), corners);
                worst = worst.max(if frame >= 30 { stretch(&w) } else { 0.0 });
            }
            assert!(stretch(&w) < 0.02, "embed {embed}: {} at the end", stretch(&w));
            assert!(worst < 0.1, "embed {embed}: {worst} on the way");
            let lowest = w.state().x.y.iter().copied().fold(0.0, f32::min);
            assert!(lowest < -0.5, "it hangs: {lowest}");
        }
    }
}

#[test]
fn a_vertex_held_inside_a_cell_stays() {
    let (n, pin) = (30, 7 * 30 + 12);
    for embed in [false, true] {
        let mut w = world(DOWN, lines(embed), &cloth(n), &[pin]);
        let at = w.state().x.get(pin);
        frames(&mut w, 200);
        assert_eq!(w.state().x.get(pin), at);
        // All hangs on one point, where warp and weft lie alongside each other.
        assert!(stretch(&w) < 0.15, "embed {embed}: {}", stretch(&w));
    }
}

#[test]
fn momentum_is_kept_where_nothing_holds() {
    for embed in [false, true] {
        let mut w = world(Vec3::ZERO, lines(embed), &cloth(24), &[]);
        let (mut state, mut rng) = (w.state().clone(), Rng::new(4));
        for i in 0..state.v.len() {
            let mut c = || rng.between(-2.0, 2.0) as f32;
            state.v.set(i, Vec3::new(1.0 + c(), 0.5 + c(), c()));
        }
        w.restore(state);
        let before = measure::momentum(w.model(), w.state());
        frames(&mut w, 60);
        let after = measure::momentum(w.model(), w.state());
        assert!(
            (after - before).length() < 2e-3 * before.length(),
            "embed {embed}: {before} {after}"
        );
    }
}

#[test]
fn an_impulse_between_steps_reaches_the_grid() {
    for embed in [false, true] {
        let mut w = world(Vec3::ZERO, lines(embed), &cloth(24), &[]);
        frames(&mut w, 2);
        let impulse = Vec3::new(0.0, 0.08, 0.0);
        let particles = (0..24 * 24).collect();
        w.send(Command::Impulse { particles, impulse });
        frames(&mut w, 30);
        let momentum = measure::momentum(w.model(), w.state());
        let error = (momentum - impulse.as_dvec3()).length();
        assert!(error < 2e-3 * 0.08, "embed {embed}: {momentum}");
    }
}

#[test]
fn bits_do_not_depend_on_threads() {
    for embed in [false, true] {
        let run = |threads: usize| {
            let mut w = world(DOWN, lines(embed), &cloth(110), &[0, 109]);
            w.set_threads(threads).unwrap();
            frames(&mut w, 6);
            measure::state_hash(w.state())
        };
        let expected = run(1);
        for threads in [2, 8] {
            assert_eq!(run(threads), expected, "embed {embed}, {threads} threads");
        }
    }
}

#[test]
fn no_step_takes_memory_after_the_first_frame() {
    for embed in [false, true] {
        let mut w = world(DOWN, lines(embed), &cloth(30), &[0, 29]);
        frames(&mut w, 2);
        let taken = allocation_counter::measure(|| (0..20).for_each(|_| w.step(1.0 / 480.0)));
        assert_eq!(taken.count_total, 0, "embed {embed}");
    }
}

#[test]
fn a_state_gone_back_to_goes_on_with_the_same_bits() {
    for embed in [false, true] {
        let mut w = world(DOWN, lines(embed), &cloth(24), &[0, 23]);
        frames(&mut w, 20);
        let middle = w.state().clone();
        frames(&mut w, 10);
        let expected = measure::state_hash(w.state());
        w.restore(middle);
        frames(&mut w, 10);
        assert_eq!(measure::state_hash(w.state()), expected, "embed {embed}");
    }
}

/// Cloth of any faces.
fn patched(points: Vec<Vec3>, faces: Vec<Vec<u32>>) -> Cloth {
    let mut cloth = cloth(4);
    cloth.shape = ClothShape::Mesh { points, faces, uvs: Vec::new() };
    cloth
}

#[test]
fn meshes_with_faults_do_not_panic() {
    let IrregularSheet { points, triangles, .. } = IrregularSheet::new([20, 20], [2.0, 2.0], 1);
    let mut faces: Vec<Vec<u32>> = triangles.iter().map(|t| t.to_vec()).collect();
    let mut points = points;
    // A fin on an edge, a triangle without area, one twice, a point of no face, two in one place.
    points.extend([Vec3::Y, Vec3::new(0.3, 2.0, 0.3), Vec3::Y]);
    let fin = points.len() as u32 - 3;
    faces.extend([vec![21, 22, fin], vec![0, 1, 1], faces[3].clone(), vec![22, fin, fin + 2]]);
    let flat_fin = {
        let mut points = points.clone();
        let middle = 0.5 * (points[21] + points[22]) + 0.02 * Vec3::Z;
        points[fin as usize] = middle;
        points[fin as usize + 2] = middle;
        points
    };
    for points in [points, flat_fin] {
        for embed in [None, Some(false), Some(true)] {
            let kind = SolverKind::LineProjection { iterations: None, embed };
            let mut w = world(DOWN, kind, &patched(points.clone(), faces.clone()), &[0]);
            frames(&mut w, 30);
            assert_eq!(measure::nonfinite(w.state()), 0);
        }
    }
}

#[test]
fn a_panel_that_is_no_rectangle_is_helped_or_carried_by_part_of_a_grid() {
    // Two legs: what lies between them is no cloth, and must not hold them together.
    let IrregularSheet { points, triangles, .. } = IrregularSheet::new([40, 40], [2.0, 2.0], 2);
    let between = |i: &u32| {
        let p = points[*i as usize];
        (0.7..1.3).contains(&p.x) && p.z > 0.6
    };
    let faces: Vec<Vec<u32>> =
        triangles.iter().filter(|t| !t.iter().any(between)).map(|t| t.to_vec()).collect();
    for embed in [false, true] {
        let mut w = world(DOWN, lines(embed), &patched(points.clone(), faces.clone()), &[0, 39]);
        let mut state = w.state().clone();
        for (i, p) in points.iter().enumerate().filter(|(_, p)| p.z > 0.6) {
            state.v.set(i, Vec3::X * if p.x < 1.0 { -0.5 } else { 0.5 });
        }
        w.restore(state);
        let feet = [39 * 40, 40 * 40 - 1];
        let mut widest = 0.0f32;
        for _ in 0..120 {
            frames(&mut w, 1);
            let [a, b] = feet.map(|i| w.state().x.get(i));
            widest = widest.max((b - a).length());
            assert_eq!(measure::nonfinite(w.state()), 0);
        }
        assert!(stretch(&w) < 0.1, "embed {embed}: {}", stretch(&w));
        assert!(widest > 2.1, "embed {embed}: the legs do not part: {widest}");
    }
}

#[test]
fn a_sewn_pair_of_irregular_panels_holds_together() {
    let n = 20;
    let upper = cloth(n);
    let mut lower = upper.clone();
    lower.name = "lower".into();
    lower.place.position = Vec3::Z * 2.0;
    // Seen in a mirror, so that the borders fit.
    if let ClothShape::Mesh { points, .. } = &mut lower.shape {
        points.iter_mut().for_each(|p| p.z = 2.0 - p.z);
    }
    let mut b = ModelBuilder::new(DOWN);
    let (first, _) = b.add_cloth(&upper);
    let (second, _) = b.add_cloth(&lower);
    for i in 0..n {
        b.hold(first.start + i, AnchorPath::Fixed, Grip::RIGID);
        let seam = GripSpring { stiffness: 2e3, damping: 1.0, breaks_at: None };
        b.sew(first.end - n + i, second.end - n + i, seam);
    }
    let (model, state) = b.build();
    let kind = SolverKind::LineProjection { iterations: None, embed: None };
    let mut w = World::new(model, state, kind);
    for frame in 0..180 {
        frames(&mut w, 1);
        let gap =
            |i: usize| w.state().x.get(first.end - n + i) - w.state().x.get(second.end - n + i);
        let widest = (0..n).map(|i| gap(i).length()).fold(0.0, f32::max);
        assert!(widest < 0.01, "frame {frame}: {widest} m apart");
    }
    assert!(stretch(&w) < 0.03, "{}", stretch(&w));
}
