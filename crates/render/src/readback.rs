//! Pixels on their way from the device.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

use crate::image::Image;
use crate::target::Target;

/// A copy of a target's pixels that arrives later; nothing waits for it unless told to.
#[derive(Debug)]
pub struct Readback {
    buffer: wgpu::Buffer,
    size: [u32; 2],
    row_bytes: u32,
    arrived: Receiver<Result<(), wgpu::BufferAsyncError>>,
}

impl Readback {
    /// Asks for a copy of what `target` shows once everything submitted so far is drawn.
    pub fn start(device: &wgpu::Device, queue: &wgpu::Queue, target: &Target) -> Self {
        let size @ [width, height] = target.size();
        let row_bytes = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture in memory"),
            size: u64::from(row_bytes) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(row_bytes),
            rows_per_image: None,
        };
        encoder.copy_texture_to_buffer(
            target.texture().as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        queue.submit([encoder.finish()]);
        let (sender, arrived) = channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // Nobody may want it any more.
            let _ = sender.send(result);
        });
        Self { buffer, size, row_bytes, arrived }
    }

    /// The picture, once it is there, or why it never will be. Does not wait.
    pub fn poll(&mut self, device: &wgpu::Device) -> Option<Result<Image, String>> {
        if let Err(error) = device.poll(wgpu::PollType::Poll) {
            return Some(Err(error.to_string()));
        }
        match self.arrived.try_recv() {
            Ok(Ok(())) => Some(self.image()),
            Ok(Err(error)) => Some(Err(error.to_string())),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("the device is gone".to_owned())),
        }
    }

    /// Waits for the picture.
    pub fn wait(self, device: &wgpu::Device) -> Result<Image, String> {
        device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| error.to_string())?;
        let arrived = self.arrived.recv().map_err(|error| error.to_string())?;
        arrived.map_err(|error| error.to_string())?;
        self.image()
    }

    fn image(&self) -> Result<Image, String> {
        let bytes = self.buffer.get_mapped_range(..).map_err(|error| error.to_string())?;
        let [width, height] = self.size;
        let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
        for row in bytes.chunks_exact(self.row_bytes as usize) {
            rgba.extend_from_slice(&row[..4 * width as usize]);
        }
        Ok(Image { width, height, rgba })
    }
}
