//! Edges that contact must not draw out.

use std::ops::Range;

use glam::Vec3;

use super::swept::Point4;
use crate::incidence::Incidence;
use crate::model::Model;
use crate::parallel::{Split, for_each_large, for_each_part};

/// l ≤ max(1.03 L, l₀) for the edges of points that were pushed, l₀ the length before: what is wedged
/// is pushed less far apart, and not torn.
#[derive(Debug)]
pub(super) struct Tight {
    /// Ends and the length up to which nobody minds. [m]
    edges: Vec<([u32; 2], f32)>,
    /// Of each point.
    at: Incidence,
    pieces: Vec<Piece>,
    /// The piece of each particle.
    piece_of: Vec<u32>,
    marks: Vec<Mark>,
    /// Where points were before. [m]
    before: Vec<Point4>,
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
}

/// Lengths, as a part of the length at rest, that are no harm.
const HARMLESS: f32 = 1.03;

/// Times that all of them are gone through.
const SWEEPS: usize = 3;

impl Tight {
    /// For the edges of a model, of `points` points with those of meshes.
    pub fn new(model: &Model, points: usize) -> Self {
        let edges = model.edges.edges();
        let ends: Vec<[u32; 2]> = edges.iter().map(|edge| edge.ends).collect();
        let (pieces, piece_of) = pieces(model, &ends);
        Self {
            edges: edges.iter().map(|edge| (edge.ends, HARMLESS * edge.rest)).collect(),
            at: Incidence::new(points, &ends),
            pieces,
            piece_of,
            marks: vec![Mark::None; model.particle_count()],
            before: Vec::new(),
        }
    }

    /// The edges after these particles are gone, and no others.
    pub fn cut(&mut self, model: &Model, cut: &[u32]) {
        for ((ends, most), edge) in self.edges.iter_mut().zip(model.edges.edges()) {
            let gone = ends[1] == ends[0] + 1 && cut.binary_search(&ends[0]).is_ok();
            *most = if gone { f32::INFINITY } else { HARMLESS * edge.rest };
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
    }

    /// Takes note of the points of a pair that was pushed.
    pub fn note(&mut self, points: &[u32; 4]) {
        for &v in points {
            if let Some(mark @ Mark::None) = self.marks.get_mut(v as usize) {
                *mark = Mark::Pushed;
                self.pieces[self.piece_of[v as usize] as usize].pushed.push(v);
            }
        }
    }

    /// Draws their edges together where they are too long; `weights` are inverse masses. [1/kg]
    pub fn draw(&mut self, weights: &[f32], y: &mut [Point4]) {
        let Self { edges, at, pieces, marks, before, .. } = self;
        let y = &mut y[..marks.len()];
        let all = Moved { pieces, y, marks, first: 0 };
        for_each_large(all, &|_, Moved { pieces, y, marks, first }: Moved<'_>| {
            for piece in pieces.iter_mut().filter(|piece| !piece.pushed.is_empty()) {
                let within = piece.particles.start - first..piece.particles.end - first;
                piece.list_edges((edges, at), before, &mut marks[within.clone()]);
                piece.draw(&weights[piece.particles.clone()], &mut y[within]);
            }
        });
    }
}

impl Piece {
    /// Lists the edges of points that were pushed since, each once.
    fn list_edges(
        &mut self,
        (edges, at): (&[([u32; 2], f32)], &Incidence),
        before: &[Point4],
        marks: &mut [Mark],
    ) {
        let first = self.particles.start;
        for &v in &self.pushed[self.done..] {
            marks[v as usize - first] = Mark::Listed;
            for &entry in at.of(v as usize) {
                let (ends, least) = edges[entry as usize / 2];
                let other = if ends[0] == v { ends[1] } else { ends[0] };
                if marks[other as usize - first] != Mark::Listed {
                    let [a, b] = ends.map(|v| place(&before[v as usize]));
                    self.list.push((ends.map(|v| v - first as u32), least.max(a.distance(b))));
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
