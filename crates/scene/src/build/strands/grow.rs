//! Strands that grow on surfaces and in fields.

use std::f64::consts::TAU;

use glam::{DVec3, Vec3};
use tkanina_sim::motion::Pose;

use super::sampler::Sampler;
use super::surface::{Spot, Surface, rectangle};
use super::{Planted, Seed};
use crate::build::{Build, BuildError, vec3};
use crate::check::{MAX_POINTS, steps};
use crate::schema::{Cone, Growth, MapBy, Region, StrandShape, Strands, SurfaceMap};

/// Strands leave a surface at this angle at least, as the sine of it.
const LEAST_RISE: f32 = 0.1;

/// What the places of a surface say of what grows there.
struct Wishes<'a> {
    /// How likely something grows, 0 to 1.
    likely: &'a dyn Fn(Vec3) -> f64,
    /// How long it is, 0 to 1.
    long: &'a dyn Fn(Vec3) -> f64,
    /// Where it is combed to, as much as its length says; none: where all is.
    comb: &'a dyn Fn(Vec3) -> Option<Vec3>,
}

impl Build<'_> {
    /// Strands that grow on a surface or in a field; none where that is impossible, which is noted.
    pub(super) fn grown(
        &mut self,
        index: usize,
        body: &Strands,
        place: Pose,
    ) -> Result<Option<Planted>, BuildError> {
        let here = steps!["bodies", index, "shape"];
        let at = |field: &str| [&here[..], &steps![field]].concat();
        Ok(match &body.shape {
            StrandShape::OnSurface {
                on,
                growth,
                region,
                groups,
                patch_m,
                density_map,
                length_map,
                direction_map,
            } => {
                let Some(surface) = self.surface_called(on, *patch_m) else {
                    let message = format!("`{on}` has no surface to grow on");
                    self.problem(&at("on"), message, "name a collider, a cloth or a soft body");
                    return Ok(None);
                };
                let maps = [density_map, length_map, direction_map];
                let by_uv = maps.iter().any(|m| m.as_ref().is_some_and(|m| m.by == MapBy::Uv));
                let mut printed = None;
                if by_uv || !groups.is_empty() {
                    match self.printed(on, groups)? {
                        Ok(found) => printed = Some(found),
                        Err((message, help)) => {
                            let field = if groups.is_empty() { "on" } else { "groups" };
                            self.problem(&at(field), message, help);
                            return Ok(None);
                        }
                    }
                }
                let over = (surface.bounds(), printed.as_ref());
                let mut laid =
                    |field, map: &Option<SurfaceMap>| self.laid(&at(field), map.as_ref(), over);
                let density = laid("density_map", density_map);
                let length = laid("length_map", length_map);
                let directions = laid("direction_map", direction_map);
                let (Some(density), Some(length), Some(directions)) = (density, length, directions)
                else {
                    return Ok(None);
                };
                let likely = |p: Vec3| {
                    if region.as_ref().is_some_and(|region| !contains(region, p)) {
                        return 0.0;
                    }
                    if !groups.is_empty() && printed.as_ref().is_some_and(|all| !all.is_chosen(p)) {
                        return 0.0;
                    }
                    density.as_ref().map_or(1.0, |map| map.brightness(p))
                };
                let long = |p: Vec3| length.as_ref().map_or(1.0, |map| map.brightness(p));
                let comb = |p: Vec3| directions.as_ref().and_then(|map| map.direction(p));
                let by = Wishes { likely: &likely, long: &long, comb: &comb };
                self.grow(&here, body, (growth.as_ref(), surface), &by)
            }
            StrandShape::Field { size_m, growth } => {
                let mut mesh = rectangle(*size_m);
                mesh.points.iter_mut().for_each(|p| *p = place.rotation * *p + place.position);
                let surface = Surface::fixed(mesh);
                let by = Wishes { likely: &|_| 1.0, long: &|_| 1.0, comb: &|_| None };
                self.grow(&here, body, (growth.as_ref(), surface), &by)
            }
            _ => None,
        })
    }

    fn grow(
        &mut self,
        here: &[crate::node::Step],
        body: &Strands,
        (growth, surface): (&Growth, Surface),
        by: &Wishes<'_>,
    ) -> Option<Planted> {
        let at = |field: &str| [here, &steps![field]].concat();
        let mut sampler = Sampler::new(&surface, growth.seed);
        let most = MAX_POINTS / u64::from(body.nodes.max(1));
        let mut spots = Vec::new();
        if let Some(per_area) = growth.per_m2 {
            let wanted = per_area * sampler.area();
            // Where a region leaves most of it out, the rest may do.
            if !(wanted <= 50.0 * most as f64) {
                let message = format!(
                    "{wanted:.0} strands on {:.3} m²; {most} of {} nodes are the most",
                    sampler.area(),
                    body.nodes
                );
                self.problem(&at("per_m2"), message, "use fewer, and `followers` for the look");
                return None;
            }
            for _ in 0..wanted.round() as u64 {
                let spot = sampler.any()?;
                let chance = (by.likely)(spot.point);
                if chance >= 1.0 || chance > sampler.rng.unit() {
                    spots.push(spot);
                }
                if spots.len() as u64 > most {
                    let message = format!("more than {most} strands of {} nodes", body.nodes);
                    self.problem(&at("per_m2"), message, "use fewer, and `followers` for the look");
                    return None;
                }
            }
            if spots.is_empty() {
                let message = format!(
                    "no strand grows: {per_area} a square metre on {:.3e} m²",
                    sampler.area()
                );
                self.problem(&at("per_m2"), message, "grow more, or give a `count`");
                return None;
            }
        } else {
            for _ in 0..growth.count.unwrap_or(0) {
                let Some(spot) = sampler.next(by.likely) else {
                    let message = "hardly any of the surface is in the region that strands grow on";
                    self.problem(
                        &at("region"),
                        message,
                        "make it larger, or move it to the surface",
                    );
                    return None;
                };
                spots.push(spot);
            }
        }
        let mut seeds = Vec::with_capacity(spots.len());
        for spot in &spots {
            let direction = direction(growth, (spot, (by.comb)(spot.point)), &mut sampler);
            let noise = 1.0 - growth.length_noise * sampler.rng.unit();
            // A strand has some length wherever a picture is black.
            let length = growth.length_m * noise * (by.long)(spot.point).max(0.02);
            let path = surface.path(spot);
            seeds.push(Seed { drawn: vec![spot.point], direction, length, path });
        }
        let each = body.followers.map_or(0, |followers| followers.per_strand as usize);
        let mut followers = Vec::new();
        if (seeds.len() as u64).saturating_mul(each as u64) > MAX_POINTS {
            let message = format!("{} followers; {MAX_POINTS} are the most", seeds.len() * each);
            self.problem(here, message, "give fewer `followers`");
            return None;
        }
        for _ in 0..seeds.len() * each {
            followers.extend(sampler.next(by.likely).map(|spot| spot.point));
        }
        drop(sampler);
        Some(Planted { seeds, surface: Some(surface), followers })
    }
}

/// t ∝ (1 − a) n + a c, turned at random by up to an angle, out of the surface in any case.
fn direction(
    growth: &Growth,
    (spot, wish): (&Spot, Option<Vec3>),
    sampler: &mut Sampler<'_>,
) -> Vec3 {
    let (comb, share) = match wish {
        Some(wish) => (wish.normalize_or_zero(), wish.length()),
        None if growth.comb == [0.0; 3] => (Vec3::ZERO, 0.0),
        None => (vec3(growth.comb).normalize_or_zero(), 1.0),
    };
    let combed = growth.combed as f32 * share;
    let mixed = spot.normal * (1.0 - combed) + comb * combed;
    let along = mixed.try_normalize().unwrap_or(spot.normal);
    let lean = libm::tan(growth.lean_deg.min(89.0).to_radians()) * sampler.rng.unit().sqrt();
    let angle = TAU * sampler.rng.unit();
    let x = along.as_dvec3().any_orthonormal_vector();
    let y = along.as_dvec3().cross(x);
    let leant = along.as_dvec3() + (x * libm::cos(angle) + y * libm::sin(angle)) * lean;
    let leant = leant.normalize_or(DVec3::Y).as_vec3();
    let rise = leant.dot(spot.normal);
    if rise >= LEAST_RISE {
        return leant;
    }
    (leant + spot.normal * (LEAST_RISE - rise)).normalize_or(spot.normal)
}

fn contains(region: &Region, p: Vec3) -> bool {
    match region {
        Region::Box(bounds) => {
            p.cmpge(vec3(bounds.min_m)).all() && p.cmple(vec3(bounds.max_m)).all()
        }
        Region::Cone(Cone { apex_m, axis, angle_deg }) => {
            let way = (p - vec3(*apex_m)).as_dvec3();
            let axis = vec3(*axis).as_dvec3().normalize_or(DVec3::Y);
            way.dot(axis) >= way.length() * libm::cos(angle_deg.to_radians())
        }
    }
}

/// A curve through points, four edges between each two, that turns evenly (Catmull and Rom 1974,
/// with the root of the distance between points as its pace, so that it makes no loops).
pub(super) fn smooth(points: &[Vec3]) -> Vec<Vec3> {
    const PIECES: usize = 8;
    let mut kept: Vec<DVec3> = Vec::with_capacity(points.len());
    for point in points {
        let point = point.as_dvec3();
        if kept.last().is_none_or(|last| last.distance(point) > 1e-9) {
            kept.push(point);
        }
    }
    if kept.len() < 3 {
        return points.to_vec();
    }
    let last = kept.len() - 1;
    let at = |i: isize| match i {
        ..0 => kept[0] * 2.0 - kept[1],
        i if i as usize > last => kept[last] * 2.0 - kept[last - 1],
        i => kept[i as usize],
    };
    let mut curve = vec![kept[0].as_vec3()];
    for i in 0..last as isize {
        let p = [at(i - 1), at(i), at(i + 1), at(i + 2)];
        let mut t = [0.0; 4];
        for k in 1..4 {
            t[k] = t[k - 1] + p[k].distance(p[k - 1]).sqrt();
        }
        let mix = |a: DVec3, b: DVec3, (from, to): (f64, f64), now: f64| {
            a * ((to - now) / (to - from)) + b * ((now - from) / (to - from))
        };
        for piece in 1..=PIECES {
            let now = t[1] + (t[2] - t[1]) * piece as f64 / PIECES as f64;
            let a = [0, 1, 2].map(|k| mix(p[k], p[k + 1], (t[k], t[k + 1]), now));
            let b = [0, 1].map(|k| mix(a[k], a[k + 1], (t[k], t[k + 2]), now));
            curve.push(mix(b[0], b[1], (t[1], t[2]), now).as_vec3());
        }
    }
    curve
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rope_passes_through_its_points() {
        let points = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.0, 1.0, 0.5)];
        let curve = smooth(&points);
        for point in points {
            let nearest = curve.iter().map(|p| p.distance(point)).fold(f32::MAX, f32::min);
            assert!(nearest < 1e-6, "{point}: {nearest}");
        }
        // No corner: directions change little from edge to edge.
        for ends in curve.windows(3) {
            let turn = (ends[1] - ends[0]).normalize().dot((ends[2] - ends[1]).normalize());
            assert!(turn > 0.9, "{turn}");
        }
    }
}
