//! Wavefront OBJ: `v`, `vt` and `f`; whatever else there is does not matter here.

use std::io::Read;
use std::path::Path;

use super::obj_statements::{statements, word_and_rest};
use super::{MeshData, MeshError};

/// Largest mesh file that is read. [bytes]
pub const MAX_MESH_BYTES: u64 = 256 << 20;
/// Most vertices of a mesh.
pub const MAX_VERTICES: u64 = 4_000_000;
/// Most faces of a mesh.
pub const MAX_FACES: u64 = 8_000_000;
/// Most corners of one face; larger ones are broken files.
const MAX_CORNERS: usize = 1024;

const NUMBERS: &str = "write numbers as 0.125 or 1.25e-1, three for a vertex";
const FINITE: &str = "give the vertex a place in the modelling program and export the mesh anew";
const TWICE: &str = "take the doubled corner out of the line, or merge vertices by distance and export the mesh anew";
const FACES: &str = "write faces as `f 1 2 3` or `f 1/1 2/2 3/3`";

/// Reads an OBJ file, refusing it by its length before it is read.
pub fn load_obj_file(path: &Path) -> Result<MeshData, MeshError> {
    load_obj(&read_budgeted(path)?, &path.display().to_string())
}

/// All of a file, refused by its length before it is read.
pub(super) fn read_budgeted(path: &Path) -> Result<Vec<u8>, MeshError> {
    let unreadable = |error| MeshError::Unreadable { path: path.to_owned(), error };
    let name = path.display().to_string();
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let found = file.metadata().map_err(unreadable)?.len();
    if found > MAX_MESH_BYTES {
        return Err(MeshError::TooLarge { name, what: "bytes", found, limit: MAX_MESH_BYTES });
    }
    // A pipe or device tells no length: read no more than the budget from it.
    let mut bytes = Vec::new();
    file.take(MAX_MESH_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

/// Reads OBJ text. `name` stands for it in messages.
pub fn load_obj(bytes: &[u8], name: &str) -> Result<MeshData, MeshError> {
    let found = bytes.len() as u64;
    if found > MAX_MESH_BYTES {
        let (name, limit) = (name.to_owned(), MAX_MESH_BYTES);
        return Err(MeshError::TooLarge { name, what: "bytes", found, limit });
    }
    let mut reader = Reader { name, line: 0, ..Reader::default() };
    for (line, statement) in statements(bytes) {
        reader.line = line;
        reader.statement(&statement)?;
    }
    reader.finish()
}

#[derive(Default)]
struct Reader<'a> {
    name: &'a str,
    line: usize,
    mesh: MeshData,
    texture: Vec<[f32; 2]>,
    /// Texture coordinates by vertex, once a face gives one.
    uvs: Vec<Option<u32>>,
    missing_uv: bool,
    corners: Vec<u32>,
}

impl Reader<'_> {
    fn statement(&mut self, statement: &[u8]) -> Result<(), MeshError> {
        let (word, rest) = word_and_rest(statement);
        // Only now must it be text: names of groups and materials need not be.
        match word {
            b"v" => {
                let position = self.numbers::<3>(rest, 3)?;
                self.mesh.positions.push(position);
                self.budget("vertices", self.mesh.positions.len(), MAX_VERTICES)
            }
            b"vt" => {
                let [u, v] = self.numbers::<2>(rest, 1)?;
                self.texture.push([u, v]);
                // A corner may have its own; four a vertex is a quad mesh cut apart.
                self.budget("texture coordinates", self.texture.len(), 4 * MAX_VERTICES)
            }
            b"f" => self.face(rest),
            _ => Ok(()),
        }
    }

    /// The first `N` numbers of a statement, of which `least` must be there.
    fn numbers<const N: usize>(&self, rest: &[u8], least: usize) -> Result<[f32; N], MeshError> {
        let text = self.text(rest)?;
        let mut numbers = [0.0; N];
        let mut count = 0;
        for (slot, word) in numbers.iter_mut().zip(text.split_ascii_whitespace()) {
            *slot = word
                .parse::<f32>()
                .map_err(|_| self.wrong(format!("`{word}` is no number"), NUMBERS))?;
            if !slot.is_finite() {
                let message = format!("the coordinate `{word}` is not finite");
                return Err(self.wrong(message, FINITE));
            }
            count += 1;
        }
        if count < least {
            return Err(self.wrong(format!("needs {least} numbers, but has {count}"), NUMBERS));
        }
        Ok(numbers)
    }

    fn face(&mut self, rest: &[u8]) -> Result<(), MeshError> {
        let text = self.text(rest)?;
        self.corners.clear();
        for word in text.split_ascii_whitespace() {
            let mut parts = word.split('/');
            let vertex = parts.next().unwrap_or("");
            let vertex = self.index(vertex, self.mesh.positions.len(), "vertex")?;
            if self.corners.contains(&vertex) {
                return Err(self.wrong(format!("the face has vertex {} twice", vertex + 1), TWICE));
            }
            if self.corners.len() >= MAX_CORNERS {
                let message = format!("the face has more than {MAX_CORNERS} corners");
                return Err(self.wrong(message, "triangulate the mesh and export it anew"));
            }
            match parts.next() {
                Some(uv) if !uv.is_empty() => {
                    let uv = self.index(uv, self.texture.len(), "texture coordinate")?;
                    self.uvs.resize(self.mesh.positions.len(), None);
                    self.uvs[vertex as usize].get_or_insert(uv);
                }
                _ => self.missing_uv = true,
            }
            self.corners.push(vertex);
        }
        if self.corners.len() < 3 {
            let message = format!("a face needs 3 corners, but has {}", self.corners.len());
            return Err(
                self.wrong(message, "leave the line out; edges are lines starting with `l`")
            );
        }
        self.mesh.faces.push(&self.corners);
        self.budget("faces", self.mesh.faces.len(), MAX_FACES)
    }

    /// An index from 1, or counted backward from -1, as one from 0.
    fn index(&self, word: &str, count: usize, what: &str) -> Result<u32, MeshError> {
        let number: i64 =
            word.parse().map_err(|_| self.wrong(format!("`{word}` is no {what} number"), FACES))?;
        let from_zero = match number {
            1.. => number - 1,
            0 => {
                let message = format!("{what} 0 does not exist: they count from 1");
                return Err(self.wrong(message, "add 1 to all numbers of faces"));
            }
            _ => count as i64 + number,
        };
        if (0..count as i64).contains(&from_zero) {
            return Ok(from_zero as u32);
        }
        Err(MeshError::Line {
            name: self.name.to_owned(),
            line: self.line,
            message: format!("{what} {number} does not exist: there are {count} so far"),
            help: Some("what a face uses must stand before it in the file".to_owned()),
        })
    }

    fn text<'t>(&self, bytes: &'t [u8]) -> Result<&'t str, MeshError> {
        std::str::from_utf8(bytes)
            .map_err(|_| self.wrong("this is not text".to_owned(), "export the mesh anew"))
    }

    fn budget(&self, what: &'static str, found: usize, limit: u64) -> Result<(), MeshError> {
        let (name, found) = (self.name.to_owned(), found as u64);
        if found > limit { Err(MeshError::TooLarge { name, what, found, limit }) } else { Ok(()) }
    }

    fn wrong(&self, message: String, help: &str) -> MeshError {
        let (name, help) = (self.name.to_owned(), Some(help.to_owned()));
        MeshError::Line { name, line: self.line, message, help }
    }

    fn finish(mut self) -> Result<MeshData, MeshError> {
        if self.mesh.faces.is_empty() {
            let vertices = self.mesh.positions.len();
            return Err(MeshError::NoFaces { name: self.name.to_owned(), vertices });
        }
        if !self.missing_uv {
            let uv = |index: Option<u32>| index.map_or([0.0; 2], |i| self.texture[i as usize]);
            self.uvs.resize(self.mesh.positions.len(), None);
            self.mesh.uvs = Some(self.uvs.iter().map(|index| uv(*index)).collect());
        }
        Ok(self.mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

    fn read(faces: &str) -> Result<MeshData, MeshError> {
        load_obj(format!("{SQUARE}{faces}").as_bytes(), "square.obj")
    }

    #[test]
    fn quads_triangles_and_counting_backward() {
        let mesh = read("f 1 2 3 4\nf -4 -3 -2\n").unwrap();
        assert_eq!(mesh.faces.iter().collect::<Vec<_>>(), [&[0, 1, 2, 3][..], &[0, 1, 2]]);
        let triangles: Vec<_> = mesh.faces.triangles().collect();
        assert_eq!(triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 2]]);
        assert_eq!(mesh.positions[2], [1.0, 1.0, 0.0]);
        assert_eq!(mesh.uvs, None);
    }

    #[test]
    fn texture_coordinates_follow_vertices() {
        let mesh = read("vt 0 0\nvt 0.5 1\n# note\nf 1/2/9 2/1 3/1/ 4/2\n").unwrap();
        assert_eq!(mesh.uvs.unwrap(), [[0.5, 1.0], [0.0, 0.0], [0.0, 0.0], [0.5, 1.0]]);
    }

    #[test]
    fn odd_but_right_files() {
        let windows = format!("{SQUARE}f 1 2 \\\r\n 3\r\n").replace("\nv", "\r\nv");
        assert_eq!(load_obj(windows.as_bytes(), "w").unwrap().faces.len(), 1);
        let mut latin = b"usemtl \xe9\xe8\no \xff\n".to_vec();
        latin.extend_from_slice(SQUARE.as_bytes());
        latin.extend_from_slice(b"f 1//1 2//1 3//1 # \xe9\nl 1 2\n\\");
        assert_eq!(load_obj(&latin, "l").unwrap().positions.len(), 4);
    }

    #[test]
    fn wrong_files_say_which_line() {
        for (faces, wanted) in [
            ("f 0 1 2\n", "square.obj:5: vertex 0 does not exist: they count from 1"),
            ("f 1 2 9\n", "square.obj:5: vertex 9 does not exist: there are 4 so far"),
            ("f 1 2 -5\n", "vertex -5 does not exist"),
            ("f 1/1 2 3\n", "texture coordinate 1 does not exist: there are 0"),
            ("f 1 2\n", "needs 3 corners, but has 2"),
            ("f 1 2 1\n", "vertex 1 twice"),
            ("f 1 2 x\n", "`x` is no vertex number"),
            ("\nv nan 0 0\n", "square.obj:6: the coordinate `nan` is not finite"),
            ("v 1e39 0 0\n", "not finite"),
            ("v 1 2\n", "needs 3 numbers, but has 2"),
            ("v 1 2 three\n", "`three` is no number"),
            ("", "has no faces (4 vertices)"),
            ("f 1 2 99999999999999999999\n", "is no vertex number"),
        ] {
            let error = read(faces).expect_err(faces);
            let message = error.to_string();
            assert!(message.contains(wanted), "{message}");
            let help = miette::Diagnostic::help(&error).map(|help| help.to_string());
            assert!(help.is_some_and(|help| help.len() > 5), "{message}");
        }
    }

    #[test]
    fn huge_file_is_refused_by_its_length() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("huge.obj");
        std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert!(matches!(load_obj_file(&path), Err(MeshError::TooLarge { what: "bytes", .. })));
        assert!(matches!(load_obj_file(dir.path()), Err(MeshError::Unreadable { .. })));
    }

    #[test]
    fn truncated_anywhere_it_never_panics() {
        let text = format!("{SQUARE}vt 0 0\nf 1/1/1 2/1 3//2 -1/-1 \\\n");
        for end in 0..text.len() {
            let _ = load_obj(&text.as_bytes()[..end], "cut");
        }
    }
}
