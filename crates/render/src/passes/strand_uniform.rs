//! A look of strands in numbers, and which code draws them.

use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4};

use crate::camera::Camera;
use crate::color::linear;
use crate::frame::{StrandDisplay, StrandLight, StrandLook, Strands};
use crate::passes::surface_uniform::LightKinds;

/// Mirrors `Fibre` in shaders/strand.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct StrandUniform {
    root: Vec4,
    tip: Vec4,
    reflects: Vec4,
    numbers: Vec4,
    detail: Vec4,
    ground: Vec4,
}

impl StrandUniform {
    /// Of strands as they are seen.
    pub fn new(strands: &Strands, sight: &StrandSight) -> Self {
        let look = &strands.look;
        let [root, tip] = look.colors.map(linear);
        let [root_radius, tip_radius] = look.radii.map(|r| if r > 0.0 { r } else { 0.0 });
        let [ambient, diffuse, specular] = look.reflects;
        let values = strands.values.as_ref().filter(|v| v.len() == strands.points.len());
        let valued = f32::from(u8::from(values.is_some()));
        let bunch = look.bunch.max(1.0);
        Self {
            root: root.extend(root_radius),
            tip: tip.extend(tip_radius),
            reflects: Vec4::new(ambient, diffuse, specular, look.shininess.max(0.0)),
            numbers: Vec4::new(look.variation, look.color_map.row(), sight.steps as f32, valued),
            detail: Vec4::new(FINE, sight.least, strip_half_width(look), bunch.min(MOST_HAIRS)),
            ground: Vec4::new(look.spacing.max(1e-6), layers(look) as f32, bunch, longest(strands)),
        }
    }
}

/// Strands thinner than this stand for others that are left out: a line as wide meets some sample
/// of almost every pixel that it passes. Mirrored in shaders/ribbons.wgsl. [pixels]
const FINE: f32 = 0.4;

/// At least this part of strands is drawn however far they are. [1]
const LEAST: f32 = 0.02;

/// Of so few none is left out; they cover less of a pixel instead.
const FEW: f32 = 1000.0;

/// Hairs painted on a strip.
const MOST_HAIRS: f32 = 32.0;

/// A bunch reaches over its neighbours. [1]
const OVERLAP: f32 = 1.6;

/// Layers of shells in a look.
pub(crate) fn layers(look: &StrandLook) -> u32 {
    look.shells.clamp(1, MOST_LAYERS)
}

/// Layers of shells at most.
const MOST_LAYERS: u32 = 256;

/// Half the width of a strip that stands for a bunch. [m]
fn strip_half_width(look: &StrandLook) -> f32 {
    let [root, tip] = look.radii;
    let across = OVERLAP * look.spacing.max(0.0) * look.bunch.max(1.0).sqrt();
    (0.5 * across).max(root.max(tip))
}

/// How strands are seen: what decides how finely they are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StrandSight {
    /// Steps along each.
    pub steps: u32,
    /// Steps along each in the veil.
    pub veil_steps: u32,
    /// At least this part of them is drawn.
    pub least: f32,
    /// How many are drawn at most, the first of their order.
    pub drawn: u32,
    /// Whether any is so wide that light is found by pixel.
    pub wide: bool,
}

/// Pixels of a step along a strand.
const STEP: f32 = 4.0;

/// Steps from point to point at most.
const STEPS_AN_EDGE: u32 = 4;

/// Corners in a picture, with a graphics card and without.
const MOST_CORNERS: [u32; 2] = [4_000_000, 400_000];

/// Where light is found by pixel. [pixels]
const WIDE: f32 = 2.5;

impl StrandSight {
    /// Of `count` strands within bounds as a camera sees them in a picture of `height` pixels.
    pub fn new(
        strands: &Strands,
        (count, [low, high]): (usize, [Vec3; 2]),
        (camera, height): (&Camera, u32),
        software: bool,
    ) -> Self {
        let off = camera.eye - camera.eye.clamp(low, high);
        let nearest = off.length().max(camera.near());
        let pixel = 2.0 * (0.5 * camera.fov_y).tan() * nearest / height as f32;
        let [root, tip] = strands.look.radii;
        let pixels = 2.0 * root.max(tip).max(0.0) / pixel;
        let least = (FEW / count as f32).clamp(LEAST, 1.0);
        let kept = (pixels / FINE).clamp(least, 1.0);
        let mut drawn = (kept * count as f32).ceil().min(count as f32) as u32;
        if matches!(strands.look.display, StrandDisplay::Billboards | StrandDisplay::Cards) {
            drawn = (count as f32 / strands.look.bunch.max(1.0)).ceil() as u32;
        }
        let edges = strands.ranges.iter().map(|range| range[1]).max().unwrap_or(2).max(2) - 1;
        let wanted = (longest(strands) / (STEP * pixel)).min(1e6) as u32 + 1;
        let budget = MOST_CORNERS[usize::from(software)] / (2 * drawn.max(1));
        let most = (STEPS_AN_EDGE * edges).min(budget.max(edges));
        let steps = wanted.clamp(3.min(most), most);
        Self { steps, veil_steps: steps.min(edges), least, drawn, wide: pixels > WIDE }
    }
}

/// Length of the longest of some strands. [m]
fn longest(strands: &Strands) -> f32 {
    let every = (strands.ranges.len() / SOME).max(1);
    let length = |&[first, count]: &[u32; 2]| {
        let own = first as usize..first.saturating_add(count) as usize;
        let points = strands.points.get(own).unwrap_or(&[]);
        points.windows(2).map(|ends| (ends[1] - ends[0]).length()).sum::<f32>()
    };
    let lengths = strands.ranges.iter().step_by(every).map(length);
    lengths.filter(|length| length.is_finite()).fold(0.0, f32::max)
}

/// Strands that are looked at for the longest.
const SOME: usize = 64;

/// Which code draws strands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StrandKind {
    /// What they are drawn as.
    pub display: StrandDisplay,
    /// Of shells: whether it is their fins.
    fins: bool,
    wide: bool,
    marschner: bool,
    lights: LightKinds,
}

impl StrandKind {
    /// For a look under lights; `wide` tells of ribbons alone.
    pub fn new(look: &StrandLook, display: StrandDisplay, wide: bool, lights: LightKinds) -> Self {
        let marschner = look.light == StrandLight::Marschner;
        let wide = wide && display == StrandDisplay::Ribbons;
        Self { display, fins: false, wide, marschner, lights }
    }

    /// The fins that belong to shells.
    pub fn fins(self) -> Self {
        Self { fins: true, ..self }
    }

    /// Whether it is fins.
    pub fn is_fins(self) -> bool {
        self.fins
    }

    /// Values of the `override` constants in shaders/hair.wgsl, ribbons.wgsl, strips.wgsl and
    /// lights.wgsl.
    pub fn constants(self) -> Vec<(&'static str, f64)> {
        let own = [("MARSCHNER", f64::from(u8::from(self.marschner)))];
        let of_display = match self.display {
            StrandDisplay::Ribbons => Some(("WIDE", f64::from(u8::from(self.wide)))),
            StrandDisplay::Billboards => Some(("FACING", 1.0)),
            StrandDisplay::Cards => Some(("FACING", 0.0)),
            StrandDisplay::Shells => None,
        };
        own.into_iter().chain(of_display).chain(self.lights.constants()).collect()
    }
}
