//! A surface's look in numbers, and which code draws it.

use bytemuck::{Pod, Zeroable};
use glam::{Mat3, Mat4, Vec3, Vec4};

use crate::color::linear;
use crate::frame::{Light, LightKind, Paint, Shading, Surface, SurfaceLook};
use crate::passes::globals::MAX_LIGHTS;
use crate::passes::shadow::ShadowPlan;

/// Mirrors `Surface` in shaders/paint.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct SurfaceUniform {
    world_from_local: Mat4,
    normal_from_local: [Vec4; 3],
    front: Vec4,
    back: Vec4,
    reflects: Vec4,
    paint: Vec4,
    second: Vec4,
    repeats: Vec4,
    fade_center: Vec4,
    fade_scale: Vec4,
}

impl SurfaceUniform {
    /// Of a surface within local bounds.
    pub fn new(surface: &Surface, bounds: [Vec3; 2]) -> Self {
        let look = &surface.look;
        let place = surface.world_from_local;
        let [ambient, diffuse, specular] = look.reflects;
        let mut uniform = Self {
            world_from_local: place,
            normal_from_local: normal_columns(&place),
            front: linear(look.front).extend(look.shininess.max(0.0)),
            back: linear(look.back).extend(look.color_map.row()),
            reflects: Vec4::new(ambient, diffuse, specular, 0.0),
            ..Zeroable::zeroed()
        };
        uniform.set_paint(&look.paint);
        if let Some(bumps) = &look.bumps {
            uniform.reflects.w = bumps.strength;
            uniform.repeats.z = bumps.repeat[0];
            uniform.repeats.w = bumps.repeat[1];
        }
        if look.fades {
            uniform.set_fade(bounds);
        }
        uniform
    }

    fn set_paint(&mut self, paint: &Paint) {
        match *paint {
            Paint::Plain => {}
            Paint::Rows { odd, count } => self.paint = linear(odd).extend(count),
            Paint::Curves { background, color, curvature, thickness, frequency } => {
                self.paint = linear(background).extend(frequency);
                self.second = linear(color).extend(curvature);
                self.repeats.x = thickness;
            }
            Paint::Texture { repeat, .. } => [self.repeats.x, self.repeats.y] = repeat,
            Paint::Grid { color, spacing } => {
                let spacing = if spacing > 0.0 { spacing } else { 1.0 };
                self.paint = linear(color).extend(1.0 / spacing);
            }
        }
    }

    fn set_fade(&mut self, [low, high]: [Vec3; 2]) {
        let half = 0.5 * (high - low);
        let thin = 1e-3 * half.max_element();
        let scale = |half: f32| if half > thin { 1.0 / half } else { 0.0 };
        self.fade_center = (0.5 * (low + high)).extend(0.0);
        self.fade_scale = Vec4::new(scale(half.x), scale(half.y), scale(half.z), 0.0);
    }
}

/// Columns that turn normals; w of the first is the sign of the determinant.
fn normal_columns(place: &Mat4) -> [Vec4; 3] {
    let linear = Mat3::from_mat4(*place);
    let determinant = linear.determinant();
    let normals =
        if determinant.abs() > f32::MIN_POSITIVE { linear.inverse().transpose() } else { linear };
    let sign = if determinant < 0.0 { -1.0 } else { 1.0 };
    [normals.x_axis.extend(sign), normals.y_axis.extend(0.0), normals.z_axis.extend(0.0)]
}

/// Which code draws a surface: what is not asked for costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SurfaceKind {
    shading: u8,
    paint: u8,
    bumps: u8,
    fades: bool,
    glossy: bool,
    lights: LightKinds,
}

/// The lights of a frame as code sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct LightKinds {
    count: u8,
    /// A bit for each light that is a lamp.
    lamps: u8,
    /// A bit for each light that throws shadows.
    shadowed: u8,
    /// A bit for each light that has gloss.
    glints: u8,
    /// Taps into a shadow map, each a mix of four texels.
    taps: u8,
    /// The light that hair veils; [`MAX_LIGHTS`] if none is.
    veiled: u8,
}

impl LightKinds {
    /// Of a frame's lights with their shadows, one of them veiled by hair.
    pub fn new(
        lights: &[Light],
        shadows: &ShadowPlan,
        veiled: Option<usize>,
        software: bool,
    ) -> Self {
        // Taps are dear without a graphics card, and one is soft enough.
        let taps = if software { 1 } else { 4 };
        let veiled = veiled.unwrap_or(MAX_LIGHTS) as u8;
        let mut kinds = Self { taps, veiled, ..Self::default() };
        for (i, light) in lights.iter().take(MAX_LIGHTS).enumerate() {
            kinds.count += 1;
            kinds.lamps |= u8::from(matches!(light.kind, LightKind::Point { .. })) << i;
            kinds.shadowed |= u8::from(shadows.shadowed[i]) << i;
            kinds.glints |= u8::from(light.specular.max_element() > 0.0) << i;
        }
        kinds
    }

    /// A bit for each light that a sky may show as a disc. One without gloss comes from all over
    /// the sky.
    pub fn discs(self) -> u8 {
        self.glints & !self.lamps
    }

    /// Values of the `override` constants in shaders/lights.wgsl.
    pub fn constants(self) -> [(&'static str, f64); 6] {
        [
            ("LIGHTS", self.count.into()),
            ("LAMPS", self.lamps.into()),
            ("SHADOWED", self.shadowed.into()),
            ("GLINTS", self.glints.into()),
            ("TAPS", self.taps.into()),
            ("VEILED", self.veiled.into()),
        ]
    }
}

/// What a surface has beside its place.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Has {
    /// Normals by vertex.
    pub normals: bool,
    /// Texture coordinates.
    pub uvs: bool,
    /// Values to colour it by.
    pub values: bool,
    /// A picture that could be read.
    pub picture: bool,
    /// A normal map that could be read.
    pub bump_map: bool,
}

impl SurfaceKind {
    /// For a look on a surface that has these; paint without its data is left out.
    pub fn new(look: &SurfaceLook, has: Has, lights: LightKinds) -> Self {
        let shading = match look.shading {
            _ if !has.normals => 0,
            Shading::Flat => 0,
            Shading::Gouraud => 1,
            Shading::Phong => 2,
        };
        let paint = match look.paint {
            _ if has.values => 5,
            Paint::Grid { .. } => 4,
            _ if !has.uvs => 0,
            Paint::Plain => 0,
            Paint::Rows { .. } => 1,
            Paint::Curves { .. } => 2,
            Paint::Texture { .. } if has.picture => 3,
            Paint::Texture { .. } => 0,
        };
        let bumps = match &look.bumps {
            Some(bumps) if has.uvs && bumps.image.is_none() => 1,
            Some(_) if has.uvs && has.bump_map => 2,
            _ => 0,
        };
        let glossy = look.reflects[2] > 0.0;
        Self { shading, paint, bumps, fades: look.fades, glossy, lights }
    }

    /// Values of the `override` constants in shaders/paint.wgsl and shaders/lights.wgsl.
    pub fn constants(self) -> Vec<(&'static str, f64)> {
        let own = [
            ("SHADING", self.shading.into()),
            ("PAINT", self.paint.into()),
            ("BUMPS", self.bumps.into()),
            ("FADES", f64::from(u8::from(self.fades))),
            ("GLOSSY", f64::from(u8::from(self.glossy))),
        ];
        own.into_iter().chain(self.lights.constants()).collect()
    }
}
