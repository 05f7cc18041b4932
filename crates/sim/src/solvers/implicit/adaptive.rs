//! Steps that are as long as an error allows.

use super::core::StageSolver;
use super::schemes::TwoStages;
use crate::solvers::StepContext;
use crate::state::State;

/// Numbers that it remembers: the step to try next [s], and the last error over the tolerance.
pub(super) const NUMBERS: usize = 2;

/// No step is cut into more than this many.
const MOST: f64 = 1024.0;

/// A step aims below the tolerance by this factor.
const SAFETY: f64 = 0.9;

/// A step changes by no more than this.
const CHANGE: [f64; 2] = [0.2, 4.0];

/// Powers of the present and the last error in the choice of a step (PI control of an error
/// of third order, Hairer and Wanner 1996, IV.2).
const POWERS: [f64; 2] = [0.7 / 3.0, 0.4 / 3.0];

/// Goes through the asked step in as many as `tolerance` [m] needs.
pub(super) fn adaptive(
    core: &mut StageSolver,
    stages: &mut TwoStages,
    tolerance: f64,
    (state, context): (&State, &mut StepContext),
) -> [f32; NUMBERS] {
    let (whole, floor) = (context.h, context.h / MOST);
    let [remembered, last] = match state.memory.numbers[..] {
        [h, error] if state.memory.started && h > 0.0 => [f64::from(h), f64::from(error)],
        _ => [whole, 1.0],
    };
    let (mut wanted, mut last) = (remembered.clamp(floor, whole), last.max(1e-3));
    let mut done = 0.0;
    stages.begin(core);
    while whole - done > 0.5 * floor {
        // Equal parts of what is left, so that no sliver remains.
        let left = whole - done;
        let h = left / (left / wanted).ceil().max(1.0);
        let error = (stages.step(core, (done, h), state, context) / tolerance).max(1e-6);
        core.effort.inner_steps += 1;
        let by_this = SAFETY * libm::pow(error, -POWERS[0]);
        if !(error <= 1.0) && h > 1.001 * floor {
            let shorter = SAFETY * libm::pow(error, -1.0 / 3.0);
            let factor = if error.is_finite() { shorter.clamp(CHANGE[0], 0.9) } else { CHANGE[0] };
            wanted = (h * factor).max(floor);
            continue;
        }
        stages.accept(core);
        done += h;
        let factor = by_this * libm::pow(last, POWERS[1]);
        wanted = (h * factor.clamp(CHANGE[0], CHANGE[1])).clamp(floor, 2.0 * whole);
        last = error;
    }
    [wanted as f32, last as f32]
}
