//! What contact costs.

/// What contact has cost and done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Looks at everything.
    pub looks: u64,
    /// Looks at points that left their paths, and how many those were.
    pub second_looks: u64,
    /// See `second_looks`.
    pub strays: u64,
    /// Points that were held back.
    pub held_back: u64,
    /// Points that could not move at all.
    pub jammed: u64,
    /// Steps that were not taken because nothing else was safe.
    pub standstills: u64,
    /// Pairs that were pushed apart, in a pass over all of them.
    pub pushes: u64,
    /// Pairs that touched when everything was last looked at, and are not kept from crossing.
    pub let_go: usize,
    /// Pairs watched in the last step.
    pub watched: usize,
    /// Pairs that touched in the last step.
    pub touching: usize,
}
