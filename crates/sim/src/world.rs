//! A model, its state and a solver: what users of this crate hold.

mod course;
mod fibres;
mod pace;
mod torn;

use crate::commands::{Command, CommandRecord, push};
use crate::contact::{Contacts, Tally, Tangle};
use crate::explosion::{Explosion, Symptom, find_explosion};
use crate::forces::{Conditions, PointAction, Workspace, evaluate};
use crate::model::Model;
use crate::motion::Pose;
use crate::parallel::{teams, with_threads_awake};
use crate::probe::{Probe, Stage};
use crate::solvers::fibres::Fibres;
use crate::solvers::{Effort, Solver, SolverKind, StepAdvice, StepContext, solver, stable_step};
use crate::state::State;
use crate::tearing::Tearing;
use fibres::prepared_fibres;
use pace::Pace;

/// Particles from which on threads stay awake over a step in which they touch.
const CROWD: usize = 4096;

/// Steps in 1/60 s, at least, where rods touch: they keep their length and contact their distance by
/// turns, once a step. Measured on a knot that is drawn tight, least distance as a part of the
/// thickness by steps a frame: 4: 0.02, 8: 0.18, 16: 0.996, 32: 0.998.
const STEPS_OF_ROPES: f64 = 16.0;

/// A simulation in progress.
pub struct World {
    model: Model,
    state: State,
    solver: Box<dyn Solver>,
    conditions: Conditions,
    workspace: Workspace,
    contacts: Option<Contacts>,
    fibres: Option<Fibres>,
    pace: Pace,
    pool: Option<rayon::ThreadPool>,
    /// The state at the start of the present frame.
    last_good: State,
    queue: Vec<Command>,
    log: Vec<CommandRecord>,
    keeps_log: bool,
    /// Whether what is held may have changed otherwise than by time.
    regrip: bool,
    probe: Option<Box<dyn Probe>>,
    /// The method that was asked for.
    kind: SolverKind,
    tearing: Tearing,
    /// What solvers did that are no longer in use.
    past_effort: Effort,
}

/// Threads could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} threads: {source}")]
pub struct ThreadError {
    /// How many were asked for.
    pub threads: usize,
    source: rayon::ThreadPoolBuildError,
}

impl World {
    /// A world on the calling thread. `model` is whole, also where `state` has come apart.
    pub fn new(mut model: Model, mut state: State, kind: SolverKind) -> Self {
        let mut tearing = Tearing::default();
        tearing.restore(&mut model, &mut state);
        let solver = solver(suited(kind, &state), &model);
        solver.prepare(&mut state);
        let fibres = prepared_fibres(&model, kind, &mut state);
        Contacts::prepare(&model, &mut state);
        let contacts = Contacts::new(&model, &state);
        contacts.iter().for_each(|contacts| contacts.limit_tangle(&mut state));
        course::turn_gravity(&mut model, state.time);
        Self {
            conditions: Conditions::at(&model, &state),
            workspace: Workspace::new(&model),
            contacts,
            fibres,
            pace: Pace::default(),
            last_good: state.clone(),
            solver,
            model,
            state,
            pool: None,
            queue: Vec::new(),
            log: Vec::new(),
            keeps_log: true,
            regrip: true,
            probe: None,
            kind,
            tearing,
            past_effort: Effort::default(),
        }
    }

    /// Uses `threads` threads from now on. The result does not depend on how many.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadError> {
        self.pool = if threads <= 1 {
            None
        } else {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .map_err(|source| ThreadError { threads, source })?;
            Some(pool)
        };
        Ok(())
    }

    /// What does not vary.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The model before anything came apart.
    pub fn whole_model(&self) -> &Model {
        self.tearing.whole().unwrap_or(&self.model)
    }

    /// What varies.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The method in use.
    pub fn solver_kind(&self) -> SolverKind {
        self.kind
    }

    /// What the solver has done since this world was made.
    pub fn effort(&self) -> Effort {
        self.past_effort.and(self.solver.effort())
    }

    /// Steps that the solver wants for a frame of `frame` seconds.
    pub fn substeps_for(&self, frame: f64) -> f64 {
        let steps = match self.solver.substeps(&self.model, frame) {
            Some(count) => f64::from(count.max(1)),
            None => self.step_advice().substeps_for(frame),
        };
        let rods_touch = self.contacts.is_some() && self.model.rods_touch_by_segments();
        let least = if rods_touch { (STEPS_OF_ROPES * 60.0 * frame).ceil() } else { 1.0 };
        steps.max(least)
    }

    /// Goes on from another state of the same model, such as a checkpoint's or an earlier
    /// one of this world. Commands that it does not know of yet leave the log.
    pub fn restore(&mut self, state: State) {
        self.log.retain(|record| record.step < state.step);
        self.state = state;
        if self.tearing.restore(&mut self.model, &mut self.state) {
            self.renew();
        }
        self.solver.prepare(&mut self.state);
        self.fibres.iter_mut().for_each(|f| f.prepare(&self.model, &mut self.state));
        Contacts::prepare(&self.model, &mut self.state);
        self.doubt();
        self.state.hands.keep_valid(&self.model);
        self.last_good = self.state.clone();
        self.regrip = true;
        self.follow_time();
    }

    /// Makes everything anew that was made for another model, and goes on from the same state.
    fn renew(&mut self) {
        self.past_effort = self.effort();
        self.solver = solver(suited(self.kind, &self.state), &self.model);
        self.solver.prepare(&mut self.state);
        self.fibres = prepared_fibres(&self.model, self.kind, &mut self.state);
        self.conditions = Conditions::at(&self.model, &self.state);
        self.workspace = Workspace::new(&self.model);
        Contacts::prepare(&self.model, &mut self.state);
        let past = self.contact_tally();
        self.pace.left = 0;
        self.contacts = Contacts::new(&self.model, &self.state);
        if let (Some(contacts), Some(past)) = (&mut self.contacts, past) {
            contacts.go_on_from(past);
        }
        self.last_good = self.state.clone();
        self.regrip = true;
        self.follow_time();
    }

    /// Tells `probe` of the stages of all steps from now on.
    pub fn set_probe(&mut self, probe: Option<Box<dyn Probe>>) {
        self.probe = probe;
    }

    /// The present pose of a collider, moved by hand or not. One that is not there stands
    /// at the origin.
    pub fn collider_pose(&self, index: usize) -> Pose {
        let pose = self.state.hands.collider_pose(&self.model, index, self.state.time);
        pose.unwrap_or(Pose::IDENTITY)
    }

    /// The longest stable step at the present state.
    pub fn step_advice(&self) -> StepAdvice {
        stable_step(self.kind, &self.model, &self.state.x)
    }

    /// Has a command applied at the start of the next step.
    pub fn send(&mut self, command: Command) {
        self.queue.push(command);
    }

    /// Keeps a log of commands or not. One that is held for hours grows without end.
    pub fn keep_command_log(&mut self, keep: bool) {
        self.keeps_log = keep;
    }

    /// All commands so far with the step before which they were applied. The scene
    /// and this log replay to the same bits.
    pub fn command_log(&self) -> &[CommandRecord] {
        &self.log
    }

    /// Unit vertex normals of the present state.
    pub fn normals(&mut self) -> &crate::soa::Soa3 {
        self.workspace.compute_normals(&self.model, &self.state.x);
        &self.workspace.normals
    }

    /// The sum of all forces on each particle at the present state [N]; on a held particle
    /// what its hold bears.
    pub fn forces(&mut self) -> &crate::soa::Soa3 {
        let Self { model, state, conditions, workspace, .. } = self;
        conditions.begin_step(model, state, 0.0);
        let outside = (&*conditions, &state.hands);
        serially(|| evaluate(model, outside, (&state.x, &state.v), workspace));
        conditions.add_grabs(model, state, &mut workspace.forces);
        &workspace.forces
    }

    /// The state and all pairs of triangles that share an edge: two far corners, then the
    /// ends of the edge.
    pub(crate) fn state_and_hinges(&mut self) -> (&State, &[[u32; 4]]) {
        (&self.state, self.workspace.hinges(&self.model))
    }

    /// One frame of `duration` seconds in `substeps` steps. If the state stops being
    /// physical the world is left at the last good frame.
    pub fn advance_frame(&mut self, duration: f64, substeps: u32) -> Result<(), Explosion> {
        let h = duration / f64::from(substeps.max(1));
        let pool = self.pool.take();
        let mut run = || {
            // Before the state is kept: going back to it must not undo them.
            self.apply_commands();
            self.last_good.copy_from(&self.state);
            self.begin_frame(substeps, duration);
            for step in 0..substeps {
                if self.waits(h) {
                    continue;
                }
                let team =
                    if self.contacts.is_some() { teams(self.state.x.len(), CROWD) } else { 1 };
                with_threads_awake(team, || self.step_among(h, substeps - step));
            }
            match find_explosion(&self.state) {
                None => {
                    if self.tearing.tear(&mut self.model, &mut self.state) {
                        self.renew();
                    }
                    Ok(())
                }
                Some(symptom) => Err(self.explain(symptom, h, substeps)),
            }
        };
        let result = match &pool {
            Some(pool) => pool.install(run),
            None => serially(&mut run),
        };
        self.pool = pool;
        result
    }

    /// One step of `h` seconds.
    pub fn step(&mut self, h: f64) {
        self.step_among(h, 1);
    }

    /// The first of `left` steps of which only the last is looked at.
    fn step_among(&mut self, h: f64, left: u32) {
        self.enter(Stage::Outside);
        self.apply_commands();
        self.follow_time();
        self.conditions.begin_step(&self.model, &self.state, h);
        self.punch(h);
        self.conditions.drive_held(&self.model, &mut self.state);
        self.begin_contact();
        let together = self.together(left);
        if let Some(fibres) = &mut self.fibres {
            fibres.begin_step(&self.state);
        }
        self.solver.step(
            &mut self.state,
            &mut StepContext {
                model: &self.model,
                h,
                conditions: &mut self.conditions,
                workspace: &mut self.workspace,
                contacts: self.contacts.as_mut(),
                together,
                probe: &mut self.probe,
            },
        );
        self.advance_fibres(h);
        self.secure(h);
        self.enter(Stage::Outside);
        self.state.hands.glide(&self.model, self.state.time, h);
        self.state.step += 1;
        self.state.time += h;
        self.conditions.break_ties(&self.model, &mut self.state);
    }

    /// What contact has cost and done, where there is any.
    pub fn contact_tally(&self) -> Option<Tally> {
        self.contacts.as_ref().map(Contacts::tally)
    }

    /// What passes through what, where surfaces may touch.
    pub fn tangle(&self) -> Tangle {
        self.contacts.as_ref().map(|c| c.tangle(&self.model)).unwrap_or_default()
    }

    /// The same by a search over a state that may have come from elsewhere.
    pub fn find_tangle(&mut self) -> Tangle {
        if let Some(contacts) = &mut self.contacts {
            contacts.look_for_tangle(&self.model, &mut self.state);
        }
        self.tangle()
    }

    /// What contact knows belongs to another state.
    fn doubt(&mut self) {
        if let Some(contacts) = &mut self.contacts {
            contacts.doubt(&self.model, &mut self.state);
        }
    }

    /// Triangles that pass through others now, by points: particles, then vertices of mesh colliders.
    pub fn tangled_triangles(&self) -> Vec<[u32; 3]> {
        self.contacts.as_ref().map(Contacts::tangled_triangles).unwrap_or_default()
    }

    fn apply_commands(&mut self) {
        for command in std::mem::take(&mut self.queue) {
            command.apply(&self.model, &mut self.state);
            if let Command::Cut(cut) = &command
                && self.tearing.cut(&mut self.model, &mut self.state, cut)
            {
                self.renew();
            }
            if matches!(command, Command::Pin { .. } | Command::Unpin { .. }) {
                self.regrip = true;
                self.follow_time();
            }
            if self.keeps_log {
                self.log.push(CommandRecord { step: self.state.step, command });
            }
        }
    }

    #[inline]
    fn enter(&mut self, stage: Stage) {
        if let Some(probe) = &mut self.probe {
            probe.enter(stage);
        }
    }

    /// Impulses of the scene that fall into this step: the step whose start is
    /// nearest, counted in whole steps, so that rounding of the time can neither
    /// skip nor repeat one.
    fn punch(&mut self, h: f64) {
        for force in &self.model.point_forces {
            if let PointAction::Punch { impulse, at } = force.action
                && self.state.step == (at / h).round() as u64
            {
                push(&self.model, &mut self.state, &force.particles, impulse);
            }
        }
    }

    /// Replays the frame step by step to find where it went wrong, then goes back to its start.
    fn explain(&mut self, symptom: Symptom, h: f64, substeps: u32) -> Explosion {
        let advice = stable_step(self.kind, &self.model, &self.last_good.x);
        self.state.copy_from(&self.last_good);
        self.doubt();
        self.begin_frame(substeps, h * f64::from(substeps));
        let mut found = None;
        for _ in 0..substeps {
            if self.waits(h) {
                continue;
            }
            self.step(h);
            found = find_explosion(&self.state);
            if found.is_some() {
                break;
            }
        }
        let time = self.state.time;
        self.state.copy_from(&self.last_good);
        self.doubt();
        let symptom = found.unwrap_or(symptom);
        Explosion::new(&self.model, symptom, time, h, self.kind, advice)
    }
}

/// The method for what has come apart: a grid that carries a panel of line projection knows of no
/// cuts, its paths along edges do.
fn suited(kind: SolverKind, state: &State) -> SolverKind {
    match kind {
        SolverKind::LineProjection { iterations, .. } if state.torn.is_some() => {
            SolverKind::LineProjection { iterations, embed: Some(false) }
        }
        SolverKind::SuperHelix { .. } if state.torn.is_some() => {
            SolverKind::LineProjection { iterations: None, embed: Some(false) }
        }
        _ => kind,
    }
}

/// Runs on this thread alone, whatever pool the caller's thread belongs to.
fn serially<R>(run: impl FnOnce() -> R) -> R {
    crate::parallel::without_threads(run)
}
