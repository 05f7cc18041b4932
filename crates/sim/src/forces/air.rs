//! Drag and lift of moving air on a surface.

/// F −= d |a·n| a + l (a·n) (n |a|² − (a·n) a) / |a|, where a = v − wind and n is
/// the unit normal.
///
/// The first term is drag: with d [kg/m] the coefficient of the material,
/// Lovrinović 2024, 2.1 (there with unit mass); with d = ½ ρ C_d A the physical
/// law of a plate of area A, which moving face-on at speed v feels ½ ρ C_d A v².
///
/// The second is lift, with l = ½ ρ C_l A [kg/m]: perpendicular to a, in the plane
/// of a and n, of size l |a|² |cos θ| sin θ with θ the angle between a and n: zero
/// face-on and edge-on. Either way round, the normal gives the same force.
///
/// Nothing here branches, so that whole vectors of points run through it.
#[inline(always)]
pub fn air_force(a: [f32; 3], n: [f32; 3], drag: f32, lift: f32) -> [f32; 3] {
    let across = a[0] * n[0] + a[1] * n[1] + a[2] * n[2];
    let square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    let raise = lift * across / (square + STILL).sqrt();
    let along_a = drag * across.abs() - raise * across;
    let along_n = raise * square;
    [
        -(along_a * a[0] + along_n * n[0]),
        -(along_a * a[1] + along_n * n[1]),
        -(along_a * a[2] + along_n * n[2]),
    ]
}

/// The same without lift.
#[inline(always)]
pub fn drag_force(a: [f32; 3], n: [f32; 3], drag: f32) -> [f32; 3] {
    let across = a[0] * n[0] + a[1] * n[1] + a[2] * n[2];
    let along = drag * across.abs();
    [-(along * a[0]), -(along * a[1]), -(along * a[2])]
}

/// Added to |a|² under the root [m²/s²]: still air gives zero over this, not
/// zero over zero.
const STILL: f32 = 1e-30;

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    fn force(v: Vec3, wind: Vec3, normal: Vec3, drag: f32, lift: f32) -> Vec3 {
        let force = air_force((v - wind).to_array(), normal.to_array(), drag, lift);
        if lift == 0.0 {
            assert_eq!(force, drag_force((v - wind).to_array(), normal.to_array(), drag));
        }
        Vec3::from(force)
    }

    #[test]
    fn plate_face_on_feels_half_rho_cd_a_v_squared() {
        let (density, cd, area) = (1.2, 1.1, 0.02);
        let drag = 0.5 * density * cd * area;
        let f = force(Vec3::ZERO, Vec3::new(0.0, 0.0, 6.0), Vec3::Z, drag, 0.3);
        let expected = Vec3::Z * (0.5 * density * cd * area * 36.0);
        assert!((f - expected).length() < 1e-6, "{f}");
        let reversed = force(Vec3::ZERO, Vec3::new(0.0, 0.0, 6.0), Vec3::NEG_Z, drag, 0.3);
        assert!((reversed - expected).length() < 1e-6);
        // Only the relative velocity counts.
        assert_eq!(force(Vec3::X, Vec3::X, Vec3::X, drag, 0.3), Vec3::ZERO);
    }

    #[test]
    fn plate_edge_on_feels_nothing() {
        assert_eq!(force(Vec3::X * 9.0, Vec3::ZERO, Vec3::Y, 0.1, 0.2), Vec3::ZERO);
    }

    #[test]
    fn lift_is_across_the_flow_on_the_side_of_the_push() {
        // Moving along +X, the front edge up: normal (sin, cos), θ = 60° from the flow.
        let (normal, v) = (Vec3::new(-0.5, 0.75f32.sqrt(), 0.0), Vec3::X * 4.0);
        for sign in [1.0, -1.0] {
            let f = force(v, Vec3::ZERO, normal * sign, 0.0, 0.1);
            assert!(f.dot(v).abs() < 1e-6 && f.z == 0.0, "{f}");
            let expected = 0.1 * 16.0 * 0.5 * 0.75f32.sqrt();
            assert!((f.y - expected).abs() < 1e-5, "{f} is not {expected} up");
        }
    }

    #[test]
    fn no_law_of_air_gives_energy_to_a_body_in_still_air() {
        let mut rng = crate::rng::Rng::new(3);
        for _ in 0..1000 {
            let mut c = || rng.between(-5.0, 5.0) as f32;
            let (v, n) = (Vec3::new(c(), c(), c()), Vec3::new(c(), c(), c()).normalize());
            assert!(force(v, Vec3::ZERO, n, 0.3, 0.4).dot(v) <= 1e-4);
        }
    }

    #[test]
    fn falling_plate_reaches_terminal_velocity() {
        // v = v_t tanh(g t / v_t), v_t = √(m g / d).
        let (drag, g, h) = (0.02f32, 9.81f32, 1e-3f32);
        let mut v = Vec3::ZERO;
        for _ in 0..1500 {
            let a = force(v, Vec3::ZERO, Vec3::Y, drag, 0.0) / 0.1 - Vec3::Y * g;
            v += a * h;
        }
        let terminal = (0.1 * g / drag).sqrt();
        let expected = -terminal * libm::tanhf(g * 1.5 / terminal);
        assert!((v.y / expected - 1.0).abs() < 0.005, "{} is not {expected}", v.y);
    }
}
