//! Fibres as plain data.

use std::sync::Arc;

use glam::Vec3;

use super::ColorMap;

/// Fibres with a look.
#[derive(Clone, Debug)]
pub struct Strands {
    /// Points of all strands, each from root to tip. [m]
    pub points: Arc<[Vec3]>,
    /// First point and number of points of each strand; one of fewer than two is not drawn.
    pub ranges: Arc<[[u32; 2]]>,
    /// A value by point, 0..1 along `look.color_map`; colours the strands in place of their own.
    pub values: Option<Arc<[f32]>>,
    /// What they grow on; without it they cannot be drawn as shells.
    pub ground: Option<StrandGround>,
    /// How they look.
    pub look: StrandLook,
}

/// A surface that strands grow on, and which of them stand about each of its vertices.
#[derive(Clone, Debug)]
pub struct StrandGround {
    /// Vertices. [m]
    pub positions: Arc<[Vec3]>,
    /// Unit normals by vertex, outward.
    pub normals: Arc<[Vec3]>,
    /// The same vertices in a shape that never changes: where hairs are on the surface. [m]
    pub rest: Arc<[Vec3]>,
    /// Corners by vertex number.
    pub triangles: Arc<[[u32; 3]]>,
    /// Strands about each vertex.
    pub guides: Arc<[[u32; 3]]>,
    /// Their shares, which add up to how much of the surface grows hair there: 0 to 1.
    pub weights: Arc<[[f32; 3]]>,
}

/// How fibres look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandLook {
    /// What they are drawn as.
    pub display: StrandDisplay,
    /// How light is spread by them.
    pub light: StrandLight,
    /// Half of their thickness at root and tip. [m]
    pub radii: [f32; 2],
    /// Colours at root and tip.
    pub colors: [Vec3; 2],
    /// How much strands differ in brightness: 0.2 is a fifth to either side. [1]
    pub variation: f32,
    /// Parts of ambient, diffuse and specular light that are sent back. [1]
    pub reflects: [f32; 3],
    /// Sharpness of the gloss of Kajiya and Kay. [1]
    pub shininess: f32,
    /// Distance of roots from their neighbours: how wide bunches are, and how dense shells. [m]
    pub spacing: f32,
    /// Yarns that each is twisted of, as a rope is; 0 or 1: it is smooth.
    pub plies: u32,
    /// Strands that one card or billboard stands for. [1]
    pub bunch: f32,
    /// Layers of shells.
    pub shells: u32,
    /// Colours of `Strands::values`.
    pub color_map: ColorMap,
    /// Whether they throw a shadow.
    pub casts_shadow: bool,
}

/// What strands are drawn as. Document 004, section 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StrandDisplay {
    /// Each as a ribbon of its thickness that faces the eye.
    #[default]
    Ribbons,
    /// A few as wide strips that face the eye, with hairs painted on them.
    Billboards,
    /// A few as strips that lie as the hair does, with hairs painted on them.
    Cards,
    /// The surface they grow on in many layers with dots for hairs, and fins at its outline.
    Shells,
}

/// How light is spread by strands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StrandLight {
    /// sin(t, l) and (t·l t·e + sin(t, l) sin(t, e))ˢ. Kajiya and Kay, 1989.
    KajiyaKay,
    /// Reflected, passed through, reflected inside: three lobes. Marschner et al., 2003, as
    /// approximated by Karis, 2016.
    #[default]
    Marschner,
}

impl Default for StrandLook {
    fn default() -> Self {
        Self {
            display: StrandDisplay::Ribbons,
            light: StrandLight::Marschner,
            radii: [4e-5, 2e-5],
            colors: [Vec3::new(0.25, 0.15, 0.09), Vec3::new(0.46, 0.30, 0.18)],
            variation: 0.15,
            reflects: [1.0, 1.0, 0.5],
            shininess: 60.0,
            spacing: 2e-3,
            plies: 0,
            bunch: 24.0,
            shells: 24,
            color_map: ColorMap::Viridis,
            casts_shadow: true,
        }
    }
}
