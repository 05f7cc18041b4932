//! What the pipelines of the picture have in common.

use crate::target::{COLOR, DEPTH, SAMPLES};

/// What differs between pipelines of the picture.
pub(crate) struct PipelineParts<'a> {
    /// For people who debug.
    pub label: &'a str,
    /// Code with entry points `vertex` and `fragment`.
    pub module: &'a wgpu::ShaderModule,
    /// Its groups.
    pub layout: &'a wgpu::PipelineLayout,
    /// Arrays it reads.
    pub buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    /// Triangles or strips.
    pub topology: wgpu::PrimitiveTopology,
    /// Which depths pass.
    pub compare: wgpu::CompareFunction,
    /// Whether depth is written.
    pub writes_depth: bool,
    /// Whether alpha mixes with what is there.
    pub blends: bool,
    /// Whether alpha chooses samples.
    pub alpha_to_coverage: bool,
    /// Values of the code's `override` constants.
    pub constants: &'a [(&'a str, f64)],
}

/// A pipeline that draws into a [`crate::Target`].
pub(crate) fn pipeline(device: &wgpu::Device, parts: &PipelineParts) -> wgpu::RenderPipeline {
    let compilation_options =
        wgpu::PipelineCompilationOptions { constants: parts.constants, ..Default::default() };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(parts.label),
        layout: Some(parts.layout),
        vertex: wgpu::VertexState {
            module: parts.module,
            entry_point: Some("vertex"),
            compilation_options: compilation_options.clone(),
            buffers: parts.buffers,
        },
        primitive: wgpu::PrimitiveState { topology: parts.topology, ..Default::default() },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(parts.writes_depth),
            depth_compare: Some(parts.compare),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: wgpu::MultisampleState {
            count: SAMPLES,
            alpha_to_coverage_enabled: parts.alpha_to_coverage,
            ..Default::default()
        },
        fragment: Some(wgpu::FragmentState {
            module: parts.module,
            entry_point: Some("fragment"),
            compilation_options,
            targets: &[Some(wgpu::ColorTargetState {
                format: COLOR,
                blend: parts.blends.then_some(wgpu::BlendState::ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Code of several files as one module.
pub(crate) fn module(device: &wgpu::Device, label: &str, files: &[&str]) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(files.concat().into()),
    })
}

/// Layout of pipelines with these groups.
pub(crate) fn pipeline_layout(
    device: &wgpu::Device,
    label: &str,
    groups: &[&wgpu::BindGroupLayout],
) -> wgpu::PipelineLayout {
    let groups: Vec<_> = groups.iter().map(|group| Some(*group)).collect();
    device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(label),
        bind_group_layouts: &groups,
        immediate_size: 0,
    })
}
