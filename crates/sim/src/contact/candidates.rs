//! Pairs whose boxes meet.

use super::flat::Flatness;
use super::rules::Rules;
use super::surface::{Child, Patch, Surface};
use super::swept::SweptBoxes;
use crate::simd::{Kernel, dispatch};

/// Pairs that are worth a closer look. Vertex or first edge, then triangle or second edge.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// A vertex and a triangle each.
    pub vertex_triangle: Vec<[u32; 4]>,
    /// Two edges each.
    pub edge_edge: Vec<[u32; 4]>,
    stack: Vec<(Child, Child)>,
}

/// A surface and where its parts are going.
#[derive(Clone, Copy, Debug)]
pub struct Moving<'a> {
    /// Its parts.
    pub surface: &'a Surface,
    /// Their boxes.
    pub boxes: &'a SweptBoxes,
    /// Where it is too flat to touch itself.
    pub(super) flatness: Option<&'a Flatness>,
}

impl Candidates {
    /// Forgets all pairs.
    pub fn clear(&mut self) {
        self.vertex_triangle.clear();
        self.edge_edge.clear();
    }

    /// Adds what is found below some parts of two trees.
    pub fn add(&mut self, task: (Child, Child), between: [Moving<'_>; 2], rules: &Rules) {
        let [one, other] = between;
        self.stack.push(task);
        dispatch(Traversal { to: self, one, other, rules, marked: None });
    }

    /// Adds the pairs of the patches `patches` of `one` with `other` in which a point is marked,
    /// but for those that are `known`.
    pub fn add_marked(
        &mut self,
        (one, patches): (Moving<'_>, &[u32]),
        other: Moving<'_>,
        rules: &Rules,
        marked: (&Marked, Known),
    ) {
        let Some(root) = other.surface.root() else { return };
        for &patch in patches {
            if one.boxes.patches[patch as usize].meets(other.boxes.of(root)) {
                self.stack.push((Child::Patch(patch), root));
                dispatch(Traversal { to: self, one, other, rules, marked: Some(marked) });
            }
        }
    }
}

/// Parts of two trees whose boxes meet and that, below them, have all pairs that do: at least
/// `enough` of them, unless there are not so many.
pub fn find_tasks(
    [one, other]: [Moving<'_>; 2],
    rules: &Rules,
    enough: usize,
    [tasks, next]: &mut [Vec<(Child, Child)>; 2],
) {
    tasks.clear();
    let (Some(a), Some(b)) = (one.surface.root(), other.surface.root()) else { return };
    if one.boxes.of(a).meets(other.boxes.of(b)) {
        tasks.push((a, b));
    }
    let mut more = true;
    while more && tasks.len() < enough {
        more = false;
        next.clear();
        for &(a, b) in tasks.iter() {
            match (a, b) {
                (Child::Patch(_), Child::Patch(_)) => next.push((a, b)),
                _ => {
                    more = true;
                    divide([one, other], rules, (a, b), next);
                }
            }
        }
        std::mem::swap(tasks, next);
    }
}

/// Goes down by one in both trees from parts that are not patches both.
#[inline(always)]
fn divide(
    [one, other]: [Moving<'_>; 2],
    rules: &Rules,
    (a, b): (Child, Child),
    to: &mut Vec<(Child, Child)>,
) {
    let same = std::ptr::eq(one.boxes, other.boxes);
    let mut to = Meeting { between: [one, other], rules, to };
    match (a, b) {
        (Child::Branch(p), Child::Branch(q)) if same && p == q => {
            let [c, d] = one.surface.branches[p as usize].children;
            to.add(d, d);
            to.add(c, d);
            to.add(c, c);
        }
        (Child::Branch(p), Child::Branch(q)) => {
            for c in one.surface.branches[p as usize].children {
                for d in other.surface.branches[q as usize].children {
                    to.add(c, d);
                }
            }
        }
        (Child::Branch(p), _) => {
            for c in one.surface.branches[p as usize].children {
                to.add(c, b);
            }
        }
        (_, Child::Branch(q)) => {
            for d in other.surface.branches[q as usize].children {
                to.add(a, d);
            }
        }
        _ => {}
    }
}

/// Parts of two trees that may touch.
struct Meeting<'a> {
    between: [Moving<'a>; 2],
    rules: &'a Rules,
    to: &'a mut Vec<(Child, Child)>,
}

impl Meeting<'_> {
    /// Adds two parts if their boxes meet and they may touch.
    #[inline(always)]
    fn add(&mut self, c: Child, d: Child) {
        let [one, other] = self.between;
        let meet = one.boxes.of(c).meets(other.boxes.of(d));
        if meet && !self.rules.forbid((one.surface, c), (other.surface, d)) {
            self.to.push((c, d));
        }
    }
}

/// What is being looked at anew.
#[derive(Clone, Debug, Default)]
pub struct Marked {
    /// Of each point, whether it is.
    pub points: Vec<bool>,
    /// Of each patch of either surface, whether one of its parts is.
    pub patches: [Vec<bool>; 2],
}

/// Pairs of marked patches that have been found from the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// None.
    None,
    /// Those with a marked patch of the first surface that comes before.
    Before,
    /// Those with any marked patch of the first surface.
    Marked,
}

struct Traversal<'a> {
    to: &'a mut Candidates,
    one: Moving<'a>,
    other: Moving<'a>,
    rules: &'a Rules,
    marked: Option<(&'a Marked, Known)>,
}

impl Kernel for Traversal<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { to, one, other, rules, marked } = self;
        let same = std::ptr::eq(one.boxes, other.boxes);
        while let Some((a, b)) = to.stack.pop() {
            match (a, b) {
                (Child::Patch(p), Child::Patch(q)) => {
                    let twice = marked.is_some_and(|(marked, known)| match known {
                        Known::None => false,
                        Known::Before => q < p && marked.patches[0][q as usize],
                        Known::Marked => marked.patches[0][q as usize],
                    });
                    let flat = |flatness: &Flatness| flatness.keeps_apart(p as usize, q as usize);
                    if !(twice || same && one.flatness.is_some_and(flat)) {
                        let (p, q) = (p as usize, q as usize);
                        let points = marked.map(|(marked, known)| {
                            // What is marked on the other side alone is found from there.
                            let both = known == Known::Before && marked.patches[0][q];
                            let other = known == Known::None && marked.patches[1][q];
                            (marked.points.as_slice(), both || other)
                        });
                        to.add_patches((one, p), (other, q), (rules, points), same && p == q);
                    }
                }
                _ if same && one.flatness.is_some_and(|flat| is_flat(flat, (a, b))) => {}
                _ => divide([one, other], rules, (a, b), &mut to.stack),
            }
        }
    }
}

/// Whether parts of one tree are so flat that nothing in them can touch.
#[inline(always)]
fn is_flat(flatness: &Flatness, parts: (Child, Child)) -> bool {
    match parts {
        (Child::Branch(p), Child::Branch(q)) => {
            flatness.keeps_branches_apart(p as usize, q as usize)
        }
        (Child::Patch(p), Child::Branch(q)) => flatness.keeps_apart_within(p as usize, q as usize),
        _ => false,
    }
}

impl Candidates {
    #[inline(always)]
    fn add_patches(
        &mut self,
        (one, p): (Moving<'_>, usize),
        (other, q): (Moving<'_>, usize),
        (rules, marked): (&Rules, Option<(&[bool], bool)>),
        itself: bool,
    ) {
        let (a, b) = (&one.surface.patches[p], &other.surface.patches[q]);
        let (in_a, in_b) = (&one.boxes.parts[p], &other.boxes.parts[q]);
        let (lanes_a, lanes_b) = (Lanes::of(a), Lanes::of(b));
        // Only what meets the other as a whole can meet a part of it.
        let mut near_a = in_a.meeting(&other.boxes.patches[q]);
        if let Some((points, false)) = marked {
            near_a &= marked_lanes(one.surface, a, points);
        }
        let marked = marked.map(|(points, _)| points);
        let wanted = |pair: &[u32; 4]| marked.is_none_or(|m| pair.iter().any(|&v| m[v as usize]));
        let mut lanes = near_a & lanes_a.edges;
        while let Some(lane) = next_bit(&mut lanes) {
            let mut meeting = in_b.meeting(&in_a.lane(lane)) & lanes_b.edges;
            if itself {
                meeting &= !((2 << lane) - 1);
            }
            let [u, v] = one.surface.edges[a.edges.start + lane - a.triangles.len()];
            while let Some(l) = next_bit(&mut meeting) {
                let [r, s] = other.surface.edges[b.edges.start + l - b.triangles.len()];
                let pair = [u, v, r, s];
                if rules.allow::<2>(&pair) && wanted(&pair) {
                    self.edge_edge.push(pair);
                }
            }
        }
        let mut lanes = near_a & lanes_a.vertices;
        while let Some(lane) = next_bit(&mut lanes) {
            let mut meeting = in_b.meeting(&in_a.lane(lane)) & lanes_b.triangles;
            let u = one.surface.vertices[lane - lanes_a.first_vertex + a.vertices.start];
            while let Some(l) = next_bit(&mut meeting) {
                let [r, s, t] = other.surface.triangles[b.triangles.start + l];
                let pair = [u, r, s, t];
                if rules.allow::<1>(&pair) && wanted(&pair) {
                    self.vertex_triangle.push(pair);
                }
            }
        }
        if itself {
            return;
        }
        let mut lanes = near_a & lanes_a.triangles;
        while let Some(lane) = next_bit(&mut lanes) {
            let mut meeting = in_b.meeting(&in_a.lane(lane)) & lanes_b.vertices;
            let [r, s, t] = one.surface.triangles[a.triangles.start + lane];
            while let Some(l) = next_bit(&mut meeting) {
                let u = other.surface.vertices[l - lanes_b.first_vertex + b.vertices.start];
                let pair = [u, r, s, t];
                if rules.allow::<1>(&pair) && wanted(&pair) {
                    self.vertex_triangle.push(pair);
                }
            }
        }
    }
}

/// The lanes of a patch that have a marked point.
fn marked_lanes(surface: &Surface, patch: &Patch, points: &[bool]) -> u32 {
    let marked = |corners: &[u32]| corners.iter().any(|&v| points[v as usize]);
    let triangles = surface.triangles[patch.triangles.clone()].iter().map(|t| marked(t));
    let edges = surface.edges[patch.edges.clone()].iter().map(|e| marked(e));
    let vertices = surface.vertices[patch.vertices.clone()].iter().map(|&v| marked(&[v]));
    let lanes = triangles.chain(edges).chain(vertices).enumerate();
    lanes.fold(0, |bits, (lane, marked)| bits | u32::from(marked) << lane)
}

/// Which lanes of a patch hold what.
struct Lanes {
    triangles: u32,
    edges: u32,
    vertices: u32,
    first_vertex: usize,
}

impl Lanes {
    #[inline(always)]
    fn of(patch: &Patch) -> Self {
        let below = |count: usize| (1u32 << count) - 1;
        let triangles = patch.triangles.len();
        let first_vertex = triangles + patch.edges.len();
        let end = first_vertex + patch.vertices.len();
        Self {
            triangles: below(triangles),
            edges: below(first_vertex) & !below(triangles),
            vertices: below(end) & !below(first_vertex),
            first_vertex,
        }
    }
}

#[inline(always)]
fn next_bit(bits: &mut u32) -> Option<usize> {
    if *bits == 0 {
        return None;
    }
    let next = bits.trailing_zeros() as usize;
    *bits &= *bits - 1;
    Some(next)
}
