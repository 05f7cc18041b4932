//! Scenes that come with the program, embedded so that any folder will do.

/// Name and text of every built-in scene, by name.
pub fn builtin() -> &'static [(&'static str, &'static str)] {
    BUILTIN
}

/// The text of the built-in scene `name`.
pub fn find(name: &str) -> Option<&'static str> {
    builtin().iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Lists files of `scenes/` by their stems.
macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../scenes/", $name, ".scene.yaml")))),*]
    };
}

static BUILTIN: &[(&str, &str)] = scenes!["cloth-on-sphere", "flag-turbulent", "hanging-cloth"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Scene;

    #[test]
    fn every_scene_file_is_listed_and_every_listed_one_is_right() {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
        let mut files: Vec<String> = std::fs::read_dir(dir)
            .unwrap()
            .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
            .filter_map(|name| name.strip_suffix(".scene.yaml").map(str::to_owned))
            .collect();
        files.sort();
        let listed: Vec<&str> = builtin().iter().map(|(name, _)| *name).collect();
        assert_eq!(listed, files);
        for (name, text) in builtin() {
            let loaded = Scene::load_text(name, text, None, &[]);
            let loaded = loaded.unwrap_or_else(|error| panic!("{}", error.render()));
            assert!(!loaded.scene.name.is_empty() && !loaded.scene.about.is_empty(), "{name}");
        }
    }
}
