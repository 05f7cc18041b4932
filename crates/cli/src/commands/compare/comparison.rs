//! The comparison as a whole.

use miette::miette;
use tkanina_scene::build::Simulation;
use tkanina_scene::compare::{ReferencePlan, Summary, Track, body_size};
use tkanina_scene::load::LoadedScene;
use tkanina_scene::schema::{Scene, Solver};
use tkanina_scene::source::SourceId;
use tkanina_scene::write::to_yaml;

use super::lab::{Case, Lab, Watch};
use super::reference::{Choice, Reference};
use crate::failure::Failure;
use crate::output;

/// Everything that was found out.
pub struct Comparison {
    /// Name of the scene as it was asked for.
    pub scene: String,
    /// The scene with everything set, under its own solver.
    pub loaded: LoadedScene,
    /// Frames of each run.
    pub frames: u64,
    /// Length of a frame. [s]
    pub frame_s: f64,
    /// When the runs start. [s]
    pub start_s: f64,
    /// Number of points.
    pub points: usize,
    /// Threads of each run.
    pub threads: usize,
    /// Runs of each solver.
    pub repeat: u32,
    /// Size of the largest body: what distances are relative to. [m]
    pub size_m: f64,
    /// What energy is relative to. [J]
    pub scale_j: f64,
    /// The reference, or why there is none.
    pub reference: Result<Reference, String>,
    /// Frames whose states were kept.
    pub moments: Vec<u64>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// One a solver, in the order asked for.
    pub rows: Vec<Row>,
}

/// One solver.
pub struct Row {
    /// How it was asked for, and its world.
    pub case: Case,
    /// How it went; none if it could not be run.
    pub ran: Option<Ran>,
}

/// A run and what it comes to.
pub struct Ran {
    /// Frame by frame.
    pub track: Track,
    /// In a few numbers.
    pub summary: Summary,
}

/// Parts of the run after which pictures are taken.
const MOMENTS: [f64; 5] = [0.1, 0.25, 0.5, 0.75, 1.0];

impl Comparison {
    /// Runs everything.
    pub fn make(lab: &Lab<'_>, cases: Vec<Case>, choice: &Choice) -> Result<Self, Failure> {
        let Some(first) = cases.iter().find_map(|case| case.simulation.as_ref().ok()) else {
            // None can be run: the scene is wrong rather than a solver.
            return match cases.into_iter().next() {
                Some(case) => case.built().and(Err(nothing())),
                None => Err(nothing()),
            };
        };
        let scene = Scene::open(lab.scene, lab.sets)?;
        let notes = notes(&scene.scene, &cases);
        let (frames, frame_s) = (lab.frames(first), first.schedule.frame_s);
        let start_s = first.start_s;
        let points = first.world.model().particle_count();
        let size_m = body_size(first.world.model(), &first.world.state().x);
        let moments = moments(frames);
        let simulations = || cases.iter().filter_map(|case| case.simulation.as_ref().ok());
        // A run of the same method is judged by one that is finer; others by one of higher order.
        let finest = |simulation: &Simulation| {
            let steps = simulation.schedule.substeps;
            let alike = simulation.world.solver_kind() == ReferencePlan::KIND;
            if alike { steps.saturating_mul(2) } else { steps }
        };
        let finest = simulations().map(finest).max().unwrap_or(1);
        for case in &cases {
            for warning in case.warnings() {
                output::tell(&format!("warning: {}: {warning}", case.entry.label));
            }
        }
        let reference = Reference::make(lab, choice, finest, &moments)?;
        let against = reference.as_ref().ok().map(|reference| &reference.positions);
        let mut tracks = Vec::new();
        for mut case in cases {
            let watch = Watch { against, moments: &moments, keep: None };
            let track = lab.run(&mut case, watch)?;
            tracks.push((case, track));
        }
        let judge = reference.as_ref().ok().map(|reference| &reference.track);
        let scale_j = judge.map_or_else(|| calmest(&tracks), Track::energy_scale);
        let summed = |(case, track): (Case, Option<Track>)| Row {
            case,
            ran: track.map(|track| Ran { summary: track.summary(judge, size_m, scale_j), track }),
        };
        let rows: Vec<Row> = tracks.into_iter().map(summed).collect();
        Ok(Self {
            scene: lab.scene.to_owned(),
            frames,
            frame_s,
            start_s,
            points,
            threads: lab.threads,
            repeat: lab.repeat,
            size_m,
            scale_j,
            notes,
            loaded: scene,
            reference,
            moments,
            rows,
        })
    }

    /// The reference in words.
    pub fn reference_in_words(&self) -> String {
        match &self.reference {
            Ok(reference) => reference.in_words(),
            Err(reason) => format!("none: {reason}"),
        }
    }

    /// Whether a run is no farther from the reference than that is from itself at twice the
    /// step: then which of two runs is closer cannot be told.
    pub fn is_unresolved(&self, ran: &Ran) -> bool {
        let within = self.reference.as_ref().ok().and_then(|reference| reference.within);
        within.zip(ran.summary.distance).is_some_and(|(w, d)| d.rms_m > 0.0 && d.rms_m < w.rms_m)
    }

    /// The scene as it was written, or with what was set in it.
    pub fn scene_text(&self) -> String {
        let written = self.loaded.sources.get(SourceId(0)).map(|source| source.text.to_string());
        match written {
            Some(text) if self.loaded.sources.get(SourceId(1)).is_none() => text,
            _ => to_yaml(&self.loaded.value()),
        }
    }

    /// Well, unless nothing came of any solver.
    pub fn end(&self) -> Result<(), Failure> {
        let ended = |row: &Row| row.ran.as_ref().is_none_or(|ran| ran.track.end.is_some());
        if !self.rows.iter().all(ended) {
            return Ok(());
        }
        Err(Failure::exploded(miette!(
            help = "take shorter steps by `--substeps` or `@N`, or solvers that are stable",
            "no solver reached the end of `{}`",
            self.scene
        )))
    }
}

impl Row {
    /// Why it did not reach the end, or could not start.
    pub fn trouble(&self) -> Option<String> {
        let end = self.ran.as_ref().and_then(|ran| ran.track.end.as_ref());
        end.map(|end| end.reason.clone()).or_else(|| self.case.reason())
    }
}

/// Energy scale without a reference: that of the run which moved the least among those that
/// went farthest.
fn calmest(tracks: &[(Case, Option<Track>)]) -> f64 {
    let tracks = || tracks.iter().filter_map(|(_, track)| track.as_ref());
    let farthest = tracks().map(Track::frames).max().unwrap_or(0);
    let scales = tracks().filter(|t| t.frames() == farthest).map(Track::energy_scale);
    scales.reduce(f64::min).unwrap_or(f64::MIN_POSITIVE)
}

fn moments(frames: u64) -> Vec<u64> {
    let mut moments: Vec<u64> =
        MOMENTS.iter().map(|part| ((part * frames as f64).round() as u64).max(1)).collect();
    moments.dedup();
    moments
}

/// What is not the same as in a run of the scene.
fn notes(scene: &Scene, cases: &[Case]) -> Vec<String> {
    let mut notes = Vec::new();
    let loses = matches!(scene.solver, Solver::Verlet { loss } if loss > 0.0);
    if loses && cases.iter().any(|case| case.entry.kind.is_some()) {
        notes.push(
            "the scene's own solver loses a share of the motion in each step; solvers named here \
             do not, unless `:loss=…` says so, and neither does the reference"
                .to_owned(),
        );
    }
    notes
}

fn nothing() -> Failure {
    Failure::input(miette!(help = "name some by `--solvers`", "there is nothing to compare"))
}
