//! Surfaces that strands grow on, on the GPU.

use std::sync::Arc;

use glam::Vec3;

use crate::frame::{StrandGround, Strands};
use crate::memo::identity;
use crate::passes::strand_arrays::{Kept, Texels, Written};

/// Texels of a vertex. Mirrors shaders/ground.wgsl.
const TEXELS: usize = 5;

/// Whether a ground can be drawn: every array has its length and names what there is.
fn is_sound(ground: &StrandGround, ranges: usize) -> bool {
    let count = ground.positions.len();
    let whole =
        [ground.normals.len(), ground.rest.len(), ground.guides.len(), ground.weights.len()];
    count > 0
        && !ground.triangles.is_empty()
        && whole.iter().all(|&len| len == count)
        && ground.triangles.iter().flatten().all(|&corner| (corner as usize) < count)
        && ground.guides.iter().flatten().all(|&guide| (guide as usize) < ranges)
}

/// The group of a ground's texels; none if it is not sound.
pub(crate) fn upload(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texels: &mut Texels,
    strands: &Strands,
) -> Option<Written> {
    let ground = strands.ground.as_ref()?;
    let key = [
        identity(&ground.positions),
        identity(&ground.normals),
        identity(&ground.rest),
        identity(&ground.guides),
        identity(&ground.weights),
        identity(&strands.ranges),
    ];
    if let Some(known) = texels.known(&key) {
        return Some(known);
    }
    if !is_sound(ground, strands.ranges.len()) {
        return None;
    }
    let held: [Kept; 2] = [Arc::new(ground.clone()), Arc::new(strands.ranges.clone())];
    let points = strands.points.len();
    let range = |guide: u32| {
        let [first, count] = strands.ranges[guide as usize];
        let inside = (first as usize).saturating_add(count as usize) <= points;
        if inside { [first as f32, count as f32] } else { [0.0; 2] }
    };
    let four = |v: Vec3, w: f32| [v.x, v.y, v.z, w];
    let write = |out: &mut Vec<[f32; 4]>| {
        for i in 0..ground.positions.len() {
            let [a, b, c] = ground.guides[i].map(range);
            let weights = ground.weights[i];
            let sum: f32 = weights.iter().sum();
            let [p, q, r] = weights.map(|weight| if sum > 0.0 { weight / sum } else { 0.0 });
            out.extend([
                four(ground.positions[i], sum),
                four(ground.normals[i], b[1]),
                four(ground.rest[i], c[1]),
                [a[0], b[0], c[0], a[1]],
                [p, q, r, 0.0],
            ]);
        }
    };
    texels.write(device, queue, (&key, &held), TEXELS * ground.positions.len(), write)
}
