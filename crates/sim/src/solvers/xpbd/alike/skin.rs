//! A closed skin as its points see it.

/// Triangles round each point, in pairs that share an edge: with all places relative to the point,
/// triangles (p, c, a) and (p, a, b) add c × a + a × b = a × (b − c) to 6 ∂V/∂p: one product for
/// two triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Skin {
    /// Pairs of all points, one after the other: a, b, c. A triangle without another has the point
    /// itself as its c.
    pub pairs: Vec<[u32; 3]>,
    /// Where those of each point end.
    pub ends: Vec<u32>,
    /// All points. Loops go by this list: of points that stand one after the other the compiler
    /// would take sixteen together and shuffle their lanes, which takes ten times as long.
    pub points: Vec<u32>,
}

impl Skin {
    /// Of triangles that face outwards; none have no skin.
    pub fn new(points: usize, surface: &[[u32; 3]]) -> Self {
        if surface.is_empty() {
            return Self::default();
        }
        let mut around = vec![Vec::<[u32; 2]>::new(); points];
        for &[a, b, c] in surface {
            for [p, q, r] in [[a, b, c], [b, c, a], [c, a, b]] {
                around[p as usize].push([q, r]);
            }
        }
        let mut out = Self { points: (0..points as u32).collect(), ..Self::default() };
        for (point, sides) in (0u32..).zip(around) {
            let mut left = sides;
            // An end of a fan first, so that few are left alone.
            while !left.is_empty() {
                let [c, a] = left.remove(start(&left));
                let next = left.iter().position(|side| side[0] == a);
                out.pairs.push(match next {
                    Some(next) => {
                        let [a, b] = left.remove(next);
                        [a, b, c]
                    }
                    None => [c, a, point],
                });
            }
            out.ends.push(out.pairs.len() as u32);
        }
        out
    }
}

/// The first side that begins where no other ends; in a ring there is none, and any will do.
fn start(sides: &[[u32; 2]]) -> usize {
    let is_end = |side: &[u32; 2]| !sides.iter().any(|other| other[1] == side[0]);
    sides.iter().position(is_end).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Vec3};

    use super::*;
    use crate::colliders::forms::{ico_sphere, letter};

    /// 6 ∂V/∂p of every point, triangle by triangle and by pairs.
    fn slopes(points: &[DVec3], surface: &[[u32; 3]]) -> [Vec<DVec3>; 2] {
        let at = |v: u32| points[v as usize];
        let mut plain = vec![DVec3::ZERO; points.len()];
        for &[a, b, c] in surface {
            plain[a as usize] += at(b).cross(at(c));
            plain[b as usize] += at(c).cross(at(a));
            plain[c as usize] += at(a).cross(at(b));
        }
        let skin = Skin::new(points.len(), surface);
        let mut from = 0;
        let own = skin.ends.iter().zip(points).map(|(&end, &p)| {
            let pairs = &skin.pairs[from..end as usize];
            from = end as usize;
            pairs.iter().map(|&[a, b, c]| (at(a) - p).cross(at(b) - at(c))).sum()
        });
        let own = own.collect();
        [plain, own]
    }

    #[test]
    fn pairs_give_the_slopes_of_the_volume() {
        for skin in [ico_sphere(0.3, 2), letter('E', Vec3::new(0.3, 0.5, 0.1), 2).unwrap()] {
            let points: Vec<DVec3> = skin.points.iter().map(|p| p.as_dvec3()).collect();
            let [plain, own] = slopes(&points, &skin.triangles);
            for (a, b) in plain.iter().zip(&own) {
                assert!((*a - *b).length() < 1e-9, "{a} and {b}");
            }
        }
    }

    #[test]
    fn two_triangles_cost_one_product() {
        let skin = ico_sphere(0.3, 3);
        let pairs = Skin::new(skin.points.len(), &skin.triangles).pairs.len();
        // Twelve points have five triangles, all others six.
        assert_eq!(pairs, 3 * skin.points.len());
    }

    #[test]
    fn a_triangle_that_stands_twice_counts_twice() {
        let points = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ZERO];
        let surface = [[0, 1, 2], [0, 1, 2], [0, 2, 3]];
        let skin = Skin::new(4, &surface);
        let (from, end) = (0, skin.ends[0] as usize);
        let own: DVec3 = skin.pairs[from..end]
            .iter()
            .map(|&[a, b, c]| {
                let at = |v: u32| points[v as usize];
                (at(a) - points[0]).cross(at(b) - at(c))
            })
            .sum();
        let side = |b: DVec3, c: DVec3| (b - points[0]).cross(c - points[0]);
        let expected = 2.0 * side(DVec3::Y, DVec3::Z) + side(DVec3::Z, DVec3::ZERO);
        assert!((own - expected).length() < 1e-12, "{own} and {expected}");
    }
}
