//! Edges of triangles as segments.

use std::sync::Arc;

use glam::Vec3;

use crate::color_map;
use crate::frame::ColorMap;

/// Every edge once, in the order in which triangles first name it.
pub(crate) fn edges(triangles: &[[u32; 3]]) -> Arc<[[u32; 2]]> {
    let mut named: Vec<([u32; 2], usize)> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .enumerate()
        .map(|(place, edge)| (edge, place))
        .collect();
    named.sort_unstable();
    named.dedup_by_key(|(edge, _)| *edge);
    named.sort_unstable_by_key(|(_, place)| *place);
    named.into_iter().map(|(edge, _)| edge).collect()
}

/// The edges' ends.
pub(crate) fn segments(edges: &[[u32; 2]], positions: &[Vec3]) -> Arc<[[Vec3; 2]]> {
    edges.iter().map(|ends| ends.map(|i| positions[i as usize])).collect()
}

/// The edges' colours by the mean of the values at their ends.
pub(crate) fn colors(edges: &[[u32; 2]], values: &[f32], map: ColorMap) -> Arc<[[u8; 4]]> {
    let last = color_map::STEPS - 1;
    let table: Vec<[u8; 4]> = (0..=last)
        .map(|i| {
            let [r, g, b] = map.color(i as f32 / last as f32).map(|c| (c * 255.0).round() as u8);
            [r, g, b, 255]
        })
        .collect();
    let step = |value: f32| (value.clamp(0.0, 1.0) * last as f32) as usize;
    edges
        .iter()
        .map(|&[a, b]| table[step(0.5 * (values[a as usize] + values[b as usize]))])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_edge_is_drawn_once() {
        let two = edges(&[[0, 1, 2], [2, 1, 3]]);
        assert_eq!(*two, [[0, 1], [1, 2], [0, 2], [1, 3], [2, 3]]);
    }

    #[test]
    fn values_that_are_not_numbers_have_a_colour() {
        let low = ColorMap::Viridis.color(0.0).map(|c| (c * 255.0).round() as u8);
        let got = colors(&[[0, 1]], &[f32::NAN, 1.0], ColorMap::Viridis);
        assert_eq!(got[0][..3], low);
    }
}
