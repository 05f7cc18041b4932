//! One line of the table, in the columns of `tkanina bench`.

use std::fmt;

use crate::trees::WORK;

/// A measured time beside ours.
pub struct Row {
    case: String,
    /// [ms]
    value: f64,
    /// How many times our speed.
    over_ours: f64,
}

impl Row {
    /// Names of the columns.
    pub fn header() -> String {
        let [case, threads, value, ours] = ["case", "threads", "best", "over ours"];
        format!("{case:<28}{threads:>8}{value:>13}{ours:>12}")
    }

    /// The time that `name` needs for a kind of work, and what we need.
    pub fn of(name: &str, what: usize, value: f64, ours: f64) -> Self {
        Self { case: format!("{}, {name}", WORK[what]), value, over_ours: ours / value }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = if self.value < 1.0 { 3 } else { 2 };
        let value = format!("{:.digits$}", self.value);
        write!(f, "{:<30}{:>6}{value:>9} ms{:>12}", self.case, 1, format!("{:.2}×", self.over_ours))
    }
}

/// What the figures were measured on.
pub fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name"));
    let processor = name.map_or("unknown processor", |n| n.trim_matches([':', '\t', ' ']));
    format!("tree-bench on {processor} ({}), one thread", std::env::consts::ARCH)
}
