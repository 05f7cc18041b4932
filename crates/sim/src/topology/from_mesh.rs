//! Connections of a polygon mesh: which pairs resist stretch, shear and bending.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

/// Everything the models need to know about a mesh's connectivity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshConnections {
    /// Sound faces cut into triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Sides of faces.
    pub structural: Vec<[u32; 2]>,
    /// Diagonals of quads.
    pub shear: Vec<[u32; 2]>,
    /// Pairs two cells apart: across an edge for triangles, through a vertex for quads.
    pub bend: Vec<[u32; 2]>,
    /// Two far corners and the shared edge's ends of neighbouring triangles.
    pub hinges: Vec<[u32; 4]>,
    /// What was wrong with the mesh.
    pub report: MeshReport,
}

/// Faults of a mesh, by face or vertex number counted from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshReport {
    /// Faces with a repeated corner or no area; left out.
    pub degenerate_faces: Vec<usize>,
    /// Faces whose corners another face has already; left out.
    pub duplicate_faces: Vec<usize>,
    /// Vertices on no sound face; held where they are.
    pub isolated_vertices: Vec<usize>,
    /// Edges with more than two faces; no bending acts across them.
    pub non_manifold_edges: Vec<[u32; 2]>,
    /// Edges whose two faces run around in opposite senses.
    pub flipped_edges: Vec<[u32; 2]>,
}

impl MeshReport {
    /// One sentence a fault, naming the first few.
    pub fn sentences(&self) -> Vec<String> {
        fn list<T: std::fmt::Debug>(items: &[T]) -> String {
            let shown: Vec<String> = items.iter().take(5).map(|i| format!("{i:?}")).collect();
            let more = if items.len() > 5 { ", …" } else { "" };
            format!("{}{more}", shown.join(", "))
        }
        let mut out = Vec::new();
        let mut say = |count: usize, what: &str, then: &str, which: String| {
            if count > 0 {
                out.push(format!("{count} {what} ({which}): {then}"));
            }
        };
        say(
            self.degenerate_faces.len(),
            "degenerate faces",
            "left out",
            list(&self.degenerate_faces),
        );
        say(self.duplicate_faces.len(), "duplicate faces", "left out", list(&self.duplicate_faces));
        say(
            self.isolated_vertices.len(),
            "isolated vertices",
            "held where they are",
            list(&self.isolated_vertices),
        );
        say(
            self.non_manifold_edges.len(),
            "non-manifold edges",
            "no bending acts across them",
            list(&self.non_manifold_edges),
        );
        say(
            self.flipped_edges.len(),
            "edges between faces of opposite orientation",
            "normals there cancel; orient the faces alike",
            list(&self.flipped_edges),
        );
        out
    }
}

/// Derives all connections of `faces` (triangles, quads or larger polygons).
/// Corner numbers must lie below `points.len()`.
pub fn connect_mesh(points: &[Vec3], faces: &[Vec<u32>]) -> MeshConnections {
    let mut out = MeshConnections::default();
    let sound = sound_faces(points, faces, &mut out.report);

    let mut sides: BTreeMap<[u32; 2], Vec<(usize, [u32; 2])>> = BTreeMap::new();
    for &face in &sound {
        let corners = &faces[face];
        for (i, &a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            sides.entry(ordered(a, b)).or_default().push((face, [a, b]));
        }
        triangulate(corners, &mut out.triangles);
    }

    let mut shear = BTreeSet::new();
    for corners in sound.iter().map(|&face| &faces[face]).filter(|c| c.len() == 4) {
        shear.insert(ordered(corners[0], corners[2]));
        shear.insert(ordered(corners[1], corners[3]));
    }
    shear.retain(|pair| !sides.contains_key(pair));

    let mut bend = BTreeSet::new();
    for (&edge, users) in &sides {
        match users.as_slice() {
            [_] => {}
            [(f, way), (g, other)] => {
                if way == other {
                    out.report.flipped_edges.push(edge);
                }
                across(edge, &faces[*f], &faces[*g], &mut bend);
            }
            _ => out.report.non_manifold_edges.push(edge),
        }
    }
    bend.retain(|pair| !sides.contains_key(pair) && !shear.contains(pair) && pair[0] != pair[1]);

    out.hinges = hinges(&out.triangles);
    out.structural = sides.into_keys().collect();
    out.shear = shear.into_iter().collect();
    out.bend = bend.into_iter().collect();

    let mut used = vec![false; points.len()];
    out.triangles.iter().flatten().for_each(|&i| used[i as usize] = true);
    out.report.isolated_vertices = (0..points.len()).filter(|&i| !used[i]).collect();
    out
}

fn ordered(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

fn sound_faces(points: &[Vec3], faces: &[Vec<u32>], report: &mut MeshReport) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let mut sound = Vec::new();
    for (index, corners) in faces.iter().enumerate() {
        let mut sorted = corners.clone();
        sorted.sort_unstable();
        let repeated = sorted.windows(2).any(|w| w[0] == w[1]);
        if corners.len() < 3 || repeated || !has_area(points, corners) {
            report.degenerate_faces.push(index);
        } else if !seen.insert(sorted) {
            report.duplicate_faces.push(index);
        } else {
            sound.push(index);
        }
    }
    sound
}

/// Whether the polygon's area is more than rounding noise beside its longest side.
fn has_area(points: &[Vec3], corners: &[u32]) -> bool {
    let at = |i: usize| points[corners[i % corners.len()] as usize].as_dvec3();
    let longest = (0..corners.len()).map(|i| at(i).distance_squared(at(i + 1))).fold(0.0, f64::max);
    let doubled: glam::DVec3 =
        (1..corners.len() - 1).map(|i| (at(i) - at(0)).cross(at(i + 1) - at(0))).sum();
    doubled.length() > 1e-6 * longest
}

/// A quad is cut from its second to its fourth corner, as grids are; other polygons as a fan.
fn triangulate(corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    if let [a, b, c, d] = *corners {
        triangles.push([a, b, d]);
        triangles.push([b, c, d]);
        return;
    }
    for i in 1..corners.len() - 1 {
        triangles.push([corners[0], corners[i], corners[i + 1]]);
    }
}

/// Bend pairs across one shared edge.
fn across(edge: [u32; 2], f: &[u32], g: &[u32], bend: &mut BTreeSet<[u32; 2]>) {
    if f.len() == 3 && g.len() == 3 {
        let far = |face: &[u32]| face.iter().copied().find(|c| !edge.contains(c));
        if let (Some(a), Some(b)) = (far(f), far(g)) {
            bend.insert(ordered(a, b));
        }
        return;
    }
    // The neighbours of each end on either side, in line through that end.
    for end in edge {
        let beside = |face: &[u32]| {
            let at = face.iter().position(|&c| c == end)?;
            let n = face.len();
            [face[(at + 1) % n], face[(at + n - 1) % n]].into_iter().find(|c| !edge.contains(c))
        };
        if let (Some(a), Some(b)) = (beside(f), beside(g)) {
            bend.insert(ordered(a, b));
        }
    }
}

/// Hinges over all edges that exactly two triangles share.
pub(crate) fn hinges(triangles: &[[u32; 3]]) -> Vec<[u32; 4]> {
    let mut users: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    for &[a, b, c] in triangles {
        for (edge, far) in [([a, b], c), ([b, c], a), ([c, a], b)] {
            users.entry(ordered(edge[0], edge[1])).or_default().push(far);
        }
    }
    users
        .into_iter()
        .filter_map(|([a, b], far)| match far[..] {
            [f, g] if f != g => Some([f, g, a, b]),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{GridPlane, GridShape};

    fn quad_grid(ni: usize, nj: usize) -> (Vec<Vec3>, Vec<Vec<u32>>) {
        let grid = GridShape { counts: [ni, nj], size: [1.0, 1.0], plane: GridPlane::Xz };
        let at = |i, j| grid.index(i, j) as u32;
        let faces = (0..nj - 1)
            .flat_map(|j| (0..ni - 1).map(move |i| (i, j)))
            .map(|(i, j)| vec![at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)])
            .collect();
        (grid.points(), faces)
    }

    #[test]
    fn quad_mesh_has_the_twelve_neighbours_of_a_grid() {
        let (points, faces) = quad_grid(6, 5);
        let mesh = connect_mesh(&points, &faces);
        assert_eq!(mesh.structural.len(), 5 * 5 + 6 * 4);
        assert_eq!(mesh.shear.len(), 2 * 5 * 4);
        assert_eq!(mesh.bend.len(), 4 * 5 + 6 * 3);
        assert_eq!(mesh.triangles.len(), 2 * 5 * 4);
        assert_eq!(mesh.report, MeshReport::default());
    }

    #[test]
    fn faults_are_reported_not_swallowed() {
        let (mut points, mut faces) = quad_grid(3, 3);
        points.push(Vec3::Y * 9.0);
        points.push(Vec3::Y);
        faces.push(vec![0, 1, 1]);
        faces.push(faces[0].iter().rev().copied().collect());
        faces.push(vec![3, 4, 10]);
        let mesh = connect_mesh(&points, &faces);
        assert_eq!(mesh.report.degenerate_faces, [4]);
        assert_eq!(mesh.report.duplicate_faces, [5]);
        assert_eq!(mesh.report.isolated_vertices, [9]);
        assert_eq!(mesh.report.non_manifold_edges, [[3, 4]]);
        assert_eq!(mesh.report.sentences().len(), 4);
    }

    #[test]
    fn opposite_orientation_is_reported() {
        let (points, mut faces) = quad_grid(3, 2);
        faces[1].reverse();
        assert_eq!(connect_mesh(&points, &faces).report.flipped_edges, [[1, 4]]);
    }
}
