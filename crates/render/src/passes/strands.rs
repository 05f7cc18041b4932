//! Strands: curves that are expanded on the GPU, one instance each.

use std::collections::HashMap;

use glam::Vec3;

use crate::buffers::Buffers;
use crate::camera::Camera;
use crate::frame::{Frame, StrandDisplay, Strands};
use crate::passes::pipeline::{PipelineParts, module, pipeline, pipeline_layout};
use crate::passes::prepared::Known;
use crate::passes::strand_arrays::{self, Orders, Texels, Written};
use crate::passes::strand_ground;
use crate::passes::strand_uniform::{StrandKind, StrandSight, StrandUniform, layers};
use crate::passes::surface_uniform::LightKinds;
use crate::uniforms::{Uniforms, dynamic_layout};

/// Strands that can be drawn.
#[derive(Debug)]
pub(crate) struct PreparedStrands<'a> {
    /// What they show.
    pub strands: &'a Strands,
    /// Their points.
    pub points: Written,
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
    /// What they are drawn as; shells need what they grow on.
    display: StrandDisplay,
    shells: Option<Shells>,
}

/// What shells are drawn of.
#[derive(Debug)]
struct Shells {
    ground: Written,
    /// Corners of triangles, and how many.
    corners: (wgpu::Buffer, u32),
    /// Ends of edges, and how many.
    edges: (wgpu::Buffer, u32),
}

/// Steps up a fin. Mirrored in shaders/fins.wgsl.
const FIN_STEPS: u32 = 8;

/// Draws strands.
#[derive(Debug)]
pub(crate) struct StrandPass {
    texels: Texels,
    orders: Orders,
    uniforms: Uniforms<StrandUniform>,
    /// Without a ground and with one.
    layouts: [wgpu::PipelineLayout; 2],
    ribbons: wgpu::ShaderModule,
    strips: wgpu::ShaderModule,
    shells: wgpu::ShaderModule,
    fins: wgpu::ShaderModule,
    pipelines: HashMap<StrandKind, wgpu::RenderPipeline>,
    /// Whether alpha chooses samples, where code cannot.
    by_alpha: bool,
}

impl StrandPass {
    /// With the layout of the globals.
    pub fn new(device: &wgpu::Device, globals: &wgpu::BindGroupLayout) -> Self {
        let texels = Texels::new(device);
        let group = dynamic_layout(device, "strands");
        let groups = [globals, &group, texels.layout(), texels.layout()];
        let layouts = [3, 4].map(|count| pipeline_layout(device, "strands", &groups[..count]));
        let by_alpha = device.adapter_info().backend == wgpu::Backend::Gl;
        let cover = if by_alpha {
            include_str!("../shaders/cover_alpha.wgsl")
        } else {
            include_str!("../shaders/cover_mask.wgsl")
        };
        let ground = include_str!("../shaders/ground.wgsl");
        let make = |label: &str, code: [&str; 2]| {
            let [before, code] = code;
            let files = [
                include_str!("../shaders/common.wgsl"),
                include_str!("../shaders/lights.wgsl"),
                include_str!("../shaders/strand.wgsl"),
                include_str!("../shaders/eye.wgsl"),
                include_str!("../shaders/hair.wgsl"),
                cover,
                before,
                code,
            ];
            module(device, label, &files)
        };
        Self {
            ribbons: make("ribbons", ["", include_str!("../shaders/ribbons.wgsl")]),
            strips: make("strips", ["", include_str!("../shaders/strips.wgsl")]),
            shells: make("shells", [ground, include_str!("../shaders/shells.wgsl")]),
            fins: make("fins", [ground, include_str!("../shaders/fins.wgsl")]),
            uniforms: Uniforms::new(device, group),
            pipelines: HashMap::new(),
            orders: Orders::default(),
            texels,
            layouts,
            by_alpha,
        }
    }

    /// Layouts of a look's numbers and of points.
    pub fn layouts(&self) -> [&wgpu::BindGroupLayout; 2] {
        [self.uniforms.layout(), self.texels.layout()]
    }

    /// The looks' numbers; none before the first upload.
    pub fn uniforms(&self) -> Option<&wgpu::BindGroup> {
        self.uniforms.group()
    }

    /// Bytes that the arrays of the last frame took.
    pub fn uploaded(&self) -> u64 {
        self.texels.uploaded()
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
        self.texels.begin();
        self.orders.begin();
        let software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        let mut prepared = Vec::with_capacity(frame.strands.len());
        for strands in &frame.strands {
            let order = self.orders.get(strands);
            let bounds = known.bounds(&strands.points);
            if order.is_empty() || !bounds[0].cmple(bounds[1]).all() {
                continue;
            }
            let Some(buffer) = buffers.get(device, queue, &order) else { continue };
            let texels = &mut self.texels;
            let Some(points) = strand_arrays::points(device, queue, texels, strands) else {
                continue;
            };
            let seen = (order.len(), bounds);
            let sight = StrandSight::new(strands, seen, (camera, height), software);
            let wanted = strands.look.display;
            let shells = (wanted == StrandDisplay::Shells)
                .then(|| self.shells(device, queue, (buffers, known), strands))
                .flatten();
            let display = match wanted {
                StrandDisplay::Shells if shells.is_none() => StrandDisplay::Ribbons,
                _ => wanted,
            };
            let count = order.len() as u32;
            let order = buffer;
            let offset = 0;
            prepared.push(PreparedStrands {
                strands,
                points,
                order,
                count,
                bounds,
                sight,
                offset,
                display,
                shells,
            });
        }
        prepared
    }

    fn shells(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        (buffers, known): (&mut Buffers, &mut Known),
        strands: &Strands,
    ) -> Option<Shells> {
        let ground = strand_ground::upload(device, queue, &mut self.texels, strands)?;
        let triangles = &strands.ground.as_ref()?.triangles;
        let edges = known.edges(triangles);
        Some(Shells {
            ground,
            corners: (buffers.get(device, queue, triangles)?, 3 * triangles.len() as u32),
            edges: (buffers.get(device, queue, &edges)?, edges.len() as u32),
        })
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
            let kind = one.kind(lights);
            self.ensure(device, kind);
            if one.shells.is_some() {
                self.ensure(device, kind.fins());
            }
        }
        self.uniforms.upload(device, queue)
    }

    fn ensure(&mut self, device: &wgpu::Device, kind: StrandKind) {
        let strip = wgpu::PrimitiveTopology::TriangleStrip;
        let list = wgpu::PrimitiveTopology::TriangleList;
        let [bare, grown] = &self.layouts;
        let (module, layout, topology, buffer) = match kind.display {
            StrandDisplay::Ribbons => (&self.ribbons, bare, strip, order_buffer()),
            StrandDisplay::Billboards | StrandDisplay::Cards => {
                (&self.strips, bare, strip, order_buffer())
            }
            StrandDisplay::Shells if kind.is_fins() => (&self.fins, grown, strip, edge_buffer()),
            StrandDisplay::Shells => (&self.shells, grown, list, corner_buffer()),
        };
        self.pipelines.entry(kind).or_insert_with(|| {
            pipeline(
                device,
                &PipelineParts {
                    label: "strands",
                    module,
                    layout,
                    buffers: &[Some(buffer)],
                    topology,
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
            let kind = one.kind(lights);
            let Some(pipeline) = self.pipelines.get(&kind) else { continue };
            pass.set_pipeline(pipeline);
            pass.set_bind_group(1, uniforms, &[one.offset]);
            pass.set_bind_group(2, &one.points, &[]);
            let Some(shells) = &one.shells else {
                pass.set_vertex_buffer(0, one.order.slice(..));
                pass.draw(0..2 * (one.sight.steps + 1), 0..one.sight.drawn);
                continue;
            };
            pass.set_bind_group(3, &shells.ground, &[]);
            pass.set_vertex_buffer(0, shells.corners.0.slice(..));
            pass.draw(0..shells.corners.1, 0..layers(&one.strands.look));
            let Some(fins) = self.pipelines.get(&kind.fins()) else { continue };
            pass.set_pipeline(fins);
            pass.set_vertex_buffer(0, shells.edges.0.slice(..));
            pass.draw(0..2 * (FIN_STEPS + 1), 0..shells.edges.1);
        }
    }
}

impl PreparedStrands<'_> {
    fn kind(&self, lights: LightKinds) -> StrandKind {
        StrandKind::new(&self.strands.look, self.display, self.sight.wide, lights)
    }
}

fn corner_buffer() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Uint32];
    wgpu::VertexBufferLayout {
        array_stride: size_of::<u32>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &ATTRIBUTES,
    }
}

fn edge_buffer() -> wgpu::VertexBufferLayout<'static> {
    const ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Uint32x2];
    wgpu::VertexBufferLayout {
        array_stride: size_of::<[u32; 2]>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &ATTRIBUTES,
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
