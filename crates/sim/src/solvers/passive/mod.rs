//! The rule that a position-based step makes no energy.

mod account;
mod apart;
mod glance;

use glam::{DVec3, Vec3};

use crate::forces::Conditions;
use crate::measure::stored;
use crate::model::Model;
use crate::soa::Soa3;
use crate::state::State;

use super::StepContext;
use account::Account;
use apart::Apart;
use glance::Glance;
pub(super) use glance::Known;

/// K⁺ − K₀ − Σ m g·Δx ≤ min(T, E(x₀) − E(x⁺)): motion and height grow by no more than springs
/// give back, and by no more than they were given.
///
/// K₀ is the motion that all but springs and weight leave. It is the account of `Budget`, for
/// solvers that have no potential to descend. A sweep that ends early puts points where
/// springs hold more than anybody put in: E alone would let them have that later as motion. So
/// T keeps book of what may be in springs: it starts as E, grows by what a step takes from
/// motion and height and falls by what it gives. K + height + T never rises then, and what a
/// medium takes is gone: nothing goes on shaking for ever.
///
/// Where a step would break the rule it goes only a part of its way, velocities as well: the
/// largest part found for which the rule holds. None of the way always keeps it. What nothing
/// holds keeps the motion of its centre. Looking at E costs as much as a step: it is done only
/// where T does not last or where springs jerk.
#[derive(Debug)]
pub(super) struct Passive {
    /// Motion that changes by less than this part in a step does not shake.
    calm: f64,
    /// Particles that nothing but their path moves.
    held: Vec<u32>,
    apart: Apart,
    glance: Glance,
    /// K₀ + E(x₀) of a step that was looked into. [J]
    whole: Option<f64>,
    /// Where the step starts; what is held, where it ends. [m]
    start: Soa3,
    /// Positions that are tried. [m]
    trial: Soa3,
}

/// Numbers that a state remembers for it: T, negative while it is not known, and K. [J]
pub(super) const NUMBERS: usize = 2;

/// Something outside has done work on springs. The next look at E says what T is.
const UNKNOWN: f32 = -1.0;

/// What a step may give beyond what springs lose, as long as T lasts: a part of what they
/// hold, and a part of K₀. A sweep ends where springs almost bear the weight; without the first,
/// cloth that is about to come to rest would be stopped before it is there, without the second
/// swinging cloth would be slowed for an error that comes and goes.
const DRIP: f64 = 1e-7;
const LEEWAY: f64 = 0.01;

/// Motion that changes by more than this part has turned round. Less is left alone where cloth
/// touches: colliders change it, too.
const TURNED: f64 = 1.0;

/// Jerk over motion of cloth that turns round as a whole; 2 if every step undoes the one before. No
/// step can follow a motion as fast as that: what is left of it is error, and fades.
const SHAKING: f64 = 1.5;
const LEFT: f64 = 0.7;

/// Particles that are asked whether they turned round.
const ASKED: usize = 64;

/// Parts that are tried of a way that was too long, then none.
const PARTS: [f64; 6] = [1.0, 0.9, 0.7, 0.4, 0.15, 0.04];

impl Passive {
    /// A rule that looks at what changes its motion by more than the part `calm` in a step.
    pub fn new(model: &Model, calm: f64) -> Self {
        let (start, trial) = (Soa3::default(), Soa3::default());
        let held = held(model).map(|i| i as u32).collect();
        let apart = Apart::of(model);
        Self { calm, held, apart, glance: Glance::default(), whole: None, start, trial }
    }

    /// Tells it momentum and motion of the state that comes next, if they are known.
    pub fn know(&mut self, known: Option<Known>) {
        self.glance.known = known;
    }

    /// Applies the rule to a step that has come to `state` with v = Δx/h, and would have had
    /// the workspace's `free` velocities and `change` without springs.
    pub fn apply(&mut self, state: &mut State, context: &mut StepContext<'_>, change: Vec3) {
        let (model, h) = (context.model, context.h);
        self.whole = None;
        if self.apart.is_all() {
            return;
        }
        self.apart.see(model);
        let mut tank = self.tank(state, model);
        if tank == f64::INFINITY && state.contacts > 0 && state.memory.started {
            // Colliders change the motion: nothing is asked of it but that it does not grow.
            let fall = h * state.hands.gravity(model).as_dvec3();
            if self.glance.surely_gains_less(LEEWAY, fall) {
                self.glance.see();
                return self.remember(state, tank);
            }
        }
        let turned = turned(state, (&context.workspace.free, change));
        let glanced = if self.apart.is_none() { self.glance.gain(state, model, h) } else { None };
        if let Some([gain, before]) = glanced
            && gain <= tank.min(LEEWAY * before)
            && !turned
        {
            return self.remember(state, tank - gain);
        }
        // What is known of velocities, as long as they stay.
        let mut known = glanced.is_some() || self.glance.see();
        self.glance.known = None;
        let weights = self.apart.weights(model);
        let account = Account::new((&context.workspace.free, change), (state, weights), (model, h));
        let alone = state.contacts == 0 && !model.edges.has_limits();
        if turned && alone && account.jerk > SHAKING * account.motion() {
            for i in free(weights) {
                state.v.set(i, account.velocity(LEFT, state.v.get(i)));
            }
            known = false;
        }
        let gain = account.gain(1.0);
        let part = if state.contacts > 0 { TURNED } else { self.calm };
        let calm = account.jerk <= part * account.motion()
            || gain - account.noise <= LEEWAY * account.before;
        if calm && gain - account.noise <= tank && state.memory.started {
            if !known {
                self.glance.look(state, model);
            }
            return self.remember(state, tank - account.paid(1.0));
        }
        let springs = Springs { model, conditions: context.conditions };
        self.begin(state, (model, h as f32));
        let before = springs.energy(&self.start);
        tank = tank.min(before);
        self.whole = Some(account.before + before);
        let leeway = before * (1.0 + DRIP) + LEEWAY * account.before;
        let rule = Rule { tank: tank + account.noise, leeway: leeway + account.noise };
        let mut part = 1.0;
        if !rule.allows(gain, springs.energy(&state.x)) {
            part = self.shorten((&account, h), (rule, before), &springs, state);
        }
        self.glance.look(state, model);
        self.remember(state, tank - account.paid(part));
    }

    /// Whether the last step was not looked into.
    pub fn was_calm(&self) -> bool {
        self.whole.is_none()
    }

    /// Whether it surely leaves a step as it is, where gas keeps T unknown and nothing is held, by
    /// what `Account::of_sums` asks for; `touching`: the step began among contacts. `g` is the
    /// acceleration by weight [m/s²], `h` the length of the step. [s]
    pub fn leaves(&self, sums: &[f64], touching: bool, (g, h): (DVec3, f64)) -> bool {
        let Some(sums) = sums.first_chunk() else { return false };
        let account = Account::of_sums(*sums, true, (g, h));
        let part = if touching { TURNED } else { self.calm };
        let shakes = !touching && account.jerk > SHAKING * account.motion();
        let gains = account.gain(1.0) - account.noise > LEEWAY * account.before;
        account.motion().is_finite()
            && self.apart.is_none()
            && !shakes
            && (account.jerk <= part * account.motion() || !gains)
    }

    /// Takes note of steps that it leaves as they are, the last of them with a motion. [J]
    pub fn pass(&mut self, motion: f64, state: &mut State) {
        (self.whole, self.glance.known, self.glance.motion) = (None, None, motion);
        self.remember(state, f64::INFINITY);
    }

    /// T. What is held and moves, what is grabbed, what touches and what is limited gets work
    /// from outside.
    fn tank(&self, state: &State, model: &Model) -> f64 {
        let driven = || self.held.iter().any(|&i| state.v.get(i as usize) != Vec3::ZERO);
        let alone =
            state.contacts == 0 && state.hands.grabs.is_empty() && !model.edges.has_limits();
        // What gas holds has no zero.
        let alone = alone && model.gases.is_empty();
        match state.memory.numbers.first() {
            Some(&tank) if tank >= 0.0 && state.memory.started && alone && !driven() => {
                f64::from(tank)
            }
            _ => f64::INFINITY,
        }
    }

    /// K + E − Σ m g·Δx ≤ K₀ + E(x₀) for the step as a whole, if it was looked into and ended at
    /// obstacles that stand: they do no work, and what springs hold more by them is taken from
    /// the motion.
    pub fn hold(&mut self, state: &mut State, context: &StepContext<'_>) {
        let Some(whole) = self.whole.filter(|_| state.contacts > 0) else { return };
        if !context.conditions.obstacles_stand() {
            return;
        }
        let (model, h) = (context.model, context.h);
        let gravity = state.hands.gravity(model).as_dvec3();
        let springs = Springs { model, conditions: context.conditions };
        let (mut motion, mut held) = (0.0, springs.energy(&state.x));
        let weights = self.apart.weights(model);
        for i in free(weights) {
            let mass = f64::from(model.mass[i]);
            let heavy = mass + h * f64::from(model.damping[i]);
            motion += 0.5 * heavy * state.v.get(i).as_dvec3().length_squared();
            held -= mass * gravity.dot((state.x.get(i) - self.start.get(i)).as_dvec3());
        }
        if motion + held <= whole {
            return;
        }
        // Where springs alone hold more than there was, the step was none.
        let stay = held > whole;
        let part = if stay { 0.0 } else { ((whole - held) / motion).sqrt() as f32 };
        for i in free(weights) {
            state.v.set(i, state.v.get(i) * part);
            if stay {
                state.x.set(i, self.start.get(i));
            }
        }
    }

    /// Puts the start into both, held particles where they are now.
    fn begin(&mut self, state: &State, (model, h): (&Model, f32)) {
        if self.trial.len() != state.x.len() {
            (self.trial, self.start) = (Soa3::zeros(state.x.len()), Soa3::zeros(state.x.len()));
        }
        for i in 0..state.x.len() {
            let way = if model.inverse_mass[i] > 0.0 { h * state.v.get(i) } else { Vec3::ZERO };
            let at = state.x.get(i) - way;
            self.start.set(i, at);
            self.trial.set(i, at);
        }
    }

    /// Goes back to a part of the way that keeps the rule, and returns it.
    fn shorten(
        &mut self,
        (account, h): (&Account, f64),
        (rule, before): (Rule, f64),
        springs: &Springs<'_>,
        state: &mut State,
    ) -> f64 {
        let slope = springs.energy(&state.x) - before;
        let most = account.part(0.0, rule.tank).min(account.part(slope, rule.leeway - before));
        let weights = self.apart.weights(springs.model);
        let mut gone = 0.0;
        for part in PARTS.map(|part| part * most).into_iter().chain([0.0]) {
            for i in free(weights) {
                let way = account.velocity(part, state.v.get(i)) * h as f32;
                self.trial.set(i, self.start.get(i) + way);
            }
            gone = part;
            if rule.allows(account.gain(part), springs.energy(&self.trial)) {
                break;
            }
        }
        for i in free(weights) {
            state.v.set(i, account.velocity(gone, state.v.get(i)));
            state.x.set(i, self.trial.get(i));
        }
        gone
    }

    fn remember(&self, state: &mut State, tank: f64) {
        let tank = if tank.is_finite() { tank.max(0.0) as f32 } else { UNKNOWN };
        state.memory.numbers[..NUMBERS].copy_from_slice(&[tank, self.glance.motion as f32]);
    }
}

/// Whether the cloth goes back where it came from, by a few of its particles; `free` velocities
/// and `change` are what the step began with.
fn turned(state: &State, (free, change): (&Soa3, Vec3)) -> bool {
    let every = state.v.len() / ASKED + 1;
    let along = |i: usize| state.v.get(i).dot(free.get(i) + change);
    (0..state.v.len()).step_by(every).map(along).sum::<f32>() < 0.0
}

/// What a gain must keep within. [J]
#[derive(Clone, Copy, Debug)]
struct Rule {
    /// T, with what rounding may do.
    tank: f64,
    /// The most that gain and E of the end may come to.
    leeway: f64,
}

impl Rule {
    fn allows(&self, gain: f64, energy: f64) -> bool {
        gain <= self.tank && gain + energy <= self.leeway
    }
}

/// What elements and ties hold.
struct Springs<'a> {
    model: &'a Model,
    conditions: &'a Conditions,
}

impl Springs<'_> {
    fn energy(&self, x: &Soa3) -> f64 {
        let anchors = self.conditions.anchors().0;
        let ties = self.model.ties.iter().enumerate();
        let acting = ties.filter(|(index, tie)| self.conditions.tie_acts(tie, *index));
        stored(self.model, x, self.conditions.time())
            + acting.map(|(_, tie)| tie.energy(x, anchors)).sum::<f64>()
    }
}

fn free(weights: &[f32]) -> impl Iterator<Item = usize> + '_ {
    (0..weights.len()).filter(|&i| weights[i] > 0.0)
}

fn held(model: &Model) -> impl Iterator<Item = usize> + '_ {
    (0..model.particle_count()).filter(|&i| !(model.inverse_mass[i] > 0.0))
}
