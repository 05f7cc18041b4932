//! A closed mesh of unknown make as a soft body.

use glam::Vec3;
use serde_json::{Value, json};
use tkanina_sim::topology::{Openings, connect_mesh};

use super::digits;
use crate::build::welded;
use crate::mesh_io::MeshData;

/// As a plush toy. [kg/m³]
const DENSITY: f64 = 100.0;
/// √(2k/m) of springs along edges: a step of 1 ms is enough for them. [1/s]
const FASTEST: f64 = 600.0;
/// How far its own weight may press it together, of its size.
const SAG: f64 = 0.03;
/// Standard gravity. [m/s²]
const GRAVITY: f64 = 9.81;

/// A mesh that encloses a volume.
pub(super) struct Filled {
    mass: f64,
    points: f64,
    /// Cube root of the volume. [m]
    size: f64,
}

impl Filled {
    /// Of a mesh that is multiplied by `scale`; `None` if it encloses nothing.
    pub fn of(mesh: &MeshData, scale: f64) -> Option<Self> {
        let points: Vec<Vec3> =
            mesh.positions.iter().map(|&p| Vec3::from(p) * scale as f32).collect();
        let faces: Vec<Vec<u32>> = mesh.faces.iter().map(<[u32]>::to_vec).collect();
        let (skin, _) = welded(&points, &connect_mesh(&points, &faces).triangles);
        let volume = skin.volume();
        let closed = !skin.triangles.is_empty() && Openings::of(&skin).is_sound();
        (closed && volume > f64::from(f32::MIN_POSITIVE)).then(|| Self {
            mass: DENSITY * volume,
            points: skin.points.len() as f64,
            size: volume.cbrt(),
        })
    }

    /// Makes the entry of a body that of a soft one: a skin with springs to its middle and gas,
    /// such that it hardly sags.
    pub fn describe(&self, body: &mut Value) {
        let a_point = self.mass / self.points;
        let edges = 0.5 * a_point * FASTEST * FASTEST;
        let middle = self.mass * GRAVITY / (self.points * SAG * self.size);
        let pressure = self.mass * GRAVITY / (self.size * self.size);
        body["kind"] = json!("soft-body");
        body["mass"] = json!({ "total_kg": digits(self.mass) });
        body["springs"] =
            json!({ "stiffness": digits(edges), "damping": digits(0.3 * a_point * FASTEST) });
        body["centre_springs"] = json!({
            "stiffness": digits(middle),
            "damping": digits((a_point * middle).sqrt() * 0.3),
        });
        body["gas"] = json!({
            "overpressure_Pa": digits(0.1 * pressure),
            "outside_Pa": digits(10.0 * pressure),
        });
        body["damping_kg_s"] = json!(digits(0.3 * a_point));
    }
}
