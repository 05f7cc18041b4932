//! Lines and points: quads of a size in pixels, one instance each.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};

use crate::buffers::Buffers;
use crate::color::channel;
use crate::frame::{Fill, Frame};
use crate::passes::pipeline::{PipelineParts, module, pipeline, pipeline_layout};
use crate::passes::prepared::{Known, Prepared};
use crate::uniforms::{Uniforms, dynamic_layout};

/// How much nearer lines are drawn than they are, so that a wire is not lost in its own face.
const LINES_NEARER: f32 = 1.001;

/// How much nearer points are drawn than they are; they lie upon lines.
const POINTS_NEARER: f32 = 1.002;

/// Mirrors `Stroke` in shaders/stroke.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct StrokeUniform {
    world_from_local: Mat4,
    color: Vec4,
    size: Vec4,
}

/// Draws lines and points.
#[derive(Debug)]
pub(crate) struct StrokePass {
    lines: [wgpu::RenderPipeline; 2],
    points: [wgpu::RenderPipeline; 2],
    uniforms: Uniforms<StrokeUniform>,
    strokes: Vec<Stroke>,
}

#[derive(Debug)]
struct Stroke {
    points: bool,
    on_top: bool,
    places: wgpu::Buffer,
    /// None: one for all, among the uniforms.
    colors: Option<wgpu::Buffer>,
    count: u32,
    offset: u32,
}

/// Lines or points before they are on the GPU.
struct Batch<'a, T> {
    places: &'a Arc<[T]>,
    colors: &'a Arc<[[u8; 4]]>,
    size: f32,
    on_top: bool,
    points: bool,
    place: Mat4,
}

impl StrokePass {
    /// With the layout of the globals.
    pub fn new(device: &wgpu::Device, globals: &wgpu::BindGroupLayout) -> Self {
        let group = dynamic_layout(device, "stroke");
        let layout = pipeline_layout(device, "stroke", &[globals, &group]);
        let make = |label: &str, code, places: wgpu::VertexBufferLayout, colors| {
            let common = include_str!("../shaders/common.wgsl");
            let stroke = include_str!("../shaders/stroke.wgsl");
            let module = module(device, label, &[common, stroke, code]);
            [false, true].map(|on_top| {
                pipeline(
                    device,
                    &PipelineParts {
                        label,
                        module: &module,
                        layout: &layout,
                        buffers: &[Some(places.clone()), Some(color_buffer(colors))],
                        topology: wgpu::PrimitiveTopology::TriangleStrip,
                        compare: if on_top {
                            wgpu::CompareFunction::Always
                        } else {
                            wgpu::CompareFunction::Greater
                        },
                        writes_depth: !on_top,
                        blends: true,
                        alpha_to_coverage: false,
                        constants: &[],
                    },
                )
            })
        };
        let segments = wgpu::VertexBufferLayout {
            array_stride: size_of::<[Vec3; 2]>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3],
        };
        let centers = wgpu::VertexBufferLayout {
            array_stride: size_of::<Vec3>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &wgpu::vertex_attr_array![0 => Float32x3],
        };
        let after_segments = &wgpu::vertex_attr_array![2 => Unorm8x4];
        let after_centers = &wgpu::vertex_attr_array![1 => Unorm8x4];
        Self {
            lines: make("lines", include_str!("../shaders/lines.wgsl"), segments, after_segments),
            points: make("points", include_str!("../shaders/points.wgsl"), centers, after_centers),
            uniforms: Uniforms::new(device, group),
            strokes: Vec::new(),
        }
    }

    /// Brings a frame's lines and points and its surfaces' edges to the GPU; says how many bytes
    /// of uniforms that took.
    pub fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        (buffers, known): (&mut Buffers, &mut Known),
        frame: &Frame,
        surfaces: &[Prepared],
    ) -> u64 {
        self.strokes.clear();
        self.uniforms.clear();
        let mut get = |batch: &Batch<_>| self.add(device, queue, buffers, batch);
        for prepared in surfaces {
            let surface = prepared.surface;
            if !matches!(surface.look.fill, Fill::Edges | Fill::FacesAndEdges) {
                continue;
            }
            let (segments, colors) = known.wires(surface);
            let over_faces = surface.look.fill == Fill::FacesAndEdges;
            let own = edge_color(surface.look.front, over_faces);
            get(&Batch {
                places: &segments,
                colors: &colors.filter(|_| !over_faces).unwrap_or_else(|| Arc::new([own])),
                size: EDGE_WIDTH,
                on_top: false,
                points: false,
                place: surface.world_from_local,
            });
        }
        for lines in &frame.lines {
            get(&Batch {
                places: &lines.segments,
                colors: &lines.colors,
                size: lines.width,
                on_top: lines.on_top,
                points: false,
                place: Mat4::IDENTITY,
            });
        }
        for points in &frame.points {
            self.add(
                device,
                queue,
                buffers,
                &Batch {
                    places: &points.positions,
                    colors: &points.colors,
                    size: points.size,
                    on_top: points.on_top,
                    points: true,
                    place: Mat4::IDENTITY,
                },
            );
        }
        self.uniforms.upload(device, queue)
    }

    fn add<T: Pod + Send + Sync>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        buffers: &mut Buffers,
        batch: &Batch<T>,
    ) {
        let Some(&first) = batch.colors.first() else { return };
        if !(batch.size > 0.0) {
            return;
        }
        let Some(places) = buffers.get(device, queue, batch.places) else { return };
        let each = batch.colors.len() == batch.places.len() && batch.places.len() > 1;
        let colors = if each { buffers.get(device, queue, batch.colors) } else { None };
        let nearer = if batch.points { POINTS_NEARER } else { LINES_NEARER };
        let [r, g, b, a] = first.map(|byte| f32::from(byte) / 255.0);
        let own = f32::from(u8::from(colors.is_some()));
        let offset = self.uniforms.push(&StrokeUniform {
            world_from_local: batch.place,
            color: Vec4::new(channel(r), channel(g), channel(b), a),
            size: Vec4::new(batch.size.min(MOST_SIZE), own, nearer, 0.0),
        });
        self.strokes.push(Stroke {
            points: batch.points,
            on_top: batch.on_top,
            places,
            colors,
            count: batch.places.len() as u32,
            offset,
        });
    }

    /// Draws; the globals are bound. What is on top comes last.
    pub fn draw(&self, pass: &mut wgpu::RenderPass) {
        let Some(uniforms) = self.uniforms.group() else { return };
        for on_top in [false, true] {
            for stroke in self.strokes.iter().filter(|stroke| stroke.on_top == on_top) {
                let pipelines = if stroke.points { &self.points } else { &self.lines };
                pass.set_pipeline(&pipelines[usize::from(on_top)]);
                pass.set_bind_group(1, uniforms, &[stroke.offset]);
                pass.set_vertex_buffer(0, stroke.places.slice(..));
                // Places have more bytes than colours and may stand in for them unread.
                let colors = stroke.colors.as_ref().unwrap_or(&stroke.places);
                pass.set_vertex_buffer(1, colors.slice(..));
                pass.draw(0..4, 0..stroke.count);
            }
        }
    }
}

/// Width of edges. [pixels]
const EDGE_WIDTH: f32 = 1.0;

/// Nothing wider than this fits in a picture. [pixels]
const MOST_SIZE: f32 = 1e4;

/// Edges alone have the surface's colour; over faces they are a shade of it.
fn edge_color(front: Vec3, over_faces: bool) -> [u8; 4] {
    let (share, alpha) = if over_faces { (0.25, 150) } else { (1.0, 255) };
    let [r, g, b] = (front * share).to_array().map(|c| (c.clamp(0.0, 1.0) * 255.0) as u8);
    [r, g, b, alpha]
}

fn color_buffer(attributes: &[wgpu::VertexAttribute]) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout {
        array_stride: 4,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes,
    }
}
