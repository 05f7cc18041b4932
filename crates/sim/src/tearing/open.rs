//! Opening sides of triangles: fans that no longer hang together part.

use super::torn::{Torn, join, root};
use super::whole::{Whole, sides_at};

/// Opens `sides`. Around each vertex of them the triangles that are still joined side by side
/// become one fan; the fan of the largest area keeps the particle and each other gets a new one.
/// Returns the names of the particles that the new ones were part of.
pub(crate) fn open(whole: &Whole, torn: &mut Torn, sides: &[u32]) -> Vec<u32> {
    let others = sides.iter().filter_map(|&side| whole.across(side));
    let mut opened: Vec<u32> = sides.iter().copied().chain(others).collect();
    opened.sort_unstable();
    opened.dedup();
    let mut touched: Vec<u32> = opened.iter().flat_map(|&side| torn.ends(side)).collect();
    touched.sort_unstable();
    touched.dedup();
    let mut parents = Vec::new();
    for vertex in touched {
        let fan: Vec<u32> = whole.fan(torn, vertex).collect();
        let is_open = |side: u32| opened.binary_search(&side).is_ok();
        for corners in parted(whole, torn, &fan, is_open).into_iter().skip(1) {
            let name = (whole.count() + torn.origins.len()) as u32;
            torn.origins.push(torn.origin(whole.count(), vertex));
            parents.push(vertex);
            for corner in corners {
                torn.triangles[corner as usize / 3][corner as usize % 3] = name;
            }
        }
    }
    parents
}

/// The corners of a fan by the parts that hang together: that of the largest area first, then in
/// the order of triangles.
fn parted(whole: &Whole, torn: &Torn, fan: &[u32], is_open: impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
    let mut roots: Vec<u32> = (0..fan.len() as u32).collect();
    for (i, &corner) in (0..).zip(fan) {
        for side in sides_at(corner).into_iter().filter(|&side| !is_open(side)) {
            let other = whole.joined(torn, side).map(|other| other / 3);
            if let Some(j) = fan.iter().position(|&c| Some(c / 3) == other) {
                join(&mut roots, i, j as u32);
            }
        }
    }
    let mut parts: Vec<(u32, f64, Vec<u32>)> = Vec::new();
    for (i, &corner) in (0..).zip(fan) {
        let of = root(&mut roots, i);
        let at = parts.iter().position(|part| part.0 == of).unwrap_or_else(|| {
            parts.push((of, 0.0, Vec::new()));
            parts.len() - 1
        });
        parts[at].1 += whole.areas[corner as usize / 3];
        parts[at].2.push(corner);
    }
    let mut largest = 0;
    for (i, part) in parts.iter().enumerate() {
        if part.1 > parts[largest].1 {
            largest = i;
        }
    }
    if !parts.is_empty() {
        let first = parts.remove(largest);
        parts.insert(0, first);
    }
    parts.into_iter().map(|part| part.2).collect()
}
