//! Frames out: OBJ, PLY or PC2 files of plain views of bodies.

pub mod atomic;
mod names;
mod obj;
mod pc2;
mod ply;

pub use obj::write_obj;
pub use pc2::Pc2Writer;
pub use ply::write_ply;

use std::path::{Path, PathBuf};

use glam::Vec3;

use atomic::{WriteError, write_file};

/// What a frame shows: its bodies, in an order that never changes.
#[derive(Clone, Copy, Debug)]
pub struct FrameView<'a> {
    /// The bodies.
    pub bodies: &'a [BodyView<'a>],
}

/// One body of a frame.
#[derive(Clone, Copy, Debug)]
pub struct BodyView<'a> {
    /// Its name in the scene.
    pub name: &'a str,
    /// Its vertices. [m]
    pub positions: &'a [Vec3],
    /// Its faces, by numbers of vertices from 0.
    pub faces: Faces<'a>,
    /// Texture coordinates by vertex.
    pub uvs: Option<&'a [[f32; 2]]>,
    /// Unit normals by vertex.
    pub normals: Option<&'a [Vec3]>,
}

/// Faces of one size, or none: curves.
#[derive(Clone, Copy, Debug)]
pub enum Faces<'a> {
    /// Curves that follow each other, by how many vertices each has.
    Curves(&'a [u32]),
    /// Three corners each.
    Triangles(&'a [[u32; 3]]),
    /// Four corners each.
    Quads(&'a [[u32; 4]]),
}

impl<'a> Faces<'a> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Triangles(faces) => faces.len(),
            Self::Quads(faces) => faces.len(),
            Self::Curves(_) => 0,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Vertices of each curve.
    pub fn curves(&self) -> impl Iterator<Item = std::ops::Range<u32>> + use<'a> {
        let counts: &'a [u32] = if let Self::Curves(counts) = *self { counts } else { &[] };
        let ends = counts.iter().scan(0, |end, count| {
            *end += count;
            Some(*end - count..*end)
        });
        ends.filter(|curve| !curve.is_empty())
    }

    /// The corners of each.
    pub fn iter(&self) -> impl Iterator<Item = &'a [u32]> + use<'a> {
        let (triangles, quads): (&'a [[u32; 3]], &'a [[u32; 4]]) = match *self {
            Self::Triangles(faces) => (faces, &[]),
            Self::Quads(faces) => (&[], faces),
            Self::Curves(_) => (&[], &[]),
        };
        let triangles = triangles.iter().map(|face| face.as_slice());
        triangles.chain(quads.iter().map(|face| face.as_slice()))
    }
}

/// Why a frame could not be exported.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ExportError {
    /// The file could not be written.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Write(#[from] WriteError),
    /// The frame does not fit together, or does not fit the frames before.
    #[error("body `{body}` cannot be exported: {reason}")]
    Body {
        /// The body.
        body: String,
        /// What does not fit.
        reason: String,
    },
}

/// A format that [`Exporter`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// `frame_000000.obj`…: a file a frame, every body a named object.
    Obj,
    /// `frame_000000.ply`…: a file a frame, all bodies in it.
    Ply,
    /// `BODY.pc2` with all frames, and `BODY.obj` with its first.
    Pc2,
}

/// Writes frame after frame into a folder.
#[derive(Debug)]
pub struct Exporter {
    dir: PathBuf,
    format: ExportFormat,
    every: u32,
    caches: Vec<Pc2Writer>,
}

impl Exporter {
    /// Writes into `dir`, which is made. `every` is how many frames of the
    /// simulation lie between two that come here; PC2 files say so.
    pub fn new(format: ExportFormat, dir: &Path, every: u32) -> Result<Self, ExportError> {
        std::fs::create_dir_all(dir).map_err(|error| WriteError::new(dir, error))?;
        Ok(Self { dir: dir.to_owned(), format, every, caches: Vec::new() })
    }

    /// Writes frame `index`; it is on the disk, or nothing of it is. PC2 files
    /// appear at [`Exporter::finish`].
    pub fn frame(&mut self, index: u64, frame: &FrameView<'_>) -> Result<(), ExportError> {
        frame.bodies.iter().try_for_each(check)?;
        match self.format {
            ExportFormat::Obj => {
                let path = self.dir.join(format!("frame_{index:06}.obj"));
                write_file(&path, |out| write_obj(out, frame))?;
            }
            ExportFormat::Ply => {
                let path = self.dir.join(format!("frame_{index:06}.ply"));
                write_file(&path, |out| write_ply(out, frame))?;
            }
            ExportFormat::Pc2 => {
                if self.caches.is_empty() {
                    self.start_caches(index, frame)?;
                }
                pc2::check_same_bodies(&self.caches, frame)?;
                for (cache, body) in self.caches.iter_mut().zip(frame.bodies) {
                    cache.frame(body.positions)?;
                }
            }
        }
        Ok(())
    }

    /// Completes what spans frames. Without it nothing of that remains.
    pub fn finish(self) -> Result<(), ExportError> {
        self.caches.into_iter().try_for_each(Pc2Writer::finish)
    }

    fn start_caches(&mut self, index: u64, frame: &FrameView<'_>) -> Result<(), ExportError> {
        for (stem, body) in names::file_stems(frame).iter().zip(frame.bodies) {
            let rest = self.dir.join(format!("{stem}.obj"));
            write_file(&rest, |out| write_obj(out, &FrameView { bodies: &[*body] }))?;
            let path = self.dir.join(format!("{stem}.pc2"));
            let (start, rate) = (index as f32, self.every as f32);
            self.caches.push(Pc2Writer::create(&path, body, start, rate)?);
        }
        Ok(())
    }
}

/// A body must fit together: a wrong file is worse than none.
fn check(body: &BodyView<'_>) -> Result<(), ExportError> {
    let wrong = |reason: String| Err(ExportError::Body { body: body.name.to_owned(), reason });
    let count = body.positions.len();
    if let Some(uvs) = body.uvs.filter(|uvs| uvs.len() != count) {
        return wrong(format!("{count} vertices but {} texture coordinates", uvs.len()));
    }
    if let Some(normals) = body.normals.filter(|normals| normals.len() != count) {
        return wrong(format!("{count} vertices but {} normals", normals.len()));
    }
    if let Some(index) = body.positions.iter().position(|position| !position.is_finite()) {
        return wrong(format!("vertex {index} is not finite"));
    }
    let outside = body.faces.iter().flatten().find(|corner| **corner as usize >= count);
    let beyond = body.faces.curves().find(|curve| curve.end as usize > count);
    match outside {
        Some(corner) => wrong(format!("a face uses vertex {corner} of {count}")),
        None if beyond.is_some() => wrong(format!("curves use more than {count} vertices")),
        None => Ok(()),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub const QUAD: [Vec3; 4] =
        [Vec3::new(0.1, 0.0, -0.0), Vec3::X, Vec3::new(1.0, 1.0, 1e-7), Vec3::Y];

    /// A square with everything, and a triangle with the least.
    pub fn bodies<'a>() -> [BodyView<'a>; 2] {
        let (uvs, normals) = (&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], &[Vec3::Z; 4]);
        let quads = Faces::Quads(&[[0, 1, 2, 3]]);
        let triangles = Faces::Triangles(&[[0, 1, 2]]);
        [
            BodyView {
                name: "my sheet",
                positions: &QUAD,
                faces: quads,
                uvs: Some(uvs),
                normals: Some(normals),
            },
            BodyView {
                name: "b",
                positions: &QUAD[1..],
                faces: triangles,
                uvs: None,
                normals: None,
            },
        ]
    }

    #[test]
    fn bodies_that_do_not_fit_together_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let mut exporter = Exporter::new(ExportFormat::Obj, dir.path(), 1).unwrap();
        let mut refuse = |change: fn(&mut BodyView<'static>), wanted: &str| {
            let mut bodies = bodies();
            change(&mut bodies[0]);
            let error = exporter.frame(0, &FrameView { bodies: &bodies }).unwrap_err();
            assert!(error.to_string().contains(wanted), "{error}");
        };
        refuse(|body| body.uvs = Some(&[[0.0; 2]]), "4 vertices but 1 texture");
        refuse(|body| body.normals = Some(&[]), "0 normals");
        refuse(|body| body.faces = Faces::Triangles(&[[0, 1, 4]]), "uses vertex 4 of 4");
        refuse(|body| body.faces = Faces::Curves(&[2, 3]), "more than 4 vertices");
        refuse(|body| body.positions = &[Vec3::NAN; 4], "vertex 0 is not finite");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
