//! Paths in a scene: relative, inside its folder, to files of a sane size.

use std::path::{Component, Path, PathBuf};

use super::Check;
use crate::node::Step;

/// Largest file that a scene may refer to. [bytes]
pub const MAX_FILE_BYTES: u64 = 256 << 20;
/// Largest picture file that a scene may refer to; more than any texture needs. [bytes]
pub const MAX_PICTURE_BYTES: u64 = 64 << 20;
/// What the name of a picture ends in.
const PICTURE_ENDINGS: &[&str] = &["png", "jpg", "jpeg"];

/// The file that `file`, written in a scene of folder `dir`, names; or what is
/// wrong with it. Links are followed before it is decided that it lies inside.
pub fn resolve(dir: Option<&Path>, file: &str) -> Result<PathBuf, String> {
    let path = located(dir, file)?;
    let meta = path.metadata().map_err(|error| unreadable(file, &error))?;
    if !meta.is_file() {
        return Err(format!("`{file}` is not a file"));
    }
    if meta.len() > MAX_FILE_BYTES {
        let bytes = meta.len();
        return Err(format!("`{file}` has {bytes} bytes; a file may have {MAX_FILE_BYTES}"));
    }
    Ok(path)
}

fn unreadable(file: &str, error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => format!("there is no file `{file}` in the scene's folder"),
        _ => format!("`{file}` cannot be read: {error}"),
    }
}

/// The file or folder that `file` names, if it lies inside.
fn located(dir: Option<&Path>, file: &str) -> Result<PathBuf, String> {
    let relative = Path::new(file);
    // Also Windows' own absolute paths and separators, wherever this runs.
    let drive = file.as_bytes().get(1) == Some(&b':');
    if relative.is_absolute() || drive || file.starts_with(['/', '\\']) {
        return Err("must be relative to the scene file, not absolute".to_owned());
    }
    let parent = |part: &str| part == "..";
    if relative.components().any(|c| c == Component::ParentDir) || file.split('\\').any(parent) {
        return Err("must not leave the scene's folder by `..`".to_owned());
    }
    let Some(dir) = dir else {
        return Err("a built-in scene has no folder to look in".to_owned());
    };
    let root = dir.canonicalize().map_err(|error| unreadable(file, &error))?;
    let path = root.join(relative).canonicalize().map_err(|error| unreadable(file, &error))?;
    if !path.starts_with(&root) {
        return Err(format!("`{file}` is a link out of the scene's folder"));
    }
    Ok(path)
}

/// Most files that one pattern may stand for.
const MAX_MATCHES: usize = 100_000;

/// The files, as a scene would name them, that `pattern` stands for: itself, or with a `*` in
/// its last part all that fit, in the order of the numbers that the `*` stands for.
pub fn matching(dir: Option<&Path>, pattern: &str) -> Result<Vec<String>, String> {
    let Some((before, after)) = pattern.split_once('*') else {
        return resolve(dir, pattern).map(|_| vec![pattern.to_owned()]);
    };
    if after.contains(['*', '/', '\\']) {
        return Err("may have one `*`, in the name of the file".to_owned());
    }
    let (folder, begin) = before.rsplit_once('/').unwrap_or(("", before));
    let none = || format!("there is no file `{pattern}` in the scene's folder");
    let place = located(dir, if folder.is_empty() { "." } else { folder })?;
    let entries = std::fs::read_dir(place).map_err(|_| none())?;
    let mut found: Vec<(Option<u64>, String)> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| {
            let number = name.strip_prefix(begin)?.strip_suffix(after)?.parse().ok();
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            Some((number, path))
        })
        .take(MAX_MATCHES + 1)
        .collect();
    found.sort();
    match found.len() {
        0 => Err(none()),
        count if count > MAX_MATCHES => Err(format!("stands for more than {MAX_MATCHES} files")),
        _ => {
            let files: Vec<String> = found.into_iter().map(|(_, path)| path).collect();
            files.iter().try_for_each(|file| resolve(dir, file).map(|_| ()))?;
            Ok(files)
        }
    }
}

impl Check<'_> {
    pub(super) fn file(&mut self, path: &[Step], file: &str) {
        if let Err(message) = resolve(self.dir, file) {
            let help = "put the file beside the scene and name it relative to it".to_owned();
            self.report(path, message, Some(help));
        }
    }

    /// A picture: a file whose name and size are those of one.
    pub(super) fn picture(&mut self, path: &[Step], file: &str) {
        let resolved = match resolve(self.dir, file) {
            Ok(resolved) => resolved,
            Err(_) => return self.file(path, file),
        };
        let ending = resolved.extension().map(|e| e.to_string_lossy().to_lowercase());
        if !ending.is_some_and(|ending| PICTURE_ENDINGS.contains(&ending.as_str())) {
            let message = format!("`{file}` does not end in .png, .jpg or .jpeg");
            self.report(path, message, Some("save the picture as PNG or JPEG".to_owned()));
        }
        let bytes = resolved.metadata().map_or(0, |meta| meta.len());
        if bytes > MAX_PICTURE_BYTES {
            let message =
                format!("`{file}` has {bytes} bytes; a picture may have {MAX_PICTURE_BYTES}");
            self.report(path, message, Some("make the picture smaller".to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_folder() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("scenes");
        std::fs::create_dir_all(dir.join("sub")).unwrap();
        std::fs::write(dir.join("sub/in.obj"), "v 0 0 0").unwrap();
        std::fs::write(root.path().join("out.obj"), "v 0 0 0").unwrap();
        let refused = |file: &str| resolve(Some(&dir), file).expect_err(file);
        assert!(resolve(Some(&dir), "sub/in.obj").is_ok());
        assert!(refused("../out.obj").contains(".."));
        assert!(refused("sub/../../out.obj").contains(".."));
        assert!(refused("..\\out.obj").contains(".."));
        assert!(refused("/etc/hosts").contains("absolute"));
        assert!(refused("C:\\x.obj").contains("absolute"));
        assert!(refused("sub").contains("not a file"));
        assert!(refused("none.obj").contains("no file"));
        assert!(refused("a\0b").contains("cannot be read"));
        assert!(resolve(None, "in.obj").is_err());
        for n in [2, 10, 1] {
            std::fs::write(dir.join(format!("sub/f{n}.obj")), "").unwrap();
        }
        let files = matching(Some(&dir), "sub/f*.obj").unwrap();
        assert_eq!(files, ["sub/f1.obj", "sub/f2.obj", "sub/f10.obj"]);
        assert_eq!(matching(Some(&dir), "sub/in.obj").unwrap(), ["sub/in.obj"]);
        for (pattern, wanted) in [
            ("sub/g*.obj", "no file"),
            ("gone/f*.obj", "no file"),
            ("../*.obj", ".."),
            ("/etc/*.conf", "absolute"),
            ("s*/f*.obj", "one `*`"),
            ("*", "not a file"),
        ] {
            let message = matching(Some(&dir), pattern).expect_err(pattern);
            assert!(message.contains(wanted), "{pattern}: {message}");
        }
        assert!(matching(None, "*.obj").is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(root.path().join("out.obj"), dir.join("link.obj")).unwrap();
            assert!(refused("link.obj").contains("link out"));
            std::os::unix::fs::symlink(root.path(), dir.join("up")).unwrap();
            assert!(refused("up/out.obj").contains("link out"));
            std::os::unix::fs::symlink("sub/in.obj", dir.join("fine.obj")).unwrap();
            assert!(resolve(Some(&dir), "fine.obj").is_ok());
        }
    }
}
