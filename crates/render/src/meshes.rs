//! Shapes as triangles, for what is not cloth.

use std::f32::consts::PI;
use std::sync::Arc;

use glam::Vec3;

/// Triangles with normals and texture coordinates.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Vertices. [m]
    pub positions: Arc<[Vec3]>,
    /// Unit normals by vertex, outward.
    pub normals: Arc<[Vec3]>,
    /// Texture coordinates by vertex.
    pub uvs: Arc<[[f32; 2]]>,
    /// Corners by vertex number, counter-clockwise seen from outside.
    pub triangles: Arc<[[u32; 3]]>,
}

/// A ball about the origin; `around` segments round its y axis, half as many from pole to pole.
pub fn sphere(radius: f32, around: u32) -> Mesh {
    capsule(0.0, radius, around)
}

/// A rod along y with round ends: points up to `radius` from the segment y = ±`half_length`.
pub fn capsule(half_length: f32, radius: f32, around: u32) -> Mesh {
    let around = around.max(3);
    // An even count has a ring at the equator, where the ends part.
    let rings = (around / 2).max(2).next_multiple_of(2);
    let tall = half_length > 0.0;
    let mut maker = Maker::default();
    for ring in 0..=rings {
        let (sin, cos) = (PI * ring as f32 / rings as f32).sin_cos();
        // The poles are points, though sin π is not quite 0.
        let sin = if ring % rings == 0 { 0.0 } else { sin };
        let mut heights = vec![if ring <= rings / 2 { half_length } else { -half_length }];
        if tall && ring == rings / 2 {
            heights.push(-half_length);
        }
        for height in heights {
            for step in 0..=around {
                // The last vertex is where the first one is.
                let turn = 2.0 * PI * (step % around) as f32 / around as f32;
                let normal = Vec3::new(sin * turn.sin(), cos, sin * turn.cos());
                let v = 0.5 + 0.5 * (normal.y * radius + height) / (radius + half_length);
                maker.vertex(
                    normal * radius + Vec3::Y * height,
                    normal,
                    [step as f32 / around as f32, v],
                );
            }
        }
    }
    maker.strips(rings + u32::from(tall), around);
    maker.finish()
}

/// A box about the origin with these half widths; each side has its own vertices and 0..1 of uv.
pub fn cuboid(half: Vec3) -> Mesh {
    let mut maker = Maker::default();
    for (outward, right, up) in [
        (Vec3::X, Vec3::NEG_Z, Vec3::Y),
        (Vec3::NEG_X, Vec3::Z, Vec3::Y),
        (Vec3::Y, Vec3::X, Vec3::NEG_Z),
        (Vec3::NEG_Y, Vec3::X, Vec3::Z),
        (Vec3::Z, Vec3::X, Vec3::Y),
        (Vec3::NEG_Z, Vec3::NEG_X, Vec3::Y),
    ] {
        maker.side(outward * half, right * half, up * half, outward);
    }
    maker.finish()
}

/// A rectangle about the origin in the x, z plane that faces +y, with these half widths.
pub fn rectangle(half: [f32; 2]) -> Mesh {
    let mut maker = Maker::default();
    maker.side(Vec3::ZERO, Vec3::X * half[0], Vec3::NEG_Z * half[1], Vec3::Y);
    maker.finish()
}

/// An arrow from the origin along +y: a shaft with a cone at its end that takes a quarter of it.
pub fn arrow(length: f32, radius: f32, around: u32) -> Mesh {
    let around = around.max(3);
    let (neck, head) = (0.75 * length, 2.2 * radius);
    let mut maker = Maker::default();
    let slant = Vec3::new(0.25 * length, head, 0.0).normalize_or(Vec3::X);
    // Pairs of rings: foot, shaft, collar, cone; each as (radius, height, normal out and up).
    let rings = [
        [(0.0, 0.0, 0.0, -1.0), (radius, 0.0, 0.0, -1.0)],
        [(radius, 0.0, 1.0, 0.0), (radius, neck, 1.0, 0.0)],
        [(radius, neck, 0.0, -1.0), (head, neck, 0.0, -1.0)],
        [(head, neck, slant.x, slant.y), (0.0, length, slant.x, slant.y)],
    ];
    for pair in rings {
        // Strips run downward.
        for (wide, height, out, up) in [pair[1], pair[0]] {
            for step in 0..=around {
                let share = step as f32 / around as f32;
                let (sin, cos) = (2.0 * PI * (step % around) as f32 / around as f32).sin_cos();
                let round = Vec3::new(sin, 0.0, cos);
                let place = round * wide + Vec3::Y * height;
                maker.vertex(place, round * out + Vec3::Y * up, [share, height / length]);
            }
        }
        maker.strips(1, around);
    }
    maker.finish()
}

#[derive(Default)]
struct Maker {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    uvs: Vec<[f32; 2]>,
    triangles: Vec<[u32; 3]>,
    /// Vertices that strips have joined.
    joined: u32,
}

impl Maker {
    fn vertex(&mut self, position: Vec3, normal: Vec3, uv: [f32; 2]) {
        self.positions.push(position);
        self.normals.push(normal);
        self.uvs.push(uv);
    }

    /// Joins the rings of vertices that no strip has joined yet, from the top downward.
    fn strips(&mut self, count: u32, around: u32) {
        for ring in 0..count {
            for step in 0..around {
                let a = self.joined + ring * (around + 1) + step;
                let (b, c) = (a + around + 1, a + around + 2);
                for triangle in [[a, b, c], [a, c, a + 1]] {
                    let [p, q, r] = triangle.map(|i| self.positions[i as usize]);
                    // At a pole one of the two has no area.
                    if (q - p).cross(r - p) != Vec3::ZERO && p != q && q != r && p != r {
                        self.triangles.push(triangle);
                    }
                }
            }
        }
        self.joined = self.positions.len() as u32;
    }

    /// A rectangle about `center` with these half sides.
    fn side(&mut self, center: Vec3, right: Vec3, up: Vec3, normal: Vec3) {
        let first = self.positions.len() as u32;
        for (u, v) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
            let off = right * (2.0 * u - 1.0) + up * (2.0 * v - 1.0);
            self.vertex(center + off, normal, [u, v]);
        }
        self.triangles.push([first, first + 1, first + 2]);
        self.triangles.push([first, first + 2, first + 3]);
    }

    fn finish(self) -> Mesh {
        Mesh {
            positions: self.positions.into(),
            normals: self.normals.into(),
            uvs: self.uvs.into(),
            triangles: self.triangles.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume by the divergence theorem: positive only if triangles face outward.
    fn volume(mesh: &Mesh) -> f32 {
        let corner = |i: u32| mesh.positions[i as usize];
        mesh.triangles.iter().map(|t| t.map(corner)).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    fn normals_agree(mesh: &Mesh) -> bool {
        mesh.triangles.iter().all(|t| {
            let [a, b, c] = t.map(|i| mesh.positions[i as usize]);
            let face = (b - a).cross(c - a);
            t.iter().all(|i| mesh.normals[*i as usize].dot(face) > 0.0)
        }) && mesh.normals.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-5)
    }

    #[test]
    fn shapes_have_their_volumes_and_face_outward() {
        let ball = sphere(0.5, 96);
        assert!((volume(&ball) - 4.0 / 3.0 * PI * 0.125).abs() < 2e-3);
        let rod = capsule(1.0, 0.3, 96);
        let expected = PI * 0.09 * 2.0 + 4.0 / 3.0 * PI * 0.027;
        assert!((volume(&rod) - expected).abs() < 4e-3, "{}", volume(&rod));
        let brick = cuboid(Vec3::new(1.0, 2.0, 3.0));
        assert!((volume(&brick) - 48.0).abs() < 1e-3);
        let pointer = arrow(1.0, 0.05, 96);
        let expected = PI * 0.0025 * 0.75 + PI * 0.0121 * 0.25 / 3.0;
        assert!((volume(&pointer) - expected).abs() < 1e-4, "{}", volume(&pointer));
        for mesh in [ball, rod, brick, pointer, rectangle([2.0, 1.0])] {
            assert!(normals_agree(&mesh));
            assert_eq!(mesh.positions.len(), mesh.uvs.len());
        }
    }

    #[test]
    fn sizes_of_nothing_make_no_panic() {
        for mesh in [sphere(0.0, 0), capsule(0.0, 0.0, 1), arrow(0.0, 0.0, 0)] {
            assert_eq!(mesh.positions.len(), mesh.normals.len());
        }
    }
}
