//! Chosen points must exist; seams must have sides of one length.

use super::{Check, steps};
use crate::node::Step;
use crate::problem::list_names;
use crate::schema::{Body, Force, GridEdge, Selection, SewSide, Shape, StrandModel};

impl Check<'_> {
    /// Seams, glue and forces: their bodies, points and colliders.
    pub(super) fn joins_and_forces(&mut self) {
        let scene = self.scene;
        for (index, sew) in scene.sew.iter().enumerate() {
            let a = self.side(&steps!["sew", index, "a"], &sew.a);
            let b = self.side(&steps!["sew", index, "b"], &sew.b);
            if let (Some(a), Some(b)) = (a, b)
                && a != b
            {
                let message = format!("side `a` has {a} points and side `b` has {b}");
                let help = Some("the n-th point is sewn to the n-th: choose as many".to_owned());
                self.report(&steps!["sew", index], message, help);
            }
        }
        for (index, glue) in scene.glue.iter().enumerate() {
            let here = steps!["glue", index];
            self.body_selection(&here, &glue.body, &glue.select);
            let path = steps!["glue", index, "collider"];
            self.collider_name(&path, &glue.collider);
            if glue.breaks_at_n.is_some() && glue.stiffness_n_m.is_none() {
                let help = Some("add `stiffness_N_m: 500`, the spring that breaks".to_owned());
                let path = steps!["glue", index, "breaks_at_N"];
                self.report(&path, "needs a `stiffness_N_m` beside it", help);
            }
        }
        for (index, force) in scene.forces.iter().enumerate() {
            let (body, select) = force.target();
            self.body_selection(&steps!["forces", index], body, select);
            if let Force::Hold { from_s, until_s: Some(until_s), .. } = force
                && until_s <= from_s
            {
                let message = format!("must be later than `from_s`, which is {from_s} s");
                self.report(&steps!["forces", index, "until_s"], message, None);
            }
        }
    }

    fn side(&mut self, path: &[Step], side: &SewSide) -> Option<u64> {
        self.body_selection(path, &side.body, &side.select);
        self.sewn(path, &side.body);
        count(&side.select, self.shape_of(&side.body)?)
    }

    /// A seam draws at both of its sides at once; rods are advanced on their own.
    fn sewn(&mut self, path: &[Step], name: &str) {
        let of = |body: &&Body| body.name() == name;
        let strands = self.scene.bodies.iter().find(of).and_then(Body::as_strands);
        if strands.is_some_and(|body| !matches!(body.model, StrandModel::Springs { .. })) {
            let message = format!("`{name}` cannot be sewn: seams hold strands of springs only");
            let help = "use `model: { kind: springs, stiffness: 300 }` for the strands, hold their \
                        roots by `root: { kind: body }`, or other points by `pins` or `glue`";
            self.report(&[path, &steps!["body"]].concat(), message, Some(help.to_owned()));
        }
    }

    fn body_selection(&mut self, path: &[Step], body: &str, select: &Selection) {
        self.body_name(&[path, &steps!["body"]].concat(), body);
        let shape = self.shape_of(body);
        self.selection(path, select, shape);
    }

    /// Checks chosen points against the shape they are of, if that is known.
    pub(super) fn selection(&mut self, path: &[Step], select: &Selection, shape: Option<&Shape>) {
        let field = |name: &str| [path, &steps![name]].concat();
        if select.is_empty() {
            let fields = list_names(Selection::FIELDS.iter().copied());
            self.report(path, "chooses no points", Some(format!("add {fields}")));
            return;
        }
        match shape {
            // A grid that is wrong itself says nothing about its points.
            Some(Shape::Grid { points: [0..2, _] | [_, 0..2], .. }) => {}
            Some(Shape::Grid { points, .. }) => self.grid_selection(path, select, *points),
            Some(Shape::Mesh { .. } | Shape::Garment { .. } | Shape::TShirt { .. }) => {
                let given = [
                    ("points", select.points.is_some()),
                    ("edge", select.edge.is_some()),
                    ("row", select.row.is_some()),
                    ("column", select.column.is_some()),
                ];
                for (name, _) in given.iter().filter(|(_, given)| *given) {
                    let help =
                        Some("choose points of a mesh by `vertices`, `ball` or `box`".to_owned());
                    self.report(&field(name), "needs a grid, but the body is a mesh", help);
                }
            }
            None => {}
        }
    }

    fn grid_selection(&mut self, path: &[Step], select: &Selection, [a, b]: [u32; 2]) {
        let extent = format!("the grid has {a} × {b} points: [0, 0] to [{}, {}]", a - 1, b - 1);
        for (index, [i, j]) in select.points.iter().flatten().enumerate() {
            if *i >= a || *j >= b {
                let message = format!("[{i}, {j}] lies outside the grid");
                let path = [path, &steps!["points", index]].concat();
                self.report(&path, message, Some(extent.clone()));
            }
        }
        let total = u64::from(a) * u64::from(b);
        for (index, vertex) in select.vertices.iter().flatten().enumerate() {
            if u64::from(*vertex) >= total {
                let message = format!("vertex {vertex} does not exist");
                let help = format!("the grid has {total} points: 0 to {}", total - 1);
                self.report(&[path, &steps!["vertices", index]].concat(), message, Some(help));
            }
        }
        for (name, chosen, limit) in [("row", select.row, b), ("column", select.column, a)] {
            if let Some(chosen) = chosen.filter(|chosen| *chosen >= limit) {
                let message = format!("{name} {chosen} lies outside the grid");
                self.report(&[path, &steps![name]].concat(), message, Some(extent.clone()));
            }
        }
    }
}

/// How many points are chosen, where one field says so before anything is built.
fn count(select: &Selection, shape: &Shape) -> Option<u64> {
    let only = |kept: Selection| *select == kept;
    let blank = Selection::default;
    if let Some(points) = &select.points {
        let alone = only(Selection { points: select.points.clone(), ..blank() });
        return alone.then_some(points.len() as u64);
    }
    if let Some(vertices) = &select.vertices {
        let alone = only(Selection { vertices: select.vertices.clone(), ..blank() });
        return alone.then_some(vertices.len() as u64);
    }
    let Shape::Grid { points: [a, b], .. } = shape else { return None };
    let (a, b) = (u64::from(*a), u64::from(*b));
    if a < 2 || b < 2 {
        return None;
    }
    if let Some(edge) = select.edge {
        let alone = only(Selection { edge: Some(edge), ..blank() });
        return alone.then_some(match edge {
            GridEdge::Left | GridEdge::Right => b,
            GridEdge::Top | GridEdge::Bottom => a,
            GridEdge::All => 2 * (a + b) - 4,
        });
    }
    if only(Selection { row: select.row, ..blank() }) {
        return Some(a);
    }
    only(Selection { column: select.column, ..blank() }).then_some(b)
}
