//! Soft bodies in contact.

use glam::Vec3;
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::colliders::forms::ico_sphere;
use tkanina_sim::contact::{BodyContact, ContactLaw, Rub};
use tkanina_sim::elements::{GasLaw, SpringParams};
use tkanina_sim::motion::Pose;
use tkanina_sim::soft_body::{GasAmount, GasFill, SoftBody, SoftMass};
use tkanina_sim::solvers::choose;
use tkanina_sim::world::World;

use super::row::Row;
use super::touching::{Run, floor};

/// Balls that fall on each other in two layers of so many by so many; frames.
const CASES: [(usize, usize, Option<f64>); 2] = [(2, 60, None), (10, 40, Some(16.7))];

/// Balls of 642 points, filled with gas, that fall in a heap.
pub fn heap(_: u32) -> impl Iterator<Item = Row> {
    CASES.into_iter().flat_map(|(side, frames, owed)| {
        let run = Run::of(|| balls(side), 2, frames);
        let rows = run.rows("soft", &format!("{} balls of 642", side * side), 2, (owed, None));
        // Gas stretches a skin as far as its springs let it.
        rows.into_iter().filter(|row| !row.case.ends_with("stretch at the end"))
    })
}

fn balls(side: usize) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    builder.add_collider(floor());
    let radius = 0.1;
    let count = side * side;
    for ball in 0..count {
        // Two layers, the upper one over the gaps of the lower.
        let (layer, place) = (ball % 2, ball / 2);
        let width = (side / 2).max(1);
        let shift = if layer == 0 { 0.0 } else { 0.5 };
        let at = |k: usize| (k as f32 + shift) * 2.1 * radius as f32;
        let y = radius as f32 * (1.2 + 2.0 * layer as f32);
        builder.add_soft_body(&SoftBody {
            name: format!("ball{ball}"),
            skin: ico_sphere(radius, 3),
            place: Pose::at(Vec3::new(at(place % width), y, at(place / width))),
            velocity: Vec3::ZERO,
            mass: SoftMass::Total(0.05),
            edges: SpringParams { stiffness: 20.0, damping: 0.01 },
            centre: None,
            gas: Some(GasFill {
                law: GasLaw::Ideal,
                amount: GasAmount::Overpressure(200.0),
                inflation: Vec::new(),
                leak: 0.0,
                outside: 1000.0,
            }),
            solid: None,
            cores: None,
            damping: 1e-4,
            tears_at: f32::INFINITY,
            carried: None,
        });
    }
    let thickness = 0.002;
    builder.set_contact_offset(thickness);
    builder.set_contact(ContactLaw {
        bodies: vec![BodyContact { touches_itself: false, thickness }; count],
        thickness,
        safe: true,
        rub: Rub { friction: 0.3, restitution: 0.0 },
        pairs: Vec::new(),
    });
    let (model, state) = builder.build();
    let kind = choose(&model).kind;
    World::new(model, state, kind)
}
