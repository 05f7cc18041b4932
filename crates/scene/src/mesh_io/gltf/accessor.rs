//! Numbers in the buffers of a glTF file.

use super::Wrong;
use super::container::Container;
use super::document::{Accessor, BufferView};

/// Most numbers that one accessor may hold: 256 MiB.
const MAX_NUMBERS: usize = 64 << 20;

impl Container {
    /// All numbers of an accessor whose entries have `width` components; whole numbers that stand
    /// for parts of 1 become those.
    pub fn numbers(&self, index: usize, width: usize) -> Result<Vec<f32>, Wrong> {
        let accessor = self.accessor(index)?;
        if width_of(&accessor.kind) != Some(width) {
            let message = format!("accessor {index} is {}, not of {width} numbers", accessor.kind);
            return Err(Wrong::new(message));
        }
        let component = Component::of(accessor.component_type, index)?;
        let most = accessor.count.checked_mul(width).filter(|n| *n <= MAX_NUMBERS);
        let total = most.ok_or_else(|| Wrong::new(format!("accessor {index} is too large")))?;
        let mut out = match accessor.buffer_view {
            None => vec![0.0; total],
            Some(view) => {
                let entries = self.entries(view, accessor.byte_offset, component.size() * width);
                let entries = entries.ok_or_else(|| outside(index))?;
                let mut out = Vec::with_capacity(total.min(entries.bytes.len()));
                for at in 0..accessor.count {
                    let entry = entries.get(at).ok_or_else(|| outside(index))?;
                    out.extend(component.numbers(entry, accessor.normalized));
                }
                out
            }
        };
        if let Some(sparse) = &accessor.sparse {
            let at = Component::of(sparse.indices.component_type, index)?;
            let places =
                self.entries(sparse.indices.buffer_view, sparse.indices.byte_offset, at.size());
            let size = component.size() * width;
            let values = self.entries(sparse.values.buffer_view, sparse.values.byte_offset, size);
            let (places, values) = places.zip(values).ok_or_else(|| outside(index))?;
            for i in 0..sparse.count.min(accessor.count) {
                let (place, value) =
                    places.get(i).zip(values.get(i)).ok_or_else(|| outside(index))?;
                let place = at.whole(place) as usize;
                let slot = out.get_mut(place.saturating_mul(width)..).unwrap_or(&mut []);
                if slot.len() < width {
                    return Err(outside(index));
                }
                slot.iter_mut()
                    .zip(component.numbers(value, accessor.normalized))
                    .for_each(|(slot, value)| *slot = value);
            }
        }
        if out.iter().any(|value| !value.is_finite()) {
            let message = format!("accessor {index} has a number that is not finite");
            return Err(Wrong::new(message).help("export the mesh anew"));
        }
        Ok(out)
    }

    /// All whole numbers of an accessor.
    pub fn wholes(&self, index: usize, width: usize) -> Result<Vec<u32>, Wrong> {
        let accessor = self.accessor(index)?;
        let component = Component::of(accessor.component_type, index)?;
        if width_of(&accessor.kind) != Some(width) || matches!(component, Component::F32) {
            return Err(Wrong::new(format!("accessor {index} holds no indices")));
        }
        let Some(view) = accessor.buffer_view else { return Err(outside(index)) };
        let entries = self.entries(view, accessor.byte_offset, component.size() * width);
        let entries = entries.ok_or_else(|| outside(index))?;
        let mut out = Vec::new();
        for at in 0..accessor.count {
            let entry = entries.get(at).ok_or_else(|| outside(index))?;
            out.extend(entry.chunks_exact(component.size()).map(|bytes| component.whole(bytes)));
        }
        Ok(out)
    }

    fn accessor(&self, index: usize) -> Result<&Accessor, Wrong> {
        let accessor = self.document.accessors.get(index);
        accessor.ok_or_else(|| Wrong::new(format!("there is no accessor {index}")))
    }

    fn entries(&self, view: usize, offset: usize, size: usize) -> Option<Entries<'_>> {
        let BufferView { buffer, byte_offset, byte_length, byte_stride } =
            self.document.buffer_views.get(view)?;
        let end = byte_offset.checked_add(*byte_length)?;
        let bytes = self.buffers.get(*buffer)?.get(*byte_offset..end)?.get(offset..)?;
        Some(Entries { bytes, size, stride: byte_stride.unwrap_or(size).max(1) })
    }
}

/// Entries of one size at even distances.
struct Entries<'a> {
    bytes: &'a [u8],
    size: usize,
    stride: usize,
}

impl<'a> Entries<'a> {
    fn get(&self, at: usize) -> Option<&'a [u8]> {
        let start = at.checked_mul(self.stride)?;
        self.bytes.get(start..start.checked_add(self.size)?)
    }
}

fn outside(index: usize) -> Wrong {
    Wrong::new(format!("accessor {index} reaches outside its buffer"))
        .help("the file is cut off or broken: export it anew")
}

fn width_of(kind: &str) -> Option<usize> {
    Some(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        _ => return None,
    })
}

/// How a number is stored.
#[derive(Clone, Copy, Debug)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: u32, accessor: usize) -> Result<Self, Wrong> {
        Ok(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => {
                let message = format!("accessor {accessor} has the unknown number type {code}");
                return Err(Wrong::new(message));
            }
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The numbers of an entry; whole ones that are `normalized` stand for parts of 1.
    fn numbers(self, entry: &[u8], normalized: bool) -> impl Iterator<Item = f32> {
        entry.chunks_exact(self.size()).map(move |bytes| match (self, bytes) {
            (Self::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
            (Self::I8, &[a]) if normalized => (f32::from(a as i8) / 127.0).max(-1.0),
            (Self::I8, &[a]) => f32::from(a as i8),
            (Self::I16, &[a, b]) => {
                let value = f32::from(i16::from_le_bytes([a, b]));
                if normalized { (value / 32767.0).max(-1.0) } else { value }
            }
            (Self::U8, &[a]) if normalized => f32::from(a) / 255.0,
            (Self::U16, &[a, b]) if normalized => f32::from(u16::from_le_bytes([a, b])) / 65535.0,
            (_, bytes) => self.whole(bytes) as f32,
        })
    }

    fn whole(self, bytes: &[u8]) -> u32 {
        bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte))
    }
}
