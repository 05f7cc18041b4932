//! Meshes by formula.

use tkanina_sim::colliders::forms::{self, Triangles};

use super::mesh_source::MAX_PLACES;
use super::vec3;
use crate::mesh_io::Animated;
use crate::schema::MeshShape;

/// Why the frames of a shape are too many.
pub(super) fn too_long(shape: &MeshShape) -> Option<(String, String)> {
    let figure = figure(shape)?;
    // A person has some 2.5 m²/cell² vertices.
    let cell = figure.cell * forms::USUAL_HEIGHT / figure.height;
    let places = figure.frame_count() as f64 * 2.5 / (cell * cell);
    (places > MAX_PLACES as f64).then(|| {
        let message = format!(
            "{} frames of some {:.0} vertices are too much: {MAX_PLACES} places is the most",
            figure.frame_count(),
            2.5 / (cell * cell)
        );
        (message, "give a shorter `walk_s` or a larger `cell_m`".to_owned())
    })
}

/// The walking person of a shape, if it is one.
fn figure(shape: &MeshShape) -> Option<forms::Figure> {
    let MeshShape::Figure { height_m, stride_m, pace_hz, stand_s, walk_s, forward, cell_m } =
        *shape
    else {
        return None;
    };
    Some(forms::Figure {
        height: height_m,
        stride: stride_m,
        pace: pace_hz,
        stand: stand_s,
        walk: walk_s,
        forward,
        // Finer than a person of another height needs would be slow for nothing.
        cell: cell_m * height_m / forms::USUAL_HEIGHT,
    })
}

/// A mesh by formula. With `moves` one that moves on its own has all its frames.
pub(super) fn of_shape(shape: &MeshShape, moves: bool) -> Animated {
    if let Some(figure) = figure(shape) {
        if moves {
            let (triangles, frames) = figure.frames();
            return Animated { triangles, frames };
        }
        let Triangles { points, triangles } = figure.at_rest();
        return Animated { triangles, frames: vec![points] };
    }
    let Triangles { points, triangles } = match *shape {
        MeshShape::Sphere { radius_m, segments } => forms::sphere(radius_m, segments),
        MeshShape::Torus { radius_m, tube_m, segments } => forms::torus(radius_m, tube_m, segments),
        MeshShape::Bowl { radius_m, thickness_m, segments } => {
            forms::bowl(radius_m, thickness_m, segments)
        }
        MeshShape::Cylinder { radius_m, height_m, segments } => {
            forms::cylinder(radius_m, height_m, segments)
        }
        MeshShape::Tube { radius_m, thickness_m, height_m, segments } => {
            forms::tube(radius_m, thickness_m, height_m, segments)
        }
        MeshShape::Box { size_m, cells } => forms::cuboid(vec3(size_m), cells),
        MeshShape::Table { size_m, top_m, leg_m } => {
            forms::table(vec3(size_m), top_m as f32, leg_m as f32)
        }
        MeshShape::Chair { size_m, seat_m, leg_m } => {
            forms::chair(vec3(size_m), seat_m as f32, leg_m as f32)
        }
        MeshShape::Bust { shoulders, cell_m } => forms::bust(shoulders, cell_m),
        MeshShape::Figure { .. } => Triangles::default(),
    };
    Animated { triangles, frames: vec![points] }
}
