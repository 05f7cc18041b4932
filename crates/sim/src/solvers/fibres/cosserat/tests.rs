//! Rods of Cosserat against known answers.

use glam::{DVec3, Vec3};

use super::Cosserats;
use crate::builder::ModelBuilder;
use crate::model::Model;
use crate::soa::Soa3;
use crate::solvers::fibres::reference::{bend_twist_onset, cantilever};
use crate::solvers::fibres::{RodStep, RootStep};
use crate::state::State;
use crate::strands::{
    Fibre, FibreDrag, Root, RootPath, StrandBody, StrandCurve, StrandLaw, StrandTouch, TouchParts,
};

const G: f32 = 9.81;

struct Bench {
    model: Model,
    state: State,
    rods: Cosserats,
    gravity: Vec3,
    push: Soa3,
}

/// An edge along `along`, then a circle of curvature `curl` over a length of 1.
fn bow(along: Vec3, towards: Vec3, edges: usize, curl: f64) -> Vec<Vec3> {
    let (along, towards) = (along.as_dvec3(), towards.as_dvec3());
    let point = |i: usize| {
        let s = (i as f64 - 1.0) / edges as f64;
        let angle = curl * s;
        if curl == 0.0 {
            return along * s;
        }
        if i == 0 {
            // As long as all the others.
            return along * (-2.0 / curl * (0.5 * curl / edges as f64).sin());
        }
        (along * angle.sin() + towards * (1.0 - angle.cos())) / curl
    };
    (0..=edges + 1).map(|i| point(i).as_vec3()).collect()
}

impl Bench {
    fn new(shapes: &[Vec<Vec3>], gamma: f64, sweeps: u32, drag: f32) -> Self {
        let gravity = Vec3::NEG_Y * G;
        let mut builder = ModelBuilder::new(gravity);
        let bending = f64::from(G) / gamma;
        let root = || Root { path: RootPath::Fixed, clamped: true };
        let strand = |shape: &Vec<Vec3>| StrandCurve {
            start: shape.clone(),
            rest: shape.clone(),
            root: root(),
        };
        builder.add_strands(&StrandBody {
            name: "rods".into(),
            strands: shapes.iter().map(strand).collect(),
            law: StrandLaw::Cosserat { sweeps },
            fibre: Fibre {
                bending: bending as f32,
                twisting: (0.46 * bending) as f32,
                density: 1.0,
                radius: 5e-3,
                taper: 1.0,
                inner_friction: 0.0,
                drag: FibreDrag { viscous: drag, inertial: 0.0, along: 1.0 },
                rest_speed: 0.0,
            },
            velocity: Vec3::ZERO,
            damping: 0.0,
            touch: StrandTouch { friction: 0.0, parts: TouchParts::Points, crowd: None },
            clump: None,
            followers: None,
        });
        let (model, mut state) = builder.build();
        let mut rods = Cosserats::new(&model, 0, Vec::new());
        let mut numbers = vec![0.0; rods.numbers()];
        rods.prepare(&state, &mut numbers);
        state.fibres.numbers = numbers;
        let push = Soa3::zeros(model.particle_count());
        Self { model, state, rods, gravity, push }
    }

    fn run(&mut self, h: f64, steps: usize) {
        let frames = self.model.strands[0].strands.iter().map(|strand| strand.root_pose);
        let roots: Vec<RootStep> = frames.map(|f| RootStep { start: f, end: f }).collect();
        let air = Soa3::zeros(self.model.particle_count());
        for _ in 0..steps {
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
                air: &air,
                drawn: None,
                colliders: &[],
                rubs: &[],
            };
            let State { x, v, fibres, .. } = &mut self.state;
            self.rods.step(&rods, [x, v, &mut fibres.directors], &mut fibres.numbers);
        }
    }

    fn tip(&self) -> DVec3 {
        self.state.x.get(self.model.particle_count() - 1).as_dvec3()
    }
}

#[test]
fn a_cantilever_bends_as_the_elastica() {
    for gamma in [1.0, 10.0] {
        let shape = bow(Vec3::X, Vec3::Z, 16, 0.0);
        let mut bench = Bench::new(&[shape], gamma, 1, 3.0);
        bench.run(1.0 / 60.0, 300);
        let (tip, known) = (bench.tip(), cantilever(gamma));
        let ratio = -tip.y / tip.x / (known.y / known.x);
        assert!((ratio - 1.0).abs() < 0.03, "{gamma}: {tip} is not {known}, {ratio}");
    }
}

#[test]
fn a_curl_that_hangs_leaves_its_plane_where_twist_costs_less_than_bending() {
    let gamma = 20.0;
    let leaves = |curl: f64| {
        let mut bench = Bench::new(&[bow(Vec3::NEG_Y, Vec3::X, 20, curl)], gamma, 1, 1.5);
        bench.push.z.fill(0.5);
        bench.run(1.0 / 60.0, 60);
        bench.push.z.fill(0.0);
        bench.run(1.0 / 60.0, 600);
        f64::from(bench.state.x.z.iter().map(|z| z.abs()).fold(0.0, f32::max))
    };
    let onset = bend_twist_onset(gamma, 0.46);
    let (below, above) = (leaves(0.97 * onset), leaves(1.03 * onset));
    assert!(below < 5e-3, "{below}");
    assert!(above > 0.05, "{above}");
}

#[test]
fn the_natural_shape_stays_where_it_is() {
    let shape = bow(Vec3::NEG_Y, Vec3::X, 20, 5.0);
    let mut bench = Bench::new(&[shape], 50.0, 2, 0.0);
    bench.gravity = Vec3::ZERO;
    let before = bench.state.x.clone();
    bench.run(1.0 / 60.0, 60);
    let moved = (0..before.len()).map(|i| (bench.state.x.get(i) - before.get(i)).length());
    let farthest = moved.fold(0.0, f32::max);
    assert!(farthest < 2e-6, "{farthest}");
}

#[test]
fn hair_comes_to_rest() {
    // As thin beside its edges as hair is.
    for sweeps in [1, 3] {
        let mut bench = Bench::new(&[bow(Vec3::X, Vec3::Y, 23, 1.9)], 8.0, sweeps, 8.0);
        bench.rods.thin(3e-4);
        bench.run(1.0 / 60.0, 240);
        let fastest = bench.state.v.iter().map(Vec3::length).fold(0.0, f32::max);
        assert!(fastest < 1e-3, "{sweeps} sweeps: {fastest}");
    }
}

#[test]
fn threads_do_not_show() {
    let run = |threads: usize| {
        let shapes: Vec<_> = (0..7).map(|i| bow(Vec3::X, Vec3::Z, 12, f64::from(i))).collect();
        let mut bench = Bench::new(&shapes, 20.0, 2, 0.1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| bench.run(1.0 / 60.0, 6));
        bench.state
    };
    let one = run(1);
    for threads in [2, 3, 8] {
        assert!(run(threads) == one, "{threads} threads");
    }
}
