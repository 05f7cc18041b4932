//! Pairs that others stand for.

use super::narrow::Watched;
use super::rules::Rules;
use super::surface::Surface;
use super::swept::Point4;

/// Which of the pairs that are closest in the same parts of them are pushed.
///
/// Where two corners come near each other, so do all the triangles and edges that meet there: in
/// sheets that lie point on point some forty pairs say the same. A corner is no nearer to another
/// than to any triangle at that one, so one such pair is enough; and two edges that are closest
/// where one of them ends are no nearer than that end and a triangle at the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Spares {
    /// One triangle of each point; of a point without one, none of its own.
    triangle: Vec<[u32; 3]>,
}

/// What the closest points may slide while one pair stands for another, as a part of the distance
/// that is kept: further on it may be nearest to other parts.
const SLIDE: f32 = 0.3;

impl Spares {
    /// For surfaces over so many points.
    pub fn new(surfaces: &[Surface; 2], points: usize) -> Self {
        let mut triangle = vec![[u32::MAX; 3]; points];
        for corners in surfaces.iter().flat_map(|surface| &surface.triangles).rev() {
            corners.iter().for_each(|&v| triangle[v as usize] = *corners);
        }
        Self { triangle }
    }

    /// Where a pair stands with its points as they are.
    #[inline(always)]
    pub fn stands<const SIDE: usize>(&self, pair: &Watched, rules: &Rules) -> Stands {
        // Segments have no triangles that could stand for them; one against another holds the
        // whole distance wherever they are closest.
        match rules.segments.sides(&pair.points) {
            0 => {}
            1 => return Stands::Alone,
            _ => return Stands::Before,
        }
        let [a, .., b] = pair.points.map(|v| rules.body[v as usize]);
        if a == b { Stands::Alone } else { self.place::<SIDE>(pair, rules) }
    }

    #[inline(always)]
    fn place<const SIDE: usize>(&self, pair: &Watched, rules: &Rules) -> Stands {
        let (p, w) = (&pair.points, &pair.weights);
        let long = |a: u32, b: u32| rules.rest[a as usize].distance(rules.rest[b as usize]);
        let near = SLIDE * pair.thickness;
        if SIDE == 2 {
            if !pair.inside {
                return Stands::Behind;
            }
            let from_ends = |a: usize, b: usize| w[a].abs().min(w[b].abs()) * long(p[a], p[b]);
            let at_ends = from_ends(0, 1).min(from_ends(2, 3)) < near;
            return if at_ends { Stands::Behind } else { Stands::Alone };
        }
        // What is above a triangle is held by it, and not by a corner.
        let near = if pair.inside { 0.0 } else { near / long(p[1], p[2]) };
        match (1..4).find(|&k| 1.0 + w[k] <= near).map(|k| p[k]) {
            Some(u) if p[0] > u || self.triangle[u as usize] != p[1..] => Stands::Behind,
            Some(_) => Stands::Before,
            None => Stands::Alone,
        }
    }
}

impl Watched {
    /// Whether its closest points slide along each other on the ways of its points.
    pub fn slides(&self, way: impl Fn(usize) -> Point4) -> bool {
        let w = &self.weights;
        let mut slide = [0.0; 3];
        for k in 0..4 {
            let way = way(self.points[k] as usize);
            for d in 0..3 {
                slide[d] += w[k] * way[d];
            }
        }
        self.is_far_along(slide, SLIDE)
    }

    /// Whether a way goes farther along its plane than such a part of its thickness.
    #[inline(always)]
    pub fn is_far_along(&self, way: [f32; 3], part: f32) -> bool {
        let n = &self.normal;
        let across = way[0] * n[0] + way[1] * n[1] + way[2] * n[2];
        let far = (0..3).map(|d| way[d] - n[d] * across).map(|d| d * d).sum::<f32>();
        far > (part * self.thickness) * (part * self.thickness)
    }
}

/// What a pair does beside others that are closest in the same parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stands {
    /// There are none.
    Alone,
    /// It holds their points too.
    Before,
    /// Another holds its points.
    Behind,
}
