//! Why a scene could not be shown.

use tkanina_scene::mesh_io::MeshError;

/// Why a scene could not be shown. All of them mean that the input is wrong.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum StageError {
    /// A picture of the scene cannot be used.
    #[error("picture `{file}` of `{of}` cannot be used: {reason}")]
    #[diagnostic(help("give a PNG or JPEG file beside the scene"))]
    Picture {
        /// The file as the scene names it.
        file: String,
        /// The body, collider or scenery that it is for.
        of: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The file of a piece of scenery is not where it should be.
    #[error("scenery `{name}`: {reason}")]
    #[diagnostic(help("put the file beside the scene and name it relative to it"))]
    Scenery {
        /// The scenery.
        name: String,
        /// What is wrong with its file.
        reason: String,
    },
    /// The mesh of a piece of scenery cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Mesh(#[from] MeshError),
}
