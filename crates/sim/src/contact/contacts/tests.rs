use std::ops::Range;

use glam::Vec3;

use super::*;
use crate::builder::ModelBuilder;
use crate::cloth::{Cloth, ClothShape, MassRule, SpringModel};
use crate::contact::{BodyContact, ContactLaw, Rub};
use crate::elements::SpringParams;
use crate::motion::Pose;
use crate::strands::{
    Fibre, FibreDrag, Root, RootPath, StrandBody, StrandCurve, StrandLaw, StrandTouch, TouchParts,
};
use crate::topology::{GridPlane, GridShape};

const THICKNESS: f32 = 0.004;
const RADIUS: f32 = 0.005;
const N: usize = 5;

/// Two sheets that are too near each other, and below them a rod that is too near the lower one.
fn near_each_other() -> (Model, State) {
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    let spring = SpringParams { stiffness: 1.0, damping: 0.0 };
    for (name, height) in [("lower", 0.0), ("upper", 0.9 * THICKNESS)] {
        let grid = GridShape { counts: [N, N], size: [0.4, 0.4], plane: GridPlane::Xz };
        let springs = SpringModel::Neighbours12 { structural: spring, shear: spring, bend: spring };
        let shape = ClothShape::Grid(grid);
        let cloth = Cloth::new(name, shape, MassRule::AreaDensity(0.2), springs);
        builder.add_cloth(&Cloth { place: Pose::at(Vec3::Y * height), ..cloth });
    }
    let distance = 0.9 * (RADIUS + 0.5 * THICKNESS);
    let start: Vec<Vec3> =
        (0..4).map(|i| Vec3::new(-0.07 + 0.05 * i as f32, -distance, 0.02)).collect();
    let root = Root { path: RootPath::Free, clamped: false };
    builder.add_strands(&StrandBody {
        name: "rod".to_owned(),
        strands: vec![StrandCurve { rest: start.clone(), start, root }],
        law: StrandLaw::Rod,
        fibre: Fibre {
            bending: 1e-4,
            twisting: 1e-4,
            density: 0.1,
            radius: RADIUS,
            taper: 1.0,
            inner_friction: 0.0,
            drag: FibreDrag::default(),
            rest_speed: 0.0,
        },
        velocity: Vec3::ZERO,
        damping: 0.0,
        touch: StrandTouch { friction: 0.3, parts: TouchParts::Segments, crowd: None },
        clump: None,
        followers: None,
    });
    builder.set_contact(ContactLaw {
        bodies: vec![BodyContact { touches_itself: true, thickness: THICKNESS }; 3],
        thickness: THICKNESS,
        safe: true,
        rub: Rub::default(),
        pairs: Vec::new(),
    });
    builder.build()
}

#[test]
fn strands_settled_alone_leave_all_else_to_the_end_of_the_step() {
    let (model, mut state) = near_each_other();
    let (lower, upper, rod) = (0..N * N, N * N..2 * N * N, 2 * N * N..2 * N * N + 4);
    let mut contacts = Contacts::new(&model, &state).unwrap();
    let h = 1e-3;
    let mut conditions = Conditions::at(&model, &state);
    conditions.begin_step(&model, &state, f64::from(h));
    contacts.begin_frame();
    contacts.begin_step(&model, &mut state, &conditions, (1, 1));
    let before = state.clone();
    let moved = |state: &State, range: Range<usize>| {
        range.filter(|&i| state.x.get(i) != before.x.get(i)).count()
    };
    let State { x, v, .. } = &mut state;
    assert!(contacts.settle_strands((x, v), &model.inverse_mass, h) > 0);
    assert_eq!(moved(&state, upper.clone()), 0, "sheets are left as they are");
    assert!(moved(&state, rod.clone()) > 0 && moved(&state, lower.clone()) > 0);
    // Momentum: strands by their places, the sheet by its speeds.
    let push = |i: usize| (state.x.get(i) - before.x.get(i)) * (model.mass[i] / h);
    let of_rod: Vec3 = rod.clone().map(push).sum();
    let of_sheet: Vec3 = lower.clone().map(|i| state.v.get(i) * model.mass[i]).sum();
    assert!(of_sheet.y > 0.0 && (of_rod + of_sheet).length() < 1e-3 * of_sheet.length());
    assert!(rod.clone().all(|i| state.v.get(i) == Vec3::ZERO));
    // At the end of the step sheets are held apart too.
    contacts.secure((&model, &conditions), &mut state, f64::from(h));
    assert!(moved(&state, upper) > 0);
}
