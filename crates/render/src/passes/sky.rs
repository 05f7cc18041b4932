//! The backdrop.

use std::collections::HashMap;

use crate::frame::Backdrop;
use crate::passes::pipeline::{PipelineParts, module, pipeline, pipeline_layout};
use crate::passes::surface_uniform::LightKinds;

/// Draws the sky where nothing else is.
#[derive(Debug)]
pub(crate) struct SkyPass {
    module: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
    /// By the lights that have discs, a bit each.
    pipelines: HashMap<u8, wgpu::RenderPipeline>,
}

impl SkyPass {
    /// With the layout of the globals.
    pub fn new(device: &wgpu::Device, globals: &wgpu::BindGroupLayout) -> Self {
        let files = [include_str!("../shaders/common.wgsl"), include_str!("../shaders/sky.wgsl")];
        Self {
            module: module(device, "sky", &files),
            layout: pipeline_layout(device, "sky", &[globals]),
            pipelines: HashMap::new(),
        }
    }

    /// Finds code for a backdrop under lights; none if it is no sky.
    pub fn dress(
        &mut self,
        device: &wgpu::Device,
        backdrop: &Backdrop,
        lights: LightKinds,
    ) -> Option<&wgpu::RenderPipeline> {
        let Backdrop::Sky { sun_disc, .. } = *backdrop else { return None };
        let discs = if sun_disc { lights.discs() } else { 0 };
        let (module, layout) = (&self.module, &self.layout);
        Some(self.pipelines.entry(discs).or_insert_with(|| {
            pipeline(
                device,
                &PipelineParts {
                    label: "sky",
                    module,
                    layout,
                    buffers: &[],
                    topology: wgpu::PrimitiveTopology::TriangleList,
                    // The sky has depth 0: only what was cleared is not before it.
                    compare: wgpu::CompareFunction::GreaterEqual,
                    writes_depth: false,
                    blends: false,
                    alpha_to_coverage: false,
                    constants: &[("DISCS", discs.into())],
                },
            )
        }))
    }
}

/// Draws a sky; the globals are bound.
pub(crate) fn draw(pass: &mut wgpu::RenderPass, sky: &wgpu::RenderPipeline) {
    pass.set_pipeline(sky);
    pass.draw(0..3, 0..1);
}
