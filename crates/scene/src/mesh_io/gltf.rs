//! glTF 2.0: triangles with node, morph and skin animation, as places of vertices.
//!
//! Read by hand rather than by a library: what a file claims of its own buffers is checked at
//! every step, and what is wrong comes with its place.

mod accessor;
mod animation;
mod container;
mod document;
mod figure;
#[cfg(test)]
mod tests;

use std::path::Path;

use super::{Animated, MAX_FACES, MAX_VERTICES, MeshError};
use container::Container;
use figure::Figure;

/// How an animation becomes frames.
#[derive(Clone, Debug, PartialEq)]
pub struct GltfSampling {
    /// Name of the animation; absent: the first of the file.
    pub animation: Option<String>,
    /// Frames a second. [Hz]
    pub rate_hz: f64,
    /// The last frame is followed by the first: a whole number of frames makes up the animation.
    pub repeat: bool,
    /// Most vertices over all frames.
    pub most_places: usize,
}

/// Reads a .glb or .gltf file: its one shape as it stands, or the frames of an animation.
pub fn load_gltf_file(path: &Path, sampling: Option<&GltfSampling>) -> Result<Animated, MeshError> {
    let opened = Container::open(path)?;
    opened.and_then(|file| animated(&file, sampling)).map_err(|Wrong { message, help }| {
        MeshError::Gltf { name: path.display().to_string(), message, help }
    })
}

fn animated(file: &Container, sampling: Option<&GltfSampling>) -> Result<Animated, Wrong> {
    let figure = Figure::new(file)?;
    let (vertices, triangles) = (figure.vertex_count(), figure.triangles());
    for (what, found, limit) in
        [("vertices", vertices, MAX_VERTICES), ("triangles", triangles.len(), MAX_FACES)]
    {
        if found as u64 > limit {
            let message = format!("has {found} {what}; a mesh may have {limit}");
            return Err(Wrong::new(message).help("simplify the mesh"));
        }
    }
    let Some(sampling) = sampling else {
        return Ok(Animated { triangles, frames: vec![figure.places(None, 0.0)] });
    };
    let animation = figure.animation(sampling.animation.as_deref())?;
    let times = frame_times(animation.duration(), sampling);
    if times.len().saturating_mul(vertices) > sampling.most_places {
        let message = format!(
            "{} frames of {vertices} vertices are too much: {} places is the most",
            times.len(),
            sampling.most_places
        );
        return Err(Wrong::new(message).help("give a lower `rate_hz`, or use a coarser mesh"));
    }
    let frames = times.into_iter().map(|t| figure.places(Some(&animation), t)).collect();
    Ok(Animated { triangles, frames })
}

/// Times of the frames [s]: one every 1/rate and one at the end; of a repeated animation as many
/// as fit best, evenly, and none at the end, which is the beginning.
fn frame_times(duration: f64, sampling: &GltfSampling) -> Vec<f64> {
    // More than any budget allows.
    let most = sampling.most_places as f64;
    let steps = (duration * sampling.rate_hz).min(most);
    if sampling.repeat {
        let count = steps.round().max(1.0);
        return (0..count as usize).map(|k| duration * k as f64 / count).collect();
    }
    // A rounding error past a frame is no frame.
    let count = (steps - 1e-6).ceil().max(0.0);
    (0..=count as usize).map(|k| (k as f64 / sampling.rate_hz).min(duration)).collect()
}

/// What is wrong with a file, and how to mend it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wrong {
    message: String,
    help: Option<String>,
}

impl Wrong {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
