//! What every pass knows: the eye, the lights, the backdrop.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};

use crate::camera::Camera;
use crate::color::linear;
use crate::color_map;
use crate::frame::{Backdrop, Frame, Light, LightKind};
use crate::passes::shadow::{MAX_SHADOW_LAYERS, ShadowPlan};
use crate::passes::veil::VeilPlan;

/// The most lights in a picture; of more, the first ones shine.
pub const MAX_LIGHTS: usize = 8;

/// Mirrors `Globals` in shaders/common.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Globals {
    clip_from_world: Mat4,
    eye: Vec4,
    viewport: Vec4,
    ambient: Vec4,
    sky_top: Vec4,
    sky_horizon: Vec4,
    sky_ground: Vec4,
    right: Vec4,
    up: Vec4,
    forward: Vec4,
    lights: [LightUniform; MAX_LIGHTS],
    shadow_from_world: [Mat4; MAX_SHADOW_LAYERS],
    shadow_texel: [Vec4; MAX_SHADOW_LAYERS],
    veil_from_world: Mat4,
    veil_depth: Vec4,
    veil_ends: Vec4,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct LightUniform {
    place: Vec4,
    diffuse: Vec4,
    specular: Vec4,
}

impl Globals {
    /// Of a frame as a camera sees it, with its shadows and its veil of hair.
    pub fn new(
        frame: &Frame,
        camera: &Camera,
        size: [u32; 2],
        (shadows, veil): (&ShadowPlan, Option<&VeilPlan>),
    ) -> Self {
        let [width, height] = size.map(|side| side as f32);
        let aspect = width / height;
        let half = (0.5 * camera.fov_y).tan();
        let mut globals = Self {
            clip_from_world: camera.projection_from_world(aspect),
            eye: camera.eye.extend((camera.target - camera.eye).length()),
            viewport: Vec4::new(width, height, 1.0 / width, 1.0 / height),
            right: (camera.right() * half * aspect).extend(0.0),
            up: (camera.up_in_picture() * half).extend(0.0),
            forward: camera.forward().extend(0.0),
            ..Zeroable::zeroed()
        };
        globals.set_backdrop(&frame.backdrop);
        globals.sky_ground.w = 1.0 / shadows.side as f32;
        let lights = &frame.lights[..frame.lights.len().min(MAX_LIGHTS)];
        let mut ambient = Vec3::ZERO;
        for (i, light) in lights.iter().enumerate() {
            ambient += linear(light.ambient);
            globals.lights[i] = LightUniform::new(light);
        }
        globals.ambient = ambient.extend(0.0);
        for (i, view) in shadows.layers.iter().enumerate() {
            globals.shadow_from_world[i] = view.clip_from_world;
            globals.shadow_texel[i].x = view.texel;
        }
        if let Some(veil) = veil {
            globals.veil_from_world = veil.view.clip_from_world;
            globals.veil_depth = veil.depth;
            globals.veil_ends = veil.ends;
        }
        globals
    }

    fn set_backdrop(&mut self, backdrop: &Backdrop) {
        match *backdrop {
            Backdrop::Plain(color) => self.sky_horizon = linear(color).extend(0.0),
            Backdrop::Sky { top, horizon, ground, .. } => {
                self.sky_top = linear(top).extend(1.0);
                self.sky_horizon = linear(horizon).extend(0.0);
                self.sky_ground = linear(ground).extend(0.0);
            }
        }
    }
}

impl LightUniform {
    fn new(light: &Light) -> Self {
        let (place, falloff) = match light.kind {
            LightKind::Sun { direction } => {
                ((-direction).try_normalize().unwrap_or(Vec3::Y).extend(0.0), 0.0)
            }
            LightKind::Point { position, half_distance } => {
                let half = if half_distance > 0.0 { half_distance } else { f32::EPSILON };
                (position.extend(1.0), 1.0 / (half * half))
            }
        };
        Self {
            place,
            diffuse: linear(light.diffuse).extend(falloff),
            specular: linear(light.specular).extend(0.0),
        }
    }
}

/// The group that is bound in all passes of the picture.
#[derive(Debug)]
pub(crate) struct GlobalsBinding {
    /// Its layout.
    pub layout: wgpu::BindGroupLayout,
    buffer: wgpu::Buffer,
    written: Option<Globals>,
    shadow_sampler: wgpu::Sampler,
    color_maps: wgpu::TextureView,
    color_map_sampler: wgpu::Sampler,
    color_map_bytes: Option<wgpu::Texture>,
    veil_sampler: wgpu::Sampler,
}

impl GlobalsBinding {
    /// Nothing written yet.
    pub fn new(device: &wgpu::Device) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("globals"),
            size: size_of::<Globals>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let texture = color_map_texture(device);
        Self {
            layout: layout(device),
            buffer,
            written: None,
            shadow_sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("shadow"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                compare: Some(wgpu::CompareFunction::LessEqual),
                ..Default::default()
            }),
            color_maps: texture.create_view(&Default::default()),
            color_map_sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("colour map"),
                mag_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            color_map_bytes: Some(texture),
            veil_sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("veil"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
        }
    }

    /// Brings the globals to the GPU and says how many bytes that took.
    pub fn upload(&mut self, queue: &wgpu::Queue, globals: &Globals) -> u64 {
        let mut bytes = 0;
        if let Some(texture) = self.color_map_bytes.take() {
            bytes += write_color_maps(queue, &texture);
        }
        let same = |old: &Globals| bytemuck::bytes_of(old) == bytemuck::bytes_of(globals);
        if !self.written.as_ref().is_some_and(same) {
            queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(globals));
            self.written = Some(*globals);
            bytes += size_of::<Globals>() as u64;
        }
        bytes
    }

    /// The group with these shadows and this veil.
    pub fn group(
        &self,
        device: &wgpu::Device,
        shadows: &wgpu::TextureView,
        [front, layers]: [&wgpu::TextureView; 2],
    ) -> wgpu::BindGroup {
        let resources = [
            self.buffer.as_entire_binding(),
            wgpu::BindingResource::TextureView(shadows),
            wgpu::BindingResource::Sampler(&self.shadow_sampler),
            wgpu::BindingResource::TextureView(&self.color_maps),
            wgpu::BindingResource::Sampler(&self.color_map_sampler),
            wgpu::BindingResource::TextureView(front),
            wgpu::BindingResource::TextureView(layers),
            wgpu::BindingResource::Sampler(&self.veil_sampler),
        ];
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("globals"),
            layout: &self.layout,
            entries: &entries,
        })
    }
}

fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let texture = |sample_type, view_dimension| wgpu::BindingType::Texture {
        sample_type,
        view_dimension,
        multisampled: false,
    };
    let filterable = wgpu::TextureSampleType::Float { filterable: true };
    let picture = texture(filterable, wgpu::TextureViewDimension::D2);
    let types = [
        wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        texture(wgpu::TextureSampleType::Depth, wgpu::TextureViewDimension::D2Array),
        wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison),
        picture,
        wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
        picture,
        picture,
        wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
    ];
    let entries: Vec<_> = (0..)
        .zip(types)
        .map(|(binding, ty)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty,
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("globals"),
        entries: &entries,
    })
}

/// A row for each map.
fn color_map_texture(device: &wgpu::Device) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("colour maps"),
        size: color_map_size(),
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

fn color_map_size() -> wgpu::Extent3d {
    wgpu::Extent3d {
        width: color_map::STEPS as u32,
        height: color_map::ALL.len() as u32,
        depth_or_array_layers: 1,
    }
}

fn write_color_maps(queue: &wgpu::Queue, texture: &wgpu::Texture) -> u64 {
    let last = (color_map::STEPS - 1) as f32;
    let bytes: Vec<u8> = color_map::ALL
        .iter()
        .flat_map(|map| (0..color_map::STEPS).map(move |i| map.color(i as f32 / last)))
        .flat_map(|[r, g, b]| [r, g, b, 1.0].map(|c| (c * 255.0).round() as u8))
        .collect();
    queue.write_texture(
        texture.as_image_copy(),
        &bytes,
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * color_map::STEPS as u32),
            rows_per_image: None,
        },
        color_map_size(),
    );
    bytes.len() as u64
}
