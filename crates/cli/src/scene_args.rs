//! Which scene, and what is changed in it.

use std::path::Path;

use miette::miette;
use tkanina_scene::load::{LoadedScene, Override};
use tkanina_scene::problem::{did_you_mean, list_names};
use tkanina_scene::schema::{Scene, Solver};

use crate::failure::Failure;

/// The arguments that every command on a scene has.
#[derive(Clone, Debug, clap::Args)]
pub struct SceneArgs {
    /// A scene file, or the name of a built-in scene (`tkanina scenes`)
    pub scene: String,
    /// Solver instead of the scene's, without options
    #[arg(long, value_name = "KIND")]
    pub solver: Option<String>,
    /// Replaces a field of the scene; the value is YAML. May be repeated
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Closes holes of soft bodies' meshes and turns their faces outwards
    #[arg(long)]
    pub repair: bool,
}

impl SceneArgs {
    /// Opens the scene with everything set; `--solver` first, so that `--set`
    /// can give that solver options.
    pub fn open(&self) -> Result<LoadedScene, Failure> {
        let mut overrides = Vec::new();
        if let Some(kind) = &self.solver {
            check_solver(kind)?;
            let argument = format!("solver={{ kind: {kind} }}");
            overrides.push(Override { label: "--solver".to_owned(), argument });
        }
        overrides.extend(Override::of_sets(&self.set));
        let mut loaded = Scene::open_overridden(&self.scene, &overrides)?;
        if self.repair {
            loaded.scene.repair_meshes();
        }
        Ok(loaded)
    }

    /// The scene's name for folders: its file's without the endings.
    pub fn stem(&self) -> String {
        let name = Path::new(&self.scene).file_name();
        let name = name.map_or_else(|| "scene".to_owned(), |n| n.to_string_lossy().into_owned());
        let stem = name.strip_suffix(".yaml").or(name.strip_suffix(".yml")).unwrap_or(&name);
        let stem = stem.strip_suffix(".scene").unwrap_or(stem);
        if stem.is_empty() { "scene".to_owned() } else { stem.to_owned() }
    }
}

fn check_solver(kind: &str) -> Result<(), Failure> {
    if Solver::KINDS.contains(&kind) {
        return Ok(());
    }
    let known = format!("known kinds are {}", list_names(Solver::KINDS.iter().copied()));
    let help = match did_you_mean(kind, Solver::KINDS.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`? {known}"),
        None => known,
    };
    Err(Failure::input(miette!(help = help, "--solver: there is no solver `{kind}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_file_names_without_endings() {
        let stem = |scene: &str| {
            SceneArgs { scene: scene.to_owned(), solver: None, set: Vec::new(), repair: false }
                .stem()
        };
        assert_eq!(stem("a/b/flag.scene.yaml"), "flag");
        assert_eq!(stem("flag"), "flag");
        assert_eq!(stem("flag.yml"), "flag");
        assert_eq!(stem(".scene.yaml"), "scene");
        assert_eq!(stem(".."), "scene");
    }
}
