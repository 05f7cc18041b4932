//! Panels: they read a [`PanelContext`] and push [`Action`]s; they keep only view state of their own.

pub mod banner;
pub mod browser;
pub mod caption;
pub mod compare;
pub mod details;
pub mod display;
pub mod help;
mod icons;
pub mod inspector;
pub mod legend;
pub mod menu;
pub mod plots;
pub mod settings;
mod style;
pub mod transport;

#[cfg(test)]
mod tests;

use serde_json::Value;
use tkanina_sim::solvers::SolverKind;

use crate::action::{Action, Tool};
use crate::i18n::Language;
use crate::preferences::Preferences;
use crate::snapshot::{Published, Snapshot};

pub use banner::Banner;
pub use browser::Browser;
pub use inspector::Inspector;
pub use menu::{Menu, Tab};
pub use plots::Plots;
pub(crate) use style::accent;
pub use style::apply_style;
pub use transport::Transport;

/// All that panels read.
#[derive(Clone, Copy)]
pub struct PanelContext<'a> {
    /// What the player last published.
    pub snapshot: Option<&'a Snapshot>,
    /// The same under every solver.
    pub published: Option<&'a Published>,
    /// The picture that `snapshot` is of.
    pub main_picture: usize,
    /// Solvers that the scene's own is compared with.
    pub compared_with: &'a [SolverKind],
    /// The scene as it is written, defaults not filled in.
    pub scene: &'a Value,
    /// What the person set.
    pub preferences: &'a Preferences,
    /// Pictures a second.
    pub fps: f64,
    /// Whether there is an edit to take back.
    pub can_undo: bool,
    /// Whether there is an edit to make again.
    pub can_redo: bool,
    /// Whether a film is being recorded.
    pub recording: bool,
    /// Whether the scene differs from its file.
    pub dirty: bool,
    /// Why the scene as it is written cannot run, as people read it.
    pub scene_error: Option<&'a str>,
    /// Something to tell that is no error of the scene: a file that could not be written.
    pub message: Option<&'a str>,
    /// Whether the graphics device was lost.
    pub device_lost: bool,
    /// The tool in hand.
    pub tool: Tool,
    /// The force tool as it is set.
    pub force: ForceSettings,
    /// Picture of a built-in scene.
    pub thumbnail: &'a dyn Fn(&str) -> Option<egui::TextureId>,
}

/// The force tool as it is set, for the details.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceSettings {
    /// Width and height of the rectangle. [points]
    pub rectangle: [f32; 2],
    /// Whether it blows for as long as the button is held, in place of one punch.
    pub wind: bool,
    /// Its strength: what points gain by a punch [m/s], or how a wind accelerates them. [m/s²]
    pub strength: f32,
    /// Whether its source is frozen.
    pub frozen: bool,
}

impl<'a> PanelContext<'a> {
    /// A context with nothing under way.
    pub fn new(scene: &'a Value, preferences: &'a Preferences) -> Self {
        Self {
            snapshot: None,
            published: None,
            main_picture: 0,
            compared_with: &[],
            scene,
            preferences,
            fps: 0.0,
            can_undo: false,
            can_redo: false,
            recording: false,
            dirty: false,
            scene_error: None,
            message: None,
            device_lost: false,
            tool: Tool::default(),
            force: ForceSettings::default(),
            thumbnail: &|_| None,
        }
    }

    /// Language of the interface.
    pub fn language(&self) -> Language {
        self.preferences.language
    }

    /// A text in the language of the interface.
    pub fn tr<'t>(&self, english: &'t str) -> &'t str {
        self.preferences.language.tr(english)
    }
}

/// Where panels put what they ask for.
pub type Actions = Vec<Action>;
