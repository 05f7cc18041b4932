//! The window: see a simulation and touch it.
//!
//! Panels, tools and keys return [`Action`]s; one place applies them. The scene is a document
//! whose edits become a validated scene; a player off the window's thread simulates it and
//! publishes [`Snapshot`]s, which the window draws.

pub mod action;
pub mod camera_control;
pub mod i18n;
pub mod keys;
pub mod preferences;
pub mod request;
pub mod snapshot;
pub mod tools;

pub use action::Action;
pub use request::Request;
pub use snapshot::Snapshot;
