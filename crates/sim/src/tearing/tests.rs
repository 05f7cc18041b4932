//! Tears of known outcome, and a great many of unknown one.

use std::collections::BTreeMap;

use glam::Vec3;

use super::*;
use crate::builder::ModelBuilder;
use crate::cloth::{AngleBending, Cloth, ClothShape, MassRule, SpringModel};
use crate::elements::{SpringBatch, SpringKind, SpringParams};
use crate::rng::Rng;
use crate::soa::Soa3;
use crate::topology::{GridPlane, GridShape, IrregularSheet};

fn cloth(shape: ClothShape) -> Cloth {
    Cloth {
        velocity: Vec3::X,
        bending: Some(AngleBending { stiffness: 1e-3, damping: 1e-5 }),
        plate: true,
        drag_per_area: 0.6,
        ..Cloth::new(
            "sheet",
            shape,
            MassRule::AreaDensity(0.137),
            SpringModel::Neighbours20(SpringParams { stiffness: 40.0, damping: 0.1 }),
        )
    }
}

fn grid(counts: [usize; 2]) -> ClothShape {
    let size = counts.map(|n| 0.1 * (n - 1) as f32);
    ClothShape::Grid(GridShape { counts, size, plane: GridPlane::Xz })
}

fn built(cloths: &[Cloth]) -> (Model, State) {
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    cloths.iter().for_each(|cloth| drop(builder.add_cloth(cloth)));
    builder.build()
}

/// A grid whose first and last column are one: a tube without ends in one direction.
fn tube(ni: usize, nj: usize) -> ClothShape {
    let angle = |i: usize| i as f32 * std::f32::consts::TAU / ni as f32;
    let point = |i: usize, j: usize| Vec3::new(angle(i).cos(), 0.2 * j as f32, angle(i).sin());
    let at = |i: usize, j: usize| (j * ni + i % ni) as u32;
    let cells = || (0..nj - 1).flat_map(|j| (0..ni).map(move |i| (i, j)));
    ClothShape::Mesh {
        points: (0..ni * nj).map(|p| point(p % ni, p / ni)).collect(),
        faces: cells()
            .flat_map(|(i, j)| {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
                [vec![a, b, c], vec![b, d, c]]
            })
            .collect(),
        uvs: Vec::new(),
    }
}

fn irregular(seed: u32) -> ClothShape {
    let sheet = IrregularSheet::new([9, 8], [1.0, 0.9], u64::from(seed));
    ClothShape::Mesh { faces: sheet.faces(), points: sheet.points, uvs: sheet.uvs }
}

/// Every side has at most two triangles, and those at a vertex form one fan.
fn assert_manifold(triangles: &[[u32; 3]]) {
    let mut sides: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
    let mut at: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (t, &[a, b, c]) in triangles.iter().enumerate() {
        assert!(a != b && b != c && c != a, "{t}: {a} {b} {c}");
        for [p, q] in [[a, b], [b, c], [c, a]] {
            sides.entry([p.min(q), p.max(q)]).or_default().push(t);
        }
        [a, b, c].iter().for_each(|&p| at.entry(p).or_default().push(t));
    }
    assert!(sides.values().all(|users| users.len() <= 2));
    for (vertex, fan) in at {
        let mut reached = vec![fan[0]];
        let mut next = 0;
        while next < reached.len() {
            let t = reached[next];
            next += 1;
            for &p in triangles[t].iter().filter(|&&p| p != vertex) {
                for &u in &sides[&[p.min(vertex), p.max(vertex)]] {
                    if !reached.contains(&u) {
                        reached.push(u);
                    }
                }
            }
        }
        assert_eq!(reached.len(), fan.len(), "the triangles at {vertex} are several fans");
    }
}

fn total(values: &[f32]) -> f64 {
    values.iter().map(|&v| f64::from(v)).sum()
}

#[test]
fn hundreds_of_random_tears_leave_a_manifold_of_the_same_mass() {
    let shapes = [grid([9, 7]), tube(8, 6), irregular(1), irregular(2)];
    for (seed, shape) in (0u64..).zip(shapes) {
        let (mut model, mut state) = built(&[cloth(shape.clone()), cloth(shape)]);
        let (mass, drag) = (total(&model.mass), total(&model.drag));
        let mut tearing = Tearing::default();
        let mut rng = Rng::new(seed);
        let sides = 3 * model.triangles.len() as u64;
        let mut tears = 0;
        for _ in 0..300 {
            let few = 1 + rng.next_u64() % 3;
            let chosen: Vec<u32> = (0..few).map(|_| (rng.next_u64() % sides) as u32).collect();
            tears += usize::from(tearing.open(&mut model, &mut state, |_| (chosen, Vec::new())));
            assert_manifold(&model.triangles);
            assert_eq!(state.x.len(), model.particle_count());
            assert!(model.mass.iter().all(|&m| m > 0.0));
            let momentum: f64 =
                model.mass.iter().zip(&state.v.x).map(|(&m, &v)| f64::from(m) * f64::from(v)).sum();
            assert_eq!((total(&model.mass), momentum), (mass, mass));
            assert!((total(&model.drag) - drag).abs() < 1e-6 * drag);
            let torn = state.torn.as_deref();
            assert!(torn.is_none_or(|torn| torn.fits(tearing.whole().unwrap()).is_ok()));
        }
        assert!(tears > 100, "{tears}");
        // Bodies stay consecutive, and every corner lies in its own.
        assert_eq!(model.bodies[0].particles.end, model.bodies[1].particles.start);
        for body in &model.bodies {
            let inside = |&p: &u32| body.particles.contains(&(p as usize));
            assert!(model.triangles[body.triangles.clone()].iter().flatten().all(inside));
        }
        // Nothing of it is left once one goes back.
        state.torn = None;
        let whole = tearing.whole().unwrap().clone();
        assert!(tearing.restore(&mut model, &mut state));
        assert_eq!((&model.mass, &model.triangles), (&whole.mass, &whole.triangles));
        assert_eq!(model.springs.springs(), whole.springs.springs());
        assert_eq!(model.bends.bends(), whole.bends.bends());
        assert_eq!(model.grids.len(), whole.grids.len());
    }
}

/// How many springs of each kind there are, and the sum of their stiffness.
fn census(model: &Model) -> BTreeMap<String, (usize, f64)> {
    let mut out: BTreeMap<String, (usize, f64)> = BTreeMap::new();
    let mut see = |kind: SpringKind, stiffness: f32| {
        let entry = out.entry(format!("{kind:?}")).or_default();
        *entry = (entry.0 + 1, entry.1 + f64::from(stiffness));
    };
    for grid in &model.grids {
        grid.for_each_spring(|_, _, spring| see(spring.kind, spring.stiffness));
    }
    model.springs.springs().iter().for_each(|s| see(s.kind, s.params.stiffness));
    out
}

fn along_row(counts: [usize; 2], row: usize) -> Vec<[u32; 2]> {
    let at = |i: usize| (row * counts[0] + i) as u32;
    (0..counts[0] - 1).map(|i| [at(i), at(i + 1)]).collect()
}

#[test]
fn a_grid_cut_along_a_row_is_two_grids() {
    let (mut model, mut state) = built(&[cloth(grid([8, 9]))]);
    let mut tearing = Tearing::default();
    assert!(tearing.slit(&mut model, &mut state, &along_row([8, 9], 4)));
    assert_eq!(pieces(model.particle_count(), &model.triangles), 2);
    assert_eq!(model.particle_count(), 8 * 10);
    let (halves, _) = built(&[cloth(grid([8, 5])), cloth(grid([8, 5]))]);
    let (found, wanted) = (census(&model), census(&halves));
    for (kind, (count, stiffness)) in &wanted {
        assert_eq!(found[kind].0, *count, "{kind}");
        // The row that was cut has what one row had, where two grids have two.
        let shared = match kind.as_str() {
            "Structural" => 7.0 * 40.0,
            "Bend" => 6.0 * 20.0,
            _ => 0.0,
        };
        let left = found[kind].1 - (stiffness - shared);
        assert!(left.abs() < 1e-3, "{kind}: {left}");
    }
    // Plates: every hinge is as stiff as if the border had been there from the start.
    let sorted = |model: &Model| {
        let mut all: Vec<f32> = model.bends.bends().iter().map(|b| b.stiffness).collect();
        all.sort_by(f32::total_cmp);
        let mut coupled: Vec<f32> =
            model.bends.couplings().iter().map(|c| c.stiffness.abs()).collect();
        coupled.sort_by(f32::total_cmp);
        (all, coupled)
    };
    let ((bends, coupled), (wanted, wanted_coupled)) = (sorted(&model), sorted(&halves));
    assert_eq!((bends.len(), coupled.len()), (wanted.len(), wanted_coupled.len()));
    let pairs = bends.iter().zip(&wanted).chain(coupled.iter().zip(&wanted_coupled));
    for (found, wanted) in pairs {
        assert!((found - wanted).abs() < 1e-3 * wanted + 1e-12, "{found} {wanted}");
    }
}

#[test]
fn springs_of_a_grid_are_the_same_one_by_one() {
    let (model, state) = built(&[cloth(grid([12, 9]))]);
    let mut rng = Rng::new(7);
    let mut random = |like: &Soa3, far: f64| {
        let points: Vec<Vec3> = like
            .iter()
            .map(|p| p + Vec3::from([(); 3].map(|()| rng.between(-far, far) as f32)))
            .collect();
        Soa3::from_points(&points)
    };
    let (x, v) = (random(&state.x, 0.05), random(&state.v, 1.0));
    let springs = remake::of_grid(&model.grids[0]);
    let batch = SpringBatch::new(model.particle_count(), springs);
    let (mut of_grid, mut one_by_one) = (Soa3::zeros(x.len()), Soa3::zeros(x.len()));
    model.grids[0].add_forces(&x, &v, &mut of_grid);
    let mut scratch = Soa3::zeros(batch.springs().len());
    batch.add_forces(&x, &v, &mut one_by_one, &mut scratch);
    for (a, b) in of_grid.iter().zip(one_by_one.iter()) {
        assert!((a - b).length() < 1e-4 * a.length().max(1.0), "{a} {b}");
    }
    assert!((batch.energy(&x) / model.grids[0].energy(&x) - 1.0).abs() < 1e-6);
}

#[test]
fn one_side_inside_opens_nothing_and_two_open_a_slit() {
    let (mut model, mut state) = built(&[cloth(grid([7, 7]))]);
    let mut tearing = Tearing::default();
    assert!(!tearing.slit(&mut model, &mut state, &[[23, 24]]));
    assert_eq!((model.topology_version, state.torn.is_none()), (1, true));
    assert!(tearing.slit(&mut model, &mut state, &[[23, 24], [24, 25]]));
    assert_eq!(model.particle_count(), 50);
    assert_eq!(pieces(50, &model.triangles), 1);
    assert_eq!(state.x.get(49), state.x.get(24));
    // Halves of one area share the mass.
    assert!((model.mass[24] / model.mass[49] - 1.0).abs() < 1e-6);
    // Bend and knight's springs over the slit are gone, diagonals at its ends are not.
    let over = |s: &crate::elements::Spring| s.ends.contains(&17) && s.ends.contains(&31);
    assert!(!model.springs.springs().iter().any(over));
    let bent = |s: &crate::elements::Spring| s.ends.contains(&16) && s.ends.contains(&30);
    assert!(model.springs.springs().iter().any(bent));
}

#[test]
fn what_does_not_fit_the_scene_is_refused() {
    let (model, _) = built(&[cloth(grid([4, 4]))]);
    let none = Torn::none(&model);
    assert_eq!(none.fits(&model), Ok(()));
    let mut strange = none.clone();
    strange.triangles[0][0] = 16;
    assert!(strange.fits(&model).is_err());
    strange.origins = vec![5];
    assert!(strange.fits(&model).is_err());
    strange.origins = vec![99];
    assert!(strange.fits(&model).is_err());
    let corner = none.triangles[0][0];
    strange.origins = vec![corner];
    // The only triangle of a corner may not leave it.
    assert!(strange.fits(&model).is_err());
    let short = Torn { triangles: none.triangles[1..].to_vec(), ..none };
    assert!(short.fits(&model).is_err());
}
