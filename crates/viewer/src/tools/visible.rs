//! Which particles one sees: in a rectangle of the picture, or under the cursor.

use glam::{DVec2, DVec3, Vec2, Vec3};
use tkanina_render::Camera;
use tkanina_sim::colliders::Shape;

use super::cover::{Cover, CoverArea, OWN_SHARE};
use super::input::ToolContext;
use super::view::{View, meet};

/// The world as it is seen in a picture.
pub struct Sight<'a> {
    context: ToolContext<'a>,
    view: View,
    /// Particles, local to the eye.
    locals: Vec<DVec3>,
}

/// A particle under the cursor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    /// The particle.
    pub particle: u32,
    /// Its depth along the sight. [m]
    pub depth: f32,
}

/// A particle this near to the cursor is meant, even if no triangle is under it. [pixels]
const REACH: f32 = 10.0;
/// A strand this near to the cursor is meant before what lies behind it: strands are thin. [pixels]
const STRAND_REACH: f32 = 5.0;

impl<'a> Sight<'a> {
    /// What the context's camera sees in a picture of `size` pixels.
    pub fn new(context: ToolContext<'a>, size: Vec2) -> Self {
        Self::from(context, context.camera, size)
    }

    /// What another camera sees of the same world.
    pub fn from(context: ToolContext<'a>, camera: &Camera, size: Vec2) -> Self {
        let view = View::new(camera, size);
        let locals = context.snapshot.positions.iter().map(|&p| view.local(p)).collect();
        Self { context, view, locals }
    }

    /// The camera in double precision.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Particles in the rectangle between two corners that nothing hides, by number. [pixels]
    pub fn visible_in(&self, corner: Vec2, opposite: Vec2) -> Vec<u32> {
        let (min, max) = (corner.min(opposite).as_dvec2(), corner.max(opposite).as_dvec2());
        let inside: Vec<(u32, DVec2)> = (0u32..)
            .zip(&self.locals)
            .filter_map(|(i, &local)| Some((i, self.view.place(local)?)))
            .filter(|&(_, place)| place.cmpge(min).all() && place.cmple(max).all())
            .collect();
        if inside.is_empty() {
            return Vec::new();
        }
        let cover = self.cover(CoverArea { min, max, points: inside.len() });
        inside
            .into_iter()
            .filter(|&(i, place)| {
                !cover.hides(i, place) && !self.behind_collider(self.locals[i as usize])
            })
            .map(|(i, _)| i)
            .collect()
    }

    /// The particle under the cursor: the node of a strand there, else the nearest corner of the
    /// triangle there, else the nearest visible particle close by.
    pub fn pick(&self, pointer: Vec2) -> Option<Pick> {
        if let Some(node) = self.pick_strand(pointer, STRAND_REACH) {
            return Some(node);
        }
        let particle = match self.triangle_at(pointer) {
            Some((corners, hit)) => {
                let away = |&i: &u32| (self.locals[i as usize] - hit).length_squared();
                corners.into_iter().min_by(|a, b| away(a).total_cmp(&away(b)))
            }
            None => self.near_by(pointer),
        }?;
        Some(Pick { particle, depth: self.locals[particle as usize].z as f32 })
    }

    /// The point of the surface under the cursor, of a body or an obstacle. [m]
    pub fn surface(&self, pointer: Vec2) -> Option<Vec3> {
        let hit = match self.triangle_at(pointer) {
            Some((_, hit)) => hit,
            None => self.view.ray(pointer) * self.collider_at(pointer)?.1,
        };
        Some(self.view.world(hit))
    }

    /// The obstacle under the cursor, also through cloth, which often lies on what one means.
    pub fn pick_collider(&self, pointer: Vec2) -> Option<usize> {
        self.collider_at(pointer).map(|(index, _)| index)
    }

    /// Corners of the foremost triangle under the cursor, unless an obstacle is before it, and where
    /// it is met, local to the eye.
    fn triangle_at(&self, pointer: Vec2) -> Option<([u32; 3], DVec3)> {
        let ray = self.view.ray(pointer);
        let first = self
            .triangles()
            .iter()
            .filter_map(|&corners| {
                let t = meet(corners.map(|i| self.locals[i as usize]), ray)?;
                (t >= self.view.near()).then_some((corners, t))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))?;
        let margin = self.margin(first.1);
        let covered = self.collider_at(pointer).is_some_and(|(_, t)| t < first.1 - margin);
        (!covered).then(|| (first.0, ray * first.1))
    }

    fn near_by(&self, pointer: Vec2) -> Option<u32> {
        let reach = Vec2::splat(REACH);
        let away = |&i: &u32| {
            let place = self.view.place(self.locals[i as usize]);
            place.map_or(f64::INFINITY, |p| (p - pointer.as_dvec2()).length_squared())
        };
        let close = self.visible_in(pointer - reach, pointer + reach).into_iter();
        close.min_by(|a, b| away(a).total_cmp(&away(b)))
    }

    /// The foremost obstacle on the ray through the cursor and its depth. [m]
    fn collider_at(&self, pointer: Vec2) -> Option<(usize, f64)> {
        let ray = self.view.ray(pointer);
        self.collider_hits(ray).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Obstacles that the line from the eye along a local direction meets, and where on it.
    fn collider_hits(&self, direction: DVec3) -> impl Iterator<Item = (usize, f64)> {
        let snapshot = self.context.snapshot;
        let shown = self.context.show.colliders;
        let colliders = snapshot.model.colliders.iter().zip(&snapshot.collider_poses).enumerate();
        let eye = self.view.eye().as_vec3();
        let length = direction.length();
        let unit = self.view.world_vector(direction / length).as_vec3();
        colliders.filter(move |_| shown).filter_map(move |(index, (collider, pose))| {
            let t = collider.shape.ray(pose.local_point(eye), pose.local_vector(unit))?;
            Some((index, f64::from(t) / length))
        })
    }

    fn behind_collider(&self, local: DVec3) -> bool {
        let margin = self.margin(local.length()) / local.length();
        self.collider_hits(local).any(|(_, t)| t < 1.0 - margin)
    }

    /// How far an obstacle must be before something to hide it: what lies on an obstacle is at most
    /// the contact's offset off its surface. [m]
    fn margin(&self, distance: f64) -> f64 {
        (OWN_SHARE * distance).max(f64::from(self.context.snapshot.model.contact_offset))
    }

    /// What is shown of surfaces in an area.
    fn cover(&self, area: CoverArea) -> Cover<'_> {
        let shown = if self.context.show.faces { self.triangles() } else { &[] };
        Cover::new(&self.view, &self.locals, shown, area)
    }

    fn triangles(&self) -> &'a [[u32; 3]] {
        &self.context.snapshot.model.triangles
    }
}

#[cfg(test)]
mod reference;
mod strands;
#[cfg(test)]
mod tests;
