//! Cloths, pins, seams and glue.

use std::ops::Range;

use glam::Vec3;
use tkanina_sim::builder::{Grip, GripSpring};
use tkanina_sim::cloth::{ClothShape, SpringModel};
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::{Pose, Track};
use tkanina_sim::rng::Rng;
use tkanina_sim::topology::{GridPlane, GridShape, MeshReport};

use super::closed_skins::COUNTED;
use super::{
    BodyPoints, Build, BuildError, MeshFaces, check_turns, material, rotation, select, vec3,
};
use crate::check::{MAX_POINTS, steps};
use crate::mesh_io::load_obj_file;
use crate::node::Step;
use crate::schema::{
    self, Body, Cloth, Disorder, Pin, Selection, SewSide, Shape, Stretching, WorldAxis,
};

/// Farthest that a mesh may reach from its own origin. [m]
const FARTHEST_M: f32 = 1e5;

/// Damping of ties as a share of critical.
const TIE_DAMPING_RATIO: f32 = 0.2;

impl Build<'_> {
    pub(super) fn bodies(&mut self) -> Result<(), BuildError> {
        let scene = &self.loaded.scene;
        for (index, body) in scene.bodies.iter().enumerate() {
            match body {
                Body::Cloth(body) => self.cloth(index, body)?,
                Body::SoftBody(body) => self.soft_body(index, body)?,
                Body::Strands(body) => self.strands(index, body)?,
            }
        }
        Ok(())
    }

    fn cloth(&mut self, index: usize, body: &Cloth) -> Result<(), BuildError> {
        let scene = &self.loaded.scene;
        let here = steps!["materials", body.material.as_str()];
        let Some(described) = scene.materials.get(&body.material) else {
            return Ok(());
        };
        let Some(mut cloth) = material::cloth(&body.name, described, &scene.air) else {
            self.problem(
                &here,
                "says nothing of stiffness",
                "add `springs`, `membrane` or a `preset`",
            );
            return Ok(());
        };
        if described.springs.is_some() && described.stretching == Some(Stretching::Triangles) {
            self.problem(
                &[here.as_slice(), &steps!["stretching"]].concat(),
                "`triangles` need a surface's stiffness, and this material has `springs`",
                "replace `springs` by a `membrane` or a `preset`, or leave `stretching` out",
            );
            return Ok(());
        }
        cloth.place = Pose {
            position: vec3(body.place.position_m),
            rotation: rotation(body.place.rotation_deg),
        };
        cloth.velocity = vec3(body.velocity_m_s);
        let grid = match &body.shape {
            Shape::Grid { points, size_m, plane } => {
                let counts = points.map(|n| n as usize);
                let size = size_m.map(|s| s as f32);
                cloth.shape = ClothShape::Grid(GridShape { counts, size, plane: plane_of(*plane) });
                Some(counts)
            }
            Shape::Mesh { file, scale } => {
                let MeshFaces { points, faces, uvs } =
                    self.mesh(&steps!["bodies", index, "shape", "file"], file, *scale as f32)?;
                cloth.shape = ClothShape::Mesh { points, faces, uvs };
                None
            }
            Shape::Garment { .. } | Shape::TShirt { .. } => {
                if let Some(mesh) = self.garment(index, body, cloth.place) {
                    cloth.shape = ClothShape::Sewn(mesh);
                }
                cloth.place = Pose::IDENTITY;
                None
            }
        };
        if grid.is_none() && matches!(cloth.springs, SpringModel::Neighbours20(_)) {
            self.problem(
                &[here.as_slice(), &steps!["springs", "stencil"]].concat(),
                format!("`neighbours-20` needs a grid, and `{}` is a mesh", body.name),
                "use `neighbours-12`, a `membrane` or a `preset`",
            );
        }
        if !self.problems.is_empty() {
            return Ok(());
        }
        let (particles, report) = self.builder.add_cloth(&cloth);
        if let Some(disorder) = body.disorder {
            let move_point = disordered(disorder, vec3(body.place.position_m));
            self.builder.displace(particles.clone(), move_point);
        }
        let (named, counted) = match body.shape {
            Shape::Mesh { .. } => (as_the_file_counts(report.clone()), COUNTED),
            _ => (report.clone(), ""),
        };
        for sentence in named.sentences() {
            self.warn(format!("mesh of `{}`: {sentence}{counted}", body.name));
        }
        if particles.clone().any(|p| {
            let mass = self.builder.mass(p);
            mass > 0.0 && !(1.0 / mass).is_finite()
                || mass == 0.0 && !isolated(&report, p, &particles)
        }) {
            self.problem(
                &[here.as_slice(), &steps!["mass"]].concat(),
                format!("gives points of `{}` a mass too small to count with", body.name),
                "use a larger mass",
            );
        }
        let points = BodyPoints { first: particles.start, count: particles.len(), grid };
        self.bodies.insert(body.name.clone(), points);
        self.slits(index, body);
        for (i, pin) in body.pins.iter().enumerate() {
            self.pin(&body.name, pin, &steps!["bodies", index, "pins", i]);
        }
        Ok(())
    }

    /// The mesh of a file that a field at `here` names.
    pub(super) fn mesh(
        &mut self,
        here: &[Step],
        file: &str,
        scale: f32,
    ) -> Result<MeshFaces, BuildError> {
        let path = match self.loaded.resolve(file) {
            Ok(path) => path,
            Err(message) => {
                self.problem(here, message, "put the mesh beside the scene file");
                return Ok(MeshFaces::default());
            }
        };
        let mesh = load_obj_file(&path)?;
        let farthest = mesh.positions.iter().flatten().fold(0.0f32, |a, p| a.max(p.abs())) * scale;
        if !(farthest <= FARTHEST_M) {
            self.problem(
                here,
                format!(
                    "has a vertex {farthest:e} m from its origin; {FARTHEST_M:e} m is the most"
                ),
                "give it a smaller `scale`",
            );
        }
        if mesh.positions.len() as u64 > MAX_POINTS {
            self.problem(
                here,
                format!("has {} vertices; a scene may have {MAX_POINTS}", mesh.positions.len()),
                "use a coarser mesh",
            );
        }
        Ok(MeshFaces {
            points: mesh.positions.iter().map(|&p| Vec3::from(p) * scale).collect(),
            faces: mesh.faces.iter().map(<[u32]>::to_vec).collect(),
            uvs: mesh.uvs.unwrap_or_default(),
        })
    }

    /// Notes points that are more than a scene may have, with those that are there.
    pub(super) fn budget_points(&mut self, here: &[Step], more: u64, help: &str) {
        let built: usize = self.bodies.values().map(|body| body.count).sum();
        let total = (built as u64).saturating_add(more);
        if total > MAX_POINTS {
            let message = format!("{total} points so far; a scene may have {MAX_POINTS} in all");
            self.problem(here, message, help);
        }
    }

    pub(super) fn pin(&mut self, body: &str, pin: &Pin, here: &[Step]) {
        let Some(chosen) = self.chosen(body, &pin.select, here) else { return };
        let path = if let Some(name) = &pin.attach_to {
            self.warn_if_deforming(name);
            self.collider_index(name).map_or(AnchorPath::Fixed, AnchorPath::Collider)
        } else if let Some(follow) = &pin.follow {
            match self.follow(follow, &chosen) {
                Ok(path) => path,
                Err(message) => {
                    let here = [here, &steps!["follow"]].concat();
                    self.problem(&here, message, "give keyframes with increasing times");
                    return;
                }
            }
        } else {
            AnchorPath::Fixed
        };
        let until = pin.release_at_s.unwrap_or(f64::INFINITY);
        for particle in chosen {
            let spring = self.grip_spring(particle, pin.stiffness_n_m, pin.breaks_at_n);
            self.builder.hold(particle, path.clone(), Grip { spring, until });
        }
    }

    fn follow(&self, follow: &schema::Follow, chosen: &[usize]) -> Result<AnchorPath, String> {
        let track = follow_track(&follow.keyframes)?;
        let sum: Vec3 = chosen.iter().map(|&p| self.builder.position(p)).sum();
        Ok(AnchorPath::Track { track, centre: sum / chosen.len().max(1) as f32 })
    }

    fn grip_spring(
        &self,
        particle: usize,
        stiffness: Option<f64>,
        breaks_at: Option<f64>,
    ) -> Option<GripSpring> {
        let stiffness = stiffness? as f32;
        let critical = 2.0 * (stiffness * self.builder.mass(particle)).sqrt();
        let damping = TIE_DAMPING_RATIO * critical;
        Some(GripSpring { stiffness, damping, breaks_at: breaks_at.map(|f| f as f32) })
    }

    /// Seams and glue.
    pub(super) fn joins(&mut self) {
        let scene = &self.loaded.scene;
        for (index, sew) in scene.sew.iter().enumerate() {
            let mut side = |name: &str, side: &SewSide| {
                self.chosen(&side.body, &side.select, &steps!["sew", index, name])
            };
            let (Some(a), Some(b)) = (side("a", &sew.a), side("b", &sew.b)) else { continue };
            if a.len() != b.len() {
                self.problem(
                    &steps!["sew", index],
                    format!("side `a` has {} points and side `b` has {}", a.len(), b.len()),
                    "the n-th point is sewn to the n-th: choose as many",
                );
            }
            for (a, b) in a.into_iter().zip(b) {
                let mut spring = self.grip_spring(a, Some(sew.stiffness_n_m), sew.breaks_at_n);
                if let Some(spring) = &mut spring {
                    spring.damping = spring.damping.max(sew.damping_n_s_m as f32);
                    self.builder.sew(a, b, *spring);
                }
            }
        }
        for (index, glue) in scene.glue.iter().enumerate() {
            let here = steps!["glue", index];
            let Some(chosen) = self.chosen(&glue.body, &glue.select, &here) else { continue };
            let Some(collider) = self.collider_index(&glue.collider) else { continue };
            self.warn_if_deforming(&glue.collider);
            for particle in chosen {
                let spring = self.grip_spring(particle, glue.stiffness_n_m, glue.breaks_at_n);
                let grip = Grip { spring, until: f64::INFINITY };
                self.builder.hold(particle, AnchorPath::Collider(collider), grip);
            }
        }
    }

    /// What holds to a mesh goes with the whole of it.
    fn warn_if_deforming(&mut self, collider: &str) {
        let of = |c: &&schema::Collider| c.name == collider;
        let found = self.loaded.scene.colliders.iter().find(of).map(|c| &c.shape);
        if let Some(
            schema::ColliderShape::Mesh { frames: Some(_), .. }
            | schema::ColliderShape::Mesh { shape: Some(schema::MeshShape::Figure { .. }), .. },
        ) = found
        {
            self.warn(format!(
                "what holds to `{collider}` follows its place and motion, not its vertices"
            ));
        }
    }

    /// Chosen particles of a body; reports a vertex that does not exist and an empty choice.
    pub(super) fn chosen(
        &mut self,
        body: &str,
        select: &Selection,
        here: &[Step],
    ) -> Option<Vec<usize>> {
        let points = self.bodies.get(body)?.clone();
        if let Some(counts) = points.grid
            && let Some((field, message)) = select::outside(select, counts)
        {
            let [nodes, strands] = counts;
            let help = format!(
                "`{body}` has {nodes} × {strands} points: [0, 0] to [{}, {}]",
                nodes - 1,
                strands.saturating_sub(1)
            );
            self.problem(&[here, &steps![field]].concat(), message, help);
            return None;
        }
        match select::particles(select, &points, &self.builder) {
            Ok(chosen) if chosen.is_empty() => {
                self.problem(here, "chooses no point of the body", "choose at least one point");
                None
            }
            Ok(chosen) => Some(chosen),
            Err(vertex) => {
                self.problem(
                    &[here, &steps!["vertices"]].concat(),
                    format!("`{body}` has no vertex {vertex}"),
                    format!("its vertices are 0 to {}", points.count - 1),
                );
                None
            }
        }
    }
}

/// A path by keyframes, from where things are.
pub(super) fn follow_track(keyframes: &[schema::FollowKey]) -> Result<Track, String> {
    let mut keys = keyframes.to_vec();
    if keys.first().is_some_and(|key| key.t_s > 0.0) {
        // A path starts where the points are.
        keys.insert(0, schema::FollowKey { t_s: 0.0, offset_m: [0.0; 3], rotation_deg: [0.0; 3] });
    }
    check_turns(keys.iter().map(|k| (k.t_s, k.rotation_deg)))?;
    let turns = keys.iter().any(|k| k.rotation_deg != [0.0; 3]);
    Track::new(
        keys.iter().map(|k| k.t_s).collect(),
        keys.iter().map(|k| vec3(k.offset_m)).collect(),
        turns.then(|| keys.iter().map(|k| rotation(k.rotation_deg)).collect()),
    )
    .map_err(|e| e.to_string())
}

/// Faults by the numbers that faces and vertices have in their file, which counts from 1.
fn as_the_file_counts(mut report: MeshReport) -> MeshReport {
    let MeshReport { degenerate_faces, duplicate_faces, isolated_vertices, .. } = &mut report;
    for numbers in [degenerate_faces, duplicate_faces, isolated_vertices] {
        numbers.iter_mut().for_each(|number| *number += 1);
    }
    for edges in [&mut report.non_manifold_edges, &mut report.flipped_edges] {
        edges.iter_mut().flatten().for_each(|vertex| *vertex += 1);
    }
    report
}

/// Isolated vertices have no area and so no mass; they are held.
fn isolated(report: &MeshReport, particle: usize, body: &Range<usize>) -> bool {
    report.isolated_vertices.binary_search(&(particle - body.start)).is_ok()
}

/// Where a disorder about `centre` puts a point.
pub(super) fn disordered(disorder: Disorder, centre: Vec3) -> impl FnMut(Vec3) -> Vec3 {
    let mut rng = match disorder {
        Disorder::Scattered { seed, .. } => Rng::new(u64::from(seed)),
        _ => Rng::new(0),
    };
    let along = |axis: WorldAxis| match axis {
        WorldAxis::X => Vec3::X,
        WorldAxis::Y => Vec3::Y,
        WorldAxis::Z => Vec3::Z,
    };
    move |p| match disorder {
        Disorder::Scattered { spread_m, .. } => {
            let mut shift = || rng.between(-spread_m, spread_m) as f32;
            p + Vec3::new(shift(), shift(), shift())
        }
        Disorder::Flattened { axis } => p - along(axis) * (p - centre).dot(along(axis)),
        Disorder::Mirrored { axis } => p - along(axis) * (2.0 * (p - centre).dot(along(axis))),
    }
}

fn plane_of(plane: schema::GridPlane) -> GridPlane {
    match plane {
        schema::GridPlane::Xy => GridPlane::Xy,
        schema::GridPlane::Xz => GridPlane::Xz,
        schema::GridPlane::Yz => GridPlane::Yz,
    }
}
