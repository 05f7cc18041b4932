//! Where wind comes from and what keeps it off.

use glam::Vec3;

use super::turbulence::Turbulence;
use crate::colliders::{Collider, ColliderStep, Shape};
use crate::parallel::for_each_part;
use crate::soa::{Soa3Mut, Soa3Ref};

/// One source of wind. Several add up.
#[derive(Clone, Debug, PartialEq)]
pub struct WindSource {
    /// What blows.
    pub kind: WindKind,
    /// Colliders, by index, in whose lee this source is not felt.
    pub sheltered_by: Vec<usize>,
}

/// What a source does.
#[derive(Clone, Debug, PartialEq)]
pub enum WindKind {
    /// The same velocity everywhere and always.
    Uniform {
        /// [m/s].
        velocity: Vec3,
    },
    /// A mean velocity with eddies.
    Turbulent {
        /// [m/s].
        mean: Vec3,
        /// The eddies, which the mean carries along.
        turbulence: Box<Turbulence>,
    },
    /// F |F̂·n̂| on every point, Gazibara 2014, 3.5. The document has F̂·n̂, whose
    /// sign depends on which way the normal happens to point, so that one side
    /// of a cloth is pushed and the other is sucked; here the push is along F.
    Force {
        /// [N] on a point face-on.
        force: Vec3,
    },
}

/// The colliders that may shelter, where they are at the start of a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shelter<'a> {
    /// All colliders.
    pub colliders: &'a [Collider],
    /// Their steps.
    pub steps: &'a [ColliderStep],
}

impl WindKind {
    /// Where the wind goes on average; zero if nowhere, and then nothing shelters.
    pub fn direction(&self) -> Vec3 {
        match self {
            Self::Uniform { velocity } => *velocity,
            Self::Turbulent { mean, .. } => *mean,
            Self::Force { force } => *force,
        }
    }
}

impl Shelter<'_> {
    /// Whether, seen from `point`, one of the colliders named stands upwind.
    pub fn covers(&self, sheltered_by: &[usize], point: Vec3, wind: Vec3) -> bool {
        if wind == Vec3::ZERO {
            return false;
        }
        sheltered_by.iter().any(|&k| {
            let (Some(collider), Some(step)) = (self.colliders.get(k), self.steps.get(k)) else {
                return false;
            };
            let (origin, upwind) = (step.start.local_point(point), step.start.local_vector(-wind));
            collider.shape.ray(origin, upwind).is_some()
        })
    }
}

/// The velocity of the air [m/s], if it is the same everywhere and always: then a
/// step need not ask for it point by point.
pub fn uniform_air_velocity(sources: &[WindSource]) -> Option<Vec3> {
    let mut sum = Vec3::ZERO;
    for source in sources {
        match &source.kind {
            WindKind::Force { .. } => {}
            WindKind::Uniform { velocity } if source.sheltered_by.is_empty() => sum += *velocity,
            _ => return None,
        }
    }
    Some(sum)
}

/// out = Σ velocity of the air over all sources, at points `x` and time `t` [s].
/// Sources of force have no velocity: see [`add_wind_forces`].
pub fn air_velocity(
    sources: &[WindSource],
    shelter: Shelter<'_>,
    t: f64,
    x: Soa3Ref<'_>,
    out: Soa3Mut<'_>,
) {
    for_each_part((x, out), BLOCK, &|_, (x, mut out): (Soa3Ref, Soa3Mut)| {
        out.x.fill(0.0);
        out.y.fill(0.0);
        out.z.fill(0.0);
        for source in sources {
            add_source(source, shelter, t, x, &mut out);
        }
    });
}

/// f += F |F̂·n̂| over all sources of force; `normals` are unit vectors.
pub fn add_wind_forces(
    sources: &[WindSource],
    shelter: Shelter<'_>,
    x: Soa3Ref<'_>,
    normals: Soa3Ref<'_>,
    f: Soa3Mut<'_>,
) {
    let forces = |source: &WindSource| matches!(source.kind, WindKind::Force { .. });
    if !sources.iter().any(forces) {
        return;
    }
    for_each_part(
        (x, normals, f),
        BLOCK,
        &|_, (x, normals, mut f): (Soa3Ref, Soa3Ref, Soa3Mut)| {
            for source in sources {
                let WindKind::Force { force } = source.kind else { continue };
                let direction = force.normalize_or_zero();
                for i in 0..f.len() {
                    if !shelter.covers(&source.sheltered_by, x.get(i), force) {
                        f.add(i, force * direction.dot(normals.get(i)).abs());
                    }
                }
            }
        },
    );
}

/// Points worked on together, on the stack.
const BLOCK: usize = 64;

fn add_source(
    source: &WindSource,
    shelter: Shelter<'_>,
    t: f64,
    x: Soa3Ref<'_>,
    out: &mut Soa3Mut<'_>,
) {
    let wind = source.kind.direction();
    let covered = |point| shelter.covers(&source.sheltered_by, point, wind);
    match &source.kind {
        WindKind::Force { .. } => {}
        WindKind::Uniform { velocity } if source.sheltered_by.is_empty() => {
            out.x.iter_mut().for_each(|u| *u += velocity.x);
            out.y.iter_mut().for_each(|u| *u += velocity.y);
            out.z.iter_mut().for_each(|u| *u += velocity.z);
        }
        WindKind::Uniform { velocity } => {
            for i in 0..out.len() {
                if !covered(x.get(i)) {
                    out.add(i, *velocity);
                }
            }
        }
        WindKind::Turbulent { mean, turbulence } => {
            let phases = turbulence.phases_at(*mean, t);
            let mut first = 0;
            while first < out.len() {
                let last = (first + BLOCK).min(out.len());
                let (mut u, mut v, mut w) = ([mean.x; BLOCK], [mean.y; BLOCK], [mean.z; BLOCK]);
                let block =
                    Soa3Ref { x: &x.x[first..last], y: &x.y[first..last], z: &x.z[first..last] };
                turbulence.add_velocity(
                    &phases,
                    block,
                    Soa3Mut { x: &mut u, y: &mut v, z: &mut w },
                );
                for i in first..last {
                    if !covered(x.get(i)) {
                        let k = i - first;
                        out.add(i, Vec3::new(u[k], v[k], w[k]));
                    }
                }
                first = last;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::colliders::{ColliderBox, ColliderShape, ColliderSphere, prepare_steps};
    use crate::motion::Pose;
    use crate::soa::Soa3;

    fn obstacles() -> Vec<Collider> {
        let ball = ColliderShape::Sphere(ColliderSphere { radius: 0.5 });
        let wall = ColliderShape::Box(ColliderBox { half_size: Vec3::new(1.0, 1.0, 0.1) });
        // Turned a quarter about Y: thin along X, at x = 5.
        let rotation = Quat::from_xyzw(0.0, 0.5f32.sqrt(), 0.0, 0.5f32.sqrt());
        let rest = Pose { position: Vec3::X * 5.0, rotation };
        vec![Collider::new("ball", ball, Pose::IDENTITY), Collider::new("wall", wall, rest)]
    }

    fn blow(sources: &[WindSource], points: &[Vec3]) -> Vec<Vec3> {
        let colliders = obstacles();
        let mut steps = Vec::new();
        prepare_steps((&colliders, &[]), 0.0, 0.01, 0.0, &mut steps);
        let shelter = Shelter { colliders: &colliders, steps: &steps };
        let mut out = Soa3::from_points(&vec![Vec3::splat(9.0); points.len()]);
        air_velocity(sources, shelter, 0.5, Soa3::from_points(points).view(), out.view_mut());
        out.iter().collect()
    }

    fn uniform(velocity: Vec3, sheltered_by: &[usize]) -> WindSource {
        WindSource { kind: WindKind::Uniform { velocity }, sheltered_by: sheltered_by.to_vec() }
    }

    #[test]
    fn sources_add_up() {
        let sources = [uniform(Vec3::X, &[]), uniform(Vec3::new(0.0, 2.0, 3.0), &[])];
        assert_eq!(blow(&sources, &[Vec3::ZERO]), [Vec3::new(1.0, 2.0, 3.0)]);
        assert_eq!(blow(&[], &[Vec3::ZERO]), [Vec3::ZERO]);
        assert_eq!(uniform_air_velocity(&sources), Some(Vec3::new(1.0, 2.0, 3.0)));
        assert_eq!(uniform_air_velocity(&[uniform(Vec3::X, &[0])]), None);
    }

    #[test]
    fn sphere_and_box_shelter_their_lee_and_nothing_else() {
        let points = [
            Vec3::new(2.0, 0.49, 0.0), // behind the ball
            Vec3::new(2.0, 0.51, 0.0), // just over it
            Vec3::new(-2.0, 0.0, 0.0), // before it
            Vec3::new(6.0, 0.9, -0.9), // behind the wall
            Vec3::new(6.0, 0.9, -1.1), // beside it
            Vec3::new(4.8, 0.9, 0.5),  // before it
        ];
        let felt = |by: &[usize]| -> Vec<bool> {
            blow(&[uniform(Vec3::X * 3.0, by)], &points).iter().map(|u| u.x > 0.0).collect()
        };
        assert_eq!(felt(&[0]), [false, true, true, true, true, true]);
        assert_eq!(felt(&[1]), [true, true, true, false, true, true]);
        assert_eq!(felt(&[0, 1, 77]), [false, true, true, false, true, true]);
        assert_eq!(felt(&[]), [true; 6]);
    }

    #[test]
    fn turbulent_wind_is_mean_and_eddies_and_is_sheltered_whole() {
        let turbulence = Turbulence::new(1.0, 0.5, 3);
        let mean = Vec3::new(4.0, 0.0, 0.0);
        let points: Vec<_> = (0..100).map(|i| Vec3::new(2.0, 0.02 * i as f32, 0.0)).collect();
        let mut eddies = Soa3::zeros(100);
        turbulence.velocity(mean, 0.5, Soa3::from_points(&points).view(), eddies.view_mut());
        let kind = WindKind::Turbulent { mean, turbulence: Box::new(turbulence) };
        let u = blow(&[WindSource { kind, sheltered_by: vec![0] }], &points);
        for (i, u) in u.iter().enumerate() {
            let open = i > 25;
            let expected = if open { mean + eddies.get(i) } else { Vec3::ZERO };
            assert!(i == 25 || (*u - expected).length() < 1e-5, "{i}: {u} is not {expected}");
        }
    }

    #[test]
    fn force_pushes_along_itself_whichever_way_the_normal_points() {
        let force = Vec3::new(0.0, 0.0, -2.0);
        let sources = [WindSource { kind: WindKind::Force { force }, sheltered_by: vec![] }];
        let slant = Vec3::new(0.8, 0.0, 0.6);
        let normals = Soa3::from_points(&[Vec3::Z, Vec3::NEG_Z, Vec3::X, slant]);
        let mut f = Soa3::zeros(4);
        let x = Soa3::zeros(4);
        add_wind_forces(&sources, Shelter::default(), x.view(), normals.view(), f.view_mut());
        let expected = [force, force, Vec3::ZERO, force * 0.6];
        for (i, expected) in expected.into_iter().enumerate() {
            assert!((f.get(i) - expected).length() < 1e-6);
        }
    }
}
