//! What springs over two cells do against bending, beside an elastica.

mod common;
mod implicit_kinds;
mod strips;

use common::G;
use glam::{Quat, Vec3};
use implicit_kinds::EULER;
use strips::{places, settle, tip};
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{Cloth, ClothShape, MassRule, SpringModel};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::Pose;
use tkanina_sim::topology::{GridPlane, GridShape};
use tkanina_sim::world::World;

/// Drop over reach of a heavy line clamped level whose moment is M = Cκ³: with Γ₃ = wL⁵/C,
/// (θ′³)′ = −Γ₃(1 − s)cos θ, θ(0) = 0, θ′(1) = 0, by shooting from the free end.
fn cubic_drop_over_reach(gamma: f64) -> f64 {
    let shoot = |end: f64| {
        let steps = 20_000;
        let h = 1.0 / f64::from(steps);
        // σ = 1 − s; the moment over C, m, grows by Γ₃σ cos θ, and θ falls by ∛m.
        let (mut theta, mut m, mut drop, mut reach) = (end, 0.0f64, 0.0, 0.0);
        for i in 0..steps {
            let sigma = (f64::from(i) + 0.5) * h;
            let middle = theta - 0.5 * h * m.cbrt();
            let grown = m + 0.5 * h * gamma * sigma * middle.cos();
            let middle = theta - 0.5 * h * grown.cbrt();
            theta -= h * grown.cbrt();
            m += h * gamma * sigma * middle.cos();
            drop += h * middle.sin();
            reach += h * middle.cos();
        }
        (theta, drop / reach)
    };
    let (mut low, mut high) = (0.0, 0.5 * std::f64::consts::PI);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if shoot(middle).0 < 0.0 { low = middle } else { high = middle }
    }
    shoot(0.5 * (low + high)).1
}

#[test]
fn a_line_of_the_cube_drops_by_the_third_root_of_a_small_weight() {
    // κ = (w(1 − s)²/2C)^⅓, so that the tip drops by ⅜(Γ₃/2)^⅓.
    let gamma = 1e-4f64;
    let known = 0.375 * (0.5 * gamma).cbrt();
    let found = cubic_drop_over_reach(gamma);
    assert!((found / known - 1.0).abs() < 1e-3, "{found} instead of {known}");
}

/// Two lines of a metre beyond their clamp, one kilogram a square metre, with springs over two
/// cells that make C = ⅛k a⁵ a line, and edges that hardly stretch.
fn strip(cells: usize, gamma: f64) -> World {
    let step = 1.0 / (cells as f32 - 0.5);
    let width = step;
    let weight = f64::from(G * width);
    let rigidity = weight / gamma / 2.0;
    let bend = (8.0 * rigidity / f64::from(step).powi(5)) as f32;
    let params = |stiffness| SpringParams { stiffness, damping: 0.0 };
    let size = [step * cells as f32, width];
    let cloth = Cloth {
        place: Pose::at(Vec3::X * (0.5 * size[0] - 0.5 * step)),
        ..Cloth::new(
            "strip",
            ClothShape::Grid(GridShape { counts: [cells + 1, 2], size, plane: GridPlane::Xz }),
            MassRule::AreaDensity(1.0),
            SpringModel::Neighbours12 {
                structural: params(300.0 * bend),
                shear: params(bend),
                bend: params(bend),
            },
        )
    };
    let mut b = ModelBuilder::new(Vec3::Y * -G);
    b.add_cloth(&cloth);
    for i in 0..2 * (cells + 1) {
        if b.position(i).x < 0.75 * step {
            b.hold(i, AnchorPath::Fixed, Grip::RIGID);
        }
    }
    let (model, state) = b.build();
    World::new(model, state, EULER)
}

/// Drop over reach at rest.
fn rests_at(cells: usize, gamma: f64) -> f64 {
    let mut w = strip(cells, gamma);
    let start = places(&w);
    settle(&mut w, 0.2, 200);
    let end = tip(&w, &start, Quat::IDENTITY);
    f64::from(-end.y / end.x)
}

#[test]
fn springs_over_two_cells_resist_by_the_cube_of_the_curvature() {
    // A line that turns by θ = κa at a point shortens the spring over it by aθ²/4: the energy is
    // ½k(aθ²/4)², and M = ⅛k a⁵κ³. So there is no rigidity B for a table of Γ, and what resists
    // vanishes with a⁵. Measured: within 0.4 %. At 40 cells k must be 10⁷ N/m for a weight of
    // ten newtons a square metre, where positions in f32 round a turn off.
    for gamma in [1.0, 10.0, 100.0] {
        let known = cubic_drop_over_reach(gamma);
        for cells in [10, 20] {
            let off = rests_at(cells, gamma) / known - 1.0;
            assert!(off.abs() < 0.01, "{cells} cells, Γ₃ {gamma}: off by {off}");
        }
    }
}
