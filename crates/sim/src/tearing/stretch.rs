//! Tearing by stretch.

use glam::{DMat3, DVec3};

use super::Now;
use super::whole::sides_at;
use crate::edges::Edge;
use crate::model::Model;
use crate::soa::Soa3;

/// Tears a frame, at most: so many cracks go on at once.
const MOST: usize = 8;

/// Triangles around a tear, by steps from neighbour to neighbour, that wait for the next frame. A
/// tear relieves what is around it: more at once would tear what the first had saved.
const RELIEVED: usize = 4;

/// Cosine between a crack and the pull, at most: on a grid the sides nearest to across a pull along
/// the other diagonal lie 45° off.
const ALONG: f64 = 0.75;

/// Rounds of the iteration for the greatest stretch: it need not tell apart what differs little.
const ROUNDS: usize = 24;

/// length/rest − 1 of an edge.
fn stretch(edge: &Edge, x: &Soa3) -> f64 {
    let [a, b] = edge.ends.map(|end| x.get(end as usize).as_dvec3());
    (b - a).length() / f64::from(edge.rest) - 1.0
}

fn is_beyond(edge: &Edge, x: &Soa3) -> bool {
    edge.tears_at.is_finite() && stretch(edge, x) > f64::from(edge.tears_at)
}

/// Whether an edge is stretched beyond the limit at which it tears.
pub(super) fn any_beyond(model: &Model, x: &Soa3) -> bool {
    model.edges.may_tear() && model.edges.edges().iter().any(|edge| is_beyond(edge, x))
}

/// Sides to open so that what is stretched too far tears (O'Brien and Hodgins 1999; Terzopoulos and
/// Fleischer 1988): the fan of one end of the edge parts across the greatest stretch there, along the
/// sides nearest to that plane. The most stretched come first, then the first by number. While
/// a crack of a body can go on, no other begins in it: cracks are as fast as sound, and would have
/// relieved what a frame has stretched elsewhere.
pub(super) fn sides(now: &Now<'_>) -> Vec<u32> {
    let edges = now.model.edges.edges();
    let beyond = edges.iter().filter(|edge| is_beyond(edge, now.x));
    let mut beyond: Vec<(f64, &Edge)> = beyond.map(|edge| (stretch(edge, now.x), edge)).collect();
    // A stable sort: equals stay in the order of their numbers.
    beyond.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut out = Vec::new();
    for body in &now.model.bodies {
        let own = |edge: &Edge| body.particles.contains(&(edge.ends[0] as usize));
        let own: Vec<(f64, &Edge)> = beyond.iter().filter(|at| own(at.1)).copied().collect();
        for start in [Start::Crack, Start::Border, Start::Inside] {
            let found = out.len();
            tear(now, &own, start, &mut out);
            if out.len() > found {
                break;
            }
        }
    }
    out
}

/// Tears edges at ends of one kind.
fn tear(now: &Now<'_>, beyond: &[(f64, &Edge)], start: Start, out: &mut Vec<u32>) {
    let mut busy: Vec<u32> = Vec::new();
    let mut count = 0;
    for (_, edge) in beyond {
        if count == MOST {
            break;
        }
        let ends = edge.ends.map(|end| now.layout.name(end));
        let along = (now.at(ends[1]) - now.at(ends[0])).normalize_or_zero();
        let cracks = ends.iter().filter(|&end| !busy.contains(end) && !is_held(now, *end));
        let cracks = cracks.filter_map(|&end| Some((end, Crack::at(now, end, along)?)));
        let cracks = cracks.filter(|(_, crack)| crack.start == start);
        let best = cracks.reduce(|a, b| if b.1.cost < a.1.cost { b } else { a });
        if let Some((vertex, crack)) = best {
            out.extend(crack.sides);
            busy.extend((0..RELIEVED).fold(vec![vertex], |names, _| around(now, &names)));
            count += 1;
        }
    }
}

fn is_held(now: &Now<'_>, name: u32) -> bool {
    now.model.inverse_mass[now.layout.number(name) as usize] == 0.0
}

/// All corners of the triangles at some particles, by name.
fn around(now: &Now<'_>, names: &[u32]) -> Vec<u32> {
    let fans = names.iter().flat_map(|&name| now.whole.fan(now.torn, name));
    let mut out: Vec<u32> =
        fans.flat_map(|corner| now.torn.triangles[corner as usize / 3]).collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// Where a tear starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// Where cloth has come apart before.
    Crack,
    /// At a border that was always there.
    Border,
    /// Inside.
    Inside,
}

/// A way to part a fan.
struct Crack {
    start: Start,
    /// Largest cosine between it and the pull.
    cost: f64,
    sides: Vec<u32>,
}

impl Crack {
    /// Across the greatest stretch at a vertex, which is nearly along `along`: one side of an open
    /// fan, two on either hand of a closed one.
    fn at(now: &Now<'_>, vertex: u32, along: DVec3) -> Option<Self> {
        let here = now.at(vertex);
        let pull = greatest_stretch(now, vertex, along);
        let (mut normal, mut start) = (DVec3::ZERO, Start::Inside);
        let mut inner: Vec<(u32, DVec3)> = Vec::new();
        for corner in now.whole.fan(now.torn, vertex) {
            let [a, b, c] = now.torn.triangles[corner as usize / 3].map(|name| now.at(name));
            normal += (b - a).cross(c - a);
            for side in sides_at(corner) {
                let ends = now.torn.ends(side);
                let far = if ends[0] == vertex { ends[1] } else { ends[0] };
                match now.whole.joined(now.torn, side) {
                    // Each is seen from both of its triangles.
                    Some(other) if other < side => {}
                    Some(_) => inner.push((side, (now.at(far) - here).normalize_or_zero())),
                    None if now.whole.across(side).is_some() => start = Start::Crack,
                    None if start == Start::Inside => start = Start::Border,
                    None => {}
                }
            }
        }
        let across = normal.cross(pull);
        let nearest = |hand: &dyn Fn(f64) -> bool| {
            let there = inner.iter().filter(|(_, way)| hand(way.dot(across)));
            let costs = there.map(|&(side, way)| (way.dot(pull).abs(), side));
            costs.reduce(|a, b| if b.0 < a.0 { b } else { a }).filter(|best| best.0 <= ALONG)
        };
        if start == Start::Inside {
            let (left, right) = (nearest(&|hand| hand < 0.0)?, nearest(&|hand| hand > 0.0)?);
            return Some(Self { start, cost: left.0.max(right.0), sides: vec![left.1, right.1] });
        }
        let (cost, side) = nearest(&|_| true)?;
        Some(Self { start, cost, sides: vec![side] })
    }
}

/// The direction of the greatest stretch around a vertex: the eigenvector of ΣA FFᵀ over its fan that
/// iteration from `start` finds. F = D R⁻¹ of a triangle maps its sides at rest R to the present
/// ones D, so that FFᵀ = D(RᵀR)⁻¹Dᵀ.
fn greatest_stretch(now: &Now<'_>, vertex: u32, start: DVec3) -> DVec3 {
    let mut sum = DMat3::ZERO;
    for corner in now.whole.fan(now.torn, vertex) {
        let t = corner as usize / 3;
        let [a, b, c] = now.torn.triangles[t].map(|name| now.at(name));
        let rest = now.whole.model.triangles[t].map(|p| now.whole.rest[p as usize].as_dvec3());
        let (d, r) = ([b - a, c - a], [rest[1] - rest[0], rest[2] - rest[0]]);
        let (g00, g01, g11) = (r[0].dot(r[0]), r[0].dot(r[1]), r[1].dot(r[1]));
        let determinant = g00 * g11 - g01 * g01;
        if determinant > 0.0 {
            let outer = |p: DVec3, q: DVec3| DMat3::from_cols(p * q.x, p * q.y, p * q.z);
            let cross = outer(d[0], d[1]) + outer(d[1], d[0]);
            let square = outer(d[0], d[0]) * g11 + outer(d[1], d[1]) * g00 - cross * g01;
            sum += square * (now.whole.areas[t] / determinant);
        }
    }
    // What both directions of the surface have in common would hide their difference; less than half
    // of it, or the normal, of eigenvalue 0, would be found.
    let common = 0.225 * (sum.x_axis.x + sum.y_axis.y + sum.z_axis.z);
    let apart = sum - DMat3::from_diagonal(DVec3::splat(common));
    let mut way = start;
    for _ in 0..ROUNDS {
        way = (apart * way).try_normalize().unwrap_or(start);
    }
    way
}
