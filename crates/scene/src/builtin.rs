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

static BUILTIN: &[(&str, &str)] = scenes![
    "ball-into-cloth",
    "bending-by-angle",
    "carried-cloth",
    "cloth-on-cube",
    "cloth-on-floor",
    "cloth-on-sphere",
    "cloth-on-sphere-on-floor",
    "cloth-on-sphere-windy",
    "cloth-on-turntable",
    "cloth-over-table",
    "curtain-fabrics",
    "explosion",
    "flag-three-pins",
    "flag-turbulent",
    "flag-two-pins",
    "flag-windy",
    "glued-cloth",
    "grid-10",
    "grid-20",
    "grid-30",
    "grid-40",
    "grid-60",
    "hanging-cloth",
    "hanging-default",
    "hung-by-two-corners",
    "hung-by-two-corners-windy",
    "ladder-1-springs-only",
    "ladder-2-gravity-only",
    "ladder-3-undamped",
    "ladder-4-damped",
    "pin-that-breaks",
    "punch-wave",
    "sewn-panels",
    "sheltered-flags",
    "stiffness-10",
    "stiffness-1000",
    "stiffness-2",
    "stiffness-40",
    "strain-limit",
    "two-winds",
];

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
