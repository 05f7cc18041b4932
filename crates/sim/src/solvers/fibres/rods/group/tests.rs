//! What a group knows of its strands.

use glam::Vec3;

use super::Group;
use crate::builder::ModelBuilder;
use crate::strands::{
    Fibre, FibreDrag, Root, RootPath, StrandBody, StrandCurve, StrandLaw, StrandTouch, TouchParts,
};

/// Three hairs off the origin that turn by `angle` at each point. [rad]
fn group(angle: f32) -> Group {
    let mut points = vec![Vec3::new(0.31, 0.17, -0.23)];
    for i in 0..31 {
        let (sine, cosine) = libm::sincosf(0.7 + angle * i as f32);
        points.push(points[i] + 0.008 * Vec3::new(cosine, 0.6 * sine, 0.8 * sine));
    }
    let strand = StrandCurve {
        start: points.clone(),
        rest: points,
        root: Root { path: RootPath::Fixed, clamped: true },
    };
    let mut builder = ModelBuilder::new(Vec3::NEG_Y);
    builder.add_strands(&StrandBody {
        name: "hair".into(),
        strands: vec![strand; 3],
        law: StrandLaw::Rod,
        fibre: Fibre {
            bending: 2.5e-9,
            twisting: 1e-9,
            density: 3.7e-6,
            radius: 3e-5,
            taper: 1.0,
            inner_friction: 0.0,
            drag: FibreDrag::default(),
            rest_speed: 0.0,
        },
        velocity: Vec3::ZERO,
        damping: 0.0,
        touch: StrandTouch { friction: 0.0, parts: TouchParts::Points, crowd: None },
        clump: None,
        followers: None,
    });
    let (model, _) = builder.build();
    Group::new(&model.strands[0], 0, &[0, 1, 2])
}

#[test]
fn rounding_makes_no_curl() {
    assert!(!group(0.0).curly);
    assert!(group(1e-3).curly);
}

#[test]
fn strands_in_order_are_written_back_together() {
    let mut group = group(0.0);
    assert_eq!(group.neighbours(), Some(3));
    for (j, point) in group.strip.x.iter_mut().enumerate() {
        for (d, lane) in point.iter_mut().enumerate() {
            lane.0 = std::array::from_fn(|l| (1000 * l + 10 * j + d) as f32);
        }
    }
    let mut out = [(); 3].map(|()| crate::soa::Soa3::zeros(3 * 32));
    group.put_all(out.each_mut().map(|soa| soa.view_mut()));
    for i in 0..3 * 32 {
        let first = (1000 * (i / 32) + 10 * (i % 32)) as f32;
        assert_eq!(out[0].get(i), Vec3::new(first, first + 1.0, first + 2.0), "{i}");
    }
    group.members = vec![0, 2, 1];
    assert_eq!(group.neighbours(), None);
}
