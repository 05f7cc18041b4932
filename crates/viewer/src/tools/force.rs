//! The force tool of document 002: a rectangle round the cursor picks the points that one sees
//! there; the left button pushes them along the sight, the right one pulls.

use glam::{Vec2, Vec3};
use tkanina_render::Camera;
use tkanina_sim::commands::Command;

use super::draw::{self, Marks};
use super::input::{ToolContext, ToolInput, Used};
use super::view::View;
use super::visible::Sight;
use crate::action::Action;

/// Names the wind among all that is held.
pub const WIND_ID: u32 = 2;
/// A punch of strength 1 makes points this fast. [m/s]
const PUNCH_SPEED: f32 = 1.5;
/// A wind of strength 1 speeds points up by this: one and a half times free fall. [m/s²]
const WIND_ACCELERATION: f32 = 15.0;
/// A notch of the wheel. [1]
const STRENGTH_STEP: f32 = 1.15;
/// Weakest and strongest. [1]
const STRENGTHS: [f32; 2] = [0.01, 100.0];
/// Smallest and largest rectangle, as a share of the picture's height. [1]
const SIZES: [f32; 2] = [0.01, 2.0];

/// How the force acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForceKind {
    /// Once, at the press: a wave runs over the cloth.
    #[default]
    Punch,
    /// In every step while the button is down.
    Wind,
}

/// Where the force comes from: a camera and a place in its picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceSource {
    camera: Camera,
    pointer: Vec2,
    picture: Vec2,
    /// Depth at which the rectangle is drawn. [m]
    depth: f32,
}

/// Pushes and pulls what one sees.
#[derive(Clone, Debug)]
pub struct ForceTool {
    /// How it acts.
    pub kind: ForceKind,
    /// Factor on the usual force. [1]
    pub strength: f32,
    /// Side of the rectangle as a share of the picture's height. [1]
    pub size: f32,
    source: Option<ForceSource>,
    frozen: bool,
    /// 1 pushes, −1 pulls.
    blows: Option<f32>,
    picked: Vec<u32>,
    sent: Option<(Vec<u32>, Vec3)>,
    generation: u64,
}

impl Default for ForceTool {
    fn default() -> Self {
        Self {
            kind: ForceKind::Punch,
            strength: 1.0,
            size: 0.2,
            source: None,
            frozen: false,
            blows: None,
            picked: Vec::new(),
            sent: None,
            generation: 0,
        }
    }
}

impl ForceTool {
    /// Follows the mouse if the tool is in hand. A frozen wind blows on in any case.
    pub fn update(
        &mut self,
        input: Option<&ToolInput>,
        context: ToolContext,
        actions: &mut Vec<Action>,
    ) -> Used {
        if self.generation != context.snapshot.generation {
            // Another world: it may not know of the wind.
            self.generation = context.snapshot.generation;
            self.sent = None;
        }
        if !self.frozen {
            self.source = input.and_then(|input| self.aim(input, context.camera));
        }
        self.pick(context);
        let mut used = Used::default();
        if let Some(input) = input {
            used = self.press(input, context, actions);
        } else if !self.frozen {
            self.blows = None;
        }
        self.blow(context, actions);
        used
    }

    /// Swaps punch and wind.
    pub fn swap(&mut self) {
        self.blows = None;
        self.kind = match self.kind {
            ForceKind::Punch => ForceKind::Wind,
            ForceKind::Wind => ForceKind::Punch,
        };
    }

    /// Makes it stronger or weaker by a factor.
    pub fn strengthen(&mut self, factor: f32) {
        self.strength = (self.strength * factor).clamp(STRENGTHS[0], STRENGTHS[1]);
    }

    /// Makes the rectangle larger or smaller by a factor.
    pub fn resize(&mut self, factor: f32) {
        self.size = (self.size * factor).clamp(SIZES[0], SIZES[1]);
    }

    /// Leaves the source where it is, or takes it along with the cursor again.
    pub fn freeze(&mut self) {
        self.frozen = !self.frozen && self.source.is_some();
    }

    /// Whether the source stays where it is.
    pub fn is_frozen(&self) -> bool {
        self.frozen
    }

    /// Whether a wind blows now.
    pub fn is_blowing(&self) -> bool {
        self.sent.is_some()
    }

    /// Particles that the force acts on, by number.
    pub fn picked(&self) -> &[u32] {
        &self.picked
    }

    /// The speed [m/s] that a punch gives, or the acceleration [m/s²] of the wind.
    pub fn effect(&self) -> f32 {
        self.strength
            * match self.kind {
                ForceKind::Punch => PUNCH_SPEED,
                ForceKind::Wind => WIND_ACCELERATION,
            }
    }

    /// Marks the rectangle, its direction and the points in it.
    pub fn marks(&self, context: ToolContext) -> Marks {
        let Some(source) = &self.source else { return Marks::default() };
        let view = View::new(&source.camera, source.picture);
        let color = if self.frozen { draw::ACTIVE } else { draw::FRAME };
        let mut segments = draw::rectangle(&view, self.corners(source), source.depth);
        let middle = view.world(view.ray(source.pointer) * f64::from(source.depth));
        let side = self.size * source.picture.y * view.pixel(f64::from(source.depth)) as f32;
        let way = source.camera.forward() * (0.6 * side);
        let pulls = self.blows.is_some_and(|sign| sign < 0.0);
        let (from, to) = if pulls { (middle + way, middle) } else { (middle, middle + way) };
        segments.extend(draw::arrow(from, to));
        let positions = &context.snapshot.positions;
        let picked = self.picked.iter().filter_map(|&i| positions.get(i as usize).copied());
        let color_of_points = if self.blows.is_some() { draw::ACTIVE } else { draw::HOVER };
        let dots = draw::points(picked.collect(), color_of_points, 6.0);
        (vec![draw::lines(segments, color, 2.0)], vec![dots])
    }

    fn aim(&self, input: &ToolInput, camera: &Camera) -> Option<ForceSource> {
        let depth = match &self.source {
            Some(source) => source.depth,
            None => (camera.target - camera.eye).length(),
        };
        let pointer = input.pointer?;
        Some(ForceSource { camera: *camera, pointer, picture: input.size, depth })
    }

    fn corners(&self, source: &ForceSource) -> [Vec2; 2] {
        let half = Vec2::splat(0.5 * self.size * source.picture.y);
        [source.pointer - half, source.pointer + half]
    }

    fn pick(&mut self, context: ToolContext) {
        let Some(source) = self.source else {
            self.picked.clear();
            return;
        };
        let sight = Sight::from(context, &source.camera, source.picture);
        let [a, b] = self.corners(&source);
        self.picked = sight.visible_in(a, b);
        let depths = self.picked.iter().map(|&i| {
            (context.snapshot.positions[i as usize] - source.camera.eye)
                .dot(source.camera.forward())
        });
        if let (false, Some(depth), Some(source)) =
            (self.frozen, depths.reduce(f32::min), &mut self.source)
        {
            source.depth = depth;
        }
    }

    fn press(
        &mut self,
        input: &ToolInput,
        context: ToolContext,
        actions: &mut Vec<Action>,
    ) -> Used {
        // With Alt the mouse is the camera's.
        let ours = !input.modifiers.alt;
        let pressed = [(input.primary, 1.0), (input.secondary, -1.0)]
            .into_iter()
            .find(|(button, _)| ours && button.pressed)
            .map(|(_, sign)| sign);
        match (pressed, self.kind) {
            (Some(sign), ForceKind::Punch) => {
                let impulse = self.total(context, sign);
                let particles = self.picked.clone();
                if !particles.is_empty() {
                    actions.push(Action::Touch(Command::Impulse { particles, impulse }));
                }
            }
            // There is no need to hold a button for a source that stays.
            (Some(sign), ForceKind::Wind) if self.frozen => {
                self.blows = if self.blows == Some(sign) { None } else { Some(sign) };
            }
            (Some(sign), ForceKind::Wind) => self.blows = Some(sign),
            (None, _) if !(self.frozen || input.primary.down || input.secondary.down) => {
                self.blows = None;
            }
            _ => {}
        }
        let wheel = ours && input.scroll != 0.0;
        if wheel {
            actions.push(Action::ForceStrength(STRENGTH_STEP.powf(input.scroll)));
        }
        Used { pointer: pressed.is_some() || self.blows.is_some() && !self.frozen, wheel }
    }

    /// Tells the world of the wind whenever it has changed.
    fn blow(&mut self, context: ToolContext, actions: &mut Vec<Action>) {
        let wanted = match (self.kind, self.blows) {
            (ForceKind::Wind, Some(sign)) if !self.picked.is_empty() => {
                Some((self.picked.clone(), self.total(context, sign)))
            }
            _ => None,
        };
        if wanted == self.sent {
            return;
        }
        let command = match wanted.clone() {
            Some((particles, force)) => Command::Hold { id: WIND_ID, particles, force },
            None => Command::Release { id: WIND_ID },
        };
        actions.push(Action::Touch(command));
        self.sent = wanted;
    }

    /// Impulse [N·s] or force [N] on all picked points, by their mass.
    fn total(&self, context: ToolContext, sign: f32) -> Vec3 {
        let mass: f32 = self.picked.iter().map(|&i| context.snapshot.model.mass[i as usize]).sum();
        let way = self.source.map_or(Vec3::ZERO, |source| source.camera.forward());
        way * (sign * mass * self.effect())
    }
}
