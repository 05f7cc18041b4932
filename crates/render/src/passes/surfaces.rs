//! Surfaces with their paint, in light and shadow.

use std::collections::HashMap;
use std::sync::Arc;

use crate::frame::{Fill, Paint, Surface};
use crate::image::Image;
use crate::passes::pipeline::{PipelineParts, module, pipeline, pipeline_layout};
use crate::passes::prepared::Prepared;
use crate::passes::surface_uniform::{Has, LightKinds, SurfaceKind, SurfaceUniform};
use crate::textures::{self, Textures, Use};
use crate::uniforms::{Uniforms, dynamic_layout};

/// Draws faces.
#[derive(Debug)]
pub(crate) struct SurfacePass {
    module: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
    pipelines: HashMap<SurfaceKind, wgpu::RenderPipeline>,
    uniforms: Uniforms<SurfaceUniform>,
    pictures: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    no_picture: wgpu::TextureView,
    no_pictures: wgpu::BindGroup,
}

/// A surface with the code and the pictures that draw it.
#[derive(Debug)]
pub(crate) struct Dressed {
    kind: SurfaceKind,
    /// None: no picture is asked for.
    pictures: Option<wgpu::BindGroup>,
}

impl SurfacePass {
    /// With the layout of the globals.
    pub fn new(device: &wgpu::Device, globals: &wgpu::BindGroupLayout) -> Self {
        let files = [
            include_str!("../shaders/common.wgsl"),
            include_str!("../shaders/lights.wgsl"),
            include_str!("../shaders/light.wgsl"),
            include_str!("../shaders/paint.wgsl"),
            include_str!("../shaders/surface.wgsl"),
        ];
        let surface = dynamic_layout(device, "surface");
        let pictures = pictures_layout(device);
        let sampler = sampler(device);
        let no_picture = textures::single(device);
        let no_pictures = group(device, &pictures, &sampler, [&no_picture, &no_picture]);
        Self {
            module: module(device, "surface", &files),
            layout: pipeline_layout(device, "surface", &[globals, &surface, &pictures]),
            pipelines: HashMap::new(),
            uniforms: Uniforms::new(device, surface),
            pictures,
            sampler,
            no_picture,
            no_pictures,
        }
    }

    /// Layout of a surface's numbers.
    pub fn surface_layout(&self) -> &wgpu::BindGroupLayout {
        self.uniforms.layout()
    }

    /// The surfaces' numbers; none before the first upload.
    pub fn uniforms(&self) -> Option<&wgpu::BindGroup> {
        self.uniforms.group()
    }

    /// Brings the surfaces' numbers to the GPU; says how many bytes that took.
    pub fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        surfaces: &mut [Prepared],
    ) -> u64 {
        self.uniforms.clear();
        for prepared in surfaces {
            let uniform = SurfaceUniform::new(prepared.surface, prepared.bounds);
            prepared.offset = self.uniforms.push(&uniform);
        }
        self.uniforms.upload(device, queue)
    }

    /// Finds code and pictures for the surfaces, in their order.
    pub fn dress(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        textures: &mut Textures,
        (surfaces, lights): (&[Prepared], LightKinds),
    ) -> Vec<Dressed> {
        surfaces
            .iter()
            .map(|prepared| {
                let (picture, bump_map) = images(prepared.surface);
                let mut view = |image: Option<&Arc<Image>>, purpose| {
                    image.and_then(|image| textures.get(device, queue, image, purpose))
                };
                let picture = view(picture, Use::Color);
                let bump_map = view(bump_map, Use::Bumps);
                let has = Has {
                    normals: prepared.normals.is_some(),
                    uvs: prepared.uvs.is_some(),
                    values: prepared.values.is_some(),
                    picture: picture.is_some(),
                    bump_map: bump_map.is_some(),
                };
                let kind = SurfaceKind::new(&prepared.surface.look, has, lights);
                self.ensure(device, kind);
                let pictures = (has.picture || has.bump_map).then(|| {
                    let views =
                        [&picture, &bump_map].map(|view| view.as_ref().unwrap_or(&self.no_picture));
                    group(device, &self.pictures, &self.sampler, views)
                });
                Dressed { kind, pictures }
            })
            .collect()
    }

    fn ensure(&mut self, device: &wgpu::Device, kind: SurfaceKind) {
        let (module, layout) = (&self.module, &self.layout);
        self.pipelines.entry(kind).or_insert_with(|| {
            pipeline(
                device,
                &PipelineParts {
                    label: "surface",
                    module,
                    layout,
                    buffers: &vertex_buffers(),
                    topology: wgpu::PrimitiveTopology::TriangleList,
                    compare: wgpu::CompareFunction::Greater,
                    writes_depth: true,
                    blends: false,
                    alpha_to_coverage: false,
                    constants: &kind.constants(),
                },
            )
        });
    }

    /// Draws; the globals are bound. Floors come last: much of them is behind other things.
    pub fn draw(&self, pass: &mut wgpu::RenderPass, surfaces: &[Prepared], dressed: &[Dressed]) {
        let Some(uniforms) = self.uniforms.group() else { return };
        for fades in [false, true] {
            for (prepared, dressed) in surfaces.iter().zip(dressed) {
                let look = &prepared.surface.look;
                let filled = matches!(look.fill, Fill::Faces | Fill::FacesAndEdges);
                if look.fades != fades || !filled {
                    continue;
                }
                let Some(pipeline) = self.pipelines.get(&dressed.kind) else { continue };
                pass.set_pipeline(pipeline);
                pass.set_bind_group(1, uniforms, &[prepared.offset]);
                pass.set_bind_group(2, dressed.pictures.as_ref().unwrap_or(&self.no_pictures), &[]);
                // An array that is missing is not read, but something must be bound: positions
                // have the most bytes a vertex.
                let arrays = [
                    Some(&prepared.positions),
                    prepared.normals.as_ref(),
                    prepared.uvs.as_ref(),
                    prepared.values.as_ref(),
                ];
                for (slot, array) in (0..).zip(arrays) {
                    pass.set_vertex_buffer(slot, array.unwrap_or(&prepared.positions).slice(..));
                }
                pass.set_index_buffer(prepared.indices.slice(..), wgpu::IndexFormat::Uint32);
                pass.draw_indexed(0..prepared.count, 0, 0..1);
            }
        }
    }
}

fn images(surface: &Surface) -> (Option<&Arc<Image>>, Option<&Arc<Image>>) {
    let picture = match &surface.look.paint {
        Paint::Texture { image, .. } => Some(image),
        _ => None,
    };
    (picture, surface.look.bumps.as_ref().and_then(|bumps| bumps.image.as_ref()))
}

fn vertex_buffers() -> [Option<wgpu::VertexBufferLayout<'static>>; 4] {
    const ATTRIBUTES: [wgpu::VertexAttribute; 4] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Float32];
    std::array::from_fn(|i| {
        Some(wgpu::VertexBufferLayout {
            array_stride: ATTRIBUTES[i].format.size(),
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: match i {
                0 => const { &[at_start(ATTRIBUTES[0])] },
                1 => const { &[at_start(ATTRIBUTES[1])] },
                2 => const { &[at_start(ATTRIBUTES[2])] },
                _ => const { &[at_start(ATTRIBUTES[3])] },
            },
        })
    })
}

const fn at_start(attribute: wgpu::VertexAttribute) -> wgpu::VertexAttribute {
    wgpu::VertexAttribute { offset: 0, ..attribute }
}

fn sampler(device: &wgpu::Device) -> wgpu::Sampler {
    // Several taps along a slanting surface are cheap on a graphics card and dear without one.
    let software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
    device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("picture"),
        address_mode_u: wgpu::AddressMode::Repeat,
        address_mode_v: wgpu::AddressMode::Repeat,
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        anisotropy_clamp: if software { 1 } else { 8 },
        ..Default::default()
    })
}

fn pictures_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let texture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("pictures"),
        entries: &[entry(0, texture), entry(1, texture), entry(2, sampler)],
    })
}

fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    sampler: &wgpu::Sampler,
    [picture, bump_map]: [&wgpu::TextureView; 2],
) -> wgpu::BindGroup {
    let resources = [
        wgpu::BindingResource::TextureView(picture),
        wgpu::BindingResource::TextureView(bump_map),
        wgpu::BindingResource::Sampler(sampler),
    ];
    let entries: Vec<_> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("pictures"),
        layout,
        entries: &entries,
    })
}
