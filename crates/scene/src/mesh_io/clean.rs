//! A mesh without what says nothing: doubled and unused vertices, triangles without area.

use std::cmp::Ordering;

use glam::{DVec3, Vec3};

/// Triangles over vertices that may have a place in each of several frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animated {
    /// Corners of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Vertices of each frame, at least one. [m]
    pub frames: Vec<Vec<Vec3>>,
}

/// What was left out of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// Vertices that lie on another in every frame.
    pub doubled: usize,
    /// Vertices that no triangle has.
    pub unused: usize,
    /// Triangles without area in every frame.
    pub flat: usize,
    /// Triangles with the corners of another.
    pub repeated: usize,
}

impl Left {
    /// In words, if anything was left out that changes the surface.
    pub fn sentence(&self) -> Option<String> {
        let count = |n: usize, what: &str| (n > 0).then(|| format!("{n} {what}"));
        let parts: Vec<String> = [
            count(self.flat, "triangles without area"),
            count(self.repeated, "triangles that stand there twice"),
        ]
        .into_iter()
        .flatten()
        .collect();
        (!parts.is_empty()).then(|| format!("{} are left out", parts.join(" and ")))
    }
}

impl Animated {
    /// Makes vertices that lie on each other in every frame one: meshes are cut apart where
    /// texture or normals change, and their two sides would count as open.
    pub fn join_vertices(&mut self) -> usize {
        let count = self.frames.first().map_or(0, Vec::len);
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_unstable_by(|&a, &b| self.compare(a, b).then(a.cmp(&b)));
        let mut first: Vec<u32> = (0..count as u32).collect();
        for run in order.chunk_by(|&a, &b| self.compare(a, b) == Ordering::Equal) {
            run.iter().for_each(|&v| first[v as usize] = run[0]);
        }
        for corner in self.triangles.iter_mut().flatten() {
            *corner = first[*corner as usize];
        }
        (0..count).filter(|&v| first[v] != v as u32).count()
    }

    /// Leaves out triangles that are nowhere and those that are there already. Wherever they
    /// were, the edges of their neighbours still are.
    pub fn drop_flat(&mut self) -> Left {
        let before = self.triangles.len();
        let frames = &self.frames;
        let area = |t: &[u32; 3]| frames.iter().any(|frame| has_area(t, frame));
        self.triangles.retain(area);
        let flat = before - self.triangles.len();
        let mut known: Vec<([u32; 3], usize)> = self.triangles.iter().copied().zip(0..).collect();
        known.iter_mut().for_each(|(corners, _)| corners.sort_unstable());
        known.sort_unstable();
        known.dedup_by_key(|(corners, _)| *corners);
        let mut kept: Vec<usize> = known.into_iter().map(|(_, at)| at).collect();
        kept.sort_unstable();
        let repeated = self.triangles.len() - kept.len();
        self.triangles = kept.into_iter().map(|at| self.triangles[at]).collect();
        Left { flat, repeated, ..Left::default() }
    }

    /// Leaves out vertices that no triangle has.
    pub fn drop_unused(&mut self) -> usize {
        let count = self.frames.first().map_or(0, Vec::len);
        let mut used = vec![false; count];
        self.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
        let mut next = 0;
        let number = |used: &bool| {
            next += u32::from(*used);
            next.wrapping_sub(1)
        };
        let new: Vec<u32> = used.iter().map(number).collect();
        self.triangles.iter_mut().flatten().for_each(|v| *v = new[*v as usize]);
        for frame in &mut self.frames {
            let mut index = 0;
            frame.retain(|_| {
                index += 1;
                used[index - 1]
            });
        }
        used.iter().filter(|used| !**used).count()
    }

    /// All of it.
    pub fn clean(&mut self) -> Left {
        let doubled = self.join_vertices();
        let left = self.drop_flat();
        let unused = self.drop_unused();
        Left { doubled, unused: unused.saturating_sub(doubled), ..left }
    }

    fn compare(&self, a: u32, b: u32) -> Ordering {
        // Zeros of both signs are one place.
        let key = |v: f32| v + 0.0;
        let places = self.frames.iter().map(|frame| (frame[a as usize], frame[b as usize]));
        places.fold(Ordering::Equal, |order, (p, q)| {
            let axes = (0..3).map(|axis| key(p[axis]).total_cmp(&key(q[axis])));
            order.then_with(|| axes.fold(Ordering::Equal, Ordering::then))
        })
    }
}

fn has_area(triangle: &[u32; 3], frame: &[Vec3]) -> bool {
    let [a, b, c] = triangle.map(|v| frame[v as usize].as_dvec3());
    (b - a).cross(c - a) != DVec3::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of two triangles whose corners are cut apart, a triangle along an edge, one that
    /// is there twice, and a lonely vertex.
    fn messy() -> Animated {
        let p = |x: f32, y: f32| Vec3::new(x, y, 0.0);
        let points = [
            p(0., 0.),
            p(1., 0.),
            p(1., 1.),
            p(-0.0, 0.),
            p(1., 1.),
            p(0., 1.),
            p(0.5, 0.),
            p(7., 7.),
        ];
        Animated {
            triangles: vec![[0, 1, 2], [3, 4, 5], [0, 1, 6], [2, 0, 1]],
            frames: vec![points.to_vec()],
        }
    }

    #[test]
    fn a_messy_mesh_becomes_two_triangles_of_four_vertices() {
        let mut mesh = messy();
        let left = mesh.clean();
        assert_eq!(left, Left { doubled: 2, unused: 2, flat: 1, repeated: 1 });
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(mesh.frames[0][3], Vec3::Y);
        let text = left.sentence().unwrap();
        assert_eq!(
            text,
            "1 triangles without area and 1 triangles that stand there twice are left out"
        );
    }

    #[test]
    fn what_parts_or_opens_in_a_later_frame_stays() {
        let mut mesh = messy();
        let mut second = mesh.frames[0].clone();
        second[3] = Vec3::Z;
        second[6] = Vec3::Z;
        mesh.frames.push(second);
        let left = mesh.clean();
        assert_eq!(left, Left { doubled: 1, unused: 1, flat: 0, repeated: 1 });
        assert_eq!(mesh.frames[1].len(), mesh.frames[0].len());
        assert_eq!(mesh.frames[0].len(), 6);
    }

    #[test]
    fn needles_stay_and_nothing_stays_nothing() {
        let mut needle = Animated {
            triangles: vec![[0, 1, 2]],
            frames: vec![vec![Vec3::ZERO, Vec3::X, Vec3::new(0.5, 1e-9, 0.0)]],
        };
        assert_eq!(needle.clean(), Left::default());
        assert_eq!(Animated::default().clean(), Left::default());
        let same = vec![Vec3::ONE; 3];
        let mut point = Animated { triangles: vec![[0, 1, 2]], frames: vec![same] };
        assert_eq!(point.clean().flat, 1);
        assert!(point.triangles.is_empty() && point.frames[0].is_empty());
    }
}
