//! Fields of forms whose distance is known.

use std::f64::consts::TAU;

use glam::{DVec3, Vec3};

use super::*;
use crate::colliders::forms::{Triangles, bowl, cuboid, sphere, table, torus};
use crate::rng::Rng;

fn field(mesh: &Triangles, cell: f64) -> DistanceField {
    DistanceField::new(mesh, Some(cell), 0.002).unwrap()
}

fn torus_distance(p: DVec3, radius: f64, tube: f64) -> f64 {
    let ring = DVec3::new(p.x, 0.0, p.z).length() - radius;
    (ring * ring + p.y * p.y).sqrt() - tube
}

fn random(rng: &mut Rng, size: f64) -> DVec3 {
    let mut next = || rng.between(-size, size);
    DVec3::new(next(), next(), next())
}

/// Greatest error near the surface and anywhere, over random points in the grid.
fn errors(field: &DistanceField, exact: impl Fn(DVec3) -> f64, near: f64) -> [f64; 2] {
    let mut rng = Rng::new(11);
    let mut most = [0.0f64; 2];
    for _ in 0..40_000 {
        let p = random(&mut rng, 0.3);
        if field.grid.holds(p) {
            let d = exact(p);
            let error = (f64::from(field.signed_distance(p.as_vec3())) - d).abs();
            most[1] = most[1].max(error);
            if d.abs() < near {
                most[0] = most[0].max(error);
            }
        }
    }
    most
}

#[test]
fn distances_to_a_torus_are_within_the_stated_bounds() {
    let (radius, tube, cell) = (0.15, 0.05, 0.005);
    let (around, across) = (256.0, 96.0);
    let field = field(&torus(radius, tube, [256, 96]), cell);
    let [near, anywhere] = errors(&field, |p| torus_distance(p, radius, tube), 2.0 * cell);
    // (c²/8)(1/R₁ + 1/R₂) two cells inside, R₁ the tube's radius there and R₂ the inner ring's;
    // besides, the mesh is inside the torus by its sagittas.
    let (r1, r2) = (tube - 2.0 * cell, radius - tube - 2.0 * cell);
    let sagitta = |r: f64, n: f64| r * (1.0 - libm::cos(0.5 * TAU / n));
    let mesh = sagitta(radius + tube, around) + sagitta(tube, across);
    let bound = cell * cell / 8.0 * (1.0 / r1 + 1.0 / r2) + mesh;
    assert!(near <= bound, "{near} > {bound}");
    assert!(near > 0.1 * cell * cell / 8.0 / tube, "{near}: too good to be true");
    let report = field.report();
    assert!(anywhere <= report.bound + mesh, "{anywhere} > {}", report.bound);
    assert!(report.off <= bound, "{}", report.off);
}

#[test]
fn distances_to_a_box_are_within_the_bound_and_worst_at_its_edges() {
    let half = DVec3::new(0.2, 0.1, 0.15);
    let field = field(&cuboid((2.0 * half).as_vec3(), [1; 3]), 0.01);
    let exact = |p: DVec3| {
        let q = p.abs() - half;
        q.max(DVec3::ZERO).length() + q.max_element().min(0.0)
    };
    let [_, anywhere] = errors(&field, exact, 0.0);
    assert!(anywhere <= field.report().bound, "{anywhere}");
    // Over the middle of a face the distance is linear, and exact but for rounding.
    let over = Vec3::new(0.01, 0.123, 0.02);
    assert!((field.signed_distance(over) - 0.023).abs() < 1e-6);
}

#[test]
fn signs_are_right_in_a_bowl_in_overlapping_boxes_and_inside_out() {
    let deep = field(&bowl(0.2, 0.03, [64, 32]), 0.01);
    for (y, inside) in [(-0.02, false), (0.015, true), (0.05, false), (0.19, false)] {
        let d = deep.signed_distance(Vec3::Y * y);
        assert_eq!(d < 0.0, inside, "{y}: {d}");
    }
    let boxes = field(&table(Vec3::new(0.4, 0.3, 0.4), 0.05, 0.05), 0.01);
    for (p, inside) in [
        (Vec3::new(0.15, 0.1, 0.15), true),
        (Vec3::new(0.15, 0.28, 0.15), true),
        (Vec3::new(0.0, 0.1, 0.0), false),
        (Vec3::new(0.0, 0.28, 0.0), true),
    ] {
        assert_eq!(boxes.signed_distance(p) < 0.0, inside, "{p}");
    }
    let mut flipped = sphere(0.2, [32, 16]);
    flipped.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    assert!(field(&flipped, 0.02).signed_distance(Vec3::ZERO) < -0.15);
}

#[test]
fn open_flat_and_huge_meshes_are_refused() {
    let mut open = sphere(0.2, [16, 8]);
    open.triangles.pop();
    assert_eq!(DistanceField::new(&open, None, 0.0).err(), Some(FieldError::Open { edges: 3 }));
    let square = [Vec3::ZERO, Vec3::X, Vec3::Z].to_vec();
    let flat = Triangles { points: square, triangles: vec![[0, 1, 2], [0, 2, 1]] };
    assert_eq!(DistanceField::new(&flat, None, 0.0).err(), Some(FieldError::Flat));
    let ball = sphere(0.2, [16, 8]);
    let Err(FieldError::TooLarge { nodes, cell }) = DistanceField::new(&ball, Some(1e-4), 0.0)
    else {
        panic!("accepted");
    };
    assert!(nodes > MAX_NODES);
    let count = 0.4 / cell + 6.0;
    assert!(count * count * count < MAX_NODES as f64 * 1.05, "{cell}");
}

#[test]
fn paths_stop_where_they_come_in_however_fast() {
    let ring = field(&torus(0.15, 0.05, [128, 48]), 0.005);
    let exact = |p: DVec3| torus_distance(p, 0.15, 0.05);
    let mut rng = Rng::new(5);
    let (mut hits, mut misses) = (0, 0);
    for case in 0..4_000 {
        let from = random(&mut rng, 0.4);
        let to = random(&mut rng, if case % 2 == 0 { 0.4 } else { 4.0 });
        // Away from the surface by more than the field may be wrong.
        let error = 0.0015;
        if exact(from) < 0.002 + 2.0 * error {
            continue;
        }
        let steps = 2000;
        let along = |s: f64| from + (to - from) * s;
        let least = (0..=steps)
            .map(|i| exact(along(f64::from(i) / f64::from(steps))))
            .fold(f64::INFINITY, f64::min);
        match ring.hit(from.as_vec3(), to.as_vec3(), 0.002) {
            Some(hit) => {
                assert!(least < 0.002 + error + 1e-3, "{case}: a hit {least} m away");
                let at = exact(hit.point.as_dvec3());
                assert!((at - 0.002).abs() < error, "{case}: held at {at}");
                hits += 1;
            }
            None => {
                assert!(least > 0.002 - error, "{case}: passes {least} m deep");
                misses += 1;
            }
        }
    }
    assert!(hits > 300 && misses > 300, "{hits} {misses}");
}

#[test]
fn nonsense_paths_touch_nothing() {
    let ball = field(&sphere(0.2, [16, 8]), 0.02);
    let (out, nan) = (Vec3::splat(9.0), Vec3::new(f32::NAN, 0.0, 0.0));
    assert!(ball.hit(out, nan, 0.0).is_none() && ball.hit(nan, out, 0.0).is_none());
    assert!(ball.hit(out, Vec3::INFINITY, 0.0).is_none());
    assert!(ball.hit(out, out, 0.0).is_none());
    // From the middle out: let go. Into it: put out.
    assert!(ball.hit(Vec3::ZERO, out, 0.0).is_none());
    let hit = ball.hit(Vec3::ZERO, Vec3::X * 0.1, 0.0).unwrap();
    assert!((hit.point - Vec3::X * 0.2).length() < 0.01, "{hit:?}");
}
