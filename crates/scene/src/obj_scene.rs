//! An OBJ file opened as a scene of its own, or added to one that runs.
//!
//! Paths in a scene are relative to its folder and never leave it. A scene made of an OBJ
//! therefore has that file's folder as its own. Into a scene that has a folder only a file
//! of that folder, or below it, can be added; a scene without one (a built-in, or one never
//! saved) takes the file's folder for its own.

mod filled;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::errors::SceneError;
use crate::load::LoadedScene;
use crate::mesh_io::{MeshData, MeshError, load_obj_file};
use filled::Filled;

/// Name of the material that is added for meshes.
const MATERIAL: &str = "mesh cotton";
/// Density of the preset `cotton`. [kg/m²]
const DENSITY: f64 = 0.15;
/// Tensile stiffness of the preset `cotton`. [N/m]
const TENSION: f64 = 261.0;
/// Bending rigidity of the preset `cotton`. [N·m]
const BENDING: f64 = 2.3e-6;
/// Fastest vibration of a fine mesh that is asked of the solver: stiffness is lowered to it,
/// so that a mesh of small triangles still runs at the speed of sight. [1/s]
const FASTEST: f64 = 1200.0;

/// Why an OBJ file could not be opened or added. All of them mean that the input is wrong.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ObjError {
    /// The file cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Mesh(#[from] MeshError),
    /// The scene made of it is wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Scene(#[from] SceneError),
    /// It lies where the scene may not reach.
    #[error("`{}` lies outside the scene's folder `{}`", path.display(), dir.display())]
    #[diagnostic(help("copy the file beside the scene and open that copy"))]
    Elsewhere {
        /// The file.
        path: PathBuf,
        /// The scene's folder.
        dir: PathBuf,
    },
    /// Its name cannot be written in a scene.
    #[error("the name of `{}` is not valid Unicode", path.display())]
    #[diagnostic(help("rename the file"))]
    Name {
        /// The file.
        path: PathBuf,
    },
}

/// A mesh as a body of a scene: a soft body if it encloses a volume, else a cloth.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjBody {
    /// The entry for `bodies`.
    pub body: Value,
    /// Name of its material and the entry for `materials`; a soft body has none.
    pub material: Option<(String, Value)>,
    /// Folder that the body's file is relative to.
    pub dir: PathBuf,
    /// Half the size of its bounds. [m]
    pub half_size: [f64; 3],
}

/// A scene round an OBJ file: a soft body or a cotton-like cloth of that shape falls on a floor
/// before a camera that sees it all. It has been checked but not built.
pub fn open_obj(path: &Path) -> Result<LoadedScene, ObjError> {
    let mesh = load_obj_file(path)?;
    let fit = Fit::of(&mesh);
    let size = fit.half_size.iter().fold(0.05_f64, |a, half| a.max(2.0 * half));
    // The lowest point starts a third of the size above the floor.
    let height = fit.half_size[1] + size / 3.0;
    let ObjBody { body, material, dir, .. } = placed(path, None, &fit, [0.0, height, 0.0])?;
    let title = body["name"].as_str().unwrap_or_default().to_owned();
    let grid = (size / 4.0 * 100.0).round() / 100.0;
    let scene = json!({
        "format": 1,
        "name": title,
        "about": format!("The mesh of {} as a {} that falls on a floor.", file_name(path)?, fit.becomes()),
        "materials": Value::Object(material.into_iter().collect()),
        "bodies": [body],
        "colliders": [{ "name": unlike(&title, "floor"), "kind": "plane", "point_m": [0, 0, 0],
            "normal": [0, 1, 0], "friction": 0.5 }],
        "cameras": [{ "name": "main", "fov_deg": 40,
            "eye_m": rounded([0.9 * size, height + 0.6 * size, 2.0 * size]),
            "target_m": rounded([0.0, 0.6 * height, 0.0]) }],
        "lights": [{ "kind": "sun", "direction": [-1, -2, -1.5] }],
        "look": { "floor": { "grid_m": grid.max(0.05) } },
    });
    Ok(LoadedScene::from_value(&path.display().to_string(), &scene, Some(&dir))?)
}

/// An OBJ file as a body with its centre at `in_front_of` [m], for a scene of the folder
/// `scene_dir`; a scene without a folder takes [`ObjBody::dir`] for its own.
pub fn body_for_obj(
    path: &Path,
    scene_dir: Option<&Path>,
    in_front_of: [f64; 3],
) -> Result<ObjBody, ObjError> {
    let mesh = load_obj_file(path)?;
    placed(path, scene_dir, &Fit::of(&mesh), in_front_of)
}

/// The scene with an OBJ file added as a body, under a name of its own, and its folder from
/// now on. `dir` is the folder that it has.
pub fn add_obj(
    scene: &Value,
    dir: Option<&Path>,
    path: &Path,
    in_front_of: [f64; 3],
) -> Result<(Value, PathBuf), ObjError> {
    let ObjBody { mut body, material, dir, .. } = body_for_obj(path, dir, in_front_of)?;
    let mut scene = scene.clone();
    let names = |list: &str, scene: &Value| -> Vec<String> {
        let entries = scene[list].as_array().into_iter().flatten();
        entries.filter_map(|entry| entry["name"].as_str().map(str::to_owned)).collect()
    };
    let taken: Vec<String> =
        ["bodies", "colliders", "scenery"].iter().flat_map(|list| names(list, &scene)).collect();
    let name = free_name(body["name"].as_str().unwrap_or("mesh"), |name| {
        taken.iter().any(|taken| taken == name)
    });
    body["name"] = json!(name);
    if let Some(fields) = scene.as_object_mut() {
        if let Some((material, cloth)) = material {
            let materials = fields.entry("materials").or_insert_with(|| json!({}));
            let same = |name: &str| materials.get(name) == Some(&cloth);
            let taken = |name: &str| materials.get(name).is_some() && !same(name);
            let material = free_name(&material, taken);
            body["material"] = json!(material);
            if let Some(materials) = materials.as_object_mut() {
                materials.insert(material, cloth);
            }
        }
        let bodies = fields.entry("bodies").or_insert_with(|| json!([]));
        if let Some(bodies) = bodies.as_array_mut() {
            bodies.push(body);
        }
    }
    Ok((scene, dir))
}

/// How a mesh of unknown units becomes a thing of a size that one can look at.
struct Fit {
    scale: f64,
    /// Centre of the scaled bounds. [m]
    centre: [f64; 3],
    half_size: [f64; 3],
    /// Mean length of the scaled edges. [m]
    edge: f64,
    /// What is inside, if the mesh encloses a volume.
    filled: Option<Filled>,
}

impl Fit {
    /// Scales by a power of ten, which keeps the look of the numbers (files in millimetres,
    /// centimetres or metres), so that the largest extent lies between 0.3 m and 3 m.
    fn of(mesh: &MeshData) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for p in &mesh.positions {
            for axis in 0..3 {
                low[axis] = low[axis].min(f64::from(p[axis]));
                high[axis] = high[axis].max(f64::from(p[axis]));
            }
        }
        let extent = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
        let usable = extent.is_finite() && extent > 0.0;
        let power = if usable { (extent / 0.3).log10().floor() as i32 } else { 0 };
        let power = power.clamp(-6, 6);
        // 0.001 rather than 10⁻³ of 1/1000, so that it is written short.
        let scale = if power >= 0 { 1.0 / 10f64.powi(power) } else { 10f64.powi(-power) };
        let half = |axis: usize| 0.5 * scale * (high[axis] - low[axis]);
        let middle = |axis: usize| 0.5 * scale * (high[axis] + low[axis]);
        let (centre, half_size) = ([0, 1, 2].map(middle), [0, 1, 2].map(half));
        let (edge, filled) = (scale * mean_edge(mesh), Filled::of(mesh, scale));
        Self { scale, centre, half_size, edge, filled }
    }

    fn becomes(&self) -> &'static str {
        if self.filled.is_some() { "soft body" } else { "cloth" }
    }

    /// Cotton, softened where small triangles would need too many steps.
    fn cloth(&self) -> Value {
        let tension = DENSITY * (FASTEST * self.edge).powi(2);
        if !(tension < TENSION) {
            return json!({ "preset": "cotton", "max_stretch": 0.1 });
        }
        // ω² = 40 B/(ρ L⁴) for hinges of edges L.
        let bending = DENSITY * FASTEST.powi(2) * self.edge.powi(4) / 40.0;
        let tension = digits(tension.max(1e-3));
        json!({
            "preset": "cotton",
            "max_stretch": 0.1,
            "membrane": { "warp_N_m": tension, "weft_N_m": tension, "shear_N_m": digits(0.4 * tension) },
            "bending_N_m": digits(bending.min(BENDING)),
        })
    }
}

fn mean_edge(mesh: &MeshData) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    let at = |i: u32| glam::Vec3::from(mesh.positions[i as usize]).as_dvec3();
    for corners in mesh.faces.iter() {
        for (index, &corner) in corners.iter().enumerate() {
            sum += at(corner).distance(at(corners[(index + 1) % corners.len()]));
            count += 1.0;
        }
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

fn placed(
    path: &Path,
    scene_dir: Option<&Path>,
    fit: &Fit,
    place: [f64; 3],
) -> Result<ObjBody, ObjError> {
    let (dir, file) = relative(path, scene_dir)?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name: String = stem.unwrap_or_else(|| "mesh".to_owned()).chars().take(150).collect();
    let position = rounded([0, 1, 2].map(|axis| place[axis] - fit.centre[axis]));
    let mut body = json!({
        "name": name,
        "kind": "cloth",
        "shape": { "kind": "mesh", "file": file, "scale": fit.scale },
        "place": { "position_m": position },
    });
    let material = match &fit.filled {
        Some(filled) => {
            filled.describe(&mut body);
            None
        }
        None => {
            body["material"] = json!(MATERIAL);
            Some((MATERIAL.to_owned(), fit.cloth()))
        }
    };
    Ok(ObjBody { body, material, dir, half_size: fit.half_size })
}

/// The folder of the scene and the file relative to it, with forward slashes.
fn relative(path: &Path, scene_dir: Option<&Path>) -> Result<(PathBuf, String), ObjError> {
    let own = match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir.to_owned(),
        _ => PathBuf::from("."),
    };
    let Some(dir) = scene_dir else {
        return Ok((own, file_name(path)?));
    };
    let elsewhere = || ObjError::Elsewhere { path: path.to_owned(), dir: dir.to_owned() };
    // Links are followed, as the check of the scene will do.
    let (root, full) = (dir.canonicalize(), path.canonicalize());
    let (root, full) = (root.map_err(|_| elsewhere())?, full.map_err(|_| elsewhere())?);
    let inside = full.strip_prefix(&root).map_err(|_| elsewhere())?;
    let parts: Option<Vec<&str>> = inside.iter().map(|part| part.to_str()).collect();
    let parts = parts.ok_or_else(|| ObjError::Name { path: path.to_owned() })?;
    Ok((dir.to_owned(), parts.join("/")))
}

fn file_name(path: &Path) -> Result<String, ObjError> {
    let name = path.file_name().and_then(|name| name.to_str());
    name.map(str::to_owned).ok_or_else(|| ObjError::Name { path: path.to_owned() })
}

/// `name`, or the first of `name 2`, `name 3`… that is not taken.
fn free_name(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_else(|| name.to_owned())
}

fn unlike(other: &str, name: &str) -> String {
    free_name(name, |name| name == other)
}

/// To three digits.
fn digits(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// To a tenth of a millimetre, so that a saved scene reads well.
fn rounded(v: [f64; 3]) -> [f64; 3] {
    v.map(|x| (x * 1e4).round() / 1e4)
}

#[cfg(test)]
mod tests;
