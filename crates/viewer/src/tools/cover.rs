//! Triangles before the points of a rectangle of the picture, found by the cell that they cover.

use glam::{DVec2, DVec3, UVec2};

use super::view::{View, meet};

/// A part of a ray that is so short that what it meets belongs to the point itself. [1]
///
/// A tenth of a millimetre at a metre: less than any cloth is thick, more than rounding.
pub const OWN_SHARE: f64 = 1e-4;

/// Triangles by cell of a rectangle.
pub struct Cover<'a> {
    locals: &'a [DVec3],
    triangles: &'a [[u32; 3]],
    near: f64,
    min: DVec2,
    cell: DVec2,
    count: UVec2,
    /// For each cell the first of its entries in `entries`, and the end of the last cell's.
    first: Vec<u32>,
    entries: Vec<u32>,
}

/// The rectangle and how many points in it will be asked for.
pub struct CoverArea {
    /// Top left. [pixels]
    pub min: DVec2,
    /// Bottom right. [pixels]
    pub max: DVec2,
    /// Points that will be asked for.
    pub points: usize,
}

/// More cells cost more to fill than they save.
const CELLS_A_SIDE: u32 = 64;

impl<'a> Cover<'a> {
    /// Sorts the triangles that show in the area into cells.
    pub fn new(
        view: &View,
        locals: &'a [DVec3],
        triangles: &'a [[u32; 3]],
        area: CoverArea,
    ) -> Self {
        let side = ((area.points as f64).sqrt() as u32).clamp(1, CELLS_A_SIDE);
        let count = UVec2::splat(side);
        let cell = ((area.max - area.min) / f64::from(side)).max(DVec2::splat(1e-9));
        let mut cover = Self {
            locals,
            triangles,
            near: view.near(),
            min: area.min,
            cell,
            count,
            first: vec![0; (side * side + 1) as usize],
            entries: Vec::new(),
        };
        let places: Vec<Option<DVec2>> = locals.iter().map(|&l| view.place(l)).collect();
        let spans: Vec<(u32, [UVec2; 2])> = (0..triangles.len() as u32)
            .filter_map(|t| Some((t, cover.span(&places, triangles[t as usize], &area)?)))
            .collect();
        for &(_, span) in &spans {
            cover.cells(span).for_each(|c| cover.first[c + 1] += 1);
        }
        for c in 1..cover.first.len() {
            cover.first[c] += cover.first[c - 1];
        }
        let mut next = cover.first.clone();
        let mut entries = vec![0; next[next.len() - 1] as usize];
        for &(triangle, span) in &spans {
            for c in cover.cells(span) {
                entries[next[c] as usize] = triangle;
                next[c] += 1;
            }
        }
        cover.entries = entries;
        cover
    }

    /// Whether a triangle is before a particle that is at `place` in the area. The particle's own
    /// triangles do not hide it.
    pub fn hides(&self, particle: u32, place: DVec2) -> bool {
        self.hides_point(self.locals[particle as usize], place, Some(particle))
    }

    /// Whether a triangle without the corner `own` is before a local point that is at `place` in the
    /// area.
    pub fn hides_point(&self, direction: DVec3, place: DVec2, own: Option<u32>) -> bool {
        let at = self.cell_at(place);
        let c = (at.y * self.count.x + at.x) as usize;
        let here = self.first[c] as usize..self.first[c + 1] as usize;
        self.entries[here].iter().any(|&triangle| {
            let corners = self.triangles[triangle as usize];
            if own.is_some_and(|own| corners.contains(&own)) {
                return false;
            }
            let met = meet(corners.map(|i| self.locals[i as usize]), direction);
            met.is_some_and(|t| t < 1.0 - OWN_SHARE && t * direction.z >= self.near)
        })
    }

    /// First and last cell that a triangle may cover; none if it misses the area.
    fn span(
        &self,
        places: &[Option<DVec2>],
        corners: [u32; 3],
        area: &CoverArea,
    ) -> Option<[UVec2; 2]> {
        let places = corners.map(|i| places[i as usize]);
        let [Some(a), Some(b), Some(c)] = places else {
            // Part of it is beside or behind the eye: it may be anywhere in the picture.
            let gone = corners.iter().all(|&i| !(self.locals[i as usize].z >= self.near));
            return (!gone).then_some([UVec2::ZERO, self.count - 1]);
        };
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let misses = low.cmpgt(area.max).any() || high.cmplt(area.min).any();
        (!misses).then(|| [self.cell_at(low), self.cell_at(high)])
    }

    fn cell_at(&self, place: DVec2) -> UVec2 {
        let at = ((place - self.min) / self.cell).max(DVec2::ZERO);
        UVec2::new(at.x as u32, at.y as u32).min(self.count - 1)
    }

    fn cells(&self, [low, high]: [UVec2; 2]) -> impl Iterator<Item = usize> + use<> {
        let across = self.count.x;
        (low.y..=high.y).flat_map(move |y| (low.x..=high.x).map(move |x| (y * across + x) as usize))
    }
}
