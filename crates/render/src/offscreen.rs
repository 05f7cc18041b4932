//! Pictures without a window.

use crate::camera::Camera;
use crate::error::RenderError;
use crate::frame::Frame;
use crate::gpu::Gpu;
use crate::image::Image;
use crate::readback::Readback;
use crate::renderer::Renderer;
use crate::target::Target;

/// Draws frames into pictures in memory.
#[derive(Debug)]
pub struct Offscreen {
    gpu: Gpu,
    renderer: Renderer,
    /// Where the last picture was drawn; the next one often has the same size.
    target: Option<Target>,
}

impl Offscreen {
    /// Draws with this device.
    pub fn new(gpu: Gpu) -> Self {
        let renderer = Renderer::new(&gpu.device);
        Self { gpu, renderer, target: None }
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
        if size.iter().any(|side| !(1..=limit).contains(side)) {
            let [width, height] = size;
            return Err(RenderError::Size { width, height, limit });
        }
        let kept = self.target.take().filter(|target| target.size() == size);
        let target = kept.unwrap_or_else(|| Target::new(device, size));
        self.renderer.draw(device, queue, frame, camera, &target);
        let image = Readback::start(device, queue, &target).wait(device);
        self.target = Some(target);
        self.check_device()?;
        image.map_err(RenderError::Device)
    }

    fn check_device(&self) -> Result<(), RenderError> {
        match self.gpu.lost().or_else(|| self.gpu.take_error()) {
            Some(reason) => Err(RenderError::Device(reason)),
            None => Ok(()),
        }
    }
}
