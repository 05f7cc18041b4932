//! Where a picture is drawn.

/// Samples a pixel.
pub(crate) const SAMPLES: u32 = 4;

/// Format that is drawn into: light goes in, sRGB is stored.
pub(crate) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

/// Format of depth: 1 is near, 0 is infinitely far.
pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// A picture on the GPU, with what drawing it needs.
#[derive(Clone, Debug)]
pub struct Target {
    texture: wgpu::Texture,
    sample: wgpu::TextureView,
    pub(crate) resolve: wgpu::TextureView,
    pub(crate) samples: wgpu::TextureView,
    pub(crate) depth: wgpu::TextureView,
    size: [u32; 2],
}

impl Target {
    /// A picture of `size` pixels, at least one and at most the device's limit a side.
    pub fn new(device: &wgpu::Device, size: [u32; 2]) -> Self {
        let limit = device.limits().max_texture_dimension_2d;
        let size = size.map(|side| side.clamp(1, limit));
        let make = |label, format, sample_count, usage, view_formats: &[wgpu::TextureFormat]| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats,
            })
        };
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let usage =
            attachment | wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
        let texture = make("picture", wgpu::TextureFormat::Rgba8Unorm, 1, usage, &[COLOR]);
        let samples = make("samples", COLOR, SAMPLES, attachment, &[]);
        let depth = make("depth", DEPTH, SAMPLES, attachment, &[]);
        let view = wgpu::TextureViewDescriptor::default();
        let as_srgb = wgpu::TextureViewDescriptor {
            format: Some(COLOR),
            usage: Some(attachment),
            ..Default::default()
        };
        Self {
            sample: texture.create_view(&wgpu::TextureViewDescriptor {
                usage: Some(wgpu::TextureUsages::TEXTURE_BINDING),
                ..Default::default()
            }),
            resolve: texture.create_view(&as_srgb),
            samples: samples.create_view(&view),
            depth: depth.create_view(&view),
            texture,
            size,
        }
    }

    /// Pixels in a row, and rows.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The picture.
    pub fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }

    /// The picture for reading sRGB bytes as they are, as egui does.
    pub fn sample_view(&self) -> &wgpu::TextureView {
        &self.sample
    }
}
