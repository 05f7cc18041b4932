//! The few colours that stand for all of a picture's.

use std::ops::Range;

/// Most colours of a palette; one of 256 is left for what shows through.
pub const COLORS: usize = 255;

/// Red, green and blue of up to [`COLORS`] colours, and the colour of each pixel by number.
pub struct Palette {
    /// Red, green, blue of each colour.
    pub rgb: Vec<u8>,
    /// The colour of each pixel.
    pub indices: Vec<u8>,
}

/// A colour with how many pixels have it.
#[derive(Clone, Copy)]
struct Shade {
    rgb: [u8; 3],
    count: u32,
}

impl Palette {
    /// The colours themselves if they are few. Else the group of colours that is farthest
    /// from its mean is cut in two until there are enough groups (Wu 1992).
    pub fn of(pixels: &[[u8; 4]]) -> Self {
        let mut shades = shades(pixels);
        let mut groups: Vec<Group> = Vec::new();
        if !shades.is_empty() {
            groups.push(Group::of(0..shades.len(), &shades));
        }
        while groups.len() < COLORS {
            let worst =
                (0..groups.len()).max_by(|&a, &b| groups[a].error.total_cmp(&groups[b].error));
            let Some(worst) = worst.filter(|&worst| groups[worst].error > 0.0) else { break };
            let [low, high] = groups[worst].cut(&mut shades);
            groups[worst] = low;
            groups.push(high);
        }
        let rgb = groups.iter().flat_map(|group| group.mean.map(|c| c.round() as u8)).collect();
        let mut numbered: Vec<([u8; 3], u8)> = Vec::with_capacity(shades.len());
        for (number, group) in groups.iter().enumerate() {
            numbered.extend(shades[group.range.clone()].iter().map(|s| (s.rgb, number as u8)));
        }
        numbered.sort_unstable();
        let index = |&[r, g, b, _]: &[u8; 4]| {
            let found = numbered.binary_search_by_key(&[r, g, b], |(rgb, _)| *rgb);
            found.map_or(0, |at| numbered[at].1)
        };
        Self { rgb, indices: pixels.iter().map(index).collect() }
    }
}

/// Every colour once.
fn shades(pixels: &[[u8; 4]]) -> Vec<Shade> {
    let mut sorted: Vec<[u8; 3]> = pixels.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
    sorted.sort_unstable();
    let alike = sorted.chunk_by(|a, b| a == b);
    alike.map(|run| Shade { rgb: run[0], count: run.len() as u32 }).collect()
}

/// Colours that share an entry of the palette.
struct Group {
    range: Range<usize>,
    mean: [f64; 3],
    /// Sum of the squared distances of all pixels from the mean.
    error: f64,
    /// The channel that has most of it.
    widest: usize,
}

impl Group {
    fn of(range: Range<usize>, shades: &[Shade]) -> Self {
        let (mut count, mut sum, mut squares) = (0.0, [0.0; 3], [0.0; 3]);
        for shade in &shades[range.clone()] {
            let weight = f64::from(shade.count);
            count += weight;
            for c in 0..3 {
                let value = f64::from(shade.rgb[c]);
                sum[c] += weight * value;
                squares[c] += weight * value * value;
            }
        }
        let mean = sum.map(|s| s / count);
        let errors: [f64; 3] = std::array::from_fn(|c| squares[c] - sum[c] * mean[c]);
        let widest = (0..3).max_by(|&a, &b| errors[a].total_cmp(&errors[b])).unwrap_or(0);
        // One colour alone has no error but that of rounding.
        let error = if range.len() > 1 { errors.iter().sum() } else { 0.0 };
        Self { range, mean, error, widest }
    }

    /// Below and above the mean of the widest channel. Both have colours: the mean lies between
    /// the least and the greatest, which differ where the error is greatest.
    fn cut(&self, shades: &mut [Shade]) -> [Self; 2] {
        let (Range { start, end }, channel) = (self.range.clone(), self.widest);
        let part = &mut shades[start..end];
        part.sort_unstable_by_key(|shade| (shade.rgb[channel], shade.rgb));
        let below =
            part.partition_point(|shade| f64::from(shade.rgb[channel]) <= self.mean[channel]);
        let middle = start + below.clamp(1, end - start - 1);
        [Self::of(start..middle, shades), Self::of(middle..end, shades)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_stay_as_they_are() {
        let pixels = [[9, 8, 7, 255], [1, 2, 3, 255], [9, 8, 7, 255]];
        let palette = Palette::of(&pixels);
        let color = |i: usize| &palette.rgb[3 * palette.indices[i] as usize..][..3];
        assert_eq!(
            (color(0), color(1), color(2)),
            (&[9u8, 8, 7][..], &[1u8, 2, 3][..], &[9u8, 8, 7][..])
        );
        assert_eq!(palette.rgb.len(), 6);
        assert!(Palette::of(&[]).rgb.is_empty());
    }

    #[test]
    fn many_colours_stay_near() {
        let pixels: Vec<[u8; 4]> =
            (0..64 * 64u32).map(|i| [(i % 64 * 4) as u8, (i / 64 * 4) as u8, 120, 255]).collect();
        let palette = Palette::of(&pixels);
        assert_eq!(palette.rgb.len(), 3 * COLORS);
        let error: f64 = pixels
            .iter()
            .zip(&palette.indices)
            .map(|(pixel, index)| {
                let color = &palette.rgb[3 * *index as usize..][..3];
                let square = |c: usize| (f64::from(pixel[c]) - f64::from(color[c])).powi(2);
                (square(0) + square(1) + square(2)).sqrt()
            })
            .sum();
        let mean = error / pixels.len() as f64;
        // An even spread of 255 colours over the square has cells of 16: a mean of 6.
        assert!(mean < 8.0, "{mean}");
    }
}
