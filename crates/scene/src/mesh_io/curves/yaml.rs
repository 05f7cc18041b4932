//! `strands: [[[x, y, z], …], …]`.

use glam::Vec3;

use super::{Budget, Curve, wrong};
use crate::mesh_io::MeshError;
use crate::node::{self, Node, Value};
use crate::source::SourceId;

pub(super) fn read(bytes: &[u8], name: &str) -> Result<Vec<Curve>, MeshError> {
    if bytes.len() > node::MAX_BYTES {
        let message = format!("has {} bytes; YAML may have {}", bytes.len(), node::MAX_BYTES);
        return Err(wrong(name, 1, &message, "write the curves as .csv or .obj"));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|_| wrong(name, 1, "this is not text", "save the file as UTF-8"))?;
    let line_of = |at: usize| {
        1 + text.as_bytes()[..at.min(text.len())].iter().filter(|b| **b == b'\n').count()
    };
    let tree = node::parse(text, SourceId(0)).map_err(|problems| match problems.first() {
        Some(problem) => {
            let line = line_of(problem.origin.span.start);
            let help = problem.help.as_deref().unwrap_or("large files of curves are .csv or .obj");
            wrong(name, line, &problem.message, help)
        }
        None => wrong(name, 1, "is no YAML", "write `strands:` with lists of points"),
    })?;
    let shape = "write `strands: [[[0, 0, 0], [0, -0.1, 0]]]`";
    let mut reader = Lines { text, at: 0, line: 1 };
    let Some(Node { value: Value::Seq(strands), .. }) = tree.field("strands") else {
        return Err(wrong(name, 1, "has no list `strands`", shape));
    };
    let mut budget = Budget::default();
    let mut curves = Vec::with_capacity(strands.len());
    for strand in strands {
        let line = reader.line_at(strand.origin.span.start);
        let Value::Seq(points) = &strand.value else {
            return Err(wrong(name, line, "a strand is a list of points", shape));
        };
        let mut curve = Curve { points: Vec::with_capacity(points.len()), line };
        for point in points {
            let line = reader.line_at(point.origin.span.start);
            let place = coordinates(point).ok_or_else(|| {
                wrong(name, line, "a point is three finite numbers: [x, y, z]", shape)
            })?;
            budget.point(name, line)?;
            curve.points.push(place);
        }
        curves.push(curve);
    }
    Ok(curves)
}

fn coordinates(point: &Node) -> Option<Vec3> {
    let Value::Seq(numbers) = &point.value else { return None };
    let [x, y, z] = numbers.as_slice() else { return None };
    let number = |node: &Node| match node.value {
        Value::Int(value) => Some(value as f32),
        Value::Float(value) => Some(value as f32),
        _ => None,
    };
    let place = Vec3::new(number(x)?, number(y)?, number(z)?);
    place.is_finite().then_some(place)
}

/// Lines of places that come in their order.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    fn line_at(&mut self, place: usize) -> usize {
        let place = place.min(self.text.len());
        // An alias stands where it was first written.
        if place >= self.at {
            let passed = &self.text.as_bytes()[self.at..place];
            self.line += passed.iter().filter(|byte| **byte == b'\n').count();
            self.at = place;
        }
        self.line
    }
}
