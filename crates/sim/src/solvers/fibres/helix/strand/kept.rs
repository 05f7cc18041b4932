//! What a strand keeps between steps, and what it writes for all to see.

use glam::DVec3;

use super::Helix;
use crate::soa::Soa3;
use crate::solvers::fibres::step::pose_between;
use crate::solvers::fibres::{RodStep, RootStep};
use crate::state::State;

impl Helix {
    /// Numbers that it keeps between steps: Ω and its rate of each piece, velocities of Gauss points
    /// and nodes.
    pub(in super::super) fn numbers(&self) -> usize {
        6 * self.layout.pieces + 3 * (self.layout.samples() + self.layout.nodes.len())
    }

    /// The numbers of its present shape and motion.
    pub(in super::super) fn prepare(&mut self, state: &State, numbers: &mut [f64]) {
        let particles = self.first..self.first + self.count;
        let mut points: Vec<DVec3> = particles.map(|i| state.x.get(i).as_dvec3()).collect();
        if let Some(last) = self.last_node(&state.fibres.cut) {
            // What has fallen says nothing of what is left.
            for i in last + 2..points.len() {
                points[i] = 2.0 * points[i - 1] - points[i - 2];
            }
        }
        let across = state.fibres.directors.get(self.first).as_dvec3();
        let shape = (points.as_slice(), across);
        self.curve.darboux = self.natural.shaped(shape, self.edge, &self.layout, &mut self.newton);
        self.rate.fill(DVec3::ZERO);
        for i in 0..self.samples.v.len() {
            self.samples.v[i] = self.between(i, &state.v);
        }
        for node in 0..self.nodes.v.len() {
            self.nodes.v[node] = state.v.get(self.first + 1 + node).as_dvec3();
        }
        self.save(numbers);
    }

    /// Its last node before the first of the cuts, if it is cut.
    pub(in super::super) fn last_node(&self, cut: &[u32]) -> Option<usize> {
        let cuts = &cut[cut.partition_point(|&p| (p as usize) < self.first + 1)..];
        let first = cuts.first().map(|&p| p as usize)?;
        (first + 1 < self.first + self.count).then(|| first - self.first - 1)
    }

    /// Reads what it kept, and what hands have done to it since.
    pub(in super::super) fn load(&mut self, numbers: &[f64], rods: &RodStep<'_>) {
        self.read(numbers);
        let last = self.last_node(rods.cut);
        self.left.cut(&self.layout, last, self.edge, &mut self.newton.parts);
        self.share_out(rods);
        // By how much nodes are faster than they were left.
        let mut faster = false;
        for node in 0..self.nodes.v.len() {
            let particle = self.first + 1 + node;
            let free = node > 0 && rods.model.inverse_mass[particle] > 0.0;
            let (was, now) = (&mut self.nodes.v[node], rods.v.get(particle));
            let other = free && node < self.left.nodes && now != was.as_vec3();
            *was = if other { now.as_dvec3() - *was } else { DVec3::ZERO };
            faster |= other;
        }
        if faster {
            for (v, &(node, part)) in self.samples.v.iter_mut().zip(&self.between) {
                let ends = [0, 1].map(|k| (node as usize + k).min(self.nodes.v.len() - 1));
                *v += self.nodes.v[ends[0]].lerp(self.nodes.v[ends[1]], part);
            }
        }
    }

    pub(super) fn read(&mut self, numbers: &[f64]) {
        let mut triples = numbers.chunks_exact(3).map(DVec3::from_slice);
        let mut read = |to: &mut [DVec3]| to.iter_mut().zip(&mut triples).for_each(|(t, n)| *t = n);
        read(&mut self.curve.darboux);
        read(&mut self.rate);
        read(&mut self.samples.v);
        read(&mut self.nodes.v);
        self.touch.forget();
    }

    /// Writes what it keeps between steps.
    pub(in super::super) fn save(&self, numbers: &mut [f64]) {
        let all = self.curve.darboux.iter().chain(&self.rate).chain(&self.samples.v);
        let all = all.chain(&self.nodes.v);
        for (number, value) in numbers.chunks_exact_mut(3).zip(all) {
            value.write_to_slice(number);
        }
    }

    /// Writes its particles, their velocities and the directors of their edges.
    pub(in super::super) fn write(&self, root: &RootStep, [x, v, directors]: [&mut Soa3; 3]) {
        let (place, turn) = pose_between(&root.start, &root.end, 1.0);
        x.set(self.first, place.as_vec3());
        let last = self.first + 1 + self.left.nodes;
        for (node, particle) in (self.first + 1..last).enumerate() {
            x.set(particle, self.nodes.x[node].as_vec3());
            v.set(particle, self.nodes.v[node].as_vec3());
        }
        directors.set(self.first, (turn * DVec3::X).as_vec3());
        for (edge, particle) in (self.first + 1..last).enumerate() {
            let ends = [edge, edge + 1].map(|i| i.min(self.nodes.x.len() - 1));
            let arc = (edge as f64 + 0.5).min(self.nodes.x.len() as f64 - 1.0) * self.edge;
            let frame = self.curve.frame(self.layout.spot_at(arc));
            let angle = self.natural.turned_at(arc, &self.layout);
            let (sine, cosine) = libm::sincos(angle);
            let director = frame.x_axis * cosine - frame.y_axis * sine;
            let chord = (self.nodes.x[ends[1]] - self.nodes.x[ends[0]]).try_normalize();
            let chord = chord.unwrap_or(frame.z_axis);
            let across = (director - chord * director.dot(chord)).try_normalize();
            directors.set(particle, across.unwrap_or(director).as_vec3());
        }
    }
}
