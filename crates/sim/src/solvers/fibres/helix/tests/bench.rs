//! Strands on a bench: a body of them, what acts on it, and steps.

use glam::{DVec3, Vec3};

use crate::builder::ModelBuilder;
use crate::colliders::{Collider, ColliderStep};
use crate::model::Model;
use crate::motion::Pose;
use crate::soa::Soa3;
use crate::solvers::fibres::helix::Helices;
use crate::solvers::fibres::{RodStep, RootStep};
use crate::state::State;
use crate::strands::{
    Fibre, FibreDrag, Root, RootPath, StrandBody, StrandCurve, StrandLaw, StrandTouch, TouchParts,
};

pub(super) const G: f32 = 9.81;

/// A strand's material whose Γ = ρgSL³/EI is given, for a length and a density of 1.
pub(super) fn fibre(gamma: f64, twist_over_bend: f64) -> Fibre {
    let bending = f64::from(G) / gamma;
    Fibre {
        bending: bending as f32,
        twisting: (bending * twist_over_bend) as f32,
        density: 1.0,
        radius: 1e-4,
        taper: 1.0,
        inner_friction: 0.0,
        drag: FibreDrag::default(),
        rest_speed: 0.0,
    }
}

/// A row of points: an edge along `along`, then `edges` edges of a circle of curvature κ that
/// begins with that tangent and bends towards `towards`; all edges together without the first one
/// are `length` long along the circle.
pub(super) fn bow(
    along: Vec3,
    towards: Vec3,
    edges: usize,
    (length, curl): (f64, f64),
) -> Vec<Vec3> {
    let edge = length / edges as f64;
    let (along, towards) = (along.as_dvec3(), towards.as_dvec3());
    let point = |i: usize| {
        let s = (i as f64 - 1.0) * edge;
        if i == 0 || curl == 0.0 {
            return along * s;
        }
        let angle = curl * s;
        (along * angle.sin() + towards * (1.0 - angle.cos())) / curl
    };
    (0..=edges + 1).map(|i| point(i).as_vec3()).collect()
}

pub(super) struct Bench {
    pub model: Model,
    pub state: State,
    pub helices: Helices,
    pub push: Soa3,
    pub air: Soa3,
    /// Of each first edge at the start, and how all of them have been moved since.
    frames: Vec<Pose>,
    moved: Pose,
    pub gravity: Vec3,
    pub colliders: Vec<ColliderStep>,
}

impl Bench {
    /// Strands of one law; each starts as the first and is at rest as the second row of points.
    pub fn new(shapes: &[(Vec<Vec3>, Vec<Vec3>)], fibre: Fibre, pieces: u32) -> Self {
        Self::among(shapes, fibre, pieces, Vec::new())
    }

    pub fn among(
        shapes: &[(Vec<Vec3>, Vec<Vec3>)],
        fibre: Fibre,
        pieces: u32,
        colliders: Vec<Collider>,
    ) -> Self {
        let gravity = Vec3::NEG_Y * G;
        let mut builder = ModelBuilder::new(gravity);
        let strand = |(start, rest): &(Vec<Vec3>, Vec<Vec3>)| StrandCurve {
            start: start.clone(),
            rest: rest.clone(),
            root: Root { path: RootPath::Fixed, clamped: true },
        };
        builder.add_strands(&StrandBody {
            name: "strands".into(),
            strands: shapes.iter().map(strand).collect(),
            law: StrandLaw::Helix { pieces },
            fibre,
            velocity: Vec3::ZERO,
            damping: 0.0,
            touch: StrandTouch { friction: 0.0, parts: TouchParts::Points, crowd: None },
            clump: None,
            followers: None,
        });
        let steps: Vec<ColliderStep> =
            colliders.iter().map(|c| ColliderStep::new(&c.shape, c.rest, c.rest, 0.0)).collect();
        for collider in colliders {
            builder.add_collider(collider);
        }
        let (model, mut state) = builder.build();
        let mut helices =
            Helices::new(&model, 0, model.colliders.iter().map(|c| c.shape.clone()).collect());
        let mut numbers = vec![0.0; helices.numbers()];
        helices.prepare(&state, &mut numbers);
        state.fibres.numbers = numbers;
        let n = model.particle_count();
        Self {
            push: Soa3::zeros(n),
            air: Soa3::zeros(n),
            frames: model.strands[0].strands.iter().map(|strand| strand.root_pose).collect(),
            moved: Pose::IDENTITY,
            gravity,
            helices,
            model,
            state,
            colliders: steps,
        }
    }

    /// A step, at the end of which all roots have been moved by `moved` since the start.
    pub fn step_to(&mut self, h: f64, moved: Pose) {
        let step = |frame: &Pose| RootStep {
            start: self.moved.compose(*frame),
            end: moved.compose(*frame),
        };
        let roots: Vec<RootStep> = self.frames.iter().map(step).collect();
        self.moved = moved;
        let rubs: Vec<f32> = self.model.colliders.iter().map(|c| c.friction).collect();
        let (places, speeds) = (self.state.x.clone(), self.state.v.clone());
        let rods = RodStep {
            model: &self.model,
            set: &self.model.strands[0],
            h,
            gravity: self.gravity,
            roots: &roots,
            x: &places,
            v: &speeds,
            cut: &[],
            push: &self.push,
            air: &self.air,
            drawn: None,
            colliders: &self.colliders,
            rubs: &rubs,
        };
        let State { x, v, fibres, .. } = &mut self.state;
        self.helices.step(&rods, [x, v, &mut fibres.directors], &mut fibres.numbers);
    }

    pub fn step(&mut self, h: f64) {
        self.step_to(h, self.moved);
    }

    /// Steps in still, thick air until nothing moves.
    pub fn settle(&mut self, h: f64, steps: usize) {
        let drag = FibreDrag { viscous: 5.0, inertial: 0.0, along: 1.0 };
        let was = self.helices.set_drag(drag);
        for _ in 0..steps {
            self.step(h);
        }
        self.helices.set_drag(was);
    }

    pub fn point(&self, particle: usize) -> DVec3 {
        self.state.x.get(particle).as_dvec3()
    }

    pub fn tip(&self) -> DVec3 {
        self.point(self.model.particle_count() - 1)
    }

    pub fn fastest(&self) -> f32 {
        self.state.v.iter().map(Vec3::length).fold(0.0, f32::max)
    }

    /// Of all strands: motion, bending and height. [J]
    pub fn energy(&self) -> f64 {
        let numbers = &self.state.fibres.numbers;
        self.helices.energy(numbers, &self.roots(), self.gravity)
    }

    fn roots(&self) -> Vec<RootStep> {
        let at = |frame: &Pose| self.moved.compose(*frame);
        self.frames.iter().map(|f| RootStep { start: at(f), end: at(f) }).collect()
    }
}
