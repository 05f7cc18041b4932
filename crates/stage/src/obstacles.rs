//! Colliders as surfaces.

use std::ops::Range;

use glam::{Mat4, Quat, Vec3};
use tkanina_render::Frame;
use tkanina_render::frame::{Paint, Surface, SurfaceLook};
use tkanina_render::meshes::{self, Mesh};
use tkanina_scene::schema::{Look, LookFloor};
use tkanina_sim::colliders::{ColliderShape, MeshCollider};
use tkanina_sim::model::Model;
use tkanina_sim::motion::Pose;
use tkanina_sim::soa::Soa3;
use tkanina_sim::world::World;

use crate::bounds::Bounds;
use crate::errors::StageError;
use crate::facets::Facets;
use crate::ground;
use crate::looks::{self, Finish, vec3};
use crate::pictures::Pictures;
use crate::scenery::smooth_normals;

/// All colliders, with what stays the same from frame to frame.
#[derive(Debug)]
pub struct Obstacles {
    obstacles: Vec<Obstacle>,
    middle: Vec3,
    spacing: f32,
}

#[derive(Debug)]
struct Obstacle {
    name: String,
    mesh: Mesh,
    /// Of a mesh.
    vertices: Option<Vertices>,
    /// A plane has no place of its own along itself.
    is_plane: bool,
    is_ground: bool,
    finish: Finish,
}

impl Obstacles {
    /// The colliders of a world, without a look as yet.
    pub fn of(world: &World, bounds: Bounds) -> Self {
        let colliders = world.model().colliders.iter().enumerate();
        let obstacles = colliders.map(|(index, collider)| Obstacle {
            name: collider.name.clone(),
            mesh: mesh(&collider.shape, SHRUNK * world.model().contact_offset, bounds),
            vertices: Vertices::of(world.model(), index),
            is_plane: matches!(collider.shape, ColliderShape::Plane(_)),
            is_ground: ground::is_ground(world, index),
            finish: Finish::default(),
        });
        let (middle, spacing) = (bounds.middle(), ground::spacing(bounds.diagonal()));
        Self { obstacles: obstacles.collect(), middle, spacing }
    }

    /// The look of each collider.
    pub fn looks(&self, look: &Look, pictures: &mut Pictures) -> Result<Vec<Finish>, StageError> {
        let mut things = 0;
        let mut finish = |obstacle: &Obstacle| {
            let said = look.bodies.get(&obstacle.name);
            let of_its_own = if obstacle.is_ground || obstacle.is_plane {
                self.floor_look(look, obstacle, said.and_then(|said| said.color))
            } else {
                things += 1;
                looks::obstacle(things - 1)
            };
            looks::finish(said, &obstacle.name, of_its_own, ROWS, pictures)
        };
        self.obstacles.iter().map(&mut finish).collect()
    }

    /// Gives each collider its look.
    pub fn set_looks(&mut self, looks: Vec<Finish>) {
        for (obstacle, finish) in self.obstacles.iter_mut().zip(looks) {
            obstacle.finish = finish;
        }
    }

    /// Puts all colliders into a frame, where they are now.
    pub fn draw(&self, world: &World, frame: &mut Frame) {
        for (index, obstacle) in self.obstacles.iter().enumerate() {
            if !obstacle.finish.hidden {
                frame.surfaces.push(self.surface(world, index));
            }
        }
    }

    /// A collider where it is now; `index` is one of theirs.
    pub fn surface(&self, world: &World, index: usize) -> Surface {
        let obstacle = &self.obstacles[index];
        let look = obstacle.finish.look.clone();
        let pose = world.collider_pose(index);
        let moved = obstacle.vertices.as_ref().map(|vertices| vertices.mesh(world, pose));
        let pose = if moved.is_some() { Pose::IDENTITY } else { pose };
        let mesh = moved.as_ref().unwrap_or(&obstacle.mesh);
        if obstacle.is_plane {
            let normal = pose.vector(Vec3::Y);
            let height = normal.dot(self.middle - pose.position);
            ground::surface(mesh, self.middle - height * normal, pose.rotation, look)
        } else {
            place(mesh, pose.position, pose.rotation, look)
        }
    }

    /// Whether a collider is a plane without end.
    pub fn is_plane(&self, index: usize) -> bool {
        self.obstacles[index].is_plane
    }

    fn floor_look(&self, look: &Look, obstacle: &Obstacle, color: Option<[f64; 3]>) -> SurfaceLook {
        // A floor of the look tells what the ground is like, wherever it lies.
        let floor = look.floor.clone().unwrap_or_else(|| LookFloor {
            grid_m: f64::from(self.spacing),
            ..LookFloor::default()
        });
        let color = vec3(color.unwrap_or(floor.color));
        let mut floor = ground::floor_look(color, floor.grid_m as f32);
        floor.fades = obstacle.is_plane;
        if !obstacle.is_ground {
            floor.paint = Paint::Plain;
        }
        floor
    }
}

/// Corners round a ball: no edge shows.
const AROUND: u32 = 64;
/// Rows of `row_colors` on a collider.
const ROWS: f32 = 10.0;

/// Cloth is held off by the contact offset. Obstacles are drawn smaller by this share of it, so
/// that their edges do not show between the points of a coarse cloth. [1]
const SHRUNK: f32 = 0.75;

fn mesh(shape: &ColliderShape, shrunk: f32, bounds: Bounds) -> Mesh {
    // Never to less than half.
    let less = |size: f32| (size - shrunk).max(0.5 * size);
    match shape {
        ColliderShape::Sphere(sphere) => meshes::sphere(less(sphere.radius), AROUND),
        ColliderShape::Box(cuboid) => meshes::cuboid(cuboid.half_size.map(less)),
        ColliderShape::Capsule(capsule) => {
            meshes::capsule(capsule.half_length, less(capsule.radius), AROUND)
        }
        ColliderShape::Plane(_) => ground::mesh(bounds.diagonal()),
        ColliderShape::Mesh(mesh) => {
            Facets::new(mesh.points(), mesh.triangles()).mesh(mesh.points())
        }
        ColliderShape::DistanceField(field) => {
            let mesh = field.mesh();
            let normals = smooth_normals(mesh.points(), mesh.triangles());
            let inward = |(point, normal): (&Vec3, &Vec3)| *point - *normal * shrunk;
            let points: Vec<Vec3> = mesh.points().iter().zip(&normals[..]).map(inward).collect();
            Facets::new(mesh.points(), mesh.triangles()).mesh(&points)
        }
    }
}

/// Vertices of a mesh collider: they may move on their own, and be held up.
#[derive(Debug)]
struct Vertices {
    /// Which of the state's they are.
    own: Range<usize>,
    /// Number of the mesh.
    number: usize,
    facets: Facets,
}

impl Vertices {
    fn of(model: &Model, index: usize) -> Option<Self> {
        let number = model.mesh_colliders.iter().position(|mesh| mesh.collider == index)?;
        let (before, mesh) = (&model.mesh_colliders[..number], &model.mesh_colliders[number]);
        let first = before.iter().map(MeshCollider::vertex_count).sum();
        let facets = Facets::new(&mesh.rest, &mesh.triangles);
        Some(Self { own: first..first + mesh.vertex_count(), number, facets })
    }

    /// Where they are in the world; where nothing touches, that is where they are led.
    fn mesh(&self, world: &World, pose: Pose) -> Mesh {
        let state = world.state();
        let points: Vec<Vec3> = if world.contact_tally().is_some() {
            self.own.clone().map(|i| state.obstacles.get(i)).collect()
        } else {
            let mesh = &world.model().mesh_colliders[self.number];
            let mut points = Soa3::zeros(mesh.vertex_count());
            mesh.positions_under(pose, state.time, points.view_mut());
            points.iter().collect()
        };
        self.facets.mesh(&points)
    }
}

/// A mesh somewhere.
pub fn place(mesh: &Mesh, position: Vec3, rotation: Quat, look: SurfaceLook) -> Surface {
    Surface {
        positions: mesh.positions.clone(),
        normals: mesh.normals.clone(),
        uvs: mesh.uvs.clone(),
        values: None,
        triangles: mesh.triangles.clone(),
        world_from_local: Mat4::from_rotation_translation(rotation, position),
        look,
    }
}
