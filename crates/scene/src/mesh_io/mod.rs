//! Meshes in.

mod clean;
mod curves;
mod gltf;
mod obj;
mod obj_parts;
mod obj_statements;
mod tetra;

pub use clean::{Animated, Left};
pub use curves::{Curve, MAX_CURVE_POINTS, load_curves, load_curves_file};
pub use gltf::{GltfSampling, load_gltf_file};
pub use obj::{MAX_FACES, MAX_MESH_BYTES, MAX_VERTICES, load_obj, load_obj_file};
pub use obj_parts::ObjParts;
pub use tetra::{TetraFile, load_tetra_file, load_tetras};

use std::path::PathBuf;

/// A mesh as its file has it: polygons of any size, vertices in file order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    /// Vertices. [m]
    pub positions: Vec<[f32; 3]>,
    /// Faces.
    pub faces: Polygons,
    /// Texture coordinates by vertex, if the file has them for every vertex of
    /// a face. A vertex on a texture seam keeps the first it was given.
    pub uvs: Option<Vec<[f32; 2]>>,
}

/// Polygons in one flat list: millions of small vectors would cost more than
/// the mesh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polygons {
    corners: Vec<u32>,
    ends: Vec<u32>,
}

impl Polygons {
    /// Adds a polygon.
    pub fn push(&mut self, corners: &[u32]) {
        self.corners.extend_from_slice(corners);
        self.ends.push(self.corners.len() as u32);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The corners of each.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.corners[start as usize..*end as usize])
    }

    /// Each cut into triangles that fan out from its first corner.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        self.iter().flat_map(|polygon| {
            polygon.windows(2).skip(1).map(|pair| [polygon[0], pair[0], pair[1]])
        })
    }
}

/// Why a mesh could not be read. All of them mean that the input is wrong.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum MeshError {
    /// A line of the file is wrong.
    #[error("{name}:{line}: {message}")]
    Line {
        /// The file.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
        /// How to mend it.
        #[help]
        help: Option<String>,
    },
    /// A glTF file is wrong.
    #[error("{name}: {message}")]
    Gltf {
        /// The file.
        name: String,
        /// What is wrong.
        message: String,
        /// How to mend it.
        #[help]
        help: Option<String>,
    },
    /// The file has no faces.
    #[error("{name} has no faces ({vertices} vertices)")]
    #[diagnostic(help("export the mesh with its faces; lines starting with `f` hold them"))]
    NoFaces {
        /// The file.
        name: String,
        /// How many vertices it has.
        vertices: usize,
    },
    /// The file has no tetrahedra.
    #[error("{name} has no tetrahedra ({others} other elements)")]
    #[diagnostic(help("mesh the inside of the body with tetrahedra of four points (order 1)"))]
    NoTetrahedra {
        /// The file.
        name: String,
        /// Elements of other kinds.
        others: usize,
    },
    /// The file needs more memory than a mesh may.
    #[error("{name} has {found} {what}; a mesh may have {limit}")]
    #[diagnostic(help("simplify the mesh"))]
    TooLarge {
        /// The file.
        name: String,
        /// What there is too much of.
        what: &'static str,
        /// How many.
        found: u64,
        /// The budget.
        limit: u64,
    },
    /// The file cannot be read.
    #[error("`{}` cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: std::io::Error,
    },
}
