//! Small tangles with known answers.

use glam::Vec3;

use super::contour::Contours;
use super::cut_off::CutOff;
use super::joined::Joined;
use super::search::{Piercing, Search};
use super::way_out::{Contour, Way, WayOut, shortening};
use crate::contact::rules::Rules;
use crate::contact::swept::Point4;
use crate::model::Model;
use crate::topology::{GridPlane, GridShape};

/// Bodies of given points and triangles.
fn scene(bodies: &[(Vec<Vec3>, Vec<[u32; 3]>)]) -> (Joined, Vec<Point4>) {
    let (mut points, mut triangles, mut body) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (own, faces)) in (0u32..).zip(bodies) {
        let first = points.len() as u32;
        triangles.extend(faces.iter().map(|t| t.map(|v| v + first)));
        points.extend(own.iter().map(|p| [p.x, p.y, p.z, 0.0]));
        body.resize(points.len(), index);
    }
    let rules = Rules {
        sewn: (0..points.len() as u32).collect(),
        body,
        touches_itself: vec![true; bodies.len()],
        all_touch: true,
        rest: bodies.iter().flat_map(|(own, _)| own.iter().copied()).collect(),
        spares: Default::default(),
        segments: Default::default(),
        parted: Vec::new(),
    };
    let model = Model { triangles, mass: vec![1.0; points.len()], ..Model::default() };
    (Joined::new(&model, rules), points)
}

fn sheet(n: usize, plane: GridPlane, place: impl Fn(Vec3) -> Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let grid = GridShape { counts: [n, n], size: [1.0, 1.0], plane };
    (grid.points().into_iter().map(place).collect(), grid.triangles())
}

fn find(joined: &Joined, x: &[Point4]) -> (Vec<Piercing>, Contours) {
    let mut search = Search::default();
    search.all(joined, x);
    let all: Vec<u32> = (0..joined.triangles.len() as u32).collect();
    let found = search.found.clone();
    search.among(joined, &all, x);
    assert_eq!(search.found, found, "both searches find the same");
    let mut contours = Contours::default();
    contours.find(joined, &found);
    (found, contours)
}

/// A sheet that stands upright and is turned by 45°, so that a corner comes `depth` through y = 0.
fn corner(depth: f32) -> (Joined, Vec<Point4>) {
    let half = 0.5f32.sqrt();
    let turned = |p: Vec3| {
        let y = half * (p.x + p.y);
        Vec3::new(half * (p.x - p.y) + 0.013, y + half - depth, 0.017 + 0.1 * p.x)
    };
    let flat = sheet(8, GridPlane::Xz, |p| p);
    scene(&[flat, sheet(8, GridPlane::Xy, turned)])
}

fn way(joined: &Joined, x: &[Point4]) -> (Way, bool, Vec<u32>) {
    let (piercings, contours) = find(joined, x);
    assert_eq!(contours.count, 1);
    let contour = Contour { joined, piercings: &piercings, contours: &contours, number: 0, x };
    let mut within = Vec::new();
    let (way, side) = WayOut::default().find(&contour, &mut within);
    (way, side == first_is_second_body(joined, &piercings, &contours), within)
}

/// Whether the first side of the contour is the second body.
fn first_is_second_body(joined: &Joined, piercings: &[Piercing], contours: &Contours) -> bool {
    contours.links[0].first == (piercings[0].edge_body(joined) == 1)
}

impl Piercing {
    fn edge_body(&self, joined: &Joined) -> u32 {
        joined.rules.body[joined.edges[self.edge as usize][0] as usize]
    }
}

#[test]
fn a_corner_is_cut_off_and_goes_back_across_the_sheet() {
    let (joined, x) = corner(0.2);
    let (piercings, contours) = find(&joined, &x);
    // One contour whose two ends are at the corner's two sides.
    assert_eq!(contours.count, 1);
    let rims = piercings.iter().filter(|p| joined.at_edge(p.edge).count() == 1).count();
    assert_eq!(rims, 2);
    // Its sides are told apart: the first is always the same body.
    let first = |k: usize| contours.links[k].first == (piercings[k].edge_body(&joined) == 1);
    assert!((0..piercings.len()).all(|k| first(k) == first(0)));
    let (way, on_corner, within) = way(&joined, &x);
    assert!(on_corner);
    // What is below y = 0, all of it.
    let below: Vec<u32> = (0..x.len() as u32).filter(|&v| x[v as usize][1] < -1e-6).collect();
    let mut within = within;
    within.sort_unstable();
    assert_eq!(within, below);
    let Way::Whole(way) = way else { panic!("{way:?}") };
    let up = if first_is_second_body(&joined, &piercings, &contours) { 1.0 } else { -1.0 };
    assert!(way.distance(up * Vec3::Y) < 1e-3, "{way}");
}

#[test]
fn what_is_not_cut_off_is_shortened() {
    // Half of each sheet is in half of the other: out along x.
    let upright = |p: Vec3| Vec3::new(p.x + 0.61, p.y + 0.03, 0.017);
    let (joined, x) = scene(&[sheet(8, GridPlane::Xz, |p| p), sheet(8, GridPlane::Xy, upright)]);
    let (piercings, contours) = find(&joined, &x);
    let (way, _, within) = way(&joined, &x);
    assert!(within.is_empty());
    let Way::Whole(way) = way else { panic!("{way:?}") };
    let out = if first_is_second_body(&joined, &piercings, &contours) { 1.0 } else { -1.0 };
    assert!(way.distance(out * Vec3::X) < 0.05, "{way}");
}

/// The gradient by its definition: as one corner triangle moves, its contour shortens by G·d to first order.
#[test]
fn the_way_of_an_edge_is_minus_the_gradient_of_the_contours_length() {
    let floor =
        vec![Vec3::new(-9.0, 0.0, -9.0), Vec3::new(9.0, 0.0, -9.0), Vec3::new(0.0, 0.0, 9.0)];
    let stuck = [Vec3::new(0.1, -0.5, 0.0), Vec3::new(-0.7, 0.8, 0.2), Vec3::new(0.9, 0.6, -0.3)];
    let build = |shift: Vec3| {
        let moved = stuck.iter().map(|&p| p + shift).collect();
        scene(&[(floor.clone(), vec![[0, 1, 2]]), (moved, vec![[0, 1, 2]])])
    };
    let length = |shift: Vec3| {
        let (joined, x) = build(shift);
        let (piercings, _) = find(&joined, &x);
        assert_eq!(piercings.len(), 2);
        let ends: Vec<Vec3> = piercings
            .iter()
            .map(|p| {
                let [a, b] =
                    joined.edges[p.edge as usize].map(|v| Vec3::from_slice(&x[v as usize][..3]));
                a + (b - a) * (a.y / (a.y - b.y))
            })
            .collect();
        ends[0].distance(ends[1])
    };
    let (joined, x) = build(Vec3::ZERO);
    let (piercings, _) = find(&joined, &x);
    let sum: Vec3 = piercings.iter().map(|&p| shortening(&joined, p, &x)).sum();
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        let d = 1e-2;
        let change = (length(axis * d) - length(axis * -d)) / (2.0 * d);
        assert!((change + sum.dot(axis)).abs() < 1e-3, "{axis}: {change} for {}", -sum.dot(axis));
    }
}

#[test]
fn a_touch_is_no_tangle_unless_it_leads_to_both_sides() {
    let floor = || sheet(4, GridPlane::Xz, |p| p * 3.0 + Vec3::new(0.2, 0.0, 0.3));
    let on = sheet(3, GridPlane::Xy, |p| Vec3::new(p.x, p.y + 0.5, 0.01));
    let (joined, x) = scene(&[floor(), on]);
    assert!(find(&joined, &x).0.is_empty(), "it stands on the floor");
    let through = sheet(3, GridPlane::Xy, |p| Vec3::new(p.x, p.y, 0.01));
    let (joined, x) = scene(&[floor(), through]);
    assert!(!find(&joined, &x).0.is_empty(), "its middle row lies in the floor");
}

#[test]
fn a_line_from_rim_to_rim_cuts_a_sheet_in_two_and_a_shorter_one_does_not() {
    let (joined, x) = scene(&[sheet(9, GridPlane::Xz, |p| p)]);
    let across = |limit: f32| -> Vec<u32> {
        let cut = |e: &[u32; 2]| {
            let [a, b] = e.map(|v| x[v as usize]);
            (a[0] < -0.3) != (b[0] < -0.3) && a[2].min(b[2]) < limit
        };
        (0u32..).zip(&joined.edges).filter(|(_, e)| cut(e)).map(|(k, _)| k).collect()
    };
    let mut cut_off = CutOff::default();
    for _ in 0..2 {
        let part = cut_off.find(&joined, &across(1.0)).unwrap();
        assert_eq!(cut_off.parts[part].len(), 18, "two columns of nine");
        assert!(cut_off.parts[part].iter().all(|&v| x[v as usize][0] < -0.3));
        assert_eq!(cut_off.find(&joined, &across(0.2)), None);
    }
    assert_eq!(cut_off.find(&joined, &[]), None);
}
