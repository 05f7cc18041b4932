//! The bytes of a checkpoint.

use std::collections::BTreeMap;
use std::io;

use super::{Checkpoint, HASH_BYTES, MAGIC, Section, VERSION};

/// The whole file.
pub fn encode(checkpoint: &Checkpoint) -> io::Result<Vec<u8>> {
    let header = serde_json::to_vec(&checkpoint.header)?;
    let mut out = Vec::new();
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    let length_at = out.len();
    out.extend_from_slice(&[0; 8]);
    put_bytes(&mut out, &header);
    out.extend_from_slice(&(checkpoint.sections.len() as u32).to_le_bytes());
    for (name, section) in &checkpoint.sections {
        put_bytes(&mut out, name.as_bytes());
        section.encode(&mut out);
    }
    let length = (out.len() + HASH_BYTES) as u64;
    out[length_at..length_at + 8].copy_from_slice(&length.to_le_bytes());
    let hash = blake3::hash(&out);
    out.extend_from_slice(hash.as_bytes());
    Ok(out)
}

/// What stands between the length and the hash.
pub fn decode(body: &[u8]) -> Result<Checkpoint, &'static str> {
    let mut cursor = Cursor::new(body);
    let header = cursor.bytes().ok_or("its header is cut off")?;
    let header = serde_json::from_slice(header).map_err(|_| "its header cannot be read")?;
    let count = cursor.u32().ok_or("its sections are cut off")?;
    let mut sections = BTreeMap::new();
    for _ in 0..count {
        let name = cursor.bytes().ok_or("its sections are cut off")?;
        let name = std::str::from_utf8(name).map_err(|_| "a section's name is not text")?;
        let section = Section::decode(&mut cursor).ok_or("a section cannot be read")?;
        sections.insert(name.to_owned(), section);
    }
    if !cursor.rest.is_empty() {
        return Err("something follows its last section");
    }
    Ok(Checkpoint { header, sections })
}

impl Section {
    fn encode(&self, out: &mut Vec<u8>) {
        let (kind, count) = match self {
            Self::F32(numbers) => (0, numbers.len()),
            Self::F64(numbers) => (1, numbers.len()),
            Self::U32(numbers) => (2, numbers.len()),
            Self::U8(numbers) => (3, numbers.len()),
        };
        out.push(kind);
        out.extend_from_slice(&(count as u64).to_le_bytes());
        match self {
            Self::F32(numbers) => out.extend(numbers.iter().flat_map(|n| n.to_le_bytes())),
            Self::F64(numbers) => out.extend(numbers.iter().flat_map(|n| n.to_le_bytes())),
            Self::U32(numbers) => out.extend(numbers.iter().flat_map(|n| n.to_le_bytes())),
            Self::U8(numbers) => out.extend_from_slice(numbers),
        }
    }

    fn decode(cursor: &mut Cursor<'_>) -> Option<Self> {
        let [kind] = cursor.take_array()?;
        let count = usize::try_from(cursor.u64()?).ok()?;
        // Taken from the file before anything is made for it.
        let mut numbers = |size: usize| cursor.take(count.checked_mul(size)?);
        Some(match kind {
            0 => Self::F32(words(numbers(4)?).map(f32::from_le_bytes).collect()),
            1 => Self::F64(words(numbers(8)?).map(f64::from_le_bytes).collect()),
            2 => Self::U32(words(numbers(4)?).map(u32::from_le_bytes).collect()),
            3 => Self::U8(numbers(1)?.to_vec()),
            _ => return None,
        })
    }
}

fn words<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    bytes.as_chunks::<N>().0.iter().copied()
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    out.extend_from_slice(bytes);
}

/// Reads from the front; none when there is not enough.
pub struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    /// Starts at the front of `rest`.
    pub fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn take_array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// A whole number of 4 bytes.
    pub fn u32(&mut self) -> Option<u32> {
        self.take_array().map(u32::from_le_bytes)
    }

    /// A whole number of 8 bytes.
    pub fn u64(&mut self) -> Option<u64> {
        self.take_array().map(u64::from_le_bytes)
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = self.u32()?;
        self.take(count as usize)
    }
}
