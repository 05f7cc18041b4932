//! What a picture shows, as plain data.
//!
//! Large arrays are shared. A renderer uploads an array when it has not seen that very `Arc`
//! before, so whoever makes frames keeps the `Arc` of what did not change.
//!
//! Colours are sRGB in 0..1, as people choose them; the renderer computes in linear light.

mod strands;

use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::image::Image;

pub use strands::{StrandDisplay, StrandGround, StrandLight, StrandLook, Strands};

/// Everything in a picture but the eye.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Cloth, bodies, obstacles, floors.
    pub surfaces: Vec<Surface>,
    /// Hair, fur, ropes, grass.
    pub strands: Vec<Strands>,
    /// Springs, normals, arrows.
    pub lines: Vec<Lines>,
    /// Particles, pins.
    pub points: Vec<Points>,
    /// What shines; without any light the picture is black.
    pub lights: Vec<Light>,
    /// What is behind everything.
    pub backdrop: Backdrop,
}

/// Triangles with a look.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Vertices. [m]
    pub positions: Arc<[Vec3]>,
    /// Unit normals by vertex, outward at the front. Empty: each triangle's own.
    pub normals: Arc<[Vec3]>,
    /// Texture coordinates by vertex; may be empty.
    pub uvs: Arc<[[f32; 2]]>,
    /// A value by vertex, 0..1 along `look.color_map`; colours the surface in place of its paint.
    pub values: Option<Arc<[f32]>>,
    /// Corners by vertex number, counter-clockwise seen from the front.
    pub triangles: Arc<[[u32; 3]]>,
    /// Place of the vertices in the world.
    pub world_from_local: Mat4,
    /// How it looks.
    pub look: SurfaceLook,
}

/// How a surface looks.
#[derive(Clone, Debug)]
pub struct SurfaceLook {
    /// Colour of the front.
    pub front: Vec3,
    /// Colour of the back.
    pub back: Vec3,
    /// What is painted over the colours.
    pub paint: Paint,
    /// Small bumps, such as a weave.
    pub bumps: Option<Bumps>,
    /// How light is spread over triangles.
    pub shading: Shading,
    /// Parts of ambient, diffuse and specular light that are sent back. [1]
    pub reflects: [f32; 3],
    /// Sharpness of the gloss. [1]
    pub shininess: f32,
    /// Whether triangles are filled, and whether their edges are drawn.
    pub fill: Fill,
    /// Colours of `Surface::values`.
    pub color_map: ColorMap,
    /// Whether it throws a shadow.
    pub casts_shadow: bool,
    /// Whether it fades into the horizon, as a floor does.
    pub fades: bool,
}

/// What is painted over a surface's colours.
#[derive(Clone, Debug, Default)]
pub enum Paint {
    /// Nothing.
    #[default]
    Plain,
    /// Rows along u in turns of the surface's colour and another (002).
    Rows {
        /// Colour of odd rows.
        odd: Vec3,
        /// Rows over v = 0..1.
        count: f32,
    },
    /// Curves that show how cloth bends (000).
    Curves {
        /// Between the curves.
        background: Vec3,
        /// Of the curves.
        color: Vec3,
        /// How much they wave. [1]
        curvature: f32,
        /// Their thickness as a share of their distance. [1]
        thickness: f32,
        /// Their number across the cloth. [1]
        frequency: f32,
    },
    /// A picture.
    Texture {
        /// The picture.
        image: Arc<Image>,
        /// How often it repeats over u and v = 0..1.
        repeat: [f32; 2],
    },
    /// Lines of a square grid in the surface's own x and z.
    Grid {
        /// Of the lines.
        color: Vec3,
        /// Distance of the lines. [m]
        spacing: f32,
    },
}

/// Bumps that turn the normal but move nothing.
#[derive(Clone, Debug)]
pub struct Bumps {
    /// A normal map (x, y, z in red, green, blue); none: a plain weave.
    pub image: Option<Arc<Image>>,
    /// How often it repeats over u and v = 0..1. A plain weave repeats once every two threads.
    pub repeat: [f32; 2],
    /// 0 is flat, 1 is as the map says.
    pub strength: f32,
}

/// How light is spread over triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shading {
    /// One shade a triangle.
    Flat,
    /// Shades mixed between the corners.
    Gouraud,
    /// Normals mixed between the corners.
    #[default]
    Phong,
}

/// What of a triangle is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// Its face.
    #[default]
    Faces,
    /// Its edges.
    Edges,
    /// Both.
    FacesAndEdges,
    /// Nothing; it still throws a shadow if it is told to.
    Nothing,
}

/// Colours for values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorMap {
    /// Dark violet through green to yellow.
    #[default]
    Viridis,
    /// Dark blue through grey to yellow, alike for most colour-blind people.
    Cividis,
}

/// Segments of one width.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Ends of each segment. [m]
    pub segments: Arc<[[Vec3; 2]]>,
    /// A colour (sRGB, alpha) by segment, or one for all.
    pub colors: Arc<[[u8; 4]]>,
    /// Width. [pixels]
    pub width: f32,
    /// Whether they show through what is before them.
    pub on_top: bool,
}

/// Round dots of one size.
#[derive(Clone, Debug)]
pub struct Points {
    /// Centres. [m]
    pub positions: Arc<[Vec3]>,
    /// A colour (sRGB, alpha) by point, or one for all.
    pub colors: Arc<[[u8; 4]]>,
    /// Diameter. [pixels]
    pub size: f32,
    /// Whether they show through what is before them.
    pub on_top: bool,
}

/// A light. Colours may exceed 1 for a strong light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Sun or lamp.
    pub kind: LightKind,
    /// Colour that it adds everywhere; under a sky, less of it to what faces down.
    pub ambient: Vec3,
    /// Colour of matt surfaces that face it.
    pub diffuse: Vec3,
    /// Colour of its gloss.
    pub specular: Vec3,
    /// Whether it throws shadows.
    pub shadows: bool,
}

/// Where light comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    /// Parallel light; the way it goes.
    Sun {
        /// Unit vector.
        direction: Vec3,
    },
    /// A lamp that weakens as 1/(1 + (d/half)²).
    Point {
        /// Where it hangs. [m]
        position: Vec3,
        /// Distance at which it has half its strength. [m]
        half_distance: f32,
    },
}

/// What is behind everything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Backdrop {
    /// One colour.
    Plain(Vec3),
    /// A sky.
    Sky {
        /// Straight up.
        top: Vec3,
        /// At the horizon; floors fade into it.
        horizon: Vec3,
        /// Below the horizon.
        ground: Vec3,
        /// Whether discs mark the suns; one without gloss is a sky's light and has none.
        sun_disc: bool,
    },
}

impl Default for Backdrop {
    fn default() -> Self {
        Self::Sky {
            top: Vec3::new(0.36, 0.55, 0.80),
            horizon: Vec3::new(0.86, 0.89, 0.92),
            ground: Vec3::new(0.62, 0.62, 0.60),
            sun_disc: true,
        }
    }
}

impl Default for SurfaceLook {
    fn default() -> Self {
        Self {
            front: Vec3::splat(0.8),
            back: Vec3::splat(0.7),
            paint: Paint::Plain,
            bumps: None,
            shading: Shading::Phong,
            reflects: [1.0, 1.0, 0.2],
            shininess: 30.0,
            fill: Fill::Faces,
            color_map: ColorMap::Viridis,
            casts_shadow: true,
            fades: false,
        }
    }
}
