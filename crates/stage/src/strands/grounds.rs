//! What fibres grow on: a collider, a body, or patches about their roots.

use std::sync::Arc;

use glam::{Mat4, Vec3};
use tkanina_render::frame::{StrandGround, Surface};
use tkanina_sim::strands::{RootPath, SkinCorners, StrandSet};
use tkanina_sim::world::World;

use crate::bodies::Bodies;
use crate::obstacles::Obstacles;

/// A world with what is drawn of it, and the fibres that are asked about.
pub type Seen<'a> = (&'a StrandSet, &'a World, &'a Bodies, &'a Obstacles);

/// The surface that a body of fibres grows on.
#[derive(Debug)]
pub struct Ground {
    base: Base,
    triangles: Arc<[[u32; 3]]>,
    rest: Arc<[Vec3]>,
    guides: Arc<[[u32; 3]]>,
    weights: Arc<[[f32; 3]]>,
}

/// What the surface is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Collider(usize),
    Body(usize),
    /// A patch about each of some roots, by the strand's number: one of every so many.
    Patches(usize),
}

/// Corners about a patch.
const AROUND: usize = 6;

/// Patches at most; of more roots, some have one.
const MOST_PATCHES: usize = 4000;

/// Strands at most that a vertex is compared with.
const MOST_GUIDES: usize = 3000;

/// How far from roots hair still grows on a surface, and from where on it does not. [spacings]
const REACH: [f32; 2] = [1.5, 3.0];

impl Ground {
    /// The surface under strands as they are now.
    pub fn under(seen: Seen, (points, ranges): (&[Vec3], &[[u32; 2]]), spacing: f32) -> Self {
        let base = base(seen);
        let every = match base {
            Base::Patches(every) => every,
            _ => 1,
        };
        // Patches that stand for several roots reach farther.
        let wide = spacing * (every as f32).sqrt();
        let surface = surface(base, seen);
        let roots = roots(points, ranges);
        let kept = (roots.len() / MOST_GUIDES).max(1);
        let some: Vec<(u32, Vec3)> = roots.into_iter().step_by(kept).collect();
        let reach = REACH.map(|reach| reach * wide.max(spacing * (kept as f32).sqrt()));
        let of = |vertex: &Vec3| nearest(*vertex, &some, reach);
        let (guides, weights): (Vec<_>, Vec<_>) = surface.positions.iter().map(of).unzip();
        Self {
            base,
            triangles: surface.triangles,
            rest: surface.positions,
            guides: guides.into(),
            weights: weights.into(),
        }
    }

    /// Where it is now.
    pub fn draw(&self, seen: Seen) -> StrandGround {
        let Surface { positions, normals, .. } = surface(self.base, seen);
        StrandGround {
            positions,
            normals,
            rest: self.rest.clone(),
            triangles: self.triangles.clone(),
            guides: self.guides.clone(),
            weights: self.weights.clone(),
        }
    }
}

/// What the first root stands on.
fn base((set, world, bodies, obstacles): Seen) -> Base {
    let patches = Base::Patches((set.strands.len() / MOST_PATCHES).max(1));
    let Some(strand) = set.strands.first() else { return patches };
    match &strand.root.path {
        RootPath::Collider(index) if !obstacles.is_plane(*index) => Base::Collider(*index),
        RootPath::Skin { corners: SkinCorners::Particles([a, ..]), .. } => {
            bodies.of_particle(*a as usize).map_or(patches, Base::Body)
        }
        RootPath::Skin { corners: SkinCorners::Obstacles([a, ..]), .. } => {
            let mut first = 0;
            let found = world.model().mesh_colliders.iter().find(|mesh| {
                first += mesh.vertex_count();
                (*a as usize) < first
            });
            found.map_or(patches, |mesh| Base::Collider(mesh.collider))
        }
        _ => patches,
    }
}

/// The surface in the world.
fn surface(base: Base, (set, world, bodies, obstacles): Seen) -> Surface {
    let found = match base {
        Base::Collider(index) => obstacles.surface(world, index),
        Base::Body(index) => bodies.surface(index),
        Base::Patches(every) => patches(set, world, every),
    };
    let place = found.world_from_local;
    if place == Mat4::IDENTITY {
        return found;
    }
    Surface {
        positions: found.positions.iter().map(|p| place.transform_point3(*p)).collect(),
        normals: found.normals.iter().map(|n| place.transform_vector3(*n)).collect(),
        world_from_local: Mat4::IDENTITY,
        ..found
    }
}

/// A hexagon about each of some roots, square to its first edge.
fn patches(set: &StrandSet, world: &World, every: usize) -> Surface {
    let (x, directors) = (&world.state().x, &world.state().fibres.directors);
    let some: Vec<(Vec3, Vec3, Vec3)> = set
        .strands
        .iter()
        .step_by(every)
        .map(|strand| {
            let root = x.get(strand.first as usize);
            let next = x.get((strand.first + 1).min(strand.first + strand.count - 1) as usize);
            let normal = (next - root).try_normalize().unwrap_or(Vec3::Y);
            let across = if directors.is_empty() {
                normal.any_orthonormal_vector()
            } else {
                directors.get(strand.first as usize)
            };
            (root, normal, across)
        })
        .collect();
    let points: Vec<Vec3> = some.iter().map(|(root, ..)| *root).collect();
    let ranges: Vec<[u32; 2]> = (0..points.len() as u32).map(|i| [i, 1]).collect();
    let radius = 1.2 * spacing(&points, &ranges);
    let (mut positions, mut normals, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for (root, normal, a) in some {
        let first = positions.len() as u32;
        let b = normal.cross(a);
        positions.push(root);
        for k in 0..AROUND {
            let angle = k as f32 * std::f32::consts::TAU / AROUND as f32;
            positions.push(root + radius * (a * angle.cos() + b * angle.sin()));
            let next = (k + 1) % AROUND;
            triangles.push([first, first + 1 + k as u32, first + 1 + next as u32]);
        }
        normals.resize(positions.len(), normal);
    }
    Surface {
        positions: positions.into(),
        normals: normals.into(),
        uvs: Arc::from([]),
        values: None,
        triangles: triangles.into(),
        world_from_local: Mat4::IDENTITY,
        look: Default::default(),
    }
}

/// First points of strands that have some, with the strands' numbers.
fn roots(points: &[Vec3], ranges: &[[u32; 2]]) -> Vec<(u32, Vec3)> {
    let numbered = (0u32..).zip(ranges);
    let root = |(i, &[first, count]): (u32, &[u32; 2])| {
        (count > 0).then(|| points.get(first as usize).map(|p| (i, *p))).flatten()
    };
    numbered.filter_map(root).collect()
}

/// Strands nearest to a place and their shares; they add up to 0 where no hair grows.
fn nearest(place: Vec3, roots: &[(u32, Vec3)], reach: [f32; 2]) -> ([u32; 3], [f32; 3]) {
    let mut best = [(f32::INFINITY, 0u32); 3];
    for &(number, root) in roots {
        let square = (root - place).length_squared();
        if square < best[2].0 {
            best[2] = (square, number);
            best.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        }
    }
    let distance = best[0].0.sqrt();
    let grown = 1.0 - ((distance - reach[0]) / (reach[1] - reach[0]).max(1e-9)).clamp(0.0, 1.0);
    let near = (1e-2 * reach[0]).powi(2).max(1e-20);
    let shares =
        best.map(|(square, _)| if square.is_finite() { 1.0 / (square + near) } else { 0.0 });
    let sum: f32 = shares.iter().sum();
    let weights = if sum > 0.0 { shares.map(|share| grown * share / sum) } else { [0.0; 3] };
    (best.map(|(_, number)| number), weights)
}

/// Roots that are looked at for their neighbours.
const SOME: usize = 150;

/// Neighbours that are counted: more than follow one strand, which they stand close about.
const NEIGHBOURS: usize = 32;

/// Distance of roots from their neighbours, d = r√(π/n) with n of them within r, the mean over some
/// roots. [m]
pub fn spacing(points: &[Vec3], ranges: &[[u32; 2]]) -> f32 {
    let roots = roots(points, ranges);
    let every = (roots.len() / SOME).max(1);
    let mut sum = (0.0f64, 0usize);
    for (number, root) in roots.iter().step_by(every) {
        let mut near = [f32::INFINITY; NEIGHBOURS];
        for (other, place) in &roots {
            let square = (*place - *root).length_squared();
            if other != number && square < near[NEIGHBOURS - 1] {
                near[NEIGHBOURS - 1] = square;
                near.sort_unstable_by(f32::total_cmp);
            }
        }
        let count = near.iter().filter(|square| square.is_finite()).count();
        if count > 0 {
            let area = std::f64::consts::PI * f64::from(near[count - 1]);
            sum = (sum.0 + (area / count as f64).sqrt(), sum.1 + 1);
        }
    }
    // A strand alone: as hair on a head.
    if sum.1 == 0 { 2e-3 } else { (sum.0 / sum.1 as f64) as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing_is_that_of_a_square_grid() {
        let points: Vec<Vec3> =
            (0..400).map(|i| Vec3::new((i % 20) as f32, 0.0, (i / 20) as f32) * 0.01).collect();
        let ranges: Vec<[u32; 2]> = (0..400).map(|i| [i, 1]).collect();
        let found = spacing(&points, &ranges);
        assert!((found / 0.01 - 1.0).abs() < 0.2, "{found}");
        assert!(spacing(&points[..1], &ranges[..1]) > 0.0);
    }

    #[test]
    fn hair_grows_near_roots_and_nowhere_else() {
        let roots = [(3, Vec3::ZERO), (5, Vec3::X), (8, Vec3::Z * 9.0)];
        let (guides, weights) = nearest(Vec3::X * 0.1, &roots, [1.5, 3.0]);
        assert_eq!(guides, [3, 5, 8]);
        assert!(weights[0] > 0.9 && (weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert_eq!(nearest(Vec3::NEG_X * 3.0, &roots, [1.5, 3.0]).1, [0.0; 3]);
        assert_eq!(nearest(Vec3::ZERO, &[], [1.5, 3.0]).1, [0.0; 3]);
    }
}
