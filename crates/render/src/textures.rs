//! Pictures on the GPU, with their mipmaps.

use std::sync::Arc;

use crate::color::channel;
use crate::image::Image;
use crate::memo::Memo;

/// Uploaded pictures by the identity of their `Arc`.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    /// None for a picture whose bytes do not fit its size.
    held: Memo<(usize, Use), (Arc<Image>, Option<wgpu::TextureView>)>,
    uploaded: u64,
}

/// What a picture's numbers mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Use {
    /// sRGB.
    Color,
    /// A normal map.
    Bumps,
}

impl Textures {
    /// Begins a draw.
    pub fn begin(&mut self) {
        self.held.begin();
        self.uploaded = 0;
    }

    /// Bytes written in this draw.
    pub fn uploaded(&self) -> u64 {
        self.uploaded
    }

    /// The picture's texture; none if it has no pixels or its bytes do not fit its size.
    pub fn get(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        image: &Arc<Image>,
        purpose: Use,
    ) -> Option<wgpu::TextureView> {
        let uploaded = &mut self.uploaded;
        let make = || {
            let view = upload(device, queue, image, purpose).map(|(view, bytes)| {
                *uploaded += bytes;
                view
            });
            (image.clone(), view)
        };
        self.held.get_or((Arc::as_ptr(image) as usize, purpose), make).1
    }
}

/// A picture of one pixel.
pub(crate) fn single(device: &wgpu::Device) -> wgpu::TextureView {
    make(device, 1, 1, 1, Use::Color).create_view(&Default::default())
}

fn make(
    device: &wgpu::Device,
    width: u32,
    height: u32,
    levels: u32,
    purpose: Use,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: match purpose {
            Use::Color => wgpu::TextureFormat::Rgba8UnormSrgb,
            Use::Bumps => wgpu::TextureFormat::Rgba8Unorm,
        },
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

fn upload(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    image: &Image,
    purpose: Use,
) -> Option<(wgpu::TextureView, u64)> {
    let pixels = u64::from(image.width) * u64::from(image.height);
    if pixels == 0 || image.rgba.len() as u64 != 4 * pixels {
        return None;
    }
    let limit = device.limits().max_texture_dimension_2d;
    let levels: Vec<Image> = levels(image, purpose)
        .into_iter()
        .skip_while(|level| level.width > limit || level.height > limit)
        .collect();
    let first = levels.first()?;
    let texture = make(device, first.width, first.height, levels.len() as u32, purpose);
    let mut bytes = 0;
    for (mip_level, level) in (0..).zip(&levels) {
        queue.write_texture(
            wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
            &level.rgba,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * level.width),
                rows_per_image: None,
            },
            wgpu::Extent3d { width: level.width, height: level.height, depth_or_array_layers: 1 },
        );
        bytes += level.rgba.len() as u64;
    }
    Some((texture.create_view(&Default::default()), bytes))
}

/// The picture and its halves down to one pixel.
fn levels(image: &Image, purpose: Use) -> Vec<Image> {
    let mut levels = vec![image.clone()];
    while let Some(last) = levels.last()
        && (last.width > 1 || last.height > 1)
    {
        levels.push(halved(last, purpose));
    }
    levels
}

/// Half as wide and high, each pixel the mean of those it stands for. Colours are averaged as
/// light, since that is what the eye averages.
fn halved(image: &Image, purpose: Use) -> Image {
    let light: [f32; 256] = std::array::from_fn(|byte| match purpose {
        Use::Color => channel(byte as f32 / 255.0),
        Use::Bumps => byte as f32 / 255.0,
    });
    let stored = |mean: f32| {
        let value = match purpose {
            Use::Color if mean <= 0.003_130_8 => mean * 12.92,
            Use::Color => 1.055 * mean.powf(1.0 / 2.4) - 0.055,
            Use::Bumps => mean,
        };
        (value * 255.0).round() as u8
    };
    let (width, height) = ((image.width / 2).max(1), (image.height / 2).max(1));
    let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
    for y in 0..height {
        for x in 0..width {
            let [left, top] = [2 * x, 2 * y];
            let right = (left + 1).min(image.width - 1);
            let bottom = (top + 1).min(image.height - 1);
            let four = [(left, top), (right, top), (left, bottom), (right, bottom)]
                .map(|(x, y)| image.pixel(x, y));
            for i in 0..3 {
                let sum: f32 = four.iter().map(|pixel| light[pixel[i] as usize]).sum();
                rgba.push(stored(0.25 * sum));
            }
            let alpha: u32 = four.iter().map(|pixel| u32::from(pixel[3])).sum();
            rgba.push((alpha / 4) as u8);
        }
    }
    Image { width, height, rgba }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_and_white_are_grey_as_light() {
        let rgba = [[0, 0, 0, 255], [255; 4], [255; 4], [0, 0, 0, 255]].concat();
        let image = Image { width: 2, height: 2, rgba };
        // Half the light is 188 in sRGB.
        assert_eq!(halved(&image, Use::Color).pixel(0, 0), [188, 188, 188, 255]);
        assert_eq!(halved(&image, Use::Bumps).pixel(0, 0), [128, 128, 128, 255]);
    }

    #[test]
    fn odd_sizes_go_down_to_one_pixel() {
        let sizes: Vec<_> = levels(&Image::filled(5, 2, [9, 9, 9, 9]), Use::Color)
            .iter()
            .map(|level| (level.width, level.height, level.pixel(0, 0)[0]))
            .collect();
        assert_eq!(sizes, [(5, 2, 9), (2, 1, 9), (1, 1, 9)]);
    }
}
