//! Sizes of pictures, as `--size` takes them.

use std::str::FromStr;

/// Width and height. [pixels]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub [u32; 2]);

/// Most pixels along a side.
const MAX_SIDE: u32 = 16384;

impl Size {
    /// Width over height.
    pub fn aspect(self) -> f32 {
        self.0[0] as f32 / self.0[1] as f32
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || "give width and height in pixels, such as 1280x720".to_owned();
        let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(form)?;
        let side = |text: &str| match text.trim().parse::<u32>() {
            Ok(side) if (1..=MAX_SIDE).contains(&side) => Ok(side),
            Ok(side) => Err(format!("{side} is not in 1..={MAX_SIDE}")),
            Err(_) => Err(form()),
        };
        Ok(Self([side(width)?, side(height)?]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_or_refused() {
        assert_eq!("640x360".parse(), Ok(Size([640, 360])));
        assert_eq!("1×16384".parse(), Ok(Size([1, 16384])));
        for wrong in ["", "640", "0x5", "640x-3", "100000x1", "99999999999x1", "1.5x2", "x"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }
}
