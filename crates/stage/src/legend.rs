//! What the colours of a heat map mean.

use tkanina_render::frame::ColorMap;

/// What the colours of a heat map mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    /// What is shown, in English.
    pub label: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Values at the two ends of the colours.
    pub range: [f32; 2],
    /// The colours.
    pub map: ColorMap,
}
