//! Where the time of a step goes. This crate reads no clock: whoever sets a probe does.

/// Stages of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Between steps, and what is done once a step.
    Outside,
    /// Forces of springs, air and weight.
    Forces,
    /// Velocities and positions.
    Move,
    /// Strain limits.
    Limits,
    /// Colliders.
    Contacts,
}

impl Stage {
    /// All stages, in the order of their numbers.
    pub const ALL: [Self; 5] =
        [Self::Outside, Self::Forces, Self::Move, Self::Limits, Self::Contacts];

    /// A word for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Outside => "outside",
            Self::Forces => "forces",
            Self::Move => "move",
            Self::Limits => "limits",
            Self::Contacts => "contacts",
        }
    }
}

/// Is told whenever a stage begins.
pub trait Probe: Send {
    /// `stage` begins now, and the one before it ends.
    fn enter(&mut self, stage: Stage);
}
