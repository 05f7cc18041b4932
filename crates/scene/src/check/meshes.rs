//! Meshes that are in the way: where they come from, and sizes that fit each other.

use tkanina_sim::colliders::forms;

use super::{Check, paths, steps};
use crate::node::Step;
use crate::schema::{MeshFrames, MeshShape, TerrainHeights};

/// What a mesh is made of, as a collider says it.
pub(super) struct MeshFrom<'a> {
    pub file: Option<&'a str>,
    pub shape: Option<&'a MeshShape>,
    pub frames: Option<&'a MeshFrames>,
}

/// What the name of a mesh file may end in.
const ENDINGS: &[&str] = &[".obj", ".glb", ".gltf"];

/// Whether a file is glTF by its name.
pub(crate) fn is_gltf(file: &str) -> bool {
    let file = file.to_ascii_lowercase();
    file.ends_with(".glb") || file.ends_with(".gltf")
}

/// Whether a file holds tetrahedra by its name: Gmsh or VTK.
pub(crate) fn is_tetra_mesh(file: &str) -> bool {
    let file = file.to_ascii_lowercase();
    file.ends_with(".msh") || file.ends_with(".vtk")
}

impl Check<'_> {
    pub(super) fn mesh(&mut self, here: &[Step], from: &MeshFrom<'_>) {
        let at = |field: &str| [here, &steps![field]].concat();
        let files = from.frames.map_or(&[][..], |frames| &frames.files);
        let sources = [from.file.is_some(), from.shape.is_some(), !files.is_empty()];
        if sources.iter().filter(|given| **given).count() != 1 {
            let help = "give `file: bunny.obj`, or `shape: { kind: torus, radius_m: 0.15, tube_m: \
                        0.03 }`, or `frames: { files: [walk/*.obj] }`";
            let message = "must have one of `file`, `shape` and `frames.files`";
            return self.report(here, message, Some(help.to_owned()));
        }
        if let Some(file) = from.file {
            self.mesh_file(&at("file"), file);
        }
        if let Some(shape) = from.shape {
            self.mesh_shape(&at("shape"), shape);
        }
        if let Some(frames) = from.frames {
            self.mesh_frames(&at("frames"), frames, from);
        }
    }

    fn mesh_file(&mut self, path: &[Step], file: &str) {
        let lower = file.to_ascii_lowercase();
        if !ENDINGS.iter().any(|ending| lower.ends_with(ending)) {
            let help = "export the mesh as OBJ (.obj) or glTF (.glb, .gltf)".to_owned();
            self.report(path, format!("`{file}` is neither OBJ nor glTF by its name"), Some(help));
        }
        self.file(path, file);
    }

    fn mesh_frames(&mut self, here: &[Step], frames: &MeshFrames, from: &MeshFrom<'_>) {
        let at = |field: &str| [here, &steps![field]].concat();
        if let Some(file) = from.file.filter(|file| !is_gltf(file)) {
            let message = format!("`{file}` has no frames: OBJ files hold one shape each");
            let help = "give `frames: { files: [walk/*.obj] }` in place of `file`";
            self.report(here, message, Some(help.to_owned()));
        }
        if from.shape.is_some() {
            let help = "leave `frames` out; `motion` moves the whole".to_owned();
            self.report(here, "a mesh by formula has no frames", Some(help));
        }
        if frames.animation.is_some() && !from.file.is_some_and(is_gltf) {
            let help = "give `file: figure.glb`, or leave `animation` out".to_owned();
            self.report(&at("animation"), "only glTF files have animations by name", Some(help));
        }
        for (index, file) in frames.files.iter().enumerate() {
            let path = [here, &steps!["files", index]].concat();
            if let Err(refused) = paths::matching(self.dir, file) {
                self.report(&path, refused.message, Some(refused.help.to_owned()));
            } else if !file.to_ascii_lowercase().ends_with(".obj") {
                let help = Some("export every frame as OBJ (.obj)".to_owned());
                self.report(&path, format!("`{file}` is not OBJ by its name"), help);
            }
        }
    }

    fn mesh_shape(&mut self, here: &[Step], shape: &MeshShape) {
        let mut fits = |field: &str, size: f64, limit: f64, of: &str| {
            if size >= limit {
                let path = [here, &steps![field]].concat();
                let message = format!("must be less than {of}, which is {limit} m");
                self.report(&path, message, Some(format!("give it {} m, say", 0.5 * limit)));
            }
        };
        match *shape {
            MeshShape::Torus { radius_m, tube_m, .. } => {
                fits("tube_m", tube_m, radius_m, "the radius of the ring");
            }
            MeshShape::Bowl { radius_m, thickness_m, .. }
            | MeshShape::Tube { radius_m, thickness_m, .. } => {
                fits("thickness_m", thickness_m, radius_m, "the radius");
            }
            MeshShape::Table { size_m: [x, y, z], top_m, leg_m } => {
                fits("top_m", top_m, y, "the height");
                fits("leg_m", leg_m, 0.25 * x.min(z), "a quarter of the table's narrower side");
            }
            MeshShape::Chair { size_m: [x, y, z], seat_m, leg_m } => {
                fits("seat_m", seat_m, y, "the height");
                fits("leg_m", leg_m, seat_m, "the height of the seat");
                fits("leg_m", leg_m, 0.25 * x.min(z), "a quarter of the chair's narrower side");
            }
            MeshShape::Figure { height_m, stride_m, .. } => {
                let longest = forms::LONGEST_STRIDE * height_m;
                fits("stride_m", stride_m, longest, "half its height");
            }
            _ => {}
        }
        if let MeshShape::Cylinder { segments, .. } | MeshShape::Tube { segments, .. } = shape
            && segments[0] < 3
        {
            let help = Some("give at least 3 segments round the axis, such as [48, 1]".to_owned());
            let message = format!("{} segments make nothing round", segments[0]);
            self.report(&[here, &steps!["segments", 0]].concat(), message, help);
        }
    }

    pub(super) fn terrain(&mut self, here: &[Step], heights: &TerrainHeights) {
        match heights {
            TerrainHeights::Rows { rows_m } => {
                let wanted = rows_m.first().map_or(0, Vec::len);
                let odd = rows_m.iter().position(|row| row.len() != wanted);
                if let Some((index, found)) = odd.map(|index| (index, rows_m[index].len())) {
                    let message = format!("has {found} heights, but the first row has {wanted}");
                    let help = Some("give every row as many heights".to_owned());
                    self.report(&[here, &steps!["rows_m", index]].concat(), message, help);
                }
            }
            TerrainHeights::Picture { file, .. } => {
                self.picture(&[here, &steps!["file"]].concat(), file);
            }
            TerrainHeights::Hills { .. } => {}
        }
    }
}
