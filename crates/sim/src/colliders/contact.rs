//! Friction and restitution of one point against all that it touches.

use glam::Vec3;

use super::response::ContactSettings;

/// Rounds of [`solve_velocity`] when a point touches several colliders. Each
/// shrinks the error by the squared cosine between two normals: enough for
/// wedges down to some 30°, and reached only by points in a wedge.
const ROUNDS: usize = 32;

/// Rounds of putting a point outside everything it touches.
const HOLD_ROUNDS: usize = 8;

/// Change of velocity, relative to the velocity that came in, below which it is
/// rounding.
const SETTLED: f32 = 1e-6;

/// What may be left of the relative velocity of a point that has come to rest:
/// several times [`SETTLED`], the error of each round.
pub const RESTS: f32 = 1e-5;

/// One contact of one point, in the world at the end of the step.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// Which collider.
    pub collider: usize,
    /// Unit normal, out of the collider.
    pub normal: Vec3,
    /// A point of the tangent plane, `touch` above where the point is held [m].
    pub point: Vec3,
    /// Slack of detection [m].
    pub touch: f32,
    /// Part of the step before the impact.
    pub fraction: f32,
    /// How far the surface moved in the step [m].
    pub slide: Vec3,
    /// Coulomb coefficient.
    pub friction: f32,
    /// Velocity of the surface [m/s].
    surface_velocity: Vec3,
    /// Least relative normal velocity that may go out [m/s].
    target: f32,
    /// Height above the surface regained by a bounce [m].
    rise: f32,
    /// Change of normal velocity so far [m/s].
    normal_impulse: f32,
    /// Change of tangential velocity so far [m/s].
    friction_impulse: Vec3,
    /// Whether friction reached its limit.
    slips: bool,
}

/// A point's step as the solver left it.
#[derive(Clone, Copy, Debug)]
pub struct Travel {
    /// Position at the start [m].
    pub start: Vec3,
    /// Position at the end [m].
    pub end: Vec3,
    /// Velocity at the end [m/s].
    pub velocity: Vec3,
}

impl Contact {
    /// Fills a list before there are contacts.
    pub const NONE: Contact = Contact {
        collider: usize::MAX,
        normal: Vec3::ZERO,
        point: Vec3::ZERO,
        touch: 0.0,
        fraction: 0.0,
        slide: Vec3::ZERO,
        friction: 0.0,
        surface_velocity: Vec3::ZERO,
        target: 0.0,
        rise: 0.0,
        normal_impulse: 0.0,
        friction_impulse: Vec3::ZERO,
        slips: false,
    };

    /// Completes a contact found by detection with the velocities of the step.
    #[inline]
    pub fn new(
        geometry: ContactGeometry,
        restitution: f32,
        settings: &ContactSettings,
        travel: &Travel,
    ) -> Self {
        let ContactGeometry { collider, normal, point, touch, fraction, slide, friction } =
            geometry;
        let h = settings.h;
        let surface_velocity = slide * (1.0 / h);
        let approach = (travel.velocity - surface_velocity).dot(normal);
        let mut contact = Self {
            collider,
            normal,
            point,
            touch,
            fraction,
            slide,
            friction,
            surface_velocity,
            ..Self::NONE
        };
        if restitution <= 0.0 || approach >= 0.0 {
            return contact;
        }
        // The mean velocity of a step is the velocity at its middle, whatever the
        // integrator; gravity takes it from there to the instant of the impact.
        let pull = settings.gravity.dot(normal);
        let mean = (travel.end - travel.start - slide).dot(normal) / h;
        let impact = mean + pull * h * (fraction - 0.5);
        if impact < -settings.resting_speed {
            let rest = (1.0 - fraction) * h;
            contact.target = approach - (1.0 + restitution) * impact;
            contact.rise = (-restitution * impact * rest + 0.5 * pull * rest * rest).max(0.0);
        }
        contact
    }

    /// Moves `x` out to the surface, or to the height of its bounce.
    #[inline]
    pub fn hold(&self, x: &mut Vec3) -> bool {
        let lift = self.normal.dot(self.point - *x) - self.touch + self.rise;
        if lift > 0.0 {
            *x += self.normal * lift;
        }
        lift > 0.0
    }

    /// One turn of the projected Gauss–Seidel iteration on `v`.
    ///
    /// λ ← max(0, λ + target − w·n), then t ← clamp(t − w_t, |t| ≤ μ λ), where
    /// w = v − u is the velocity relative to the surface and λ, t are the sums of
    /// what this contact has changed. Coulomb: sticks if it can, else slides with
    /// all the friction there is.
    #[inline]
    fn push(&mut self, v: &mut Vec3) {
        let approach = (*v - self.surface_velocity).dot(self.normal);
        let impulse = (self.normal_impulse + self.target - approach).max(0.0);
        *v += self.normal * (impulse - self.normal_impulse);
        self.normal_impulse = impulse;

        let relative = *v - self.surface_velocity;
        let tangential = relative - self.normal * relative.dot(self.normal);
        let wanted = self.friction_impulse - tangential;
        let limit = self.friction.max(0.0) * impulse;
        let size = wanted.length_squared();
        self.slips = size > limit * limit;
        let given = if self.slips { wanted * (limit / size.sqrt()) } else { wanted };
        *v += given - self.friction_impulse;
        self.friction_impulse = given;
    }

    /// Part of the tangential displacement that friction leaves: none if it
    /// sticks, else as much as it leaves of the tangential velocity, so that
    /// position and velocity tell the same story.
    #[inline]
    fn kept_slide(&self, incoming: Vec3) -> f32 {
        let taken = self.friction_impulse.length_squared();
        if taken == 0.0 {
            return 1.0;
        }
        if !self.slips {
            return 0.0;
        }
        let relative = incoming - self.surface_velocity;
        let tangential = relative - self.normal * relative.dot(self.normal);
        1.0 - (taken / tangential.length_squared().max(taken)).sqrt()
    }

    /// Whether a point that started at `start` and was carried along by the
    /// surface is on it now.
    #[inline]
    fn carries(&self, start: Vec3) -> bool {
        let height = self.normal.dot(start + self.slide - self.point) + self.touch;
        height.abs() <= 2.0 * self.touch
    }
}

/// What detection finds of a contact.
#[derive(Clone, Copy, Debug)]
pub struct ContactGeometry {
    /// See [`Contact::collider`].
    pub collider: usize,
    /// See [`Contact::normal`].
    pub normal: Vec3,
    /// See [`Contact::point`].
    pub point: Vec3,
    /// See [`Contact::touch`].
    pub touch: f32,
    /// See [`Contact::fraction`].
    pub fraction: f32,
    /// See [`Contact::slide`].
    pub slide: Vec3,
    /// See [`Contact::friction`].
    pub friction: f32,
}

/// Position and velocity after all contacts have acted; `x` is the position
/// after detection has held it off every surface.
pub fn respond(contacts: &mut [Contact], travel: &Travel, mut x: Vec3) -> (Vec3, Vec3) {
    let v = solve_velocity(contacts, travel.velocity);
    let first = contacts[0];
    let rests = |contact: &Contact| {
        let came_in = (travel.velocity - contact.surface_velocity).length_squared();
        let left = (v - contact.surface_velocity).length_squared();
        left <= RESTS * RESTS * came_in && contact.carries(travel.start)
    };
    if contacts.iter().all(rests) {
        // Not "moved and moved back": rounding would make it creep.
        return (travel.start + first.slide, first.surface_velocity);
    }
    for contact in contacts.iter() {
        let moved = x - travel.start - contact.slide;
        let along = moved - contact.normal * moved.dot(contact.normal);
        x -= along * ((1.0 - contact.fraction) * (1.0 - contact.kept_slide(travel.velocity)));
    }
    for _ in 0..HOLD_ROUNDS {
        let mut moved = false;
        for contact in contacts.iter() {
            moved |= contact.hold(&mut x);
        }
        if !moved || contacts.len() == 1 {
            break;
        }
    }
    (x, v)
}

fn solve_velocity(contacts: &mut [Contact], incoming: Vec3) -> Vec3 {
    let mut v = incoming;
    if let [contact] = contacts {
        contact.push(&mut v);
        return v;
    }
    let settled = SETTLED * SETTLED * incoming.length_squared();
    for _ in 0..ROUNDS {
        let before = v;
        for contact in contacts.iter_mut() {
            contact.push(&mut v);
        }
        if (v - before).length_squared() <= settled {
            break;
        }
    }
    v
}
