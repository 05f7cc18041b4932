//! Strain limits: no structural edge longer than it may be.

use glam::Vec3;

use super::Edge;
use crate::soa::Soa3;

/// |x_b − x_a| ≤ (1 + s)L for every limited edge: a convex set, onto which positions are
/// projected (001 §9.1.1).
///
/// First in sweeps that move both ends by their inverse masses and so keep momentum. Near a
/// point by which a whole cloth hangs these gain little each, and what is left is settled
/// outwards from a held point: each particle is brought within reach of those before it,
/// which stay. On a grid that succeeds, since two neighbours of a particle are themselves
/// within twice the reach of each other; what lacks then is at the other held points, from
/// which the next pass starts (as FABRIK does for a chain, Aristidou 2011).
#[derive(Debug, Default)]
pub struct StrainLimits {
    /// Passes, one from each of a few held points, or one from all of many.
    passes: Vec<Outwards>,
    /// Which particles were held when they were made.
    held: Vec<bool>,
    /// Where particles were before the passes. [m]
    from: Soa3,
}

/// Particles in the order of their distance from where a pass starts.
#[derive(Debug, Default)]
struct Outwards {
    order: Vec<u32>,
    /// `starts[k]..starts[k + 1]` are the entries of `before` that belong to `order[k]`.
    starts: Vec<u32>,
    /// Neighbours earlier in the order, with the largest distance.
    before: Vec<(u32, f32)>,
}

/// With more held points than this all of them start one pass together.
const MOST_ROOTS: usize = 4;

/// Sweeps that keep momentum, before the rest is settled outwards.
const SWEEPS: usize = 24;

/// A limit counts as met within this part of it, so that a few edges cannot
/// hold up all others for a gain that nobody sees.
const SLACK: f32 = 0.02;

/// The same for passes outwards, which aim a little inside the limit: alternating between
/// held points closes in on a boundary slowly, on what lies within it fast.
const SETTLED: f32 = 0.04;
const AIM: f32 = 0.95;

/// Rounds over all passes.
const ROUNDS: usize = 40;

/// Projections of one particle onto the reaches of its neighbours.
const TURNS: usize = 8;

impl StrainLimits {
    /// Shortens edges that are too long and gives the velocities the same change over the
    /// step `h`, or the part of it that leaves the least kinetic energy: a limit takes
    /// energy, even from a shape that starts far beyond it. Nothing is then faster than the way
    /// that it has gone from `start`: an edge that is drawn back in every step would else keep
    /// a speed that takes it nowhere. Returns the part, 1 but for shapes far beyond their limits.
    pub fn apply(
        &mut self,
        limited: &[Edge],
        (start, x, v): (&Soa3, &mut Soa3, &mut Soa3),
        inverse_mass: &[f32],
        h: f32,
    ) -> f32 {
        self.arrange(limited, inverse_mass);
        self.from.x.clone_from(&x.x);
        self.from.y.clone_from(&x.y);
        self.from.z.clone_from(&x.z);
        self.shorten(limited, x, inverse_mass);
        // K(v + sΔ) − K(v) = sB + ½s²A is least at s = −B/A.
        let (mut a, mut b) = (0.0f64, 0.0f64);
        let changes = |i: usize| (x.get(i) - self.from.get(i)) / h;
        for (i, &w) in inverse_mass.iter().enumerate().filter(|(_, w)| **w > 0.0) {
            let (change, mass) = (changes(i).as_dvec3(), 1.0 / f64::from(w));
            a += mass * change.length_squared();
            b += mass * change.dot(v.get(i).as_dvec3());
        }
        if !(a > 0.0) {
            return 1.0;
        }
        let part = (-b / a).clamp(0.0, 1.0) as f32;
        for i in (0..x.len()).filter(|&i| inverse_mass[i] > 0.0) {
            let after = v.get(i) + part * changes(i);
            v.set(i, after.clamp_length_max((x.get(i) - start.get(i)).length() / h));
        }
        part
    }

    /// Where particles were before the last application. [m]
    pub fn before(&self) -> &Soa3 {
        &self.from
    }

    fn shorten(&self, limited: &[Edge], x: &mut Soa3, inverse_mass: &[f32]) {
        for _ in 0..SWEEPS {
            let mut worst = 0.0f32;
            for edge in limited {
                worst = worst.max(shorten(edge, x, inverse_mass));
            }
            if worst <= SLACK {
                return;
            }
        }
        self.settle(limited, x);
    }

    fn settle(&self, limited: &[Edge], x: &mut Soa3) {
        for _ in 0..ROUNDS {
            for pass in &self.passes {
                pass.settle(&self.held, x);
                if Self::are_met(limited, x) {
                    return;
                }
            }
        }
    }

    /// Whether every limit is met.
    pub fn are_met(limited: &[Edge], x: &Soa3) -> bool {
        limited.iter().all(|edge| excess(edge, x) <= SETTLED)
    }

    /// Makes the passes. They are kept while the same particles are held.
    fn arrange(&mut self, limited: &[Edge], inverse_mass: &[f32]) {
        let same = self.held.len() == inverse_mass.len()
            && self.held.iter().zip(inverse_mass).all(|(&held, &w)| held == (w <= 0.0));
        if same {
            return;
        }
        self.held = inverse_mass.iter().map(|&w| w <= 0.0).collect();
        let mut near: Vec<Vec<(u32, f32)>> = vec![Vec::new(); inverse_mass.len()];
        for edge in limited {
            let [a, b] = edge.ends;
            let reach = edge.rest * (1.0 + AIM * edge.max_stretch);
            near[a as usize].push((b, reach));
            near[b as usize].push((a, reach));
        }
        let roots: Vec<u32> = (0..near.len() as u32)
            .filter(|&p| self.held[p as usize] && !near[p as usize].is_empty())
            .collect();
        self.passes = if (1..=MOST_ROOTS).contains(&roots.len()) {
            roots.iter().map(|&root| Outwards::new(&near, &[root])).collect()
        } else {
            vec![Outwards::new(&near, &roots)]
        };
    }
}

impl Outwards {
    /// From `roots` all together; what they do not reach starts somewhere.
    fn new(near: &[Vec<(u32, f32)>], roots: &[u32]) -> Self {
        let mut place = vec![u32::MAX; near.len()];
        let mut order: Vec<u32> = roots.to_vec();
        for (k, &root) in roots.iter().enumerate() {
            place[root as usize] = k as u32;
        }
        let mut next = 0;
        for start in 0..near.len() {
            while next < order.len() {
                for &(other, _) in &near[order[next] as usize] {
                    if place[other as usize] == u32::MAX {
                        place[other as usize] = order.len() as u32;
                        order.push(other);
                    }
                }
                next += 1;
            }
            if place[start] == u32::MAX && !near[start].is_empty() {
                place[start] = order.len() as u32;
                order.push(start as u32);
            }
        }
        let (mut starts, mut before) = (vec![0], Vec::new());
        for (k, &particle) in order.iter().enumerate() {
            let earlier = |&&(other, _): &&(u32, f32)| place[other as usize] < k as u32;
            before.extend(near[particle as usize].iter().filter(earlier));
            starts.push(before.len() as u32);
        }
        Self { order, starts, before }
    }

    fn settle(&self, held: &[bool], x: &mut Soa3) {
        for (k, &particle) in self.order.iter().enumerate() {
            let particle = particle as usize;
            if held[particle] {
                continue;
            }
            let near = &self.before[self.starts[k] as usize..self.starts[k + 1] as usize];
            let mut to = x.get(particle);
            for _ in 0..TURNS {
                let mut moved = false;
                for &(other, reach) in near {
                    let arm = to - x.get(other as usize);
                    let length = arm.length();
                    if length > reach {
                        to = x.get(other as usize) + arm * (reach / length);
                        // Rounding alone is not worth another turn.
                        moved |= length > reach * (1.0 + 1e-5);
                    }
                }
                if !moved {
                    break;
                }
            }
            x.set(particle, to);
        }
    }
}

/// By how much an edge is beyond its limit, relative to the limit.
#[inline]
fn excess(edge: &Edge, x: &Soa3) -> f32 {
    let [a, b] = edge.ends.map(|e| x.get(e as usize));
    let over = (b - a).length() - edge.rest * (1.0 + edge.max_stretch);
    over.max(0.0) / (edge.rest * edge.max_stretch.max(0.01))
}

/// Shortens one edge; returns by how much the limit was exceeded, relative to it.
#[inline]
fn shorten(edge: &Edge, x: &mut Soa3, inverse_mass: &[f32]) -> f32 {
    let [a, b] = edge.ends.map(|e| e as usize);
    let d: Vec3 = x.get(b) - x.get(a);
    let length = d.length();
    let excess = length - edge.rest * (1.0 + edge.max_stretch);
    let weight = inverse_mass[a] + inverse_mass[b];
    if excess <= 0.0 || weight == 0.0 {
        return 0.0;
    }
    let correction = d * (excess / (length * weight));
    x.add(a, correction * inverse_mass[a]);
    x.add(b, correction * -inverse_mass[b]);
    excess / (edge.rest * edge.max_stretch.max(0.01))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edges::EdgeBatch;

    fn apply(edges: Vec<Edge>, points: &[Vec3], weights: &[f32], h: f32) -> (Soa3, Soa3) {
        let batch = EdgeBatch::new(points.len(), edges);
        let (mut x, mut v) = (Soa3::from_points(points), Soa3::zeros(points.len()));
        let start = x.clone();
        StrainLimits::default().apply(batch.limited(), (&start, &mut x, &mut v), weights, h);
        (x, v)
    }

    #[test]
    fn a_chain_a_little_too_long_is_shortened_and_keeps_its_momentum() {
        let edges = (0..9)
            .map(|i| Edge {
                ends: [i, i + 1],
                rest: 0.1,
                max_stretch: 0.1,
                tears_at: f32::INFINITY,
            })
            .collect();
        let points: Vec<Vec3> = (0..10).map(|i| Vec3::X * (0.1105 * i as f32)).collect();
        let (x, v) = apply(edges, &points, &[1.0; 10], 0.01);
        for i in 0..9 {
            assert!((x.get(i + 1) - x.get(i)).length() < 0.1 * 1.105);
        }
        let momentum: Vec3 = v.iter().sum();
        assert!(momentum.length() < 1e-3, "{momentum}");
    }

    #[test]
    fn a_hanging_sheet_drawn_to_three_times_its_length_is_soon_within_its_limit() {
        let n = 30u32;
        let at = |i: u32, j: u32| j * n + i;
        let mut edges = Vec::new();
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let mut add = |a, b| {
                edges.push(Edge {
                    ends: [a, b],
                    rest: 0.1,
                    max_stretch: 0.1,
                    tears_at: f32::INFINITY,
                })
            };
            if i + 1 < n {
                add(at(i, j), at(i + 1, j));
            }
            if j + 1 < n {
                add(at(i, j), at(i, j + 1));
            }
        }
        let points: Vec<Vec3> = (0..n * n)
            .map(|p| Vec3::new(0.1 * (p % n) as f32, -0.3 * (p / n) as f32, 0.0))
            .collect();
        let mut weights = vec![1.0; points.len()];
        (weights[0], weights[n as usize - 1]) = (0.0, 0.0);
        let (x, _) = apply(edges.clone(), &points, &weights, 0.01);
        let again: Vec<Vec3> = x.iter().collect();
        let (x, _) = apply(edges.clone(), &again, &weights, 0.01);
        let worst = edges.iter().map(|edge| excess(edge, &x)).fold(0.0, f32::max);
        assert!(worst < 0.05, "{worst}");
        assert_eq!(x.get(0), points[0]);
    }

    #[test]
    fn pinned_ends_stay_and_a_limit_gives_no_speed() {
        let edge = Edge { ends: [0, 1], rest: 1.0, max_stretch: 0.0, tears_at: f32::INFINITY };
        let (x, v) = apply(vec![edge], &[Vec3::ZERO, Vec3::X * 2.0], &[0.0, 1.0], 0.5);
        assert_eq!(x.get(0), Vec3::ZERO);
        assert!((x.get(1).x - 1.0).abs() < 1e-6 && v.get(1) == Vec3::ZERO);
    }

    #[test]
    fn what_flies_apart_is_stopped() {
        let batch = EdgeBatch::new(
            2,
            vec![Edge { ends: [0, 1], rest: 1.0, max_stretch: 0.0, tears_at: f32::INFINITY }],
        );
        // At its limit at the start of the step, then drawn out by its own motion.
        let start = Soa3::from_points(&[Vec3::ZERO, Vec3::X]);
        let mut x = Soa3::from_points(&[Vec3::ZERO, Vec3::X * 1.5]);
        let mut v = Soa3::from_points(&[Vec3::ZERO, Vec3::X]);
        let motion = (&start, &mut x, &mut v);
        StrainLimits::default().apply(batch.limited(), motion, &[1.0, 1.0], 0.5);
        assert!((v.get(0).x - 0.5).abs() < 1e-6 && (v.get(1).x - 0.5).abs() < 1e-6);
    }

    #[test]
    fn what_a_limit_draws_back_in_every_step_keeps_no_speed() {
        let batch = EdgeBatch::new(
            2,
            vec![Edge { ends: [0, 1], rest: 1.0, max_stretch: 0.0, tears_at: f32::INFINITY }],
        );
        let start = Soa3::from_points(&[Vec3::ZERO, Vec3::X]);
        let mut x = Soa3::from_points(&[Vec3::ZERO, Vec3::X * 1.5]);
        // A tenth of the way that it has gone, as if most of its energy had been taken.
        let mut v = Soa3::from_points(&[Vec3::ZERO, Vec3::X * 0.1]);
        let motion = (&start, &mut x, &mut v);
        let part = StrainLimits::default().apply(batch.limited(), motion, &[0.0, 1.0], 0.5);
        assert!(part < 1.0 && (x.get(1) - Vec3::X).length() < 1e-6);
        assert!(v.get(1).length() < 1e-6, "{}", v.get(1));
    }
}
