//! What vertex descent promises, checked on G itself.

use glam::{DVec3, Vec3};

use super::*;
use crate::builder::{Grip, GripSpring, ModelBuilder};
use crate::cloth::{AngleBending, Cloth, ClothShape, MassRule, SpringModel};
use crate::elements::SpringParams;
use crate::forces::{Conditions, Workspace};
use crate::measure::energy;
use crate::model::AnchorPath;
use crate::rng::Rng;
use crate::topology::{GridPlane, GridShape};

fn springs(stiffness: f32) -> SpringModel {
    let params = SpringParams { stiffness, damping: 0.01 * stiffness.sqrt() };
    SpringModel::Neighbours12 { structural: params, shear: params, bend: params }
}

fn triangles(stiffness: f32) -> SpringModel {
    let shear = 0.3 * stiffness;
    SpringModel::Triangles { warp: stiffness, weft: 0.7 * stiffness, shear, damping_ratio: 0.1 }
}

/// A cloth with everything that G can hold: damped springs or triangles, plates, a seam, a
/// springy pin, a rigid one, and strain limits if asked for.
fn everything(springs: SpringModel, bending: f32, limited: bool) -> (Model, State) {
    let grid = GridShape { counts: [6, 5], size: [1.0, 0.8], plane: GridPlane::Xz };
    let mut b = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    b.add_cloth(&Cloth {
        velocity: Vec3::new(0.3, 0.0, -1.0),
        bending: Some(AngleBending { stiffness: bending, damping: 0.01 * bending }),
        plate: true,
        max_stretch: limited.then_some(0.05),
        ..Cloth::new("sheet", ClothShape::Grid(grid), MassRule::PerPoint(0.01), springs)
    });
    let spring = GripSpring { stiffness: 200.0, damping: 0.5, breaks_at: None };
    b.hold(0, AnchorPath::Fixed, Grip::RIGID);
    b.hold(5, AnchorPath::Fixed, Grip { spring: Some(spring), until: f64::INFINITY });
    b.sew(24, 29, spring);
    b.build()
}

/// A step of `h` that begins with the positions changed by `shape`.
fn begun(
    (model, mut state): (Model, State),
    h: f64,
    mut shape: impl FnMut(Vec3) -> Vec3,
) -> SolverVertexDescent {
    for i in 1..state.x.len() {
        let x = shape(state.x.get(i));
        state.x.set(i, x);
    }
    let mut solver = SolverVertexDescent::new(&model, None);
    solver.prepare(&mut state);
    let mut conditions = Conditions::at(&model, &state);
    conditions.begin_step(&model, &state, h);
    let mut workspace = Workspace::new(&model);
    let mut context = StepContext {
        together: crate::solvers::Together::ALONE,
        model: &model,
        h,
        conditions: &mut conditions,
        workspace: &mut workspace,
        contacts: None,
        probe: &mut None,
    };
    solver.potential.begin(&state, &mut context);
    solver.budget.start(&solver.potential, &state.v, &mut solver.x);
    solver
}

fn random(rng: &mut Rng, size: f64) -> Vec3 {
    let mut c = || rng.between(-size, size) as f32;
    Vec3::new(c(), c(), c())
}

/// Where a point of the sheet is put.
type Shape = Box<dyn FnMut(Vec3) -> Vec3>;

/// Shapes that no solver likes.
fn shapes() -> [(&'static str, Shape); 5] {
    let (mut wild, mut near) = (Rng::new(7), Rng::new(8));
    [
        ("random", Box::new(move |_| random(&mut wild, 1.0))),
        ("disturbed", Box::new(move |x| x + random(&mut near, 0.1))),
        ("inverted", Box::new(|x| Vec3::new(-x.x, x.y, x.z))),
        ("flattened", Box::new(|x| Vec3::new(x.x, 0.0, 0.0))),
        ("one point", Box::new(|_| Vec3::ZERO)),
    ]
}

#[test]
fn no_sweep_raises_the_energy_whatever_the_shape_stiffness_and_step() {
    let laws: [fn(f32) -> SpringModel; 2] = [springs, triangles];
    for (law, stiffness) in laws.iter().flat_map(|l| [0.1, 100.0, 1e4, 1e6].map(|k| (l, k))) {
        for (bending, h) in [(1e-4, 1e-4), (0.1, 1e-3), (10.0, 1.0 / 60.0), (1e-3, 0.1)] {
            for (name, shape) in shapes() {
                let mut s = begun(everything(law(stiffness), bending, false), h, shape);
                let mut before = s.potential.energy(&s.x);
                assert!(before <= s.potential.energy(&s.potential.start) * (1.0 + 1e-12));
                for sweep in 0..20 {
                    s.sweep();
                    let now = s.potential.energy(&s.x);
                    assert!(
                        now <= before * (1.0 + 1e-12),
                        "{name}, {:?}, bending {bending}, h {h}: sweep {sweep} went from \
                         {before} to {now}",
                        law(stiffness)
                    );
                    before = now;
                }
                assert!(s.x.iter().all(|x| x.is_finite()));
            }
        }
    }
}

#[test]
fn sweeps_end_where_the_slope_is_zero() {
    for (law, limited) in
        [(springs(300.0), false), (springs(300.0), true), (triangles(60.0), false)]
    {
        let mut s = begun(everything(law, 1e-2, limited), 0.01, |x| x * 1.03);
        let mut slope = vec![DVec3::ZERO; s.x.len()];
        let largest = |s: &SolverVertexDescent, slope: &mut [DVec3]| {
            s.potential.gradient(&s.x, slope);
            slope.iter().map(|g| g.length()).fold(0.0, f64::max)
        };
        let before = largest(&s, &mut slope);
        for _ in 0..400 {
            s.sweep();
        }
        let after = largest(&s, &mut slope);
        assert!(before > 0.1 && after < 1e-7 * before, "{law:?}: {before} {after}");
    }
}

#[test]
fn whatever_has_no_higher_potential_ends_without_more_energy_than_before() {
    // Past y by 0.6 of the way: less inertia than at the start, 2.6 times the kinetic energy.
    let (model, mut state) = everything(springs(0.1), 1e-5, false);
    let before = energy(&model, &state);
    let mut s = begun((model.clone(), state.clone()), 0.01, |x| x);
    for (i, x) in s.x.iter_mut().enumerate().filter(|(i, _)| !s.potential.is_held(*i)) {
        *x = s.potential.start[i] + 1.6 * (s.potential.target[i] - s.potential.start[i]);
    }
    assert!(s.potential.energy(&s.x) <= s.potential.energy(&s.potential.start));
    s.budget.settle(&s.potential, &mut s.x, &mut state);
    let after = energy(&model, &state);
    assert!(after.total() <= before.total(), "{before:?} {after:?}");
    assert!(after.kinetic > 0.5 * before.kinetic, "no more than that: {before:?} {after:?}");
}

#[test]
fn the_slope_is_that_of_the_energy() {
    for law in [springs(300.0), triangles(300.0)] {
        let mut rng = Rng::new(11);
        let noise = move |x: Vec3| x + random(&mut rng, 0.05);
        let mut s = begun(everything(law, 1.0, true), 0.01, noise);
        // Away from the start, so that dashpots act.
        let mut rng = Rng::new(12);
        s.x.iter_mut().skip(1).for_each(|x| *x += random(&mut rng, 0.02).as_dvec3());
        // Multipliers, so that the limits' part is more than a penalty.
        (0..3).for_each(|_| s.potential.limits.learn(&s.x));
        let mut slope = vec![DVec3::ZERO; s.x.len()];
        s.potential.gradient(&s.x, &mut slope);
        let scale = slope.iter().map(|g| g.length()).fold(0.0, f64::max);
        for i in 1..s.x.len() {
            for axis in 0..3 {
                let energy = |shift: f64| {
                    let mut x = s.x.clone();
                    x[i][axis] += shift;
                    s.potential.energy(&x)
                };
                let expected = (energy(1e-6) - energy(-1e-6)) / 2e-6;
                assert!(
                    (slope[i][axis] - expected).abs() < 1e-6 * scale,
                    "{i} {axis}: {}",
                    slope[i]
                );
            }
        }
    }
}
