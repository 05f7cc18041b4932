//! Colours for values, for shaders and legends alike.

use crate::frame::ColorMap;

/// Steps of a map as a shader sees it.
pub(crate) const STEPS: usize = 256;

/// All maps, in the order of their rows in a shader's texture.
pub(crate) const ALL: [ColorMap; 2] = [ColorMap::Viridis, ColorMap::Cividis];

impl ColorMap {
    /// sRGB colour at `t` in 0..1; beyond, that of the nearer end.
    pub fn color(self, t: f32) -> [f32; 3] {
        // NaN has the colour of 0.
        let t = if t > 0.0 { t.min(1.0) } else { 0.0 };
        match self {
            Self::Viridis => viridis(t),
            Self::Cividis => cividis(t),
        }
    }

    /// Middle of the map's row in a shader's texture.
    pub(crate) fn row(self) -> f32 {
        let row = ALL.iter().position(|map| *map == self).unwrap_or(0);
        (row as f32 + 0.5) / ALL.len() as f32
    }
}

/// Viridis of matplotlib (S. van der Walt, N. Smith, 2015) at even steps; lines between them
/// differ from it by at most 5/255.
const VIRIDIS: [[u8; 3]; 18] = [
    [68, 1, 84],
    [72, 23, 105],
    [71, 42, 122],
    [67, 61, 132],
    [61, 78, 138],
    [53, 94, 141],
    [46, 109, 142],
    [41, 123, 142],
    [35, 137, 142],
    [31, 151, 139],
    [33, 165, 133],
    [46, 179, 124],
    [70, 192, 111],
    [101, 203, 94],
    [137, 213, 72],
    [176, 221, 47],
    [216, 226, 25],
    [253, 231, 37],
];

fn viridis(t: f32) -> [f32; 3] {
    let place = t * (VIRIDIS.len() - 1) as f32;
    let first = (place as usize).min(VIRIDIS.len() - 2);
    let share = place - first as f32;
    std::array::from_fn(|i| {
        let [a, b] = [VIRIDIS[first][i], VIRIDIS[first + 1][i]].map(f32::from);
        (a + (b - a) * share) / 255.0
    })
}

/// Cividis (J. Nuñez, C. Anderton, R. Renslow, 2018) as polynomials in t by d3-scale-chromatic.
const CIVIDIS: [[f32; 6]; 3] = [
    [-4.54, -35.34, 2381.73, -6402.7, 7024.72, -2710.57],
    [32.49, 170.73, 52.82, -131.46, 176.58, -67.37],
    [81.24, 442.36, -2482.43, 6167.24, -6614.94, 2475.67],
];

fn cividis(t: f32) -> [f32; 3] {
    CIVIDIS.map(|terms| {
        let sum = terms.iter().rev().fold(0.0, |sum, term| sum * t + term);
        (sum / 255.0).clamp(0.0, 1.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: [f32; 3], expected: [f32; 3], within: f32) -> bool {
        (0..3).all(|i| (got[i] - expected[i]).abs() <= within)
    }

    #[test]
    fn ends_are_those_of_matplotlib() {
        let viridis = ColorMap::Viridis;
        assert!(close(viridis.color(0.0), [0.267_004, 0.004_874, 0.329_415], 0.002));
        assert!(close(viridis.color(1.0), [0.993_248, 0.906_157, 0.143_936], 0.002));
        assert!(close(viridis.color(0.5), [0.127_568, 0.566_949, 0.550_556], 0.01));
        let cividis = ColorMap::Cividis;
        assert!(close(cividis.color(0.0), [0.0, 0.135_112, 0.304_751], 0.02));
        assert!(close(cividis.color(1.0), [0.995_737, 0.909_344, 0.217_772], 0.06));
    }

    #[test]
    fn beyond_the_ends_are_the_ends_and_nan_is_low() {
        for map in ALL {
            assert_eq!(map.color(-3.0), map.color(0.0));
            assert_eq!(map.color(7.0), map.color(1.0));
            assert_eq!(map.color(f32::NAN), map.color(0.0));
        }
    }

    #[test]
    fn higher_values_are_lighter() {
        let luma = |[r, g, b]: [f32; 3]| 0.2126 * r + 0.7152 * g + 0.0722 * b;
        for map in ALL {
            for i in 0..20 {
                let t = i as f32 / 20.0;
                assert!(luma(map.color(t + 0.05)) > luma(map.color(t)), "{map:?} {t}");
            }
        }
    }
}
