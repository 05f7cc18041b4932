//! The window: see a simulation and touch it.
//!
//! Panels, tools and keys return [`Action`]s; one place applies them. The scene is a document
//! whose edits become a validated scene; a player off the window's thread simulates it and
//! publishes [`Snapshot`]s, which the window draws.

pub mod action;
pub mod app;
pub mod camera_control;
pub mod document;
pub mod i18n;
pub mod keys;
pub mod panels;
pub mod platform;
pub mod player;
pub mod preferences;
pub mod recents;
pub mod recorder;
pub mod request;
pub mod run;
pub mod session;
pub mod snapshot;
pub mod thumbnails;
pub mod tools;
pub mod view3d;

pub use action::Action;
pub use app::App;
pub use document::Document;
pub use player::{Player, PlayerSettings};
pub use preferences::Preferences;
pub use recorder::Recorder;
pub use request::Request;
pub use run::{ViewerError, run};
pub use session::Session;
pub use snapshot::Snapshot;
