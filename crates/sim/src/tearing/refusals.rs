//! What does not come apart yet, as its copies have nowhere to go.

use super::torn::Torn;
use super::whole::Whole;

/// Times that parts of a tear are taken back, before all of it is.
const TRIES: u32 = 12;

/// What was taken back so far of one tear.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    tries: u32,
    /// Names of particles that stay whole.
    whole: Vec<u32>,
}

impl Refusals {
    /// Takes sides and links back so that the particles `refused`, by name, stay whole. A side
    /// that is stretched too far is so in the next frame too. With links it goes a ring of cells
    /// further each time: which cells part follows from what hangs together.
    pub fn take_back(
        &mut self,
        refused: &[u32],
        (whole, torn): (&Whole, &Torn),
        (sides, links): (&mut Vec<u32>, &mut Vec<[u32; 2]>),
    ) {
        self.tries += 1;
        if self.tries > TRIES {
            sides.clear();
            links.clear();
            return;
        }
        self.whole.extend(refused);
        self.whole.sort_unstable();
        self.whole.dedup();
        let stays = |name: &u32| self.whole.binary_search(name).is_ok();
        let before = (sides.len(), links.len());
        sides.retain(|&side| {
            let other = whole.across(side).map(|other| torn.ends(other));
            let ends = torn.ends(side);
            !ends.iter().chain(other.iter().flatten()).any(stays)
        });
        if links.is_empty() {
            return;
        }
        let mut near: Vec<u32> =
            torn.cells.iter().filter(|cell| cell.iter().any(stays)).flatten().copied().collect();
        near.sort_unstable();
        near.dedup();
        links.retain(|link| !link.iter().any(|name| near.binary_search(name).is_ok()));
        self.whole.extend(near);
        self.whole.sort_unstable();
        self.whole.dedup();
        if before == (sides.len(), links.len()) {
            self.tries = TRIES;
        }
    }
}
