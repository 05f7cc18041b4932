//! How much simulated time is due.

/// Time that a display shows one picture. [s]
const PICTURE_S: f64 = 1.0 / 60.0;

/// Turns time that passes into frames that are due. Time beyond a frame or two is forgotten, so
/// that after loading a file or dragging the window nothing has to catch up and nothing jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accumulator {
    frame_s: f64,
    speed: f64,
    due_s: f64,
}

impl Accumulator {
    /// Slowest and fastest that it runs. [1]
    pub const SPEEDS: [f64; 2] = [0.1, 4.0];

    /// For frames of `frame_s` seconds.
    pub fn new(frame_s: f64) -> Self {
        Self { frame_s, speed: 1.0, due_s: 0.0 }
    }

    /// Changes the length of a frame; nothing is due then. [s]
    pub fn set_frame(&mut self, frame_s: f64) {
        *self = Self { frame_s, due_s: 0.0, ..*self };
    }

    /// Simulated seconds a second, kept within [`Self::SPEEDS`].
    pub fn set_speed(&mut self, speed: f64) {
        let [least, most] = Self::SPEEDS;
        self.speed = if speed.is_finite() { speed.clamp(least, most) } else { 1.0 };
        self.due_s = self.due_s.min(self.limit());
    }

    /// Simulated seconds a second.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Lets `wall_s` seconds pass.
    pub fn pass(&mut self, wall_s: f64) {
        if wall_s > 0.0 {
            self.due_s = (self.due_s + self.speed * wall_s).min(self.limit());
        }
    }

    /// Whether a frame is due; then it no longer is.
    pub fn take(&mut self) -> bool {
        // Times that add up to a frame but for rounding are one.
        let due = self.due_s >= self.frame_s * (1.0 - 1e-9);
        if due {
            self.due_s = (self.due_s - self.frame_s).max(0.0);
        }
        due
    }

    /// Forgets what is due.
    pub fn clear(&mut self) {
        self.due_s = 0.0;
    }

    /// Time until the next frame is due. [s]
    pub fn wait_s(&self) -> f64 {
        ((self.frame_s - self.due_s) / self.speed).max(0.0)
    }

    /// The most that may be due: the next frame and one more, two more in quick motion. Frames
    /// shorter than a picture are as many as a picture shows.
    fn limit(&self) -> f64 {
        let beyond = self.speed.clamp(1.0, 2.0);
        (self.frame_s * (1.0 + beyond)).max(PICTURE_S)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: f64 = 1.0 / 60.0;

    fn frames(due: &mut Accumulator) -> usize {
        (0..).take_while(|_| due.take()).count()
    }

    #[test]
    fn time_that_passes_evenly_is_simulated_wholly() {
        for speed in [0.1, 0.5, 1.0, 2.0, 4.0] {
            let mut due = Accumulator::new(FRAME);
            due.set_speed(speed);
            // Woken when a frame is due, and a little late each time.
            let (mut wall, mut count) = (0.0, 0);
            for i in 0..600 {
                let dt = due.wait_s() + 1e-3 * f64::from(i % 4);
                due.pass(dt);
                wall += dt;
                count += frames(&mut due);
            }
            let wanted = wall * speed / FRAME;
            assert!((count as f64 - wanted).abs() <= 1.0, "×{speed}: {count} of {wanted}");
        }
    }

    #[test]
    fn a_long_wait_leaves_a_frame_or_two() {
        for (speed, beyond) in [(0.1, 1), (1.0, 1), (2.0, 2), (4.0, 2)] {
            let mut due = Accumulator::new(FRAME);
            due.set_speed(speed);
            due.pass(3600.0);
            assert_eq!(frames(&mut due), 1 + beyond, "×{speed}");
            due.pass(3600.0);
            due.clear();
            assert!(!due.take());
        }
    }

    #[test]
    fn short_frames_keep_up_with_the_display() {
        let mut due = Accumulator::new(1e-3);
        due.pass(10.0);
        assert_eq!(frames(&mut due), 16);
    }

    #[test]
    fn waits_until_the_next_frame() {
        let mut due = Accumulator::new(FRAME);
        due.set_speed(2.0);
        due.pass(0.25 * FRAME);
        assert!((due.wait_s() - 0.25 * FRAME).abs() < 1e-12);
        due.pass(due.wait_s());
        assert!(due.take());
    }

    #[test]
    fn nonsense_is_harmless() {
        let mut due = Accumulator::new(FRAME);
        for speed in [f64::NAN, -3.0, 0.0, 1e9, f64::INFINITY] {
            due.set_speed(speed);
            assert!((0.1..=4.0).contains(&due.speed()), "{speed}");
        }
        for wall in [f64::NAN, -1.0] {
            due.pass(wall);
            assert!(!due.take());
        }
    }
}
