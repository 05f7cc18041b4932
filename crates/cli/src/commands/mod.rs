//! One module a command: its arguments, and what it does.

pub mod bench;
pub mod check;
pub mod compare;
pub mod completions;
pub mod guide;
pub mod materials;
pub mod render;
pub mod run;
pub mod scenes;
pub mod schema;
pub mod view;
