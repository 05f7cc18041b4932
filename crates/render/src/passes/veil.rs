//! The veil of hair before a light: deep opacity maps (Yuksel and Keyser, 2008). Hair is too fine
//! for a map of depths; what counts is how much of it there is before a place.

use bytemuck::{Pod, Zeroable};
use glam::camera::rh;
use glam::{Mat4, Vec3, Vec4};

use crate::frame::{Light, LightKind};
use crate::passes::globals::MAX_LIGHTS;
use crate::passes::pipeline::{module, pipeline_layout};
use crate::passes::shadow_view::{self, ShadowView};
use crate::passes::strand_arrays::{texels_group, texels_layout};
use crate::passes::strands::{PreparedStrands, order_buffer};
use crate::uniforms::{Uniforms, dynamic_layout};

/// Texels in a side of the maps, with a graphics card and without.
const SIDES: [u32; 2] = [1024, 512];

/// Strands in the maps, with a graphics card and without; of more, those that are left stand for
/// all.
const MOST: [u32; 2] = [20_000, 2_500];

/// Ends of the layers as shares of the hair's depth: finest where light enters.
const ENDS: Vec4 = Vec4::new(0.04, 0.12, 0.3, 1.0);

/// Sums of what covers a place; half floats blend everywhere.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// Which light is veiled, and how it looks at the hair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VeilPlan {
    /// Number of the light.
    pub light: usize,
    /// Its view of the hair.
    pub view: ShadowView,
    /// d = depth·(x, 1) goes from 0 to 1 through the hair.
    pub depth: Vec4,
    /// Where layers end.
    pub ends: Vec4,
    /// Way to the sun, or place of the lamp with w = 1.
    source: Vec4,
}

impl VeilPlan {
    /// The first light that throws shadows is veiled; none if there is no hair before it.
    pub fn new(lights: &[Light], strands: &[PreparedStrands], software: bool) -> Option<Self> {
        let side = SIDES[usize::from(software)];
        let casting = strands.iter().filter(|one| one.strands.look.casts_shadow);
        let bounds = shadow_view::bounds_of(casting.flat_map(|one| one.bounds));
        if !bounds[0].cmple(bounds[1]).all() {
            return None;
        }
        let (index, light) =
            lights.iter().take(MAX_LIGHTS).enumerate().find(|(_, light)| light.shadows)?;
        let (view, ahead, source) = match light.kind {
            LightKind::Sun { direction } => {
                let ahead = direction.try_normalize().unwrap_or(Vec3::NEG_Y);
                (shadow_view::sun(direction, bounds, side), ahead, (-ahead).extend(0.0))
            }
            LightKind::Point { position, .. } => {
                let (view, ahead) = lamp(position, bounds, side)?;
                (view, ahead, position.extend(1.0))
            }
        };
        let ends = shadow_view::corners(bounds).map(|corner| corner.dot(ahead));
        let [low, high] = ends
            .iter()
            .fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], &d| [low.min(d), high.max(d)]);
        let scale = 1.0 / (high - low).max(1e-6);
        let depth = (ahead * scale).extend(-low * scale);
        Some(Self { light: index, view, depth, ends: ENDS, source })
    }
}

/// A lamp's view of a box, and the way it looks; none from within.
fn lamp(position: Vec3, bounds: [Vec3; 2], side: u32) -> Option<(ShadowView, Vec3)> {
    let [low, high] = bounds;
    let (middle, reach) = (0.5 * (low + high), 0.5 * (high - low).length());
    let distance = (middle - position).length();
    if !(distance > 1.2 * reach) {
        return None;
    }
    let ahead = (middle - position) / distance;
    let angle = 2.0 * (reach / distance).asin() * 1.02;
    let near = (distance - reach).max(1e-3 * distance);
    let projection = rh::proj::directx::perspective(angle, 1.0, near, distance + reach);
    let up = if ahead.y.abs() > 0.99 { Vec3::Z } else { Vec3::Y };
    let clip_from_world = projection * rh::view::look_to_mat4(position, ahead, up);
    let texel = 2.0 * (0.5 * angle).tan() / side as f32;
    Some((ShadowView { clip_from_world, texel }, ahead))
}

/// Mirrors `Veil` in shaders/veil.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct VeilUniform {
    clip_from_world: Mat4,
    depth: Vec4,
    ends: Vec4,
    light: Vec4,
    texel: Vec4,
}

/// Draws the maps.
#[derive(Debug)]
pub(crate) struct VeilPass {
    first: wgpu::RenderPipeline,
    layers: wgpu::RenderPipeline,
    uniforms: Uniforms<VeilUniform>,
    texels: wgpu::BindGroupLayout,
    maps: Maps,
    software: bool,
}

#[derive(Debug)]
struct Maps {
    side: u32,
    views: [wgpu::TextureView; 2],
    /// For the second pass to read what the first wrote.
    front: wgpu::BindGroup,
}

impl VeilPass {
    /// With the layouts of a look's numbers and of points.
    pub fn new(
        device: &wgpu::Device,
        [fibre, points]: [&wgpu::BindGroupLayout; 2],
        software: bool,
    ) -> Self {
        let group = dynamic_layout(device, "veil");
        let texels = texels_layout(device, "veil");
        let files = [include_str!("../shaders/strand.wgsl"), include_str!("../shaders/veil.wgsl")];
        let module = module(device, "veil", &files);
        let make = |entry: &str, groups: &[&wgpu::BindGroupLayout], operation| {
            let component = wgpu::BlendComponent {
                src_factor: wgpu::BlendFactor::One,
                dst_factor: wgpu::BlendFactor::One,
                operation,
            };
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("veil"),
                layout: Some(&pipeline_layout(device, "veil", groups)),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("vertex"),
                    compilation_options: Default::default(),
                    buffers: &[Some(order_buffer())],
                },
                primitive: wgpu::PrimitiveState {
                    topology: wgpu::PrimitiveTopology::TriangleStrip,
                    ..Default::default()
                },
                depth_stencil: None,
                multisample: Default::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some(entry),
                    compilation_options: Default::default(),
                    targets: &[Some(wgpu::ColorTargetState {
                        format: FORMAT,
                        blend: Some(wgpu::BlendState { color: component, alpha: component }),
                        write_mask: wgpu::ColorWrites::ALL,
                    })],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        Self {
            first: make("first", &[&group, fibre, points], wgpu::BlendOperation::Min),
            layers: make("layers", &[&group, fibre, points, &texels], wgpu::BlendOperation::Add),
            uniforms: Uniforms::new(device, group),
            maps: Maps::new(device, &texels, 1),
            texels,
            software,
        }
    }

    /// Depth of the first hair, and sums over layers behind it.
    pub fn maps(&self) -> [&wgpu::TextureView; 2] {
        let [front, layers] = &self.maps.views;
        [front, layers]
    }

    /// Makes room for a plan and brings it to the GPU; says how many bytes that took.
    pub fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        plan: Option<&VeilPlan>,
        strands: &[PreparedStrands],
    ) -> u64 {
        let Some(plan) = plan else { return 0 };
        let side = SIDES[usize::from(self.software)];
        if self.maps.side != side {
            self.maps = Maps::new(device, &self.texels, side);
        }
        self.uniforms.clear();
        for one in strands {
            let thicker = one.count as f32 / self.drawn(one) as f32;
            self.uniforms.push(&VeilUniform {
                clip_from_world: plan.view.clip_from_world,
                depth: plan.depth,
                ends: plan.ends,
                light: plan.source,
                texel: Vec4::new(plan.view.texel, thicker, one.sight.veil_steps as f32, 0.0),
            });
        }
        self.uniforms.upload(device, queue)
    }

    /// Draws the maps of a plan.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        plan: Option<&VeilPlan>,
        strands: &[PreparedStrands],
        looks: &wgpu::BindGroup,
    ) {
        let (Some(_), Some(group)) = (plan, self.uniforms.group()) else { return };
        let passes = [(&self.first, wgpu::Color::WHITE), (&self.layers, wgpu::Color::TRANSPARENT)];
        for ((pipeline, clear), (view, second)) in
            passes.into_iter().zip(self.maps.views.iter().zip([false, true]))
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("veil"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(clear),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            pass.set_pipeline(pipeline);
            if second {
                pass.set_bind_group(3, &self.maps.front, &[]);
            }
            for (i, one) in strands.iter().enumerate() {
                if !one.strands.look.casts_shadow {
                    continue;
                }
                pass.set_bind_group(0, group, &[self.uniforms.offset(i)]);
                pass.set_bind_group(1, looks, &[one.offset]);
                pass.set_bind_group(2, &one.points, &[]);
                pass.set_vertex_buffer(0, one.order.slice(..));
                pass.draw(0..2 * (one.sight.veil_steps + 1), 0..self.drawn(one));
            }
        }
    }

    fn drawn(&self, one: &PreparedStrands) -> u32 {
        one.count.min(MOST[usize::from(self.software)])
    }
}

impl Maps {
    fn new(device: &wgpu::Device, texels: &wgpu::BindGroupLayout, side: u32) -> Self {
        let views = [(); 2].map(|()| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("veil"),
                size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: FORMAT,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        });
        let front = texels_group(device, texels, &views[0]);
        Self { side, views, front }
    }
}
