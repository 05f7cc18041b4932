//! How fibres look: what the scene says, and what is pleasing where it says nothing.

use glam::Vec3;
use tkanina_render::frame::{StrandDisplay, StrandLight, StrandLook};
use tkanina_scene::schema::{self, LookBody, LookStrands};
use tkanina_sim::strands::Fibre;

use crate::looks::{Finish, vec3};

/// A look of strands, and whether they are shown at all.
#[derive(Clone, Debug, Default)]
pub struct StrandFinish {
    /// The look.
    pub look: StrandLook,
    /// Left out of the picture.
    pub hidden: bool,
    /// The look of a scene that says nothing.
    own: StrandLook,
    /// How much thicker than they are strands are drawn if the scene says nothing. [1]
    thicker: f32,
}

/// Thicker than this it is no hair. [m]
const HAIR: f32 = 2.5e-4;
/// What is thicker than this from end to end is twisted of yarns. [m]
const ROPE: f32 = 2e-3;
/// Few hairs are drawn thicker, at most by this. [1]
const THICKER: f32 = 4.0;
/// Hairs of a head of which none need be thicker.
const MANY: f32 = 100_000.0;
/// Brown hair.
const BROWN: Vec3 = Vec3::new(0.26, 0.16, 0.10);
/// Rope.
const HEMP: Vec3 = Vec3::new(0.66, 0.53, 0.36);
/// Tips are lighter: they have seen more sun. [1]
const TIP: f32 = 1.45;

/// The look of fibres that the scene says nothing of.
pub fn of_its_own(fibre: &Fibre, count: usize) -> StrandFinish {
    let hair = fibre.radius < HAIR;
    let thicker = if hair { thickening(fibre.radius, count) } else { 1.0 };
    let taper = if fibre.taper.is_finite() { fibre.taper.clamp(0.0, 1.0) } else { 1.0 };
    let color = if hair { BROWN } else { HEMP };
    let look = StrandLook {
        radii: [fibre.radius, fibre.radius * taper],
        colors: [color, tip(color)],
        reflects: if hair { [1.0, 1.0, 0.8] } else { [1.0, 1.0, 0.15] },
        plies: if fibre.radius > ROPE && taper > 0.9 { 3 } else { 0 },
        light: if hair { StrandLight::Marschner } else { StrandLight::KajiyaKay },
        ..Default::default()
    };
    StrandFinish { look, hidden: false, own: look, thicker }
}

/// How much thicker few thin hairs are drawn.
fn thickening(radius: f32, count: usize) -> f32 {
    (MANY / count.max(1) as f32).clamp(1.0, THICKER).min((HAIR / radius.max(1e-9)).max(1.0))
}

fn tip(root: Vec3) -> Vec3 {
    (root * TIP).min(Vec3::ONE)
}

impl StrandFinish {
    /// What the scene says of a body of `count` strands over a look of its own.
    pub fn dress(
        &mut self,
        said: Option<&LookBody>,
        finish: &Finish,
        (count, spacing): (usize, f32),
    ) {
        let mut look = StrandLook { spacing, ..self.own };
        self.hidden = finish.hidden;
        if let Some(said) = said {
            if let Some(color) = said.color {
                look.colors = [vec3(color), tip(vec3(color))];
            }
            let parts = [said.ambient, said.diffuse, said.specular];
            for (reflects, part) in look.reflects.iter_mut().zip(parts) {
                *reflects = part.map_or(*reflects, |p| p as f32);
            }
            look.shininess = said.shininess.map_or(look.shininess, |s| s as f32);
        }
        let strands = said.and_then(|said| said.strands.as_ref());
        let width = strands.and_then(|strands| strands.width);
        let factor = width.map_or(self.thicker, |width| width as f32);
        look.radii = look.radii.map(|radius| radius * factor);
        look.bunch = look.bunch.min(count.max(1) as f32);
        if let Some(strands) = strands {
            apply(&mut look, strands, count);
        }
        self.look = look;
    }
}

fn apply(look: &mut StrandLook, said: &LookStrands, count: usize) {
    look.display = match said.display {
        schema::StrandDisplay::Ribbons => StrandDisplay::Ribbons,
        schema::StrandDisplay::Billboards => StrandDisplay::Billboards,
        schema::StrandDisplay::Cards => StrandDisplay::Cards,
        schema::StrandDisplay::Shells => StrandDisplay::Shells,
    };
    look.light = match said.light {
        schema::StrandLight::KajiyaKay => StrandLight::KajiyaKay,
        schema::StrandLight::Marschner => StrandLight::Marschner,
    };
    if let Some(root) = said.root_color {
        look.colors = [vec3(root), tip(vec3(root))];
    }
    if let Some(color) = said.tip_color {
        look.colors[1] = vec3(color);
    }
    look.variation = said.variation as f32;
    look.bunch = (said.bunch as f32).min(count.max(1) as f32);
    look.shells = said.shells;
    look.spacing /= (said.density as f32).sqrt();
}
