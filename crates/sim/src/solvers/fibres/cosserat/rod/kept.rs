//! What a rod keeps between steps, and what it writes for all to see.

use glam::{DQuat, DVec3};

use super::super::banded::Banded;
use super::{Edge, Point, Rod, turn_of};
use crate::soa::Soa3;
use crate::solvers::fibres::RodStep;
use crate::state::State;
use crate::strands::{Director, perpendicular};

impl Rod {
    /// Numbers that it keeps between steps: places and velocities, orientations and rates.
    pub(in super::super) fn numbers(&self) -> usize {
        6 * self.points.len() + 7 * self.edges.len()
    }

    /// The numbers of its present shape and motion.
    pub(in super::super) fn prepare(&mut self, state: &State, numbers: &mut [f64]) {
        self.stand([&state.x, &state.v, &state.fibres.directors]);
        self.edges.iter_mut().for_each(|edge| edge.w = DVec3::ZERO);
        self.save(numbers);
    }

    /// Is where its particles are. An edge turns as its ends go; how fast it turns about itself is not
    /// to be seen.
    fn stand(&mut self, [x, v, directors]: [&Soa3; 3]) {
        for (i, point) in self.points.iter_mut().enumerate() {
            point.x = x.get(self.first + i).as_dvec3();
            point.v = v.get(self.first + i).as_dvec3();
        }
        for (i, ends) in self.points.windows(2).enumerate() {
            let tangent = (ends[1].x - ends[0].x).try_normalize().unwrap_or(DVec3::NEG_Y);
            let across = directors.get(self.first + i).as_dvec3();
            let across = (across - tangent * across.dot(tangent)).try_normalize();
            let across = across.unwrap_or_else(|| perpendicular(tangent));
            self.edges[i].q = turn_of(&Director { tangent, across });
            self.edges[i].w = tangent.cross(ends[1].v - ends[0].v) / self.edge;
        }
    }

    /// What is left from a point on; nothing holds it.
    pub(in super::super) fn beyond(self, from: usize) -> Self {
        let count = self.count.saturating_sub(from);
        Self {
            first: self.first + from,
            count,
            holds: false,
            clamped: false,
            fallen: true,
            natural: self.natural.into_iter().skip(from).collect(),
            points: vec![Point::default(); count],
            edges: vec![Edge::default(); count.saturating_sub(1)],
            banded: Banded::new(count),
            ..self
        }
    }

    /// Goes on from where particles are.
    pub(in super::super) fn take(&mut self, directors: &Soa3, rods: &RodStep<'_>) {
        self.stand([rods.x, rods.v, directors]);
        self.note_cuts(rods);
        for edge in self.edges.iter_mut().filter(|edge| !edge.whole) {
            edge.w = DVec3::ZERO;
        }
    }

    fn note_cuts(&mut self, rods: &RodStep<'_>) {
        for (i, edge) in self.edges.iter_mut().enumerate() {
            edge.whole = rods.cut.binary_search(&((self.first + i) as u32)).is_err();
        }
    }

    /// Reads what it kept, and what hands and contact have done to it since.
    pub(in super::super) fn load(&mut self, numbers: &[f64], rods: &RodStep<'_>) {
        let (points, edges) = numbers.split_at(6 * self.points.len());
        for (point, numbers) in self.points.iter_mut().zip(points.chunks_exact(6)) {
            (point.x, point.v) = (DVec3::from_slice(numbers), DVec3::from_slice(&numbers[3..]));
        }
        for (i, point) in self.points.iter_mut().enumerate() {
            let particle = self.first + i;
            let (now, place) = (rods.v.get(particle), rods.x.get(particle));
            if now != point.v.as_vec3() {
                point.v = now.as_dvec3();
            }
            if place != point.x.as_vec3() && rods.model.inverse_mass[particle] > 0.0 {
                point.x = place.as_dvec3();
            }
        }
        self.note_cuts(rods);
        for (edge, numbers) in self.edges.iter_mut().zip(edges.chunks_exact(7)) {
            (edge.q, edge.w) = (DQuat::from_slice(numbers), DVec3::from_slice(&numbers[4..]));
        }
    }

    /// Writes what it keeps.
    pub(in super::super) fn save(&self, numbers: &mut [f64]) {
        let (points, edges) = numbers.split_at_mut(6 * self.points.len());
        for (point, numbers) in self.points.iter().zip(points.chunks_exact_mut(6)) {
            point.x.write_to_slice(numbers);
            point.v.write_to_slice(&mut numbers[3..]);
        }
        for (edge, numbers) in self.edges.iter().zip(edges.chunks_exact_mut(7)) {
            edge.q.write_to_slice(numbers);
            edge.w.write_to_slice(&mut numbers[4..]);
        }
    }

    /// Writes its particles, their velocities and the directors of their edges.
    pub(in super::super) fn write(&self, [x, v, directors]: [&mut Soa3; 3]) {
        for (i, point) in self.points.iter().enumerate() {
            x.set(self.first + i, point.x.as_vec3());
            v.set(self.first + i, point.v.as_vec3());
            let Some(edge) = self.edges.get(i.min(self.edges.len().saturating_sub(1))) else {
                continue;
            };
            let next = self.points.get(i + 1).map_or(DVec3::ZERO, |next| next.x - point.x);
            let tangent = next.try_normalize().unwrap_or(edge.q * DVec3::Z);
            let across = edge.q * DVec3::X;
            let across = (across - tangent * across.dot(tangent)).try_normalize();
            directors.set(self.first + i, across.unwrap_or(DVec3::X).as_vec3());
        }
    }
}
