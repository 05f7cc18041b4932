//! Pictures without a window.

use crate::camera::Camera;
use crate::error::RenderError;
use crate::frame::Frame;
use crate::gpu::Gpu;
use crate::image::Image;
use crate::renderer::Renderer;
use crate::target::Target;

/// Draws frames into pictures in memory.
#[derive(Debug)]
pub struct Offscreen {
    gpu: Gpu,
    renderer: Renderer,
    canvas: Option<Canvas>,
}

/// Where the last picture was drawn and read; the next one often has the same size.
#[derive(Debug)]
struct Canvas {
    target: Target,
    read: wgpu::Buffer,
    row_bytes: u32,
}

impl Offscreen {
    /// Draws with this device.
    pub fn new(gpu: Gpu) -> Self {
        let renderer = Renderer::new(&gpu.device);
        Self { gpu, renderer, canvas: None }
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The renderer.
    pub fn renderer(&self) -> &Renderer {
        &self.renderer
    }

    /// A picture of `size` pixels.
    pub fn picture(
        &mut self,
        frame: &Frame,
        camera: &Camera,
        size: [u32; 2],
    ) -> Result<Image, RenderError> {
        self.check_device()?;
        let Gpu { device, queue, .. } = &self.gpu;
        let limit = device.limits().max_texture_dimension_2d;
        let [width, height] = size;
        if size.iter().any(|side| !(1..=limit).contains(side)) {
            return Err(RenderError::Size { width, height, limit });
        }
        let kept = self.canvas.take().filter(|canvas| canvas.target.size() == size);
        let canvas = kept.unwrap_or_else(|| Canvas::new(device, size));
        self.renderer.draw(device, queue, frame, camera, &canvas.target);
        let rgba = canvas.read(device, queue);
        self.canvas = Some(canvas);
        self.check_device()?;
        Ok(Image { width, height, rgba: rgba.map_err(RenderError::Device)? })
    }

    fn check_device(&self) -> Result<(), RenderError> {
        match self.gpu.lost().or_else(|| self.gpu.take_error()) {
            Some(reason) => Err(RenderError::Device(reason)),
            None => Ok(()),
        }
    }
}

impl Canvas {
    fn new(device: &wgpu::Device, size: [u32; 2]) -> Self {
        let row_bytes = (4 * size[0]).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let read = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture in memory"),
            size: u64::from(row_bytes) * u64::from(size[1]),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        Self { target: Target::new(device, size), read, row_bytes }
    }

    fn read(&self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<Vec<u8>, String> {
        let [width, height] = self.target.size();
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            self.target.texture().as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.read,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(self.row_bytes),
                    rows_per_image: None,
                },
            },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        queue.submit([encoder.finish()]);
        let (sender, receiver) = std::sync::mpsc::channel();
        self.read.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver lives until it has heard this or the wait has failed.
            let _ = sender.send(result);
        });
        device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| error.to_string())?;
        let mapped = receiver.recv().map_err(|error| error.to_string())?;
        mapped.map_err(|error| error.to_string())?;
        let bytes = self.read.get_mapped_range(..).map_err(|error| error.to_string())?;
        let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
        for row in bytes.chunks_exact(self.row_bytes as usize) {
            rgba.extend_from_slice(&row[..4 * width as usize]);
        }
        drop(bytes);
        self.read.unmap();
        Ok(rgba)
    }
}
