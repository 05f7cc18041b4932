//! The last seconds of a run, to go back to.

use std::collections::VecDeque;

use tkanina_sim::hands::Hands;
use tkanina_sim::state::State;

/// States of past frames. When they would take too much memory only every n-th frame is kept.
#[derive(Debug)]
pub struct History {
    states: VecDeque<(u64, State)>,
    budget: Budget,
    /// Frames from one kept state to the next.
    stride: u64,
}

/// How much is kept at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Frames back from the present.
    pub frames: u64,
    /// Memory. [bytes]
    pub bytes: usize,
}

/// Fewer states than this are no timeline, whatever they cost.
const LEAST_STATES: u64 = 2;

impl History {
    /// Empty.
    pub fn new(budget: Budget) -> Self {
        Self { states: VecDeque::new(), budget, stride: 1 }
    }

    /// Forgets everything and keeps so much from now on.
    pub fn restart(&mut self, budget: Budget) {
        *self = Self::new(budget);
    }

    /// Keeps more or less from now on.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
        if let Some((_, state)) = self.states.back() {
            self.stride = self.stride_for(state);
        }
    }

    /// Frames from one kept state to the next.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// Keeps only every n-th frame from now on.
    pub fn set_stride(&mut self, stride: u64) {
        self.stride = stride.max(1);
    }

    /// Keeps the state of a frame. Frames from it on, of another course of events, are forgotten.
    pub fn keep(&mut self, frame: u64, state: &State) {
        self.cut_from(frame);
        if self.states.is_empty() {
            self.stride = self.stride_for(state);
        }
        // Counted from the start, so that runs side by side keep the same frames.
        let due = self.states.is_empty() || frame.is_multiple_of(self.stride);
        if !due {
            return;
        }
        // Memory of the oldest state serves the newest.
        let oldest = frame.saturating_sub(self.budget.frames);
        let most = self.most_states();
        let mut spare = None;
        while let Some((first, _)) = self.states.front()
            && (*first < oldest || self.states.len() as u64 >= most)
            && self.states.len() as u64 >= LEAST_STATES
        {
            spare = self.states.pop_front().map(|(_, state)| state);
        }
        let kept = match spare {
            Some(mut spare) if spare.x.len() == state.x.len() => {
                spare.clone_from(state);
                spare
            }
            _ => state.clone(),
        };
        self.states.push_back((frame, kept));
    }

    /// Forgets frames from `frame` on.
    pub fn cut_from(&mut self, frame: u64) {
        while self.states.back().is_some_and(|(last, _)| *last >= frame) {
            self.states.pop_back();
        }
    }

    /// Prepares all states for going on under other values and steps of `step_s` seconds: steps are
    /// counted anew, and what a solver remembers of old forces is forgotten.
    pub fn revise(&mut self, step_s: f64, mut fit: impl FnMut(&mut Hands)) {
        for (_, state) in &mut self.states {
            fit(&mut state.hands);
            state.step = (state.time / step_s).round() as u64;
            state.memory.started &= state.memory.vectors.is_empty();
        }
    }

    /// The kept frame nearest to `frame`, with its state.
    pub fn nearest(&self, frame: u64) -> Option<(u64, &State)> {
        let after = self.states.partition_point(|(at, _)| *at < frame);
        let around = [after.checked_sub(1), Some(after)].into_iter().flatten();
        let kept = around.filter_map(|i| self.states.get(i));
        kept.min_by_key(|(at, _)| at.abs_diff(frame)).map(|(at, state)| (*at, state))
    }

    /// Frames that are kept.
    pub fn frames(&self) -> impl Iterator<Item = u64> {
        self.states.iter().map(|(frame, _)| *frame)
    }

    /// Whether a frame is kept; none if it never came so far.
    pub fn reaches(&self, frame: u64) -> Option<bool> {
        let (last, _) = self.states.back()?;
        (frame <= *last).then(|| self.states.binary_search_by_key(&frame, |(at, _)| *at).is_ok())
    }

    /// First and last frame that are kept.
    pub fn range(&self) -> Option<[u64; 2]> {
        Some([self.states.front()?.0, self.states.back()?.0])
    }

    /// Memory that the kept states take. [bytes]
    #[cfg(test)]
    fn bytes(&self) -> usize {
        self.states.iter().map(|(_, state)| state_bytes(state)).sum()
    }

    fn most_states(&self) -> u64 {
        (self.budget.frames / self.stride + 1).max(LEAST_STATES)
    }

    fn stride_for(&self, state: &State) -> u64 {
        let room = (self.budget.bytes / state_bytes(state).max(1)) as u64;
        (self.budget.frames + 1).div_ceil(room.max(LEAST_STATES)).max(1)
    }
}

/// Memory of a state; what hands do is small beside it. [bytes]
fn state_bytes(state: &State) -> usize {
    let kept: usize = state.memory.vectors.iter().map(|v| v.len()).sum();
    let vectors = state.x.len() + state.v.len() + kept;
    size_of::<(u64, State)>() + 12 * vectors + state.broken.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use tkanina_sim::soa::Soa3;

    fn state(points: usize, mark: f32) -> State {
        let x = Soa3::from_points(&vec![Vec3::splat(mark); points]);
        State { v: x.clone(), x, ..State::default() }
    }

    fn filled(budget: Budget, points: usize, frames: u64) -> History {
        let mut history = History::new(budget);
        (0..frames).for_each(|frame| history.keep(frame, &state(points, frame as f32)));
        history
    }

    #[test]
    fn the_last_frames_are_kept() {
        let history = filled(Budget { frames: 30, bytes: 1 << 20 }, 10, 100);
        assert_eq!((history.range(), history.stride), (Some([69, 99]), 1));
        for frame in 69..100 {
            let (at, state) = history.nearest(frame).unwrap();
            assert_eq!((at, state.x.get(3).x), (frame, frame as f32));
        }
        assert_eq!(history.nearest(5).unwrap().0, 69);
        assert_eq!(history.nearest(500).unwrap().0, 99);
    }

    #[test]
    fn large_states_are_kept_sparsely_within_the_budget() {
        let budget = Budget { frames: 600, bytes: 1 << 20 };
        let history = filled(budget, 1000, 1000);
        assert!(history.bytes() <= budget.bytes, "{}", history.bytes());
        assert!(history.bytes() > budget.bytes / 2, "{}", history.bytes());
        let [first, last] = history.range().unwrap();
        assert!(last - first > 550 && last > 960, "{first}..{last} by {}", history.stride);
    }

    #[test]
    fn states_beyond_the_budget_still_leave_two() {
        let history = filled(Budget { frames: 60, bytes: 1000 }, 1000, 200);
        let [first, last] = history.range().unwrap();
        assert!(first < last && last - first <= 62, "{first}..{last}");
        assert_eq!(history.states.len(), 2);
    }

    #[test]
    fn another_course_of_events_replaces_the_later_frames() {
        let mut history = filled(Budget { frames: 30, bytes: 1 << 20 }, 10, 20);
        history.keep(8, &state(10, -1.0));
        assert_eq!(history.range(), Some([0, 8]));
        assert_eq!(history.nearest(8).unwrap().1.x.get(0).x, -1.0);
        assert_eq!(history.nearest(7).unwrap().1.x.get(0).x, 7.0);
    }
}
