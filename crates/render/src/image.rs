//! Pixels.

/// A picture: rows from the top, four bytes a pixel (red, green, blue, alpha), sRGB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The bytes.
    pub rgba: Vec<u8>,
}

impl Image {
    /// A picture of one colour.
    pub fn filled(width: u32, height: u32, color: [u8; 4]) -> Self {
        let rgba = color.repeat(width as usize * height as usize);
        Self { width, height, rgba }
    }

    /// The pixel in column `x` of row `y`.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = 4 * (y as usize * self.width as usize + x as usize);
        std::array::from_fn(|i| self.rgba[at + i])
    }
}
