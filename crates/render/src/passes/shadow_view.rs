//! How a light looks at what throws shadows.

use glam::camera::rh;
use glam::{Mat4, Vec3};

/// One layer of shadows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShadowView {
    /// World to the layer.
    pub clip_from_world: Mat4,
    /// Width of a texel [m]; of a lamp: for each metre of distance.
    pub texel: f32,
}

/// Ratio of the sizes a sun's layer may have. Fixed sizes keep edges still while cloth moves.
const SIZE_RATIO: f32 = 1.2;

/// The sun's layer over a box of things, `side` texels wide.
pub(crate) fn sun(direction: Vec3, bounds: [Vec3; 2], side: u32) -> ShadowView {
    let direction = direction.try_normalize().unwrap_or(Vec3::NEG_Y);
    let up = if direction.y.abs() > 0.99 { Vec3::Z } else { Vec3::Y };
    let view = rh::view::look_to_mat4(Vec3::ZERO, direction, up);
    let [low, high] = bounds_of(corners(bounds).map(|corner| view.transform_point3(corner)));
    let extent = high - low;
    let half = (0.5 * extent.x.max(extent.y)).max(1e-4);
    // A rim of a few texels stays empty, so that what is beyond is lit.
    let half = SIZE_RATIO.powf(half.log(SIZE_RATIO).ceil()) * (1.0 + 8.0 / side as f32);
    let texel = 2.0 * half / side as f32;
    let center = (0.5 * (low + high) / texel).round() * texel;
    let slack = 0.01 * extent.length() + 1e-3;
    let projection = rh::proj::directx::orthographic(
        center.x - half,
        center.x + half,
        center.y - half,
        center.y + half,
        -high.z - slack,
        -low.z + slack,
    );
    ShadowView { clip_from_world: projection * view, texel }
}

/// The six layers of a lamp over a box of things, in the order of `face` in shaders/light.wgsl.
pub(crate) fn lamp(position: Vec3, bounds: [Vec3; 2], side: u32) -> [ShadowView; 6] {
    let farthest =
        corners(bounds).iter().fold(0.0_f32, |far, corner| far.max((*corner - position).length()));
    let far = (1.05 * farthest).max(1e-2);
    let near = far * NEAR_SHARE;
    // A little more than a right angle: taps at a side's rim still find depths.
    let angle = std::f32::consts::FRAC_PI_2 + 16.0 / side as f32;
    let projection = rh::proj::directx::perspective(angle, 1.0, near, far);
    let texel = 2.0 * (0.5 * angle).tan() / side as f32;
    [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z].map(|ahead| {
        let up = if ahead.y == 0.0 { Vec3::Y } else { Vec3::Z };
        let view = rh::view::look_to_mat4(position, ahead, up);
        ShadowView { clip_from_world: projection * view, texel }
    })
}

/// What is nearer to a lamp throws no shadow; as a share of the distance it reaches.
const NEAR_SHARE: f32 = 0.002;

/// Corners of a box.
pub(crate) fn corners([low, high]: [Vec3; 2]) -> [Vec3; 8] {
    std::array::from_fn(|i| {
        let pick = |bit: usize, low: f32, high: f32| if i & bit == 0 { low } else { high };
        Vec3::new(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z))
    })
}

/// The smallest box about points; those that are not finite are left out. Empty if low > high.
pub(crate) fn bounds_of(points: impl IntoIterator<Item = Vec3>) -> [Vec3; 2] {
    let empty = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    points
        .into_iter()
        .filter(|point| point.is_finite())
        .fold(empty, |[low, high], point| [low.min(point), high.max(point)])
}

/// The box about a box that was moved.
pub(crate) fn moved(bounds: [Vec3; 2], place: &Mat4) -> [Vec3; 2] {
    bounds_of(corners(bounds).map(|corner| place.transform_point3(corner)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: [Vec3; 2] = [Vec3::new(-1.0, 0.0, -2.0), Vec3::new(0.5, 1.5, 3.0)];

    #[test]
    fn a_sun_sees_all_that_throws_shadows() {
        for direction in [Vec3::NEG_Y, Vec3::new(1.0, -2.0, 0.3), Vec3::X] {
            let view = sun(direction, BOX, 1024);
            for corner in corners(BOX) {
                let device = view.clip_from_world.project_point3(corner);
                assert!(device.x.abs() < 1.0 && device.y.abs() < 1.0, "{device}");
                assert!((0.0..=1.0).contains(&device.z), "{device}");
            }
        }
    }

    #[test]
    fn what_moves_a_little_keeps_the_size_of_texels() {
        let grown = [BOX[0], BOX[1] + 0.01];
        let (a, b) = (sun(Vec3::NEG_Y, BOX, 1024), sun(Vec3::NEG_Y, grown, 1024));
        assert_eq!(a.texel, b.texel);
    }

    #[test]
    fn every_corner_is_on_some_side_of_a_lamp() {
        let views = lamp(Vec3::new(0.2, 4.0, 0.1), BOX, 512);
        for corner in corners(BOX) {
            let seen = views.iter().any(|view| {
                let clip = view.clip_from_world * corner.extend(1.0);
                clip.w > 0.0 && clip.x.abs() <= clip.w && clip.y.abs() <= clip.w
            });
            assert!(seen, "{corner}");
        }
    }

    #[test]
    fn points_that_are_not_finite_have_no_place() {
        let [low, high] = bounds_of([Vec3::NAN, Vec3::ONE, Vec3::INFINITY]);
        assert_eq!([low, high], [Vec3::ONE, Vec3::ONE]);
    }
}
