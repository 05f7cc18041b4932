//! Edits taken back and made again.

use std::collections::VecDeque;

use serde_json::Value;

/// Edits that can be taken back at most.
const MOST: usize = 200;

/// Scenes before and after the present one. Scenes are small; whole ones are kept.
#[derive(Debug, Default)]
pub struct UndoStack {
    before: VecDeque<Value>,
    after: Vec<Value>,
    /// The place that is being edited, over many small changes.
    open: Option<String>,
}

impl UndoStack {
    /// Remembers the scene as it was before an edit at `place`. Edits at one place are one until
    /// [`Self::close`].
    pub fn push(&mut self, was: Value, place: Option<&str>) {
        self.after.clear();
        if place.is_some() && self.open.as_deref() == place {
            return;
        }
        self.open = place.map(str::to_owned);
        if self.before.len() == MOST {
            self.before.pop_front();
        }
        self.before.push_back(was);
    }

    /// Ends a long edit.
    pub fn close(&mut self) {
        self.open = None;
    }

    /// The scene before the last edit, in place of `now`.
    pub fn undo(&mut self, now: &Value) -> Option<Value> {
        self.open = None;
        let was = self.before.pop_back()?;
        self.after.push(now.clone());
        Some(was)
    }

    /// The scene after the edit that was last taken back, in place of `now`.
    pub fn redo(&mut self, now: &Value) -> Option<Value> {
        self.open = None;
        let next = self.after.pop()?;
        self.before.push_back(now.clone());
        Some(next)
    }

    /// Whether there is an edit to take back, and one to make again.
    pub fn depth(&self) -> [bool; 2] {
        [!self.before.is_empty(), !self.after.is_empty()]
    }
}
