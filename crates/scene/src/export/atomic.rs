//! Files that appear whole or not at all: write beside, fsync, rename.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Writes a file through `fill`. If anything fails, what was there before is
/// still there and nothing else is left.
pub fn write_file(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let mut file = AtomicFile::create(path)?;
    file.write(|out| fill(out))?;
    file.commit()
}

/// A file in the making, as a temporary beside its place. Dropping it removes
/// the temporary.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    out: BufWriter<NamedTempFile>,
}

impl AtomicFile {
    /// Starts the file at `path`, whose folder must exist.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let fail = |error| WriteError::new(path, error);
        if path.is_dir() {
            return Err(fail(io::Error::new(ErrorKind::IsADirectory, "it is a folder")));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".tkanina-").suffix(".tmp");
        // Temporaries are private by default, but this one will be the file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder(path)).map_err(fail)?;
        Ok(Self { path: path.to_owned(), out: BufWriter::with_capacity(1 << 16, file) })
    }

    /// Writes a part of it.
    pub fn write(
        &mut self,
        fill: impl FnOnce(&mut BufWriter<NamedTempFile>) -> io::Result<()>,
    ) -> Result<(), WriteError> {
        fill(&mut self.out).map_err(|error| WriteError::new(&self.path, error))
    }

    /// Makes sure that it is on the disk, then lets it appear.
    pub fn commit(self) -> Result<(), WriteError> {
        let Self { path, out } = self;
        let fail = |error| WriteError::new(&path, error);
        let file = out.into_inner().map_err(|error| fail(error.into_error()))?;
        file.as_file().sync_all().map_err(fail)?;
        file.persist(&path).map_err(|error| fail(error.error))?;
        // The file is whole by now; that its name lasts is the system's part,
        // and not every file system can be asked for it.
        #[cfg(unix)]
        let _ = File::open(folder(&path)).and_then(|dir| dir.sync_all());
        Ok(())
    }
}

/// A file could not be written.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("`{}` cannot be written: {error}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    #[source]
    pub error: io::Error,
    /// How to mend it.
    #[help]
    pub help: String,
}

impl WriteError {
    /// The error with a remedy for its kind.
    pub fn new(path: &Path, error: io::Error) -> Self {
        let help = match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                "free some space, or choose another place; files written before are whole"
            }
            ErrorKind::FileTooLarge => {
                "raise the limit on file sizes, or choose another place; files written before \
                 are whole"
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                "choose a folder that you may write to"
            }
            ErrorKind::NotFound => "make the folder first, or choose one that exists",
            ErrorKind::IsADirectory => "choose another file name",
            _ => "choose another place to write to",
        };
        Self { path: path.to_owned(), error, help: help.to_owned() }
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(dir: &Path) -> usize {
        std::fs::read_dir(dir).unwrap().count()
    }

    #[test]
    fn failing_midway_keeps_what_was_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        write_file(&path, |out| out.write_all(b"old")).unwrap();
        let full = |out: &mut dyn Write| {
            out.write_all(&[b'x'; 100_000])?;
            Err(io::Error::from(ErrorKind::StorageFull))
        };
        let error = write_file(&path, full).unwrap_err();
        assert!(error.help.contains("free some space") && error.to_string().contains("a.txt"));
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(files(dir.path()), 1);
        write_file(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn places_that_cannot_be_written() {
        let dir = tempfile::tempdir().unwrap();
        let error = write_file(&dir.path().join("no/such"), |_| Ok(())).unwrap_err();
        assert!(error.help.contains("make the folder"));
        let error = write_file(dir.path(), |_| Ok(())).unwrap_err();
        assert!(error.help.contains("another file name"));
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_it_as_the_user_allows() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let (ours, plain) = (dir.path().join("ours"), dir.path().join("plain"));
        write_file(&ours, |_| Ok(())).unwrap();
        std::fs::write(&plain, "").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn really_full_disk() {
        let error =
            std::fs::write("/dev/full", "x").map_err(|e| WriteError::new(Path::new("x"), e));
        assert!(error.unwrap_err().help.contains("free some space"));
    }
}
