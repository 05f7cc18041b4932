//! Meshes of tetrahedra: Gmsh and legacy VTK, both as text.

mod gmsh;
mod vtk;
mod words;

use std::path::Path;

use glam::Vec3;
use tkanina_sim::topology::TetraMesh;

use super::obj::read_budgeted;
use super::{MAX_MESH_BYTES, MeshError};
use words::Words;

/// What a file of tetrahedra holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TetraFile {
    /// Its tetrahedra, all the same way round; those without volume are still among them.
    pub mesh: TetraMesh,
    /// Elements of other kinds, which were left out.
    pub others: usize,
    /// Tetrahedra that were inside out.
    pub turned: usize,
    /// Points of no tetrahedron, which were left out.
    pub loose: usize,
}

/// Reads a file of tetrahedra, refusing it by its length before it is read.
pub fn load_tetra_file(path: &Path) -> Result<TetraFile, MeshError> {
    load_tetras(&read_budgeted(path)?, &path.display().to_string())
}

/// Reads tetrahedra from text; what it begins with says which format it is. `name` stands for it in
/// messages.
pub fn load_tetras(bytes: &[u8], name: &str) -> Result<TetraFile, MeshError> {
    let found = bytes.len() as u64;
    if found > MAX_MESH_BYTES {
        let (name, limit) = (name.to_owned(), MAX_MESH_BYTES);
        return Err(MeshError::TooLarge { name, what: "bytes", found, limit });
    }
    let mut words = Words::new(bytes, name);
    let raw = if bytes.trim_ascii_start().starts_with(b"$") {
        gmsh::read(&mut words)?
    } else if bytes.trim_ascii_start().starts_with(b"#") {
        vtk::read(&mut words)?
    } else {
        let help =
            "export the mesh as Gmsh (.msh, version 2.2 or 4.1, ASCII) or legacy VTK (ASCII)";
        return Err(words.wrong("is neither Gmsh nor VTK", Some(help)));
    };
    raw.finish(name)
}

/// Points and tetrahedra as they stand in a file.
#[derive(Default)]
struct Raw {
    points: Vec<Vec3>,
    tetras: Vec<[u32; 4]>,
    others: usize,
}

impl Raw {
    fn finish(self, name: &str) -> Result<TetraFile, MeshError> {
        let Self { points, tetras, others } = self;
        if tetras.is_empty() {
            return Err(MeshError::NoTetrahedra { name: name.to_owned(), others });
        }
        let mut used = vec![false; points.len()];
        tetras.iter().flatten().for_each(|&v| used[v as usize] = true);
        let mut numbers = vec![0; points.len()];
        let mut mesh = TetraMesh::default();
        for (v, point) in points.into_iter().enumerate().filter(|(v, _)| used[*v]) {
            numbers[v] = mesh.points.len() as u32;
            mesh.points.push(point);
        }
        let mut turned = 0;
        for tetra in tetras {
            let mut tetra = tetra.map(|v| numbers[v as usize]);
            if mesh.volume_of(tetra) < 0.0 {
                tetra.swap(2, 3);
                turned += 1;
            }
            mesh.tetras.push(tetra);
        }
        let loose = used.iter().filter(|used| !**used).count();
        Ok(TetraFile { mesh, others, turned, loose })
    }
}
