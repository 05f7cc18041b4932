//! Which solvers are compared, and which of their pictures panels speak of.

use std::sync::Arc;

use tkanina_sim::solvers::SolverKind;

use super::App;
use crate::action::Action;
use crate::player::MOST_BESIDE;
use crate::request::Request;
use crate::snapshot::{Published, Snapshot};

/// What is compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Solvers beside the scene's own.
    pub beside: Vec<SolverKind>,
    /// Those of the last time, for the key that turns it on and off.
    before: Vec<SolverKind>,
    /// The picture that panels speak of.
    pub main: usize,
    /// The picture that the hand is in.
    pub active: usize,
}

impl Comparison {
    /// Adds a solver or takes it away.
    fn choose(&mut self, solver: SolverKind, on: bool) {
        let known = self.beside.iter().position(|one| one.name() == solver.name());
        match known {
            None if on && self.beside.len() < MOST_BESIDE => self.beside.push(solver),
            Some(index) if !on => {
                self.beside.remove(index);
                // Pictures after it move up.
                match self.main.cmp(&(index + 1)) {
                    std::cmp::Ordering::Less => {}
                    std::cmp::Ordering::Equal => self.main = 0,
                    std::cmp::Ordering::Greater => self.main -= 1,
                }
            }
            _ => {}
        }
    }

    /// Back to one picture.
    fn stop(&mut self) {
        self.before = std::mem::take(&mut self.beside);
        self.main = 0;
    }

    /// One picture, or those of the last time.
    fn toggle(&mut self, own: &str) {
        if !self.beside.is_empty() {
            return self.stop();
        }
        self.beside = std::mem::take(&mut self.before);
        if self.beside.is_empty() {
            let first =
                [SolverKind::VertexDescent { iterations: None }, SolverKind::Verlet { loss: 0.0 }];
            self.beside.extend(first.into_iter().find(|solver| solver.name() != own));
        }
    }
}

impl App {
    /// Does what an action asks of the comparison.
    pub(super) fn change_comparison(&mut self, action: &Action) {
        let before = self.comparison.beside.clone();
        match *action {
            Action::Compare { solver, on } => self.comparison.choose(solver, on),
            Action::CompareOrNot => self.comparison.toggle(self.published.own.method()),
            Action::StopComparing => self.comparison.stop(),
            Action::MainPicture(picture) if picture <= self.comparison.beside.len() => {
                self.comparison.main = picture;
            }
            _ => {}
        }
        if self.comparison.beside != before {
            self.send(Request::Compare(self.comparison.beside.clone()));
        }
        self.snapshot = self.main_snapshot().clone();
    }

    /// What the player last published, under every solver.
    pub fn published(&self) -> &Arc<Published> {
        &self.published
    }

    /// The picture that panels speak of, and the one that the hand is in.
    pub fn main_and_active_picture(&self) -> [usize; 2] {
        [self.comparison.main, self.comparison.active]
    }

    /// That of the picture that panels speak of; the scene's own if a solver refuses the scene.
    pub(super) fn main_snapshot(&self) -> &Arc<Snapshot> {
        self.published.get(self.comparison.main).unwrap_or(&self.published.own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solver(name: &str) -> SolverKind {
        SolverKind::all().find(|solver| solver.name() == name).unwrap()
    }

    #[test]
    fn four_at_most_and_the_main_picture_stays_the_same_solver() {
        let mut comparison = Comparison::default();
        for name in ["xpbd", "rk4", "xpbd", "bdf2", "verlet"] {
            comparison.choose(solver(name), true);
        }
        let names: Vec<&str> = comparison.beside.iter().map(|solver| solver.name()).collect();
        assert_eq!(names, ["xpbd", "rk4", "bdf2"]);
        comparison.main = 3;
        comparison.choose(solver("rk4"), false);
        assert_eq!(comparison.beside[comparison.main - 1].name(), "bdf2");
        comparison.choose(solver("bdf2"), false);
        assert_eq!(comparison.main, 0);
    }

    #[test]
    fn the_key_brings_the_last_comparison_back() {
        let mut comparison = Comparison::default();
        comparison.toggle("vertex-descent");
        assert_eq!(comparison.beside, [solver("verlet")]);
        comparison.choose(solver("rk4"), true);
        let both = comparison.beside.clone();
        comparison.toggle("vertex-descent");
        assert!(comparison.beside.is_empty());
        comparison.toggle("vertex-descent");
        assert_eq!(comparison.beside, both);
    }
}
