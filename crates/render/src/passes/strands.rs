//! Strands: curves that are expanded on the GPU, one instance each.

use std::collections::HashMap;

use glam::Vec3;

use crate::buffers::Buffers;
use crate::camera::Camera;
use crate::frame::{Frame, Strands};
use crate::passes::pipeline::{PipelineParts, module, pipeline, pipeline_layout};
use crate::passes::prepared::Known;
use crate::passes::strand_arrays::StrandArrays;
use crate::passes::strand_uniform::{StrandKind, StrandSight, StrandUniform};
use crate::passes::surface_uniform::LightKinds;
use crate::uniforms::{Uniforms, dynamic_layout};

/// Strands that can be drawn.
#[derive(Debug)]
pub(crate) struct PreparedStrands<'a> {
    /// What they show.
    pub strands: &'a Strands,
    /// Their points.
    pub points: wgpu::BindGroup,
    /// Which of them, by rank.
    pub order: wgpu::Buffer,
    /// How many there are.
    pub count: u32,
    /// Box about their points. [m]
    pub bounds: [Vec3; 2],
    /// How they are seen.
    pub sight: StrandSight,
    /// Where their numbers are among the uniforms.
    pub offset: u32,
}

/// Draws strands.
#[derive(Debug)]
pub(crate) struct StrandPass {
    arrays: StrandArrays,
    uniforms: Uniforms<StrandUniform>,
    layout: wgpu::PipelineLayout,
    ribbons: wgpu::ShaderModule,
    pipelines: HashMap<StrandKind, wgpu::RenderPipeline>,
    /// Whether alpha chooses samples, where code cannot.
    by_alpha: bool,
}

impl StrandPass {
    /// With the layout of the globals.
    pub fn new(device: &wgpu::Device, globals: &wgpu::BindGroupLayout) -> Self {
        let arrays = StrandArrays::new(device);
        let group = dynamic_layout(device, "strands");
        let layout = pipeline_layout(device, "strands", &[globals, &group, arrays.layout()]);
        let by_alpha = device.adapter_info().backend == wgpu::Backend::Gl;
        let cover = if by_alpha {
            include_str!("../shaders/cover_alpha.wgsl")
        } else {
            include_str!("../shaders/cover_mask.wgsl")
        };
        let make = |label: &str, code: &str| {
            let files = [
                include_str!("../shaders/common.wgsl"),
                include_str!("../shaders/lights.wgsl"),
                include_str!("../shaders/strand.wgsl"),
                include_str!("../shaders/eye.wgsl"),
                include_str!("../shaders/hair.wgsl"),
                cover,
                code,
            ];
            module(device, label, &files)
        };
        Self {
            ribbons: make("ribbons", include_str!("../shaders/ribbons.wgsl")),
            uniforms: Uniforms::new(device, group),
            pipelines: HashMap::new(),
            arrays,
            layout,
            by_alpha,
        }
    }

    /// Layouts of a look's numbers and of points.
    pub fn layouts(&self) -> [&wgpu::BindGroupLayout; 2] {
        [self.uniforms.layout(), self.arrays.layout()]
    }

    /// The looks' numbers; none before the first upload.
    pub fn uniforms(&self) -> Option<&wgpu::BindGroup> {
        self.uniforms.group()
    }

    /// Bytes that the arrays of the last frame took.
    pub fn uploaded(&self) -> u64 {
        self.arrays.uploaded()
    }

    /// The strands of a frame that can be drawn, as a camera sees them.
    pub fn prepare<'a>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        (buffers, known): (&mut Buffers, &mut Known),
        frame: &'a Frame,
        (camera, height): (&Camera, u32),
    ) -> Vec<PreparedStrands<'a>> {
        self.arrays.begin();
        let software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        let mut prepared = Vec::with_capacity(frame.strands.len());
        for strands in &frame.strands {
            let order = self.arrays.order(strands);
            let bounds = known.bounds(&strands.points);
            if order.is_empty() || !bounds[0].cmple(bounds[1]).all() {
                continue;
            }
            let Some(buffer) = buffers.get(device, queue, &order) else { continue };
            let Some(points) = self.arrays.points(device, queue, strands) else { continue };
            let seen = (order.len(), bounds);
            let sight = StrandSight::new(strands, seen, (camera, height), software);
            let count = order.len() as u32;
            let order = buffer;
            prepared.push(PreparedStrands {
                strands,
                points,
                order,
                count,
                bounds,
                sight,
                offset: 0,
            });
        }
        prepared
    }

    /// Brings the looks' numbers to the GPU and finds code for them; says how many bytes that
    /// took.
    pub fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        prepared: &mut [PreparedStrands],
        lights: LightKinds,
    ) -> u64 {
        self.uniforms.clear();
        for one in prepared {
            let uniform = StrandUniform::new(one.strands, &one.sight);
            one.offset = self.uniforms.push(&uniform);
            self.ensure(device, StrandKind::new(&one.strands.look, one.sight.wide, lights));
        }
        self.uniforms.upload(device, queue)
    }

    fn ensure(&mut self, device: &wgpu::Device, kind: StrandKind) {
        let (module, layout) = (&self.ribbons, &self.layout);
        self.pipelines.entry(kind).or_insert_with(|| {
            pipeline(
                device,
                &PipelineParts {
                    label: "strands",
                    module,
                    layout,
                    buffers: &[Some(order_buffer())],
                    topology: wgpu::PrimitiveTopology::TriangleStrip,
                    compare: wgpu::CompareFunction::Greater,
                    writes_depth: true,
                    blends: false,
                    alpha_to_coverage: self.by_alpha,
                    constants: &kind.constants(),
                },
            )
        });
    }

    /// Draws; the globals are bound.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass,
        prepared: &[PreparedStrands],
        lights: LightKinds,
    ) {
        let Some(uniforms) = self.uniforms.group() else { return };
        for one in prepared {
            let kind = StrandKind::new(&one.strands.look, one.sight.wide, lights);
            let Some(pipeline) = self.pipelines.get(&kind) else { continue };
            pass.set_pipeline(pipeline);
            pass.set_bind_group(1, uniforms, &[one.offset]);
            pass.set_bind_group(2, &one.points, &[]);
            pass.set_vertex_buffer(0, one.order.slice(..));
            pass.draw(0..2 * (one.sight.steps + 1), 0..one.sight.drawn);
        }
    }
}

/// The array of [`PreparedStrands::order`].
pub(crate) fn order_buffer() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Uint32x4];
    wgpu::VertexBufferLayout {
        array_stride: size_of::<[u32; 4]>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &ATTRIBUTES,
    }
}
