//! Sides of panels as curves, walked at an even pace.

use glam::DVec2;

use crate::schema::Panel;

/// Straight parts that stand for a curve: then its length is right to a ten-thousandth.
const PARTS: usize = 128;

/// A side as a fine line with the length up to each point.
pub(super) struct Curve {
    points: Vec<DVec2>,
    upto: Vec<f64>,
}

impl Curve {
    /// Side `number` of a panel: p(t) = Σ Bᵢ(t)·pᵢ from its begin over its handles to the begin of
    /// the next.
    pub fn of(panel: &Panel, number: usize) -> Self {
        let side = &panel.sides[number];
        let next = &panel.sides[(number + 1) % panel.sides.len()];
        let mut nodes = vec![DVec2::from(side.from_m)];
        nodes.extend(side.handles_m.iter().map(|&p| DVec2::from(p)));
        nodes.push(DVec2::from(next.from_m));
        let parts = if nodes.len() == 2 { 1 } else { PARTS };
        let points: Vec<DVec2> = (0..=parts).map(|i| at(&nodes, i as f64 / parts as f64)).collect();
        let mut upto = vec![0.0];
        for pair in points.windows(2) {
            upto.push(upto[upto.len() - 1] + pair[0].distance(pair[1]));
        }
        Self { points, upto }
    }

    /// Its length. [m]
    pub fn length(&self) -> f64 {
        self.upto[self.upto.len() - 1]
    }

    /// The begins of `count` parts of one length.
    pub fn divided(&self, count: usize) -> impl Iterator<Item = DVec2> + '_ {
        (0..count).map(move |i| {
            let wanted = self.length() * i as f64 / count as f64;
            let after = self.upto.partition_point(|&s| s <= wanted).clamp(1, self.upto.len() - 1);
            let (from, to) = (self.upto[after - 1], self.upto[after]);
            let part = if to > from { (wanted - from) / (to - from) } else { 0.0 };
            self.points[after - 1].lerp(self.points[after], part)
        })
    }
}

/// De Casteljau: ends of ever shorter lines.
fn at(nodes: &[DVec2], t: f64) -> DVec2 {
    let mut nodes = nodes.to_vec();
    while nodes.len() > 1 {
        nodes = nodes.windows(2).map(|pair| pair[0].lerp(pair[1], t)).collect();
    }
    nodes[0]
}

/// Twice the area inside, positive if counter-clockwise. [m²]
pub(super) fn doubled_area(outline: &[DVec2]) -> f64 {
    let next = |i: usize| outline[(i + 1) % outline.len()];
    (0..outline.len()).map(|i| outline[i].perp_dot(next(i))).sum()
}

/// Where an outline crosses the line at height y, in order: a place on it is inside if an odd
/// number of them lie to its right.
pub(super) fn row_ends(outline: &[DVec2], y: f64) -> Vec<f64> {
    let mut ends = Vec::new();
    for (i, &a) in outline.iter().enumerate() {
        let b = outline[(i + 1) % outline.len()];
        if (a.y > y) != (b.y > y) {
            ends.push(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y));
        }
    }
    ends.sort_unstable_by(f64::total_cmp);
    ends
}
