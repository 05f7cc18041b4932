//! Meshes: structural edges as near-straight paths, each solved exactly.
//!
//! Paths of one colour share no vertex. All colours go in one fixed order, the same in every
//! step: taking them in turns forwards and backwards feeds energy in.

use glam::DVec3;

use crate::elastic::{ElasticHinge, ElasticSpring};
use crate::elements::SpringKind;
use crate::model::Model;
use crate::simd::{Kernel, LANES, Lane, dispatch};
use crate::soa::Soa3;

use super::bows::{Bow, Bows};
use super::chain::{EdgeLaw, Eliminated, Project, Strip, elimination};
use super::flat_hinges::FlatHinges;
use super::gather::{Numbers, Point, gather};
use super::pairs::{Pair, Pairs};
use super::paths::{Path, cover};

/// All lines of what is no grid, with room to work in.
#[derive(Debug)]
pub(super) struct MeshLines {
    /// Particles by their number here.
    particles: Vec<u32>,
    batches: Vec<Batch>,
    soft: Pairs,
    bows: Bows,
    /// Edges that are kept from stretching.
    edges: Pairs,
    /// Where points are; one more than there are particles, which stands for nobody.
    points: Vec<Point>,
    /// Where they were at the start of the step, if there are dashpots.
    start: Vec<Point>,
    damped: bool,
    /// Sixteen paths at work.
    strip: Strip,
    scratch: Vec<Eliminated>,
    least_alpha: f32,
    /// The step for which compliances stand.
    ready_for: f32,
}

/// Sixteen paths of one colour.
#[derive(Debug)]
struct Batch {
    numbers: Vec<Numbers>,
    /// Multipliers, lengths and compliances in this step, lent to the strip at work.
    multiplier: Vec<Lane>,
    target: Vec<Lane>,
    alpha: Vec<Lane>,
    rest: Vec<Lane>,
    stiffness: Vec<Lane>,
    damping: Vec<Lane>,
}

/// Least compliance, relative to the mean inverse mass, as for grids.
const LEAST_COMPLIANCE: f32 = 1e-5;

/// Compliance of an edge that is none: it bears nothing. [1/kg]
const NO_EDGE: f32 = 1e30;

/// Sweeps of the limit on edges a step.
const LIMIT_SWEEPS: usize = 2;

/// Stretch of edges beyond which a stiff sheet is drawn back.
const LIMIT: f32 = 0.01;

/// Elements that lines are made of.
pub(super) struct MeshElements<'a> {
    pub springs: &'a [ElasticSpring],
    pub hinges: &'a [ElasticHinge],
    /// Whether a spring belongs to a sheet so stiff that any visible stretch is an error of
    /// the method.
    pub is_limited: &'a dyn Fn(&ElasticSpring) -> bool,
    /// Edges of lower numbers go first.
    pub urgency: &'a dyn Fn(&ElasticSpring) -> u32,
}

impl MeshLines {
    /// Lines over `elements` of `model`. Hinges that are not flat at rest are given back.
    pub fn new(model: &Model, elements: &MeshElements<'_>) -> (Self, Vec<ElasticHinge>) {
        let rest_of = |particle: u32| {
            let at = particle as usize;
            let body = model.bodies.iter().find(|body| body.particles.contains(&at))?;
            Some(body.rest.get(at - body.particles.start)?.as_dvec3())
        };
        let lengths = FlatHinges::of(model);
        let (mut bows, mut others) = (Vec::new(), Vec::new());
        for hinge in elements.hinges {
            let rest = hinge.corners.map(rest_of);
            let flat = match rest {
                [Some(a), Some(b), Some(c), Some(d)] => {
                    Bow::of(hinge, lengths.hinge(hinge, [a, b, c, d]))
                }
                _ => None,
            };
            match flat {
                Some(bow) => bows.push(bow),
                None => others.push(*hinge),
            }
        }
        let springs: Vec<ElasticSpring> =
            elements.springs.iter().filter(|s| s.ends[0] != s.ends[1]).copied().collect();
        let mut particles: Vec<u32> = springs.iter().flat_map(|s| s.ends).collect();
        particles.extend(bows.iter().flat_map(|b| b.corners));
        particles.sort_unstable();
        particles.dedup();
        let number = |particle: u32| particles.partition_point(|&p| p < particle) as u32;
        bows.iter_mut().for_each(|b| b.corners = b.corners.map(number));
        let pair = |s: &ElasticSpring| Pair {
            ends: s.ends.map(number),
            rest: s.rest as f32,
            stiffness: s.stiffness as f32,
            damping: s.damping as f32,
        };
        let is_line = |s: &&ElasticSpring| s.kind == SpringKind::Structural;
        let lines: Vec<Pair> = springs.iter().filter(is_line).map(pair).collect();
        let soft: Vec<Pair> = springs.iter().filter(|s| !is_line(s)).map(pair).collect();
        let urgencies: Vec<u32> = springs.iter().filter(is_line).map(elements.urgency).collect();
        let is_limited = |s: &&ElasticSpring| is_line(s) && (elements.is_limited)(s);
        let limited: Vec<Pair> = springs.iter().filter(is_limited).map(pair).collect();
        let rest: Vec<Option<DVec3>> = particles.iter().map(|&p| rest_of(p)).collect();
        let paths = paths_of(&lines, &urgencies, &rest);
        let n = particles.len();
        let batches: Vec<Batch> = colours_of(n, &paths)
            .iter()
            .flat_map(|colour| colour.chunks(LANES))
            .map(|part| Batch::new(part, &lines, n))
            .collect();
        let longest = batches.iter().map(|b| b.numbers.len()).max().unwrap_or(0);
        let (soft, bows) = (Pairs::new(n, &soft), Bows::new(n, &bows));
        let damped = soft.is_damped() || bows.is_damped() || lines.iter().any(|l| l.damping > 0.0);
        let lines = Self {
            batches,
            soft,
            bows,
            edges: Pairs::new(n, &limited),
            points: vec![[0.0; 4]; n + 1],
            start: vec![[0.0; 4]; if damped { n + 1 } else { 0 }],
            damped,
            strip: Strip::new(longest),
            scratch: elimination(longest),
            least_alpha: 0.0,
            ready_for: 0.0,
            particles,
        };
        (lines, others)
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.particles.is_empty()
    }

    /// Makes ready for a step of `h` from `x`, with these inverse masses.
    pub fn begin(&mut self, x: &Soa3, weights: &[f32], h: f32) {
        let mut changed = false;
        let mut sum = 0.0;
        for (point, &p) in self.points.iter_mut().zip(&self.particles) {
            let w = weights[p as usize];
            changed |= point[3] != w;
            sum += w;
            point[3] = w;
        }
        if self.damped {
            for (start, &p) in self.start.iter_mut().zip(&self.particles) {
                let i = p as usize;
                *start = [x.x[i], x.y[i], x.z[i], 0.0];
            }
        }
        if !changed && !self.damped && self.ready_for == h {
            return;
        }
        self.ready_for = h;
        self.least_alpha = LEAST_COMPLIANCE * sum / self.particles.len().max(1) as f32;
        for batch in &mut self.batches {
            batch.begin(&self.start, self.least_alpha, h);
        }
    }

    /// One round over `y`; the first of a step begins with what follows no line.
    pub fn project(&mut self, y: &mut Soa3, h: f32, first: bool) {
        if self.is_empty() {
            return;
        }
        self.load(y);
        if first {
            self.bows.sweep(&mut self.points, &self.start, h);
            self.soft.sweep(&mut self.points, &self.start, h);
        }
        for batch in &mut self.batches {
            batch.project(&mut self.points, (&mut self.strip, &mut self.scratch), first);
        }
        self.store(y);
    }

    /// Draws back edges of stiff sheets that the rounds have left too long.
    pub fn limit(&mut self, y: &mut Soa3) {
        if !self.edges.is_empty() {
            self.load(y);
            self.edges.limit(&mut self.points, LIMIT, LIMIT_SWEEPS);
            self.store(y);
        }
    }

    fn load(&mut self, y: &Soa3) {
        for (point, &p) in self.points.iter_mut().zip(&self.particles) {
            let i = p as usize;
            *point = [y.x[i], y.y[i], y.z[i], point[3]];
        }
    }

    fn store(&self, y: &mut Soa3) {
        for (point, &p) in self.points.iter().zip(&self.particles) {
            let i = p as usize;
            (y.x[i], y.y[i], y.z[i]) = (point[0], point[1], point[2]);
        }
    }
}

fn paths_of(lines: &[Pair], urgencies: &[u32], rest: &[Option<DVec3>]) -> Vec<Path> {
    let ends: Vec<[u32; 2]> = lines.iter().map(|l| l.ends).collect();
    let mut seeds: Vec<u32> = (0..lines.len() as u32).collect();
    seeds.sort_by_key(|&seed| urgencies[seed as usize]);
    let mut paths = cover(&ends, &seeds, rest);
    // Paths of about the same length side by side.
    paths.sort_by_key(|path| std::cmp::Reverse(path.edges.len()));
    paths
}

/// The paths by colour, none of which has two at one vertex.
fn colours_of(points: usize, paths: &[Path]) -> Vec<Vec<&Path>> {
    let mut seen = vec![Vec::<u32>::new(); points];
    let mut out: Vec<Vec<&Path>> = Vec::new();
    let mut taken = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        for &colour in path.vertices.iter().flat_map(|&v| &seen[v as usize]) {
            taken[colour as usize] = number;
        }
        let free = taken.iter().position(|&by| by != number).unwrap_or(taken.len());
        if free == taken.len() {
            taken.push(usize::MAX);
            out.push(Vec::new());
        }
        out[free].push(path);
        path.vertices.iter().for_each(|&v| seen[v as usize].push(free as u32));
    }
    out
}

impl Batch {
    fn new(paths: &[&Path], lines: &[Pair], nobody: usize) -> Self {
        let points = paths.iter().map(|p| p.vertices.len()).max().unwrap_or(0);
        let numbers = (0..points).map(|j| {
            std::array::from_fn(|l| {
                paths.get(l).and_then(|p| p.vertices.get(j)).map_or(nobody as u32, |&v| v)
            })
        });
        let lanes = |value: fn(&Pair) -> f32| -> Vec<Lane> {
            let at = |j: usize, l: usize| {
                let edge = paths.get(l).and_then(|p| p.edges.get(j));
                edge.map_or(0.0, |&e| value(&lines[e as usize]))
            };
            (0..points).map(|j| Lane(std::array::from_fn(|l| at(j, l)))).collect()
        };
        let (rest, stiffness) = (lanes(|p| p.rest), lanes(|p| p.stiffness));
        Self {
            numbers: numbers.collect(),
            multiplier: vec![Lane::ZERO; points],
            target: rest.clone(),
            alpha: vec![Lane([NO_EDGE; LANES]); points],
            rest,
            stiffness,
            damping: lanes(|p| p.damping),
        }
    }

    /// Compliances, and the lengths that dashpots make of the natural ones.
    fn begin(&mut self, start: &[Point], least: f32, h: f32) {
        for j in 0..self.numbers.len().saturating_sub(1) {
            let end = |at: usize| {
                let mut out = [Lane::ZERO; 4];
                gather(start, &self.numbers[at], &mut out);
                out
            };
            let ends = (!start.is_empty()).then(|| [end(j), end(j + 1)]);
            for l in 0..LANES {
                let (k, dashpot) = (self.stiffness[j].0[l], self.damping[j].0[l] / h);
                let stiff = k + dashpot;
                let alpha = if stiff > 0.0 { 1.0 / (stiff * h * h) } else { NO_EDGE };
                self.alpha[j].0[l] = alpha.max(least);
                let mut rest = self.rest[j].0[l];
                if let Some([a, b]) = ends.as_ref().filter(|_| dashpot > 0.0) {
                    let d: f32 = (0..3).map(|c| (b[c].0[l] - a[c].0[l]).powi(2)).sum();
                    rest = (k * rest + dashpot * d.sqrt()) / stiff;
                }
                self.target[j].0[l] = rest;
            }
        }
    }

    fn project(
        &mut self,
        points: &mut [Point],
        (strip, scratch): (&mut Strip, &mut [Eliminated]),
        first: bool,
    ) {
        let lend = |batch: &mut Self, strip: &mut Strip| {
            std::mem::swap(&mut batch.multiplier, &mut strip.multiplier);
            std::mem::swap(&mut batch.target, &mut strip.rest);
            std::mem::swap(&mut batch.alpha, &mut strip.alpha);
        };
        lend(self, strip);
        let numbers = self.numbers.as_slice();
        if first {
            dispatch(Along::<true> { numbers, points, strip, scratch });
        } else {
            dispatch(Along::<false> { numbers, points, strip, scratch });
        }
        lend(self, strip);
    }
}

/// Gathers sixteen paths, solves them, and puts them back.
struct Along<'a, const FIRST: bool> {
    numbers: &'a [Numbers],
    points: &'a mut [Point],
    strip: &'a mut Strip,
    scratch: &'a mut [Eliminated],
}

impl<const FIRST: bool> Kernel for Along<'_, FIRST> {
    #[inline(always)]
    fn run(self) {
        let Self { numbers, points, strip, scratch } = self;
        let lanes = strip.x.iter_mut().zip(&mut strip.weight);
        for (([x, y, z], w), numbers) in lanes.zip(numbers) {
            for l in 0..LANES {
                let p = points[numbers[l] as usize];
                (x.0[l], y.0[l], z.0[l], w.0[l]) = (p[0], p[1], p[2], p[3]);
            }
        }
        let law = EdgeLaw { alpha: 0.0, rest: 0.0 };
        let count = numbers.len();
        Project::<FIRST, true> { strip: &mut *strip, points: count, law, scratch, keep: true }
            .run();
        let lanes = strip.x.iter().zip(&strip.weight);
        for (([x, y, z], w), numbers) in lanes.zip(numbers) {
            for l in 0..LANES {
                points[numbers[l] as usize] = [x.0[l], y.0[l], z.0[l], w.0[l]];
            }
        }
    }
}
