//! Cloth far from the origin, where positions in f32 are coarse, falls as fast as anywhere.

mod common;

use common::{cloth, world};
use glam::Vec3;
use tkanina_sim::cloth::MassRule;
use tkanina_sim::motion::Pose;
use tkanina_sim::solvers::SolverKind;

/// Speed over g t after a second at sixteen steps a frame, thirteen metres up, where gravity is
/// that of document 000: a step gains 1 mm/s, and a change of speed of 0.9 mm/s is as small as a
/// position there can show.
fn speed_over_known(kind: SolverKind) -> f32 {
    let mut sheet = cloth([9, 9], 180.0, 0.0);
    sheet.mass = MassRule::PerPoint(1.0);
    sheet.place = Pose::at(Vec3::Y * 13.2);
    let mut w = world(Vec3::NEG_Y, kind, &sheet, &[]);
    (0..60).for_each(|_| w.advance_frame(1.0 / 60.0, 16).unwrap());
    let v = &w.state().v;
    -v.iter().map(|v| v.y).sum::<f32>() / v.len() as f32
}

#[test]
fn every_kind_falls_as_fast_far_from_the_origin() {
    for kind in SolverKind::all() {
        let part = speed_over_known(kind);
        assert!((part - 1.0).abs() < 5e-3, "{kind:?}: {part} of g t");
    }
}
