//! Terminal velocity, and forces under rigid motion.

mod common;

use common::{DOWN, G, cloth, world};
use glam::{Quat, Vec3};
use tkanina_sim::cloth::{AngleBending, MassRule, SpringModel};
use tkanina_sim::elements::SpringParams;
use tkanina_sim::measure;
use tkanina_sim::solvers::SolverKind;

#[test]
fn a_falling_plate_reaches_its_terminal_velocity() {
    // v = v_t tanh(gt/v_t), v_t = √(2mg/(ρ C_d A)).
    let (density, coefficient, area_density) = (1.2f32, 1.1f32, 0.3f32);
    let mut plate = cloth([5, 4], 1000.0, 1.0);
    plate.mass = MassRule::AreaDensity(area_density);
    plate.drag_per_area = 0.5 * density * coefficient;
    let terminal = (2.0 * area_density * G / (density * coefficient)).sqrt();
    for kind in SolverKind::EXPLICIT {
        let mut w = world(DOWN, kind, &plate, &[]);
        for until in [0.1, 0.3, 2.0f32] {
            while w.state().time < f64::from(until) - 1e-9 {
                w.step(2e-4);
            }
            let expected = terminal * (G * until / terminal).tanh();
            let speed = -w.state().v.get(7).y;
            let error = (speed / expected - 1.0).abs();
            assert!(error < 0.005, "{kind:?} at {until} s: {speed} not {expected}");
        }
    }
}

#[test]
fn rigid_motion_gives_no_element_force() {
    let params = SpringParams { stiffness: 500.0, damping: 2.0 };
    let mut sheet = cloth([9, 7], 500.0, 2.0);
    sheet.bending = Some(AngleBending { stiffness: 0.01, damping: 1e-3 });
    for springs in [sheet.springs, SpringModel::Neighbours20(params)] {
        sheet.springs = springs;
        sheet.place.rotation = Quat::from_euler(glam::EulerRot::XYZ, 0.5, 0.9, -0.3);
        sheet.place.position = Vec3::new(0.2, 0.1, -0.3);
        let w = world(Vec3::ZERO, SolverKind::SemiImplicitEuler, &sheet, &[]);
        let elastic = measure::energy(w.model(), w.state()).elastic;
        assert!(elastic < 1e-9, "{elastic} J");
        // One tiny step from a rigid spin: no particle is accelerated but by rounding.
        let mut state = w.state().clone();
        let spin = Vec3::new(0.3, -0.5, 0.8);
        for i in 0..state.x.len() {
            state.v.set(i, spin.cross(state.x.get(i)));
        }
        let mut spun = world(Vec3::ZERO, SolverKind::SemiImplicitEuler, &sheet, &[]);
        spun.restore(state.clone());
        spun.step(1e-3);
        for i in 0..state.x.len() {
            let force = (spun.state().v.get(i) - state.v.get(i)).length() * 0.01 / 1e-3;
            // A stretch of 1e-4 would show as 500 N/m · 1e-5 m.
            assert!(force < 5e-3, "particle {i}: {force} N");
        }
    }
}

#[test]
fn angular_momentum_is_kept_by_symplectic_solvers() {
    for kind in [
        SolverKind::SemiImplicitEuler,
        SolverKind::Verlet { loss: 0.0 },
        SolverKind::VelocityVerlet,
    ] {
        let sheet = cloth([9, 7], 50.0, 0.0);
        let mut w = world(Vec3::ZERO, kind, &sheet, &[]);
        let mut state = w.state().clone();
        for i in 0..state.x.len() {
            state.v.set(i, Vec3::new(0.4, 2.0, -0.7).cross(state.x.get(i)));
        }
        w.restore(state);
        w.step(1e-3);
        let before = measure::angular_momentum(w.model(), w.state());
        (0..5000).for_each(|_| w.step(1e-3));
        let after = measure::angular_momentum(w.model(), w.state());
        let change = (after - before).length() / before.length();
        assert!(change < 1e-4, "{kind:?}: {change}");
        let momentum = measure::momentum(w.model(), w.state()).length();
        assert!(momentum < 1e-5, "{kind:?}: {momentum}");
    }
}
