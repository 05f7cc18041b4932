//! How things look: what the scene says, and what is pleasing where it says nothing.

use glam::Vec3;
use tkanina_render::frame::{Bumps, Fill, Paint, Shading, SurfaceLook};
use tkanina_scene::schema::{self, LookBody, LookPattern};

use crate::errors::StageError;
use crate::pictures::Pictures;

/// A look, and whether it is shown at all.
#[derive(Clone, Debug, Default)]
pub struct Finish {
    /// The look.
    pub look: SurfaceLook,
    /// Left out of the picture.
    pub hidden: bool,
}

/// Colours of bodies in their order: far apart, and of like strength.
const CLOTHS: [Vec3; 6] = [
    Vec3::new(0.72, 0.16, 0.18),
    Vec3::new(0.16, 0.38, 0.62),
    Vec3::new(0.88, 0.66, 0.22),
    Vec3::new(0.20, 0.50, 0.38),
    Vec3::new(0.52, 0.28, 0.56),
    Vec3::new(0.84, 0.45, 0.22),
];
/// Colours of obstacles in their order: pale, so that cloth stands out.
const OBSTACLES: [Vec3; 3] =
    [Vec3::new(0.62, 0.64, 0.68), Vec3::new(0.70, 0.62, 0.52), Vec3::new(0.56, 0.63, 0.58)];
/// The inside of a cloth gets less light and looks a little warmer.
const BACK: Vec3 = Vec3::new(0.86, 0.80, 0.74);

/// The look of a body that the scene says nothing of.
pub fn cloth(index: usize) -> SurfaceLook {
    let front = CLOTHS[index % CLOTHS.len()];
    let reflects = [1.0, 1.0, 0.10];
    SurfaceLook { front, back: front * BACK, reflects, shininess: 18.0, ..Default::default() }
}

/// The look of an obstacle or scenery that the scene says nothing of.
pub fn obstacle(index: usize) -> SurfaceLook {
    let front = OBSTACLES[index % OBSTACLES.len()];
    let reflects = [1.0, 1.0, 0.22];
    SurfaceLook { front, back: front, reflects, shininess: 40.0, ..Default::default() }
}

/// What the scene says of `name` over a look of its own; `rows` are those of `row_colors`.
pub fn finish(
    said: Option<&LookBody>,
    name: &str,
    mut look: SurfaceLook,
    rows: f32,
    pictures: &mut Pictures,
) -> Result<Finish, StageError> {
    let Some(said) = said else { return Ok(Finish { look, hidden: false }) };
    if let Some(color) = said.color {
        look.front = vec3(color);
        look.back = look.front * BACK;
    }
    if let Some([even, odd]) = said.row_colors {
        look.front = vec3(even);
        look.back = look.front * BACK;
        look.paint = Paint::Rows { odd: vec3(odd), count: rows };
    }
    if let Some(color) = said.back_color {
        look.back = vec3(color);
    }
    if let Some(pattern) = &said.pattern {
        look.paint = curves(pattern);
    }
    if let Some(file) = &said.texture {
        let repeat = said.repeat.unwrap_or([1.0, 1.0]).map(|r| r as f32);
        look.paint = Paint::Texture { image: pictures.get(file, name)?, repeat };
    }
    if let Some(bumps) = &said.bumps {
        let image = bumps.file.as_ref().map(|file| pictures.get(file, name)).transpose()?;
        let (repeat, strength) = (bumps.repeat.map(|r| r as f32), bumps.strength as f32);
        look.bumps = Some(Bumps { image, repeat, strength });
    }
    look.shading = said.shading.map_or(look.shading, shading);
    look.shininess = said.shininess.map_or(look.shininess, |s| s as f32);
    let parts = [said.ambient, said.diffuse, said.specular];
    for (reflects, part) in look.reflects.iter_mut().zip(parts) {
        *reflects = part.map_or(*reflects, |p| p as f32);
    }
    if said.wireframe {
        look.fill = Fill::Edges;
    }
    Ok(Finish { look, hidden: said.hidden })
}

/// How light is spread, in the renderer's words.
pub fn shading(described: schema::Shading) -> Shading {
    match described {
        schema::Shading::Flat => Shading::Flat,
        schema::Shading::Gouraud => Shading::Gouraud,
        schema::Shading::Phong => Shading::Phong,
    }
}

fn curves(pattern: &LookPattern) -> Paint {
    Paint::Curves {
        background: vec3(pattern.background),
        color: vec3(pattern.color),
        curvature: pattern.curvature as f32,
        thickness: pattern.thickness as f32,
        frequency: pattern.frequency as f32,
    }
}

/// Three numbers of a scene.
pub fn vec3(v: schema::Vec3) -> Vec3 {
    Vec3::from(v.map(|c| c as f32))
}
