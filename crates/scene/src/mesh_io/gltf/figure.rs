//! The triangles of a glTF scene, and where their vertices are at a time.

use glam::{DMat4, DQuat, DVec3, DVec4, Vec3};

use super::Wrong;
use super::animation::Animation;
use super::container::Container;
use super::document::{Mesh, Node, Primitive};

/// All meshes of a scene with what moves them.
pub struct Figure<'a> {
    file: &'a Container,
    roots: Vec<usize>,
    /// In the order of the tree.
    parts: Vec<Part>,
    skins: Vec<Skin>,
}

/// A primitive at a node.
struct Part {
    node: usize,
    mesh: usize,
    skin: Option<usize>,
    points: Vec<DVec3>,
    /// Displacements of each shape that may be mixed in.
    shapes: Vec<Vec<DVec3>>,
    /// Joints and weights of each vertex, `per_vertex` of each.
    joints: Vec<u32>,
    weights: Vec<f32>,
    per_vertex: usize,
    triangles: Vec<[u32; 3]>,
}

struct Skin {
    joints: Vec<usize>,
    inverse_bind: Vec<DMat4>,
}

impl<'a> Figure<'a> {
    /// Reads the default scene, or all nodes if there is none.
    pub fn new(file: &'a Container) -> Result<Self, Wrong> {
        let document = &file.document;
        let scene = document.scenes.get(document.scene.unwrap_or(0));
        let roots = match scene {
            Some(scene) => scene.nodes.clone(),
            None => {
                let mut child = vec![false; document.nodes.len()];
                let all = document.nodes.iter().flat_map(|node| &node.children);
                for &c in all {
                    if let Some(child) = child.get_mut(c) {
                        *child = true;
                    }
                }
                (0..child.len()).filter(|&n| !child[n]).collect()
            }
        };
        let skins = document.skins.iter().map(|skin| Skin::new(file, skin));
        let skins = skins.collect::<Result<Vec<Skin>, Wrong>>()?;
        let mut figure = Self { file, roots, parts: Vec::new(), skins };
        for node in figure.tree()? {
            figure.add(node)?;
        }
        if figure.parts.iter().all(|part| part.triangles.is_empty()) {
            return Err(Wrong::new("has no triangles").help("export the mesh with its faces"));
        }
        Ok(figure)
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.parts.iter().map(|part| part.points.len()).sum()
    }

    /// All triangles.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut first = 0;
        let mut all = Vec::new();
        for part in &self.parts {
            all.extend(part.triangles.iter().map(|t| t.map(|v| v + first)));
            first += part.points.len() as u32;
        }
        all
    }

    /// An animation by name, or the first.
    pub fn animation(&self, name: Option<&str>) -> Result<Animation, Wrong> {
        let all = &self.file.document.animations;
        let found = match name {
            None => all.first(),
            Some(name) => all.iter().find(|animation| animation.name.as_deref() == Some(name)),
        };
        let Some(found) = found else {
            let known: Vec<&str> = all.iter().filter_map(|a| a.name.as_deref()).collect();
            let message = match name {
                Some(name) => format!("has no animation `{name}`"),
                None => "has no animation".to_owned(),
            };
            let help = if known.is_empty() {
                "leave `frames` out, or export the file with its animation".to_owned()
            } else {
                format!("it has {}", crate::problem::list_names(known))
            };
            return Err(Wrong::new(message).help(help));
        };
        Animation::new(self.file, found)
    }

    /// World places of all vertices at a time [s] of an animation. [m]
    pub fn places(&self, animation: Option<&Animation>, time: f64) -> Vec<Vec3> {
        let world = self.world_from_node(animation, time);
        let mut out = Vec::with_capacity(self.vertex_count());
        for part in &self.parts {
            let weights = animation.and_then(|a| a.weights(part.node, time));
            let weights = weights.unwrap_or_else(|| self.rest_weights(part));
            let skin = part.skin.map(|skin| self.skins[skin].matrices(&world));
            for vertex in 0..part.points.len() {
                let mut point = part.points[vertex];
                for (shape, weight) in part.shapes.iter().zip(&weights) {
                    point += shape[vertex] * *weight;
                }
                let place = match &skin {
                    // A skinned mesh is where its joints are, wherever its node is.
                    Some(joints) => part.skinned(joints, vertex, point),
                    None => world[part.node].transform_point3(point),
                };
                out.push(place.as_vec3());
            }
        }
        out
    }

    fn rest_weights(&self, part: &Part) -> Vec<f64> {
        let document = &self.file.document;
        let own = document.nodes[part.node].weights.clone();
        own.unwrap_or_else(|| document.meshes[part.mesh].weights.clone())
    }

    /// Nodes of the scene, parents before children.
    fn tree(&self) -> Result<Vec<usize>, Wrong> {
        let nodes = &self.file.document.nodes;
        let mut seen = vec![false; nodes.len()];
        let (mut order, mut open) = (Vec::new(), self.roots.clone());
        open.reverse();
        while let Some(node) = open.pop() {
            let Some(described) = nodes.get(node) else {
                return Err(Wrong::new(format!("there is no node {node}")));
            };
            if std::mem::replace(&mut seen[node], true) {
                return Err(Wrong::new(format!("node {node} stands twice in the tree")));
            }
            order.push(node);
            open.extend(described.children.iter().rev());
        }
        Ok(order)
    }

    fn world_from_node(&self, animation: Option<&Animation>, time: f64) -> Vec<DMat4> {
        let nodes = &self.file.document.nodes;
        let mut world = vec![DMat4::IDENTITY; nodes.len()];
        let local = |node: usize| local(&nodes[node], node, animation.map(|a| (a, time)));
        let mut open: Vec<(usize, DMat4)> =
            self.roots.iter().map(|&root| (root, DMat4::IDENTITY)).collect();
        // That it is a tree was seen when it was read.
        while let Some((node, parent)) = open.pop() {
            world[node] = parent * local(node);
            open.extend(nodes[node].children.iter().map(|&child| (child, world[node])));
        }
        world
    }

    fn add(&mut self, node: usize) -> Result<(), Wrong> {
        let document = &self.file.document;
        let Node { mesh: Some(mesh), skin, .. } = document.nodes[node] else { return Ok(()) };
        let Some(Mesh { primitives, .. }) = document.meshes.get(mesh) else {
            return Err(Wrong::new(format!("there is no mesh {mesh}")));
        };
        if skin.is_some_and(|skin| skin >= self.skins.len()) {
            return Err(Wrong::new(format!("node {node} has a skin that is not there")));
        }
        for primitive in primitives {
            let Some(mut part) = Part::new(self.file, primitive)? else { continue };
            (part.node, part.mesh) = (node, mesh);
            part.skin = skin.filter(|_| part.per_vertex > 0);
            if let Some(skin) = part.skin {
                let count = self.skins[skin].joints.len() as u32;
                if part.joints.iter().any(|&joint| joint >= count) {
                    return Err(Wrong::new(format!(
                        "mesh {mesh} hangs on a joint that is not there"
                    )));
                }
            }
            self.parts.push(part);
        }
        Ok(())
    }
}

/// parent_from_node at rest, or where an animation has it.
fn local(described: &Node, node: usize, animation: Option<(&Animation, f64)>) -> DMat4 {
    if let Some(matrix) = described.matrix {
        return DMat4::from_cols_array(&matrix);
    }
    let turn = described.rotation.map_or(DQuat::IDENTITY, DQuat::from_array);
    let turn = if turn.length() > 1e-9 { turn.normalize() } else { DQuat::IDENTITY };
    let moved = DVec3::from(described.translation.unwrap_or_default());
    let mut parts = (moved, turn, DVec3::from(described.scale.unwrap_or([1.0; 3])));
    if let Some((animation, time)) = animation {
        animation.apply(node, time, &mut parts);
    }
    DMat4::from_scale_rotation_translation(parts.2, parts.1, parts.0)
}

impl Skin {
    fn new(file: &Container, described: &super::document::Skin) -> Result<Self, Wrong> {
        let joints = described.joints.clone();
        if joints.iter().any(|&joint| joint >= file.document.nodes.len()) {
            return Err(Wrong::new("a skin has a joint that is not there"));
        }
        let inverse_bind = match described.inverse_bind_matrices {
            None => vec![DMat4::IDENTITY; joints.len()],
            Some(accessor) => {
                let numbers = file.numbers(accessor, 16)?;
                let matrix =
                    |m: &[f32]| DMat4::from_cols_array(&std::array::from_fn(|i| f64::from(m[i])));
                numbers.chunks_exact(16).map(matrix).collect()
            }
        };
        if inverse_bind.len() < joints.len() {
            return Err(Wrong::new("a skin has fewer bind matrices than joints"));
        }
        Ok(Self { joints, inverse_bind })
    }

    fn matrices(&self, world: &[DMat4]) -> Vec<DMat4> {
        let pairs = self.joints.iter().zip(&self.inverse_bind);
        pairs.map(|(&joint, bind)| world[joint] * *bind).collect()
    }
}

impl Part {
    /// None of points or lines.
    fn new(file: &Container, primitive: &Primitive) -> Result<Option<Self>, Wrong> {
        let mode = primitive.mode.unwrap_or(TRIANGLES);
        let Some(&position) = primitive.attributes.get("POSITION") else { return Ok(None) };
        if !(TRIANGLES..=FAN).contains(&mode) {
            return Ok(None);
        }
        let points = vectors(&file.numbers(position, 3)?);
        let corners: Vec<u32> = match primitive.indices {
            Some(accessor) => file.wholes(accessor, 1)?,
            None => (0..points.len() as u32).collect(),
        };
        if let Some(&corner) = corners.iter().find(|&&corner| corner as usize >= points.len()) {
            let message = format!("a triangle has vertex {corner}, but there are {}", points.len());
            return Err(Wrong::new(message).help("export the mesh anew"));
        }
        let mut shapes = Vec::new();
        for target in &primitive.targets {
            let shape = match target.get("POSITION") {
                Some(&accessor) => vectors(&file.numbers(accessor, 3)?),
                None => vec![DVec3::ZERO; points.len()],
            };
            if shape.len() != points.len() {
                return Err(Wrong::new("a morph target has another number of vertices"));
            }
            shapes.push(shape);
        }
        let mut part = Self {
            node: 0,
            mesh: 0,
            skin: None,
            triangles: triangles(&corners, mode),
            shapes,
            joints: Vec::new(),
            weights: Vec::new(),
            per_vertex: 0,
            points,
        };
        part.read_joints(file, primitive)?;
        Ok(Some(part))
    }

    /// Sets of four joints a vertex, side by side.
    fn read_joints(&mut self, file: &Container, primitive: &Primitive) -> Result<(), Wrong> {
        let count = self.points.len();
        let mut sets = Vec::new();
        for set in 0..8 {
            let get = |name: &str| primitive.attributes.get(&format!("{name}_{set}"));
            let (Some(&joints), Some(&weights)) = (get("JOINTS"), get("WEIGHTS")) else { break };
            let (joints, weights) = (file.wholes(joints, 4)?, file.numbers(weights, 4)?);
            if joints.len() != 4 * count || weights.len() != 4 * count {
                return Err(Wrong::new("a skinned mesh has not as many weights as vertices"));
            }
            sets.push((joints, weights));
        }
        self.per_vertex = 4 * sets.len();
        for vertex in 0..count {
            for (joints, weights) in &sets {
                self.joints.extend(&joints[4 * vertex..4 * vertex + 4]);
                self.weights.extend(&weights[4 * vertex..4 * vertex + 4]);
            }
        }
        Ok(())
    }

    /// x = Σ wⱼ Mⱼ x₀ / Σ wⱼ.
    fn skinned(&self, joints: &[DMat4], vertex: usize, point: DVec3) -> DVec3 {
        let range = vertex * self.per_vertex..(vertex + 1) * self.per_vertex;
        let (mut sum, mut total) = (DVec3::ZERO, 0.0);
        for (&joint, &weight) in self.joints[range.clone()].iter().zip(&self.weights[range]) {
            let weight = f64::from(weight);
            if weight != 0.0 {
                let moved: DVec4 = joints[joint as usize] * point.extend(1.0);
                sum += moved.truncate() * weight;
                total += weight;
            }
        }
        if total != 0.0 { sum / total } else { point }
    }
}

const TRIANGLES: u32 = 4;
const STRIP: u32 = 5;
const FAN: u32 = 6;

fn triangles(corners: &[u32], mode: u32) -> Vec<[u32; 3]> {
    let all: Vec<[u32; 3]> = match mode {
        STRIP => (corners.windows(3).enumerate())
            .map(|(i, w)| if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] })
            .collect(),
        FAN => corners.windows(2).skip(1).map(|w| [corners[0], w[0], w[1]]).collect(),
        _ => corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect(),
    };
    all.into_iter().filter(|[a, b, c]| a != b && b != c && c != a).collect()
}

fn vectors(numbers: &[f32]) -> Vec<DVec3> {
    let vector = |v: &[f32]| DVec3::new(f64::from(v[0]), f64::from(v[1]), f64::from(v[2]));
    numbers.chunks_exact(3).map(vector).collect()
}
