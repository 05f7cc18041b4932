//! Worlds for tests of the tools.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use tkanina_render::{Camera, Frame};
use tkanina_scene::schema::Show;
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::colliders::Collider;
use tkanina_sim::model::Model;
use tkanina_sim::rng::Rng;
use tkanina_sim::strands::{
    Fibre, FibreDrag, Followers, Root, RootPath, StrandBody, StrandCurve, StrandLaw, StrandTouch,
    TouchParts,
};

use super::input::{Button, ToolContext, ToolInput};
use crate::snapshot::Snapshot;

/// Size of the picture in tests. [pixels]
pub const SIZE: Vec2 = Vec2::new(800.0, 600.0);

/// A snapshot of particles of 10 g with triangles and obstacles.
pub fn snapshot(
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    colliders: Vec<Collider>,
) -> Snapshot {
    let count = positions.len();
    Snapshot {
        serial: 1,
        generation: 1,
        frame: Frame::default(),
        legend: None,
        bounds: [Vec3::splat(-1.0), Vec3::ONE],
        cameras: Vec::new(),
        held: vec![false; count].into(),
        cut: Arc::new([]),
        collider_poses: colliders.iter().map(|c| c.pose_at(0.0)).collect(),
        model: Arc::new(Model {
            mass: vec![0.01; count],
            inverse_mass: vec![100.0; count],
            triangles,
            colliders,
            contact_offset: 0.002,
            ..Model::default()
        }),
        positions: positions.into(),
        time: 0.0,
        frame_number: 0,
        kept: [0, 0],
        frame_s: 1.0 / 60.0,
        substeps: 1,
        solver: String::new(),
        playing: true,
        speed: 1.0,
        real_speed: 1.0,
        measures: Arc::new([]),
        explosion: None,
        error: None,
        notes: Vec::new(),
        tangled: 0,
        held_up: Default::default(),
    }
}

/// Points and triangles of a cloth of n × n points whose place is a function of u and v in 0..1.
pub fn cloth(n: u32, place: impl Fn(f32, f32) -> Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let share = |i: u32| i as f32 / (n - 1) as f32;
    let points = (0..n * n).map(|i| place(share(i % n), share(i / n))).collect();
    let squares = (0..(n - 1) * (n - 1)).map(|s| s / (n - 1) * n + s % (n - 1));
    let triangles = squares.flat_map(|a| [[a, a + 1, a + n], [a + 1, a + n + 1, a + n]]).collect();
    (points, triangles)
}

/// A flat cloth 1 m wide in the plane z = 0, of n × n points.
pub fn wall(n: u32) -> Snapshot {
    let (points, triangles) = cloth(n, |u, v| Vec3::new(u - 0.5, 0.5 - v, 0.0));
    snapshot(points, triangles, Vec::new())
}

/// Rods of 0.8 m that hang side by side in the plane z = 0 from y = 0.4, with two followers each;
/// each is a strand of so many nodes.
pub fn curtain(strands: u32, nodes: u32) -> Snapshot {
    let share = |i: u32, n: u32| i as f32 / (n - 1) as f32;
    let curve = |strand: u32| {
        let x = 0.8 * share(strand, strands) - 0.4;
        let points: Vec<Vec3> =
            (0..nodes).map(|i| Vec3::new(x, 0.4 - 0.8 * share(i, nodes), 0.0)).collect();
        let root = Root { path: RootPath::Fixed, clamped: false };
        StrandCurve { start: points.clone(), rest: points, root }
    };
    let followers = 2 * strands as usize;
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    builder.add_strands(&StrandBody {
        name: "curtain".to_owned(),
        strands: (0..strands).map(curve).collect(),
        law: StrandLaw::Rod,
        fibre: Fibre {
            bending: 1e-9,
            twisting: 1e-9,
            density: 1e-5,
            radius: 5e-5,
            taper: 1.0,
            inner_friction: 0.0,
            drag: FibreDrag::default(),
            rest_speed: 0.0,
        },
        velocity: Vec3::ZERO,
        damping: 0.0,
        touch: StrandTouch { friction: 0.0, parts: TouchParts::Points, crowd: None },
        clump: None,
        followers: Some(Arc::new(Followers {
            guides: vec![[0; 3]; followers],
            weights: vec![[1.0, 0.0, 0.0]; followers],
            offsets: vec![Vec3::ZERO; followers],
            lengths: vec![1.0; followers],
        })),
    });
    let (model, state) = builder.build();
    let bare = snapshot(state.x.iter().collect(), Vec::new(), Vec::new());
    Snapshot { model: Arc::new(model), ..bare }
}

/// Looks along −z from 2 m.
pub fn ahead() -> Camera {
    Camera { eye: Vec3::Z * 2.0, target: Vec3::ZERO, up: Vec3::Y, fov_y: 0.8 }
}

/// A camera somewhere round the origin.
pub fn somewhere(rng: &mut Rng) -> Camera {
    let mut any = || rng.between(-1.0, 1.0) as f32;
    Camera {
        eye: Vec3::new(any(), any(), any()).normalize_or(Vec3::Z) * (2.0 + 0.8 * any()),
        target: 0.3 * Vec3::new(any(), any(), any()),
        up: Vec3::new(0.2 * any(), 1.0, 0.2 * any()),
        fov_y: 0.8 + 0.3 * any(),
    }
}

/// A context of a snapshot and a camera with everything shown.
pub fn context<'a>(snapshot: &'a Snapshot, camera: &'a Camera, show: &'a Show) -> ToolContext<'a> {
    ToolContext { snapshot, camera, show }
}

/// The mouse at a place.
pub fn at(pointer: Vec2) -> ToolInput {
    ToolInput { pointer: Some(pointer), size: SIZE, dt: 1.0 / 60.0, ..ToolInput::default() }
}

/// The button goes down.
pub const PRESS: Button = Button { down: true, pressed: true, released: false };
/// The button stays down.
pub const DOWN: Button = Button { down: true, pressed: false, released: false };
/// The button goes up.
pub const RELEASE: Button = Button { down: false, pressed: false, released: true };
