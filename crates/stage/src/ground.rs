//! The floor: drawn so that one sees where things are, and where their shadows fall.

use glam::{Mat4, Quat, Vec3};
use tkanina_render::frame::{Paint, Surface, SurfaceLook};
use tkanina_render::meshes::{self, Mesh};
use tkanina_scene::schema::{Look, LookFloor};
use tkanina_sim::colliders::{ColliderMesh, ColliderShape, Shape};
use tkanina_sim::model::Model;
use tkanina_sim::world::World;

use crate::bounds::Bounds;
use crate::looks::vec3;

/// Half the side of a floor, in diagonals of what stands on it.
const REACH: f32 = 14.0;
/// Lines of a floor are a little darker than it.
const LINES: f32 = 0.86;

/// Where a floor may be, and the one that is drawn.
#[derive(Debug)]
pub struct Ground {
    /// Height of a floor that the scene does not ask for. [m]
    own_height: Option<f32>,
    middle: Vec3,
    mesh: Mesh,
    spacing: f32,
    floor: Option<LookFloor>,
}

impl Ground {
    /// What the start of a world says of its ground.
    pub fn of(world: &World, bounds: Bounds) -> Self {
        let diagonal = bounds.diagonal();
        Self {
            own_height: own_height(world, bounds),
            middle: bounds.middle(),
            mesh: mesh(diagonal),
            spacing: spacing(diagonal),
            floor: None,
        }
    }

    /// Takes the floor of the look, or one of its own.
    pub fn set_look(&mut self, look: &Look) {
        let own = self.own_height.map(|height| LookFloor {
            height_m: f64::from(height),
            grid_m: f64::from(self.spacing),
            ..LookFloor::default()
        });
        self.floor = look.floor.clone().or(own);
    }

    /// The floor, if there is one.
    pub fn floor(&self) -> Option<Surface> {
        let floor = self.floor.as_ref()?;
        let place = self.middle.with_y(floor.height_m as f32);
        let look = floor_look(vec3(floor.color), floor.grid_m as f32);
        Some(surface(&self.mesh, place, Quat::IDENTITY, look))
    }
}

/// A floor under things of that diagonal. [m]
pub fn mesh(diagonal: f32) -> Mesh {
    meshes::rectangle([REACH * diagonal; 2])
}

/// A plane through `place`, turned.
pub fn surface(mesh: &Mesh, place: Vec3, rotation: Quat, look: SurfaceLook) -> Surface {
    // Lines go through the origin's projection, wherever the middle of the scene is.
    let local = rotation.inverse() * place;
    let spacing = match look.paint {
        Paint::Grid { spacing, .. } if spacing > 0.0 => spacing,
        _ => 1.0,
    };
    let snap = |c: f32| (c / spacing).round() * spacing;
    let local = Vec3::new(snap(local.x), local.y, snap(local.z));
    Surface {
        positions: mesh.positions.clone(),
        normals: mesh.normals.clone(),
        uvs: mesh.uvs.clone(),
        values: None,
        triangles: mesh.triangles.clone(),
        world_from_local: Mat4::from_quat(rotation) * Mat4::from_translation(local),
        look,
    }
}

/// A matt floor with lines that fades into the horizon.
pub fn floor_look(color: Vec3, spacing: f32) -> SurfaceLook {
    let paint =
        if spacing > 0.0 { Paint::Grid { color: color * LINES, spacing } } else { Paint::Plain };
    SurfaceLook {
        front: color,
        back: color,
        paint,
        reflects: [1.0, 1.0, 0.0],
        casts_shadow: false,
        fades: true,
        ..SurfaceLook::default()
    }
}

/// A round distance of lines for things of that diagonal: 1, 2 or 5 times a power of ten. [m]
pub fn spacing(diagonal: f32) -> f32 {
    let wanted = (0.3 * diagonal).clamp(1e-4, 1e6);
    let power = 10f32.powf(wanted.log10().floor());
    let factor = match wanted / power {
        f if f < 2.0 => 1.0,
        f if f < 5.0 => 2.0,
        _ => 5.0,
    };
    factor * power
}

/// Height of the floor where the scene has none: 0 if everything starts above it, else somewhat
/// below everything. None where there is one already, and where things fall for ever.
fn own_height(world: &World, bounds: Bounds) -> Option<f32> {
    let model = world.model();
    let down = model.gravity.normalize_or_zero().dot(Vec3::NEG_Y) > 0.7;
    let held = !model.holds.is_empty() || !model.ties.is_empty() || !model.colliders.is_empty();
    if !down || !held || (0..model.colliders.len()).any(|index| is_ground(world, index)) {
        return None;
    }
    let reaches_down = 0.5 * bounds.diagonal();
    Some(if bounds.low.y >= -1e-3 { 0.0 } else { bounds.low.y - reaches_down })
}

/// Whether a collider serves as a floor: a level plane, or a box whose top is far wider than the
/// things on it.
pub fn is_ground(world: &World, index: usize) -> bool {
    let pose = world.collider_pose(index);
    match &world.model().colliders[index].shape {
        ColliderShape::Plane(_) => pose.vector(Vec3::Y).y > 0.7,
        ColliderShape::Box(_) => is_wide(world.model(), index),
        ColliderShape::Mesh(mesh) => is_landscape(world, mesh),
        _ => false,
    }
}

/// A mesh on which all bodies start, wider than they are and not steep.
fn is_landscape(world: &World, mesh: &ColliderMesh) -> bool {
    let bounds = mesh.aabb();
    let (size, bodies) = (bounds.max - bounds.min, Bounds::of_points(world.state().x.iter()));
    let wide = size.x.min(size.z);
    size.y < 0.5 * wide && !bodies.is_none() && wide > 1.2 * bodies.diagonal()
}

fn is_wide(model: &Model, index: usize) -> bool {
    let bounds = model.colliders[index].shape.aabb();
    let size = bounds.max - bounds.min;
    size.y < 0.2 * size.x.min(size.z) && model.colliders.len() > 1 && {
        let others = model.colliders.iter().enumerate().filter(|(other, _)| *other != index);
        others.into_iter().all(|(_, other)| {
            let bounds = other.shape.aabb();
            (bounds.max - bounds.min).max_element() < 0.5 * size.x.min(size.z)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_round_distances() {
        let spacings = [0.02, 0.9, 1.7, 2.0, 3.5, 28.0, 40.0].map(spacing);
        for (found, wanted) in spacings.into_iter().zip([0.005, 0.2, 0.5, 0.5, 1.0, 5.0, 10.0]) {
            assert!((found / wanted - 1.0).abs() < 1e-4, "{found} is not {wanted}");
        }
    }
}
