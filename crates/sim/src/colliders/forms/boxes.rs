//! Boxes, and furniture made of them.

use std::collections::BTreeMap;

use glam::{UVec3, Vec3};

use super::Triangles;

/// A box about the origin of this size [m], each side cut into as many squares as `cells` says
/// along its axes. Neighbouring sides share their vertices.
pub fn cuboid(size: Vec3, cells: [u32; 3]) -> Triangles {
    let mut mesh = Triangles::default();
    let mut known: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let counts = UVec3::from(cells).max(UVec3::ONE);
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [0, counts[axis]] {
            for (i, j) in (0..counts[u]).flat_map(|i| (0..counts[v]).map(move |j| (i, j))) {
                let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| {
                    let mut at = [0; 3];
                    (at[axis], at[u], at[v]) = (side, i, j);
                    *known.entry(at).or_insert_with(|| {
                        let part = Vec3::from(at.map(|n| n as f32)) / counts.as_vec3();
                        mesh.points.push((part - 0.5) * size);
                        mesh.points.len() as u32 - 1
                    })
                });
                let [a, b, c, d] = corners;
                mesh.quad(if side == 0 { [a, d, c, b] } else { corners });
            }
        }
    }
    mesh
}

/// A box between two corners [m].
fn between(low: Vec3, high: Vec3) -> Triangles {
    cuboid(high - low, [1; 3]).moved(0.5 * (low + high))
}

/// A table that stands on the origin: `size` as a whole, a top `top` thick and legs `leg` wide
/// [m] that stand in from its edges by half their width and go half-way into the top.
pub fn table(size: Vec3, top: f32, leg: f32) -> Triangles {
    let half = 0.5 * size;
    let mut mesh =
        between(Vec3::new(-half.x, size.y - top, -half.z), Vec3::new(half.x, size.y, half.z));
    legs(&mut mesh, [half.x, half.z], size.y - 0.5 * top, leg);
    mesh
}

/// A chair that stands on the origin and faces z: `size` as a whole with its back, a seat at
/// `seat` above the floor, legs `leg` wide [m]; seat and back are as thick as a leg.
pub fn chair(size: Vec3, seat: f32, leg: f32) -> Triangles {
    let half = 0.5 * size;
    let mut mesh =
        between(Vec3::new(-half.x, seat - leg, -half.z), Vec3::new(half.x, seat, half.z));
    // In from the seat's edges by a tenth of a leg: faces in one plane would flicker.
    let in_by = 0.1 * leg;
    let low = Vec3::new(-half.x + in_by, seat - 0.5 * leg, -half.z + in_by);
    mesh.add(&between(low, Vec3::new(half.x - in_by, size.y, -half.z + leg + in_by)));
    legs(&mut mesh, [half.x, half.z], seat - 0.5 * leg, leg);
    mesh
}

fn legs(mesh: &mut Triangles, half: [f32; 2], height: f32, leg: f32) {
    for (x, z) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        let centre = Vec3::new(x * (half[0] - leg), 0.5 * height, z * (half[1] - leg));
        mesh.add(&cuboid(Vec3::new(leg, height, leg), [1; 3]).moved(centre));
    }
}
