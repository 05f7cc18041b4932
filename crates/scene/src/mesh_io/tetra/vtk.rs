//! Legacy VTK as text: an unstructured grid, cells in a list or, since version 5, by offsets.

use super::Raw;
use super::words::Words;
use crate::mesh_io::{MAX_FACES, MAX_VERTICES, MeshError};

/// VTK's number for a tetrahedron.
const TETRAHEDRON: u64 = 10;

/// Most numbers in a list of cells.
const MAX_NUMBERS: u64 = 27 * MAX_FACES;

/// Points of each cell, one after the other, and where each ends.
#[derive(Default)]
struct Cells {
    points: Vec<u64>,
    ends: Vec<usize>,
}

pub(super) fn read(words: &mut Words<'_>) -> Result<Raw, MeshError> {
    header(words)?;
    let (mut raw, mut cells, mut kinds) = (Raw::default(), Cells::default(), Vec::new());
    while let Some(word) = words.word()? {
        match word.to_ascii_uppercase().as_str() {
            "DATASET" => {
                let kind = words.need("a kind of data")?;
                if !kind.eq_ignore_ascii_case("UNSTRUCTURED_GRID") {
                    let help = Some("save it as an unstructured grid");
                    return Err(words.wrong(format!("is a `{kind}`"), help));
                }
            }
            "POINTS" => {
                let count = words.count("points", MAX_VERTICES)?;
                words.need("a type of numbers")?;
                for _ in 0..count {
                    raw.points.push(words.point()?);
                }
            }
            "CELLS" => cells = Cells::read(words)?,
            "CELL_TYPES" => {
                for _ in 0..words.count("cells", MAX_FACES)? {
                    kinds.push(words.whole("kind of cell")?);
                }
            }
            // What follows says something of points or cells, not where they are.
            "POINT_DATA" | "CELL_DATA" => break,
            _ => {}
        }
    }
    if cells.ends.len() != kinds.len() {
        let message = format!("has {} cells, but {} kinds of them", cells.ends.len(), kinds.len());
        return Err(words.wrong(message, None));
    }
    let mut start = 0;
    for (&end, kind) in cells.ends.iter().zip(kinds) {
        let points = cells.points.get(start..end).unwrap_or(&[]);
        start = end;
        let [a, b, c, d] = *points else {
            raw.others += 1;
            continue;
        };
        if kind != TETRAHEDRON {
            raw.others += 1;
            continue;
        }
        if let Some(no) = [a, b, c, d].into_iter().find(|&v| v >= raw.points.len() as u64) {
            let message = format!("there is no point {no}: {} in all, from 0", raw.points.len());
            return Err(words.wrong(message, None));
        }
        raw.tetras.push([a, b, c, d].map(|v| v as u32));
    }
    Ok(raw)
}

fn header(words: &mut Words<'_>) -> Result<(), MeshError> {
    let first = words.line();
    if !first.to_ascii_lowercase().starts_with(b"# vtk datafile") {
        return Err(words.wrong("begins without `# vtk DataFile Version`", None));
    }
    words.line();
    let form = words.need("`ASCII`")?;
    if !form.eq_ignore_ascii_case("ASCII") {
        let help = Some("save it as legacy VTK, ASCII");
        return Err(words.wrong(format!("is `{form}`, not ASCII"), help));
    }
    Ok(())
}

impl Cells {
    fn read(words: &mut Words<'_>) -> Result<Self, MeshError> {
        let mut out = Self::default();
        let first = words.count("cells", MAX_FACES + 1)?;
        let second = words.count("numbers", MAX_NUMBERS)?;
        let mut left = first;
        // Version 5 has a name where earlier ones have the first cell.
        let mut word = if first > 0 { Some(words.need("a cell")?) } else { None };
        if word.is_some_and(|word| word.eq_ignore_ascii_case("OFFSETS")) {
            return Self::by_offsets(words, first, second);
        }
        while left > 0 {
            let size = match word.take() {
                Some(word) => word
                    .parse()
                    .map_err(|_| words.wrong(format!("`{word}` is no size of a cell"), None))?,
                None => words.whole("size of a cell")?,
            };
            if size > MAX_NUMBERS - out.points.len() as u64 {
                return Err(words.wrong(format!("a cell of {size} points"), None));
            }
            for _ in 0..size {
                out.points.push(words.whole("point number")?);
            }
            out.ends.push(out.points.len());
            left -= 1;
        }
        Ok(out)
    }

    fn by_offsets(words: &mut Words<'_>, offsets: u64, points: u64) -> Result<Self, MeshError> {
        let mut out = Self::default();
        words.need("a type of numbers")?;
        let mut last = 0;
        for index in 0..offsets {
            let offset = words.whole("offset")?;
            if offset > points || (offset as usize) < last {
                return Err(words.wrong(format!("`{offset}` is no offset here"), None));
            }
            last = offset as usize;
            if index > 0 {
                out.ends.push(last);
            }
        }
        let word = words.need("`CONNECTIVITY`")?;
        if !word.eq_ignore_ascii_case("CONNECTIVITY") {
            return Err(words.wrong(format!("`{word}` stands where `CONNECTIVITY` should"), None));
        }
        words.need("a type of numbers")?;
        for _ in 0..points {
            out.points.push(words.whole("point number")?);
        }
        Ok(out)
    }
}
