//! A panel becomes triangles: a constrained Delaunay triangulation of its outline and of points
//! in rows inside.

use std::collections::BTreeSet;

use glam::DVec2;
use spade::handles::{FixedVertexHandle, UndirectedEdgeHandle};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use super::outline::{doubled_area, row_ends};

type Delaunay = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// Points, those of the outline first, and triangles, counter-clockwise.
pub(super) struct Cut {
    pub points: Vec<DVec2>,
    pub triangles: Vec<[u32; 3]>,
}

/// Why an outline bounds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unsound {
    /// Its parts from these points on cross or touch.
    Crossing(usize),
    /// It runs clockwise.
    Clockwise,
}

/// Points inside keep off the outline by this part of the spacing.
const CLEARANCE: f64 = 0.6;

/// Rounds of dividing edges that join the outline to itself: each leaves shorter ones.
const ROUNDS: usize = 12;

/// Cuts what lies inside `outline` into triangles of about `spacing` [m].
pub(super) fn cut(outline: &[DVec2], spacing: f64) -> Result<Cut, Unsound> {
    let mut mesh = Delaunay::new();
    let mut corners = Vec::with_capacity(outline.len());
    for (number, &p) in outline.iter().enumerate() {
        match mesh.insert(point(p)) {
            // A point that was there already comes back by its number.
            Ok(corner) if corner.index() == number => corners.push(corner),
            _ => return Err(Unsound::Crossing(number)),
        }
    }
    for (number, &from) in corners.iter().enumerate() {
        let to = corners[(number + 1) % corners.len()];
        if !mesh.can_add_constraint(from, to) {
            return Err(Unsound::Crossing(number));
        }
        mesh.add_constraint(from, to);
        // A point on the line would have divided it.
        if mesh.num_constraints() != number + 1 {
            return Err(Unsound::Crossing(number));
        }
    }
    if !(doubled_area(outline) > 0.0) {
        return Err(Unsound::Clockwise);
    }
    for p in rows(outline, spacing) {
        // A place that cannot be taken is one that is taken.
        let _ = mesh.insert(point(p));
    }
    for _ in 0..ROUNDS {
        let between = bridges(&mesh, &corners);
        if between.is_empty() {
            break;
        }
        for p in between {
            let _ = mesh.insert(point(p));
        }
    }
    let points = mesh.vertices().map(|v| place(v.position())).collect::<Vec<DVec2>>();
    let inside = inside(&mesh, &corners);
    let faces = mesh.inner_faces().filter(|face| inside.contains(&face.fix().index()));
    let triangles = faces.map(|face| face.vertices().map(|v| v.fix().index() as u32)).collect();
    Ok(Cut { points, triangles })
}

/// Faces on the left of the outline, and all that are reached from there without crossing it.
/// Where points of a side lie on one line by a hair, no test by places could tell.
fn inside(mesh: &Delaunay, corners: &[FixedVertexHandle]) -> BTreeSet<usize> {
    let parts = corners.iter().zip(corners.iter().cycle().skip(1));
    let left = |(&a, &b)| mesh.get_edge_from_neighbors(a, b)?.face().as_inner();
    let mut open: Vec<_> = parts.filter_map(left).collect();
    let mut inside = BTreeSet::new();
    while let Some(face) = open.pop() {
        if inside.insert(face.fix().index()) {
            let sides = face.adjacent_edges().into_iter().filter(|side| !side.is_constraint_edge());
            open.extend(sides.filter_map(|side| side.rev().face().as_inner()));
        }
    }
    inside
}

fn point(p: DVec2) -> Point2<f64> {
    Point2::new(p.x, p.y)
}

fn place(p: Point2<f64>) -> DVec2 {
    DVec2::new(p.x, p.y)
}

/// Corners of equal triangles that lie well inside.
fn rows(outline: &[DVec2], spacing: f64) -> Vec<DVec2> {
    let low = outline.iter().fold(DVec2::INFINITY, |a, &p| a.min(p));
    let high = outline.iter().fold(DVec2::NEG_INFINITY, |a, &p| a.max(p));
    let step = DVec2::new(spacing, spacing * 0.75f64.sqrt());
    // Rows lie alike on the left and on the right.
    let middle = 0.5 * (low.x + high.x);
    let half = (0.5 * (high.x - low.x) / step.x).ceil() as i64;
    let count = ((high.y - low.y) / step.y).ceil() as i64;
    let mut out = Vec::new();
    for j in 0..=count {
        let y = low.y + j as f64 * step.y;
        let near: Vec<[DVec2; 2]> = (0..outline.len())
            .map(|i| [outline[i], outline[(i + 1) % outline.len()]])
            .filter(|[a, b]| a.y.min(b.y) - spacing <= y && y <= a.y.max(b.y) + spacing)
            .collect();
        let ends = row_ends(outline, y);
        for i in -half..=half {
            let p = DVec2::new(middle + (i as f64 + 0.5 * (j % 2) as f64) * step.x, y);
            let free = |[a, b]: &[DVec2; 2]| distance(p, *a, *b) > CLEARANCE * spacing;
            let right = ends.len() - ends.partition_point(|&x| x <= p.x);
            if right % 2 == 1 && near.iter().all(free) {
                out.push(p);
            }
        }
    }
    out
}

fn distance(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let along = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    p.distance(a + (b - a) * along)
}

/// Middles of edges inside that join two points of the outline: if the same two were joined in
/// another panel too, a seam would make four triangles meet at one edge.
fn bridges(mesh: &Delaunay, corners: &[FixedVertexHandle]) -> Vec<DVec2> {
    let inside = inside(mesh, corners);
    let edges = mesh.undirected_edges().filter(|edge| !edge.is_constraint_edge());
    let middle = |edge: UndirectedEdgeHandle<'_, _, _, _, _>| {
        let [a, b] = edge.vertices();
        let both = [a, b].iter().all(|v| v.fix().index() < corners.len());
        let face = edge.as_directed().face().as_inner()?;
        let within = inside.contains(&face.fix().index());
        (both && within).then(|| 0.5 * (place(a.position()) + place(b.position())))
    };
    edges.filter_map(middle).collect()
}
