use glam::Vec3;

use super::*;
use crate::builder::ModelBuilder;
use crate::cloth::{Cloth, ClothShape, MassRule, SpringModel};
use crate::contact::setup::{BodyContact, ContactLaw, ContactSetup, Rub};
use crate::elements::SpringParams;
use crate::topology::{GridPlane, GridShape};

/// A sheet of 3 × 3 points.
fn sheet() -> Model {
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    let spring = SpringParams { stiffness: 1.0, damping: 0.0 };
    let springs = SpringModel::Neighbours12 { structural: spring, shear: spring, bend: spring };
    let shape = GridShape { counts: [3, 3], size: [1.0, 1.0], plane: GridPlane::Xz };
    let shape = ClothShape::Grid(shape);
    builder.add_cloth(&Cloth::new("sheet", shape, MassRule::PerPoint(1.0), springs));
    builder.set_contact(ContactLaw {
        bodies: vec![BodyContact { touches_itself: true, thickness: 0.01 }],
        thickness: 0.01,
        safe: true,
        rub: Rub::default(),
        pairs: Vec::new(),
    });
    builder.build().0
}

#[test]
fn what_was_too_far_apart_is_pushed_once_it_has_come_near() {
    let model = sheet();
    let bodies = ContactSetup::of(&model).unwrap().bodies;
    let weights = [1.0; 9];
    // The first point over a triangle of others.
    let at = |height: f32| -> Vec<Point4> {
        let mut x = vec![[0.0; 4]; 9];
        (x[1], x[2], x[3]) = ([0.2, 0.0, 0.0, 0.0], [0.0, 0.0, 0.2, 0.0], [-0.2, 0.0, -0.2, 0.0]);
        x[0][1] = height;
        x
    };
    let third = -1.0 / 3.0;
    let pair = Watched {
        points: [0, 1, 2, 3],
        weights: [1.0, third, third, third],
        normal: [0.0, 1.0, 0.0],
        thickness: 0.01,
        inside: true,
        near: true,
        apart: true,
        ..Watched::NONE
    };
    let mut pairs = [vec![pair], Vec::new()];
    let mut groups = Groups::new(&model, 9);
    let (start, mut y) = (at(0.02), at(0.019));
    let settling =
        Settling { start: &start, weights: &weights, h: 0.01, bodies: &bodies, resting_speed: 0.0 };
    groups.find((&pairs, [&[0], &[]]), 2.0, &y, &mut Default::default());
    let mut touched = [Vec::new(), Vec::new()];
    assert_eq!(groups.push(&settling, 2, &mut y, (&mut pairs, &mut touched)), 0);
    // Whatever else it was that brought it there.
    y[0][1] = 0.004;
    assert_eq!(groups.push(&settling, 2, &mut y, (&mut pairs, &mut touched)), 1);
    assert_eq!(touched, [vec![0], vec![]]);
    let gap = pairs[0][0].gap(&pair.points, &y);
    assert!((gap - 0.01).abs() < 1e-6, "{gap} m");
}
