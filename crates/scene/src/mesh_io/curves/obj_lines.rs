//! Wavefront OBJ: `v` and `l`. A line that starts where the one before ended goes on with it, as
//! programs write curves edge by edge.

use glam::Vec3;

use super::{Budget, Curve, coordinate, wrong};
use crate::mesh_io::MeshError;
use crate::mesh_io::obj_statements::{statements, word_and_rest};

pub(super) fn read(bytes: &[u8], name: &str) -> Result<Vec<Curve>, MeshError> {
    let mut vertices: Vec<Vec3> = Vec::new();
    let mut curves: Vec<Curve> = Vec::new();
    let mut end = None;
    let mut budget = Budget::default();
    for (number, statement) in statements(bytes) {
        let (word, rest) = word_and_rest(&statement);
        if !matches!(word, b"v" | b"l") {
            continue;
        }
        let rest = std::str::from_utf8(rest)
            .map_err(|_| wrong(name, number, "this is not text", "export the curves anew"))?;
        let mut words = rest.split_ascii_whitespace();
        if word == b"v" {
            let mut point = [0.0; 3];
            for value in &mut point {
                let Some(word) = words.next() else {
                    let message = "a vertex needs 3 numbers";
                    return Err(wrong(name, number, message, "export the curves anew"));
                };
                *value = coordinate(name, number, word)?;
            }
            budget.point(name, number)?;
            vertices.push(Vec3::from(point));
            continue;
        }
        let mut places = Vec::new();
        for word in words {
            places.push(place(word, vertices.len(), (name, number))?);
            if places.len() > super::MAX_CURVE_POINTS {
                let message = "this line is longer than a file of curves may be";
                return Err(wrong(name, number, message, "thin the curves out"));
            }
        }
        let goes_on = end.is_some() && end == places.first().copied();
        end = places.last().copied();
        let points = places.iter().skip(usize::from(goes_on)).map(|&place| vertices[place]);
        match curves.last_mut() {
            Some(curve) if goes_on => curve.points.extend(points),
            _ => curves.push(Curve { points: points.collect(), line: number }),
        }
    }
    Ok(curves)
}

/// A vertex by its number from 1, or counted backward from -1; `1/2` has a texture coordinate too.
fn place(word: &str, count: usize, (name, line): (&str, usize)) -> Result<usize, MeshError> {
    let number = word.split('/').next().unwrap_or("");
    let parsed: i64 = number.parse().map_err(|_| {
        wrong(name, line, &format!("`{number}` is no vertex number"), "write `l 1 2 3`")
    })?;
    let place = if parsed < 0 { count as i64 + parsed } else { parsed - 1 };
    usize::try_from(place).ok().filter(|&place| place < count).ok_or_else(|| {
        let message = format!("vertex {parsed} does not exist: there are {count} so far");
        wrong(name, line, &message, "what a line uses must stand before it in the file")
    })
}
