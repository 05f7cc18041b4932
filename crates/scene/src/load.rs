//! Opening a scene: read, set, validate, check.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::errors::SceneError;
use crate::node::{self, MAX_BYTES, Node};
use crate::problem::{MAX_PROBLEMS, Problem, did_you_mean};
use crate::schema::{Scene, json_schema};
use crate::source::Sources;
use crate::{builtin, check, set, validate};

/// A scene that was found right, with what it came from.
#[derive(Clone, Debug)]
pub struct LoadedScene {
    /// The scene.
    pub scene: Scene,
    /// The same with places, after every `--set`.
    pub tree: Node,
    /// The texts that the places are in.
    pub sources: Sources,
    /// Folder that paths in the scene are relative to; none for a built-in.
    pub dir: Option<PathBuf>,
}

/// A field of a scene replaced from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// What stands for it in messages, such as `--solver`.
    pub label: String,
    /// `PATH=VALUE`, as `--set` takes it.
    pub argument: String,
}

impl Override {
    /// Each `--set` argument, by its number.
    pub fn of_sets(sets: &[String]) -> Vec<Self> {
        let label = |index| format!("--set {}", index + 1);
        let numbered = sets.iter().enumerate();
        numbered.map(|(i, set)| Self { label: label(i), argument: set.clone() }).collect()
    }
}

impl Scene {
    /// Opens a path, or a built-in scene by name, with `--set` arguments
    /// applied.
    pub fn open(name: &str, sets: &[String]) -> Result<LoadedScene, SceneError> {
        Self::open_overridden(name, &Override::of_sets(sets))
    }

    /// Opens a path, or a built-in scene by name, with overrides applied in
    /// their order. A folder does not hide the built-in scene of its name.
    pub fn open_overridden(name: &str, overrides: &[Override]) -> Result<LoadedScene, SceneError> {
        let path = Path::new(name);
        match builtin::find(name) {
            Some(text) if !path.exists() || path.is_dir() => {
                Self::load_overridden(name, text, None, overrides)
            }
            _ => Self::load_file(path, overrides),
        }
    }

    /// Opens a scene file.
    pub fn load(path: &Path, sets: &[String]) -> Result<LoadedScene, SceneError> {
        Self::load_file(path, &Override::of_sets(sets))
    }

    fn load_file(path: &Path, overrides: &[Override]) -> Result<LoadedScene, SceneError> {
        let text = read_text(path)?;
        let dir = match path.parent() {
            Some(dir) if !dir.as_os_str().is_empty() => dir.to_owned(),
            _ => PathBuf::from("."),
        };
        Self::load_overridden(&path.display().to_string(), &text, Some(&dir), overrides)
    }

    /// Opens a scene from its text. `name` stands for it in messages.
    pub fn load_text(
        name: &str,
        text: &str,
        dir: Option<&Path>,
        sets: &[String],
    ) -> Result<LoadedScene, SceneError> {
        Self::load_overridden(name, text, dir, &Override::of_sets(sets))
    }

    fn load_overridden(
        name: &str,
        text: &str,
        dir: Option<&Path>,
        overrides: &[Override],
    ) -> Result<LoadedScene, SceneError> {
        let mut sources = Sources::default();
        let file = sources.add(name, text);
        let fail = |problems, sources: &Sources| SceneError::from_problems(problems, sources);
        let mut tree = node::parse(text, file).map_err(|problems| fail(problems, &sources))?;
        let mut problems = Vec::new();
        for Override { label, argument } in overrides {
            let source = sources.add(label.as_str(), argument.as_str());
            if let Err(problem) = set::apply(&mut tree, argument, source) {
                problems.push(problem);
            }
        }
        problems.extend(validate::validate(&tree, &json_schema()));
        // Fields that are wrong by themselves need not hide names that do not
        // exist: what can still be read is checked too.
        match serde_json::from_value::<Scene>(tree.to_json()) {
            Ok(scene) => {
                problems.extend(check::check(&scene, &tree, dir));
                problems.truncate(MAX_PROBLEMS);
                if !problems.is_empty() {
                    return Err(fail(problems, &sources));
                }
                Ok(LoadedScene { scene, tree, sources, dir: dir.map(Path::to_owned) })
            }
            Err(error) => {
                if problems.is_empty() {
                    let message = format!("cannot be read: {error}");
                    problems.push(Problem::new(tree.pointer(), message));
                }
                Err(fail(problems, &sources))
            }
        }
    }
}

impl LoadedScene {
    /// A scene from a value, as an editor holds it. Problems point into the text that
    /// [`to_yaml`](crate::write::to_yaml) makes of it. `name` stands for it in messages,
    /// and paths in it are relative to `dir`.
    pub fn from_value(
        name: &str,
        value: &serde_json::Value,
        dir: Option<&Path>,
    ) -> Result<Self, SceneError> {
        Scene::load_text(name, &crate::write::to_yaml(value), dir, &[])
    }

    /// The scene as it was written, with every `--set` and without defaults filled in.
    pub fn value(&self) -> serde_json::Value {
        self.tree.to_json()
    }

    /// Says what simulates alike: blake3 of the scene with every `--set` and
    /// default filled in; comments, order and layout do not count. [hex]
    pub fn hash(&self) -> String {
        let text = serde_json::to_vec(&self.scene).unwrap_or_default();
        blake3::hash(&text).to_hex().to_string()
    }

    /// The file that a path in the scene names. The scene was checked when it
    /// was opened, but files may have changed since.
    pub fn resolve(&self, file: &str) -> Result<PathBuf, String> {
        check::paths::resolve(self.dir.as_deref(), file)
    }
}

fn read_text(path: &Path) -> Result<String, SceneError> {
    let unreadable = |error| SceneError::Unreadable { path: path.to_owned(), error };
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(missing(path)),
        Err(error) => return Err(unreadable(error)),
    };
    if meta.is_dir() {
        return Err(SceneError::Folder { path: path.to_owned() });
    }
    let limit = MAX_BYTES as u64;
    let too_large = |bytes| SceneError::TooLarge { path: path.to_owned(), bytes, limit };
    if meta.len() > limit {
        return Err(too_large(meta.len()));
    }
    // A pipe or device tells no length: read no more than the budget from it.
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(unreadable)?;
    file.take(limit + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(bytes.len() as u64));
    }
    String::from_utf8(bytes).map_err(|error| SceneError::NotText {
        path: path.to_owned(),
        at: error.utf8_error().valid_up_to(),
    })
}

fn missing(path: &Path) -> SceneError {
    let name = path.display().to_string();
    let stem = path.file_name().map_or(name.clone(), |file| file.to_string_lossy().into_owned());
    let stem = stem.trim_end_matches(".yaml").trim_end_matches(".scene");
    let known = builtin::builtin().iter().map(|(name, _)| *name);
    let help = match did_you_mean(stem, known) {
        Some(meant) => format!("did you mean the built-in scene `{meant}`?"),
        None => "`tkanina scenes` lists the built-in scenes".to_owned(),
    };
    SceneError::Missing { name, help }
}
