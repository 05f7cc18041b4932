//! Starting from a checkpoint in place of the bodies' places.

use serde_json::json;

use super::Simulation;
use crate::check::steps;
use crate::checkpoint::{self, Checkpoint, Section};
use crate::load::LoadedScene;
use crate::node::path_text;
use crate::problem::Problem;
use crate::run::{come_apart, restore};

/// Brings a simulation to the state of the scene's `start_from`, if it has one. The
/// checkpoint may come from another scene, solver or step length: only points and ties
/// must fit.
pub(super) fn start_from(
    loaded: &LoadedScene,
    simulation: &mut Simulation,
) -> Result<(), Box<Problem>> {
    let Some(file) = &loaded.scene.start_from else { return Ok(()) };
    let path = steps!["start_from"];
    let problem = |message: String, help: &str| {
        let origin = loaded.tree.nearest(&path).pointer();
        Box::new(Problem::new(origin, message).at(path_text(&path)).help(help))
    };
    let resolved = loaded
        .resolve(file)
        .map_err(|message| problem(message, "put the checkpoint beside the scene"))?;
    let found = checkpoint::read(&resolved).map_err(|error| {
        problem(error.to_string(), "save the state again, or remove `start_from`")
    })?;
    come_apart(simulation, &found).map_err(|error| problem(error.to_string(), MISFIT_HELP))?;
    fits(simulation, &found)
        .map_err(|message| problem(format!("`{file}` {message}"), MISFIT_HELP))?;
    let fitted = fitted(simulation, found);
    restore(simulation, &fitted).map_err(|error| problem(error.to_string(), MISFIT_HELP))?;
    simulation.start_s = simulation.world.state().time;
    Ok(())
}

const MISFIT_HELP: &str = "save the state again from this scene, give the bodies the shapes and \
                           pins that they had, or remove `start_from`";

/// What does not fit, in words that follow the file's name.
fn fits(simulation: &Simulation, found: &Checkpoint) -> Result<(), String> {
    let model = simulation.world.model();
    let count = |name: &str| match found.sections.get(name) {
        Some(Section::F32(values)) => values.len(),
        Some(Section::U8(values)) => values.len(),
        _ => 0,
    };
    let (points, wanted) = (count("position.x"), model.particle_count());
    if points != wanted {
        return Err(format!("has {points} points, but the scene has {wanted}"));
    }
    let (ties, wanted) = (count("broken"), model.ties.len());
    if ties != wanted {
        return Err(format!(
            "belongs to other pins, seams or glue: springs of these: {ties}, in the scene {wanted}"
        ));
    }
    Ok(())
}

/// The checkpoint as this simulation would have written it: with its own number of steps
/// up to the same time, and without what another solver remembered.
fn fitted(simulation: &Simulation, mut found: Checkpoint) -> Checkpoint {
    let substeps = json!(simulation.schedule.substeps);
    found.header.extra.insert("substeps".to_owned(), substeps);
    let time = match found.sections.get("time") {
        Some(Section::F64(time)) if time.len() == 1 => time[0],
        _ => found.header.time_s,
    };
    found.header.step = (time / simulation.step_s()).round() as u64;
    let kept = &simulation.world.state().memory;
    let mut other_solver = false;
    let mut fit = |name: String, len: usize| {
        let fits = matches!(found.sections.get(&name), Some(Section::F32(v)) if v.len() == len);
        if !fits {
            other_solver = true;
            found.sections.insert(name, Section::F32(vec![0.0; len]));
        }
    };
    for (i, vectors) in kept.vectors.iter().enumerate() {
        ["x", "y", "z"].iter().for_each(|axis| fit(format!("memory{i}.{axis}"), vectors.len()));
    }
    if !kept.numbers.is_empty() {
        fit("memory".to_owned(), kept.numbers.len());
    }
    if other_solver {
        found.header.extra.insert("started".to_owned(), json!(false));
    }
    found
}

#[cfg(test)]
mod tests;
