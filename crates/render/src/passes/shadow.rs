//! Shadows: depth as the lights see it.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3};

use crate::frame::{Light, LightKind};
use crate::passes::globals::MAX_LIGHTS;
use crate::passes::pipeline::{module, pipeline_layout};
use crate::passes::prepared::Prepared;
use crate::passes::shadow_view::{self, ShadowView};
use crate::uniforms::{Uniforms, dynamic_layout};

/// Layers of shadows in a picture. A sun takes one, a lamp six, in the order of the lights; those
/// for which none are left shine without shadows.
pub const MAX_SHADOW_LAYERS: usize = 24;

/// Texels in a side of a layer when only suns throw shadows.
const SUN_SIDE: u32 = 2048;

/// Texels in a side of a layer when a lamp does: six layers of it cost more.
const LAMP_SIDE: u32 = 1024;

/// The same when there are more than two lamps.
const MANY_LAMPS_SIDE: u32 = 512;

/// Format of the layers.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Which light has which layers.
#[derive(Clone, Debug)]
pub(crate) struct ShadowPlan {
    /// Texels in a side of a layer.
    pub side: u32,
    /// The layers, in the order of the lights that have them: `first_layer` in shaders/light.wgsl
    /// counts on it.
    pub layers: Vec<ShadowView>,
    /// Whether each light has layers.
    pub shadowed: [bool; MAX_LIGHTS],
}

impl ShadowPlan {
    /// Shares out layers over lights for the surfaces that throw shadows.
    pub fn new(lights: &[Light], surfaces: &[Prepared], software: bool) -> Self {
        let lights = &lights[..lights.len().min(MAX_LIGHTS)];
        let is_lamp = |light: &Light| matches!(light.kind, LightKind::Point { .. });
        let lamps = lights.iter().filter(|light| light.shadows && is_lamp(light)).count();
        let side = match lamps {
            // A large map is dear without a graphics card.
            0 if software => LAMP_SIDE,
            0 => SUN_SIDE,
            1 | 2 => LAMP_SIDE,
            _ => MANY_LAMPS_SIDE,
        };
        let mut plan = Self { side, layers: Vec::new(), shadowed: [false; MAX_LIGHTS] };
        let Some(bounds) = caster_bounds(surfaces) else { return plan };
        for (i, light) in lights.iter().enumerate().filter(|(_, light)| light.shadows) {
            let first = plan.layers.len();
            match light.kind {
                LightKind::Sun { direction } if first < MAX_SHADOW_LAYERS => {
                    plan.layers.push(shadow_view::sun(direction, bounds, side));
                }
                LightKind::Point { position, .. }
                    if first + 6 <= MAX_SHADOW_LAYERS && position.is_finite() =>
                {
                    plan.layers.extend(shadow_view::lamp(position, bounds, side));
                }
                _ => continue,
            }
            plan.shadowed[i] = true;
        }
        plan
    }
}

/// Box about all that throws shadows; a floor that fades away has no end and does not count.
fn caster_bounds(surfaces: &[Prepared]) -> Option<[Vec3; 2]> {
    let boxes = surfaces
        .iter()
        .filter(|prepared| prepared.surface.look.casts_shadow && !prepared.surface.look.fades)
        .flat_map(|prepared| {
            shadow_view::moved(prepared.bounds, &prepared.surface.world_from_local)
        });
    let [low, high] = shadow_view::bounds_of(boxes);
    low.cmple(high).all().then_some([low, high])
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct LayerUniform {
    clip_from_world: Mat4,
}

/// Draws the layers.
#[derive(Debug)]
pub(crate) struct ShadowPass {
    pipeline: wgpu::RenderPipeline,
    uniforms: Uniforms<LayerUniform>,
    maps: Maps,
}

#[derive(Debug)]
struct Maps {
    side: u32,
    layers: Vec<wgpu::TextureView>,
    all: wgpu::TextureView,
}

impl ShadowPass {
    /// With the layout of a surface's numbers.
    pub fn new(device: &wgpu::Device, surface: &wgpu::BindGroupLayout) -> Self {
        let layer = dynamic_layout(device, "shadow layer");
        let layout = pipeline_layout(device, "shadow", &[&layer, surface]);
        let module = module(device, "shadow", &[include_str!("../shaders/shadow.wgsl")]);
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("shadow"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[Some(wgpu::VertexBufferLayout {
                    array_stride: size_of::<Vec3>() as u64,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes: &wgpu::vertex_attr_array![0 => Float32x3],
                })],
            },
            primitive: Default::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: FORMAT,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Less),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: Default::default(),
            fragment: None,
            multiview_mask: None,
            cache: None,
        });
        let uniforms = Uniforms::new(device, layer);
        Self { pipeline, uniforms, maps: Maps::new(device, 1, 1) }
    }

    /// All layers, for surfaces to look up.
    pub fn maps(&self) -> &wgpu::TextureView {
        &self.maps.all
    }

    /// Makes room for a plan and brings it to the GPU; says how many bytes that took.
    pub fn upload(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, plan: &ShadowPlan) -> u64 {
        if plan.layers.is_empty() {
            return 0;
        }
        if self.maps.side != plan.side || self.maps.layers.len() < plan.layers.len() {
            self.maps = Maps::new(device, plan.side, plan.layers.len() as u32);
        }
        self.uniforms.clear();
        for view in &plan.layers {
            self.uniforms.push(&LayerUniform { clip_from_world: view.clip_from_world });
        }
        self.uniforms.upload(device, queue)
    }

    /// Draws the plan's layers.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        plan: &ShadowPlan,
        surfaces: &[Prepared],
        surface_uniforms: &wgpu::BindGroup,
    ) {
        let Some(group) = self.uniforms.group() else { return };
        for (i, view) in self.maps.layers.iter().take(plan.layers.len()).enumerate() {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("shadow"),
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view,
                    depth_ops: Some(wgpu::Operations {
                        load: wgpu::LoadOp::Clear(1.0),
                        store: wgpu::StoreOp::Store,
                    }),
                    stencil_ops: None,
                }),
                ..Default::default()
            });
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, group, &[self.uniforms.offset(i)]);
            for prepared in surfaces.iter().filter(|p| p.surface.look.casts_shadow) {
                pass.set_bind_group(1, surface_uniforms, &[prepared.offset]);
                pass.set_vertex_buffer(0, prepared.positions.slice(..));
                pass.set_index_buffer(prepared.indices.slice(..), wgpu::IndexFormat::Uint32);
                pass.draw_indexed(0..prepared.count, 0, 0..1);
            }
        }
    }
}

impl Maps {
    fn new(device: &wgpu::Device, side: u32, count: u32) -> Self {
        let side = side.min(device.limits().max_texture_dimension_2d);
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadows"),
            size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: count },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = |first, count, dimension| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(dimension),
                base_array_layer: first,
                array_layer_count: Some(count),
                ..Default::default()
            })
        };
        Self {
            side,
            layers: (0..count).map(|i| view(i, 1, wgpu::TextureViewDimension::D2)).collect(),
            all: view(0, count, wgpu::TextureViewDimension::D2Array),
        }
    }
}
