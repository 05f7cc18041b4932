//! From cheap and coarse to dear and exact: the settings that a solver is tried at.

use tkanina_scene::compare::{Count, Entry};
use tkanina_sim::solvers::SolverKind;

/// Settings of one kind.
pub struct Ladder {
    /// Step by step finer, joined by a line.
    pub rungs: Vec<Entry>,
    /// Other numbers of iterations.
    pub beside: Vec<Entry>,
}

/// Multiples of the recommended steps for explicit solvers.
const FINER: [u32; 3] = [1, 2, 4];
/// Steps a frame of solvers that are stable at any.
const STEPS: [u32; 6] = [1, 2, 4, 8, 16, 32];
/// Iterations tried besides the solver's own choice, at these steps a frame.
const ITERATIONS: [u32; 3] = [1, 4, 16];
const AT_STEPS: [u32; 2] = [4, 16];
/// Most steps a frame that a scene takes.
const MOST: u32 = 10_000;

impl Ladder {
    /// Settings of `kind`, which recommends `recommended` steps a frame here.
    pub fn of(kind: &str, recommended: u32, quick: bool) -> Self {
        let at = |steps: u32| Entry::of_kind(kind, Some(Count::Steps(steps.clamp(1, MOST))));
        let known = SolverKind::known().find(|known| known.name() == kind);
        let (mut rungs, mut beside): (Vec<Entry>, Vec<Entry>) = match known {
            Some(known) if !known.is_explicit() => {
                let beside = if takes_sweeps(known) { tries(kind) } else { Vec::new() };
                (STEPS.map(at).to_vec(), beside)
            }
            _ => (FINER.map(|finer| at(recommended.saturating_mul(finer))).to_vec(), Vec::new()),
        };
        // At the most steps there are no finer ones.
        rungs.dedup();
        if quick {
            rungs.truncate(2);
            beside.truncate(1);
        }
        Self { rungs, beside }
    }
}

/// Whether its sweeps are a budget rather than a limit that it seldom meets.
fn takes_sweeps(kind: SolverKind) -> bool {
    matches!(
        kind,
        SolverKind::Projective { .. }
            | SolverKind::Xpbd { .. }
            | SolverKind::LineProjection { .. }
            | SolverKind::VertexDescent { .. }
    )
}

fn tries(kind: &str) -> Vec<Entry> {
    let mut out = Vec::new();
    for steps in AT_STEPS {
        for iterations in ITERATIONS {
            let mut entry = Entry::of_kind(kind, Some(Count::Steps(steps)));
            entry.options.push(("iterations".to_owned(), iterations.to_string()));
            entry.label = format!("{kind}{{iterations={iterations}}}@{steps}");
            out.push(entry);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_can_be_typed_and_mean_the_same() {
        let kinds = SolverKind::all().map(SolverKind::name);
        for kind in kinds {
            let ladder = Ladder::of(kind, 7, false);
            assert!(ladder.rungs.len() >= 3, "{kind}");
            for entry in ladder.rungs.iter().chain(&ladder.beside) {
                assert_eq!(Entry::parse(&entry.label).as_ref(), Ok(entry));
            }
        }
        let steps = |entry: &Entry| entry.substeps;
        let verlet = Ladder::of("verlet", 7, false);
        assert_eq!(verlet.rungs.iter().map(steps).next_back(), Some(Some(Count::Steps(28))));
    }
}
