//! PC2 point caches: all frames of one body in one file.

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use glam::Vec3;

use super::atomic::AtomicFile;
use super::{BodyView, ExportError, FrameView};

/// Where the number of samples stands in the header.
const SAMPLES_AT: u64 = 28;

/// Writes one point cache, sample by sample, to a temporary beside it; the
/// cache appears at [`Pc2Writer::finish`].
#[derive(Debug)]
pub struct Pc2Writer {
    file: AtomicFile,
    body: String,
    points: usize,
    samples: u32,
}

impl Pc2Writer {
    /// Starts the cache of `body`. `start` is the number of its first frame
    /// and `rate` how many frames lie between samples.
    pub fn create(
        path: &Path,
        body: &BodyView<'_>,
        start: f32,
        rate: f32,
    ) -> Result<Self, ExportError> {
        let points = body.positions.len();
        let mut file = AtomicFile::create(path)?;
        file.write(|out| {
            out.write_all(b"POINTCACHE2\0")?;
            out.write_all(&1_i32.to_le_bytes())?;
            out.write_all(&(points as i32).to_le_bytes())?;
            out.write_all(&start.to_le_bytes())?;
            out.write_all(&rate.to_le_bytes())?;
            out.write_all(&0_i32.to_le_bytes())
        })?;
        Ok(Self { file, body: body.name.to_owned(), points, samples: 0 })
    }

    /// Adds a sample.
    pub fn frame(&mut self, positions: &[Vec3]) -> Result<(), ExportError> {
        if positions.len() != self.points {
            let (body, points) = (self.body.clone(), self.points);
            let reason =
                format!("a point cache of {points} points cannot take {}", positions.len());
            return Err(ExportError::Body { body, reason });
        }
        self.file.write(|out| {
            let mut coordinates = positions.iter().flat_map(|point| point.to_array());
            coordinates.try_for_each(|number| out.write_all(&number.to_le_bytes()))
        })?;
        self.samples += 1;
        Ok(())
    }

    /// Writes the number of samples and lets the file appear.
    pub fn finish(mut self) -> Result<(), ExportError> {
        let samples = self.samples as i32;
        self.file.write(|out| {
            out.seek(SeekFrom::Start(SAMPLES_AT))?;
            out.write_all(&samples.to_le_bytes())
        })?;
        Ok(self.file.commit()?)
    }
}

/// The bodies must be those that the caches were started with.
pub fn check_same_bodies(caches: &[Pc2Writer], frame: &FrameView<'_>) -> Result<(), ExportError> {
    let same = caches.len() == frame.bodies.len()
        && caches.iter().zip(frame.bodies).all(|(cache, body)| cache.body == body.name);
    if same {
        return Ok(());
    }
    let body = frame.bodies.first().map_or("", |body| body.name).to_owned();
    let reason = "point caches need the same bodies in every frame".to_owned();
    Err(ExportError::Body { body, reason })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{QUAD, bodies};
    use super::super::{ExportFormat, Exporter};
    use super::*;

    #[test]
    fn reads_back_and_appears_only_when_whole() {
        let dir = tempfile::tempdir().unwrap();
        let mut exporter = Exporter::new(ExportFormat::Pc2, dir.path(), 2).unwrap();
        let all = bodies();
        for index in [4, 6, 8] {
            exporter.frame(index, &FrameView { bodies: &all }).unwrap();
        }
        assert!(exporter.frame(10, &FrameView { bodies: &all[..1] }).is_err());
        let path = dir.path().join("my_sheet.pc2");
        assert!(!path.exists());
        exporter.finish().unwrap();
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(&bytes[..12], b"POINTCACHE2\0");
        let int = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let float = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((int(12), int(16), float(20), float(24), int(28)), (1, 4, 4.0, 2.0, 3));
        assert_eq!(bytes.len(), 32 + 3 * 4 * 12);
        for (index, point) in QUAD.iter().enumerate() {
            let at = 32 + 2 * 48 + index * 12;
            assert_eq!([float(at), float(at + 4), float(at + 8)], point.to_array());
        }
        let rest = crate::mesh_io::load_obj_file(&dir.path().join("my_sheet.obj")).unwrap();
        assert_eq!(rest.positions.len(), 4);
        let mut names: Vec<_> = std::fs::read_dir(dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["b.obj", "b.pc2", "my_sheet.obj", "my_sheet.pc2"]);
    }

    #[test]
    fn unfinished_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.pc2");
        let mut writer = Pc2Writer::create(&path, &bodies()[0], 0.0, 1.0).unwrap();
        writer.frame(&QUAD).unwrap();
        assert!(writer.frame(&QUAD[1..]).is_err());
        drop(writer);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
