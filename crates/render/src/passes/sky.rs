//! The backdrop.

use crate::passes::pipeline::{PipelineParts, module, pipeline, pipeline_layout};

/// Draws the sky where nothing else is.
#[derive(Debug)]
pub(crate) struct SkyPass {
    pipeline: wgpu::RenderPipeline,
}

impl SkyPass {
    /// With the layout of the globals.
    pub fn new(device: &wgpu::Device, globals: &wgpu::BindGroupLayout) -> Self {
        let files = [include_str!("../shaders/common.wgsl"), include_str!("../shaders/sky.wgsl")];
        let parts = PipelineParts {
            label: "sky",
            module: &module(device, "sky", &files),
            layout: &pipeline_layout(device, "sky", &[globals]),
            buffers: &[],
            topology: wgpu::PrimitiveTopology::TriangleList,
            // The sky has depth 0: only what was cleared is not before it.
            compare: wgpu::CompareFunction::GreaterEqual,
            writes_depth: false,
            blends: false,
            constants: &[],
        };
        Self { pipeline: pipeline(device, &parts) }
    }

    /// Draws; the globals are bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass) {
        pass.set_pipeline(&self.pipeline);
        pass.draw(0..3, 0..1);
    }
}
