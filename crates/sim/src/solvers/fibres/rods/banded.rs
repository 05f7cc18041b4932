//! Stretch and bending of sixteen strands in one solve each.

use crate::elements::rsqrt;
use crate::simd::three::{Three, add, dot, larger, scale, sub};
use crate::simd::{Kernel, LANES, Lane};

use super::bend::{Stiffness, second_difference};
use super::lanes::{at, put};

/// What elimination leaves of a point's four rows for the way back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// Entries left of the diagonal, eight for each row.
    lower: [[Lane; 8]; 4],
    /// Right-hand sides.
    value: [Lane; 4],
    /// 1/pivots.
    pivot: [Lane; 4],
}

impl Rows {
    pub const ZERO: Self =
        Self { lower: [[Lane::ZERO; 8]; 4], value: [Lane::ZERO; 4], pivot: [Lane::ZERO; 4] };
}

/// Point j's row of K/(m/h²), the same for x, y and z: entries for j, j − 1 and j − 2, those of
/// points that are held left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct StiffRow {
    pub own: Lane,
    pub before: Lane,
    pub second: Lane,
}

impl StiffRow {
    pub const ZERO: Self = Self { own: Lane::ZERO, before: Lane::ZERO, second: Lane::ZERO };
}

/// x += fall, then (M/h² + K) δ + Jᵀλ = f and J δ − α λ = −C for each strand, then x += δ; f is what
/// bends do where points are then, and what acts besides.
///
/// Unknowns are (x, y, z) of a point and λ of the edge that leads to it, point after point: all
/// entries are within eight of the diagonal, and LDLᵀ needs no pivoting as each λ comes after the
/// points that it joins. C_j = |x_j − x_{j−1}| − L. Scaled by h²/m, m the mass of an edge.
pub(super) struct Solve<'a> {
    pub x: &'a mut [[Lane; 3]],
    /// What weight and pushes move points by before all else. [m]
    pub fall: &'a [[Lane; 3]],
    /// Natural bends. [m]
    pub vectors: &'a [[Lane; 3]],
    /// What acts besides bending, if anything does. [N]
    pub reaction: Option<&'a [[Lane; 3]]>,
    /// E I/l³ of each point, and a factor on it. [N/m, 1]
    pub rod: &'a [Stiffness],
    pub more: f32,
    pub stiff: &'a [StiffRow],
    /// How much harder points are to move than by their mass alone.
    pub inertia: &'a [Lane],
    /// 1 for edges that hold, 0 for those that are cut; by the point they leave.
    pub links: &'a [Lane],
    /// 1 for points that move, 0 for those that are held.
    pub free: &'a [Lane],
    /// Two more than points: those before the first say nothing.
    pub rows: &'a mut [Rows],
    /// First points that are held in all strands: they are left out.
    pub held: usize,
    /// Length of edges. [m]
    pub edge: Lane,
    /// h²/m.
    pub scale: Lane,
    /// 1/(k h²) beside 1/m. [1]
    pub alpha: f32,
}

/// Row `$k` of twelve: those of two points before, then of this one.
macro_rules! of {
    ($w:ident, $part:ident, $k:expr) => {
        if $k < 4 {
            &$w.0.$part[$k % 4]
        } else if $k < 8 {
            &$w.1.$part[$k % 4]
        } else {
            &$w.2.$part[$k % 4]
        }
    };
}

/// One column of a row: what the columns before it leave, `$q` each of them.
macro_rules! column {
    ($u:ident, $w:ident, $c:literal, $l:ident, $k:literal: $($q:literal)*) => {
        $( $u[$k] -= $u[$q] * of!($w, lower, $c + $k)[$q + 8 - $k].0[$l]; )*
    };
}

/// One row: its entries over the pivots, its own pivot, its right-hand side.
macro_rules! row {
    ($u:ident, $w:ident, $c:literal, $l:ident, $own:expr, $right:expr, [$($k:literal)*]) => {{
        let (mut own, mut right): (f32, f32) = ($own, $right);
        $(
            let over = $u[$k] * of!($w, pivot, $c + $k).0[$l];
            own -= $u[$k] * over;
            right -= over * of!($w, value, $c + $k).0[$l];
            $w.2.lower[$c][$k].0[$l] = over;
        )*
        $w.2.pivot[$c].0[$l] = 1.0 / own;
        $w.2.value[$c].0[$l] = right;
    }};
}

macro_rules! coordinate_row {
    ($w:ident, $c:literal, $l:ident, $stiff:expr, $right:expr) => {{
        let [own, before, second] = $stiff;
        let mut u = [second, 0.0, 0.0, 0.0, before, 0.0, 0.0, 0.0];
        column!(u, $w, $c, $l, 1: 0);
        column!(u, $w, $c, $l, 2: 0 1);
        column!(u, $w, $c, $l, 3: 0 1 2);
        column!(u, $w, $c, $l, 4: 0 1 2 3);
        column!(u, $w, $c, $l, 5: 0 1 2 3 4);
        column!(u, $w, $c, $l, 6: 0 1 2 3 4 5);
        column!(u, $w, $c, $l, 7: 0 1 2 3 4 5 6);
        row!(u, $w, $c, $l, own, $right, [0 1 2 3 4 5 6 7]);
    }};
}

/// A point of sixteen strands, and the edge that leads to it.
struct Point {
    /// Where the one before and itself are, and whether they move. [m, 1]
    x: [[Lane; 3]; 2],
    free: [Lane; 2],
    force: [Lane; 3],
    stiff: StiffRow,
    inertia: Lane,
    link: Lane,
    /// Its mass beside that of an edge. [1]
    whole: f32,
}

impl Kernel for Solve<'_> {
    #[inline(always)]
    fn run(self) {
        let law = Law { edge: self.edge, scale: self.scale, alpha: self.alpha };
        let (last, held) = (self.x.len() - 1, self.held);
        for j in 0..self.x.len().min(held + 2) {
            self.x[j] = sum(self.x[j], self.fall[j]);
        }
        self.rows[held..held + 2].fill(Rows::ZERO);
        let (mut before, mut here) = (self.strain(held.wrapping_sub(1)), self.strain(held));
        for j in held..=last {
            if j + 2 <= last {
                self.x[j + 2] = sum(self.x[j + 2], self.fall[j + 2]);
            }
            let after = self.strain(j + 1);
            let force = self.force(j, [before, here, after]);
            (before, here) = (here, after);
            let (joined, previous) = (j > 0, j.saturating_sub(1));
            let point = Point {
                x: [self.x[previous], self.x[j]],
                free: [if joined { self.free[previous] } else { Lane::ZERO }, self.free[j]],
                force,
                stiff: self.stiff[j],
                inertia: self.inertia[j],
                link: if joined { self.links[previous] } else { Lane::ZERO },
                whole: if j == 0 || j == last { 0.5 } else { 1.0 },
            };
            let (done, rest) = self.rows.split_at_mut(j + 2);
            eliminate(&point, &law, &done[j], &done[j + 1], &mut rest[0]);
        }
        go_back(&mut self.x[held..], &self.rows[held + 2..], &self.free[held..]);
    }
}

impl Solve<'_> {
    /// K(x₋ − 2x + x₊ − b) of a point; nothing at the ends and beyond. [N]
    #[inline(always)]
    fn strain(&self, i: usize) -> [Lane; 3] {
        let mut strain = [Lane::ZERO; 3];
        if i == 0 || i >= self.x.len() - 1 {
            return strain;
        }
        let places = [self.x[i - 1], self.x[i], self.x[i + 1]];
        let (vector, bend, more) = (self.vectors[i], self.rod[i].bend, self.more);
        for l in 0..LANES {
            let apart = sub(second_difference(&places, l), at(&vector, l));
            put(&mut strain, l, scale(apart, more * bend.0[l]));
        }
        strain
    }

    /// f = −s₋ + 2s − s₊ at a point, and what acts besides. [N]
    #[inline(always)]
    fn force(&self, j: usize, [before, here, after]: [[Lane; 3]; 3]) -> [Lane; 3] {
        let mut force = self.reaction.map_or([Lane::ZERO; 3], |reaction| reaction[j]);
        for l in 0..LANES {
            let s = at(&here, l);
            let sum = sub(add(sub(at(&force, l), at(&before, l)), add(s, s)), at(&after, l));
            put(&mut force, l, sum);
        }
        force
    }
}

#[inline(always)]
fn sum(mut a: [Lane; 3], b: [Lane; 3]) -> [Lane; 3] {
    for l in 0..LANES {
        let sum = add(at(&a, l), at(&b, l));
        put(&mut a, l, sum);
    }
    a
}

/// What all points of a strand have in common.
struct Law {
    edge: Lane,
    scale: Lane,
    alpha: f32,
}

/// The rows of a point from those of the two before it. A function of its own: only arguments are
/// known to share no memory, and only then does the compiler use vectors.
#[inline(always)]
fn eliminate(point: &Point, law: &Law, second: &Rows, before: &Rows, out: &mut Rows) {
    let w = (second, before, out);
    w.2.lower[3][0] = Lane::ZERO;
    for l in 0..LANES {
        let (to, mobile, mobile_before) =
            (at(&point.x[1], l), point.free[1].0[l], point.free[0].0[l]);
        let apart = sub(to, at(&point.x[0], l));
        let square = dot(apart, apart);
        let inverse = rsqrt(square);
        let n: Three = scale(apart, inverse);
        let lack = law.edge.0[l] - square * inverse;
        let part = point.link.0[l];
        let push = scale(at(&point.force, l), law.scale.0[l] * mobile);
        let StiffRow { own, before, second } = &point.stiff;
        // One that is held gets a row of its own that says nothing.
        let own = mobile * (own.0[l] + point.whole * point.inertia.0[l]) + (1.0 - mobile);
        let entries = [own, before.0[l], second.0[l]];
        coordinate_row!(w, 0, l, entries, push[0]);
        coordinate_row!(w, 1, l, entries, push[1]);
        coordinate_row!(w, 2, l, entries, push[2]);
        // The length of the edge: its ends alone, and what elimination has made of them.
        let (now, then) = (part * mobile, -part * mobile_before);
        let mut u =
            [0.0, n[0] * then, n[1] * then, n[2] * then, 0.0, n[0] * now, n[1] * now, n[2] * now];
        column!(u, w, 3, l, 2: 1);
        column!(u, w, 3, l, 3: 1 2);
        column!(u, w, 3, l, 4: 1 2 3);
        column!(u, w, 3, l, 5: 1 2 3 4);
        column!(u, w, 3, l, 6: 1 2 3 4 5);
        column!(u, w, 3, l, 7: 1 2 3 4 5 6);
        // An edge that is cut or held at both ends, and the one before the first, must not be
        // divided by zero.
        let nothing = 1.0 - part * larger(mobile, mobile_before);
        row!(u, w, 3, l, -law.alpha - nothing, lack * (1.0 - nothing), [1 2 3 4 5 6 7]);
    }
}

/// Lᵀ x = y from the last point to the first; each found value is taken out of the eight before it.
#[inline(always)]
fn go_back(x: &mut [[Lane; 3]], rows: &[Rows], free: &[Lane]) {
    // What is still to be taken out of the two points before.
    let mut owed = [Lane::ZERO; 8];
    for j in (0..x.len()).rev() {
        let Rows { lower, value, pivot } = &rows[j];
        let (mut here, mobile, mut next) = (x[j], free[j], [Lane::ZERO; 8]);
        for l in 0..LANES {
            let mut y = [0.0; 4];
            // λ first, then z, y, x: each is owed what came after it.
            y[3] = value[3].0[l] * pivot[3].0[l] - owed[7].0[l];
            y[2] = value[2].0[l] * pivot[2].0[l] - owed[6].0[l] - lower[3][7].0[l] * y[3];
            y[1] = value[1].0[l] * pivot[1].0[l]
                - owed[5].0[l]
                - lower[3][6].0[l] * y[3]
                - lower[2][7].0[l] * y[2];
            y[0] = value[0].0[l] * pivot[0].0[l]
                - owed[4].0[l]
                - lower[3][5].0[l] * y[3]
                - lower[2][6].0[l] * y[2]
                - lower[1][7].0[l] * y[1];
            // Columns of the point before (4 to 7 places back and less), then of the second.
            next[7].0[l] = owed[3].0[l]
                + lower[0][7].0[l] * y[0]
                + lower[1][6].0[l] * y[1]
                + lower[2][5].0[l] * y[2]
                + lower[3][4].0[l] * y[3];
            next[6].0[l] = owed[2].0[l]
                + lower[0][6].0[l] * y[0]
                + lower[1][5].0[l] * y[1]
                + lower[2][4].0[l] * y[2]
                + lower[3][3].0[l] * y[3];
            next[5].0[l] = owed[1].0[l]
                + lower[0][5].0[l] * y[0]
                + lower[1][4].0[l] * y[1]
                + lower[2][3].0[l] * y[2]
                + lower[3][2].0[l] * y[3];
            next[4].0[l] = owed[0].0[l]
                + lower[0][4].0[l] * y[0]
                + lower[1][3].0[l] * y[1]
                + lower[2][2].0[l] * y[2]
                + lower[3][1].0[l] * y[3];
            next[3].0[l] =
                lower[0][3].0[l] * y[0] + lower[1][2].0[l] * y[1] + lower[2][1].0[l] * y[2];
            next[2].0[l] = lower[0][2].0[l] * y[0] + lower[1][1].0[l] * y[1];
            next[1].0[l] = lower[0][1].0[l] * y[0];
            next[0].0[l] = 0.0;
            // Rows begin eight places back: what reaches the second point before is the rest.
            next[3].0[l] += lower[3][0].0[l] * y[3];
            next[2].0[l] += lower[2][0].0[l] * y[2];
            next[1].0[l] += lower[1][0].0[l] * y[1];
            next[0].0[l] += lower[0][0].0[l] * y[0];
            let m = mobile.0[l];
            let to = at(&here, l);
            put(&mut here, l, [to[0] + m * y[0], to[1] + m * y[1], to[2] + m * y[2]]);
        }
        x[j] = here;
        owed = next;
    }
}
