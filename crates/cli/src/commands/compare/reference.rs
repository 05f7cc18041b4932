//! The run that others are measured against.

use std::time::Instant;

use tkanina_scene::compare::{Count, Distance, Entry, ReferencePlan, Track, Trajectory, body_size};

use super::lab::{Case, Lab, Watch};
use crate::failure::Failure;
use crate::plot::number;

/// What was asked for.
#[derive(Clone, Debug)]
pub enum Choice {
    /// A converged run, within a time.
    Auto {
        /// Time that it may take. [s]
        budget_s: f64,
    },
    /// This one.
    Entry(Entry),
    /// No reference.
    None,
}

/// A reference that was run.
pub struct Reference {
    /// Which run it is.
    pub case: Case,
    /// Size of the largest body at the start. [m]
    pub size_m: f64,
    /// What was seen of it.
    pub track: Track,
    /// Where its points were.
    pub positions: Trajectory,
    /// The same run at twice the step, if it held.
    pub coarser: Option<Track>,
    /// Its distance from that: mean of root mean squares, and the most.
    pub within: Option<Distance>,
    /// Why it is not as fine as it should be.
    pub shortfall: Option<String>,
}

/// Steps by which the cost of a step is measured.
const TRIAL: u32 = 40;

impl Reference {
    /// Runs the reference; or says why there is none. it has at least
    /// `finest` steps a frame.
    pub fn make(
        lab: &Lab<'_>,
        choice: &Choice,
        finest: u32,
        moments: &[u64],
    ) -> Result<Result<Self, String>, Failure> {
        let (case, shortfall) = match choice {
            Choice::None => return Ok(Err("none was asked for".to_owned())),
            Choice::Entry(entry) => (lab.case(entry.clone(), "--reference")?, None),
            Choice::Auto { budget_s } => match affordable(lab, *budget_s, finest)? {
                Ok(found) => found,
                Err(reason) => return Ok(Err(reason)),
            },
        };
        Self::run(lab, case, shortfall, moments)
    }

    fn run(
        lab: &Lab<'_>,
        mut case: Case,
        shortfall: Option<String>,
        moments: &[u64],
    ) -> Result<Result<Self, String>, Failure> {
        let Ok(simulation) = &mut case.simulation else {
            return Ok(Err(case.reason().unwrap_or_default()));
        };
        let points = simulation.world.model().particle_count();
        let size_m = body_size(simulation.world.model(), &simulation.world.state().x);
        let substeps = simulation.schedule.substeps;
        let mut positions = Trajectory::new(lab.frames(simulation), points);
        let mut watch = Watch { moments, keep: Some(&mut positions), against: None };
        let track = lab.once(simulation, "reference", &mut watch);
        if let Some(end) = &track.end {
            return Ok(Err(format!("{} is none, because {}", case.entry.label, end.reason)));
        }
        let coarser = coarser(lab, &case.entry, substeps, &positions)?;
        let distance = coarser.as_ref().and_then(|track| track.summary(None, 1.0, 1.0).distance);
        let within = distance.map(|d| Distance { rms_m: d.rms_m, max_m: d.max_m });
        Ok(Ok(Self { case, size_m, track, positions, coarser, within, shortfall }))
    }

    /// What it is and how far it can be relied on.
    pub fn in_words(&self) -> String {
        let kind = self.case.entry.kind.as_deref().unwrap_or("the scene's solver");
        let steps = self.track.substeps;
        let within = match self.within {
            Some(within) => format!(
                "; it is within {} mm (RMS, {} mm at most) of itself at twice the step",
                number(1e3 * within.rms_m),
                number(1e3 * within.max_m)
            ),
            None => "; how converged it is was not measured".to_owned(),
        };
        let short = self.shortfall.as_ref().map_or_else(String::new, |s| format!("; {s}"));
        format!("{kind}, {steps} steps a frame{within}{short}")
    }
}

/// The same run at twice the step, measured against the finer one; none if it explodes.
fn coarser(
    lab: &Lab<'_>,
    entry: &Entry,
    substeps: u32,
    positions: &Trajectory,
) -> Result<Option<Track>, Failure> {
    if substeps < 2 {
        return Ok(None);
    }
    let entry = Entry { substeps: Some(Count::Steps(substeps / 2)), ..entry.clone() };
    let Ok(mut simulation) = lab.case(entry, "--reference")?.simulation else { return Ok(None) };
    let mut watch = Watch { against: Some(positions), ..Watch::default() };
    let track = lab.once(&mut simulation, "reference, twice the step", &mut watch);
    Ok(track.end.is_none().then_some(track))
}

/// A case with the reason for its being coarse, or the reason for there being none.
type Found = Result<(Case, Option<String>), String>;

/// The finest reference that there is time for.
fn affordable(lab: &Lab<'_>, budget_s: f64, finest: u32) -> Result<Found, Failure> {
    let kind = ReferencePlan::KIND.name();
    let entry = |steps: u32| Entry::of_kind(kind, Some(Count::Steps(steps)));
    let mut case = lab.case(entry(1), "--reference")?;
    let Ok(simulation) = &mut case.simulation else {
        return Ok(Err(case.reason().unwrap_or_default()));
    };
    let (advice, frame_s) = (simulation.schedule.advice, simulation.schedule.frame_s);
    let wanted = ReferencePlan::wanted(&advice, frame_s, finest);
    let steps = TRIAL.min(wanted);
    let duration = frame_s * f64::from(steps) / f64::from(wanted);
    let mut step_s = f64::INFINITY;
    for _ in 0..2 {
        let before = Instant::now();
        if simulation.world.advance_frame(duration, steps).is_err() {
            return Ok(Err(format!("{kind} explodes at once, at {wanted} steps a frame")));
        }
        step_s = step_s.min(before.elapsed().as_secs_f64() / f64::from(steps));
    }
    let cost = (lab.frames(simulation), step_s);
    match ReferencePlan::affordable(wanted, &advice, frame_s, cost, budget_s) {
        Ok(plan) => {
            let short = plan.shortfall.map(|short| {
                format!(
                    "{} steps a frame were wanted but would take {} s (`--reference-budget-s`)",
                    short.wanted,
                    number(short.would_take_s)
                )
            });
            Ok(Ok((lab.case(entry(plan.substeps), "--reference")?, short)))
        }
        Err(short) => Ok(Err(format!(
            "it would take {} s, and what {} s allow is not stable; give it more by \
             `--reference-budget-s`",
            number(short.would_take_s),
            number(budget_s)
        ))),
    }
}
