//! A medium slows what moves in it and carries nothing of what hangs in it.

mod common;

use common::{DOWN, G, cloth, spring};
use glam::{Quat, Vec3};
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{ClothShape, SpringModel};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::solvers::{Newton, SolverKind};
use tkanina_sim::world::World;

const LINKS: usize = 8;
const MASS: f32 = 0.05;
const STIFFNESS: f32 = 200.0;

/// Damping of a link, so that all come to rest in the time given. [N·s/m]
const DASHPOT: f32 = 10.0;

/// Damping of a point: two thirds of its mass in a step of 1/60 s. [kg/s]
const DAMPING: f32 = 2.0;

/// The stable methods with iterations enough that a step is solved.
fn exact() -> [SolverKind; 8] {
    let (newton, iterations) = (Newton { iterations: None, tolerance: Some(1e-6) }, Some(60));
    [
        SolverKind::ImplicitEuler(newton),
        SolverKind::ImplicitMidpoint(newton),
        SolverKind::Bdf2(newton),
        SolverKind::Sdirk2 { newton, error: None },
        SolverKind::Projective { iterations },
        SolverKind::Xpbd { iterations },
        SolverKind::LineProjection { iterations, embed: None },
        SolverKind::VertexDescent { iterations },
    ]
}

/// Springs of their own, one below the other.
fn chain(damping: f32, kind: SolverKind) -> World {
    let mut b = ModelBuilder::new(DOWN);
    for i in 0..=LINKS {
        b.add_particle(MASS, Vec3::Y * (-0.1 * i as f32), Vec3::ZERO);
    }
    b.hold(0, AnchorPath::Fixed, Grip::RIGID);
    (0..LINKS).for_each(|i| b.add_spring(spring(i, i + 1, 0.1, STIFFNESS, DASHPOT)));
    let (mut model, state) = b.build();
    model.damping.fill(damping);
    World::new(model, state, kind)
}

/// The same as two lines of a grid that nothing else holds together.
fn strip(damping: f32, kind: SolverKind) -> World {
    hung_grid([2, LINKS + 1], damping, SpringParams::default(), kind)
}

/// A grid of these counts that hangs by its first row.
fn hung_grid(counts: [usize; 2], damping: f32, bend: SpringParams, kind: SolverKind) -> World {
    let mut sheet = cloth(counts, STIFFNESS, DASHPOT);
    let ClothShape::Grid(grid) = &mut sheet.shape else { unreachable!() };
    grid.size = counts.map(|n| 0.1 * (n - 1) as f32);
    let structural = SpringParams { stiffness: STIFFNESS, damping: DASHPOT };
    let shear = SpringParams::default();
    sheet.springs = SpringModel::Neighbours12 { structural, shear, bend };
    sheet.mass = tkanina_sim::cloth::MassRule::PerPoint(MASS);
    sheet.damping = damping;
    // Rows go along z: turned so that they hang.
    sheet.place.rotation = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let pins: Vec<usize> = (0..counts[0]).collect();
    common::world(DOWN, kind, &sheet, &pins)
}

/// How much longer the whole is than without weight, after a rest of four seconds. [m]
fn sag(mut w: World) -> f32 {
    (0..240).for_each(|_| w.advance_frame(1.0 / 60.0, 1).unwrap());
    let (first, last) = (w.state().x.get(0), w.state().x.get(w.state().x.len() - 1));
    first.y - last.y - 0.1 * LINKS as f32
}

#[test]
fn what_hangs_in_a_medium_hangs_as_low_as_without() {
    // The i-th link carries all below it: Σ i·m g/k.
    let known = (LINKS * (LINKS + 1) / 2) as f32 * MASS * G / STIFFNESS;
    for kind in exact() {
        for damping in [0.0, DAMPING] {
            for (what, found) in
                [("chain", sag(chain(damping, kind))), ("strip", sag(strip(damping, kind)))]
            {
                let off = (found / known - 1.0).abs();
                assert!(off < 5e-3, "{kind:?}, {what}, b {damping}: {found} m, not {known} m");
            }
        }
    }
}

#[test]
fn dashpots_of_bend_springs_bear_nothing_at_rest() {
    let bend = SpringParams { stiffness: 100.0, damping: DASHPOT };
    for kind in exact() {
        let mut world = hung_grid([5, LINKS + 1], 0.0, bend, kind);
        (0..240).for_each(|_| world.advance_frame(1.0 / 60.0, 16).unwrap());
        let weights = world.model().inverse_mass.clone();
        let forces: Vec<Vec3> = world.forces().iter().collect();
        let left = forces.iter().zip(weights).filter(|(_, w)| *w > 0.0);
        let worst = left.map(|(f, _)| f.length()).fold(0.0, f32::max) / (MASS * G);
        assert!(worst < 0.05, "{kind:?}: {worst} of a point's weight is not borne by springs");
    }
}
