//! What the figures were measured on.

use std::fmt;

use serde::Serialize;

/// Processor and its threads.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// Model name of the processor, where the system tells.
    pub processor: String,
    /// Threads that can run at once.
    pub threads: usize,
    /// Architecture.
    pub architecture: &'static str,
}

impl Machine {
    /// This machine.
    pub fn here() -> Self {
        let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let name = text.lines().find_map(|line| line.strip_prefix("model name"));
        let processor = name.map_or("unknown processor", |n| n.trim_matches([':', '\t', ' ']));
        Self {
            processor: processor.to_owned(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            architecture: std::env::consts::ARCH,
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, {} threads)", self.processor, self.architecture, self.threads)
    }
}
