//! Looks for near pairs, part by part.

use super::candidates::{Candidates, Known, Marked, Moving, find_tasks};
use super::narrow::{Course, Onward, Watched, find_near};
use super::rules::Rules;
use super::spare::Stands;
use super::surface::Child;
use super::swept::Paths;
use crate::parallel::{Parts, Split, for_each_large};

/// Finds pairs on all threads; the same ones in the same order on any number of them.
#[derive(Debug, Default)]
pub(super) struct Seekers {
    parts: Parts<Seeker>,
    tasks: [Vec<(Child, Child)>; 2],
    /// Pairs that were looked at closely so far.
    pub compared: u64,
}

#[derive(Debug, Default)]
struct Seeker {
    candidates: Candidates,
    /// Vertices with triangles, edges with edges.
    pairs: [Vec<Watched>; 2],
}

/// Tasks that a whole look is divided into.
const TASKS: usize = 256;

/// Patches that are looked at again, from which on threads help.
const MANY_PATCHES: usize = 64;

impl Seekers {
    /// Puts all pairs of surfaces that come near each other along `paths` after the first `lengths`
    /// of `pairs`.
    pub fn find_all(
        &mut self,
        between: [Moving<'_>; 2],
        rules: &Rules,
        paths: &Paths,
        (pairs, lengths): (&mut [Vec<Watched>; 2], &mut [usize; 2]),
    ) {
        find_tasks(between, rules, TASKS, &mut self.tasks);
        let tasks = &self.tasks[0];
        let parts = self.parts.fill((tasks.len(), 2), &|range, seeker: &mut Seeker| {
            seeker.candidates.clear();
            for &task in &tasks[range] {
                seeker.candidates.add(task, between, rules);
            }
            seeker.look(paths, rules);
        });
        self.compared += compared(parts);
        add(parts, pairs, lengths);
    }

    /// Pairs of edges that are worth a closer look.
    #[cfg(test)]
    pub fn compare(&mut self, between: [Moving<'_>; 2], rules: &Rules) -> Vec<[u32; 4]> {
        find_tasks(between, rules, TASKS, &mut self.tasks);
        let mut candidates = Candidates::default();
        self.tasks[0].iter().for_each(|&task| candidates.add(task, between, rules));
        candidates.edge_edge
    }

    /// Adds to `pairs` those of some patches of either surface in which a point is marked.
    pub fn find_marked(
        &mut self,
        [own, other]: [Moving<'_>; 2],
        (rules, marked): (&Rules, &Marked),
        course: &Onward<'_>,
        patches: &[Vec<u32>; 2],
        pairs: &mut [Vec<Watched>; 2],
    ) {
        let first = patches[0].len();
        let count = first + patches[1].len();
        let parts = self.parts.fill((count, MANY_PATCHES), &|range, seeker: &mut Seeker| {
            let candidates = &mut seeker.candidates;
            candidates.clear();
            // Patch by patch, so that the order does not show where parts begin.
            for index in range {
                if let Some(patch) = patches[0].get(index) {
                    let patch = std::slice::from_ref(patch);
                    candidates.add_marked((own, patch), own, rules, (marked, Known::Before));
                    candidates.add_marked((own, patch), other, rules, (marked, Known::None));
                } else {
                    let patch = std::slice::from_ref(&patches[1][index - first]);
                    candidates.add_marked((other, patch), own, rules, (marked, Known::Marked));
                }
            }
            seeker.look(course, rules);
        });
        self.compared += compared(parts);
        let mut lengths = [pairs[0].len(), pairs[1].len()];
        add(parts, pairs, &mut lengths);
    }
}

impl Seeker {
    fn look(&mut self, course: &impl Course, rules: &Rules) {
        self.pairs.iter_mut().for_each(Vec::clear);
        find_near::<1>(&self.candidates.vertex_triangle, course, &mut self.pairs[0]);
        find_near::<2>(&self.candidates.edge_edge, course, &mut self.pairs[1]);
        let [vertices, edges] = &mut self.pairs;
        vertices.iter_mut().for_each(|pair| complete::<1>(pair, course, rules));
        edges.iter_mut().for_each(|pair| complete::<2>(pair, course, rules));
    }
}

/// The same on any number of threads: which pairs are compared does not depend on who does it.
fn compared(parts: &[Seeker]) -> u64 {
    let of = |c: &Candidates| c.vertex_triangle.len() + c.edge_edge.len();
    parts.iter().map(|part| of(&part.candidates) as u64).sum()
}

/// What a pair is told of its bodies.
fn complete<const SIDE: usize>(pair: &mut Watched, course: &impl Course, rules: &Rules) {
    pair.thickness = pair.thickness.min(rules.thickest(&pair.points));
    if pair.near {
        pair.stands = rules.spares.stands::<SIDE>(pair, rules);
        // Vertices may slide to other triangles, and edges from where they end.
        let slides = |v: usize| course.of(v)[1];
        let settled = SIDE == 2 && pair.stands == Stands::Behind && !pair.slides(slides);
        pair.near = !settled;
    }
}

/// Puts what parts have found after the first `lengths` pairs of either kind.
fn add(parts: &[Seeker], pairs: &mut [Vec<Watched>; 2], lengths: &mut [usize; 2]) {
    for (kind, pairs) in pairs.iter_mut().enumerate() {
        let from = lengths[kind];
        lengths[kind] += parts.iter().map(|part| part.pairs[kind].len()).sum::<usize>();
        if pairs.len() < lengths[kind] {
            pairs.resize(lengths[kind], Watched::NONE);
        }
        let to = Copies { parts, to: &mut pairs[from..lengths[kind]], kind };
        for_each_large(to, &|_, Copies { parts, mut to, kind }: Copies<'_>| {
            for part in parts {
                let (own, rest) = to.split_at_mut(part.pairs[kind].len());
                own.copy_from_slice(&part.pairs[kind]);
                to = rest;
            }
        });
    }
}

/// Parts and the room for their pairs of one kind.
struct Copies<'a> {
    parts: &'a [Seeker],
    to: &'a mut [Watched],
    kind: usize,
}

impl Split for Copies<'_> {
    fn len(&self) -> usize {
        self.parts.len()
    }

    fn split(self, mid: usize) -> (Self, Self) {
        let Self { parts, to, kind } = self;
        let (parts, others) = parts.split_at(mid);
        let (to, other) = to.split_at_mut(parts.iter().map(|part| part.pairs[kind].len()).sum());
        (Self { parts, to, kind }, Self { parts: others, to: other, kind })
    }
}
