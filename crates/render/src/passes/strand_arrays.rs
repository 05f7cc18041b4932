//! Points of strands on the GPU. They are read from textures, since every corner of a ribbon asks
//! for four points and devices without storage buffers shall draw them too.

use std::any::Any;
use std::sync::Arc;

use glam::Vec3;

use crate::frame::Strands;
use crate::memo::{KEEP_DRAWS, Memo, identity};

/// Texels in a row, as a power of two. Mirrors `ROW` in shaders/strand.wgsl.
const ROW: usize = 10;

type Identity = (usize, usize);
/// First point, number of points, number of the strand, and its rank as bits of a float.
type Order = Arc<[[u32; 4]]>;
/// An order with the ranges that it was made of, held so that their address names nothing else.
type Ordered = (Arc<[[u32; 2]]>, Order);

/// Textures of numbers by the identity of the arrays that they were made of.
#[derive(Debug)]
pub(crate) struct Texels {
    layout: wgpu::BindGroupLayout,
    held: Vec<Held>,
    scratch: Vec<[f32; 4]>,
    draw: u64,
    uploaded: u64,
}

/// A group of one texture of numbers.
pub(crate) type Written = wgpu::BindGroup;

/// An array of any kind that is held, so that its address names nothing else.
pub(crate) type Kept = Arc<dyn Any + Send + Sync>;

#[derive(Debug)]
struct Held {
    key: Vec<Identity>,
    _arrays: Vec<Kept>,
    texture: wgpu::Texture,
    group: Written,
    last_used: u64,
}

impl Texels {
    /// None yet.
    pub fn new(device: &wgpu::Device) -> Self {
        let layout = texels_layout(device, "texels of strands");
        Self { layout, held: Vec::new(), scratch: Vec::new(), draw: 0, uploaded: 0 }
    }

    /// Layout of a group.
    pub fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    /// Begins a draw.
    pub fn begin(&mut self) {
        self.draw += 1;
        self.uploaded = 0;
        let draw = self.draw;
        self.held.retain(|held| draw - held.last_used <= KEEP_DRAWS);
    }

    /// Bytes written in this draw.
    pub fn uploaded(&self) -> u64 {
        self.uploaded
    }

    /// What was written of these arrays.
    pub fn known(&mut self, key: &[Identity]) -> Option<Written> {
        let draw = self.draw;
        let held = self.held.iter_mut().find(|held| held.key == key)?;
        held.last_used = draw;
        Some(held.group.clone())
    }

    /// Writes `count` texels; none if they are too many or there are none.
    pub fn write(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        (key, arrays): (&[Identity], &[Kept]),
        count: usize,
        fill: impl FnOnce(&mut Vec<[f32; 4]>),
    ) -> Option<Written> {
        let rows = count.div_ceil(1 << ROW);
        if rows == 0 || rows > device.limits().max_texture_dimension_2d as usize {
            return None;
        }
        let draw = self.draw;
        let idle = self
            .held
            .iter()
            .position(|held| held.texture.height() as usize == rows && held.last_used + 1 < draw);
        let (texture, group) = match idle.map(|index| self.held.swap_remove(index)) {
            Some(held) => (held.texture, held.group),
            None => make(device, &self.layout, rows as u32),
        };
        self.scratch.clear();
        fill(&mut self.scratch);
        self.scratch.resize(rows << ROW, [0.0; 4]);
        self.uploaded += write(queue, &texture, &self.scratch);
        self.held.push(Held {
            key: key.to_vec(),
            _arrays: arrays.to_vec(),
            texture,
            group: group.clone(),
            last_used: draw,
        });
        Some(group)
    }
}

/// The group of strands' points, with their values; none if they are too many.
pub(crate) fn points(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texels: &mut Texels,
    strands: &Strands,
) -> Option<Written> {
    let points = &strands.points;
    let values = strands.values.as_ref().filter(|values| values.len() == points.len());
    let key = [identity(points), values.map_or((0, 0), identity)];
    if let Some(known) = texels.known(&key) {
        return Some(known);
    }
    let held: [Kept; 2] = [Arc::new(points.clone()), Arc::new(values.cloned())];
    let value = |i: usize| values.map_or(0.0, |values| values[i]);
    let mut last = Vec3::ZERO;
    let texel = |(i, p): (usize, &Vec3)| {
        // A point that is nowhere is where the one before it is.
        last = if p.is_finite() { *p } else { last };
        [last.x, last.y, last.z, value(i)]
    };
    let fill = |out: &mut Vec<[f32; 4]>| out.extend(points.iter().enumerate().map(texel));
    texels.write(device, queue, (&key, &held), points.len(), fill)
}

/// Orders of strands by the identity of their ranges.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    known: Memo<(Identity, usize), Ordered>,
}

impl Orders {
    /// Begins a draw.
    pub fn begin(&mut self) {
        self.known.begin();
    }

    /// Strands that can be drawn, by their rank.
    pub fn get(&mut self, strands: &Strands) -> Order {
        let (ranges, points) = (&strands.ranges, strands.points.len());
        let make = || (ranges.clone(), order(ranges, points));
        self.known.get_or((identity(ranges), points), make).1
    }
}

/// Strands in an order of which any beginning is spread evenly over all.
fn order(ranges: &[[u32; 2]], points: usize) -> Order {
    /// Multiples of it fall evenly between 0 and 2³²: (√2 − 1)·2³². Not the golden section, by which
    /// roots are often spread over a surface: a side of it would come first.
    const STEP: u32 = 0x6a09_e667;
    let drawn = |&(_, [first, count]): &(u32, [u32; 2])| {
        count >= 2 && (first as usize).saturating_add(count as usize) <= points
    };
    let numbered = (0u32..).zip(ranges.iter().copied());
    let mut ranked: Vec<_> =
        numbered.filter(drawn).map(|(i, range)| (i.wrapping_mul(STEP), i, range)).collect();
    ranked.sort_unstable_by_key(|&(rank, ..)| rank);
    let count = ranked.len() as f32;
    let rank = |place: usize| ((place as f32 + 0.5) / count).to_bits();
    let named = ranked.iter().enumerate();
    named.map(|(place, &(_, i, [first, count]))| [first, count, i, rank(place)]).collect()
}

/// Layout of a group with one texture of numbers that are read as they are.
pub(crate) fn texels_layout(device: &wgpu::Device, label: &str) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: false },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            count: None,
        }],
    })
}

/// A group of one texture.
pub(crate) fn texels_group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    view: &wgpu::TextureView,
) -> wgpu::BindGroup {
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("texels"),
        layout,
        entries: &[wgpu::BindGroupEntry {
            binding: 0,
            resource: wgpu::BindingResource::TextureView(view),
        }],
    })
}

fn make(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    rows: u32,
) -> (wgpu::Texture, wgpu::BindGroup) {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("points of strands"),
        size: wgpu::Extent3d { width: 1 << ROW, height: rows, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba32Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let group = texels_group(device, layout, &texture.create_view(&Default::default()));
    (texture, group)
}

fn write(queue: &wgpu::Queue, texture: &wgpu::Texture, texels: &[[f32; 4]]) -> u64 {
    let bytes: &[u8] = bytemuck::cast_slice(texels);
    queue.write_texture(
        texture.as_image_copy(),
        bytes,
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some((16 << ROW) as u32),
            rows_per_image: None,
        },
        texture.size(),
    );
    bytes.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_beginning_of_the_order_is_spread_over_all() {
        let ranges: Vec<[u32; 2]> = (0..1000).map(|i| [2 * i, 2]).collect();
        let order = order(&ranges, 2000);
        assert_eq!(order.len(), 1000);
        for part in [30, 100, 300] {
            // None of ten equal pieces of the body has more than twice its share.
            let mut pieces = [0; 10];
            order[..part].iter().for_each(|named| pieces[named[2] as usize / 100] += 1);
            assert!(pieces.iter().all(|&n| n >= 1 && n <= part / 5), "{pieces:?}");
        }
    }

    #[test]
    fn strands_without_their_points_are_left_out() {
        let order = order(&[[0, 2], [2, 1], [2, 9], [u32::MAX, 2], [3, 3]], 6);
        let mut left: Vec<u32> = order.iter().map(|named| named[2]).collect();
        left.sort_unstable();
        assert_eq!(left, [0, 4]);
    }
}
