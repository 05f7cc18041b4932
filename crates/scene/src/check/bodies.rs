//! Bodies: materials, points within budget, pins that hold.

use super::{Check, meshes::is_tetra_mesh, steps};
use crate::node::Step;
use crate::schema::{Body, Cloth, Cores, Inside, Pin, Shape, SoftBody, SoftShape};

/// Most points that a scene may simulate; about a gigabyte of state.
pub const MAX_POINTS: u64 = 4_000_000;

impl Check<'_> {
    pub(super) fn bodies(&mut self) {
        let scene = self.scene;
        let names = self.body_names();
        self.unique("bodies", &names);
        let mut total = 0_u64;
        for (index, body) in scene.bodies.iter().enumerate() {
            let before = total;
            total = total.saturating_add(points_of(body));
            // Said once, at the body that goes over.
            if before <= MAX_POINTS && total > MAX_POINTS {
                let message =
                    format!("{total} points so far; a scene may have {MAX_POINTS} in all");
                let help = match body {
                    Body::Strands(_) => {
                        "use fewer strands or `nodes`, and `followers` for the look"
                    }
                    _ => "use a coarser grid or mesh",
                };
                let help = Some(help.to_owned());
                let field = match body {
                    Body::Cloth(_) => "points",
                    Body::SoftBody(_) => "kind",
                    Body::Strands(_) => "count",
                };
                self.report(&steps!["bodies", index, "shape", field], message, help);
            }
            match body {
                Body::Cloth(cloth) => self.cloth(index, cloth),
                Body::SoftBody(body) => self.soft_body(index, body),
                Body::Strands(body) => self.strands(index, body),
            }
        }
    }

    fn cloth(&mut self, index: usize, cloth: &Cloth) {
        let materials: Vec<&str> = self.scene.materials.keys().map(String::as_str).collect();
        self.name(&steps!["bodies", index, "material"], "material", &cloth.material, &materials);
        if let Shape::Mesh { file, .. } = &cloth.shape {
            self.file(&steps!["bodies", index, "shape", "file"], file);
        }
        if let Shape::Garment { around: Some(name), .. }
        | Shape::TShirt { around: Some(name), .. } = &cloth.shape
        {
            self.collider_name(&steps!["bodies", index, "shape", "around"], name);
        }
        for (number, pin) in cloth.pins.iter().enumerate() {
            self.pin(&steps!["bodies", index, "pins", number], Some(&cloth.shape), pin);
        }
    }

    fn soft_body(&mut self, index: usize, body: &SoftBody) {
        let at = |field: &str| steps!["bodies", index, field];
        self.soft_shape(&at("shape"), &body.shape);
        if let SoftShape::Mesh { file, .. } = &body.shape
            && is_tetra_mesh(file)
            && matches!(body.inside, Some(Inside::Tetrahedra { spacing_m: Some(_), .. }))
        {
            let message = format!("cannot stand beside `{file}`, which has its tetrahedra");
            let help = Some("leave `spacing_m` out, or give an OBJ file to fill".to_owned());
            self.report(&steps!["bodies", index, "inside", "spacing_m"], message, help);
        }
        if let Some(cores) = &body.cores {
            self.cores(index, body, cores);
        }
        if let Some(carries) = &body.carries {
            self.soft_shape(&steps!["bodies", index, "carries", "shape"], &carries.shape);
            if body.tears_at_stretch.is_some() {
                let help = Some("leave one of the two out".to_owned());
                self.report(&at("carries"), "cannot be carried by what tears", help);
            }
        }
        if let Some(gas) = &body.gas {
            match (gas.amount_mol, gas.overpressure_pa) {
                (None, None) => {
                    let help = "add `amount_mol: 0.01` or `overpressure_Pa: 500`".to_owned();
                    self.report(&at("gas"), "says nothing of how much there is", Some(help));
                }
                (Some(_), Some(_)) => {
                    let help = Some("keep one of the two".to_owned());
                    let path = steps!["bodies", index, "gas", "amount_mol"];
                    self.report(&path, "cannot stand beside `overpressure_Pa`", help);
                }
                _ => {}
            }
            let keys = steps!["bodies", index, "gas", "inflation"];
            self.increasing(&keys, gas.inflation.iter().map(|key| key.t_s));
        }
        for (number, pin) in body.pins.iter().enumerate() {
            self.pin(&steps!["bodies", index, "pins", number], None, pin);
        }
    }

    fn cores(&mut self, index: usize, body: &SoftBody, cores: &Cores) {
        if matches!(body.inside, Some(Inside::Tetrahedra { .. } | Inside::Lattice { .. })) {
            let help = Some("leave one of the two out".to_owned());
            let path = steps!["bodies", index, "cores"];
            self.report(&path, "cannot be inside what `inside` fills", help);
        }
        for (joint, ends) in cores.joints_m.windows(2).enumerate() {
            let way: f64 = (0..3).map(|axis| (ends[1][axis] - ends[0][axis]).powi(2)).sum();
            if way.sqrt() < 1e-6 {
                let path = steps!["bodies", index, "cores", "joints_m", joint + 1];
                let help = Some("a core needs a length: move it".to_owned());
                self.report(&path, "is where the joint before it is", help);
            }
        }
    }

    fn soft_shape(&mut self, here: &[Step], shape: &SoftShape) {
        let field = |name: &str| [here, &steps![name]].concat();
        if let SoftShape::Mesh { file, .. } = shape {
            self.file(&field("file"), file);
        }
        if let SoftShape::Torus { radius_m, tube_m, .. } = shape
            && tube_m >= radius_m
        {
            let message = format!("must be less than `radius_m`, which is {radius_m} m");
            self.report(&field("tube_m"), message, None);
        }
    }

    pub(super) fn pin(&mut self, path: &[Step], shape: Option<&Shape>, pin: &Pin) {
        self.selection(path, &pin.select, shape);
        let field = |name: &str| [path, &steps![name]].concat();
        if pin.breaks_at_n.is_some() && pin.stiffness_n_m.is_none() {
            let help = Some("add `stiffness_N_m: 500`, the spring that breaks".to_owned());
            self.report(&field("breaks_at_N"), "needs a `stiffness_N_m` beside it", help);
        }
        if pin.follow.is_some() && pin.attach_to.is_some() {
            let help = Some("keep one of the two".to_owned());
            self.report(&field("attach_to"), "cannot stand beside `follow`", help);
        }
        if let Some(collider) = &pin.attach_to {
            self.collider_name(&field("attach_to"), collider);
        }
        if let Some(follow) = &pin.follow {
            let keys = [path, &steps!["follow", "keyframes"]].concat();
            self.increasing(&keys, follow.keyframes.iter().map(|key| key.t_s));
        }
    }
}

/// Points of a body that it has by formula; those of files are counted when they are read.
fn points_of(body: &Body) -> u64 {
    let product = |counts: &[u32]| counts.iter().map(|&n| u64::from(n)).product::<u64>();
    match body {
        Body::Cloth(cloth) => match cloth.shape {
            Shape::Grid { points, .. } => product(&points),
            _ => 0,
        },
        Body::Strands(body) => super::strands::points_of(body),
        Body::SoftBody(body) => {
            points_of_skin(&body.shape)
                + body.carries.as_ref().map_or(0, |carries| points_of_skin(&carries.shape))
        }
    }
}

fn points_of_skin(shape: &SoftShape) -> u64 {
    let product = |counts: &[u32]| counts.iter().map(|&n| u64::from(n)).product::<u64>();
    match *shape {
        SoftShape::Mesh { .. } => 0,
        SoftShape::IcoSphere { subdivisions, .. } => 10 * 4u64.pow(subdivisions.min(20)) + 2,
        SoftShape::CentredBox { .. } => 14,
        SoftShape::Box { cells: [a, b, c], .. } => {
            2 * (product(&[a, b]) + product(&[b, c]) + product(&[c, a]) + 1)
        }
        SoftShape::Torus { segments, .. } => product(&segments),
        SoftShape::Capsule { segments: [around, along, cap], .. } => {
            u64::from(around) * (u64::from(along) + 2 * u64::from(cap)) + 2
        }
        // Squares of the front and back, and a rim as deep as its size asks for.
        SoftShape::Letter { cells, size_m, .. } => {
            let square = size_m[0].min(size_m[1]) / (3.0 * f64::from(cells));
            let deep = (size_m[2] / square).min(1e12) as u64 + 1;
            u64::from(cells) * (30 * u64::from(cells) + 26 * deep)
        }
        // Surface over the square of an edge, some three times the square of the height.
        SoftShape::Bear { cells, .. } | SoftShape::RobotHead { cells, .. } => {
            3 * product(&[cells, cells])
        }
    }
}
