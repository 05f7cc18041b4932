//! What the mouse does in the picture: pull, pin, push, move obstacles.

mod cover;
pub mod input;
#[cfg(test)]
pub(crate) mod testing;
pub mod view;
pub mod visible;

pub use input::{Button, ToolContext, ToolInput, Used};
