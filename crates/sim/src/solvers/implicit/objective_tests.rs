//! Slopes and curvature of what a stage minimises, with every type of element at once.

use glam::{DVec3, Vec3};

use super::matrix::BlockMatrix;
use super::objective::Objective;
use crate::builder::{Grip, GripSpring, ModelBuilder};
use crate::cloth::{AngleBending, Cloth, ClothShape, MassRule, SpringModel};
use crate::forces::Conditions;
use crate::model::AnchorPath;
use crate::rng::Rng;
use crate::topology::{GridPlane, GridShape};

/// A small cloth with every type of element, damped, at positions of a given spread [m];
/// around its own shape, or anywhere.
fn sample(rng: &mut Rng, spread: f64, anywhere: bool) -> (Objective, Vec<DVec3>) {
    let shape = GridShape { counts: [4, 3], size: [0.6, 0.4], plane: GridPlane::Xz };
    let sheet = |springs| Cloth {
        bending: Some(AngleBending { stiffness: 0.5, damping: 0.01 }),
        plate: true,
        ..Cloth::new("sheet", ClothShape::Grid(shape), MassRule::PerPoint(1e-4), springs)
    };
    let (warp, weft, shear, damping_ratio) = (40.0, 30.0, 8.0, 0.3);
    let mut b = ModelBuilder::new(Vec3::ZERO);
    b.add_cloth(&sheet(SpringModel::Membrane { warp, weft, shear, damping_ratio }));
    b.add_cloth(&sheet(SpringModel::Triangles { warp, weft, shear, damping_ratio }));
    let spring = GripSpring { stiffness: 20.0, damping: 0.2, breaks_at: None };
    b.hold(3, AnchorPath::Fixed, Grip { spring: Some(spring), until: 1.0 });
    b.sew(4, 14, spring);
    let (model, state) = b.build();
    let mut objective = Objective::new(&model);
    let conditions = Conditions::at(&model, &state);
    objective.look_around(&model, &conditions);
    let mut place = |around: f64| -> Vec<DVec3> {
        let mut c = || rng.between(-spread, spread);
        let own = state.x.iter().map(|x| x.as_dvec3() * around);
        own.map(|x| x + DVec3::new(c(), c(), c())).collect()
    };
    let around = if anywhere { 0.0 } else { 1.0 };
    let (base, target, z) = (place(around), place(around), place(around));
    objective.target.copy_from_slice(&target);
    objective.inertia.fill(0.3);
    objective.begin(&base, 0.01);
    (objective, z)
}

#[test]
fn the_gradient_is_the_slope_of_what_is_minimised() {
    let mut rng = Rng::new(4);
    for (spread, anywhere) in [(0.01, false), (0.05, false), (0.3, true)] {
        let (mut objective, z) = sample(&mut rng, spread, anywhere);
        let mut gradient = vec![DVec3::ZERO; z.len()];
        objective.gradient(&z, &mut gradient);
        let scale = gradient.iter().map(|g| g.length()).fold(0.0, f64::max);
        for (i, axis) in (0..z.len()).flat_map(|i| (0..3).map(move |a| (i, a))) {
            let mut value = |shift: f64| {
                let mut z = z.clone();
                z[i][axis] += shift;
                objective.value(&z)
            };
            let slope = (value(1e-7) - value(-1e-7)) / 2e-7;
            let error = (slope - gradient[i][axis]).abs();
            assert!(error < 1e-4 * scale, "spread {spread}, {i}: {slope} {}", gradient[i]);
        }
    }
}

#[test]
fn the_hessian_is_symmetric_without_negative_eigenvalues_in_any_shape() {
    let mut rng = Rng::new(6);
    for (spread, anywhere) in [(0.0, false), (0.05, false), (0.2, false), (0.01, true), (1.0, true)]
    {
        let (mut objective, z) = sample(&mut rng, spread, anywhere);
        // Without inertia and with next to no damping, which would hide them.
        objective.inertia.fill(0.0);
        objective.begin(&z, 1e6);
        let mut gradient = vec![DVec3::ZERO; z.len()];
        objective.gradient(&z, &mut gradient);
        objective.assemble();
        let dense = dense(&objective.matrix, z.len());
        let scale = dense.iter().flatten().fold(0.0f64, |a, b| a.max(b.abs()));
        for (i, row) in dense.iter().enumerate() {
            for (j, &entry) in row.iter().enumerate() {
                assert!((entry - dense[j][i]).abs() <= 1e-12 * scale);
            }
        }
        assert!(smallest_pivot(dense) > -1e-9 * scale, "spread {spread}, anywhere {anywhere}");
    }
}

fn dense(matrix: &BlockMatrix, particles: usize) -> Vec<Vec<f64>> {
    let mut columns = Vec::new();
    let fixed = vec![false; particles];
    for column in 0..3 * particles {
        let mut p = vec![DVec3::ZERO; particles];
        p[column / 3][column % 3] = 1.0;
        let mut out = p.clone();
        matrix.multiply(&fixed, &p, &mut out);
        columns.push(out.iter().flat_map(|v| v.to_array()).collect());
    }
    columns
}

/// Elimination with the largest diagonal first: a negative eigenvalue leaves a negative pivot.
fn smallest_pivot(mut a: Vec<Vec<f64>>) -> f64 {
    let mut left: Vec<usize> = (0..a.len()).collect();
    let scale = a.iter().enumerate().map(|(i, row)| row[i].abs()).fold(0.0, f64::max);
    let mut smallest = 0.0f64;
    while let Some(at) =
        (0..left.len()).max_by(|&i, &j| a[left[i]][left[i]].total_cmp(&a[left[j]][left[j]]))
    {
        let i = left.swap_remove(at);
        let pivot = a[i][i];
        smallest = smallest.min(pivot);
        if pivot.abs() <= 1e-12 * scale {
            continue;
        }
        let row = a[i].clone();
        for &j in &left {
            let factor = a[j][i] / pivot;
            left.iter().for_each(|&k| a[j][k] -= factor * row[k]);
        }
    }
    smallest
}
