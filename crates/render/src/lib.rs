//! Frames in, pixels out. This room knows nothing of springs: it draws a [`Frame`] of plain
//! arrays as a [`Camera`] sees it.

pub mod camera;
pub mod color_map;
pub mod frame;
pub mod image;
pub mod meshes;

mod buffers;
mod color;
mod edges;
mod error;
mod gpu;
mod memo;
mod offscreen;
mod passes;
mod readback;
mod renderer;
mod target;
mod textures;
mod uniforms;

pub use camera::Camera;
pub use error::RenderError;
pub use frame::Frame;
pub use gpu::{DeviceWatch, Gpu};
pub use image::Image;
pub use offscreen::Offscreen;
pub use passes::globals::MAX_LIGHTS;
pub use passes::shadow::MAX_SHADOW_LAYERS;
pub use readback::Readback;
pub use renderer::Renderer;
pub use target::Target;
