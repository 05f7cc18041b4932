//! Rods against known answers.

use glam::Vec3;
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::strands::{
    Fibre, FibreDrag, Root, RootPath, StrandBody, StrandCurve, StrandLaw, StrandTouch, TouchParts,
};
use tkanina_sim::world::World;

/// Human hair of 60 µm.
fn hair() -> Fibre {
    let (d, young): (f64, f64) = (60e-6, 3.89e9);
    let bending = young * std::f64::consts::PI * d.powi(4) / 64.0;
    Fibre {
        bending: bending as f32,
        twisting: (0.46 * bending) as f32,
        density: (1320.0 * std::f64::consts::PI * d * d / 4.0) as f32,
        radius: 30e-6,
        taper: 1.0,
        inner_friction: 0.0,
        drag: FibreDrag::default(),
        rest_speed: 0.0,
    }
}

fn touch() -> StrandTouch {
    StrandTouch { friction: 0.0, parts: TouchParts::Points, crowd: None }
}

fn straight(from: Vec3, direction: Vec3, length: f32, points: usize) -> Vec<Vec3> {
    let at = |i: usize| from + direction * (length * i as f32 / (points - 1) as f32);
    (0..points).map(at).collect()
}

fn strand(fibre: Fibre, points: Vec<Vec3>, clamped: bool) -> StrandBody {
    let root = Root { path: RootPath::Fixed, clamped };
    StrandBody {
        name: "hair".into(),
        strands: vec![StrandCurve { start: points.clone(), rest: points, root }],
        law: StrandLaw::Rod,
        fibre,
        velocity: Vec3::ZERO,
        damping: 0.0,
        touch: touch(),
        clump: None,
        followers: None,
    }
}

fn world(body: &StrandBody) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    builder.add_strands(body);
    let (model, state) = builder.build();
    World::new(model, state, SolverKind::LineProjection { iterations: None, embed: None })
}

/// Tip drop over reach of a cantilever, Γ = ρ g S L³/EI, by shooting.
fn elastica(gamma: f64) -> f64 {
    let shoot = |bend: f64| {
        let n = 2000;
        let ds = 1.0 / n as f64;
        let (mut angle, mut rate, mut x, mut y) = (0.0f64, bend, 0.0, 0.0);
        for i in 0..n {
            let f = |s: f64, a: f64| -gamma * (1.0 - s) * a.cos();
            let s = i as f64 * ds;
            let half = angle + 0.5 * ds * rate;
            let middle = rate + 0.5 * ds * f(s, angle);
            x += ds * half.cos();
            y += ds * half.sin();
            rate += ds * f(s + 0.5 * ds, half);
            angle += ds * middle;
        }
        (rate, x, y)
    };
    let (mut low, mut high) = (0.0, gamma);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if shoot(middle).0 > 0.0 { high = middle } else { low = middle }
    }
    let (_, x, y) = shoot(0.5 * (low + high));
    y / x
}

#[test]
fn a_cantilever_bends_as_the_elastica() {
    for (gamma, sub) in
        [(1.0f64, 1), (10.0, 1), (50.0, 1), (10.0, 2), (10.0, 4), (10.0, 16), (1.0, 16)]
    {
        let fibre = hair();
        let weight = f64::from(fibre.density) * 9.81;
        let length = (gamma * f64::from(fibre.bending) / weight).cbrt();
        let points = 32;
        // The first edge is held: what is free begins at its end.
        let whole = length * (points - 1) as f64 / (points - 2) as f64;
        let line = straight(Vec3::ZERO, Vec3::X, whole as f32, points);
        let mut body = strand(fibre, line, true);
        body.damping = 8.0 * fibre.density * (whole / 31.0) as f32;
        let mut world = world(&body);
        for _ in 0..600 {
            world.advance_frame(1.0 / 60.0, sub).unwrap();
        }
        let x = &world.state().x;
        let (root, tip) = (x.get(1), x.get(points - 1));
        let found = f64::from((root.y - tip.y) / (tip.x - root.x));
        let expected = elastica(gamma);
        println!("{gamma}: {found} {expected} {:.2} %", 100.0 * (found / expected - 1.0));
        assert!((found / expected - 1.0).abs() < 0.03, "{gamma}: {found} is not {expected}");
    }
}
