//! Many pictures on one sheet.

use tkanina_render::Image;

use crate::lettering::{Align, Text, fill};

const PAPER: [u8; 4] = [255; 4];
const EMPTY: [u8; 4] = [240, 241, 244, 255];
/// Space between pictures. [px]
const GAP: u32 = 6;
/// Height of a line of text. [px]
const LINE: u32 = 24;

/// Rows of pictures of `size` pixels, each row under its name, the names of the columns on top.
/// A text stands where there is no picture, and behind the name where there is none at all.
pub fn sheet(
    rows: &[(String, Vec<Result<&Image, &str>>)],
    columns: &[String],
    size: [u32; 2],
) -> Image {
    let [width, height] = size;
    let is_empty = |cells: &[Result<&Image, &str>]| cells.iter().all(Result::is_err);
    let row_height = |cells: &[_]| if is_empty(cells) { LINE } else { LINE + height };
    let down: u32 = rows.iter().map(|(_, cells)| row_height(cells)).sum();
    let total = [columns.len() as u32 * (width + GAP) + GAP, LINE + down + GAP];
    let mut out = Image::filled(total[0], total[1], PAPER);
    let Some(text) = Text::of_size(18.0) else { return out };
    let left = |column: u32| GAP + column * (width + GAP);
    for (column, name) in (0..).zip(columns) {
        text.write(&mut out, name, [left(column) + width / 2, 4], Align::Middle);
    }
    let mut top = LINE;
    for (name, cells) in rows {
        let at = [GAP, top + 3];
        if let (Some(Err(reason)), true) = (cells.first(), is_empty(cells)) {
            text.write(&mut out, &format!("{name}: {reason}"), at, Align::Left);
            top += LINE;
            continue;
        }
        text.write(&mut out, name, at, Align::Left);
        for (column, cell) in (0..).zip(cells) {
            let at = [left(column), top + LINE];
            match cell {
                Ok(image) => place(&mut out, image, at),
                Err(reason) => {
                    fill(&mut out, at, size, |_| EMPTY);
                    let middle = [at[0] + width / 2, at[1] + height / 2 - 9];
                    text.write(&mut out, reason, middle, Align::Middle);
                }
            }
        }
        top += row_height(cells);
    }
    out
}

/// Copies a picture; what does not fit is left out.
fn place(out: &mut Image, image: &Image, [left, top]: [u32; 2]) {
    let columns = image.width.min(out.width.saturating_sub(left)) as usize;
    for y in 0..image.height.min(out.height.saturating_sub(top)) {
        let from = 4 * (y * image.width) as usize;
        let to = 4 * ((top + y) * out.width + left) as usize;
        out.rgba[to..to + 4 * columns].copy_from_slice(&image.rgba[from..from + 4 * columns]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_in_their_rows_and_columns() {
        let (red, blue) =
            (Image::filled(40, 20, [255, 0, 0, 255]), Image::filled(40, 20, [0, 0, 255, 255]));
        let rows = [
            ("a".to_owned(), vec![Ok(&red), Ok(&blue)]),
            ("b".to_owned(), vec![Ok(&blue), Err("gone")]),
            ("c".to_owned(), vec![Err("gone"), Err("gone")]),
        ];
        let made = sheet(&rows, &["1 s".to_owned(), "2 s".to_owned()], [40, 20]);
        assert_eq!([made.width, made.height], [98, 24 + 2 * 44 + 24 + 6]);
        assert_eq!(made.pixel(7, 49), [255, 0, 0, 255]);
        assert_eq!(made.pixel(91, 67), [0, 0, 255, 255]);
        assert_eq!(made.pixel(7, 100), [0, 0, 255, 255]);
        assert_eq!(made.pixel(91, 93), EMPTY);
        assert_eq!(made.pixel(97, 141), PAPER);
    }
}
