//! The bytes of a glTF file: JSON with buffers in itself, beside it, or in one binary file.

use std::io::Read;
use std::path::Path;

use super::Wrong;
use super::document::Document;
use crate::check::paths::resolve;
use crate::mesh_io::{MAX_MESH_BYTES, MeshError};

/// A document and its buffers.
#[derive(Debug, Default)]
pub struct Container {
    pub document: Document,
    pub buffers: Vec<Vec<u8>>,
}

/// Extensions that pack triangles in a way that is not read here.
const PACKED: &[&str] = &["KHR_draco_mesh_compression", "EXT_meshopt_compression"];

impl Container {
    /// Reads a file; what the system says comes first, what is wrong inside second.
    pub fn open(path: &Path) -> Result<Result<Self, Wrong>, MeshError> {
        let unreadable = |error| MeshError::Unreadable { path: path.to_owned(), error };
        let file = std::fs::File::open(path).map_err(unreadable)?;
        let found = file.metadata().map_err(unreadable)?.len();
        if found > MAX_MESH_BYTES {
            let name = path.display().to_string();
            return Err(MeshError::TooLarge { name, what: "bytes", found, limit: MAX_MESH_BYTES });
        }
        let mut bytes = Vec::new();
        file.take(MAX_MESH_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
        Ok(Self::of_bytes(&bytes, path.parent()))
    }

    /// Of the bytes of a file whose buffers are beside it in `dir`.
    pub fn of_bytes(bytes: &[u8], dir: Option<&Path>) -> Result<Self, Wrong> {
        let (json, blob) = if bytes.starts_with(b"glTF") { chunks(bytes)? } else { (bytes, None) };
        let document: Document = serde_json::from_slice(json).map_err(|error| {
            Wrong::new(format!("is not glTF: {error}")).help("export it anew as glTF 2.0 (.glb)")
        })?;
        if let Some(packed) =
            document.extensions_required.iter().find(|name| PACKED.contains(&name.as_str()))
        {
            let message = format!("is packed by {packed}, which is not read");
            return Err(Wrong::new(message).help("export it without compression of meshes"));
        }
        let mut buffers = Vec::with_capacity(document.buffers.len().min(1024));
        let mut room = MAX_MESH_BYTES;
        for (index, buffer) in document.buffers.iter().enumerate() {
            let bytes = match (&buffer.uri, blob) {
                (None, Some(blob)) if index == 0 => blob.to_vec(),
                (None, _) => Vec::new(),
                (Some(uri), _) => read_uri(uri, dir, room)
                    .map_err(|text| Wrong::new(format!("buffer {index}: {text}")).help(BESIDE))?,
            };
            room = room.saturating_sub(bytes.len() as u64);
            buffers.push(bytes);
        }
        Ok(Self { document, buffers })
    }
}

const BESIDE: &str = "keep the .bin file beside the .gltf, or export one .glb";

/// The JSON and the binary chunk of a .glb file.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Wrong> {
    let cut = || Wrong::new("is cut off").help("copy or export the file anew");
    let word = |at: usize| -> Option<u32> {
        Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
    };
    let version = word(4).ok_or_else(cut)?;
    if version != 2 {
        let message = format!("is glTF {version}; 2 is read");
        return Err(Wrong::new(message).help("export it as glTF 2.0"));
    }
    let (mut json, mut blob, mut at) = (None, None, 12);
    while let (Some(length), Some(kind)) = (word(at), word(at + 4)) {
        let end = at.checked_add(8 + length as usize).ok_or_else(cut)?;
        let chunk = bytes.get(at + 8..end).ok_or_else(cut)?;
        match &kind.to_le_bytes() {
            b"JSON" => json = json.or(Some(chunk)),
            b"BIN\0" => blob = blob.or(Some(chunk)),
            _ => {}
        }
        at = end;
    }
    Ok((json.ok_or_else(cut)?, blob))
}

/// A buffer in the text itself, or a file beside it.
fn read_uri(uri: &str, dir: Option<&Path>, room: u64) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (head, text) = data.split_once(',').ok_or("its data URI has no data")?;
        if !head.ends_with(";base64") {
            return Err("its data URI is not base64".to_owned());
        }
        return base64::Engine::decode(&base64::engine::general_purpose::STANDARD, text)
            .map_err(|error| format!("its data URI is wrong: {error}"));
    }
    let path = resolve(dir, uri)?;
    let bytes = std::fs::read(path).map_err(|error| format!("`{uri}` cannot be read: {error}"))?;
    if bytes.len() as u64 > room {
        return Err(format!("all buffers together have more than {MAX_MESH_BYTES} bytes"));
    }
    Ok(bytes)
}
