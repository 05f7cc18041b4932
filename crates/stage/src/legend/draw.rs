//! A legend into a picture.

use tkanina_render::Image;

use super::Legend;

/// Draws the legend into the lower left corner of a picture.
pub fn draw(_image: &mut Image, _legend: &Legend) {}
