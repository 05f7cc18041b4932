//! A hair's breadth between what has come apart.

use glam::Vec3;

use super::layout::{Layout, sources};
use super::remake::surface;
use super::torn::Torn;
use super::whole::Whole;
use crate::contact::Pieces;
use crate::contact::parting::Parting;
use crate::elements::TieEnd;
use crate::model::Model;
use crate::soa::Soa3;
use crate::state::State;

/// What is about to come apart: the model and the state are still as they were.
pub(super) struct Apart<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub whole: &'a Whole,
    pub torn: &'a Torn,
    pub before: &'a Layout,
    pub after: &'a Layout,
    /// What each new particle was part of, by name.
    pub parents: &'a [u32],
}

/// Where copies go.
#[derive(Debug, Default)]
pub(super) struct Ways {
    /// By the numbers that particles will have. [m]
    ways: Vec<(u32, Vec3)>,
    /// Names of particles of which no copy may be where it would have to go.
    pub refused: Vec<u32>,
}

impl Ways {
    /// Sets copies apart.
    pub fn go(&self, x: &mut Soa3) {
        self.ways.iter().for_each(|&(v, way)| x.add(v as usize, way));
    }
}

impl Apart<'_> {
    /// Copies of a point are in one place, of which nothing can be proved where surfaces must not pass
    /// through each other. Each goes towards its own triangles, or cells of a lattice, by δ = 5 µm + 4·10⁻⁶|x|: too little to be
    /// seen, and enough for `f32` to tell them apart; by less where something else is as near.
    pub fn ways(&self) -> Ways {
        let Some(law) = self.model.contact.as_ref() else { return Ways::default() };
        let lattices = !self.torn.cells.is_empty();
        if !(self.model.surfaces_meet() || lattices) || self.parents.is_empty() {
            return Ways::default();
        }
        let sources = sources(self.before, self.after, self.parents);
        let mut x: Vec<Vec3> =
            sources.iter().map(|&from| self.state.x.get(from as usize)).collect();
        let particles = x.len();
        x.extend(self.state.obstacles.iter());
        let mut triangles = surface(&self.whole.model, self.torn, self.after).0;
        let mut ways = self.towards_their_own(&x, &triangles);
        let mut body = vec![u32::MAX; x.len()];
        for index in 0..self.model.bodies.len() {
            body[self.after.body(index)].fill(index as u32);
        }
        let mut touches_itself: Vec<bool> =
            law.bodies.iter().map(|body| body.touches_itself).collect();
        // Pieces of a lattice touch each other.
        let goals = self.model.goals.iter().filter(|goal| goal.lattice().is_some());
        goals.for_each(|goal| touches_itself[goal.body] = true);
        let mut first = particles;
        for mesh in &self.model.mesh_colliders {
            if first + mesh.vertex_count() <= x.len() {
                triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| v + first as u32)));
                body[first..first + mesh.vertex_count()].fill(touches_itself.len() as u32);
            }
            first += mesh.vertex_count();
            touches_itself.push(false);
        }
        let moved = |number: u32| self.after.number(self.before.name(number));
        let segments: Vec<[u32; 2]> =
            self.model.touching_segments().map(|ends| ends.map(moved)).collect();
        let mut place: Vec<u32> = sources;
        place.extend(particles as u32..x.len() as u32);
        let parting = Parting {
            pieces: Pieces { triangles: &triangles, segments: &segments },
            x: &x,
            sewn: &self.sewn(x.len()),
            body: &body,
            touches_itself: &touches_itself,
            place: &place,
        };
        let stuck = parting.shorten(&mut ways);
        let mut refused: Vec<u32> = if law.safe {
            stuck.iter().map(|&v| self.before.name(place[v as usize])).collect()
        } else {
            Vec::new()
        };
        refused.sort_unstable();
        refused.dedup();
        Ways { ways, refused }
    }

    /// The way of each copy to the middle of what it belongs to, as far as it is meant to go.
    fn towards_their_own(&self, x: &[Vec3], triangles: &[[u32; 3]]) -> Vec<(u32, Vec3)> {
        let old = self.before.count() as u32;
        let count = self.after.count();
        let mut middles: Vec<Option<(Vec3, f32)>> = vec![None; count];
        for (copy, &parent) in (old..).zip(self.parents) {
            for name in [copy, parent] {
                let origin = self.torn.origin(self.whole.count(), name) as usize;
                if self.whole.model.mass[origin] > 0.0 {
                    middles[self.after.number(name) as usize] = Some((Vec3::ZERO, 0.0));
                }
            }
        }
        let mut see = |corners: &[u32], only: &[bool]| {
            if corners.iter().all(|&v| middles[v as usize].is_none()) {
                return;
            }
            let sum: Vec3 = corners.iter().map(|&v| x[v as usize]).sum();
            let middle = sum / corners.len() as f32;
            for &v in corners.iter().filter(|&&v| only[v as usize]) {
                if let Some((sum, count)) = &mut middles[v as usize] {
                    (*sum, *count) = (*sum + middle, *count + 1.0);
                }
            }
        };
        // Triangles of a crack lie in it, and say nothing of what is behind.
        let mut flat = vec![true; count];
        let cells = || self.torn.cells.iter().map(|cell| cell.map(|name| self.after.number(name)));
        cells().flatten().for_each(|v| flat[v as usize] = false);
        triangles.iter().for_each(|triangle| see(triangle, &flat));
        flat.iter_mut().for_each(|flat| *flat = !*flat);
        cells().for_each(|cell| see(&cell, &flat));
        let way = |(v, middle): (usize, &Option<(Vec3, f32)>)| {
            let (sum, count) = middle.filter(|(_, count)| *count > 0.0)?;
            let way = sum / count - x[v];
            let breadth = (5e-6 + 4e-6 * x[v].abs().max_element()).min(0.1 * way.length());
            Some((v as u32, way.normalize_or_zero() * breadth))
        };
        middles.iter().enumerate().filter_map(way).collect()
    }

    /// One number for all points that seams join.
    fn sewn(&self, points: usize) -> Vec<u32> {
        let mut of: Vec<u32> = (0..points as u32).collect();
        let moved = |number: u32| self.after.number(self.before.name(number));
        for tie in &self.model.ties {
            if let TieEnd::Particle(other) = tie.end {
                super::torn::join(&mut of, moved(tie.particle), moved(other));
            }
        }
        (0..points as u32).map(|v| super::torn::root(&mut of, v)).collect()
    }
}
