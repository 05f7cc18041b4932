use glam::{DVec3, Vec3};

use super::*;
use crate::builder::ModelBuilder;
use crate::cloth::{Cloth, ClothShape, MassRule, SpringModel};
use crate::colliders::{MeshCollider, MeshPath};
use crate::contact::closest::closest;
use crate::contact::pair::PairKind;
use crate::contact::safety::Safety;
use crate::contact::{BodyContact, ContactLaw, Rub};
use crate::elements::SpringParams;
use crate::model::Model;
use crate::motion::Motion;
use crate::rng::Rng;
use crate::topology::{GridPlane, GridShape};

const THICKNESS: f32 = 0.004;

/// Two sheets and a triangle that is led.
fn model() -> Model {
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    let spring = SpringParams { stiffness: 1.0, damping: 0.0 };
    for name in ["one", "other"] {
        builder.add_cloth(&Cloth::new(
            name,
            ClothShape::Grid(GridShape { counts: [9, 7], size: [0.8, 0.6], plane: GridPlane::Xz }),
            MassRule::AreaDensity(0.2),
            SpringModel::Neighbours12 { structural: spring, shear: spring, bend: spring },
        ));
    }
    builder.add_mesh_collider(MeshCollider {
        name: "triangle".to_owned(),
        triangles: vec![[0, 1, 2]],
        rest: vec![Vec3::ZERO, Vec3::new(0.3, 0.0, 0.1), Vec3::new(0.0, 0.2, 0.3)],
        path: MeshPath::Rigid(Motion::Static),
        ..MeshCollider::default()
    });
    let body = BodyContact { touches_itself: true, thickness: THICKNESS };
    builder.set_contact(ContactLaw {
        bodies: vec![body; 2],
        thickness: THICKNESS,
        safe: true,
        rub: Rub::default(),
        pairs: Vec::new(),
    });
    builder.build().0
}

/// All pairs of the model that share no point, but for those of what is led with itself.
fn all_pairs(model: &Model) -> Vec<(usize, [u32; 4])> {
    let first = model.particle_count() as u32;
    let mut triangles = model.triangles.clone();
    triangles.push([first, first + 1, first + 2]);
    let mut edges: Vec<[u32; 2]> = Vec::new();
    for &[a, b, c] in &triangles {
        edges.extend([[a, b], [b, c], [c, a]].map(|[p, q]| [p.min(q), p.max(q)]));
    }
    edges.sort_unstable();
    edges.dedup();
    let mut all = Vec::new();
    for v in 0..first + 3 {
        for t in triangles.iter().filter(|t| !t.contains(&v) && (v < first || t[0] < first)) {
            all.push((0, [v, t[0], t[1], t[2]]));
        }
    }
    for (k, e) in edges.iter().enumerate() {
        for f in edges[k + 1..].iter().filter(|f| !f.contains(&e[0]) && !f.contains(&e[1])) {
            if e[0] < first || f[0] < first {
                all.push((1, [e[0], e[1], f[0], f[1]]));
            }
        }
    }
    all
}

fn distance(kind: usize, pair: &[u32; 4], x: &[DVec3]) -> f64 {
    let kind = [PairKind::VertexTriangle, PairKind::EdgeEdge][kind];
    closest(kind, &pair.map(|v| x[v as usize])).distance_squared.sqrt()
}

/// The same pair by any name.
fn key(kind: usize, pair: &[u32; 4]) -> (usize, [u32; 4]) {
    let mut sorted = *pair;
    match kind {
        0 => sorted[1..].sort_unstable(),
        _ => {
            sorted[..2].sort_unstable();
            sorted[2..].sort_unstable();
            if sorted[0] > sorted[2] {
                sorted = [sorted[2], sorted[3], sorted[0], sorted[1]];
            }
        }
    }
    (kind, sorted)
}

/// Sheets in waves of a given steepness, moving about.
fn disorder(model: &Model, rng: &mut Rng, steep: f32) -> (Vec<Point4>, Vec<[f32; 3]>) {
    let mut random = |size: f32| {
        Vec3::new(rng.unit() as f32 - 0.5, rng.unit() as f32 - 0.5, rng.unit() as f32 - 0.5) * size
    };
    let (lean, push) = (random(0.1), random(0.02));
    let count = model.particle_count();
    let mut at = Vec::new();
    let mut steps = Vec::new();
    for i in 0..count + 3 {
        let (body, local) = (i / 63, i % 63);
        let (a, b) = ((local % 9) as f32 * 0.1, (local / 9) as f32 * 0.1);
        let wave = steep * libm::sinf(9.0 * a + 5.0 * b + body as f32);
        let place = Vec3::new(a, 0.05 * body as f32 + wave, b) + lean * a + random(0.02 * steep);
        let place = if i < count { place } else { random(0.6) };
        at.push([place.x, place.y, place.z, 0.0]);
        steps.push((push * (1.0 - body as f32) + random(0.004)).to_array());
    }
    (at, steps)
}

#[test]
fn what_is_not_watched_stays_apart_wherever_tubes_allow() {
    let model = model();
    let all = all_pairs(&model);
    let mut rng = Rng::new(7);
    let mut skipped = 0;
    for round in 0..24 {
        let steep = [0.0, 0.01, 0.05, 0.2][round % 4];
        let (mut at, steps) = disorder(&model, &mut rng, steep);
        // A flat sheet that is squeezed comes near itself.
        let squeeze = [1.0, 0.6, 0.4, 0.25][round / 4 % 4];
        for x in at.iter_mut().take(model.particle_count()) {
            (x[0], x[2]) = (squeeze * x[0], squeeze * x[2]);
        }
        let mut watch = Watch::new(ContactSetup::of(&model).unwrap());
        let planned = 1 + (round as u32 % 5);
        watch.look(&at, |i| steps[i], planned);
        let mut known: Vec<_> = (0..2)
            .flat_map(|kind| watch.pairs[kind].iter().map(move |pair| key(kind, &pair.points)))
            .collect();
        known.sort_unstable();
        known.dedup();
        assert_eq!(known.len(), watch.pairs.iter().map(Vec::len).sum(), "none is found twice");
        for _ in 0..4 {
            let part = rng.unit();
            // Anywhere in the tubes, on their rims more than inside.
            let x: Vec<DVec3> = (0..at.len())
                .map(|i| {
                    let path = |d: usize| {
                        let (at, way) = (watch.paths.at[i][d], watch.paths.way[i][d]);
                        f64::from(at) + part * f64::from(way)
                    };
                    let mut off = || rng.unit() - 0.5;
                    let off = DVec3::new(off(), off(), off()).normalize_or_zero();
                    DVec3::new(path(0), path(1), path(2)) + off * f64::from(watch.tube(i))
                })
                .collect();
            for (kind, pair) in &all {
                if known.binary_search(&key(*kind, pair)).is_err() {
                    skipped += 1;
                    let kept: f32 = match kind {
                        0 => watch.halves[pair[0] as usize] + watch.halves[pair[1] as usize],
                        _ => watch.halves[pair[0] as usize] + watch.halves[pair[2] as usize],
                    };
                    let far = distance(*kind, pair, &x);
                    assert!(far > 0.98 * f64::from(kept), "round {round} {kind} {pair:?}: {far}");
                }
            }
        }
    }
    assert!(skipped > 1_000_000, "{skipped}");
}

#[test]
fn flat_sheets_have_nothing_to_watch_and_nearly_flat_ones_are_not_compared() {
    let model = model();
    let mut rng = Rng::new(3);
    let (at, steps) = disorder(&model, &mut rng, 0.0);
    let mut watch = Watch::new(ContactSetup::of(&model).unwrap());
    let apart = |i: usize| if i < 63 { [0.0, 0.0, 0.0] } else { [0.0, 1e-4, 0.0] };
    watch.look(&at[..], |i| if i < 126 { apart(i) } else { steps[i] }, 4);
    let own = |pair: &Watched| pair.points.iter().all(|&v| v < 63);
    assert!(!watch.pairs.iter().flatten().any(own), "a flat sheet does not touch itself");
    let compared = watch.compared().filter(|pair| pair.iter().all(|&v| v < 63)).count();
    assert_eq!(compared, 0, "what is flat need not be looked at");
}

#[test]
fn points_that_leave_their_tubes_get_new_pairs() {
    let model = model();
    let all = all_pairs(&model);
    let mut rng = Rng::new(11);
    for round in 0..12 {
        let (start, steps) = disorder(&model, &mut rng, [0.01, 0.1][round % 2]);
        let mut watch = Watch::new(ContactSetup::of(&model).unwrap());
        watch.look(&start, |i| steps[i], 4);
        watch.taken = 1;
        let mut end = start.clone();
        let mut strays = Vec::new();
        for i in 0..end.len() {
            let wild = i % 5 == round % 5;
            for d in 0..3 {
                end[i][d] += if wild { 0.05 * (rng.unit() as f32 - 0.5) } else { steps[i][d] };
            }
            if watch.off_path(i, &end[i]) > watch.tube(i) * watch.tube(i) {
                strays.push(i as u32);
            }
        }
        assert!(!strays.is_empty());
        watch.look_again(&strays, &start, &end);
        let mut known: Vec<_> = (0..2)
            .flat_map(|kind| watch.pairs[kind].iter().map(move |pair| key(kind, &pair.points)))
            .collect();
        known.sort_unstable();
        let before = known.len();
        known.dedup();
        assert_eq!(known.len(), before, "none is found twice");
        for part in [0.25, 0.5, 1.0] {
            let x: Vec<DVec3> = (0..start.len())
                .map(|i| {
                    let path = |d: usize| {
                        let (at, way) = (watch.paths.at[i][d], watch.paths.way[i][d]);
                        f64::from(at) + part * f64::from(way)
                    };
                    DVec3::new(path(0), path(1), path(2))
                })
                .collect();
            for (kind, pair) in &all {
                if known.binary_search(&key(*kind, pair)).is_err() {
                    let far = distance(*kind, pair, &x);
                    assert!(far > f64::from(THICKNESS), "round {round} {kind} {pair:?}: {far}");
                }
            }
        }
    }
}

#[test]
fn what_leaves_its_path_by_more_than_its_gap_has_to_have_a_proof() {
    let model = model();
    // Two flat sheets, one above the other by less than their tubes, nothing touching.
    let gap = 0.01;
    let at: Vec<Point4> = (0..model.particle_count() + 3)
        .map(|i| match i / 63 {
            2 => [5.0 + (i % 3) as f32, 5.0, (i % 2) as f32, 0.0],
            body => {
                let (a, b) = ((i % 63 % 9) as f32 * 0.1, (i % 63 / 9) as f32 * 0.1);
                [a + 0.03 * body as f32, gap * body as f32, b + 0.02 * body as f32, 0.0]
            }
        })
        .collect();
    for way in [[0.0, -0.011], [0.011, 0.0], [0.006, -0.006], [0.002, -0.002]] {
        let mut watch = Watch::new(ContactSetup::of(&model).unwrap());
        watch.look(&at, |_| [0.0; 3], 4);
        watch.taken = 1;
        let mut safety = Safety::new(std::iter::empty());
        safety.begin(at.len());
        let mut end = at.clone();
        for (i, x) in end.iter_mut().enumerate().take(model.particle_count()) {
            x[1] += way[i / 63];
        }
        safety.secure(&mut watch, &at, &mut end);
        // Rims hang over on either side.
        let below = |i: &usize| !i.is_multiple_of(9) && i / 9 > 0;
        let above = |i: &usize| i % 9 < 8 && i / 9 < 6;
        let highest = (0..63).filter(below).map(|i| end[i][1]).fold(f32::MIN, f32::max);
        let lowest = (0..63).filter(above).map(|i| end[63 + i][1]).fold(f32::MAX, f32::min);
        let free = way[0] - way[1] < gap;
        assert!(highest < lowest, "{way:?}: {highest} m is above {lowest} m");
        assert_eq!(safety.held_back.is_empty(), free, "{way:?}");
    }
}

#[test]
fn where_tubes_are_kept_only_what_can_neither_touch_nor_pass_is_left_out() {
    let model = model();
    let mut rng = Rng::new(5);
    let mut left_out = 0;
    for round in 0..16 {
        let (at, steps) = disorder(&model, &mut rng, [0.0, 0.01, 0.05, 0.2][round % 4]);
        // Distances of less than a tube, and of more.
        let half = [0.002, 0.01][round / 4 % 2];
        let look = |kept: bool| {
            let mut watch = Watch::new(ContactSetup::of(&model).unwrap());
            watch.halves.fill(half);
            watch.paths.kept = kept;
            watch.look(&at, |i| steps[i], 3);
            watch
        };
        let [all, some] = [false, true].map(look);
        for kind in 0..2 {
            let mut known: Vec<_> =
                some.pairs[kind].iter().map(|pair| (key(kind, &pair.points), pair.near)).collect();
            known.sort_unstable();
            for pair in &all.pairs[kind] {
                let place = known.binary_search_by_key(&key(kind, &pair.points), |known| known.0);
                match place {
                    Ok(place) => assert_eq!(known[place].1, pair.near, "{round} {kind} {pair:?}"),
                    Err(_) => {
                        left_out += 1;
                        let reach = |v: u32| some.paths.at[v as usize][3];
                        assert!(is_kept_apart(kind, pair, &all, reach), "{round} {kind} {pair:?}");
                    }
                }
            }
        }
    }
    assert!(left_out > 1000, "{left_out}");
}

/// Whether a pair is as far apart on its paths as its points reach: by its plane or by its boxes; or,
/// within one sheet, as that is flat.
fn is_kept_apart(kind: usize, pair: &Watched, watch: &Watch, reach: impl Fn(u32) -> f32) -> bool {
    let Paths { at, way, .. } = &watch.paths;
    let (one, other) = pair.points.split_at(kind + 1);
    let widest = |points: &[u32]| points.iter().map(|&v| reach(v)).fold(0.0, f32::max);
    let most = 0.9999 * (widest(one) + widest(other));
    let ends = |v: u32, d: usize| {
        let v = v as usize;
        [at[v][d], at[v][d] + way[v][d]]
    };
    let low = |points: &[u32], d: usize| {
        points.iter().flat_map(|&v| ends(v, d)).fold(f32::INFINITY, f32::min)
    };
    let high = |points: &[u32], d: usize| {
        points.iter().flat_map(|&v| ends(v, d)).fold(f32::NEG_INFINITY, f32::max)
    };
    let boxes = (0..3)
        .any(|d| low(one, d) - high(other, d) >= most || low(other, d) - high(one, d) >= most);
    let far = |end: usize| {
        let place =
            |v: usize| DVec3::from_array([0, 1, 2].map(|d| f64::from(ends(v as u32, d)[end])));
        let x: Vec<DVec3> = (0..at.len()).map(place).collect();
        distance(kind, &pair.points, &x) >= f64::from(most)
    };
    let one_sheet = pair.points.iter().all(|&v| v / 63 == pair.points[0] / 63);
    pair.sure >= most || boxes || one_sheet && far(0) && far(1)
}
