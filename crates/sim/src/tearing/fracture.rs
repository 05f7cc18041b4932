//! Lattices that break into pieces.
//!
//! Links break (`stretched`, `crossed`). Vertices that links still join have one label, and each cell
//! goes with the label that most of its corners have. A vertex whose cells have several labels
//! becomes as many particles: cells of different pieces then share none, each piece has its own
//! lattice with one vertex a node, and squares between pieces are surface of both.

use std::sync::Arc;

use super::Now;
use super::layout::Layout;
use super::torn::{Torn, join, root};
use super::whole::Whole;
use crate::lattice::{Goal, GoalShape, Lattice, LatticeShape, Regions, outer_faces};
use crate::model::Model;
use crate::soa::Soa3;

/// Links that break in a frame, at most.
const MOST: usize = 2000;

/// Links of one direction that wait for the next frame, by steps from one that breaks: it relieves
/// those before and behind it, but not those beside it, so that cracks are as thin as a cell.
const RELIEVED: usize = 3;

/// Edges of a cell: from a corner to the next along an axis.
fn edges(cell: &[u32; 8]) -> impl Iterator<Item = [u32; 2]> + '_ {
    let ends = (0..8usize).flat_map(|k| [1, 2, 4].map(|step| (k, step)));
    ends.filter(|(k, step)| k & step == 0).map(|(k, step)| [cell[k], cell[k + step]])
}

/// Lattices of a model with the range of their cells among all.
fn lattices(model: &Model) -> impl Iterator<Item = (&Goal, &LatticeShape, std::ops::Range<usize>)> {
    let mut first = 0;
    model.goals.iter().filter_map(move |goal| {
        let shape = goal.lattice()?;
        first += shape.cells.len();
        Some((goal, shape, first - shape.cells.len()..first))
    })
}

/// The cells of all lattices by particle.
pub(super) fn cells(model: &Model) -> Vec<[u32; 8]> {
    let named = |goal: &Goal, cell: &[u32; 8]| cell.map(|v| goal.particles[v as usize]);
    lattices(model)
        .flat_map(|(goal, shape, _)| shape.cells.iter().map(move |cell| named(goal, cell)))
        .collect()
}

/// How far a link is drawn out beyond what it bears, if it is. \[1\]
fn excess(shape: &LatticeShape, goal: &Goal, x: &Soa3, [a, b]: [usize; 2]) -> Option<f64> {
    let [a, b] = [a, b].map(|v| x.get(goal.particles[v] as usize).as_dvec3());
    let stretch = (b - a).length() / shape.regions.lattice().spacing() - 1.0;
    (stretch > f64::from(shape.breaks_at)).then_some(stretch)
}

/// Whether a link is stretched beyond the limit at which it breaks.
pub(super) fn any_beyond(model: &Model, x: &Soa3) -> bool {
    let breaking = lattices(model).filter(|(_, shape, _)| shape.breaks_at.is_finite());
    breaking.into_iter().any(|(goal, shape, _)| {
        let mut links = shape.regions.lattice().links();
        links.any(|link| excess(shape, goal, x, link).is_some())
    })
}

/// Links to break by name: those stretched too far, the most stretched first, but for those that
/// these relieve.
pub(super) fn stretched(now: &Now<'_>) -> Vec<[u32; 2]> {
    let mut out = Vec::new();
    for (goal, shape, _) in lattices(now.model) {
        if !shape.breaks_at.is_finite() {
            continue;
        }
        let lattice = shape.regions.lattice();
        let mut beyond: Vec<(f64, [usize; 2], [u32; 2])> = Vec::new();
        for link in lattice.links() {
            let Some(stretch) = excess(shape, goal, now.x, link) else { continue };
            let numbers = link.map(|v| goal.particles[v]);
            let held = numbers.iter().all(|&p| !(now.model.inverse_mass[p as usize] > 0.0));
            let names = numbers.map(|number| now.layout.name(number));
            if !held && !now.torn.is_spent(now.whole.count(), names) {
                beyond.push((stretch, link, names));
            }
        }
        // A stable sort: equals stay in the order of their numbers.
        beyond.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut chosen: Vec<([usize; 3], usize)> = Vec::new();
        for (_, link, names) in beyond {
            if chosen.len() == MOST {
                break;
            }
            let [at, to] = link.map(|v| lattice.place(v));
            let axis = (0..3).find(|&d| at[d] != to[d]).unwrap_or(0);
            let relieves = |&(other, along): &([usize; 3], usize)| {
                let near = (0..3).all(|d| at[d].abs_diff(other[d]) <= RELIEVED);
                near && along == axis && other[axis] != at[axis]
            };
            if !chosen.iter().any(relieves) {
                chosen.push((at, axis));
                out.push(names);
            }
        }
    }
    out
}

/// Links by name that pass through a blade, which says where a segment meets it.
pub(super) fn crossed(now: &Now<'_>, meets: impl Fn([glam::DVec3; 2]) -> bool) -> Vec<[u32; 2]> {
    let mut out = Vec::new();
    for (goal, shape, _) in lattices(now.model) {
        for link in shape.regions.lattice().links() {
            let numbers = link.map(|v| goal.particles[v]);
            if meets(numbers.map(|p| now.x.get(p as usize).as_dvec3())) {
                out.push(numbers.map(|number| now.layout.name(number)));
            }
        }
    }
    out
}

/// Breaks links, given by name, and parts what then no longer hangs together. Returns the names of
/// the particles that the new ones were part of.
pub(super) fn part(whole: &Whole, torn: &mut Torn, links: &[[u32; 2]]) -> Vec<u32> {
    if links.is_empty() {
        return Vec::new();
    }
    let count = whole.count();
    for &link in links {
        torn.spent.push(link.map(|name| torn.origin(count, name)));
    }
    torn.links.extend(links);
    tidy(&mut torn.spent);
    tidy(&mut torn.links);
    let labels = labels(torn, count + torn.origins.len());
    let own: Vec<u32> = torn
        .cells
        .iter()
        .map(|cell| most_frequent(cell.map(|name| labels[name as usize])))
        .collect();
    let before = torn.cells.clone();
    let mut corners: Vec<(u32, u32, usize)> = Vec::with_capacity(8 * before.len());
    for (c, (cell, &label)) in before.iter().zip(&own).enumerate() {
        corners.extend(cell.iter().enumerate().map(|(k, &name)| (name, label, 8 * c + k)));
    }
    corners.sort_unstable();
    let mut parents = Vec::new();
    for group in corners.chunk_by(|a, b| a.0 == b.0) {
        let name = group[0].0;
        let parts: Vec<&[(u32, u32, usize)]> = group.chunk_by(|a, b| a.1 == b.1).collect();
        let itself = parts.iter().position(|part| part[0].1 == labels[name as usize]);
        let largest = (0..parts.len()).rev().max_by_key(|&i| parts[i].len()).unwrap_or(0);
        let keeps = itself.unwrap_or(largest);
        for (_, part) in parts.iter().enumerate().filter(|(i, _)| *i != keeps) {
            let new = (count + torn.origins.len()) as u32;
            torn.origins.push(torn.origin(count, name));
            parents.push(name);
            part.iter().for_each(|&(_, _, corner)| torn.cells[corner / 8][corner % 8] = new);
        }
    }
    // What is broken within a piece stays so in all copies; what joins a piece to what its cells
    // took along holds.
    let was_broken = |link: &[u32; 2]| torn.links.binary_search(link).is_ok();
    let mut links = Vec::new();
    for (cell, now) in before.iter().zip(&torn.cells) {
        for (link, renamed) in edges(cell).zip(edges(now)) {
            if was_broken(&link) && labels[link[0] as usize] == labels[link[1] as usize] {
                links.push(renamed);
            }
        }
    }
    torn.links = links;
    tidy(&mut torn.links);
    parents
}

fn tidy(links: &mut Vec<[u32; 2]>) {
    links.sort_unstable();
    links.dedup();
}

/// For each name the least one that links join it to.
fn labels(torn: &Torn, names: usize) -> Vec<u32> {
    let mut roots: Vec<u32> = (0..names as u32).collect();
    for [a, b] in torn.cells.iter().flat_map(edges) {
        if torn.links.binary_search(&[a, b]).is_err() {
            join(&mut roots, a, b);
        }
    }
    (0..names as u32).map(|name| root(&mut roots, name)).collect()
}

/// The label that most corners have; the least of several.
fn most_frequent(labels: [u32; 8]) -> u32 {
    let count = |label: u32| labels.iter().filter(|&&other| other == label).count();
    labels.into_iter().fold(labels[0], |best, label| {
        let (more, as_many) = (count(label) > count(best), count(label) == count(best));
        if more || (as_many && label < best) { label } else { best }
    })
}

/// Cells that each name has, of lattices.
pub(super) fn cell_counts(whole: &Whole, torn: &Torn) -> Vec<u32> {
    let mut counts = vec![0; whole.count() + torn.origins.len()];
    torn.cells.iter().flatten().for_each(|&name| counts[name as usize] += 1);
    counts
}

/// Bodies that are drawn to a shape as they are now: a goal for each piece of a lattice.
pub(super) fn goals(whole: &Whole, torn: &Torn, layout: &Layout) -> Vec<Goal> {
    let mut first = 0;
    let mut out = Vec::new();
    for goal in &whole.model.goals {
        let number = |name: u32| layout.number(name);
        let Some(shape) = goal.lattice() else {
            let particles = goal.particles.iter().map(|&name| number(name)).collect();
            out.push(Goal { particles, ..goal.clone() });
            continue;
        };
        let cells = &torn.cells[first..first + shape.cells.len()];
        first += cells.len();
        out.extend(pieces((goal, shape), cells, (whole, torn), layout));
    }
    out
}

fn pieces(
    (goal, shape): (&Goal, &LatticeShape),
    cells: &[[u32; 8]],
    (whole, torn): (&Whole, &Torn),
    layout: &Layout,
) -> Vec<Goal> {
    let lattice = shape.regions.lattice();
    let names = whole.count() + torn.origins.len();
    let mut roots: Vec<u32> = (0..names as u32).collect();
    for cell in cells {
        cell.iter().for_each(|&name| join(&mut roots, cell[0], name));
    }
    let mut of: Vec<(u32, usize)> =
        cells.iter().map(|cell| root(&mut roots, cell[0])).zip(0..).collect();
    of.sort_unstable();
    let first = goal.particles.first().copied().unwrap_or(0);
    let node = |name: u32| lattice.nodes()[(torn.origin(whole.count(), name) - first) as usize];
    let piece = |own: &[(u32, usize)]| {
        let own: Vec<[u32; 8]> = own.iter().map(|&(_, cell)| cells[cell]).collect();
        let mut vertices: Vec<(u32, u32)> =
            own.iter().flatten().map(|&name| (node(name), name)).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let local = |name: u32| {
            let found = vertices.binary_search(&(node(name), name));
            found.map_or(0, |v| v as u32)
        };
        let own: Vec<[u32; 8]> = own.into_iter().map(|cell| cell.map(local)).collect();
        let nodes = vertices.iter().map(|vertex| vertex.0).collect();
        let broken =
            |a: usize, b: usize| torn.links.binary_search(&[vertices[a].1, vertices[b].1]).is_ok();
        let lattice = Lattice::of_cells(lattice, nodes, &own, broken);
        let regions = Arc::new(Regions::new(lattice, shape.regions.half()));
        Goal {
            body: goal.body,
            particles: vertices.iter().map(|vertex| layout.number(vertex.1)).collect(),
            law: goal.law,
            shape: GoalShape::Lattice(LatticeShape { regions, cells: own, ..*shape }),
        }
    };
    of.chunk_by(|a, b| a.0 == b.0).map(piece).collect()
}

/// The triangles of the lattice of a body by name, if it is one: outer faces of its cells as they
/// are now.
pub(super) fn faces(whole: &Model, torn: &Torn, body: usize) -> Option<Vec<[u32; 3]>> {
    let (_, _, cells) = lattices(whole).find(|(goal, _, _)| goal.body == body)?;
    Some(outer_faces(&torn.cells[cells]))
}

/// Whether a particle of the whole model belongs to a lattice.
pub(super) fn in_lattice(whole: &Model, particle: u32) -> bool {
    lattices(whole)
        .any(|(goal, _, _)| whole.bodies[goal.body].particles.contains(&(particle as usize)))
}
