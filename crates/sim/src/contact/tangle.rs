//! Input that already passes through itself: what it is, and how it comes apart.

mod contour;
mod cut_off;
mod joined;
mod search;
#[cfg(test)]
mod tests;
mod untangle;
mod way_out;

use super::setup::ContactSetup;
use super::swept::Point4;
use crate::model::Model;
use crate::soa::Soa3;
use crate::state::State;
pub(super) use joined::Joined;
pub(super) use untangle::Untangle;

/// Which surfaces pass through which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tangle {
    /// In the order of bodies; mesh colliders come after them.
    pub pairs: Vec<TangledPair>,
}

/// Two surfaces that pass through each other, or one that does through itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TangledPair {
    /// What the scene calls them.
    pub names: [String; 2],
    /// Pairs of triangles that pass through each other.
    pub count: usize,
    /// The first [`TangledPair::SHOWN`] of them, by their numbers in either surface.
    pub first: Vec<[u32; 2]>,
}

impl TangledPair {
    /// Pairs of triangles that are named.
    pub const SHOWN: usize = 10;

    /// Whether a body passes through itself.
    pub fn is_itself(&self) -> bool {
        self.names[0] == self.names[1]
    }
}

impl Tangle {
    /// What of a state is tangled, by a search over all triangles that may touch.
    pub fn of(model: &Model, state: &State) -> Self {
        match ContactSetup::of(model) {
            Some(setup) => {
                let x = points_of(state);
                if x.len() < setup.rules.body.len() {
                    return Self::default();
                }
                Self::from(model, &Untangle::find(Joined::new(model, setup.rules), &x))
            }
            None => Self::default(),
        }
    }

    pub(super) fn from(model: &Model, untangle: &Untangle) -> Self {
        let joined = untangle.joined();
        let mut met: Vec<[u32; 4]> = Vec::new();
        for p in untangle.piercings() {
            for t in joined.at_edge(p.edge) {
                let (a, b) = (t.min(p.triangle), t.max(p.triangle));
                met.push([joined.body(a), joined.body(b), a, b]);
            }
        }
        met.sort_unstable();
        met.dedup();
        let bodies = model.bodies.len();
        let place = |body: u32| {
            let body = body as usize;
            match model.bodies.get(body) {
                Some(body) => (body.name.clone(), body.triangles.start as u32),
                None => {
                    let before = &model.mesh_colliders[..body - bodies];
                    let first: usize = before.iter().map(|mesh| mesh.triangles.len()).sum();
                    let name = model.mesh_colliders[body - bodies].name.clone();
                    (name, (joined.of_bodies + first) as u32)
                }
            }
        };
        let pairs = met.chunk_by(|a, b| a[..2] == b[..2]).map(|group| {
            let ((one, first), (other, second)) = (place(group[0][0]), place(group[0][1]));
            let shown = group.iter().take(TangledPair::SHOWN);
            TangledPair {
                names: [one, other],
                count: group.len(),
                first: shown.map(|m| [m[2] - first, m[3] - second]).collect(),
            }
        });
        Self { pairs: pairs.collect() }
    }

    /// Pairs of triangles that pass through each other.
    pub fn count(&self) -> usize {
        self.pairs.iter().map(|pair| pair.count).sum()
    }

    /// Whether nothing passes through anything.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

/// Whether all points of a pair are part of one contour: then they are neither kept apart nor proved.
#[inline]
pub(super) fn may_pass(contour_of: &[u32], points: [u32; 4]) -> bool {
    if contour_of.is_empty() {
        return false;
    }
    let [a, b, c, d] = points.map(|v| contour_of[v as usize]);
    a != 0 && a == b && a == c && a == d
}

pub(super) fn points_of(state: &State) -> Vec<Point4> {
    let of = |x: &Soa3| (0..x.len()).map(|i| [x.x[i], x.y[i], x.z[i], 0.0]).collect::<Vec<_>>();
    let mut points = of(&state.x);
    points.extend(of(&state.obstacles));
    points
}
