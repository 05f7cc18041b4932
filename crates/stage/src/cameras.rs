//! Where a scene is seen from.

use tkanina_render::Camera;

/// A camera with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedCamera {
    /// Name in the scene.
    pub name: String,
    /// The camera.
    pub camera: Camera,
}
