//! Pulling at a point.

use glam::{Vec2, Vec3};
use tkanina_sim::commands::Command;
use tkanina_sim::model::Model;

use super::draw::{self, Marks};
use super::input::{ToolContext, ToolInput, Used};
use super::visible::{Pick, Sight};
use crate::action::Action;

/// Names the grab among all that is held.
pub const GRAB_ID: u32 = 1;
/// A notch of the wheel moves the point farther by this factor. [1]
const FARTHER: f32 = 1.05;

/// Draws the point under the cursor along.
#[derive(Clone, Debug, Default)]
pub struct GrabTool {
    hover: Option<Pick>,
    held: Option<Held>,
}

#[derive(Clone, Copy, Debug)]
struct Held {
    particle: u32,
    depth: f32,
    /// From the cursor to the point when it was taken. [pixels]
    offset: Vec2,
    target: Vec3,
    generation: u64,
    /// The particle in its body, by their numbers: what comes apart elsewhere moves particles up.
    place: Option<[usize; 2]>,
}

impl Held {
    /// The particle's present number.
    fn follow(&mut self, model: &Model) {
        let start = |[body, local]: [usize; 2]| {
            let particles = &model.bodies.get(body)?.particles;
            (local < particles.len()).then_some((particles.start + local) as u32)
        };
        self.particle = self.place.and_then(start).unwrap_or(self.particle);
    }
}

fn place_in(model: &Model, particle: u32) -> Option<[usize; 2]> {
    let particle = particle as usize;
    let body = model.bodies.iter().position(|body| body.particles.contains(&particle))?;
    Some([body, particle - model.bodies[body].particles.start])
}

impl GrabTool {
    /// Takes, moves and releases a point.
    pub fn update(
        &mut self,
        input: &ToolInput,
        context: ToolContext,
        actions: &mut Vec<Action>,
    ) -> Used {
        let free = !(input.primary.down || input.secondary.down || input.middle.down);
        self.hover =
            input.pointer.filter(|_| free).and_then(|p| Sight::new(context, input.size).pick(p));
        if self.held.is_some() {
            self.drag(input, context, actions);
        } else if let (true, Some(pointer)) =
            (input.primary.pressed && !input.modifiers.alt, input.pointer)
        {
            self.take(pointer, input.size, context, actions);
        }
        let busy = self.held.is_some();
        Used { pointer: busy, wheel: busy }
    }

    /// Releases the point, if one is held.
    pub fn let_go(&mut self, actions: &mut Vec<Action>) {
        self.hover = None;
        if self.held.take().is_some() {
            actions.push(Action::Touch(Command::Release { id: GRAB_ID }));
        }
    }

    /// The particle that is held.
    pub fn held(&self) -> Option<u32> {
        self.held.map(|held| held.particle)
    }

    /// Marks the point that is or would be taken.
    pub fn marks(&self, context: ToolContext) -> Marks {
        let place = |i: u32| context.snapshot.positions.get(i as usize).copied();
        if let Some(held) = self.held {
            let Some(point) = place(held.particle) else { return Marks::default() };
            let string = draw::lines(vec![[point, held.target]], draw::ACTIVE, 2.0);
            return (vec![string], vec![draw::points(vec![point], draw::ACTIVE, 9.0)]);
        }
        let hover = self.hover.and_then(|pick| place(pick.particle));
        let dots = hover.map(|point| draw::points(vec![point], draw::HOVER, 9.0));
        (Vec::new(), dots.into_iter().collect())
    }

    fn take(&mut self, pointer: Vec2, size: Vec2, context: ToolContext, actions: &mut Vec<Action>) {
        let Some(pick) = Sight::new(context, size).pick(pointer) else { return };
        let point = context.snapshot.positions[pick.particle as usize];
        let Some((place, depth)) = context.camera.project(point, size) else { return };
        let held = Held {
            particle: pick.particle,
            depth,
            offset: place - pointer,
            target: point,
            generation: context.snapshot.generation,
            place: place_in(&context.snapshot.model, pick.particle),
        };
        self.hold(held, actions);
    }

    fn drag(&mut self, input: &ToolInput, context: ToolContext, actions: &mut Vec<Action>) {
        let Some(mut held) = self.held else { return };
        held.follow(&context.snapshot.model);
        let gone = held.particle as usize >= context.snapshot.positions.len();
        if gone || !input.primary.down {
            self.let_go(actions);
            return;
        }
        let again = held.generation != context.snapshot.generation;
        held.generation = context.snapshot.generation;
        let nearest = 2.0 * context.camera.near();
        held.depth = (held.depth * FARTHER.powf(input.scroll)).max(nearest);
        if let Some(pointer) = input.pointer {
            let ray = context.camera.ray(pointer + held.offset, input.size);
            let along = held.depth / ray.dot(context.camera.forward());
            held.target = context.camera.eye + ray * along;
        }
        let moved = self.held.is_some_and(|was| (was.target - held.target).length() > 1e-6);
        if moved || again {
            self.hold(held, actions);
        }
    }

    fn hold(&mut self, held: Held, actions: &mut Vec<Action>) {
        let Held { particle, target, .. } = held;
        self.held = Some(held);
        actions.push(Action::Touch(Command::Grab { id: GRAB_ID, particle, target }));
    }
}
