//! What alike bodies share.

use std::ops::Range;

use crate::elastic::ElasticSpring;
use crate::elements::GasLaw;
use crate::model::Model;
use crate::solvers::colouring::Colours;

/// Points, springs and skin, with particle numbers from the body's first on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub points: usize,
    /// Colour after colour: one never waits for the one before.
    pub springs: Vec<ShapeSpring>,
    /// Triangles with gas behind them, if there is any.
    pub surface: Vec<[u32; 3]>,
}

/// A spring of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShapeSpring(ElasticSpring);

impl ShapeSpring {
    #[inline(always)]
    pub fn ends(&self) -> [usize; 2] {
        [self.0.ends[0] as usize, self.0.ends[1] as usize]
    }

    /// Length at rest [m], K = kh² and B = ch. [kg]
    #[inline(always)]
    pub fn numbers(&self, h: f64) -> [f32; 3] {
        let Self(spring) = self;
        [spring.rest as f32, (spring.stiffness * h * h) as f32, (spring.damping * h) as f32]
    }

    /// The spring of a body.
    pub fn moved_to(&self, first: u32) -> ElasticSpring {
        ElasticSpring { ends: self.0.ends.map(|v| v + first), ..self.0 }
    }
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
        let springs = springs.into_iter().map(ShapeSpring).collect();
        let shape = Shape { points: end - first, springs, surface };
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
    both.map(|(shape, members)| (shape.by_colour(), members)).unzip()
}

impl Shape {
    fn by_colour(mut self) -> Self {
        let ends: Vec<[u32; 2]> = self.springs.iter().map(|spring| spring.0.ends).collect();
        let colours = Colours::of_elements(self.points, &ends);
        self.springs = colours.order().iter().map(|&i| self.springs[i as usize]).collect();
        self
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
