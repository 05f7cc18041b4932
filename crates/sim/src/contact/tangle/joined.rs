//! Triangles of everything that may touch, and what joins them.

use crate::contact::rules::Rules;
use crate::incidence::Incidence;
use crate::model::Model;

/// No triangle.
pub const NONE: u32 = u32::MAX;

/// Triangles of bodies, then of mesh colliders, with their edges. Points are numbered as the
/// model's particles; vertices of its mesh colliders follow.
#[derive(Debug)]
pub struct Joined {
    pub triangles: Vec<[u32; 3]>,
    /// How many of them belong to bodies.
    pub of_bodies: usize,
    /// The smaller number first.
    pub edges: Vec<[u32; 2]>,
    /// The triangles at each edge; [`NONE`] beyond a rim. Where more than two meet, two of them.
    pub sides: Vec<[u32; 2]>,
    /// Of each triangle, the edges from each corner to the next.
    pub edges_of: Vec<[u32; 3]>,
    /// Triangles at each point, each times three and its corner.
    pub triangles_at: Incidence,
    /// Edges at each point, each times two and its end.
    pub edges_at: Incidence,
    /// Of each body and mesh collider, whether it has no rim.
    pub closed: Vec<bool>,
    pub rules: Rules,
}

impl Joined {
    pub fn new(model: &Model, rules: Rules) -> Self {
        let mut triangles = model.triangles.clone();
        let of_bodies = triangles.len();
        let mut first = model.particle_count() as u32;
        for mesh in &model.mesh_colliders {
            triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| v + first)));
            first += mesh.vertex_count() as u32;
        }
        let points = rules.body.len();
        let mut all: Vec<([u32; 2], u32, u32)> = Vec::with_capacity(3 * triangles.len());
        for (t, &[a, b, c]) in (0u32..).zip(&triangles) {
            for (k, [p, q]) in (0u32..).zip([[a, b], [b, c], [c, a]]) {
                all.push(([p.min(q), p.max(q)], t, k));
            }
        }
        all.sort_unstable();
        let (mut edges, mut sides) = (Vec::new(), Vec::new());
        let mut edges_of = vec![[0; 3]; triangles.len()];
        for (edge, t, k) in all {
            if edges.last() != Some(&edge) {
                edges.push(edge);
                sides.push([NONE; 2]);
            }
            let last = edges.len() - 1;
            let side: &mut [u32; 2] = &mut sides[last];
            let free = usize::from(side[0] != NONE);
            if side[free] == NONE {
                side[free] = t;
            }
            edges_of[t as usize][k as usize] = last as u32;
        }
        let mut closed = vec![true; rules.touches_itself.len()];
        for (edge, side) in edges.iter().zip(&sides) {
            if side[1] == NONE {
                closed[rules.body[edge[0] as usize] as usize] = false;
            }
        }
        Self {
            of_bodies,
            triangles_at: Incidence::new(points, &triangles),
            edges_at: Incidence::new(points, &edges),
            triangles,
            edges,
            sides,
            edges_of,
            closed,
            rules,
        }
    }

    /// The triangles at an edge.
    pub fn at_edge(&self, edge: u32) -> impl Iterator<Item = u32> + use<> {
        self.sides[edge as usize].into_iter().filter(|&t| t != NONE)
    }

    /// The body or mesh collider of a triangle.
    pub fn body(&self, triangle: u32) -> u32 {
        self.rules.body[self.triangles[triangle as usize][0] as usize]
    }

    /// Whether a triangle is led.
    pub fn is_led(&self, triangle: u32) -> bool {
        triangle as usize >= self.of_bodies
    }

    /// Whether two points are one.
    pub fn same(&self, a: u32, b: u32) -> bool {
        self.rules.sewn[a as usize] == self.rules.sewn[b as usize]
    }
}
