//! A quantity over the bodies as numbers from 0 to 1.

use tkanina_scene::schema::{HeatMap, HeatQuantity};
use tkanina_sim::measure::{Quantity, field};
use tkanina_sim::world::World;

/// Least width of a range of our own choice: below it lies rounding. In the quantity's unit.
const NARROWEST: f32 = 1e-4;

/// Measures a value for each particle, scaled to 0..1; gives the values at these two ends.
pub fn measure(world: &mut World, map: &HeatMap, values: &mut Vec<f32>) -> [f32; 2] {
    field(world, quantity(map.of), values);
    let range = match map.range {
        Some(range) => range.map(|end| end as f32),
        None if map.of == HeatQuantity::Contact => [0.0, 1.0],
        None => {
            let finite = values.iter().copied().filter(|value| value.is_finite());
            [0.0, finite.fold(NARROWEST, f32::max)]
        }
    };
    let [low, high] = range;
    for value in values {
        let share = (*value - low) / (high - low);
        // A range without width parts what is below from what is not.
        *value = if share.is_finite() { share } else { f32::from(u8::from(*value > low)) };
        *value = value.clamp(0.0, 1.0);
    }
    range
}

fn quantity(described: HeatQuantity) -> Quantity {
    match described {
        HeatQuantity::Stretch => Quantity::Stretch,
        HeatQuantity::Bending => Quantity::Bending,
        HeatQuantity::Speed => Quantity::Speed,
        HeatQuantity::Contact => Quantity::Contact,
        HeatQuantity::Force => Quantity::Force,
    }
}
