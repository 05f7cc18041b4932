//! What the colours of a heat map mean.

mod draw;

use tkanina_render::frame::ColorMap;
use tkanina_scene::schema::HeatQuantity;

pub use draw::draw;

/// What the colours of a heat map mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    /// What is shown.
    pub quantity: HeatQuantity,
    /// The same, in English.
    pub label: &'static str,
    /// Its unit; empty for a pure number.
    pub unit: &'static str,
    /// Values at the two ends of the colours.
    pub range: [f32; 2],
    /// The colours.
    pub map: ColorMap,
}

impl Legend {
    /// The legend of a quantity between two values.
    pub fn new(quantity: HeatQuantity, range: [f32; 2], map: ColorMap) -> Self {
        let (label, unit) = match quantity {
            HeatQuantity::Stretch => ("Stretch", ""),
            HeatQuantity::Bending => ("Bending", "°"),
            HeatQuantity::Speed => ("Speed", "m/s"),
            HeatQuantity::Contact => ("Contact", ""),
            HeatQuantity::Force => ("Force", "N"),
        };
        Self { quantity, label, unit, range, map }
    }
}
