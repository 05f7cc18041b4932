//! Tables: a row for each point, with the columns strand, x, y, z in any order and others beside.

use std::collections::BTreeMap;

use glam::Vec3;

use super::{Budget, Curve, coordinate, wrong};
use crate::mesh_io::MeshError;

/// The columns that there must be.
const COLUMNS: [&str; 4] = ["strand", "x", "y", "z"];

pub(super) fn read(bytes: &[u8], name: &str) -> Result<Vec<Curve>, MeshError> {
    let mut columns = None;
    let mut curves: Vec<Curve> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut budget = Budget::default();
    // A mark of the byte order, as some tables begin with.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let number = index + 1;
        let text = std::str::from_utf8(line)
            .map_err(|_| wrong(name, number, "this is not text", "save the table as UTF-8"))?
            .trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let words: Vec<&str> = text.split([',', ';', '\t']).map(clean).collect();
        let Some(places) = columns else {
            columns = Some(header(&words, name, number)?);
            continue;
        };
        let word = |column: usize| {
            let place: usize = places[column];
            words.get(place).copied().filter(|word| !word.is_empty()).ok_or_else(|| {
                let message = format!("has no `{}`", COLUMNS[column]);
                wrong(name, number, &message, "give every row a value in all four columns")
            })
        };
        let strand = word(0)?;
        let mut point = [0.0; 3];
        for (axis, value) in point.iter_mut().enumerate() {
            *value = coordinate(name, number, word(axis + 1)?)?;
        }
        budget.point(name, number)?;
        let place = match known.get(strand) {
            Some(&place) => place,
            None => {
                known.insert(strand.to_owned(), curves.len());
                curves.push(Curve { points: Vec::new(), line: number });
                curves.len() - 1
            }
        };
        curves[place].points.push(Vec3::from(point));
    }
    Ok(curves)
}

fn clean(word: &str) -> &str {
    word.trim().trim_matches('"').trim()
}

/// Which column each value is in.
fn header(words: &[&str], name: &str, line: usize) -> Result<[usize; 4], MeshError> {
    let mut places = [0; 4];
    let mut missing = Vec::new();
    for (place, column) in places.iter_mut().zip(COLUMNS) {
        let mut found = (0..words.len()).filter(|&at| words[at].eq_ignore_ascii_case(column));
        match (found.next(), found.next()) {
            (Some(first), Some(second)) => {
                let (first, second) = (first + 1, second + 1);
                let message =
                    format!("the column `{column}` is there twice: as number {first} and {second}");
                let help = "name one of them otherwise, or leave it out";
                return Err(wrong(name, line, &message, help));
            }
            (Some(only), None) => *place = only,
            (None, _) => missing.push(format!("`{column}`")),
        }
    }
    if missing.is_empty() {
        return Ok(places);
    }
    let plural = if missing.len() == 1 { "column" } else { "columns" };
    let message = format!("the {plural} {} are missing", missing.join(", "));
    let message = if missing.len() == 1 { message.replace(" are ", " is ") } else { message };
    Err(wrong(name, line, &message, "begin with the line `strand,x,y,z`"))
}
