//! Chosen points become particle numbers.

use tkanina_sim::builder::ModelBuilder;

use super::{BodyPoints, vec3};
use crate::schema::{GridEdge, Selection};

/// The first choice that lies outside a body of so many points along two ways, with its field.
pub(super) fn outside(
    select: &Selection,
    [across, along]: [usize; 2],
) -> Option<(&'static str, String)> {
    let beyond = |[i, j]: &&[u32; 2]| *i as usize >= across || *j as usize >= along;
    if let Some([i, j]) = select.points.iter().flatten().find(beyond) {
        return Some(("points", format!("[{i}, {j}] does not exist")));
    }
    let lines = [("row", select.row, along), ("column", select.column, across)];
    lines.into_iter().find_map(|(field, chosen, limit)| {
        let chosen = chosen.filter(|&chosen| chosen as usize >= limit)?;
        Some((field, format!("{field} {chosen} does not exist")))
    })
}

/// The chosen particles of a body, each once, in the order in which they were named.
/// `Err` is the first vertex number that the body does not have.
pub(super) fn particles(
    select: &Selection,
    body: &BodyPoints,
    builder: &ModelBuilder,
) -> Result<Vec<usize>, u32> {
    let mut chosen = Vec::new();
    let [ni, nj] = body.grid.unwrap_or([body.count, 1]);
    let at = |i: usize, j: usize| j * ni + i;
    for &[i, j] in select.points.iter().flatten() {
        chosen.push(at(i as usize, j as usize));
    }
    for &vertex in select.vertices.iter().flatten() {
        if vertex as usize >= body.count {
            return Err(vertex);
        }
        chosen.push(vertex as usize);
    }
    let column = |i: usize| (0..nj).map(move |j| at(i, j));
    let row = |j: usize| (0..ni).map(move |i| at(i, j));
    if let Some(edge) = select.edge {
        let is = |which: GridEdge| edge == which || edge == GridEdge::All;
        if is(GridEdge::Left) {
            chosen.extend(column(0));
        }
        if is(GridEdge::Right) {
            chosen.extend(column(ni - 1));
        }
        if is(GridEdge::Bottom) {
            chosen.extend(row(0));
        }
        if is(GridEdge::Top) {
            chosen.extend(row(nj - 1));
        }
    }
    chosen.extend(select.row.iter().flat_map(|&j| row(j as usize)));
    chosen.extend(select.column.iter().flat_map(|&i| column(i as usize)));
    if let Some(ball) = &select.ball {
        let inside = |p: &usize| {
            let way = builder.position(body.first + p) - vec3(ball.center_m);
            f64::from(way.length()) <= ball.radius_m
        };
        chosen.extend((0..body.count).filter(inside));
    }
    if let Some(within) = &select.within {
        let (low, high) = (vec3(within.min_m), vec3(within.max_m));
        let inside = |p: &usize| {
            let x = builder.position(body.first + p);
            x.cmpge(low).all() && x.cmple(high).all()
        };
        chosen.extend((0..body.count).filter(inside));
    }
    if select.all {
        chosen.extend(0..body.count);
    }
    let mut seen = vec![false; body.count];
    chosen.retain(|&p| p < body.count && !std::mem::replace(&mut seen[p], true));
    chosen.iter_mut().for_each(|p| *p += body.first);
    Ok(chosen)
}
