//! One line of a benchmark.

use std::fmt;

use serde::Serialize;

/// A measured figure beside what is owed.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Benchmark it belongs to.
    pub bench: &'static str,
    /// What was measured.
    pub case: String,
    /// Threads used.
    pub threads: usize,
    /// Best of all samples.
    pub value: f64,
    /// Unit of the value.
    pub unit: &'static str,
    /// What we owe on a 2-core AVX-512 machine at 2.8 GHz.
    pub owed: Option<f64>,
    /// How many times the naive algorithm's speed, measured in the same run.
    pub over_naive: Option<f64>,
}

impl Row {
    /// Names of the columns.
    pub fn header() -> String {
        let [case, threads, value, owed, naive] = ["case", "threads", "best", "owed", "over naive"];
        format!("{case:<28}{threads:>8}{value:>13}{owed:>10}{naive:>12}")
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let optional = |value: Option<f64>, unit: &str| {
            value.map_or_else(|| "–".to_owned(), |v| format!("{v:.1}{unit}"))
        };
        write!(
            f,
            "{:<30}{:>6}{:>9} {:<3}{:>10}{:>12}",
            self.case,
            self.threads,
            figure(self.value),
            self.unit,
            self.owed.map_or_else(|| "–".to_owned(), figure),
            optional(self.over_naive, "×"),
        )
    }
}

/// Three digits of small figures, two places of others.
fn figure(value: f64) -> String {
    if value.abs() < 1.0 { format!("{value:.3}") } else { format!("{value:.2}") }
}
