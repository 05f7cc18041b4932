//! Meshes cut into cells, and carried by them.

use glam::{DQuat, DVec3, Vec3};

use super::*;
use crate::colliders::forms::{Triangles, cuboid, sphere, torus};
use crate::rng::Rng;
use crate::soa::Soa3;

fn cut(mesh: &Triangles, spacing: f64) -> Voxels {
    Voxels::of_mesh(&mesh.points, &mesh.triangles, spacing).unwrap()
}

fn centre(voxels: &Voxels, cell: [usize; 3]) -> DVec3 {
    voxels.origin() + voxels.spacing() * DVec3::from_array(cell.map(|i| i as f64 + 0.5))
}

fn all_cells(voxels: &Voxels) -> impl Iterator<Item = [usize; 3]> {
    let [nx, ny, nz] = voxels.counts();
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
}

#[test]
fn a_box_is_all_its_cells_and_no_more() {
    let voxels = cut(&cuboid(Vec3::new(0.4, 0.3, 0.2), [3, 2, 1]), 0.1);
    assert_eq!(voxels.counts(), [4, 3, 2]);
    assert_eq!(voxels.len(), 24);
    let lattice = voxels.lattice();
    assert_eq!(lattice.len(), 5 * 4 * 3);
    assert_eq!(lattice.links().count(), 4 * 4 * 3 + 5 * 3 * 3 + 5 * 4 * 2);
    let volume: f64 = (0..lattice.len()).map(|v| lattice.volume_share(v)).sum();
    assert!((volume - 24.0).abs() < 1e-12);
    let block = Lattice::block([5, 4, 3], 0.1);
    for v in 0..lattice.len() {
        assert!((lattice.rest(v) - block.rest(v)).length() < 1e-7);
        assert_eq!(lattice.volume_share(v), block.volume_share(v));
    }
}

#[test]
fn balls_and_rings_keep_what_is_inside_and_nothing_far_outside() {
    let h = 0.07;
    let reach = 0.5 * 3.0f64.sqrt() * h;
    let ball = cut(&sphere(0.5, [48, 24]), h);
    for cell in all_cells(&ball) {
        let outside = centre(&ball, cell).length() - 0.5;
        // Facets are less than 5 mm inside the sphere.
        assert!(!(outside < -0.005) || ball.is_kept(cell), "{cell:?}");
        assert!(!(outside > reach) || !ball.is_kept(cell), "{cell:?}");
    }
    let ring = cut(&torus(0.6, 0.2, [48, 24]), h);
    for cell in all_cells(&ring) {
        let p = centre(&ring, cell);
        let outside = DVec3::new(p.x.hypot(p.z) - 0.6, p.y, 0.0).length() - 0.2;
        assert!(!(outside < -0.005) || ring.is_kept(cell), "{cell:?}");
        assert!(!(outside > reach) || !ring.is_kept(cell), "{cell:?}");
    }
    assert_eq!(pieces(&ring.lattice()).count, 1);
}

#[test]
fn a_hollow_stays_hollow_and_facing_inward_is_no_matter() {
    let mut shell = sphere(0.5, [32, 16]);
    let inner = sphere(0.3, [32, 16]);
    let base = shell.points.len() as u32;
    shell.points.extend(&inner.points);
    shell.triangles.extend(inner.triangles.iter().map(|&[a, b, c]| [a + base, c + base, b + base]));
    let voxels = cut(&shell, 0.05);
    let middle = voxels.counts().map(|n| n / 2);
    assert!(!voxels.is_kept(middle));
    shell.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    assert_eq!(cut(&shell, 0.05), voxels);
    let mut ball = sphere(0.5, [32, 16]);
    // Open at a pole: still mostly closed.
    ball.triangles.truncate(ball.triangles.len() - 32);
    assert!(cut(&ball, 0.05).is_kept(middle));
}

#[test]
fn bad_meshes_are_refused_or_cut_as_they_are() {
    let of = |points: &[Vec3], triangles: &[[u32; 3]], h| Voxels::of_mesh(points, triangles, h);
    let p = [Vec3::ZERO, Vec3::X, Vec3::Y];
    assert_eq!(of(&[], &[], 0.1), Err(VoxelError::Empty));
    assert_eq!(of(&p, &[[0, 1, 3]], 0.1), Err(VoxelError::NoSuchPoint(0)));
    assert!(matches!(of(&p, &[[0, 1, 2]], f64::NAN), Err(VoxelError::Spacing(_))));
    assert_eq!(of(&p, &[[0, 1, 2]], 0.0), Err(VoxelError::Spacing(0.0)));
    let far = [Vec3::ZERO, Vec3::NAN, Vec3::Y];
    assert_eq!(of(&far, &[[0, 1, 2]], 0.1), Err(VoxelError::NotFinite(1)));
    let Err(VoxelError::TooMany { enough, .. }) = of(&p, &[[0, 1, 2]], 1e-7) else {
        panic!("too many cells are refused")
    };
    assert!(of(&p, &[[0, 1, 2]], enough).is_ok());
    let huge = [Vec3::splat(-3e38), Vec3::splat(3e38), Vec3::X];
    assert!(matches!(of(&huge, &[[0, 1, 2]], 0.1), Err(VoxelError::TooMany { .. })));
    assert!(of(&huge, &[[0, 1, 2]], 1e37).is_ok());
    // One point three times, and a sheet: cells that they touch.
    assert_eq!(of(&p, &[[1, 1, 1]], 0.1).unwrap().len(), 1);
    assert_eq!(of(&p, &[[0, 1, 2]], 0.5).unwrap().counts(), [2, 2, 1]);
    assert!(!of(&p, &[[0, 1, 2]], 0.1).unwrap().lattice().is_empty());
}

#[test]
fn embedded_points_follow_affine_motion_exactly() {
    let mesh = torus(0.6, 0.2, [40, 20]);
    let voxels = cut(&mesh, 0.11);
    let lattice = voxels.lattice();
    let mut points = mesh.points.clone();
    // Outside of everything as well.
    points.extend([Vec3::new(2.0, -1.0, 0.3), Vec3::ZERO]);
    let embedding = Embedding::new(&voxels, &lattice, &points);
    assert_eq!(embedding.len(), points.len());
    let motion = |p: DVec3| {
        let p = DQuat::from_rotation_z(0.7) * (p * DVec3::new(1.3, 0.8, 1.1));
        (p + DVec3::new(0.5 * p.y, 1.0, -2.0)).as_vec3()
    };
    let x: Vec<Vec3> = (0..lattice.len()).map(|v| motion(lattice.rest(v))).collect();
    let mut carried = Soa3::zeros(points.len());
    embedding.carry(&Soa3::from_points(&x), &mut carried);
    for (i, p) in points.iter().enumerate() {
        let off = (carried.get(i) - motion(p.as_dvec3())).length();
        let reach = if i + 2 < points.len() { 1e-6 } else { 1e-4 };
        assert!(off < reach, "{i} {off}");
        let (_, weights) = embedding.carriers(i);
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-2);
        if i + 2 < points.len() {
            assert!(weights.iter().all(|w| (-1e-3..1.001).contains(w)), "{i} {weights:?}");
        }
    }
}

#[test]
fn random_triangles_do_no_harm() {
    let mut rng = Rng::new(5);
    for _ in 0..60 {
        let size = libm::pow(10.0, rng.between(-30.0, 30.0));
        let mut c = || rng.between(-size, size) as f32;
        let points: Vec<Vec3> = (0..12).map(|_| Vec3::new(c(), c(), c())).collect();
        let corner = |i: u64| (i % 12) as u32;
        let triangles: Vec<[u32; 3]> =
            (0..8u64).map(|i| [corner(i), corner(5 * i + 1), corner(7 * i + 3)]).collect();
        let voxels = Voxels::of_mesh(&points, &triangles, size * 0.15).unwrap();
        let lattice = voxels.lattice();
        assert!(!lattice.is_empty());
        assert_eq!(Embedding::new(&voxels, &lattice, &points).len(), 12);
    }
}
