//! What contact costs.

/// What contact has cost and done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Steps taken.
    pub steps: u64,
    /// Looks at everything.
    pub looks: u64,
    /// Looks at points that left their paths, and how many those were.
    pub second_looks: u64,
    /// See `second_looks`.
    pub strays: u64,
    /// Steps in which points were held back, and how many points that were in all.
    pub steps_held: u64,
    /// See `steps_held`.
    pub held_back: u64,
    /// Points that could not move at all.
    pub jammed: u64,
    /// Steps that were not taken because nothing else was safe: time that was lost.
    pub standstills: u64,
    /// Steps of the solver that were taken.
    pub taken: u64,
    /// Steps of the solver that were not taken as their frames had spent their budget, and the time
    /// that makes. [s]
    pub waited: u64,
    /// See `waited`. [s]
    pub waited_s: f64,
    /// Pairs that were compared.
    pub detections: u64,
    /// Pairs that were pushed apart, in a pass over all of them.
    pub pushes: u64,
    /// Pairs that touched when everything was last looked at, and are not kept from crossing.
    pub let_go: usize,
    /// Pairs watched in the last step.
    pub watched: usize,
    /// Pairs that touched in the last step.
    pub touching: usize,
    /// How far mesh colliders are behind their motion.
    pub lag: Lag,
}

impl Tally {
    /// The share of simulated time that was not taken, for want of a safe way or of budget. \[1\]
    pub fn time_lost(&self) -> f64 {
        let stood = self.standstills as f64 / self.steps.max(1) as f64;
        let waited = self.waited as f64 / (self.taken + self.waited).max(1) as f64;
        1.0 - (1.0 - stood) * (1.0 - waited)
    }
}

/// How far the vertices of mesh colliders are behind where their motion has them: cloth that cannot
/// make way holds them up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lag {
    /// At the end of the last step; 0 if none is. [m]
    pub now: f32,
    /// Since when, if any is. [s]
    pub since: f64,
    /// The most so far. [m]
    pub worst: f32,
    /// When that one had begun. [s]
    pub worst_since: f64,
    /// Which mesh collider that was.
    pub mesh: Option<usize>,
}
