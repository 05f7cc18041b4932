//! Rigid cores that drive a soft skin.

use glam::Vec3;

use crate::elements::{Spring, SpringKind, SpringParams};
use crate::lattice::{Goal, GoalLaw, GoalShape};

/// A chain of rigid cores from joint to joint, with springs to the skin around them.
#[derive(Clone, Debug, PartialEq)]
pub struct Cores {
    /// Ends of the cores in the body's own frame, two or more: neighbours share one. [m]
    pub joints: Vec<Vec3>,
    /// Half the thickness of a core. [m]
    pub radius: f32,
    /// Mass of all cores together. [kg]
    pub mass: f32,
    /// From every point of the skin to four points of the core that is nearest.
    pub springs: SpringParams,
}

/// Points of a core besides its joints.
const SIDES: usize = 4;

/// What cores add to a body: points after those that it has, with springs and goals between them.
pub(super) struct CoreParts {
    pub points: Vec<Vec3>,
    pub masses: Vec<f32>,
    pub springs: Vec<Spring>,
    /// Points of each core.
    bones: Vec<[u32; 2 + SIDES]>,
}

impl CoreParts {
    /// Cores inside a skin; particles are counted from `first`, and `before` of the body come
    /// before the first joint.
    pub fn of(cores: &Cores, skin: &[Vec3], (first, before): (u32, u32)) -> Self {
        let Cores { joints, radius, mass, springs: params } = cores;
        let mut points = joints.clone();
        let count = joints.len().saturating_sub(1);
        let mut bones = Vec::new();
        for (k, ends) in joints.windows(2).enumerate() {
            let axis = (ends[1] - ends[0]).normalize_or(Vec3::X);
            let (u, v) = axis.any_orthonormal_pair();
            let middle = 0.5 * (ends[0] + ends[1]);
            let side = points.len() as u32;
            points.extend([u, v, -u, -v].map(|way| middle + *radius * way));
            let k = k as u32;
            bones.push([k, k + 1, side, side + 1, side + 2, side + 3]);
        }
        let share = mass / (count * (2 + SIDES)).max(1) as f32;
        let mut masses = vec![0.0; points.len()];
        bones.iter().flatten().for_each(|&point| masses[point as usize] += share);
        let mut springs = Vec::new();
        for (v, &point) in (0..).zip(skin) {
            for end in grips(&points, &bones, point) {
                let rest = points[end as usize].distance(point);
                let ends = [first + v, first + before + end];
                springs.push(Spring { ends, rest, params: *params, kind: SpringKind::Shear });
            }
        }
        let named = |bone: &[u32; 2 + SIDES]| bone.map(|point| first + before + point);
        let bones = bones.iter().map(named).collect();
        Self { points, masses, springs, bones }
    }

    /// Each core is rigid; `place` says where a particle rests.
    pub fn goals<'a>(
        &'a self,
        body: usize,
        place: impl Fn(u32) -> Vec3 + 'a,
    ) -> impl Iterator<Item = Goal> + 'a {
        self.bones.iter().map(move |bone| Goal {
            body,
            particles: bone.to_vec(),
            law: GoalLaw { frequency: f64::INFINITY, damping: 0.0 },
            shape: GoalShape::Whole(bone.iter().map(|&particle| place(particle)).collect()),
        })
    }
}

/// Four points, not in one plane, of the core that is nearest to a place: both joints and the
/// nearer side each way.
fn grips(points: &[Vec3], bones: &[[u32; 2 + SIDES]], place: Vec3) -> [u32; 4] {
    let at = |point: u32| points[point as usize];
    let away = |bone: &[u32; 2 + SIDES]| {
        let (a, b) = (at(bone[0]), at(bone[1]));
        let axis = b - a;
        let along =
            ((place - a).dot(axis) / axis.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        place.distance_squared(a + along * axis)
    };
    let nearest = bones.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
    let Some(&[a, b, u, v, minus_u, minus_v]) = nearest else { return [0; 4] };
    let nearer = |one: u32, other: u32| {
        let is = place.distance_squared(at(one)) <= place.distance_squared(at(other));
        if is { one } else { other }
    };
    [a, b, nearer(u, minus_u), nearer(v, minus_v)]
}
