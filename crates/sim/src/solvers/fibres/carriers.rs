//! What roots stand on, and where it takes them in a step.

use crate::forces::Conditions;
use crate::model::Model;
use crate::motion::Pose;
use crate::soa::Soa3;
use crate::strands::{RootPath, SkinCorners, StrandSet, root_carrier_pose, skin_pose};

use super::step::RootStep;

/// What the roots of one body stand on.
#[derive(Debug)]
pub(super) struct Carriers {
    /// The carrier of each strand; none of one whose root is free.
    of: Vec<Option<u32>>,
    paths: Vec<RootPath>,
    steps: Vec<RootStep>,
    roots: Vec<RootStep>,
    /// Vertices of mesh colliders that change their shape, at the start and at the end of a step,
    /// where any root stands on them. [m]
    skins: [Soa3; 2],
}

impl Carriers {
    pub fn new(model: &Model, set: &StrandSet) -> Self {
        let (mut of, mut paths) = (Vec::new(), Vec::<RootPath>::new());
        for strand in &set.strands {
            let path = &strand.root.path;
            of.push(match path {
                RootPath::Free => None,
                // Triangles differ from strand to strand; all else is shared, and few.
                RootPath::Skin { .. } => None.or_else(|| {
                    paths.push(path.clone());
                    Some(paths.len() as u32 - 1)
                }),
                _ => paths.iter().position(|known| known == path).map(|k| k as u32).or_else(|| {
                    paths.push(path.clone());
                    Some(paths.len() as u32 - 1)
                }),
            });
        }
        let on_mesh = |path: &RootPath| {
            matches!(path, RootPath::Skin { corners: SkinCorners::Obstacles(_), .. })
        };
        let vertices = if paths.iter().any(on_mesh) {
            model.mesh_colliders.iter().map(|mesh| mesh.vertex_count()).sum()
        } else {
            0
        };
        let still = RootStep { start: Pose::IDENTITY, end: Pose::IDENTITY };
        Self {
            steps: vec![still; paths.len()],
            roots: vec![still; of.len()],
            skins: [Soa3::zeros(vertices), Soa3::zeros(vertices)],
            of,
            paths,
        }
    }

    /// Moves on to a step in which particles go from `x_start` to `x_end`.
    pub fn begin_step(
        &mut self,
        model: &Model,
        conditions: &Conditions,
        (x_start, x_end): (&Soa3, &Soa3),
    ) {
        self.place_skins(model, conditions);
        let (time, h) = (conditions.start_time(), conditions.step_length());
        for (path, step) in self.paths.iter().zip(&mut self.steps) {
            let [skin_start, skin_end] = &self.skins;
            *step = match path {
                RootPath::Skin { corners, weights } => {
                    let pose = |x: &Soa3, skin: &Soa3| match corners {
                        SkinCorners::Particles(c) => {
                            skin_pose(c.map(|p| x.get(p as usize)), *weights)
                        }
                        SkinCorners::Obstacles(c) => {
                            skin_pose(c.map(|p| skin.get(p as usize)), *weights)
                        }
                    };
                    RootStep { start: pose(x_start, skin_start), end: pose(x_end, skin_end) }
                }
                RootPath::Collider(index) => RootStep {
                    start: conditions.collider_start(*index),
                    end: conditions.collider_end(*index),
                },
                _ => RootStep {
                    start: root_carrier_pose(path, time),
                    end: root_carrier_pose(path, time + h),
                },
            };
        }
    }

    /// Finds the root of each strand over the step.
    pub fn place_roots(&mut self, set: &StrandSet) {
        for ((root, of), strand) in self.roots.iter_mut().zip(&self.of).zip(&set.strands) {
            *root = match of {
                Some(carrier) => {
                    let step = self.steps[*carrier as usize];
                    RootStep {
                        start: step.start.compose(strand.root_pose),
                        end: step.end.compose(strand.root_pose),
                    }
                }
                None => RootStep { start: strand.root_pose, end: strand.root_pose },
            };
        }
    }

    fn place_skins(&mut self, model: &Model, conditions: &Conditions) {
        let [start, end] = &mut self.skins;
        if start.is_empty() {
            return;
        }
        let (time, h) = (conditions.start_time(), conditions.step_length());
        let mut first = 0;
        for mesh in &model.mesh_colliders {
            let range = first..first + mesh.vertex_count();
            let pose = conditions.collider_start(mesh.collider);
            mesh.positions_under(pose, time, start.slice_mut(range.clone()));
            let pose = conditions.collider_end(mesh.collider);
            mesh.positions_under(pose, time + h, end.slice_mut(range.clone()));
            first = range.end;
        }
    }

    /// Root of each strand over the step, once they are placed.
    pub fn roots(&self) -> &[RootStep] {
        &self.roots
    }

    /// The carrier of a strand; none of one whose root is free.
    pub fn of(&self, strand: usize) -> Option<u32> {
        self.of[strand]
    }

    /// A carrier over the step.
    pub fn step(&self, carrier: u32) -> RootStep {
        self.steps[carrier as usize]
    }

    /// Whether nothing that carries a root moves in the step.
    pub fn stand(&self) -> bool {
        self.steps.iter().all(|step| step.start == step.end)
    }
}
