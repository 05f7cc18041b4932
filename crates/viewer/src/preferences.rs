//! What a person set once and finds again.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::i18n::Language;
use crate::{platform, recents};

/// Settings of the window, kept between runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// Language of the interface.
    pub language: Language,
    /// Dark or light.
    pub theme: Theme,
    /// How mouse and keys move the camera.
    pub profile: CameraProfile,
    /// Size of everything in the interface. [1]
    pub zoom: f32,
    /// Seconds that the timeline keeps at most. [s]
    pub timeline_s: f64,
    /// Memory that the timeline takes at most. [MB]
    pub timeline_mb: usize,
    /// Whether sliders may leave the safe ranges.
    pub leave_safe_range: bool,
    /// Files opened last, newest first.
    pub recent: Vec<PathBuf>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            language: Language::English,
            theme: Theme::Dark,
            profile: CameraProfile::Modern,
            zoom: 1.0,
            timeline_s: 30.0,
            timeline_mb: 512,
            leave_safe_range: false,
            recent: Vec::new(),
        }
    }
}

/// Dark or light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// Light on dark.
    #[default]
    Dark,
    /// Dark on light.
    Light,
    /// As the desktop is.
    System,
}

/// How mouse and keys move the camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CameraProfile {
    /// Orbit, pan and zoom with the mouse.
    #[default]
    Modern,
    /// Free flight with W A S D, Space, C and the mouse (002).
    Classic,
}

/// Name of the settings file.
const FILE: &str = "preferences.json";

impl Preferences {
    /// As they were stored; defaults where there are none or the file is damaged. Files that are
    /// gone are left out of the recent ones.
    pub fn load() -> Self {
        let stored = platform::read_config(FILE);
        let mut found: Self =
            stored.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        found.mend();
        recents::forget_missing(&mut found.recent);
        found
    }

    /// Stores them, or says why not.
    pub fn store(&self) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        platform::write_config(FILE, &text)
    }

    /// Brings numbers that make no sense back to what does.
    fn mend(&mut self) {
        let default = Self::default();
        if !(0.25..=5.0).contains(&self.zoom) {
            self.zoom = default.zoom;
        }
        if !(0.1..=3600.0).contains(&self.timeline_s) {
            self.timeline_s = default.timeline_s;
        }
        self.timeline_mb = self.timeline_mb.clamp(1, 1 << 16);
        self.recent.truncate(recents::MOST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_mended() {
        let text = r#"{ "zoom": -3, "timeline_s": 1e300, "timeline_mb": 0, "theme": "Light" }"#;
        let mut found: Preferences = serde_json::from_str(text).unwrap();
        found.mend();
        let default = Preferences::default();
        assert_eq!((found.zoom, found.timeline_s), (default.zoom, default.timeline_s));
        assert_eq!((found.timeline_mb, found.theme), (1, Theme::Light));
    }
}
