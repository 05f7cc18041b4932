//! Strands under the cursor.

use glam::{DVec2, DVec3, Vec2};

use super::{Pick, Sight};
use crate::tools::cover::CoverArea;

/// Strands whose distances to the cursor differ by less than this are equally near. [pixels]
const AS_NEAR: f64 = 2.0;

/// The place of a strand's edge that is nearest to the cursor.
struct Near {
    /// The nearer end of the edge.
    node: u32,
    place: DVec2,
    /// The same, local to the eye.
    local: DVec3,
    /// From the cursor to what is drawn. [pixels]
    distance: f64,
}

impl Sight<'_> {
    /// A node of the strand that is nearest to the cursor and within `reach` of it; of those as near
    /// the foremost. What surfaces hide does not count. [pixels]
    pub fn pick_strand(&self, pointer: Vec2, reach: f32) -> Option<Pick> {
        let mut near = self.near_edges(pointer.as_dvec2(), f64::from(reach));
        let first = near.first()?.place;
        let (min, max) =
            near.iter().fold((first, first), |(a, b), n| (a.min(n.place), b.max(n.place)));
        let cover = self.cover(CoverArea { min, max, points: near.len() });
        let band = |near: &Near| (near.distance / AS_NEAR).floor();
        let depth = |near: &Near| near.local.z;
        near.sort_by(|a, b| band(a).total_cmp(&band(b)).then(depth(a).total_cmp(&depth(b))));
        let seen = near.into_iter().find(|near| {
            let hidden = cover.hides_point(near.local, near.place, Some(near.node));
            !hidden && !self.behind_collider(near.local)
        })?;
        let depth = self.locals[seen.node as usize].z as f32;
        Some(Pick { particle: seen.node, depth })
    }

    /// Edges of strands that are drawn within `reach` of the cursor, in their order.
    fn near_edges(&self, pointer: DVec2, reach: f64) -> Vec<Near> {
        let mut near = Vec::new();
        let snapshot = self.context.snapshot;
        for set in &snapshot.model.strands {
            let radius = f64::from(set.fibre.radius);
            for strand in &set.strands {
                let nodes = strand.particles();
                if nodes.end > self.locals.len() {
                    continue;
                }
                for p in nodes.start..nodes.end.saturating_sub(1) {
                    let Some(found) = self.near_edge(p, pointer) else { continue };
                    let drawn = radius / self.view.pixel(found.local.z);
                    let distance = (found.distance - drawn).max(0.0);
                    if distance <= reach && snapshot.cut.binary_search(&(p as u32)).is_err() {
                        near.push(Near { distance, ..found });
                    }
                }
            }
        }
        near
    }

    /// The place nearest to the cursor on the edge from a node to the next.
    fn near_edge(&self, node: usize, pointer: DVec2) -> Option<Near> {
        let [a, b] = [self.locals[node], self.locals[node + 1]];
        let [from, to] = [self.view.place(a)?, self.view.place(b)?];
        let way = to - from;
        let along = (pointer - from).dot(way) / way.length_squared().max(1e-12);
        let t = along.clamp(0.0, 1.0);
        let place = from + way * t;
        // 1/z is even along a line of the picture.
        let [left, right] = [(1.0 - t) / a.z, t / b.z];
        let local = (a * left + b * right) / (left + right);
        let nearer = node + usize::from(t > 0.5);
        Some(Near { node: nearer as u32, place, local, distance: place.distance(pointer) })
    }
}
