use super::*;
use crate::builder::ModelBuilder;
use crate::cloth::{Cloth, ClothShape, MassRule, SpringModel};
use crate::colliders::forms::ico_sphere;
use crate::elements::{GasLaw, SpringParams};
use crate::motion::Pose;
use crate::soft_body::{GasAmount, GasFill, SoftBody, SoftMass};
use crate::topology::{GridPlane, GridShape};

const N: usize = 4;

/// A sheet of edges of 0.1 m that weighs 0.18 N; 1.03 L at a stiffness of 60 N/m.
fn sheet(stiffness: f32) -> Model {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    builder.add_cloth(&cloth(stiffness));
    builder.build().0
}

fn cloth(stiffness: f32) -> Cloth {
    let spring = SpringParams { stiffness, damping: 0.0 };
    let grid = GridShape { counts: [N, N], size: [0.3, 0.3], plane: GridPlane::Xz };
    let springs = SpringModel::Neighbours12 { structural: spring, shear: spring, bend: spring };
    Cloth::new("sheet", ClothShape::Grid(grid), MassRule::AreaDensity(0.2), springs)
}

/// The longest edge over its length at rest, of a sheet that was drawn out along x by one factor when the
/// step started and is by another now, after so many goes.
fn longest(stiffness: f32, holds: bool, ways: [f32; 2], goes: usize) -> f32 {
    let model = sheet(stiffness);
    longest_of(&model, (holds, Some(model.gravity)), ways, goes)
}

/// The same under another weight, if nothing else pulls.
fn longest_of(
    model: &Model,
    (holds, gravity): (bool, Option<Vec3>),
    [start, now]: [f32; 2],
    goes: usize,
) -> f32 {
    let places = |factor: f32| -> Vec<Point4> {
        let rest = |i: usize| [(i % N) as f32 * 0.1 * factor, 0.0, (i / N) as f32 * 0.1, 0.0];
        (0..model.particle_count()).map(|i| rest(i % (N * N))).collect()
    };
    let points = model.particle_count();
    let (start, mut y) = (places(start), places(now));
    let mut tight = Tight::new(model, points);
    tight.hold(holds);
    tight.weigh(gravity);
    for _ in 0..goes {
        tight.begin(&y);
        tight.draw(&model.inverse_mass, &start, &mut y);
    }
    let length = |edge: &Edge| {
        let [a, b] = edge.ends.map(|v| place(&y[v as usize]));
        a.distance(b) / edge.rest
    };
    model.edges.edges().iter().map(length).fold(0.0, f32::max)
}

#[test]
fn what_could_bear_the_sheet_is_drawn_in_though_nothing_pushed_it() {
    let long = longest(100.0, true, [1.0, 1.1], 20);
    assert!((1.0..1.0305).contains(&long), "{long}");
}

#[test]
fn what_was_long_comes_in_by_a_part_a_step() {
    let long = longest(100.0, true, [1.2, 1.3], 20);
    assert!((1.175..1.177).contains(&long), "{long}");
}

#[test]
fn what_stretches_under_weight_or_is_not_held_stays_as_long_as_it_is() {
    for (stiffness, holds) in [(20.0, true), (100.0, false)] {
        let long = longest(stiffness, holds, [1.0, 1.1], 20);
        assert!((long - 1.1).abs() < 1e-5, "{stiffness} {holds}: {long}");
    }
}

#[test]
fn what_bears_too_little_or_is_pulled_by_more_than_weight_stays_as_long_as_it_is() {
    let model = sheet(100.0);
    let two = {
        let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
        (0..2).for_each(|_| drop(builder.add_cloth(&cloth(100.0))));
        builder.build().0
    };
    let once = Some(model.gravity);
    for (model, gravity) in [(&model, once.map(|g| 2.0 * g)), (&model, None), (&two, once)] {
        let long = longest_of(model, (true, gravity), [1.0, 1.1], 20);
        assert!((long - 1.1).abs() < 1e-5, "{gravity:?}: {long}");
    }
    assert!(longest_of(&two, (true, once.map(|g| 0.5 * g)), [1.0, 1.1], 20) < 1.0305);
}

#[test]
fn edges_of_skins_full_of_gas_stay_as_long_as_they_are_pushed() {
    let body = |gas: bool| {
        let mut builder = ModelBuilder::new(Vec3::ZERO);
        builder.add_soft_body(&SoftBody {
            gas: gas.then(|| GasFill {
                law: GasLaw::Ideal,
                amount: GasAmount::Overpressure(100.0),
                inflation: Vec::new(),
                leak: 0.0,
                outside: 1000.0,
            }),
            ..ball()
        });
        builder.build().0
    };
    for gas in [true, false] {
        let model = body(gas);
        let edge = model.edges.edges()[0];
        let at = |i: usize| {
            let x = model.bodies[0].rest[i];
            [x.x, x.y, x.z, 0.0]
        };
        let start: Vec<Point4> = (0..model.particle_count()).map(at).collect();
        let mut tight = Tight::new(&model, start.len());
        tight.begin(&start);
        let mut y = start.clone();
        let [a, b] = edge.ends.map(|v| v as usize);
        for d in 0..3 {
            y[b][d] = start[a][d] + 2.0 * (start[b][d] - start[a][d]);
        }
        tight.note(&[b as u32]);
        for _ in 0..50 {
            tight.draw(&model.inverse_mass, &start, &mut y);
        }
        let long = place(&y[a]).distance(place(&y[b])) / edge.rest;
        assert!(if gas { long > 1.99 } else { long < 1.04 }, "gas {gas}: {long}");
    }
}

fn ball() -> SoftBody {
    SoftBody {
        name: "ball".to_owned(),
        skin: ico_sphere(0.1, 1),
        place: Pose::default(),
        velocity: Vec3::ZERO,
        mass: SoftMass::Total(0.1),
        edges: SpringParams { stiffness: 20.0, damping: 0.0 },
        centre: None,
        gas: None,
        solid: None,
        cores: None,
        damping: 0.0,
        tears_at: f32::INFINITY,
        carried: None,
    }
}
