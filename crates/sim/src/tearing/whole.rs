//! The model as it was loaded, with what tearing asks of it.

use glam::Vec3;

use super::torn::Torn;
use crate::incidence::Incidence;
use crate::model::Model;

/// No triangle.
const NONE: u32 = u32::MAX;

/// The model before anything came apart.
///
/// A *corner* is 3·triangle + corner; a *side* is 3·triangle + k, from corner k to the next one.
#[derive(Debug)]
pub(crate) struct Whole {
    pub model: Model,
    /// The side of another triangle that lies on each side.
    across: Vec<u32>,
    /// Corners at each particle.
    corners: Incidence,
    /// Where each particle lies at rest. [m]
    pub rest: Vec<Vec3>,
    /// Area of each triangle at rest. [m²]
    pub areas: Vec<f64>,
    /// Which triangles are the skin of a solid, which does not come apart.
    solid: Vec<bool>,
}

impl Whole {
    /// Made of the present model the first time, kept from then on.
    pub fn kept<'a>(kept: &'a mut Option<Box<Self>>, model: &Model) -> &'a Self {
        kept.get_or_insert_with(|| Box::new(Self::new(model.clone())))
    }

    pub fn new(model: Model) -> Self {
        let rest = rest_shape(&model);
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|p| rest[p as usize].as_dvec3());
            0.5 * (b - a).cross(c - a).length()
        };
        Self {
            across: across(&model.triangles),
            corners: Incidence::new(model.particle_count(), &model.triangles),
            areas: model.triangles.iter().map(area).collect(),
            solid: solid(&model),
            rest,
            model,
        }
    }

    /// Whether a side belongs to a solid.
    pub fn is_solid(&self, side: u32) -> bool {
        self.solid.get(side as usize / 3).is_some_and(|solid| *solid)
    }

    /// Particles of the whole model.
    pub fn count(&self) -> usize {
        self.model.particle_count()
    }

    /// Corners at a particle of the whole model.
    pub fn corners_at(&self, particle: u32) -> &[u32] {
        self.corners.of(particle as usize)
    }

    /// Corners that belong to a particle by its name.
    pub fn fan<'a>(&'a self, torn: &'a Torn, name: u32) -> impl Iterator<Item = u32> + 'a {
        let origin = torn.origin(self.count(), name);
        let is_its = move |&&corner: &&u32| torn.corner(corner) == name;
        self.corners_at(origin).iter().filter(is_its).copied()
    }

    /// The side of another triangle on `side` in the whole model.
    pub fn across(&self, side: u32) -> Option<u32> {
        Some(self.across[side as usize]).filter(|&other| other != NONE)
    }

    /// The side on `side` to which it is still joined.
    pub fn joined(&self, torn: &Torn, side: u32) -> Option<u32> {
        let other = self.across(side)?;
        let [a, b] = torn.ends(side);
        let [c, d] = torn.ends(other);
        ((a, b) == (c, d) || (a, b) == (d, c)).then_some(other)
    }
}

/// The two sides at a corner.
pub(crate) fn sides_at(corner: u32) -> [u32; 2] {
    let (t, c) = (corner / 3, corner % 3);
    [3 * t + c, 3 * t + (c + 2) % 3]
}

impl Torn {
    /// The particle of a corner, by name.
    pub(crate) fn corner(&self, corner: u32) -> u32 {
        self.triangles[corner as usize / 3][corner as usize % 3]
    }

    /// The particles at the ends of a side, by name.
    pub(crate) fn ends(&self, side: u32) -> [u32; 2] {
        let triangle = self.triangles[side as usize / 3];
        [triangle[side as usize % 3], triangle[(side as usize + 1) % 3]]
    }
}

/// For each side the other on the same two particles; none where there are more than two, as
/// nobody can say which of them belong together.
fn across(triangles: &[[u32; 3]]) -> Vec<u32> {
    let key = |[a, b]: [u32; 2]| (u64::from(a.min(b)) << 32) | u64::from(a.max(b));
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut sorted: Vec<(u64, u32)> = sides.map(key).zip(0..).collect();
    sorted.sort_unstable();
    let mut out = vec![NONE; sorted.len()];
    for group in sorted.chunk_by(|a, b| a.0 == b.0) {
        if let [(_, a), (_, b)] = *group {
            (out[a as usize], out[b as usize]) = (b, a);
        }
    }
    out
}

fn rest_shape(model: &Model) -> Vec<Vec3> {
    let mut rest = vec![Vec3::ZERO; model.particle_count()];
    for body in &model.bodies {
        let stencil = model.grids.iter().find(|grid| grid.first() == body.particles.start);
        if let (Some([ni, _]), Some(stencil)) = (body.grid, stencil) {
            let [dx, dy] = stencil.spacing();
            for (at, point) in rest[body.particles.clone()].iter_mut().enumerate() {
                *point = Vec3::new((at % ni) as f32 * dx, 0.0, (at / ni) as f32 * dy);
            }
        } else if body.rest.len() == body.particles.len() {
            rest[body.particles.clone()].copy_from_slice(&body.rest);
        }
    }
    rest
}

/// Which triangles have a corner that is a tetrahedron's.
fn solid(model: &Model) -> Vec<bool> {
    let mut inside = vec![false; model.particle_count()];
    let corners = model.tetras.tetras().iter().flat_map(|t| t.corners);
    corners.for_each(|v| inside[v as usize] = true);
    model.triangles.iter().map(|t| t.iter().any(|&v| inside[v as usize])).collect()
}
