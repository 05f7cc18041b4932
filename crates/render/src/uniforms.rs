//! Uniform buffers that are written only when their contents change.

use std::marker::PhantomData;

use bytemuck::Pod;

/// An array of uniforms, one bound at a time by its offset.
#[derive(Debug)]
pub(crate) struct Uniforms<T> {
    layout: wgpu::BindGroupLayout,
    stride: usize,
    held: Option<Held>,
    /// What the buffer contains.
    written: Vec<u8>,
    /// What it shall contain.
    next: Vec<u8>,
    item: PhantomData<T>,
}

#[derive(Debug)]
struct Held {
    buffer: wgpu::Buffer,
    group: wgpu::BindGroup,
}

impl<T: Pod> Uniforms<T> {
    /// None yet.
    pub fn new(device: &wgpu::Device, layout: wgpu::BindGroupLayout) -> Self {
        let align = device.limits().min_uniform_buffer_offset_alignment as usize;
        let stride = size_of::<T>().next_multiple_of(align.max(1));
        Self {
            layout,
            stride,
            held: None,
            written: Vec::new(),
            next: Vec::new(),
            item: PhantomData,
        }
    }

    /// Layout of its group.
    pub fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    /// Offset of the item with this number.
    pub fn offset(&self, item: usize) -> u32 {
        (item * self.stride) as u32
    }

    /// Forgets all items.
    pub fn clear(&mut self) {
        self.next.clear();
    }

    /// Adds an item; its offset is what binds it.
    pub fn push(&mut self, item: &T) -> u32 {
        let offset = self.next.len();
        self.next.resize(offset + self.stride, 0);
        self.next[offset..][..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(item));
        offset as u32
    }

    /// Brings the items to the GPU and says how many bytes that took.
    pub fn upload(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) -> u64 {
        let size = self.next.len() as u64;
        if size == 0 || self.next == self.written {
            return 0;
        }
        let held = match self.held.take() {
            Some(held) if held.buffer.size() >= size => held,
            _ => self.make(device, size.next_power_of_two()),
        };
        queue.write_buffer(&held.buffer, 0, &self.next);
        self.held = Some(held);
        self.written.clone_from(&self.next);
        size
    }

    /// The group to bind; none before the first upload.
    pub fn group(&self) -> Option<&wgpu::BindGroup> {
        self.held.as_ref().map(|held| &held.group)
    }

    fn make(&self, device: &wgpu::Device, size: u64) -> Held {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("uniforms"),
            size,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("uniforms"),
            layout: &self.layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &buffer,
                    offset: 0,
                    size: std::num::NonZeroU64::new(size_of::<T>() as u64),
                }),
            }],
        });
        Held { buffer, group }
    }
}

/// Layout of a group with one uniform that is bound by its offset.
pub(crate) fn dynamic_layout(device: &wgpu::Device, label: &str) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: true,
                min_binding_size: None,
            },
            count: None,
        }],
    })
}
