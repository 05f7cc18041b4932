//! Checkpoints: a header and named arrays in one file that proves itself whole.
//!
//! ```text
//! "TKANINA\0"  version u32  length of the whole file u64
//! header length u32, header JSON
//! sections u32, each: name length u32, name, kind u8, count u64, numbers
//! blake3 of everything before, 32 bytes                 (all little endian)
//! ```

mod bytes;
pub(crate) mod hands;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::export::atomic::{WriteError, write_file};
use bytes::Cursor;

const MAGIC: &[u8; 8] = b"TKANINA\0";
/// Version of the format that is written and read.
pub const VERSION: u32 = 1;
/// Largest checkpoint that is read, in bytes.
pub const MAX_CHECKPOINT_BYTES: u64 = 8 << 30;
const HASH_BYTES: usize = 32;

/// The state of a run, to go on from.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// What it belongs to.
    pub header: CheckpointHeader,
    /// Arrays by name.
    pub sections: BTreeMap<String, Section>,
}

/// What a checkpoint belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckpointHeader {
    /// Version of the program that wrote it.
    pub tkanina: String,
    /// Name of the scene, for people.
    pub scene: String,
    /// Hash of the scene with everything set ([`crate::load::LoadedScene::hash`]).
    pub scene_hash: String,
    /// Frames done.
    pub frame: u64,
    /// Steps done.
    pub step: u64,
    /// Simulated time. [s]
    pub time_s: f64,
    /// Whatever else the writer needs, such as counters of the solver.
    #[serde(default)]
    pub extra: BTreeMap<String, serde_json::Value>,
}

/// An array of a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub enum Section {
    /// Single precision.
    F32(Vec<f32>),
    /// Double precision.
    F64(Vec<f64>),
    /// Whole numbers.
    U32(Vec<u32>),
    /// Bytes.
    U8(Vec<u8>),
}

/// Why a checkpoint could not be read. All of them mean that the input is wrong.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("checkpoint `{}` cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: std::io::Error,
    },
    /// It is some other file.
    #[error("`{}` is not a checkpoint of Tkanina", path.display())]
    #[diagnostic(help("checkpoints are written by `tkanina run --checkpoint-every N`"))]
    NotACheckpoint {
        /// The file.
        path: PathBuf,
    },
    /// It has another format.
    #[error("checkpoint `{}` has format {found}; this version reads {VERSION}", path.display())]
    #[diagnostic(help("resume it with the version that wrote it, or start again"))]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// It ends early.
    #[error("checkpoint `{}` is cut off: {found} of {wanted} bytes", path.display())]
    #[diagnostic(help("copy it again, or resume from an earlier checkpoint"))]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Bytes there are.
        found: u64,
        /// Bytes there should be.
        wanted: u64,
    },
    /// Its content changed after it was written.
    #[error("checkpoint `{}` is damaged: {reason}", path.display())]
    #[diagnostic(help("copy it again, or resume from an earlier checkpoint"))]
    Corrupted {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// It was written for another scene.
    #[error("checkpoint `{}` belongs to another scene (`{scene}`) or other settings", path.display())]
    #[diagnostic(help("resume with the same scene file and the same `--set` arguments"))]
    OtherScene {
        /// The file.
        path: PathBuf,
        /// The scene it belongs to.
        scene: String,
    },
}

/// Writes a checkpoint; it appears whole or not at all.
pub fn write(path: &Path, checkpoint: &Checkpoint) -> Result<(), WriteError> {
    let bytes = bytes::encode(checkpoint).map_err(|error| WriteError::new(path, error))?;
    write_file(path, |out| out.write_all(&bytes))
}

/// Reads a checkpoint.
pub fn read(path: &Path) -> Result<Checkpoint, CheckpointError> {
    let unreadable = |error| CheckpointError::Unreadable { path: path.to_owned(), error };
    let mut bytes = Vec::new();
    // A pipe or device tells no length: read no more than the budget from it.
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    if size <= MAX_CHECKPOINT_BYTES {
        file.take(MAX_CHECKPOINT_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if size.max(bytes.len() as u64) > MAX_CHECKPOINT_BYTES {
        let reason = format!("more than {MAX_CHECKPOINT_BYTES} bytes, which no checkpoint has");
        return Err(CheckpointError::Corrupted { path: path.to_owned(), reason });
    }
    decode(&bytes, path)
}

/// Reads a checkpoint that must belong to the scene of hash `scene_hash`.
pub fn read_for(path: &Path, scene_hash: &str) -> Result<Checkpoint, CheckpointError> {
    let checkpoint = read(path)?;
    if checkpoint.header.scene_hash == scene_hash {
        return Ok(checkpoint);
    }
    let scene = checkpoint.header.scene;
    Err(CheckpointError::OtherScene { path: path.to_owned(), scene })
}

fn decode(bytes: &[u8], path: &Path) -> Result<Checkpoint, CheckpointError> {
    let owned = || path.to_owned();
    let found = bytes.len() as u64;
    let known = bytes.len().min(MAGIC.len());
    if known == 0 || bytes[..known] != MAGIC[..known] {
        return Err(CheckpointError::NotACheckpoint { path: owned() });
    }
    let mut cursor = Cursor::new(bytes.get(MAGIC.len()..).unwrap_or(&[]));
    let fixed = (MAGIC.len() + 4 + 8 + HASH_BYTES) as u64;
    let cut = |wanted| CheckpointError::Truncated { path: owned(), found, wanted };
    let version = cursor.u32().ok_or_else(|| cut(fixed))?;
    if version != VERSION {
        return Err(CheckpointError::OtherVersion { path: owned(), found: version });
    }
    let wanted = cursor.u64().ok_or_else(|| cut(fixed))?;
    if found < wanted.max(fixed) {
        return Err(cut(wanted.max(fixed)));
    }
    let damaged =
        |reason: &str| CheckpointError::Corrupted { path: owned(), reason: reason.into() };
    let (content, hash) = bytes.split_at(bytes.len() - HASH_BYTES);
    if found != wanted || blake3::hash(content).as_bytes() != hash {
        return Err(damaged("its checksum does not fit"));
    }
    // The checksum fits, so only a wrong writer can fail from here on.
    let body = &content[MAGIC.len() + 4 + 8..];
    bytes::decode(body).map_err(damaged)
}

#[cfg(test)]
mod tests;
