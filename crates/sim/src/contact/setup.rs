//! What a model's contact is made of.

use glam::Vec3;

use super::flat::PanelPoint;
use super::pieces::Pieces;
use super::rules::Rules;
use super::segments::Segments;
use super::spare::Spares;
use super::surface::Surface;
use crate::aabb::Aabb;
use crate::elements::TieEnd;
use crate::model::Model;
use crate::strands::StrandSet;

/// How the surfaces of a model meet.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactLaw {
    /// For each body of the model, bodies of strands among them.
    pub bodies: Vec<BodyContact>,
    /// The distance that mesh colliders keep from what touches them. [m]
    pub thickness: f32,
    /// Whether nothing may ever pass through anything. Else what a frame costs is bounded, and what it does
    /// not get round to may pass, to come apart later.
    pub safe: bool,
    /// Of cloth on cloth, unless a pair says otherwise. Strands rub as they say: of two bodies of which
    /// one at least is of strands, friction is √(μ₁ μ₂).
    pub rub: Rub,
    /// Pairs for which something else holds: bodies, then mesh colliders, by number.
    pub pairs: Vec<(u32, u32, Rub)>,
}

/// How two surfaces rub and bounce.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rub {
    /// Coulomb coefficient μ. \[1\]
    pub friction: f32,
    /// Restitution e: speed after over speed before an impact. \[1\]
    pub restitution: f32,
}

/// How one body meets others and itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyContact {
    /// Whether it may touch itself; of strands, whether they touch each other and themselves.
    pub touches_itself: bool,
    /// The distance that it keeps from its like. Strands keep their own thickness. [m]
    pub thickness: f32,
}

/// Which points belong to which body; meshes that are moved come after those of the model.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    /// The body of each point.
    pub of: Vec<u32>,
    /// How they rub, of each with each, row after row.
    table: Vec<Rub>,
    count: usize,
}

impl Bodies {
    fn new(model: &Model, law: &ContactLaw, of: Vec<u32>) -> Self {
        let bodies = law.bodies.len();
        let count = bodies + model.mesh_colliders.len();
        let mut table = vec![law.rub; count * count];
        let mut set_rub = |a: usize, b: usize, rub: Rub| {
            if a < count && b < count {
                (table[a * count + b], table[b * count + a]) = (rub, rub);
            }
        };
        for set in touching_sets(model).filter(|set| set.body < bodies) {
            for other in 0..bodies {
                let friction = match touching_sets(model).find(|strands| strands.body == other) {
                    Some(strands) if other == set.body => strands.touch.friction,
                    Some(strands) => (strands.touch.friction * set.touch.friction).sqrt(),
                    None => (law.rub.friction * set.touch.friction).sqrt(),
                };
                set_rub(set.body, other, Rub { friction, ..law.rub });
            }
        }
        for (k, mesh) in model.mesh_colliders.iter().enumerate() {
            let rub = Rub { friction: mesh.friction, restitution: mesh.restitution };
            (0..bodies).for_each(|body| set_rub(body, bodies + k, rub));
        }
        for &(a, b, rub) in &law.pairs {
            set_rub(a as usize, b as usize, rub);
        }
        Self { of, table, count }
    }

    /// How the bodies of two points rub.
    #[inline(always)]
    pub fn rub(&self, a: usize, b: usize) -> Rub {
        self.table[self.of[a] as usize * self.count + self.of[b] as usize]
    }

    /// Whether anything bounces.
    pub fn bounce(&self) -> bool {
        self.table.iter().any(|rub| rub.restitution > 0.0)
    }
}

/// All that contact is told of a model.
pub(super) struct ContactSetup {
    /// Of bodies, and of what is moved.
    pub surfaces: [Surface; 2],
    pub rules: Rules,
    /// How far each point may leave its path. [m]
    pub tubes: Vec<f32>,
    /// Half the distance it keeps. [m]
    pub halves: Vec<f32>,
    pub bodies: Bodies,
    /// Where points lie in convex flat panels.
    pub panel: Vec<Option<PanelPoint>>,
}

/// Tubes as a part of the least altitude of the triangles at a point: together with the distance
/// that is kept it must stay well below one, or neighbours would be watched.
const TUBE: f32 = 0.17;

/// Half the distance that is kept, as a part of the least altitude, at most.
const HALF: f32 = 0.18;

/// Tubes are not less than this part of what is usual. Needles would leave them in every step.
const NARROWEST: f32 = 0.25;

/// Tubes as a part of the length of a strand's segments.
const TUBE_OF_SEGMENTS: f32 = 0.25;

impl ContactSetup {
    /// `None` if nothing may touch anything.
    pub fn of(model: &Model) -> Option<Self> {
        let law = model.contact.as_ref()?;
        let meshes = &model.mesh_colliders;
        if !model.surfaces_meet() {
            return None;
        }
        let rest = rest_shape(model);
        let altitudes = altitudes(&model.triangles, &rest);
        let usual = usual_tube(model, &altitudes);
        let mut tubes: Vec<f32> =
            altitudes.iter().map(|a| (TUBE * a).max(NARROWEST * usual)).collect();
        let mut halves = vec![0.0f32; model.particle_count()];
        let mut of = vec![0u32; model.particle_count()];
        for (index, (body, law)) in model.bodies.iter().zip(&law.bodies).enumerate() {
            for i in body.particles.clone() {
                halves[i] = (0.5 * law.thickness).min(HALF * altitudes[i]);
                of[i] = index as u32;
            }
        }
        for set in touching_sets(model) {
            for strand in &set.strands {
                tubes[strand.particles()].fill(TUBE_OF_SEGMENTS * strand.edge);
                halves[strand.particles()].fill(set.fibre.radius);
            }
        }
        let mut touches_itself: Vec<bool> =
            law.bodies.iter().map(|body| body.touches_itself).collect();
        let mut points = rest;
        let mut moved = Vec::new();
        for mesh in meshes {
            let first = points.len() as u32;
            moved.extend(mesh.triangles.iter().map(|t| t.map(|v| v + first)));
            let at = mesh.path.motion().pose_at(mesh.pose, 0.0);
            points.extend(mesh.rest.iter().map(|&x| at.point(x)));
            of.resize(points.len(), touches_itself.len() as u32);
            // They are led: their paths are known.
            tubes.resize(points.len(), usual);
            halves.resize(points.len(), 0.5 * law.thickness);
            touches_itself.push(false);
        }
        let at = |v: u32| (points[v as usize], of[v as usize]);
        let segments = Segments::new(model, points.len());
        let own = Pieces { triangles: &model.triangles, segments: &segments.ends };
        let surfaces = [
            Surface::new(own, points.len(), at),
            Surface::new(Pieces::of_triangles(&moved), points.len(), at),
        ];
        let all_touch = law.bodies.iter().all(|body| body.touches_itself);
        let sewn = sewn(model, points.len());
        let panel = panel_points(model, &points);
        let spares = Spares::new(&surfaces, points.len());
        let body = of.clone();
        let rest = points;
        let rules = Rules {
            sewn,
            body,
            touches_itself,
            all_touch,
            rest,
            spares,
            segments,
            parted: Vec::new(),
        };
        Some(Self { surfaces, rules, tubes, halves, bodies: Bodies::new(model, law, of), panel })
    }
}

/// Positions at rest, one body beside the other: what shares a patch should stay together.
fn rest_shape(model: &Model) -> Vec<Vec3> {
    let mut rest = vec![Vec3::ZERO; model.particle_count()];
    let mut beside = 0.0;
    for (index, body) in model.bodies.iter().enumerate() {
        let first = body.particles.start;
        let strands = touching_sets(model).find(|set| set.body == index);
        match body.grid {
            _ if strands.is_some() => strands.into_iter().for_each(|set| lay_out(set, &mut rest)),
            Some([ni, _]) => {
                let grid = model.grids.iter().find(|grid| grid.first() == first);
                let spacing = grid.map_or([1.0; 2], |grid| grid.spacing());
                for i in body.particles.clone() {
                    let (a, b) = ((i - first) % ni, (i - first) / ni);
                    rest[i] = Vec3::new(a as f32 * spacing[0], 0.0, b as f32 * spacing[1]);
                }
            }
            None => rest[first..first + body.rest.len()].copy_from_slice(&body.rest),
        }
        let all = Aabb::around(rest[body.particles.clone()].iter().copied());
        if all.min.x.is_finite() && all.max.x.is_finite() {
            let shift = beside - all.min.x;
            rest[body.particles.clone()].iter_mut().for_each(|point| point.x += shift);
            beside += 2.0 * (all.max - all.min).max_element();
        }
    }
    rest
}

/// Strands straight and far from each other, so that segments share a patch with those that follow.
fn lay_out(set: &StrandSet, rest: &mut [Vec3]) {
    let mut across = 0.0;
    for strand in &set.strands {
        across += strand.length();
        for (k, i) in strand.particles().enumerate() {
            rest[i] = Vec3::new(strand.edge * k as f32, 0.0, across);
        }
    }
}

/// Strands of which segments touch.
fn touching_sets(model: &Model) -> impl Iterator<Item = &StrandSet> {
    model.strands.iter().filter(|set| set.touches_by_segments())
}

/// A tube as it is usual: of triangles, or of segments where there are none. [m]
fn usual_tube(model: &Model, altitudes: &[f32]) -> f32 {
    if model.triangles.is_empty() {
        let edges = touching_sets(model).flat_map(|set| set.strands.iter().map(|s| s.edge));
        TUBE_OF_SEGMENTS * median(&edges.collect::<Vec<f32>>())
    } else {
        TUBE * median(altitudes)
    }
}

/// Grids are such panels. Meshes may have holes.
fn panel_points(model: &Model, rest: &[Vec3]) -> Vec<Option<PanelPoint>> {
    let mut panel = vec![None; rest.len()];
    for (index, body) in (0u32..).zip(&model.bodies) {
        if body.grid.is_some() {
            for i in body.particles.clone() {
                panel[i] = Some(PanelPoint { panel: index, at: [rest[i].x, rest[i].z] });
            }
        }
    }
    panel
}

/// The least altitude of the triangles at each point. [m]
fn altitudes(triangles: &[[u32; 3]], rest: &[Vec3]) -> Vec<f32> {
    let mut least = vec![f32::INFINITY; rest.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| rest[v as usize]);
        let longest = (b - a).length().max((c - b).length()).max((a - c).length());
        let twice = (b - a).cross(c - a).length();
        let altitude = if longest > 0.0 { twice / longest } else { 0.0 };
        for v in triangle {
            least[*v as usize] = least[*v as usize].min(altitude);
        }
    }
    let usual = median(&least);
    least.iter().map(|&a| if a < f32::INFINITY { a } else { usual }).collect()
}

fn median(values: &[f32]) -> f32 {
    let mut known: Vec<f32> = values.iter().copied().filter(|a| a.is_finite()).collect();
    known.sort_unstable_by(f32::total_cmp);
    known.get(known.len() / 2).copied().unwrap_or(0.0)
}

/// One number for all points that seams join.
fn sewn(model: &Model, points: usize) -> Vec<u32> {
    let mut of: Vec<u32> = (0..points as u32).collect();
    fn root(of: &mut [u32], mut v: u32) -> u32 {
        while of[v as usize] != v {
            of[v as usize] = of[of[v as usize] as usize];
            v = of[v as usize];
        }
        v
    }
    for tie in &model.ties {
        if let TieEnd::Particle(other) = tie.end {
            let (a, b) = (root(&mut of, tie.particle), root(&mut of, other));
            of[a.max(b) as usize] = a.min(b);
        }
    }
    (0..points as u32).map(|v| root(&mut of, v)).collect()
}
