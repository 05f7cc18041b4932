//! Results to stdout, everything else to stderr, and no panic if nobody reads.

use std::io::{ErrorKind, Write};

use miette::miette;
use tkanina_scene::build::{Note, NoteLevel};

use crate::failure::Failure;

/// Writes a result to stdout. A reader that has gone away, as `head` does, has
/// had what it wanted.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::other(miette!(
            help = "look at where the output goes: is there space?",
            "the result cannot be written: {error}"
        ))),
        _ => Ok(()),
    }
}

/// Writes a line to stderr; there is nowhere to complain if that fails.
pub fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", line.trim_end());
}

/// A note as one line.
pub fn note_line(note: &Note) -> String {
    let level = match note.level {
        NoteLevel::Info => "note",
        NoteLevel::Warning => "warning",
    };
    format!("{level}: {}", note.text)
}
