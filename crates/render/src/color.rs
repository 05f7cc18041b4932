//! Colours as people choose them and as light adds up.

use glam::Vec3;

/// Linear light of an sRGB colour; above 1 the curve goes on, below 0 and NaN are black.
pub(crate) fn linear(srgb: Vec3) -> Vec3 {
    Vec3::new(channel(srgb.x), channel(srgb.y), channel(srgb.z))
}

/// Linear light of one sRGB channel.
pub(crate) fn channel(srgb: f32) -> f32 {
    if !(srgb > 0.0) {
        return 0.0;
    }
    let srgb = srgb.min(MOST);
    if srgb <= 0.04045 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
}

/// A light this strong is white wherever it falls; more would only overflow.
const MOST: f32 = 1e3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert_eq!(channel(0.0), 0.0);
        assert!((channel(1.0) - 1.0).abs() < 1e-6);
        assert!((channel(0.5) - 0.214_041).abs() < 1e-5);
        assert!((channel(0.02) - 0.02 / 12.92).abs() < 1e-9);
        assert_eq!(channel(f32::NAN), 0.0);
        assert!(channel(f32::INFINITY).is_finite());
    }
}
