//! Arrays on the GPU: uploaded when an `Arc` is new, kept while it comes back.

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

use bytemuck::Pod;

use crate::memo::{KEEP_DRAWS, identity};

/// Uploaded arrays by the identity of their `Arc`.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    entries: HashMap<(usize, usize), Entry>,
    draw: u64,
    uploaded: u64,
}

#[derive(Debug)]
struct Entry {
    buffer: wgpu::Buffer,
    /// Holds the array, so that its address names nothing else.
    _array: Box<dyn Any + Send + Sync>,
    last_used: u64,
}

/// Any array may be read as vertices, as instances or as indices.
const USAGE: wgpu::BufferUsages =
    wgpu::BufferUsages::VERTEX.union(wgpu::BufferUsages::INDEX).union(wgpu::BufferUsages::COPY_DST);

impl Buffers {
    /// Begins a draw: the count of bytes starts anew and what was long unused is dropped.
    pub fn begin(&mut self) {
        self.draw += 1;
        self.uploaded = 0;
        let draw = self.draw;
        self.entries.retain(|_, entry| draw - entry.last_used <= KEEP_DRAWS);
    }

    /// Bytes written in this draw.
    pub fn uploaded(&self) -> u64 {
        self.uploaded
    }

    /// The array's buffer; none if it is empty or larger than a buffer may be.
    pub fn get<T: Pod + Send + Sync>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        array: &Arc<[T]>,
    ) -> Option<wgpu::Buffer> {
        let bytes: &[u8] = bytemuck::cast_slice(array);
        let size = bytes.len() as u64;
        if size == 0 || size > device.limits().max_buffer_size {
            return None;
        }
        let key = identity(array);
        // The same address and length with another element type would be another size.
        if let Some(entry) = self.entries.get_mut(&key)
            && entry.buffer.size() == size
        {
            entry.last_used = self.draw;
            return Some(entry.buffer.clone());
        }
        let buffer = self.idle(size).unwrap_or_else(|| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("array"),
                size,
                usage: USAGE,
                mapped_at_creation: false,
            })
        });
        queue.write_buffer(&buffer, 0, bytes);
        self.uploaded += size;
        let entry =
            Entry { buffer: buffer.clone(), _array: Box::new(array.clone()), last_used: self.draw };
        self.entries.insert(key, entry);
        Some(buffer)
    }

    /// A buffer of that size that neither this draw nor the last one used.
    fn idle(&mut self, size: u64) -> Option<wgpu::Buffer> {
        let draw = self.draw;
        let key = self
            .entries
            .iter()
            .find(|(_, entry)| entry.buffer.size() == size && entry.last_used + 1 < draw)
            .map(|(key, _)| *key)?;
        self.entries.remove(&key).map(|entry| entry.buffer)
    }
}
