//! A run's state to and from a checkpoint.

use std::collections::BTreeMap;
use std::sync::Arc;

use tkanina_sim::hands::Hands;
use tkanina_sim::soa::Soa3;
use tkanina_sim::state::State;
use tkanina_sim::tearing::Torn;

use super::Record;
use crate::build::Simulation;
use crate::checkpoint::{Checkpoint, CheckpointHeader, Section, hands};
use crate::load::LoadedScene;

/// The checkpoint does not fit the scene it is resumed with.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("the checkpoint does not fit this scene: {0}")]
#[diagnostic(help("resume with the scene, --set and --solver that the checkpoint was made with"))]
pub struct RestoreError(String);

/// What has come apart of lattices: corners of cells, links that are broken, and that ever were.
const LATTICES: [&str; 3] = ["torn.cells", "torn.links", "torn.spent"];

/// Everything needed to go on from the present frame.
pub fn checkpoint(loaded: &LoadedScene, simulation: &Simulation, record: &Record) -> Checkpoint {
    let state = simulation.world.state();
    let mut sections = BTreeMap::new();
    let mut add = |name: &str, values: &Soa3| {
        for (axis, values) in [("x", &values.x), ("y", &values.y), ("z", &values.z)] {
            sections.insert(format!("{name}.{axis}"), Section::F32(values.clone()));
        }
    };
    add("position", &state.x);
    add("velocity", &state.v);
    if !state.obstacles.is_empty() {
        add("obstacle", &state.obstacles);
    }
    if !state.fibres.directors.is_empty() {
        add("director", &state.fibres.directors);
    }
    for (i, vectors) in state.memory.vectors.iter().enumerate() {
        add(&format!("memory{i}"), vectors);
    }
    if !state.memory.numbers.is_empty() {
        sections.insert("memory".to_owned(), Section::F32(state.memory.numbers.clone()));
    }
    if !state.fibres.cut.is_empty() {
        sections.insert("cut".to_owned(), Section::U32(state.fibres.cut.clone()));
    }
    if !state.fibres.numbers.is_empty() {
        sections.insert("fibres".to_owned(), Section::F64(state.fibres.numbers.clone()));
    }
    let broken = state.broken.iter().map(|&b| u8::from(b)).collect();
    sections.insert("broken".to_owned(), Section::U8(broken));
    // Bits, not decimal text: the time must come back exactly.
    sections.insert("time".to_owned(), Section::F64(vec![state.time]));
    if let Some(torn) = &state.torn {
        sections.insert("torn.origins".to_owned(), Section::U32(torn.origins.clone()));
        let corners = torn.triangles.iter().flatten().copied().collect();
        sections.insert("torn.triangles".to_owned(), Section::U32(corners));
        let lists =
            [torn.cells.as_flattened(), torn.links.as_flattened(), torn.spent.as_flattened()];
        for (name, list) in LATTICES.into_iter().zip(lists) {
            if !list.is_empty() {
                sections.insert(name.to_owned(), Section::U32(list.to_vec()));
            }
        }
    }
    let mut extra = BTreeMap::new();
    extra.insert("started".to_owned(), state.memory.started.into());
    extra.insert("substeps".to_owned(), simulation.schedule.substeps.into());
    extra.insert("contacts".to_owned(), state.contacts.into());
    extra.insert("contact_plan".to_owned(), state.contact_plan.into());
    for (name, value) in [
        ("tangle_limit", state.tangle_limit),
        ("contact_slow", state.contact_slow),
        ("contact_close", state.contact_close),
    ] {
        if value > 0 {
            extra.insert(name.to_owned(), value.into());
        }
    }
    if state.hands != Hands::default() {
        extra.insert("hands".to_owned(), hands::to_json(&state.hands));
    }
    extra.insert("record".to_owned(), serde_json::to_value(record).unwrap_or_default());
    Checkpoint {
        header: CheckpointHeader {
            tkanina: env!("CARGO_PKG_VERSION").to_owned(),
            scene: loaded.scene.name.clone(),
            scene_hash: loaded.hash(),
            frame: simulation.frame(),
            step: state.step,
            time_s: state.time,
            extra,
        },
        sections,
    }
}

/// Brings a simulation's model to what had come apart in a checkpoint. Where its points are is
/// still to be told.
pub(crate) fn come_apart(
    simulation: &mut Simulation,
    from: &Checkpoint,
) -> Result<(), RestoreError> {
    let world = &mut simulation.world;
    let torn = match (from.sections.get("torn.origins"), from.sections.get("torn.triangles")) {
        (None, None) if world.state().torn.is_none() => return Ok(()),
        (None, None) => return Err(RestoreError("it has none of the slits".to_owned())),
        (Some(Section::U32(origins)), Some(Section::U32(corners))) => {
            let triangles = corners.chunks(3).map(|t| <[u32; 3]>::try_from(t).unwrap_or_default());
            let list = |name: &str| match from.sections.get(name) {
                Some(Section::U32(list)) => list.as_slice(),
                _ => &[],
            };
            let [cells, links, spent] = LATTICES.map(list);
            Torn {
                origins: origins.clone(),
                triangles: triangles.collect(),
                cells: cells.as_chunks().0.to_vec(),
                links: links.as_chunks().0.to_vec(),
                spent: spent.as_chunks().0.to_vec(),
            }
        }
        _ => return Err(RestoreError("what came apart cannot be read".to_owned())),
    };
    torn.fits(world.whole_model()).map_err(|why| RestoreError(format!("{why} (torn cloth)")))?;
    if world.state().torn.as_deref() == Some(&torn) {
        return Ok(());
    }
    let points = Soa3::zeros(world.whole_model().particle_count() + torn.origins.len());
    let broken = world.state().broken.clone();
    let torn = Some(Arc::new(torn));
    world.restore(State { x: points.clone(), v: points, broken, torn, ..State::default() });
    Ok(())
}

/// Brings a simulation to the state of a checkpoint.
pub fn restore(simulation: &mut Simulation, from: &Checkpoint) -> Result<Record, RestoreError> {
    come_apart(simulation, from)?;
    let particles = simulation.world.model().particle_count();
    let extra = |name: &str| from.header.extra.get(name);
    let substeps = extra("substeps").and_then(serde_json::Value::as_u64);
    if substeps != Some(u64::from(simulation.schedule.substeps)) {
        return Err(RestoreError("it was made with other substeps".to_owned()));
    }
    let vectors = |name: &str, count: usize| {
        let axis = |axis: &str| match from.sections.get(&format!("{name}.{axis}")) {
            Some(Section::F32(values)) if values.iter().any(|value| !value.is_finite()) => {
                Err(RestoreError(format!("`{name}.{axis}` has a value that is not finite")))
            }
            Some(Section::F32(values)) if values.len() == count => Ok(values.clone()),
            _ => Err(RestoreError(format!("`{name}.{axis}` is not {count} numbers"))),
        };
        Ok(Soa3 { x: axis("x")?, y: axis("y")?, z: axis("z")? })
    };
    let mut state = State::new(
        simulation.world.model(),
        vectors("position", particles)?,
        vectors("velocity", particles)?,
    );
    let kept = &simulation.world.state().memory;
    for (i, like) in kept.vectors.iter().enumerate() {
        state.memory.vectors.push(vectors(&format!("memory{i}"), like.len())?);
    }
    state.memory.numbers = match from.sections.get("memory") {
        Some(Section::F32(numbers)) if numbers.len() == kept.numbers.len() => numbers.clone(),
        None if kept.numbers.is_empty() => Vec::new(),
        _ => return Err(RestoreError("it was made with another solver".to_owned())),
    };
    if state.memory.numbers.iter().any(|value| !value.is_finite()) {
        return Err(RestoreError("`memory` has a value that is not finite".to_owned()));
    }
    state.torn.clone_from(&simulation.world.state().torn);
    state.memory.started = extra("started").and_then(|v| v.as_bool()).unwrap_or(false);
    state.contacts = extra("contacts").and_then(|v| v.as_u64()).unwrap_or(0) as usize;
    let number = |name: &str| extra(name).and_then(|v| v.as_u64()).unwrap_or(0);
    state.contact_plan = u32::try_from(number("contact_plan")).unwrap_or(0);
    state.tangle_limit = u32::try_from(number("tangle_limit")).unwrap_or(0);
    // More than contact ever counts to.
    state.contact_slow = number("contact_slow").min(1000) as u32;
    state.contact_close = number("contact_close").min(1000) as u32;
    let obstacles = simulation.world.state().obstacles.len();
    if obstacles > 0 {
        state.obstacles = vectors("obstacle", obstacles)?;
    }
    let fibres = &simulation.world.state().fibres;
    if !fibres.directors.is_empty() {
        state.fibres.directors = vectors("director", fibres.directors.len())?;
    }
    state.fibres.numbers = match from.sections.get("fibres") {
        Some(Section::F64(numbers)) if numbers.len() == fibres.numbers.len() => numbers.clone(),
        None if fibres.numbers.is_empty() => Vec::new(),
        _ => return Err(RestoreError("its strands are solved in another way".to_owned())),
    };
    if let Some(Section::U32(cut)) = from.sections.get("cut") {
        let rises = cut.windows(2).all(|pair| pair[0] < pair[1]);
        if !rises || cut.last().is_some_and(|&last| last as usize >= particles) {
            return Err(RestoreError("its cuts are not of these strands".to_owned()));
        }
        state.fibres.cut.clone_from(cut);
    }
    if state.fibres.numbers.iter().any(|value| !value.is_finite()) {
        return Err(RestoreError("`fibres` has a value that is not finite".to_owned()));
    }
    state.step = from.header.step;
    state.time = match from.sections.get("time") {
        Some(Section::F64(time)) if time.len() == 1 && time[0].is_finite() && time[0] >= 0.0 => {
            time[0]
        }
        _ => return Err(RestoreError("it has no time, or one that cannot be".to_owned())),
    };
    match from.sections.get("broken") {
        Some(Section::U8(broken)) if broken.len() == state.broken.len() => {
            state.broken = broken.iter().map(|&b| b != 0).collect();
        }
        _ => return Err(RestoreError("it has other pins or seams".to_owned())),
    }
    if let Some(json) = extra("hands") {
        state.hands = hands::from_json(json)
            .map_err(|e| RestoreError(format!("its pins and grabs cannot be read: {e}")))?;
    }
    let record = extra("record").cloned().unwrap_or_default();
    let record = serde_json::from_value(record)
        .map_err(|e| RestoreError(format!("its record cannot be read: {e}")))?;
    simulation.world.restore(state);
    Ok(record)
}
