//! Fibres as particles.

use std::ops::Range;

use glam::{DMat3, DQuat, Vec3};

use super::{Grip, ModelBuilder};
use crate::edges::Edge;
use crate::elements::{Spring, SpringKind, SpringParams};
use crate::model::{AnchorPath, Body};
use crate::motion::Pose;
use crate::strands::{
    Director, Root, RootPath, SkinCorners, Strand, StrandBody, StrandCurve, StrandLaw, StrandSet,
    bends_of, directors_along, first_tangent, perpendicular, root_carrier_pose, skin_pose,
};

impl ModelBuilder {
    /// Adds a body of fibres. Returns its particles, strand after strand, roots first.
    pub fn add_strands(&mut self, body: &StrandBody) -> Range<usize> {
        let first = self.x.len();
        let mut set = StrandSet {
            body: self.model.bodies.len(),
            strands: Vec::with_capacity(body.strands.len()),
            law: body.law,
            fibre: body.fibre,
            touch: body.touch,
            clump: body.clump.clone(),
            followers: body.followers.clone(),
            bends: Vec::new(),
        };
        for curve in &body.strands {
            self.add_strand(body, curve, &mut set);
        }
        let particles = first..self.x.len();
        let rest = body.strands.iter().flat_map(|curve| curve.rest.iter().copied()).collect();
        let triangle = self.model.triangles.len();
        self.model.bodies.push(Body {
            rest,
            name: body.name.clone(),
            particles: particles.clone(),
            triangles: triangle..triangle,
            grid: None,
            closed: false,
            carried: None,
            uvs: Vec::new(),
        });
        self.model.strands.push(set);
        particles
    }

    fn add_strand(&mut self, body: &StrandBody, curve: &StrandCurve, set: &mut StrandSet) {
        let points = &curve.start;
        let edge = mean_edge(&curve.rest);
        let first = self.x.len();
        for (i, &point) in points.iter().enumerate() {
            let whole = if i == 0 || i + 1 == points.len() { 0.5 } else { 1.0 };
            let mass = whole * body.fibre.density * edge;
            let index = self.add_particle(mass, point, body.velocity);
            self.model.damping[index] = body.damping;
        }
        for i in 1..points.len() as u32 {
            let ends = [first as u32 + i - 1, first as u32 + i];
            let (max_stretch, tears_at) = (f32::INFINITY, f32::INFINITY);
            self.add_edge(Edge { ends, rest: edge, max_stretch, tears_at });
        }
        let rest_tangent = first_tangent(&curve.rest);
        let rest_first = Director { tangent: rest_tangent, across: perpendicular(rest_tangent) };
        let rest_directors = directors_along(&curve.rest, rest_first);
        set.bends.extend(bends_of(&curve.rest, &rest_directors));
        let tangent = first_tangent(points);
        let across = crate::strands::carry_director(rest_first.across, rest_tangent, tangent);
        let directors = directors_along(points, Director { tangent, across });
        for i in 0..points.len() {
            let of = directors.get(i.min(directors.len().saturating_sub(1)));
            self.directors.push((first + i, of.map_or(Vec3::X, |d| d.across.as_vec3())));
        }
        let axes = DMat3::from_cols(across, tangent.cross(across), tangent);
        let turn = DQuat::from_mat3(&axes).normalize().as_quat();
        let frame = Pose { position: points[0], rotation: turn };
        let strand = Strand {
            first: first as u32,
            count: points.len() as u32,
            edge,
            root: curve.root.clone(),
            root_pose: self.carrier_pose(&curve.root.path).inverse().compose(frame),
        };
        match body.law {
            StrandLaw::Springs { stretch, bend } => {
                self.add_chain(&strand, &curve.rest, [Some(stretch), bend]);
                self.hold_chain(first, &curve.root);
            }
            _ => strand.held().for_each(|particle| self.hold_root(particle)),
        }
        set.strands.push(strand);
    }

    /// The pose of what carries a root, at the start.
    fn carrier_pose(&self, path: &RootPath) -> Pose {
        match path {
            RootPath::Collider(index) => {
                self.model.colliders.get(*index).map_or(Pose::IDENTITY, |c| c.pose_at(0.0))
            }
            RootPath::Skin { corners: SkinCorners::Particles(corners), weights } => {
                skin_pose(corners.map(|p| self.x.get(p as usize)), *weights)
            }
            RootPath::Skin { corners: SkinCorners::Obstacles(corners), weights } => {
                skin_pose(corners.map(|p| self.obstacle_vertex(p as usize)), *weights)
            }
            _ => root_carrier_pose(path, 0.0),
        }
    }

    /// A vertex of the mesh colliders at the start, all counted through. [m]
    fn obstacle_vertex(&self, mut number: usize) -> Vec3 {
        for mesh in &self.model.mesh_colliders {
            if number < mesh.vertex_count() {
                let pose = mesh.path.motion().pose_at(mesh.pose, 0.0);
                return pose.point(mesh.rest[number]);
            }
            number -= mesh.vertex_count();
        }
        Vec3::ZERO
    }

    /// Springs between neighbours and between every other point.
    fn add_chain(&mut self, strand: &Strand, rest: &[Vec3], springs: [Option<SpringParams>; 2]) {
        for (apart, params) in (1..).zip(springs) {
            let Some(params) = params else { continue };
            let kind = if apart == 1 { SpringKind::Structural } else { SpringKind::Bend };
            for i in apart..strand.count as usize {
                let ends = [strand.first + (i - apart) as u32, strand.first + i as u32];
                let rest = (rest[i] - rest[i - apart]).length();
                self.add_spring(Spring { ends, rest, params, kind });
            }
        }
    }

    fn hold_chain(&mut self, first: usize, root: &Root) {
        let path = match &root.path {
            RootPath::Free => return,
            RootPath::Fixed | RootPath::Skin { .. } => AnchorPath::Fixed,
            RootPath::Track { track, centre } => {
                AnchorPath::Track { track: track.clone(), centre: *centre }
            }
            RootPath::Collider(index) => AnchorPath::Collider(*index),
        };
        let held = if root.clamped { 2 } else { 1 };
        for i in 0..held {
            self.hold(first + i, path.clone(), Grip::RIGID);
        }
    }

    fn hold_root(&mut self, particle: usize) {
        self.model.inverse_mass[particle] = 0.0;
        self.v.set(particle, Vec3::ZERO);
    }
}

fn mean_edge(points: &[Vec3]) -> f32 {
    let length: f64 = points.windows(2).map(|e| (e[1] - e[0]).as_dvec3().length()).sum();
    (length / points.len().saturating_sub(1).max(1) as f64) as f32
}
