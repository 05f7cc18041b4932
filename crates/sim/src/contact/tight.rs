//! Edges that contact must not draw out.

#[cfg(test)]
mod tests;

use std::ops::Range;

use glam::Vec3;

use super::swept::Point4;
use crate::edges::Edge;
use crate::elastic::Elastic;
use crate::elements::SpringKind;
use crate::incidence::Incidence;
use crate::model::Model;
use crate::parallel::{PARALLEL_FROM, Parts, Split, for_each_large, for_each_part};

/// l ≤ max(1.03 L, l₀) for the edges of points that were pushed, l₀ the length before: what is wedged
/// is pushed less far apart, and not torn. Skins full of gas are left out.
///
/// Where a solver holds lengths but its sweeps end before warp, weft and shear agree, as they do not in
/// a crumpled corner, l₀ itself is an error. Where nothing but weight pulls, an edge that could bear all
/// bodies and not be longer than 1.03 L has no other reason to be: all of these, pushed or not, are drawn
/// in, by l ≤ max(1.03 L, 0.98 l₁), l₁ the length at the start of the step.
#[derive(Debug)]
pub(super) struct Tight {
    edges: Vec<TightEdge>,
    /// Of each point.
    at: Incidence,
    pieces: Vec<Piece>,
    /// The piece of each particle.
    piece_of: Vec<u32>,
    marks: Vec<Mark>,
    /// Where points were before. [m]
    before: Vec<Point4>,
    /// Whether lengths are held, by weight of what acceleration [m/s²], and which of the edges that are
    /// held are too long.
    holds: bool,
    gravity: f32,
    long: Vec<u32>,
    parts: Parts<Vec<u32>>,
}

/// An edge and how long it may be.
#[derive(Clone, Copy, Debug)]
struct TightEdge {
    ends: [u32; 2],
    /// The length up to which nobody minds. [m]
    harmless: f32,
    /// Under what gravity it could bear all bodies and be no longer. [m/s²]
    bears: f32,
}

impl TightEdge {
    /// Without weight nothing says what pulls.
    #[inline(always)]
    fn bears_under(&self, gravity: f32) -> bool {
        gravity > 0.0 && gravity <= self.bears
    }
}

/// Particles that no edge joins to others.
#[derive(Debug)]
struct Piece {
    particles: Range<usize>,
    /// Those that were pushed, and how many of them are done with.
    pushed: Vec<u32>,
    done: usize,
    /// Their edges, and how long they may be. [m]
    list: Vec<([u32; 2], f32)>,
}

/// What is known of a particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    None,
    Pushed,
    /// Its edges are listed.
    Listed,
    /// Gas draws its edges out anyway, by as much as their springs let it.
    Inflated,
}

/// Lengths, as a part of the length at rest, that are no harm.
const HARMLESS: f32 = 1.03;

/// What an edge that is held may keep of its length in one go: much too long, it comes in softly.
const KEPT: f32 = 0.98;

/// Times that all of them are gone through.
const SWEEPS: usize = 3;

impl Tight {
    /// For the edges of a model, of `points` points with those of meshes.
    pub fn new(model: &Model, points: usize) -> Self {
        let edges = model.edges.edges();
        let ends: Vec<[u32; 2]> = edges.iter().map(|edge| edge.ends).collect();
        let (pieces, piece_of) = pieces(model, &ends);
        let bears = Bearing::of(model);
        let tight = |edge: &Edge| TightEdge {
            ends: edge.ends,
            harmless: HARMLESS * edge.rest,
            bears: bears.all_bodies(edge),
        };
        Self {
            edges: edges.iter().map(tight).collect(),
            at: Incidence::new(points, &ends),
            pieces,
            piece_of,
            marks: marks(model),
            before: Vec::new(),
            holds: false,
            gravity: 0.0,
            long: Vec::new(),
            parts: Parts::default(),
        }
    }

    /// Whether the solver means to hold lengths.
    pub fn hold(&mut self, holds: bool) {
        self.holds = holds && self.edges.iter().any(|edge| edge.bears > 0.0);
    }

    /// What everything weighs in this step [m/s²], if nothing else pulls.
    pub fn weigh(&mut self, gravity: Option<Vec3>) {
        self.gravity = gravity.map_or(0.0, Vec3::length);
    }

    /// The edges after these particles are gone, and no others.
    pub fn cut(&mut self, model: &Model, cut: &[u32]) {
        for (tight, edge) in self.edges.iter_mut().zip(model.edges.edges()) {
            let [a, b] = edge.ends;
            let gone = b == a + 1 && cut.binary_search(&a).is_ok();
            tight.harmless = if gone { f32::INFINITY } else { HARMLESS * edge.rest };
        }
    }

    /// Takes note of where points are before any is pushed.
    pub fn begin(&mut self, y: &[Point4]) {
        self.before.resize(y.len(), [0.0; 4]);
        let all = (self.before.as_mut_slice(), y);
        for_each_part(all, 1, &|_, (before, y): (&mut [Point4], &[Point4])| {
            before.copy_from_slice(y);
        });
        for piece in &mut self.pieces {
            piece.pushed.drain(..).for_each(|v| self.marks[v as usize] = Mark::None);
            piece.list.clear();
            piece.done = 0;
        }
        if self.holds {
            self.note_long(y);
        }
    }

    /// Takes note of edges that are held and too long.
    fn note_long(&mut self, y: &[Point4]) {
        let Self { edges, long, parts, gravity, .. } = self;
        let (edges, gravity) = (edges.as_slice(), *gravity);
        parts.gather((edges.len(), PARALLEL_FROM), long, &|range, long| {
            let is_long = |edge: &TightEdge| {
                let [a, b] = edge.ends.map(|v| place(&y[v as usize]));
                a.distance_squared(b) > edge.harmless * edge.harmless
            };
            let some = (range.start as u32..).zip(&edges[range]);
            long.extend(
                some.filter(|(_, edge)| edge.bears_under(gravity) && is_long(edge)).map(|(i, _)| i),
            );
        });
        let long = std::mem::take(&mut self.long);
        long.iter().for_each(|&i| self.note(&self.edges[i as usize].ends.clone()));
        self.long = long;
    }

    /// Where points were before any was pushed. [m]
    pub fn before(&self) -> &[Point4] {
        &self.before
    }

    /// Takes note of points that were pushed.
    pub fn note(&mut self, points: &[u32]) {
        for &v in points {
            if let Some(mark @ Mark::None) = self.marks.get_mut(v as usize) {
                *mark = Mark::Pushed;
                self.pieces[self.piece_of[v as usize] as usize].pushed.push(v);
            }
        }
    }

    /// Draws their edges together where they are too long; the step began at `start`, and `weights` are
    /// inverse masses. [1/kg]
    pub fn draw(&mut self, weights: &[f32], start: &[Point4], y: &mut [Point4]) {
        let Self { edges, at, pieces, marks, before, .. } = self;
        let gravity = if self.holds { self.gravity } else { 0.0 };
        if pieces.iter().all(|piece| piece.pushed.is_empty()) {
            return;
        }
        let y = &mut y[..marks.len()];
        let all = Moved { pieces, y, marks, first: 0 };
        for_each_large(all, &|_, Moved { pieces, y, marks, first }: Moved<'_>| {
            for piece in pieces.iter_mut().filter(|piece| !piece.pushed.is_empty()) {
                let within = piece.particles.start - first..piece.particles.end - first;
                piece.list_edges((edges, at, gravity), [start, before], &mut marks[within.clone()]);
                piece.draw(&weights[piece.particles.clone()], &mut y[within]);
            }
        });
    }
}

impl Piece {
    /// Lists the edges of points that were pushed since, each once; those are held that bear all
    /// bodies under such `gravity`. [m/s²]
    fn list_edges(
        &mut self,
        (edges, at, gravity): (&[TightEdge], &Incidence, f32),
        [start, before]: [&[Point4]; 2],
        marks: &mut [Mark],
    ) {
        let first = self.particles.start;
        for &v in &self.pushed[self.done..] {
            marks[v as usize - first] = Mark::Listed;
            for &entry in at.of(v as usize) {
                let edge = &edges[entry as usize / 2];
                let TightEdge { ends, harmless, .. } = *edge;
                let other = if ends[0] == v { ends[1] } else { ends[0] };
                if marks[other as usize - first] != Mark::Listed {
                    let held = edge.bears_under(gravity);
                    let (places, kept) = if held { (start, KEPT) } else { (before, 1.0) };
                    let [a, b] = ends.map(|v| place(&places[v as usize]));
                    let most = harmless.max(kept * a.distance(b));
                    self.list.push((ends.map(|v| v - first as u32), most));
                }
            }
        }
        self.done = self.pushed.len();
    }

    /// Draws the edges of its list together.
    fn draw(&self, weights: &[f32], y: &mut [Point4]) {
        for _ in 0..SWEEPS {
            let mut any = false;
            for &([a, b], most) in &self.list {
                let [a, b] = [a as usize, b as usize];
                let way = place(&y[b]) - place(&y[a]);
                if way.length_squared() <= most * most {
                    continue;
                }
                let long = way.length();
                let [wa, wb] = [weights[a], weights[b]];
                if long <= most || wa + wb <= 0.0 {
                    continue;
                }
                any = true;
                let pull = way * ((long - most) / (long * (wa + wb)));
                for (v, share) in [(a, wa), (b, -wb)] {
                    for d in 0..3 {
                        y[v][d] += share * pull[d];
                    }
                }
            }
            if !any {
                break;
            }
        }
    }
}

/// What is known of the strength of edges.
struct Bearing {
    /// Stiffness along edges by their ends, the lower one first, in order. [N/m]
    springs: Vec<([u32; 2], f64)>,
    /// Of all bodies: one may lie on another. [kg]
    mass: f64,
}

impl Bearing {
    fn of(model: &Model) -> Self {
        let springs = Elastic::of(model).springs;
        let structural = springs.iter().filter(|spring| spring.kind == SpringKind::Structural);
        let mut springs: Vec<_> =
            structural.map(|spring| (sorted(spring.ends), spring.stiffness)).collect();
        springs.sort_unstable_by_key(|&(ends, _)| ends);
        Self { springs, mass: model.mass.iter().map(|&m| f64::from(m)).sum() }
    }

    /// Under what gravity an edge alone would bear all bodies without being drawn out by more than is
    /// harmless. [m/s²]
    fn all_bodies(&self, edge: &Edge) -> f32 {
        let ends = sorted(edge.ends);
        let from = self.springs.partition_point(|&(other, _)| other < ends);
        let along = self.springs[from..].iter().take_while(|&&(other, _)| other == ends);
        let stiffness: f64 = along.map(|&(_, stiffness)| stiffness).sum();
        let bears = stiffness * f64::from((HARMLESS - 1.0) * edge.rest) / self.mass;
        if bears.is_finite() { bears as f32 } else { 0.0 }
    }
}

fn marks(model: &Model) -> Vec<Mark> {
    let mut marks = vec![Mark::None; model.particle_count()];
    for body in model.gases.gases().iter().filter_map(|gas| model.bodies.get(gas.body)) {
        marks[body.particles.clone()].fill(Mark::Inflated);
    }
    marks
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Pieces with their points, the first of which has a number of its own.
struct Moved<'a> {
    pieces: &'a mut [Piece],
    y: &'a mut [Point4],
    marks: &'a mut [Mark],
    first: usize,
}

impl Split for Moved<'_> {
    fn len(&self) -> usize {
        self.pieces.len()
    }

    fn split(self, mid: usize) -> (Self, Self) {
        let Self { pieces, y, marks, first } = self;
        let next = pieces.get(mid).map_or(first + y.len(), |piece| piece.particles.start);
        let (y, other_y) = y.split_at_mut(next - first);
        let (marks, other_marks) = marks.split_at_mut(next - first);
        let (pieces, others) = pieces.split_at_mut(mid);
        let other = Self { pieces: others, y: other_y, marks: other_marks, first: next };
        (Self { pieces, y, marks, first }, other)
    }
}

/// Bodies one after the other, if edges keep within them; else all in one. With the piece of each
/// particle.
fn pieces(model: &Model, ends: &[[u32; 2]]) -> (Vec<Piece>, Vec<u32>) {
    let count = model.particle_count();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut next = 0;
    for body in &model.bodies {
        if body.particles.start == next && body.particles.end > next {
            ranges.push(body.particles.clone());
            next = body.particles.end;
        }
    }
    let fill = |ranges: &[Range<usize>]| {
        let mut of = vec![0; count];
        (0u32..).zip(ranges).for_each(|(piece, range)| of[range.clone()].fill(piece));
        of
    };
    let mut of = fill(&ranges);
    let within = ends.iter().all(|&[a, b]| of[a as usize] == of[b as usize]);
    if next != count || !within {
        ranges = std::iter::once(0..count).collect();
        of = fill(&ranges);
    }
    let piece = |particles: Range<usize>| Piece {
        particles,
        pushed: Vec::new(),
        done: 0,
        list: Vec::new(),
    };
    (ranges.into_iter().map(piece).collect(), of)
}

#[inline(always)]
fn place(x: &Point4) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}
