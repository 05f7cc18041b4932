//! Cuts that a body starts with.

use std::collections::BTreeSet;

use super::{BodyPoints, Build};
use crate::check::steps;
use crate::node::Step;
use crate::schema::{Cloth, Slit};

impl Build<'_> {
    /// The pairs of neighbouring particles along all slits of a body.
    pub(super) fn slits(&mut self, index: usize, body: &Cloth) {
        let Some(points) = self.bodies.get(&body.name).cloned() else { return };
        if body.slits.is_empty() {
            return;
        }
        let sides = self.builder.sides(points.first..points.first + points.count);
        for (number, slit) in body.slits.iter().enumerate() {
            let here = steps!["bodies", index, "slits", number];
            match along(slit, &points, &sides) {
                Ok(pairs) => self.slits.extend(pairs),
                Err(fault) => {
                    let field = [here.as_slice(), &fault.place].concat();
                    self.problem(&field, fault.message, fault.help);
                }
            }
        }
    }
}

struct Fault {
    place: Vec<Step>,
    message: String,
    help: String,
}

/// The particles from end to end of a slit, two by two.
fn along(
    slit: &Slit,
    body: &BodyPoints,
    sides: &BTreeSet<[u32; 2]>,
) -> Result<Vec<[u32; 2]>, Fault> {
    let (field, places) = match slit {
        Slit::Points(points) => ("points", grid_points(points, body)?),
        Slit::Vertices(vertices) => ("vertices", vertices.clone()),
    };
    let beyond = places.iter().position(|&place| place as usize >= body.count);
    if let Some(at) = beyond {
        return Err(Fault {
            place: steps![field, at].to_vec(),
            message: format!("the body has no vertex {}", places[at]),
            help: format!("its vertices are 0 to {}", body.count - 1),
        });
    }
    let first = body.first as u32;
    let pairs = places.windows(2).map(|pair| [pair[0] + first, pair[1] + first]);
    let pairs: Vec<[u32; 2]> = pairs.collect();
    match pairs.iter().find(|&&[a, b]| !sides.contains(&[a.min(b), a.max(b)])) {
        None => Ok(pairs),
        Some([a, b]) => Err(Fault {
            place: steps![field].to_vec(),
            message: format!("no edge joins vertex {} to vertex {}", a - first, b - first),
            help: "name every vertex on the way, each a neighbour of the one before".to_owned(),
        }),
    }
}

/// Numbers of all points from one named point to the next.
fn grid_points(points: &[[u32; 2]], body: &BodyPoints) -> Result<Vec<u32>, Fault> {
    let fault = |at: usize, message: String, help: &str| Fault {
        place: steps!["points", at].to_vec(),
        message,
        help: help.to_owned(),
    };
    let Some([ni, nj]) = body.grid else {
        let message = "is for grids, and the body is a mesh".to_owned();
        return Err(Fault {
            place: steps!["points"].to_vec(),
            message,
            help: "name its `vertices`".to_owned(),
        });
    };
    let inside = |&[i, j]: &[u32; 2]| (i as usize) < ni && (j as usize) < nj;
    if let Some(at) = points.iter().position(|point| !inside(point)) {
        let message = format!("[{}, {}] lies outside the grid", points[at][0], points[at][1]);
        let help = format!("the grid has {ni} × {nj} points");
        return Err(fault(at, message, &help));
    }
    let mut out = Vec::new();
    for (at, pair) in points.windows(2).enumerate() {
        let [[i, j], [k, l]] = [pair[0], pair[1]].map(|point| point.map(i64::from));
        let (di, dj) = (k - i, l - j);
        let straight = di == 0 || dj == 0 || di == -dj;
        if !straight || (di, dj) == (0, 0) {
            let message = format!("no line of edges leads from [{i}, {j}] to [{k}, {l}]");
            let help = "go along a row, a column, or the diagonal on which i + j stays the same";
            return Err(fault(at + 1, message, help));
        }
        let steps = di.abs().max(dj.abs());
        let from = i64::from(at > 0);
        out.extend((from..=steps).map(|step| {
            let (i, j) = (i + di.signum() * step, j + dj.signum() * step);
            (j * ni as i64 + i) as u32
        }));
    }
    Ok(out)
}
