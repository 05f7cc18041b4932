//! From a checked scene to a world that can be stepped.

mod adopt;
mod bodies;
mod carried;
mod closed_skins;
mod colliders;
mod contact;
mod garments;
mod lattices;
mod material;
mod mesh_shapes;
mod mesh_source;
mod outside;
mod select;
mod slits;
mod soft_bodies;
mod solids;
mod solver;
mod start;
mod strands;
mod terrain;

use std::collections::BTreeMap;

use glam::{EulerRot, Quat, Vec3};
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::world::World;

use crate::check::steps;
use crate::errors::SceneError;
use crate::load::LoadedScene;
use crate::mesh_io::MeshError;
use crate::node::{Step, path_text};
use crate::problem::Problem;
use crate::run::tangled_start;
use crate::schema;

pub use adopt::{fit_hands, keeps_state};
pub(crate) use closed_skins::welded;
pub use solver::Schedule;

/// A world with the times at which it is looked at.
pub struct Simulation {
    /// The world, at time 0 or at that of the scene's `start_from`.
    pub world: World,
    /// Frames and substeps.
    pub schedule: Schedule,
    /// What the user should know: choices made and doubts.
    pub notes: Vec<Note>,
    /// When the run starts: 0, or the time of the scene's `start_from`. Frames and
    /// `duration_s` count from here; motions, releases and punches keep their times. [s]
    pub start_s: f64,
}

/// Something the user should know before a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// How serious it is.
    pub level: NoteLevel,
    /// A sentence.
    pub text: String,
}

/// How serious a note is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteLevel {
    /// A choice that was made.
    Info,
    /// Something that may go wrong.
    Warning,
}

/// Why a checked scene could not be built. All of them mean that the input is wrong.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum BuildError {
    /// The scene asks for something that cannot be.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Scene(#[from] SceneError),
    /// A mesh of the scene cannot be read.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Mesh(#[from] MeshError),
}

/// Lights that pictures can show, besides the sky's.
pub const MAX_LIGHTS: usize = 7;

/// Builds the world of a scene.
pub fn build(loaded: &LoadedScene) -> Result<Simulation, BuildError> {
    let scene = &loaded.scene;
    let mut build = Build {
        loaded,
        builder: ModelBuilder::new(vec3(scene.gravity_m_s2)),
        bodies: BTreeMap::new(),
        notes: Vec::new(),
        problems: Vec::new(),
        slits: Vec::new(),
    };
    build.gravity();
    build.builder.set_contact_offset(scene.contact.thickness_m as f32);
    build.colliders()?;
    build.bodies()?;
    build.joins();
    build.contact();
    build.outside();
    if scene.lights.len() > MAX_LIGHTS {
        build.warn(format!("{} lights: the first {MAX_LIGHTS} shine", scene.lights.len()));
    }
    if scene.bodies.is_empty() {
        build.warn("there is nothing to simulate: add a body, such as a cloth of kind grid");
    }
    if !build.problems.is_empty() {
        return Err(SceneError::from_problems(build.problems, &loaded.sources).into());
    }
    let Build { builder, mut notes, slits, .. } = build;
    let (model, state) = builder.build();
    let kind = solver::solver_kind(&scene.solver, &model, &mut notes).map_err(|refusal| {
        let path = steps!["solver", "kind"];
        let origin = loaded.tree.nearest(&path).pointer();
        let problem = Problem::new(origin, refusal.why).at(path_text(&path)).help(refusal.remedy);
        SceneError::from_problems(vec![problem], &loaded.sources)
    })?;
    let mut world = World::new(model, state, kind);
    if !slits.is_empty() && !world.slit(&slits) {
        let text = "the slits open nothing: inside a cloth it takes two edges in a row".to_owned();
        notes.push(Note { level: NoteLevel::Warning, text });
    }
    garments::doubt(scene, &world, &mut notes);
    let schedule = Schedule::plan(&scene.time, &world, &mut notes);
    let mut simulation = Simulation { world, schedule, notes, start_s: 0.0 };
    start::start_from(loaded, &mut simulation)
        .map_err(|problem| SceneError::from_problems(vec![*problem], &loaded.sources))?;
    let world = &mut simulation.world;
    let tangle = if scene.start_from.is_some() { world.find_tangle() } else { world.tangle() };
    for text in tangled_start(&tangle) {
        simulation.notes.push(Note { level: NoteLevel::Warning, text });
    }
    Ok(simulation)
}

/// The work in progress.
struct Build<'a> {
    loaded: &'a LoadedScene,
    builder: ModelBuilder,
    bodies: BTreeMap<String, BodyPoints>,
    notes: Vec<Note>,
    problems: Vec<Problem>,
    /// Neighbouring particles between which bodies are cut from the start.
    slits: Vec<[u32; 2]>,
}

/// The polygons of a mesh.
#[derive(Clone, Debug, Default)]
struct MeshFaces {
    /// Vertices. [m]
    points: Vec<Vec3>,
    /// Corners of each face.
    faces: Vec<Vec<u32>>,
    /// Texture coordinates a vertex; may be empty.
    uvs: Vec<[f32; 2]>,
}

/// Where a body's points are.
#[derive(Clone, Debug)]
struct BodyPoints {
    first: usize,
    count: usize,
    grid: Option<[usize; 2]>,
}

impl Build<'_> {
    fn problem(&mut self, path: &[Step], message: impl Into<String>, help: impl Into<String>) {
        let origin = self.loaded.tree.nearest(path).pointer();
        self.problems.push(Problem::new(origin, message).at(path_text(path)).help(help));
    }

    fn warn(&mut self, text: impl Into<String>) {
        self.notes.push(Note { level: NoteLevel::Warning, text: text.into() });
    }

    fn collider_index(&self, name: &str) -> Option<usize> {
        self.loaded.scene.colliders.iter().position(|c| c.name == name)
    }
}

fn vec3(v: schema::Vec3) -> Vec3 {
    Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)
}

/// Two keys less than half a turn apart say which way to turn; others do not.
fn check_turns(keys: impl Iterator<Item = (f64, schema::Vec3)>) -> Result<(), String> {
    let keys: Vec<(f64, schema::Vec3)> = keys.collect();
    for pair in keys.windows(2) {
        let [(from, a), (to, b)] = [pair[0], pair[1]];
        if (0..3).any(|axis| (b[axis] - a[axis]).abs() >= 180.0) {
            return Err(format!(
                "turns by 180° or more between the keys at {from} s and {to} s, which leaves the \
                 way open: put a key between them"
            ));
        }
    }
    Ok(())
}

/// Turns about x, then y, then z, each an axis of the world. [°]
fn rotation(degrees: schema::Vec3) -> Quat {
    let [x, y, z] = degrees.map(|d| d.to_radians() as f32);
    Quat::from_euler(EulerRot::XYZEx, x, y, z)
}
