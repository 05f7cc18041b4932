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

/// Why a file that a scene names cannot be used, and how to mend that.
#[derive(Debug)]
pub struct Refused {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
}

impl Refused {
    const ELSEWHERE: &str = "put the file beside the scene and name it relative to it";
    const LINK: &str = "put the file itself, not a link to it, into the scene's folder";
    const SIZE: &str = "thin out what the file holds, or split it into several files";
    const PICTURE_SIZE: &str = "make the picture smaller";

    fn elsewhere(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: Self::ELSEWHERE }
    }
}

/// The file that `file`, written in a scene of folder `dir`, names; or what is
/// wrong with it. Links are followed before it is decided that it lies inside.
pub fn resolve(dir: Option<&Path>, file: &str) -> Result<PathBuf, String> {
    usable(dir, file).map_err(|refused| refused.message)
}

/// The same with a remedy.
pub fn usable(dir: Option<&Path>, file: &str) -> Result<PathBuf, Refused> {
    within(dir, file, ("file", MAX_FILE_BYTES, Refused::SIZE))
}

/// The same for `what`, which may have so many bytes.
fn within(
    dir: Option<&Path>,
    file: &str,
    (what, limit, help): (&str, u64, &'static str),
) -> Result<PathBuf, Refused> {
    let path = located(dir, file)?;
    let meta = path.metadata().map_err(|error| unreadable(file, &error))?;
    if !meta.is_file() {
        return Err(Refused::elsewhere(format!("`{file}` is not a file")));
    }
    if meta.len() > limit {
        let (bytes, mebibytes) = (meta.len(), limit >> 20);
        let message =
            format!("`{file}` has {bytes} bytes; a {what} may have {limit} ({mebibytes} MiB)");
        return Err(Refused { message, help });
    }
    Ok(path)
}

fn unreadable(file: &str, error: &std::io::Error) -> Refused {
    Refused::elsewhere(match error.kind() {
        std::io::ErrorKind::NotFound => format!("there is no file `{file}` in the scene's folder"),
        _ => format!("`{file}` cannot be read: {error}"),
    })
}

/// The file or folder that `file` names, if it lies inside.
fn located(dir: Option<&Path>, file: &str) -> Result<PathBuf, Refused> {
    let relative = Path::new(file);
    // Also Windows' own absolute paths and separators, wherever this runs.
    let drive = file.as_bytes().get(1) == Some(&b':');
    if relative.is_absolute() || drive || file.starts_with(['/', '\\']) {
        return Err(Refused::elsewhere("must be relative to the scene file, not absolute"));
    }
    let parent = |part: &str| part == "..";
    if relative.components().any(|c| c == Component::ParentDir) || file.split('\\').any(parent) {
        return Err(Refused::elsewhere("must not leave the scene's folder by `..`"));
    }
    let Some(dir) = dir else {
        return Err(Refused::elsewhere("a built-in scene has no folder to look in"));
    };
    let root = dir.canonicalize().map_err(|error| unreadable(file, &error))?;
    let path = root.join(relative).canonicalize().map_err(|error| unreadable(file, &error))?;
    if !path.starts_with(&root) {
        let message = format!("`{file}` is a link out of the scene's folder");
        return Err(Refused { message, help: Refused::LINK });
    }
    Ok(path)
}

/// Most files that one pattern may stand for.
const MAX_MATCHES: usize = 100_000;

/// The files, as a scene would name them, that `pattern` stands for: itself, or with a `*` in
/// its last part all that fit, in the order of the numbers that the `*` stands for.
pub fn matching(dir: Option<&Path>, pattern: &str) -> Result<Vec<String>, Refused> {
    let Some((before, after)) = pattern.split_once('*') else {
        return usable(dir, pattern).map(|_| vec![pattern.to_owned()]);
    };
    if after.contains(['*', '/', '\\']) {
        let message = "may have one `*`, in the name of the file".to_owned();
        return Err(Refused { message, help: "name the files as `walk/*.obj`" });
    }
    let (folder, begin) = before.rsplit_once('/').unwrap_or(("", before));
    let none = || Refused::elsewhere(format!("there is no file `{pattern}` in the scene's folder"));
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
        count if count > MAX_MATCHES => Err(Refused {
            message: format!("stands for more than {MAX_MATCHES} files"),
            help: "use fewer frames, or name the files so that the `*` fits fewer",
        }),
        _ => {
            let files: Vec<String> = found.into_iter().map(|(_, path)| path).collect();
            files.iter().try_for_each(|file| usable(dir, file).map(|_| ()))?;
            Ok(files)
        }
    }
}

impl Check<'_> {
    pub(super) fn file(&mut self, path: &[Step], file: &str) {
        if let Err(Refused { message, help }) = usable(self.dir, file) {
            self.report(path, message, Some(help.to_owned()));
        }
    }

    /// A picture: a file whose name and size are those of one.
    pub(super) fn picture(&mut self, path: &[Step], file: &str) {
        let limit = ("picture", MAX_PICTURE_BYTES, Refused::PICTURE_SIZE);
        let resolved = match within(self.dir, file, limit) {
            Ok(resolved) => resolved,
            Err(Refused { message, help }) => return self.report(path, message, Some(help.into())),
        };
        let ending = resolved.extension().map(|e| e.to_string_lossy().to_lowercase());
        if !ending.is_some_and(|ending| PICTURE_ENDINGS.contains(&ending.as_str())) {
            let message = format!("`{file}` does not end in .png, .jpg or .jpeg");
            self.report(path, message, Some("save the picture as PNG or JPEG".to_owned()));
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
            let Refused { message, .. } = matching(Some(&dir), pattern).expect_err(pattern);
            assert!(message.contains(wanted), "{pattern}: {message}");
        }
        assert!(matching(None, "*.obj").is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(root.path().join("out.obj"), dir.join("link.obj")).unwrap();
            assert!(refused("link.obj").contains("link out"));
            let help = usable(Some(&dir), "link.obj").expect_err("link.obj").help;
            assert!(help.contains("not a link"), "{help}");
            std::os::unix::fs::symlink(root.path(), dir.join("up")).unwrap();
            assert!(refused("up/out.obj").contains("link out"));
            std::os::unix::fs::symlink("sub/in.obj", dir.join("fine.obj")).unwrap();
            assert!(resolve(Some(&dir), "fine.obj").is_ok());
        }
    }
    #[test]
    fn a_file_over_the_limit_is_to_be_thinned_out_not_moved() {
        let dir = tempfile::tempdir().unwrap();
        let big = std::fs::File::create(dir.path().join("big.obj")).unwrap();
        big.set_len(MAX_FILE_BYTES + 1).unwrap();
        let refused = usable(Some(dir.path()), "big.obj").unwrap_err();
        assert!(refused.message.contains("has 268435457 bytes"), "{}", refused.message);
        assert!(refused.message.contains("(256 MiB)"), "{}", refused.message);
        assert!(refused.help.contains("thin out") && refused.help.contains("split"));
        let refused = matching(Some(dir.path()), "b*.obj").unwrap_err();
        assert!(refused.help.contains("thin out"));
        big.set_len(MAX_FILE_BYTES).unwrap();
        assert!(usable(Some(dir.path()), "big.obj").is_ok());
    }
}
