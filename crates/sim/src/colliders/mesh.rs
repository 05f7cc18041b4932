//! Obstacles made of triangles, rigid or with vertices that move on their own.

use glam::{DMat3, DVec3, Vec3};

use super::{Aabb, Collider, ColliderMesh, ColliderShape};
use crate::motion::{Motion, Pose};
use crate::soa::Soa3Mut;

/// Triangles that cloth may not pass, from either side.
///
/// x(t) = pose(t) · local(t): a rigid mesh has one local shape, a vertex animation a new one at
/// every moment. The surface velocity at a contact is the difference of positions over a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshCollider {
    /// What the scene calls it.
    pub name: String,
    /// Its entry in `Model::colliders`, which has its pose: what a hand moves, what pins hang
    /// on. Given by the builder.
    pub collider: usize,
    /// Corners of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Vertices in the local frame: of the rigid shape, or of the first frame. [m]
    pub rest: Vec<Vec3>,
    /// The pose before any motion.
    pub pose: Pose,
    /// How it moves from there.
    pub path: MeshPath,
    /// Coulomb coefficient μ of static and sliding friction. [1]
    pub friction: f32,
    /// Restitution e: speed after over speed before an impact, 0 to 1.
    pub restitution: f32,
}

/// How a mesh moves.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshPath {
    /// As one body.
    Rigid(Motion),
    /// Every vertex for itself: straight between frames, frame k at k/rate.
    Frames {
        /// Frames a second. [Hz]
        rate_hz: f64,
        /// Vertices of each frame in the local frame. [m]
        frames: Vec<Vec<Vec3>>,
        /// After the last frame comes the first, 1/rate later; else the last is held.
        repeat: bool,
        /// How the whole moves besides.
        motion: Motion,
    },
}

impl Default for MeshPath {
    fn default() -> Self {
        Self::Rigid(Motion::Static)
    }
}

impl MeshPath {
    /// The rigid part of the motion.
    pub fn motion(&self) -> &Motion {
        match self {
            Self::Rigid(motion) | Self::Frames { motion, .. } => motion,
        }
    }
}

impl MeshCollider {
    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.rest.len()
    }

    /// Whether any vertex moves by itself; a hand may move it all the same.
    pub fn moves(&self) -> bool {
        *self.path.motion() != Motion::Static || self.deforms()
    }

    /// Whether its shape changes.
    pub fn deforms(&self) -> bool {
        matches!(&self.path, MeshPath::Frames { frames, .. } if frames.len() > 1)
    }

    /// World positions at a time [s] of a mesh that no hand has moved. [m]
    pub fn positions_at(&self, time: f64, out: Soa3Mut<'_>) {
        self.positions_under(self.path.motion().pose_at(self.pose, time), time, out);
    }

    /// World positions [m] at a time [s] at which the whole has this pose: that of the collider
    /// [`MeshCollider::collider`] at the start or the end of a step, with what hands have done.
    pub fn positions_under(&self, pose: Pose, time: f64, mut out: Soa3Mut<'_>) {
        // In f64: a mesh far from the origin, or one of small triangles, keeps its shape.
        let turn = DMat3::from_quat(pose.rotation.as_dquat());
        let at = pose.position.as_dvec3();
        let identity = pose == Pose::IDENTITY;
        let place = |local: DVec3| if identity { local } else { turn * local + at };
        match self.frames_at(time) {
            None => {
                for (i, &local) in self.rest.iter().enumerate() {
                    out.set(i, place(local.as_dvec3()).as_vec3());
                }
            }
            Some((from, to, s)) => {
                for (i, (&from, &to)) in from.iter().zip(to).enumerate() {
                    let from = from.as_dvec3();
                    out.set(i, place(from + (to.as_dvec3() - from) * s).as_vec3());
                }
            }
        }
    }

    /// The box round the local positions of all times. [m]
    pub fn local_bounds(&self) -> Aabb {
        let rest = Aabb::around(self.rest.iter().copied());
        match &self.path {
            MeshPath::Rigid(_) => rest,
            MeshPath::Frames { frames, .. } => {
                let of = |frame: &Vec<Vec3>| Aabb::around(frame.iter().copied());
                frames.iter().map(of).fold(rest, |all, b| all.union(&b))
            }
        }
    }

    /// The entry in `Model::colliders` that carries this mesh.
    pub fn carrier(&self) -> Collider {
        let shape = ColliderMesh::new(&self.rest, &self.triangles, self.local_bounds());
        Collider {
            motion: self.path.motion().clone(),
            friction: self.friction,
            restitution: self.restitution,
            ..Collider::new(self.name.clone(), ColliderShape::Mesh(shape), self.pose)
        }
    }

    /// The frames on either side of a time and how far between them it lies; `None` if the
    /// shape does not change.
    fn frames_at(&self, time: f64) -> Option<(&[Vec3], &[Vec3], f64)> {
        let MeshPath::Frames { rate_hz, frames, repeat, .. } = &self.path else { return None };
        let count = frames.len();
        if count == 0 {
            return None;
        }
        let passed = (time * rate_hz).max(0.0);
        let (from, s) = if *repeat {
            let within = passed % count as f64;
            let from = within.floor();
            ((from as usize).min(count - 1), within - from)
        } else if passed < (count - 1) as f64 {
            (passed.floor() as usize, passed - passed.floor())
        } else {
            (count - 1, 0.0)
        };
        let to = if s == 0.0 { from } else { (from + 1) % count };
        Some((&frames[from], &frames[to], s))
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::soa::Soa3;

    fn triangle(path: MeshPath) -> MeshCollider {
        MeshCollider {
            triangles: vec![[0, 1, 2]],
            rest: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            path,
            ..MeshCollider::default()
        }
    }

    fn at(mesh: &MeshCollider, time: f64) -> Vec<Vec3> {
        let mut out = Soa3::zeros(mesh.vertex_count());
        mesh.positions_at(time, out.view_mut());
        out.iter().collect()
    }

    /// Three frames at 2 Hz in which the last corner goes 1 → 2 → 4 m along z.
    fn walk(repeat: bool) -> MeshCollider {
        let frame = |z: f32| vec![Vec3::ZERO, Vec3::X, Vec3::Z * z];
        let frames = vec![frame(1.0), frame(2.0), frame(4.0)];
        triangle(MeshPath::Frames { rate_hz: 2.0, frames, repeat, motion: Motion::Static })
    }

    #[test]
    fn vertices_go_straight_between_frames_and_are_held_at_the_end() {
        let mesh = walk(false);
        for (time, z) in [(-1.0, 1.0), (0.0, 1.0), (0.25, 1.5), (0.5, 2.0), (0.625, 2.5)] {
            assert_eq!(at(&mesh, time)[2], Vec3::Z * z, "at {time} s");
        }
        for time in [1.0, 1.2, 1e9] {
            assert_eq!(at(&mesh, time)[2], Vec3::Z * 4.0, "at {time} s");
        }
        assert!(mesh.moves() && mesh.deforms());
    }

    #[test]
    fn a_repeated_animation_closes_from_the_last_frame_to_the_first() {
        let mesh = walk(true);
        // Three frames at 2 Hz: the period is 1.5 s.
        for (time, z) in [(1.0, 4.0), (1.25, 2.5), (1.5, 1.0), (1.75, 1.5), (1500.25, 1.5)] {
            assert_eq!(at(&mesh, time)[2], Vec3::Z * z, "at {time} s");
        }
    }

    #[test]
    fn frames_stay_under_the_pose_and_its_motion() {
        let mut mesh = walk(false);
        mesh.pose = Pose { position: Vec3::Y, rotation: Quat::from_xyzw(0.0, 1.0, 0.0, 0.0) };
        if let MeshPath::Frames { motion, .. } = &mut mesh.path {
            *motion = Motion::Linear { velocity: Vec3::X * 2.0 };
        }
        // Half a turn about y takes z to −z; then 2 m/s for a quarter of a second.
        let expected = Vec3::new(0.5, 1.0, -1.5);
        assert!((at(&mesh, 0.25)[2] - expected).length() < 1e-6);
    }

    #[test]
    fn a_rigid_mesh_keeps_its_lengths_far_from_the_origin_and_after_many_turns() {
        let turn = Motion::Rotate { axis: Vec3::Z, rad_s: 7.0, pivot: None };
        let mut mesh = triangle(MeshPath::Rigid(turn));
        mesh.pose = Pose::at(Vec3::new(100.0, -200.0, 0.0));
        for time in [0.0, 0.1, 1e4] {
            let x = at(&mesh, time);
            assert!(((x[1] - x[0]).length() - 1.0).abs() < 3e-5, "{time}");
            assert!((x[1] - x[0]).dot(x[2] - x[0]).abs() < 3e-5, "{time}");
        }
    }

    #[test]
    fn a_mesh_at_the_origin_keeps_its_bits() {
        let mesh = triangle(MeshPath::default());
        assert_eq!(at(&mesh, 3.0), mesh.rest);
        assert!(!mesh.moves());
    }
}
