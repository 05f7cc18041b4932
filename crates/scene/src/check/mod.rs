//! What the schema cannot say: names that must exist, points that must lie on
//! their grid, budgets, files. Every problem found, each at its place.

mod bodies;
mod colliders;
mod expect;
mod materials;
pub(crate) mod meshes;
pub mod paths;
mod select;
mod strands;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::node::{Node, Step, path_text};
use crate::problem::{MAX_PROBLEMS, Problem, did_you_mean, list_names};
use crate::schema::{Body, Scene, Shape, Vec3};

pub use bodies::MAX_POINTS;

/// Every problem that lies between fields. The scene need not have passed
/// validation: values out of range may stand in it.
/// `dir` is the folder that its paths are relative to.
pub fn check(scene: &Scene, tree: &Node, dir: Option<&Path>) -> Vec<Problem> {
    let cloths = scene.bodies.iter().filter_map(Body::as_cloth);
    let shapes = cloths.map(|cloth| (cloth.name.as_str(), &cloth.shape));
    let colliders = scene.colliders.iter().map(|collider| collider.name.as_str());
    let (shapes, colliders) = (shapes.collect(), colliders.collect());
    let mut check = Check { scene, tree, dir, shapes, colliders, problems: Vec::new() };
    let times = scene.gravity_keyframes.iter().map(|key| key.t_s);
    check.increasing(&steps!["gravity_keyframes"], times);
    check.materials();
    check.bodies();
    check.colliders();
    check.joins_and_forces();
    check.view();
    check.start_from();
    check.expect();
    check.problems
}

struct Check<'s> {
    scene: &'s Scene,
    tree: &'s Node,
    dir: Option<&'s Path>,
    shapes: BTreeMap<&'s str, &'s Shape>,
    colliders: BTreeSet<&'s str>,
    problems: Vec<Problem>,
}

/// A path from field names and list numbers.
macro_rules! steps {
    ($($step:expr),* $(,)?) => { [$($crate::node::Step::from($step)),*] };
}
pub(crate) use steps;

impl From<&str> for Step {
    fn from(name: &str) -> Self {
        Self::Field(name.to_owned())
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl<'s> Check<'s> {
    fn report(&mut self, path: &[Step], message: impl Into<String>, help: Option<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            let problem = Problem::new(self.tree.nearest(path).pointer(), message);
            self.problems.push(problem.at(path_text(path)).help_if(help));
        }
    }

    /// `name` must be one of `known`; `what` says of what: "body".
    fn name(&mut self, path: &[Step], what: &str, name: &str, known: &[&str]) {
        if known.contains(&name) {
            return;
        }
        let help = match did_you_mean(name, known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if known.is_empty() => format!("this scene has no {what}"),
            None => format!("known here: {}", list_names(known.iter().copied())),
        };
        self.report(path, format!("there is no {what} `{name}`"), Some(help));
    }

    /// Names in a list must differ.
    fn unique(&mut self, list: &str, names: &[&str]) {
        let mut seen = BTreeSet::new();
        for (index, name) in names.iter().enumerate() {
            if !seen.insert(*name) {
                let help = Some("give each its own name".to_owned());
                let message = format!("`{name}` is the name of another one too");
                self.report(&steps![list, index, "name"], message, help);
            }
        }
    }

    /// A direction must not be zero.
    fn direction(&mut self, path: &[Step], vector: Vec3) {
        if vector.iter().map(|v| v * v).sum::<f64>() < 1e-24 {
            let help = Some("give it any length, such as [0, 1, 0]".to_owned());
            self.report(path, "must not be zero: it is a direction", help);
        }
    }

    /// Keyframes must go forward in time.
    fn increasing(&mut self, path: &[Step], times: impl Iterator<Item = f64>) {
        let mut last = f64::NEG_INFINITY;
        for (index, time) in times.enumerate() {
            if time <= last {
                let mut path = path.to_vec();
                path.extend(steps![index, "t_s"]);
                let message = format!("must be later than the keyframe before, at {last} s");
                self.report(&path, message, Some("put keyframes in the order of time".into()));
            }
            last = time;
        }
    }

    fn body_name(&mut self, path: &[Step], name: &str) {
        if !self.shapes.contains_key(name) {
            let known = self.body_names();
            self.name(path, "body", name, &known);
        }
    }

    fn collider_name(&mut self, path: &[Step], name: &str) {
        if !self.colliders.contains(name) {
            let known = self.collider_names();
            self.name(path, "collider", name, &known);
        }
    }

    fn body_names(&self) -> Vec<&'s str> {
        self.scene.bodies.iter().map(Body::name).collect()
    }

    fn collider_names(&self) -> Vec<&'s str> {
        self.scene.colliders.iter().map(|collider| collider.name.as_str()).collect()
    }

    fn shape_of(&self, body: &str) -> Option<&'s Shape> {
        self.shapes.get(body).copied()
    }
}
