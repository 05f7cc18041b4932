//! Strands between strands: followers that are shown, locks that stick together.

use std::f64::consts::TAU;

use glam::{DVec3, Vec3};
use tkanina_sim::materials::SOAKED;
use tkanina_sim::rng::Rng;
use tkanina_sim::strands::{Clump, Followers, StrandCurve};

/// The nearest of many points, by sorting them along x.
pub(super) struct Nearest {
    /// Points by x, with their numbers.
    sorted: Vec<(Vec3, u32)>,
}

impl Nearest {
    pub fn new(points: impl Iterator<Item = Vec3>) -> Self {
        let mut sorted: Vec<(Vec3, u32)> = points.zip(0..).collect();
        sorted.sort_by(|a, b| a.0.x.total_cmp(&b.0.x).then(a.1.cmp(&b.1)));
        Self { sorted }
    }

    /// The three nearest to a point, nearest first, with squares of their distances; fewer if there
    /// are not as many.
    pub fn three(&self, point: Vec3) -> Vec<(f32, u32)> {
        let middle = self.sorted.partition_point(|(p, _)| p.x < point.x);
        let mut best: Vec<(f32, u32)> = Vec::with_capacity(4);
        let (mut left, mut right) = (middle, middle);
        loop {
            let limit = if best.len() == 3 { best[2].0 } else { f32::INFINITY };
            let gap = |i: Option<usize>| {
                let off = i
                    .and_then(|i| self.sorted.get(i))
                    .map(|(p, _)| (p.x - point.x) * (p.x - point.x));
                off.filter(|off| *off <= limit)
            };
            let sides = (gap(left.checked_sub(1)), gap(Some(right)));
            let take = match sides {
                (Some(l), Some(r)) if l <= r => Some(left - 1),
                (_, Some(_)) => Some(right),
                (Some(_), None) => Some(left - 1),
                (None, None) => None,
            };
            let Some(take) = take else { return best };
            if take < left {
                left -= 1
            } else {
                right += 1
            }
            let (p, number) = self.sorted[take];
            best.push(((p - point).length_squared(), number));
            best.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            best.truncate(3);
        }
    }
}

/// A follower rooted at each of some places: the mean of the three strands whose roots are nearest,
/// by 1/distance².
pub(super) fn between(
    curves: &[StrandCurve],
    roots: &[Vec3],
    shorter: &mut dyn FnMut() -> f64,
) -> Followers {
    let nearest = Nearest::new(curves.iter().map(|curve| curve.start[0]));
    let mut followers = Followers::default();
    for &root in roots {
        let found = nearest.three(root);
        let Some(&(least, first)) = found.first() else { continue };
        let mut guides = [first; 3];
        let mut weights = [0.0_f32; 3];
        for (k, &(square, guide)) in found.iter().enumerate() {
            guides[k] = guide;
            weights[k] = (least.max(1e-12)) / square.max(1e-12);
        }
        let sum: f32 = weights.iter().sum();
        followers.guides.push(guides);
        followers.weights.push(weights.map(|w| w / sum));
        followers.offsets.push(offset(&curves[first as usize], root));
        followers.lengths.push(shorter() as f32);
    }
    followers
}

/// Followers in a disc about each root, each with one guide.
pub(super) fn beside(
    curves: &[StrandCurve],
    (each, spread, seed): (u32, f64, u64),
    shorter: &mut dyn FnMut() -> f64,
) -> Followers {
    let mut rng = Rng::new(seed);
    let mut followers = Followers::default();
    for guide in 0..curves.len() as u32 {
        for _ in 0..each {
            let (radius, angle) = (spread * rng.unit().sqrt(), TAU * rng.unit());
            let offset = DVec3::new(libm::cos(angle), libm::sin(angle), 0.0) * radius;
            followers.guides.push([guide; 3]);
            followers.weights.push([1.0, 0.0, 0.0]);
            followers.offsets.push(offset.as_vec3());
            followers.lengths.push(shorter() as f32);
        }
    }
    followers
}

/// Where a place is beside a strand's root, in the root's frame.
fn offset(guide: &StrandCurve, place: Vec3) -> Vec3 {
    let off = (place - guide.start[0]).as_dvec3();
    let [x, y, z] = guide.root_frame();
    DVec3::new(off.dot(x), off.dot(y), off.dot(z)).as_vec3()
}

/// Locks of wet strands: every so manieth strand leads those whose roots are nearest to its own.
pub(super) fn locks(curves: &[StrandCurve], wetness: f64) -> Option<Clump> {
    let size = SOAKED.lock.value as usize;
    if !(wetness > 0.0) || curves.len() < 2 {
        return None;
    }
    let leading: Vec<usize> = (0..curves.len()).step_by(size).collect();
    let nearest = Nearest::new(leading.iter().map(|&strand| curves[strand].start[0]));
    let leader = |curve: &StrandCurve| {
        let found = nearest.three(curve.start[0]);
        found.first().map_or(0, |&(_, number)| leading[number as usize] as u32)
    };
    let mut leaders: Vec<u32> = curves.iter().map(leader).collect();
    leading.iter().for_each(|&strand| leaders[strand] = strand as u32);
    Some(Clump { leaders, pull: (wetness * f64::from(SOAKED.pull.value)) as f32 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tkanina_sim::strands::{Root, RootPath};

    #[test]
    fn the_three_nearest_are_those_of_looking_at_all() {
        let mut rng = Rng::new(7);
        let mut place = || Vec3::from_array(std::array::from_fn(|_| rng.unit() as f32));
        let points: Vec<Vec3> = (0..300).map(|_| place()).collect();
        let nearest = Nearest::new(points.iter().copied());
        for _ in 0..100 {
            let p = place();
            let mut all: Vec<(f32, u32)> =
                points.iter().zip(0..).map(|(q, i)| ((*q - p).length_squared(), i)).collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            assert_eq!(nearest.three(p), all[..3]);
        }
    }

    #[test]
    fn followers_are_rooted_where_they_should_be() {
        let curve = |x: f32| {
            let points: Vec<Vec3> = (0..4).map(|i| Vec3::new(x, 0.0, i as f32)).collect();
            let root = Root { path: RootPath::Fixed, clamped: true };
            StrandCurve { start: points.clone(), rest: points, root }
        };
        let curves = [curve(0.0), curve(1.0)];
        let wanted = Vec3::new(0.25, 0.5, 0.0);
        let found = between(&curves, &[wanted], &mut || 0.5);
        let [x, y, z] = curves[0].root_frame();
        let off = found.offsets[0].as_dvec3();
        let place = curves[0].start[0].as_dvec3() + x * off.x + y * off.y + z * off.z;
        assert!((place.as_vec3() - wanted).length() < 1e-6, "{place}");
        let sum: f32 = found.weights[0].iter().sum();
        assert!((sum - 1.0).abs() < 1e-6 && found.weights[0][0] > found.weights[0][1]);
        assert_eq!((found.guides[0][0], found.lengths[0]), (0, 0.5));
        let locks = locks(&curves, 0.5).unwrap();
        assert_eq!(locks.leaders, [0, 0]);
    }
}
