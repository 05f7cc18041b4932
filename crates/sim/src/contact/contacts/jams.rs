//! What is wedged so that it could not move at all.

use super::Contacts;

impl Contacts {
    /// What could not move at all is pushed apart from where it is now, as a way of its own: pairs
    /// that all but touch would hold each other for ever.
    pub(super) fn ease_jams(&mut self, h: f32) {
        let Self { safety, start, end, weights, .. } = self;
        let stuck = safety.held_back.iter().filter(|&&i| start[i as usize] == end[i as usize]);
        let stuck = stuck.filter(|&&i| weights[i as usize] > 0.0).count();
        if stuck == 0 {
            return;
        }
        self.tally.jammed += stuck as u64;
        self.start.copy_from_slice(&self.end);
        self.plates.begin_step(&self.start);
        self.watch.renew_touching(&self.start);
        self.pass(h, [0; 2]);
        self.keep_near_paths();
        self.safety.forget_held_back();
        self.plates.hold(&mut self.safety, &self.start, &mut self.end);
        self.safety.secure(&mut self.watch, &self.start, &mut self.end);
        let held_back = std::mem::take(&mut self.safety.held_back);
        self.find_strays(Some(&held_back));
        self.safety.held_back = held_back;
        if !self.strays.is_empty() {
            self.end.copy_from_slice(&self.start);
        }
    }
}
