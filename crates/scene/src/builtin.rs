//! Scenes that come with the program, embedded so that any folder will do.

use crate::node;
use crate::source::SourceId;

/// Name and text of every built-in scene, by name.
pub fn builtin() -> &'static [(&'static str, &'static str)] {
    BUILTIN
}

/// The text of the built-in scene `name`.
pub fn find(name: &str) -> Option<&'static str> {
    builtin().iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// What a gallery says of a built-in scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Name by which it is opened.
    pub name: &'static str,
    /// Its title.
    pub title: String,
    /// What it shows, in a sentence or two.
    pub about: String,
    /// Document and figure that it reproduces, if it does.
    pub reproduces: Option<String>,
}

/// What each built-in scene says of itself, by name.
pub fn summaries() -> Vec<Summary> {
    builtin().iter().map(|(name, text)| Summary::of(name, text)).collect()
}

impl Summary {
    fn of(name: &'static str, text: &str) -> Self {
        // Built-in scenes are right, as a test sees to; one that were not would lack its texts.
        let tree = node::parse(text, SourceId(0)).ok();
        let text = |field: &str| {
            let node = tree.as_ref().and_then(|tree| tree.field(field));
            node.and_then(|node| node.as_str()).map(str::to_owned)
        };
        Self {
            name,
            title: text("name").unwrap_or_default(),
            about: text("about").unwrap_or_default(),
            reproduces: text("reproduces"),
        }
    }
}

/// Lists files of `scenes/` by their stems.
macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../scenes/", $name, ".scene.yaml")))),*]
    };
}

static BUILTIN: &[(&str, &str)] = scenes![
    "ball-into-cloth",
    "ball-shot-at-cloth",
    "ball-through-cloth",
    "balloon-bursts",
    "bars-of-three-widths",
    "bending-by-angle",
    "bouncing-castle",
    "carried-cloth",
    "chain-of-cores",
    "cloth-in-bowl",
    "cloth-on-cube",
    "cloth-on-floor",
    "cloth-on-sphere",
    "cloth-on-sphere-on-floor",
    "cloth-on-sphere-windy",
    "cloth-on-turntable",
    "cloth-over-table",
    "cloth-through-ring",
    "coiling-ribbon",
    "curtain-fabrics",
    "dressed-figure",
    "explosion",
    "flag-round-pole",
    "flag-three-pins",
    "flag-turbulent",
    "flag-two-pins",
    "flag-windy",
    "folding-cloth",
    "fur-ball-rolling",
    "fur-in-four-ways",
    "glued-cloth",
    "grass-in-gusts",
    "grid-10",
    "grid-20",
    "grid-30",
    "grid-40",
    "grid-60",
    "hair-curly",
    "hair-straight",
    "hair-wavy",
    "hanging-cloth",
    "hanging-default",
    "head-in-a-cage",
    "hung-by-two-corners",
    "hung-by-two-corners-windy",
    "impossible-squeeze",
    "jelly-on-edge",
    "ladder-1-springs-only",
    "ladder-2-gravity-only",
    "ladder-3-undamped",
    "ladder-4-damped",
    "long-hair-over-shoulders",
    "one-hair",
    "paper-torn-in-two",
    "pin-that-breaks",
    "plush-thrown",
    "plush-toy",
    "punch-wave",
    "rope-bridge",
    "rope-in-hammock",
    "rope-knot",
    "sewn-panels",
    "shape-matched-balls",
    "sheltered-flags",
    "silk-and-wool-slide",
    "soft-ball",
    "soft-cube",
    "soft-inner-springs",
    "soft-letters",
    "soft-losing-pressure",
    "soft-low-stiffness",
    "soft-on-trampoline",
    "soft-over-pressure",
    "soft-over-pressure-cured",
    "soft-pressure-only",
    "soft-rolling",
    "soft-stack",
    "soft-undamped",
    "soft-very-stiff",
    "solid-bar",
    "solid-jelly",
    "solid-ring",
    "stacked-layers",
    "stiffness-10",
    "stiffness-1000",
    "stiffness-2",
    "stiffness-40",
    "strain-limit",
    "strands-of-each-model",
    "table-and-chairs",
    "tangled-start",
    "tuft-in-motion",
    "tuft-under-force",
    "two-winds",
    "wet-hair",
    "wrung-cloth",
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

    #[test]
    fn summaries_name_the_figure() {
        let summaries = summaries();
        assert_eq!(summaries.len(), builtin().len());
        let of = |name: &str| summaries.iter().find(|s| s.name == name).unwrap();
        assert_eq!(of("cloth-on-cube").title, "Cloth on a cube");
        assert!(of("cloth-on-cube").about.starts_with("A sheet of 20 × 20"));
        let figure = of("stiffness-40").reproduces.as_deref();
        assert_eq!(figure, Some("000, Slika 3.2.3 – Konstanta opruge je 40"));
        assert_eq!(of("sewn-panels").reproduces, None);
        // Every figure of 000 with a cloth in it has its scene.
        let figures = summaries.iter().filter_map(|s| s.reproduces.as_deref());
        assert_eq!(figures.filter(|f| f.starts_with("000, Slika 3.")).count(), 18);
    }
}
