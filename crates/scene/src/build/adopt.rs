//! Going on with a scene that was edited while it ran.

use std::collections::BTreeMap;

use glam::Vec3;
use tkanina_sim::elements::{Tie, TieEnd};
use tkanina_sim::forces::PointAction;
use tkanina_sim::hands::{ColliderShift, Hands};
use tkanina_sim::model::Model;
use tkanina_sim::motion::{Motion, Pose};
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::world::World;

use super::Simulation;
use crate::schema::{self, Body, Inside, Pin, Scene, Selection, SoftBody};

/// Two places nearer to each other than this, as a share of their distance from the
/// origin, are one: anchors of two builds differ by rounding only.
const SAME_PLACE: f32 = 1e-5;

/// Whether a world of `old` may go on under `new`: nothing that decides where things
/// start has changed. Points may be let go, since that moves nothing at once, but a point
/// that is pinned anew would jump to its anchor. [`Simulation::adopt`] has the last word:
/// it sees files and chosen points.
pub fn keeps_state(old: &Scene, new: &Scene) -> bool {
    let same_bodies = old.bodies.len() == new.bodies.len()
        && old.bodies.iter().zip(&new.bodies).all(|(old, new)| {
            starts_alike(old, new)
                && new.pins().iter().all(|pin| old.pins().iter().any(|was| within(pin, was)))
        });
    let seams_kept =
        new.sew.iter().all(|new| old.sew.iter().any(|old| (&old.a, &old.b) == (&new.a, &new.b)));
    let glue_kept = new.glue.iter().all(|new| {
        old.glue.iter().any(|old| {
            (&old.body, &old.collider) == (&new.body, &new.collider)
                && old.stiffness_n_m.is_some() == new.stiffness_n_m.is_some()
                && selects_within(&new.select, &old.select)
        })
    });
    same_bodies && seams_kept && glue_kept && old.start_from == new.start_from
}

fn starts_alike(old: &Body, new: &Body) -> bool {
    match (old, new) {
        (Body::Cloth(old), Body::Cloth(new)) => {
            old.name == new.name
                && old.shape == new.shape
                && old.place == new.place
                && old.velocity_m_s == new.velocity_m_s
                && old.slits == new.slits
        }
        (Body::SoftBody(old), Body::SoftBody(new)) => {
            old.name == new.name
                && old.shape == new.shape
                && old.place == new.place
                && old.velocity_m_s == new.velocity_m_s
                && old.centre_springs.is_some() == new.centre_springs.is_some()
                && old.disorder == new.disorder
                && joints(old) == joints(new)
                && layout(&old.inside) == layout(&new.inside)
        }
        (Body::Strands(old), Body::Strands(new)) => {
            // What they are made of may change under way, but not how they curl or how heavy
            // they are.
            old.name == new.name
                && old.shape == new.shape
                && old.place == new.place
                && old.nodes == new.nodes
                && old.velocity_m_s == new.velocity_m_s
                && old.start == new.start
                && old.rest == new.rest
                && old.root == new.root
                && old.hinged == new.hinged
                && std::mem::discriminant(&old.model) == std::mem::discriminant(&new.model)
                && old.fibre.curl == new.fibre.curl
                && old.fibre.preset == new.fibre.preset
        }
        _ => false,
    }
}

/// Where cores are.
fn joints(body: &SoftBody) -> Option<(&[schema::Vec3], f64)> {
    body.cores.as_ref().map(|cores| (cores.joints_m.as_slice(), cores.radius_m))
}

/// What of an inside decides where its points are.
fn layout(inside: &Option<Inside>) -> Option<(std::mem::Discriminant<Inside>, Option<f64>)> {
    let inside = inside.as_ref()?;
    let spacing = match inside {
        Inside::Tetrahedra { spacing_m, .. } | Inside::Lattice { spacing_m, .. } => *spacing_m,
        Inside::ShapeMatching { .. } => None,
    };
    Some((std::mem::discriminant(inside), spacing))
}

/// Whether `pin` holds nothing that `was` did not hold in the same way.
fn within(pin: &Pin, was: &Pin) -> bool {
    pin.follow == was.follow
        && pin.attach_to == was.attach_to
        && pin.stiffness_n_m.is_some() == was.stiffness_n_m.is_some()
        && selects_within(&pin.select, &was.select)
}

fn selects_within(new: &Selection, old: &Selection) -> bool {
    fn list<T: PartialEq>(new: &Option<Vec<T>>, old: &Option<Vec<T>>) -> bool {
        let was = |item: &T| old.as_ref().is_some_and(|old| old.contains(item));
        new.iter().flatten().all(was)
    }
    fn one<T: PartialEq>(new: &Option<T>, old: &Option<T>) -> bool {
        new.is_none() || new == old
    }
    old.all
        || !new.all
            && list(&new.points, &old.points)
            && list(&new.vertices, &old.vertices)
            && one(&new.edge, &old.edge)
            && one(&new.row, &old.row)
            && one(&new.column, &old.column)
            && one(&new.ball, &old.ball)
            && one(&new.within, &old.within)
}

impl Simulation {
    /// Length of a step. [s]
    pub fn step_s(&self) -> f64 {
        self.schedule.frame_s / f64::from(self.schedule.substeps)
    }

    /// Goes on where `old` is, if its points, ties and held points fit: positions,
    /// velocities, time, what broke and what the user's hands do are taken over bit for bit.
    /// Steps are counted anew for this step length, so that frames stay right and a punch
    /// neither comes twice nor is lost. False, and nothing changed, if something does not
    /// fit. To be called before threads are set, on a simulation that has just been built.
    pub fn adopt(&mut self, old: &Simulation) -> bool {
        // What came apart comes along with the state.
        let (model, was) = (self.world.whole_model(), old.world.whole_model());
        let now = old.world.state().time;
        if !same_points(model, was) || !same_holds(model, was, now) {
            return false;
        }
        let Some(broken) = broken(model, was, &old.world.state().broken, now) else {
            return false;
        };
        let mut state = old.world.state().clone();
        state.broken = broken;
        // Only Verlet's memory is about the past motion alone; others recall old forces.
        let verlet = |world: &World| matches!(world.solver_kind(), SolverKind::Verlet { .. });
        state.memory.started &= verlet(&self.world) && verlet(&old.world);
        let done = state.step;
        state.step = (now / self.step_s()).round() as u64;
        if done > 0 {
            state.step = state.step.max(1);
        }
        let next = state.step;
        fit_hands(&mut state.hands, model, was, true);
        self.start_s = old.start_s;
        self.world.restore(state);
        self.retime_punches(done, old.step_s(), next);
        true
    }

    /// Moves punches that rounding to steps of another length would repeat or lose by less
    /// than a step. `done` steps of length `was` have been taken; `next` is the next one now.
    fn retime_punches(&mut self, done: u64, was: f64, next: u64) {
        let h = self.step_s();
        let moved = |at: f64| {
            let (before, now) = ((at / was).round() as u64, (at / h).round() as u64);
            match (before < done, now < next) {
                (true, false) => Some((next - 1) as f64 * h),
                (false, true) => Some(next as f64 * h),
                _ => None,
            }
        };
        let is_moved = |action: &PointAction| matches!(action, PointAction::Punch { at, .. } if moved(*at).is_some());
        let model = self.world.whole_model();
        if !model.point_forces.iter().any(|force| is_moved(&force.action)) {
            return;
        }
        let (mut model, state) = (model.clone(), self.world.state().clone());
        for force in &mut model.point_forces {
            if let PointAction::Punch { at, .. } = &mut force.action {
                *at = moved(*at).unwrap_or(*at);
            }
        }
        self.world = World::new(model, state, self.world.solver_kind());
    }
}

fn same_points(new: &Model, old: &Model) -> bool {
    new.particle_count() == old.particle_count()
        && new.bodies.len() == old.bodies.len()
        && new.bodies.iter().zip(&old.bodies).all(|(new, old)| {
            (&new.name, &new.particles, &new.triangles, new.grid)
                == (&old.name, &old.particles, &old.triangles, old.grid)
        })
}

/// Fits what hands did in a world of `old` to one of `new`. Colliders are moved by number, and
/// numbers may have changed; one that the edit puts elsewhere stays where it is, or it would leap
/// through cloth, and with `glide` goes to its new place from there. A free fall set by hand ends
/// where the scene's own is set anew.
pub fn fit_hands(hands: &mut Hands, new: &Model, old: &Model, glide: bool) {
    let shifts = std::mem::take(&mut hands.colliders);
    for (collider, is) in (0..).zip(&new.colliders) {
        let Some(index) = old.colliders.iter().position(|was| was.name == is.name) else {
            continue;
        };
        let was = &old.colliders[index];
        let shift = shifts.iter().find(|shift| shift.collider as usize == index);
        if is.rest == was.rest {
            hands.colliders.extend(shift.map(|shift| ColliderShift { collider, ..*shift }));
        } else if is.motion == Motion::Static && was.motion == Motion::Static {
            let present = shift.map_or(was.rest, |shift| shift.now.compose(was.rest));
            let now = present.compose(is.rest.inverse());
            let target = if glide { Pose::IDENTITY } else { now };
            hands.colliders.push(ColliderShift { collider, now, target });
        }
    }
    let falls_alike = match (&new.gravity_track, &old.gravity_track) {
        (None, None) => new.gravity == old.gravity,
        (new, old) => new == old,
    };
    if !falls_alike {
        hands.gravity = None;
    }
}

/// Every point that is held was held at the same place.
fn same_holds(new: &Model, old: &Model, now: f64) -> bool {
    let mut held: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for hold in old.holds.iter().filter(|hold| hold.acts_at(now)) {
        held.entry(hold.particle).or_default().push(hold.anchor);
    }
    new.holds.iter().filter(|hold| hold.acts_at(now)).all(|hold| {
        let was = held.get(&hold.particle);
        was.is_some_and(|was| {
            was.iter().any(|&was| same_anchor((new, hold.anchor), (old, was), now))
        })
    })
}

fn same_anchor((new, a): (&Model, u32), (old, b): (&Model, u32), now: f64) -> bool {
    let place = |model: &Model, anchor: u32| -> Vec3 {
        let pose = |collider: usize| model.colliders[collider].pose_at(now);
        model.anchors[anchor as usize].position(&model.colliders, pose, now)
    };
    let (a, b) = (place(new, a), place(old, b));
    a.distance(b) <= SAME_PLACE * (1.0 + a.length())
}

/// What is broken of the new ties, each of which must be one of the old, in their order.
fn broken(new: &Model, old: &Model, was: &[bool], now: f64) -> Option<Vec<bool>> {
    let mut rest = old.ties.iter().zip(was);
    let same = |a: &Tie, b: &Tie| {
        a.particle == b.particle
            && match (a.end, b.end) {
                (TieEnd::Anchor(a), TieEnd::Anchor(b)) => same_anchor((new, a), (old, b), now),
                (a, b) => a == b,
            }
    };
    new.ties.iter().map(|tie| rest.find(|(old, _)| same(tie, old)).map(|(_, &b)| b)).collect()
}

#[cfg(test)]
mod tests;
