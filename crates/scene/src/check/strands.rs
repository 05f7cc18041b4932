//! Strands: what they grow on is there, counts and directions make sense.

use tkanina_sim::materials::STRAND_PRESETS;

use super::{Check, steps};
use crate::schema::{
    Growth, Region, StrandModel, StrandRoot, StrandShape, StrandStart, StrandTouch, Strands,
    SurfaceMap,
};

/// Points of strands, as far as the scene says how many there are.
pub(super) fn points_of(body: &Strands) -> u64 {
    let strands = match &body.shape {
        StrandShape::Single { .. } | StrandShape::Rope { .. } | StrandShape::Knot { .. } => 1,
        StrandShape::OnSurface { growth, .. } | StrandShape::Field { growth, .. } => {
            growth.count.unwrap_or(0)
        }
        StrandShape::Curves(_) => 0,
    };
    u64::from(strands) * u64::from(body.nodes)
}

impl Check<'_> {
    pub(super) fn strands(&mut self, index: usize, body: &Strands) {
        let at = |field: &str| steps!["bodies", index, field];
        let shape = |field: &str| steps!["bodies", index, "shape", field];
        match &body.shape {
            StrandShape::Single { direction, .. } => {
                self.direction(&shape("direction"), *direction);
            }
            StrandShape::Rope { through_m } => {
                let way = |a: &[f64; 3], b: &[f64; 3]| {
                    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
                };
                let length: f64 = through_m.windows(2).map(|ends| way(&ends[0], &ends[1])).sum();
                if length < 1e-5 {
                    let help = Some("move its points apart".to_owned());
                    self.report(&shape("through_m"), "has no length: all its points are one", help);
                }
            }
            StrandShape::OnSurface {
                on,
                growth,
                region,
                density_map,
                length_map,
                direction_map,
                ..
            } => {
                self.carrier(index, &shape("on"), on);
                self.growth(index, growth, direction_map.is_some());
                if direction_map.is_some() && growth.combed == 0.0 {
                    let help = Some("add `combed: 0.8`, how much it counts".to_owned());
                    self.report(&shape("direction_map"), "needs a `combed` beside it", help);
                }
                if let Some(Region::Cone(cone)) = region {
                    let path = steps!["bodies", index, "shape", "region", "cone", "axis"];
                    self.direction(&path, cone.axis);
                }
                if let Some(Region::Box(bounds)) = region
                    && (0..3).any(|axis| bounds.min_m[axis] > bounds.max_m[axis])
                {
                    let path = steps!["bodies", index, "shape", "region", "box", "min_m"];
                    self.report(&path, "must not be above `max_m` on any axis", None);
                }
                let maps = [
                    ("density_map", density_map),
                    ("length_map", length_map),
                    ("direction_map", direction_map),
                ];
                for (field, map) in maps {
                    if let Some(SurfaceMap { file, .. }) = map {
                        self.picture(&steps!["bodies", index, "shape", field, "file"], file);
                    }
                }
                if body.place != crate::schema::Place::default() {
                    let help = Some("leave `place` out, and move what they grow on".to_owned());
                    self.report(
                        &at("place"),
                        "what grows on a surface has its place from there",
                        help,
                    );
                }
            }
            StrandShape::Knot { .. } => {}
            StrandShape::Field { growth, .. } => self.growth(index, growth, false),
            StrandShape::Curves(curves) => self.file(&shape("file"), &curves.file),
        }
        if let StrandStart::Combed { direction, .. } = body.start {
            self.direction(&steps!["bodies", index, "start", "direction"], direction);
        }
        if let StrandModel::SuperHelix { .. } = body.model {
            self.super_helix(index, body);
        }
        if let Some(preset) = &body.fibre.preset {
            let known: Vec<&str> = STRAND_PRESETS.iter().map(|preset| preset.name).collect();
            self.name(&steps!["bodies", index, "fibre", "preset"], "preset", preset, &known);
        }
        match &body.root {
            Some(StrandRoot::Collider { name }) => {
                self.collider_name(&steps!["bodies", index, "root", "name"], name);
            }
            Some(StrandRoot::Body { name }) => {
                self.carrier(index, &steps!["bodies", index, "root", "name"], name);
            }
            Some(StrandRoot::Follow { keyframes }) => {
                let path = steps!["bodies", index, "root", "keyframes"];
                self.increasing(&path, keyframes.iter().map(|key| key.t_s));
            }
            _ => {}
        }
        for (number, pin) in body.pins.iter().enumerate() {
            self.pin(&steps!["bodies", index, "pins", number], None, pin);
        }
    }

    /// A super-helix is followed from a root that holds its direction, and meets colliders alone.
    fn super_helix(&mut self, index: usize, body: &Strands) {
        let at = |field: &str| steps!["bodies", index, field];
        if body.touch == StrandTouch::Segments {
            let help = Some(
                "use `model: { kind: rod }` or `cosserat` for strands that touch others, or \
                 `touch: points`"
                    .to_owned(),
            );
            self.report(&at("touch"), "super-helices meet colliders only, by points", help);
        }
        let loose = "a super-helix needs a root that holds its direction";
        let help = "use `model: { kind: rod }` or `cosserat`, or another root";
        if body.root == Some(StrandRoot::Free) {
            self.report(&at("root"), loose, Some(help.to_owned()));
        } else if body.hinged {
            let help = "use `model: { kind: rod }` or `cosserat`, or leave `hinged` out";
            self.report(&at("hinged"), loose, Some(help.to_owned()));
        }
    }

    fn growth(&mut self, index: usize, growth: &Growth, has_directions: bool) {
        let shape = |field: &str| steps!["bodies", index, "shape", field];
        match (growth.count, growth.per_m2) {
            (None, None) => {
                let help = Some("add `count: 1000` or `per_m2: 20000`".to_owned());
                let path = steps!["bodies", index, "shape"];
                self.report(&path, "says nothing of how many strands there are", help);
            }
            (Some(_), Some(_)) => {
                let help = Some("keep one of the two".to_owned());
                self.report(&shape("count"), "cannot stand beside `per_m2`", help);
            }
            _ => {}
        }
        if growth.combed > 0.0 && growth.comb == [0.0; 3] && !has_directions {
            let help = Some("add `comb: [0, -1, 0]`, the direction they are combed in".to_owned());
            self.report(&shape("combed"), "needs a `comb` beside it", help);
        }
    }

    /// What strands grow on: a collider, or a body that stands before them.
    fn carrier(&mut self, index: usize, path: &[crate::node::Step], name: &str) {
        if self.colliders.contains(name) {
            return;
        }
        let bodies = self.scene.bodies.iter().map(crate::schema::Body::name);
        match bodies.clone().position(|body| body == name) {
            Some(place) if place < index => {
                if self.scene.bodies[place].as_strands().is_some() {
                    let help = Some("name a collider, a cloth or a soft body".to_owned());
                    self.report(path, format!("`{name}` has no surface to grow on"), help);
                }
            }
            Some(_) => {
                let help = Some("put the body that carries strands before them".to_owned());
                self.report(path, format!("`{name}` comes after what grows on it"), help);
            }
            None => {
                let mut known = self.collider_names();
                known.extend(bodies.take(index));
                self.name(path, "collider or body before this one", name, &known);
            }
        }
    }
}
