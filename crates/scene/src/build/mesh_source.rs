//! Triangles of files and formulas, as they stand in the way.

use glam::Vec3;

use super::Build;
use super::mesh_shapes::{of_shape, too_long};
use crate::check::paths::matching;
use crate::check::{meshes::is_gltf, steps};
use crate::mesh_io::{Animated, GltfSampling, MeshError, load_gltf_file, load_obj_file};
use crate::node::Step;
use crate::schema::{MeshFrames, MeshShape};

/// Farthest that a mesh may reach from its own origin. [m]
const FARTHEST_M: f32 = 1e5;
/// Least size of a mesh: smaller ones were drawn in other units. [m]
const LEAST_M: f32 = 1e-6;
/// Most triangles of one obstacle.
const MAX_TRIANGLES: usize = 2_000_000;
/// Most vertices of one obstacle over all its frames: 384 MiB.
pub(super) const MAX_PLACES: usize = 32 << 20;

/// What a collider says of its mesh.
pub(super) struct MeshSource<'a> {
    pub file: Option<&'a str>,
    pub shape: Option<&'a MeshShape>,
    pub frames: Option<&'a MeshFrames>,
    pub scale: f64,
    /// Whether a shape that moves on its own does so here.
    pub moves: bool,
}

/// Why a mesh cannot be used: where, what is wrong, and how to mend it.
pub(super) type Refusal = (Vec<Step>, String, String);

impl Build<'_> {
    /// The mesh of a collider at `here`, in metres and with one or more frames, with vertices
    /// that lie on each other made one. Everything else is as it was given.
    pub(super) fn mesh_of(
        &self,
        here: &[Step],
        source: &MeshSource<'_>,
    ) -> Result<Result<Animated, Refusal>, MeshError> {
        let at = |field: &str| [here, &steps![field]].concat();
        let (mut mesh, place) = match *source {
            MeshSource { shape: Some(shape), moves, .. } => {
                if let Some(refusal) = too_long(shape) {
                    return Ok(Err((at("shape"), refusal.0, refusal.1)));
                }
                (of_shape(shape, moves), at("shape"))
            }
            MeshSource { file: Some(file), frames, .. } => {
                let loaded = match self.mesh_file(file, frames)? {
                    Ok(mesh) => mesh,
                    Err((message, help)) => return Ok(Err((at("file"), message, help))),
                };
                (loaded, at("file"))
            }
            MeshSource { frames: Some(frames), .. } => match self.sequence(&frames.files)? {
                Ok(mesh) => (mesh, at("frames")),
                Err((message, help)) => return Ok(Err((at("frames"), message, help))),
            },
            _ => (Animated::default(), here.to_vec()),
        };
        let scale = source.scale as f32;
        mesh.frames.iter_mut().flatten().for_each(|p| *p *= scale);
        if let Some((message, help)) = unusable(&mesh) {
            return Ok(Err((place, message, help.to_owned())));
        }
        mesh.join_vertices();
        Ok(Ok(mesh))
    }

    fn mesh_file(
        &self,
        file: &str,
        frames: Option<&MeshFrames>,
    ) -> Result<Result<Animated, (String, String)>, MeshError> {
        let path = match self.loaded.resolve(file) {
            Ok(path) => path,
            Err(message) => return Ok(Err((message, "put the mesh beside the scene file".into()))),
        };
        if is_gltf(file) {
            let sampling = frames.map(|frames| GltfSampling {
                animation: frames.animation.clone(),
                rate_hz: frames.rate_hz,
                repeat: frames.repeat,
                most_places: MAX_PLACES,
            });
            return load_gltf_file(&path, sampling.as_ref()).map(Ok);
        }
        Ok(Ok(of_obj(load_obj_file(&path)?)))
    }

    /// A frame a file; all with the faces of the first.
    fn sequence(&self, files: &[String]) -> Result<Result<Animated, (String, String)>, MeshError> {
        let mut mesh = Animated::default();
        let mut first = String::new();
        for pattern in files {
            let matches = match matching(self.loaded.dir.as_deref(), pattern) {
                Ok(matches) => matches,
                Err(refused) => return Ok(Err((refused.message, refused.help.to_owned()))),
            };
            for file in matches {
                let path = match self.loaded.resolve(&file) {
                    Ok(path) => path,
                    Err(message) => {
                        return Ok(Err((message, "put the files beside the scene".into())));
                    }
                };
                let Animated { triangles, frames } = of_obj(load_obj_file(&path)?);
                if mesh.frames.is_empty() {
                    (mesh.triangles, first) = (triangles, file);
                } else if let Some(message) = differs(&mesh, &first, (&triangles, &frames, &file)) {
                    let help = "export all frames of one mesh with the same settings";
                    return Ok(Err((message, help.to_owned())));
                }
                mesh.frames.extend(frames);
                if mesh.frames.len() * mesh.frames[0].len() > MAX_PLACES {
                    let message = format!(
                        "{} frames of {} vertices are too much: {MAX_PLACES} places is the most",
                        mesh.frames.len(),
                        mesh.frames[0].len()
                    );
                    return Ok(Err((message, "use fewer frames or a coarser mesh".to_owned())));
                }
            }
        }
        Ok(Ok(mesh))
    }
}

fn of_obj(mesh: crate::mesh_io::MeshData) -> Animated {
    let frame = mesh.positions.iter().map(|&p| Vec3::from(p)).collect();
    Animated { triangles: mesh.faces.triangles().collect(), frames: vec![frame] }
}

/// How a frame's mesh is not the one of the first frame.
fn differs(
    mesh: &Animated,
    first: &str,
    (triangles, frames, file): (&[[u32; 3]], &[Vec<Vec3>], &str),
) -> Option<String> {
    let (wanted, found) = (mesh.frames[0].len(), frames[0].len());
    if wanted != found {
        return Some(format!("`{file}` has {found} vertices, but `{first}` has {wanted}"));
    }
    let (wanted, found) = (mesh.triangles.len(), triangles.len());
    if wanted != found {
        return Some(format!("`{file}` has {found} triangles, but `{first}` has {wanted}"));
    }
    let at = mesh.triangles.iter().zip(triangles).position(|(a, b)| a != b)?;
    let corners = |[a, b, c]: [u32; 3]| format!("{}, {}, {}", a + 1, b + 1, c + 1);
    Some(format!(
        "triangle {} of `{file}` has the vertices {}, but in `{first}` {}",
        at + 1,
        corners(triangles[at]),
        corners(mesh.triangles[at])
    ))
}

/// Why a mesh is no good, whatever is done to it, and how to mend that.
fn unusable(mesh: &Animated) -> Option<(String, &'static str)> {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for p in mesh.frames.iter().flatten() {
        if !p.is_finite() {
            return Some(("has a vertex that is not finite".to_owned(), "export it anew"));
        }
        (low, high) = (low.min(*p), high.max(*p));
    }
    let farthest = low.abs().max(high.abs()).max_element();
    if mesh.triangles.is_empty() {
        return Some(("has no triangles".to_owned(), "export the mesh with its faces"));
    }
    if !(farthest <= FARTHEST_M) {
        let message =
            format!("has a vertex {farthest:e} m from its origin; {FARTHEST_M:e} m is the most");
        return Some((message, "give it a smaller `scale`"));
    }
    let size = (high - low).max_element();
    if !(size >= LEAST_M) {
        let message = format!("is {size:e} m large; {LEAST_M:e} m is the least");
        return Some((message, "give it a larger `scale`: its file may be in other units"));
    }
    if mesh.triangles.len() > MAX_TRIANGLES {
        let count = mesh.triangles.len();
        let message = format!("has {count} triangles; an obstacle may have {MAX_TRIANGLES}");
        return Some((message, "use a coarser mesh"));
    }
    None
}
