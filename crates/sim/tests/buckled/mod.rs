//! A strip without weight that is pressed on the ground end on: clamped above, pointing down.

mod elastica;

pub use elastica::Elastica;

use glam::{Quat, Vec3};
use tkanina_sim::builder::{Grip, ModelBuilder};
use tkanina_sim::cloth::{AngleBending, Cloth, ClothShape, MassRule, SpringModel};
use tkanina_sim::colliders::MeshCollider;
use tkanina_sim::contact::{BodyContact, ContactLaw, Rub};
use tkanina_sim::model::AnchorPath;
use tkanina_sim::motion::{Pose, Track};
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::topology::{GridPlane, GridShape};
use tkanina_sim::world::World;

/// Cells along the strip.
const CELLS: usize = 20;

/// Kept between strip and ground. [m]
const THICKNESS: f32 = 0.002;

/// Tensile stiffness over B/L²: the force of some 20 B/L² shortens the strip by a thousandth.
const STIFFNESS: f32 = 2e4;

/// Speeds die away by e in half a second: a fifth of what would keep the strip from swinging, so
/// that it does not pull at the end while the strip is pressed. [1/s]
const DAMPING: f32 = 2.0;

/// A strip of L = 1 m, B = 1 N m and 1 kg/m² that starts bent as the elastica.
pub struct Press {
    /// Share of its length by which the strip is short at the start.
    pub from: f64,
    /// And at the end.
    pub to: f64,
    /// Time from one to the other. [s]
    pub time: f64,
    /// Coefficient μ of the ground.
    pub friction: f32,
}

impl Press {
    pub fn build(&self, kind: SolverKind) -> World {
        // As for a cantilever, the clamp proper is in the middle of the first cell.
        let step = 1.0 / (CELLS as f32 - 0.5);
        let mut b = ModelBuilder::new(Vec3::ZERO);
        let (particles, _) = b.add_cloth(&strip(step));
        let bent = Elastica::pressed(self.from);
        let (scale, clamp) = (shortened(&bent), height(self.from));
        b.displace(particles.clone(), |at| {
            // The clamp was at y = 0.
            if -at.y < 0.75 * step {
                return at + Vec3::Y * clamp;
            }
            let [x, y] = bent.point(f64::from(-at.y)).map(|p| p as f32 * scale);
            Vec3::new(x, clamp - y, at.z)
        });
        let path = AnchorPath::Track { track: self.track(), centre: Vec3::ZERO };
        for i in particles.filter(|i| i % (CELLS + 1) < 2) {
            b.hold(i, path.clone(), Grip::RIGID);
        }
        b.add_mesh_collider(ground(self.friction));
        b.set_contact(ContactLaw {
            bodies: vec![BodyContact { touches_itself: false, thickness: THICKNESS }],
            thickness: THICKNESS,
            safe: true,
            rub: Rub::default(),
            pairs: Vec::new(),
        });
        let (mut model, state) = b.build();
        model.damping = model.mass.iter().map(|m| DAMPING * m).collect();
        World::new(model, state, kind)
    }

    /// Down with s = 3t² − 2t³: a jerk at the clamp would run through the strip as a blow.
    fn track(&self) -> Track {
        let way = height(self.to) - height(self.from);
        let share = |k: u32| f64::from(k) / 64.0;
        let at = |t: f64| Vec3::Y * way * (t * t * (3.0 - 2.0 * t)) as f32;
        let times = (0..=64).map(|k| self.time * share(k)).collect();
        Track::new(times, (0..=64).map(|k| at(share(k))).collect(), None).unwrap()
    }
}

/// Where the end of the strip is along x; it starts at 0, and the belly is at x > 0. [m]
pub fn end(world: &World) -> f32 {
    let x = &world.state().x;
    0.5 * (x.get(CELLS).x + x.get(2 * CELLS + 1).x)
}

/// 1 − P/Y: what is left of the length under the force along it.
fn shortened(bent: &Elastica) -> f32 {
    1.0 - bent.along as f32 / STIFFNESS
}

/// Height of the clamp at which the strip is short by a share of what is left of its length. [m]
fn height(strain: f64) -> f32 {
    THICKNESS + shortened(&Elastica::pressed(strain)) * (1.0 - strain) as f32
}

/// Straight down from the origin, which is the middle of its first cell.
fn strip(step: f32) -> Cloth {
    let length = step * CELLS as f32;
    let shape = GridShape { counts: [CELLS + 1, 2], size: [length, step], plane: GridPlane::Xz };
    let (warp, weft, shear) = (STIFFNESS, STIFFNESS, 0.4 * STIFFNESS);
    Cloth {
        place: Pose {
            position: Vec3::NEG_Y * (0.5 * length - 0.5 * step),
            rotation: Quat::from_rotation_z(-0.5 * std::f32::consts::PI),
        },
        // k = 4B.
        bending: Some(AngleBending { stiffness: 4.0, damping: 0.0 }),
        plate: true,
        ..Cloth::new(
            "strip",
            ClothShape::Grid(shape),
            MassRule::AreaDensity(1.0),
            SpringModel::Membrane { warp, weft, shear, damping_ratio: 0.0 },
        )
    }
}

/// Two triangles whose edges are all far from the strip.
fn ground(friction: f32) -> MeshCollider {
    let corners = [[-1.0, -1.0], [5.0, -1.0], [5.0, 5.0], [-1.0, 5.0]];
    MeshCollider {
        name: "ground".to_owned(),
        triangles: vec![[0, 3, 1], [1, 3, 2]],
        rest: corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec(),
        friction,
        ..MeshCollider::default()
    }
}
