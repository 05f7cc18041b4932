//! One scene under every solver at every setting.

use std::time::Instant;

use tkanina_scene::compare::{Count, Entry, Track};

use super::ladder::Ladder;
use super::scenes::GuideScene;
use crate::commands::compare::lab::{Lab, Watch};
use crate::commands::compare::reference::{Choice, Reference};
use crate::failure::Failure;

/// How much is done.
pub struct Effort {
    /// A few frames only.
    pub quick: bool,
    /// Threads.
    pub threads: usize,
    /// No progress bar.
    pub quiet: bool,
}

/// Runs of a setting at most, of which the shortest times count.
const MOST_REPEATS: f64 = 3.0;

/// What was found on a scene.
pub struct Measured {
    /// The scene.
    pub scene: &'static GuideScene,
    /// Number of points.
    pub points: usize,
    /// The reference in words.
    pub reference: String,
    /// Its distance from itself at twice the step over the size of the body.
    pub within: Option<f64>,
    /// Every setting that was tried.
    pub tries: Vec<Try>,
    /// Settings that were left out because they take too long.
    pub left_out: Vec<String>,
}

/// A solver at a setting.
pub struct Try {
    /// As it can be typed.
    pub label: String,
    /// Number of its kind in the list of kinds.
    pub kind: usize,
    /// Whether it stands beside the line.
    pub beside: bool,
    /// Median. [ms a frame]
    pub ms: f64,
    /// Distance to the reference over the size of the body; none if it was not stable.
    pub error: Option<f64>,
    /// Largest stretch.
    pub stretch: f64,
    /// Energy gained or lost over what is exchanged.
    pub energy: f64,
    /// How it went if it was not stable.
    pub trouble: Option<String>,
}

impl Effort {
    fn frames(&self, seconds: f64) -> u64 {
        if self.quick { 4 } else { (60.0 * seconds).round() as u64 }
    }

    /// Time of the reference. [s]
    fn reference_s(&self) -> f64 {
        if self.quick { 3.0 } else { 120.0 }
    }

    /// Time of one setting. [s]
    fn try_s(&self) -> f64 {
        if self.quick { 2.0 } else { 20.0 }
    }
}

/// Tries every kind at every setting.
pub fn measure(
    scene: &'static GuideScene,
    kinds: &[String],
    effort: &Effort,
) -> Result<Measured, Failure> {
    let sets: Vec<String> = scene.sets.iter().map(|set| (*set).to_owned()).collect();
    let lab = Lab {
        scene: scene.scene,
        sets: &sets,
        substeps: None,
        frames: Some(effort.frames(scene.seconds)),
        threads: effort.threads,
        repeat: 1,
        quiet: effort.quiet,
    };
    let choice = Choice::Auto { budget_s: effort.reference_s() };
    let reference = Reference::make(&lab, &choice, 1, &[])?;
    let reference = reference.map_err(|reason| {
        Failure::other(miette::miette!("there is no reference for {}: {reason}", scene.scene))
    })?;
    let mut out = Measured {
        scene,
        points: 0,
        within: reference.within.map(|within| within.rms_m / reference.size_m),
        reference: reference.in_words(),
        tries: Vec::new(),
        left_out: Vec::new(),
    };
    for (kind, name) in kinds.iter().enumerate() {
        let Some(steps) = recommended(&lab, name)? else { continue };
        let ladder = Ladder::of(name, steps, effort.quick);
        let rungs = ladder.rungs.into_iter().map(|entry| (entry, false));
        for (entry, beside) in rungs.chain(ladder.beside.into_iter().map(|entry| (entry, true))) {
            let label = entry.label.clone();
            match attempt(&lab, entry, &reference, effort.try_s())? {
                Some((points, found)) => {
                    out.points = points;
                    out.tries.push(Try { kind, beside, ..found });
                }
                None => out.left_out.push(label),
            }
        }
    }
    Ok(out)
}

/// Steps a frame that a kind recommends; none if it cannot run the scene.
fn recommended(lab: &Lab<'_>, kind: &str) -> Result<Option<u32>, Failure> {
    let case = lab.case(Entry::of_kind(kind, Some(Count::Auto)), "--solvers")?;
    Ok(case.simulation.ok().map(|simulation| simulation.schedule.substeps))
}

/// One setting; none if it would take longer than `budget_s`.
fn attempt(
    lab: &Lab<'_>,
    entry: Entry,
    reference: &Reference,
    budget_s: f64,
) -> Result<Option<(usize, Try)>, Failure> {
    // The cost of a frame is tried on a world of its own.
    let Ok(mut trial) = lab.case(entry.clone(), "--solvers")?.simulation else { return Ok(None) };
    let mut frame_s = f64::INFINITY;
    for _ in 0..2 {
        let before = Instant::now();
        let held = trial.advance().is_ok();
        frame_s = frame_s.min(if held { before.elapsed().as_secs_f64() } else { 0.0 });
    }
    let run_s = frame_s * lab.frames(&trial) as f64;
    if run_s > budget_s {
        return Ok(None);
    }
    // What is quick is measured more often.
    let repeat = (budget_s / run_s.max(1e-9)).clamp(1.0, MOST_REPEATS) as u32;
    let lab = &Lab { repeat, ..*lab };
    let label = entry.label.clone();
    let mut case = lab.case(entry, "--solvers")?;
    let Ok(simulation) = &case.simulation else { return Ok(None) };
    let points = simulation.world.model().particle_count();
    let watch = Watch { against: Some(&reference.positions), ..Watch::default() };
    let Some(track) = lab.run(&mut case, watch)? else { return Ok(None) };
    Ok(Some((points, judged(label, &track, reference))))
}

fn judged(label: String, track: &Track, reference: &Reference) -> Try {
    let scale = reference.track.energy_scale();
    let summary = track.summary(Some(&reference.track), reference.size_m, scale);
    let trouble = match (&track.end, summary.bad_since_s) {
        (Some(_), _) => Some("exploded".to_owned()),
        (None, Some(_)) => Some("gained energy".to_owned()),
        _ => None,
    };
    let error = summary.distance.filter(|_| trouble.is_none()).map(|d| d.relative);
    Try {
        label,
        kind: 0,
        beside: false,
        ms: summary.frame_ms.median,
        error,
        stretch: summary.stretch_worst,
        energy: summary.energy_drift,
        trouble,
    }
}
