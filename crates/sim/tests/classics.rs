//! Pendulum, hanging chain and catenary.

mod common;

use common::{Crossings, DOWN, G, spring};
use glam::Vec3;
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::model::AnchorPath;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::world::World;

/// Complete elliptic integral of the first kind by the arithmetic–geometric mean.
fn elliptic_k(k: f64) -> f64 {
    let (mut a, mut b) = (1.0f64, (1.0 - k * k).sqrt());
    for _ in 0..30 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

#[test]
fn pendulum_period_at_any_amplitude() {
    for (degrees, ratio) in [(10.0f64, 1.0019), (90.0, 1.1803), (150.0, 1.7622)] {
        let start = degrees.to_radians();
        let g = f64::from(G);
        let period = 4.0 * (1.0 / g).sqrt() * elliptic_k((start / 2.0).sin());
        let small = std::f64::consts::TAU * (1.0 / g).sqrt();
        assert!((period / small - ratio).abs() < 1e-4, "the formula itself");
        for kind in [
            SolverKind::Verlet { loss: 0.0 },
            SolverKind::VelocityVerlet,
            SolverKind::SemiImplicitEuler,
            SolverKind::Rk4,
        ] {
            let mut b = ModelBuilder::new(DOWN);
            let top = b.add_particle(1.0, Vec3::ZERO, Vec3::ZERO);
            let place = Vec3::new(start.sin() as f32, -start.cos() as f32, 0.0);
            let bob = b.add_particle(1.0, place, Vec3::ZERO);
            b.hold(top, AnchorPath::Fixed, Grip::RIGID);
            b.add_spring(spring(top, bob, 1.0, 1e5, 0.0));
            let (model, state) = b.build();
            let mut w = World::new(model, state, kind);
            let mut crossings = Crossings::default();
            while crossings.times.len() < 3 {
                crossings.see(w.state().time, f64::from(w.state().x.get(bob).x));
                w.step(1e-4);
            }
            let measured = crossings.times[2] - crossings.times[0];
            let error = measured / period - 1.0;
            assert!(error.abs() < 1e-3, "{kind:?} from {degrees}°: {measured} not {period}");
        }
    }
}

const NODES: usize = 100;

/// A chain of length 1 and mass 1 hanging from the origin in equilibrium, node i at
/// depth i/NODES, pushed sideways by `shape(height above the free end)`.
fn hanging_chain(shape: impl Fn(f64) -> f64) -> World {
    let mut b = ModelBuilder::new(DOWN);
    let link = 1.0 / NODES as f32;
    let stiffness = 2e5;
    for i in 0..=NODES {
        let mass = if i == NODES { 0.5 * link } else { link };
        let side = shape(1.0 - i as f64 / NODES as f64) as f32;
        b.add_particle(mass, Vec3::new(side, -(i as f32) * link, 0.0), Vec3::ZERO);
    }
    b.hold(0, AnchorPath::Fixed, Grip::RIGID);
    for i in 0..NODES {
        let below: f32 = (i + 1..=NODES).map(|j| b.mass(j)).sum();
        // At rest the link is exactly 1/NODES long under the weight below it.
        b.add_spring(spring(i, i + 1, link - below * G / stiffness, stiffness, 0.0));
    }
    let (model, state) = b.build();
    World::new(model, state, SolverKind::Verlet { loss: 0.0 })
}

#[test]
fn hanging_chain_swings_at_the_zeros_of_the_bessel_function() {
    // ω_n = (j₀,ₙ/2)√(g/L), shape J₀(j₀,ₙ √(z/L)).
    for zero in [2.404_825_557_695_773, 5.520_078_110_286_311] {
        let omega = 0.5 * zero * f64::from(G).sqrt();
        let mut w = hanging_chain(|z| 0.005 * libm::j0(zero * z.sqrt()));
        let mut crossings = Crossings::default();
        while crossings.times.len() < 3 {
            crossings.see(w.state().time, f64::from(w.state().x.get(NODES).x));
            w.step(1e-4);
            assert!(w.state().time < 10.0);
        }
        let measured = std::f64::consts::TAU / (crossings.times[2] - crossings.times[0]);
        assert!((measured / omega - 1.0).abs() < 0.01, "{measured} not {omega}");
    }
}

#[test]
fn a_chain_between_two_nails_is_a_catenary() {
    let (span, length) = (1.0f64, 1.5f64);
    // S = 2a sinh(d/2a) for a, by bisection; sag = a(cosh(d/2a) − 1).
    let (mut low, mut high) = (0.05, 5.0);
    for _ in 0..100 {
        let a = 0.5 * (low + high);
        if 2.0 * a * (span / (2.0 * a)).sinh() > length { low = a } else { high = a }
    }
    let a = low;
    let mut b = ModelBuilder::new(DOWN);
    let link = length / NODES as f64;
    for i in 0..=NODES {
        let s = i as f64 / NODES as f64;
        // A triangle of the right length to start from.
        let depth = (0.25 * (length * length - span * span)).sqrt() * (1.0 - (2.0 * s - 1.0).abs());
        b.add_particle(1e-3, Vec3::new((s * span) as f32, -depth as f32, 0.0), Vec3::ZERO);
    }
    b.hold(0, AnchorPath::Fixed, Grip::RIGID);
    b.hold(NODES, AnchorPath::Fixed, Grip::RIGID);
    for i in 0..NODES {
        b.add_spring(spring(i, i + 1, link as f32, 5e4, 0.5));
    }
    let (mut model, state) = b.build();
    model.damping.fill(8e-3);
    let mut w = World::new(model, state, SolverKind::Verlet { loss: 0.0 });
    (0..80_000).for_each(|_| w.step(5e-5));
    for i in 0..=NODES {
        let at = w.state().x.get(i).as_dvec3();
        let u = at.x - 0.5 * span;
        let expected = a * ((u / a).cosh() - (0.5 * span / a).cosh());
        assert!((at.y - expected).abs() < 0.005 * length, "node {i}: {} not {expected}", at.y);
    }
    let sag = -w.state().x.get(NODES / 2).y as f64;
    let expected = a * ((0.5 * span / a).cosh() - 1.0);
    assert!((sag / expected - 1.0).abs() < 0.005, "sag {sag} not {expected}");
}
