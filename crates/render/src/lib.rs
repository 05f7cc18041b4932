//! Frames in, pixels out. This room knows nothing of springs: it draws a [`Frame`] of plain
//! arrays as a [`Camera`] sees it.

pub mod camera;
pub mod frame;
pub mod image;

pub use camera::Camera;
pub use frame::Frame;
pub use image::Image;
