//! What an OBJ file says of its faces beside where they are: groups and texture coordinates.

use std::path::Path;

use glam::Vec3;

use super::obj::{load_obj, read_budgeted};
use super::obj_statements::statements;
use super::{MeshData, MeshError};

/// Triangles with the names and texture coordinates that their faces were given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjParts {
    /// Vertices, in the units of the file.
    pub points: Vec<Vec3>,
    /// Corners of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates at the corners of each, where its face has them. Corners on a seam
    /// of the texture have one on each of its sides.
    pub uvs: Vec<Option<[[f32; 2]; 3]>>,
    /// Sets of names; a triangle has those of one.
    pub sets: Vec<Vec<String>>,
    /// Which set of names each triangle has.
    pub set_of: Vec<u32>,
}

impl ObjParts {
    /// Reads a file.
    pub fn load_file(path: &Path) -> Result<Self, MeshError> {
        Self::load(&read_budgeted(path)?, &path.display().to_string())
    }

    /// Reads text. `name` stands for it in messages.
    pub fn load(bytes: &[u8], name: &str) -> Result<Self, MeshError> {
        // What is wrong with it is found here.
        let MeshData { positions, faces, .. } = load_obj(bytes, name)?;
        let points = positions.iter().map(|&p| Vec3::from(p)).collect();
        let mut parts = Self { points, ..Self::default() };
        let mut names = Names::default();
        let mut texture: Vec<[f32; 2]> = Vec::new();
        let mut polygons = faces.iter();
        for (_, statement) in statements(bytes) {
            // Names need not be text.
            let statement = String::from_utf8_lossy(&statement);
            let mut words = statement.split_ascii_whitespace();
            match words.next() {
                Some("g") => names.groups = words.map(str::to_owned).collect(),
                Some("o") => names.object = words.next().map(str::to_owned),
                Some("usemtl") => names.material = words.next().map(str::to_owned),
                Some("vt") => {
                    let mut number = || words.next().and_then(|w| w.parse().ok()).unwrap_or(0.0);
                    texture.push([number(), number()]);
                }
                Some("f") => {
                    let Some(polygon) = polygons.next() else { break };
                    let uvs = words.map(|word| uv(word, &texture)).collect::<Option<Vec<_>>>();
                    parts.face(polygon, uvs.as_deref(), &names);
                }
                _ => {}
            }
        }
        Ok(parts)
    }

    /// All names, each once, in order.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.sets.iter().flatten().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn face(&mut self, polygon: &[u32], uvs: Option<&[[f32; 2]]>, names: &Names) {
        let names = names.all();
        if self.sets.last() != Some(&names) {
            self.sets.push(names);
        }
        for k in 1..polygon.len() - 1 {
            self.triangles.push([polygon[0], polygon[k], polygon[k + 1]]);
            self.uvs.push(uvs.map(|uvs| [uvs[0], uvs[k], uvs[k + 1]]));
            self.set_of.push(self.sets.len() as u32 - 1);
        }
    }
}

/// Names that a face has by the lines before it.
#[derive(Default)]
struct Names {
    groups: Vec<String>,
    object: Option<String>,
    material: Option<String>,
}

impl Names {
    fn all(&self) -> Vec<String> {
        self.groups.iter().chain(&self.object).chain(&self.material).cloned().collect()
    }
}

/// The texture coordinate of a corner, if it has one.
fn uv(word: &str, texture: &[[f32; 2]]) -> Option<[f32; 2]> {
    let number: i64 = word.split('/').nth(1)?.parse().ok()?;
    let index = if number > 0 { number - 1 } else { texture.len() as i64 + number };
    texture.get(usize::try_from(index).ok()?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n\
        o head\ng scalp top\nf 1/1 2/2 3/3 4/4\ng # none\nusemtl skin\nf 1/-1 2/-2 \\\n 3/-3\nf 1 2 3\n";

    #[test]
    fn faces_have_the_names_of_the_lines_before_them() {
        let parts = ObjParts::load(TEXT.as_bytes(), "head.obj").unwrap();
        assert_eq!(parts.triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 2], [0, 1, 2]]);
        assert_eq!(parts.names(), ["head", "scalp", "skin", "top"]);
        assert_eq!(parts.set_of, [0, 0, 1, 1]);
        assert_eq!(parts.sets[0], ["scalp", "top", "head"]);
        assert_eq!(parts.sets[1], ["head", "skin"]);
    }

    #[test]
    fn corners_have_texture_coordinates_of_their_own() {
        let parts = ObjParts::load(TEXT.as_bytes(), "head.obj").unwrap();
        assert_eq!(parts.uvs[1], Some([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]));
        // The same vertices once more, with others.
        assert_eq!(parts.uvs[2], Some([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]));
        assert_eq!(parts.uvs[3], None);
    }

    #[test]
    fn what_is_wrong_is_said_as_of_any_mesh() {
        let wrong = ObjParts::load(b"v 0 0 0\nf 1 2 3\n", "a.obj").unwrap_err().to_string();
        assert!(wrong.contains("a.obj:2"), "{wrong}");
    }
}
