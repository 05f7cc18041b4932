//! Steps of crowds that are taken together.

use super::SolverXpbd;
use super::alike::{COURSE_SUMS, Course};
use crate::elements::GasLaw;
use crate::forces::only_weight_and_medium_act;
use crate::hands::Hands;
use crate::motion::Motion;
use crate::soa::Soa3;
use crate::solvers::StepContext;
use crate::solvers::passive;
use crate::state::State;

/// Steps that have been taken and of which nobody has been told yet. Places and velocities are those
/// after the last of them.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// The next of them, by the number of steps that a state has taken.
    next: u64,
    left: u32,
    /// Steps of the course that they are of.
    steps: u32,
    /// Where a course leads to; they change places with those of the state.
    x: Soa3,
    v: Soa3,
}

impl SolverXpbd {
    /// Goes through a step that has been taken before, if it has.
    pub(super) fn is_ahead(&mut self, state: &mut State) -> bool {
        let Ahead { next, left, steps, .. } = &mut self.ahead;
        if *left == 0 || *next != state.step {
            *left = 0;
            return false;
        }
        let number = *steps - *left;
        (*next, *left) = (*next + 1, *left - 1);
        self.pass(number, state);
        true
    }

    fn pass(&mut self, number: u32, state: &mut State) {
        let passed = self.alike.passed(number as usize);
        let [first, last] = passed.longest;
        state.contacts = passed.touches;
        self.effort.iterations += u64::from(self.sweeps());
        self.effort.inner_steps += 1;
        self.effort.residual = if first > 0.0 { (last / first).sqrt() } else { 0.0 };
    }

    /// Takes this step and those that come after it, up to where the rule of energy may have something
    /// to say: that one is left to be taken on its own. Returns whether any has been taken.
    pub(super) fn go_ahead(&mut self, state: &mut State, context: &StepContext<'_>) -> bool {
        let calm = state.memory.numbers.get(passive::NUMBERS) == Some(&CALM);
        if !calm || !state.memory.started || !self.may_go_ahead(state, context) {
            return false;
        }
        let mut steps = self.run(context.together.steps, state, context);
        let calm = self.calm_steps(steps, state, context);
        if calm < steps {
            state.memory.numbers[passive::NUMBERS] = 0.0;
            if calm == 0 {
                return false;
            }
            steps = self.run(calm, state, context);
        }
        std::mem::swap(&mut state.x, &mut self.ahead.x);
        std::mem::swap(&mut state.v, &mut self.ahead.v);
        let motion = self.alike.passed(steps as usize - 1).sums[COURSE_SUMS - 1];
        self.passive.pass(motion, state);
        self.ahead.steps = steps;
        (self.ahead.next, self.ahead.left) = (state.step + 1, steps - 1);
        self.pass(0, state);
        true
    }

    /// Whether there are crowds with gas and nothing else, and nothing acts on them but weight, medium
    /// and colliders that stand still.
    fn may_go_ahead(&mut self, state: &State, context: &StepContext<'_>) -> bool {
        let StepContext { model, conditions, workspace, .. } = context;
        let hands = Hands { gravity: state.hands.gravity, ..Hands::default() };
        context.together.steps > 1
            && self.alike.are_all()
            && state.hands == hands
            && model.gases.obeying(GasLaw::Ideal).next().is_some()
            && model.ties.is_empty()
            && model.holds.is_empty()
            && model.kept.is_empty()
            && model.gravity_track.is_none()
            && !model.edges.has_limits()
            && model.colliders.iter().all(|collider| matches!(collider.motion, Motion::Static))
            && conditions.obstacles_stand()
            && conditions.obstacles(model, model.gravity).is_some()
            && only_weight_and_medium_act(model, &state.hands, workspace)
            && !self.alike.holds_any(model)
    }

    /// Takes steps from `state`, which stays as it is. Returns how many.
    fn run(&mut self, steps: u32, state: &State, context: &StepContext<'_>) -> u32 {
        let (model, gravity) = (context.model, state.hands.gravity(context.model));
        let obstacles = context.conditions.obstacles(model, gravity);
        let (h, time, sweeps) = (context.h, state.time, self.sweeps());
        let obstacles = obstacles.as_ref();
        let course = Course { model, obstacles, gravity, h, time, steps, sweeps };
        let super::SolverXpbd { alike, ahead: Ahead { x, v, .. }, .. } = self;
        if x.len() != state.x.len() {
            (*x, *v) = (Soa3::zeros(state.x.len()), Soa3::zeros(state.x.len()));
        }
        alike.go(&course, (&state.x, &state.v), [x, v]);
        steps
    }

    /// How many of the first steps the rule of energy surely leaves as they are.
    fn calm_steps(&self, steps: u32, state: &State, context: &StepContext<'_>) -> u32 {
        let fall = (state.hands.gravity(context.model).as_dvec3(), context.h);
        let mut touches = state.contacts;
        let calm = (0..steps).take_while(|&number| {
            let passed = self.alike.passed(number as usize);
            let calm = self.passive.leaves(&passed.sums, touches > 0, fall);
            touches = passed.touches + context.together.touching;
            calm
        });
        calm.count() as u32
    }
}

/// What a state remembers after a step that the rule has left as it was.
pub(super) const CALM: f32 = 1.0;
