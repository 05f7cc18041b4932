//! What alike bodies share.

use std::ops::Range;

use crate::elastic::ElasticSpring;
use crate::elements::GasLaw;
use crate::model::Model;

use super::order::near_and_apart;
use super::skin::Skin;

/// Points, springs and skin, with particle numbers from the body's first on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub points: usize,
    /// In an order in which points are asked for again while they are in the nearest cache.
    springs: Vec<ElasticSpring>,
    /// Triangles with gas behind them, if there is any.
    surface: Vec<[u32; 3]>,
    /// The same by point.
    pub skin: Skin,
    /// The springs over a step of so many seconds.
    over: Option<f64>,
    /// All points; see `Skin::points`.
    pub list: Vec<u32>,
    pub steps: Vec<SpringStep>,
}

/// A spring of a shape over a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SpringStep {
    pub ends: [u32; 2],
    /// Length at rest. [m]
    pub rest: f32,
    /// K = kh². [kg]
    pub stiffness: f32,
    /// B = ch. [kg]
    pub damping: f32,
}

/// One of several alike bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Its first particle.
    pub first: usize,
    /// Its gas, by number.
    pub gas: Option<usize>,
}

/// Shapes that at least `few` bodies have, and those bodies.
pub(super) fn alike(
    model: &Model,
    springs: &[ElasticSpring],
    busy: impl Iterator<Item = u32>,
    few: usize,
) -> (Vec<Shape>, Vec<Vec<Member>>) {
    let body_of = bodies_of(model);
    let mut taken: Vec<bool> = model.bodies.iter().map(|body| body.particles.is_empty()).collect();
    let take = |taken: &mut Vec<bool>, particle: u32| {
        if let Some(body) = body_of[particle as usize] {
            taken[body] = true;
        }
    };
    busy.for_each(|particle| take(&mut taken, particle));
    let mut own: Vec<Vec<ElasticSpring>> = vec![Vec::new(); model.bodies.len()];
    for spring in springs {
        match spring.ends.map(|v| body_of[v as usize]) {
            [Some(a), Some(b)] if a == b => {
                let first = model.bodies[a].particles.start as u32;
                own[a].push(ElasticSpring { ends: spring.ends.map(|v| v - first), ..*spring });
            }
            _ => spring.ends.iter().for_each(|&v| take(&mut taken, v)),
        }
    }
    let mut gases = vec![None; model.bodies.len()];
    for (number, gas) in model.gases.obeying(GasLaw::Ideal) {
        let particles = &model.bodies[gas.body].particles;
        let inside = |v: &u32| particles.contains(&(*v as usize));
        if gases[gas.body].replace(number).is_some() || !gas.surface.iter().flatten().all(inside) {
            taken[gas.body] = true;
            gas.surface.iter().flatten().for_each(|&v| take(&mut taken, v));
        }
    }
    let (mut shapes, mut members) = (Vec::<Shape>::new(), Vec::<Vec<Member>>::new());
    for (body, springs) in own.into_iter().enumerate().filter(|&(body, _)| !taken[body]) {
        let Range { start: first, end } = model.bodies[body].particles;
        let surface = gases[body].map_or(&[][..], |gas| &model.gases.gases()[gas].surface);
        let surface = surface.iter().map(|t| t.map(|v| v - first as u32)).collect();
        let (skin, steps, list) = (Skin::default(), Vec::new(), Vec::new());
        let shape = Shape { points: end - first, springs, surface, skin, over: None, list, steps };
        let number = shapes.iter().position(|known| *known == shape).unwrap_or_else(|| {
            shapes.push(shape);
            members.push(Vec::new());
            shapes.len() - 1
        });
        members[number].push(Member { first, gas: gases[body] });
    }
    let both = shapes.into_iter().zip(members).filter(|(shape, members)| {
        members.len() >= few && !(shape.springs.is_empty() && shape.surface.is_empty())
    });
    both.map(|(shape, members)| (shape.arranged(), members)).unzip()
}

impl Shape {
    fn arranged(mut self) -> Self {
        let ends: Vec<[u32; 2]> = self.springs.iter().map(|spring| spring.ends).collect();
        let order = near_and_apart(self.points, &ends);
        self.springs = order.into_iter().map(|i| self.springs[i as usize]).collect();
        self.list = (0..self.points as u32).collect();
        self.skin = Skin::new(self.points, &self.surface);
        self
    }

    /// Its springs as those of a body.
    pub fn springs_from(&self, first: u32) -> impl Iterator<Item = ElasticSpring> + '_ {
        let moved = move |ends: [u32; 2]| ends.map(|v| v + first);
        self.springs.iter().map(move |spring| ElasticSpring { ends: moved(spring.ends), ..*spring })
    }

    pub fn spring_count(&self) -> usize {
        self.springs.len()
    }

    /// A step of `h` seconds begins.
    pub fn begin(&mut self, h: f64) {
        if self.over == Some(h) {
            return;
        }
        self.over = Some(h);
        self.steps.clear();
        self.steps.extend(self.springs.iter().map(|spring| SpringStep {
            ends: spring.ends,
            rest: spring.rest as f32,
            stiffness: (spring.stiffness * h * h) as f32,
            damping: (spring.damping * h) as f32,
        }));
    }
}

/// The body of each particle.
fn bodies_of(model: &Model) -> Vec<Option<usize>> {
    let mut of = vec![None; model.particle_count()];
    for (number, body) in model.bodies.iter().enumerate() {
        of[body.particles.clone()].fill(Some(number));
    }
    of
}
