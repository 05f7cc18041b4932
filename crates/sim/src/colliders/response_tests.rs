//! Contacts against known answers, with free particles.

use glam::{Quat, Vec3};

use super::*;
use crate::soa::Soa3;

const G: f32 = 9.81;

/// Particles that feel gravity and colliders only.
struct Bench {
    colliders: Vec<Collider>,
    steps: Vec<ColliderStep>,
    gravity: Vec3,
    h: f64,
    count: u32,
    x: Soa3,
    v: Soa3,
    contacts: usize,
    integrator: Integrator,
    offset: f32,
}

/// Velocities at the middle of a step, or at its end: contacts must do for both.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Integrator {
    SemiImplicitEuler,
    VelocityVerlet,
}

use Integrator::{SemiImplicitEuler, VelocityVerlet};

impl Bench {
    fn new(colliders: Vec<Collider>, h: f64, points: &[Vec3]) -> Self {
        Self {
            colliders,
            steps: Vec::new(),
            gravity: Vec3::NEG_Y * G,
            h,
            count: 0,
            x: Soa3::from_points(points),
            v: Soa3::zeros(points.len()),
            contacts: 0,
            integrator: SemiImplicitEuler,
            offset: 0.0,
        }
    }

    fn step(&mut self) {
        let h = self.h as f32;
        let start = self.x.clone();
        for i in 0..self.x.len() {
            let before = self.v.get(i);
            self.v.add(i, self.gravity * h);
            let mean = match self.integrator {
                SemiImplicitEuler => self.v.get(i),
                VelocityVerlet => 0.5 * (before + self.v.get(i)),
            };
            self.x.add(i, mean * h);
        }
        let t = f64::from(self.count) * self.h;
        prepare_steps((&self.colliders, &[]), t, self.h, self.offset, &mut self.steps);
        let settings = ContactSettings::new(self.offset, h, self.gravity);
        let inverse_mass = vec![1.0; self.x.len()];
        let particles = Particles {
            x_start: start.view(),
            x: self.x.view_mut(),
            v: self.v.view_mut(),
            inverse_mass: &inverse_mass,
        };
        self.contacts = resolve(&self.colliders, &self.steps, &settings, particles);
        self.count += 1;
    }

    fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / self.h).round() as usize {
            self.step();
        }
    }
}

fn collider(shape: ColliderShape, position: Vec3, friction: f32) -> Collider {
    Collider { friction, ..Collider::new("", shape, Pose::at(position)) }
}

fn floor(friction: f32) -> Collider {
    collider(ColliderShape::Plane(ColliderPlane), Vec3::ZERO, friction)
}

fn slab(half_size: Vec3, top: f32, friction: f32) -> Collider {
    let shape = ColliderShape::Box(ColliderBox { half_size });
    collider(shape, Vec3::Y * (top - half_size.y), friction)
}

fn ball(centre: Vec3, radius: f32, friction: f32) -> Collider {
    collider(ColliderShape::Sphere(ColliderSphere { radius }), centre, friction)
}

fn tilt(degrees: f64) -> Quat {
    let half = 0.5 * degrees.to_radians();
    glam::DQuat::from_xyzw(0.0, 0.0, libm::sin(half), libm::cos(half)).as_quat()
}

/// An incline as a tilted plane and as a tilted box, and how far a point slides
/// down it in one second.
fn slid_down(integrator: Integrator, shape: ColliderShape, degrees: f64, friction: f32) -> f32 {
    let surface = match &shape {
        ColliderShape::Box(it) => it.half_size.y,
        _ => 0.0,
    };
    let rotation = tilt(degrees);
    let rest = Pose { position: rotation * Vec3::NEG_Y * surface, rotation };
    let incline = Collider { friction, ..Collider::new("", shape, rest) };
    let mut bench = Bench::new(vec![incline], 1.0 / 480.0, &[Vec3::ZERO]);
    bench.integrator = integrator;
    bench.run(1.0);
    (bench.x.get(0) - Vec3::ZERO).length()
}

const PLANE: ColliderShape = ColliderShape::Plane(ColliderPlane);
const BOX: ColliderShape = ColliderShape::Box(ColliderBox { half_size: Vec3::new(9.0, 0.5, 9.0) });
const INCLINES: [(Integrator, ColliderShape); 3] =
    [(SemiImplicitEuler, PLANE), (SemiImplicitEuler, BOX), (VelocityVerlet, PLANE)];

#[test]
fn incline_sticks_up_to_the_angle_of_friction_and_not_beyond() {
    for (integrator, shape) in INCLINES {
        for friction in [0.2f32, 0.5, 1.0] {
            let critical = libm::atan(f64::from(friction)).to_degrees();
            let slid = |degrees| slid_down(integrator, shape.clone(), degrees, friction);
            assert_eq!(slid(critical - 0.1), 0.0, "creeps at μ {friction}");
            assert!(slid(critical + 0.1) > 1e-3, "sticks at μ {friction}");
        }
    }
}

#[test]
fn incline_slides_with_the_acceleration_that_friction_leaves() {
    for (integrator, shape) in INCLINES {
        for (degrees, friction) in [(30.0f64, 0.0f32), (30.0, 0.3), (50.0, 0.8), (12.0, 0.1)] {
            let (sin, cos) = (libm::sin(degrees.to_radians()), libm::cos(degrees.to_radians()));
            let expected = 0.5 * G * (sin as f32 - friction * cos as f32);
            let slid = slid_down(integrator, shape.clone(), degrees, friction);
            assert!((slid / expected - 1.0).abs() < 0.01, "{slid} m, not {expected} m");
        }
    }
}

#[test]
fn bounce_reaches_e_squared_of_the_height() {
    for (integrator, h) in
        [(SemiImplicitEuler, 1.0 / 120.0), (SemiImplicitEuler, 1.0 / 480.0), (VelocityVerlet, 0.01)]
    {
        for e in [0.2f32, 0.5, 0.8, 0.9, 1.0] {
            for drop in [1.0f32, 1.013, 1.07] {
                let mut ground = floor(0.0);
                ground.restitution = e;
                let mut bench = Bench::new(vec![ground], h, &[Vec3::Y * drop]);
                bench.integrator = integrator;
                while bench.contacts == 0 {
                    bench.step();
                }
                let mut top = 0.0f32;
                while bench.v.y[0] > 0.0 {
                    bench.step();
                    top = top.max(bench.x.y[0]);
                }
                let height = top / (e * e * drop);
                assert!((height - 1.0).abs() < 0.01, "e {e}, h {h}: {height} of e²·height");
            }
        }
    }
}

#[test]
fn elastic_bounces_neither_gain_nor_lose_height() {
    let mut ground = floor(0.0);
    ground.restitution = 1.0;
    let mut bench = Bench::new(vec![ground], 1.0 / 240.0, &[Vec3::Y]);
    bench.run(20.0);
    let mut top = 0.0f32;
    for _ in 0..240 {
        bench.step();
        top = top.max(bench.x.y[0]);
    }
    assert!((top - 1.0).abs() < 0.01, "{top} m after 22 bounces");
}

#[test]
fn thin_slab_stops_a_point_at_500_m_s() {
    for h in [1.0 / 60.0, 1.0 / 1000.0] {
        let mut bench = Bench::new(vec![slab(Vec3::new(1.0, 0.005, 1.0), 0.0, 0.0)], h, &[Vec3::Y]);
        bench.v.y[0] = -500.0;
        bench.run(0.1);
        assert!(bench.x.y[0].abs() < 1e-5, "at {} m", bench.x.y[0]);
    }
}

#[test]
fn fast_colliders_do_not_pass_through_a_resting_point() {
    let shapes = [
        ColliderShape::Box(ColliderBox { half_size: Vec3::new(1.0, 0.005, 1.0) }),
        ColliderShape::Sphere(ColliderSphere { radius: 0.05 }),
        ColliderShape::Capsule(ColliderCapsule { half_length: 0.1, radius: 0.05 }),
    ];
    for shape in shapes {
        let mut racket = collider(shape.clone(), Vec3::new(0.0, -22.5, 0.0), 0.0);
        racket.motion = Motion::Linear { velocity: Vec3::Y * 300.0 };
        let mut bench = Bench::new(vec![racket], 1.0 / 60.0, &[Vec3::ZERO]);
        bench.gravity = Vec3::ZERO;
        for _ in 0..6 {
            bench.step();
        }
        let shape_y = -22.5 + 300.0 * 0.1;
        let above = shape.signed_distance(bench.x.get(0) - Vec3::Y * shape_y);
        assert!(above.abs() < 1e-4 && bench.x.y[0] > shape_y, "{shape:?}: {above}");
        assert!((bench.v.y[0] - 300.0).abs() < 0.01);
    }
}

#[test]
fn moving_floor_carries_a_point_by_friction() {
    for (_, shape) in INCLINES {
        let mut belt = collider(shape.clone(), Vec3::ZERO, 0.5);
        if let ColliderShape::Box(it) = shape {
            belt.rest.position.y = -it.half_size.y;
        }
        belt.motion = Motion::Linear { velocity: Vec3::X * 2.0 };
        let mut bench = Bench::new(vec![belt], 1.0 / 240.0, &[Vec3::ZERO]);
        // Accelerated by μ g until it keeps up, at t = u/(μ g), u²/(2 μ g) behind.
        bench.run(0.2);
        assert!((bench.v.x[0] - 0.2 * 0.5 * G).abs() < 0.01, "{}", bench.v.x[0]);
        bench.run(1.8);
        let expected = 2.0 * 2.0 - 2.0 * 2.0 / (2.0 * 0.5 * G);
        assert!((bench.x.x[0] - expected).abs() < 0.01, "{} not {expected}", bench.x.x[0]);
        assert!((bench.v.x[0] - 2.0).abs() < 1e-3);
    }
}

#[test]
fn rotating_box_drags_a_point_round_while_friction_can() {
    // Holds while ω² r ≤ μ g: 2² · 0.5 = 2 < 0.5 · 9.81, and 4² · 0.5 = 8 is too much.
    for (rad_s, holds) in [(2.0, true), (4.0, false)] {
        let mut table = slab(Vec3::new(1.0, 0.1, 1.0), 0.0, 0.5);
        table.motion = Motion::Rotate { axis: Vec3::Y, rad_s, pivot: None };
        let mut bench = Bench::new(vec![table], 1.0 / 480.0, &[Vec3::X * 0.5]);
        bench.v.z[0] = -0.5 * rad_s as f32;
        bench.run(0.5);
        let expected = Vec3::new(libm::cosf(0.5 * 2.0), 0.0, -libm::sinf(0.5 * 2.0)) * 0.5;
        let error = (bench.x.get(0) - expected).length();
        let radius = bench.x.get(0).length();
        assert_eq!(holds, error < 2e-3, "{error}");
        assert_eq!(holds, radius < 0.503, "{radius}");
    }
}

#[test]
fn point_in_a_corner_feels_floor_and_wall() {
    let mut wall = floor(0.0);
    wall.rest.rotation = tilt(90.0); // Its normal is −X: solid for x > 0.
    for order in 0..2 {
        let mut both = vec![floor(0.0), wall.clone()];
        both.rotate_left(order);
        let mut bench = Bench::new(both, 1.0 / 240.0, &[Vec3::new(-0.2, 0.1, 0.0)]);
        bench.v.x[0] = 3.0;
        bench.run(2.0);
        assert!(bench.x.get(0).length() < 1e-5, "{}", bench.x.get(0));
        assert!(bench.v.get(0).length() < 1e-4);
        assert_eq!(bench.contacts, 2);
    }
}

#[test]
fn point_dropped_between_two_spheres_rests_on_both() {
    // Normals 60° from upright (steep), 45° and 20°, without friction.
    for degrees in [60.0f64, 45.0, 20.0] {
        let (sin, cos) = (libm::sin(degrees.to_radians()), libm::cos(degrees.to_radians()));
        let half = sin as f32;
        let pair = vec![ball(Vec3::X * half, 1.0, 0.0), ball(Vec3::X * -half, 1.0, 0.0)];
        let expected = Vec3::Y * cos as f32;
        let start = expected + Vec3::new(0.03, 0.2, 0.0);
        let mut bench = Bench::new(pair, 1.0 / 240.0, &[start]);
        bench.run(4.0);
        let x = bench.x.get(0);
        assert!((x - expected).length() < 1e-3, "{degrees}°: {x} is not {expected}");
        assert!(bench.v.get(0).length() < 1e-4, "{degrees}°: {}", bench.v.get(0));
    }
}

#[test]
fn point_in_the_wedge_of_floor_and_sphere_stays_outside_both() {
    let both = vec![floor(0.2), ball(Vec3::new(0.0, 0.5, 0.0), 0.5, 0.2)];
    let mut bench = Bench::new(both, 1.0 / 240.0, &[Vec3::new(0.8, 0.0, 0.0)]);
    bench.v.x[0] = -4.0;
    for _ in 0..480 {
        bench.step();
        let x = bench.x.get(0);
        assert!(x.y > -1e-4 && (x - Vec3::Y * 0.5).length() > 0.5 - 1e-3, "{x}");
    }
    assert!(bench.v.get(0).length() < 1e-4);
}

#[test]
fn dropped_particle_rests_without_jitter_or_gain_of_energy() {
    let rod = ColliderShape::Capsule(ColliderCapsule { half_length: 0.4, radius: 0.5 });
    for h in [1.0 / 60.0, 1.0 / 960.0, 1.0 / 20_000.0] {
        for e in [0.0, 0.5] {
            let tops = [
                floor(0.3),
                slab(Vec3::splat(0.5), 0.0, 0.3),
                ball(Vec3::NEG_Y * 0.5, 0.5, 0.3),
                collider(rod.clone(), Vec3::NEG_Y * 0.9, 0.3),
            ];
            for mut top in tops {
                top.restitution = e;
                let shape = top.shape.clone();
                let mut bench = Bench::new(vec![top], h, &[Vec3::new(0.0, 0.1, 0.0)]);
                let energy = |b: &Bench| G * b.x.y[0] + 0.5 * b.v.get(0).length_squared();
                let initial = energy(&bench);
                for _ in 0..(2.0 / h) as usize {
                    bench.step();
                    // Semi-implicit Euler itself swings by g h |v| / 2.
                    let swing = 0.5 * G * h as f32 * bench.v.get(0).length();
                    assert!(energy(&bench) <= initial + swing + 1e-4, "{shape:?}");
                }
                let (x, v) = (bench.x.get(0), bench.v.get(0));
                assert!(x.length() < 1e-4 && v.length() < 1e-4, "{shape:?} e {e} h {h}: {x} {v}");
            }
        }
    }
}

#[test]
fn point_on_the_side_of_a_ball_does_not_creep() {
    // 15° from the top, where tan 15° = 0.27 < 0.4.
    let start = tilt(15.0) * Vec3::Y * 0.5;
    for h in [1.0 / 60.0, 1.0 / 960.0] {
        let mut bench = Bench::new(vec![ball(Vec3::ZERO, 0.5, 0.4)], h, &[start]);
        bench.run(10.0);
        assert!((bench.x.get(0) - start).length() < 1e-5, "{}", bench.x.get(0) - start);
        assert!(bench.v.get(0).length() < 1e-4);
    }
}

#[test]
fn points_are_kept_at_the_offset() {
    let cube = slab(Vec3::splat(0.5), 0.0, 0.3);
    for top in [floor(0.3), cube, ball(Vec3::NEG_Y * 0.5, 0.5, 0.3)] {
        let shape = top.shape.clone();
        let mut bench = Bench::new(vec![top], 1.0 / 240.0, &[Vec3::Y * 0.1]);
        bench.offset = 0.002;
        bench.run(1.0);
        assert!((bench.x.y[0] - 0.002).abs() < 3e-6, "{shape:?}: {}", bench.x.y[0]);
    }
}

#[test]
fn pinned_particles_are_left_alone_and_nonsense_does_no_harm() {
    let colliders = [floor(0.5), ball(Vec3::ZERO, 1.0, 0.5), slab(Vec3::ONE, 0.0, 0.5)];
    let mut steps = Vec::new();
    prepare_steps((&colliders, &[]), 0.0, 0.01, 0.0, &mut steps);
    let points = [Vec3::NEG_Y, Vec3::NAN, Vec3::INFINITY, Vec3::splat(f32::MAX), Vec3::ZERO];
    let start = Soa3::from_points(&points);
    let (mut x, mut v) = (start.clone(), Soa3::zeros(points.len()));
    let settings = ContactSettings::new(0.0, 0.01, Vec3::NEG_Y);
    let inverse_mass = [0.0, 1.0, 1.0, 1.0, 1.0];
    let (x_start, xm, vm) = (start.view(), x.view_mut(), v.view_mut());
    let particles = Particles { x_start, x: xm, v: vm, inverse_mass: &inverse_mass };
    resolve(&colliders, &steps, &settings, particles);
    assert_eq!(x.get(0), Vec3::NEG_Y);
    assert!(x.get(4).is_finite());
}

#[test]
fn same_bits_on_any_number_of_threads() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let point = |i: u32| {
            let (a, b) = ((i % 149) as f32 / 149.0 - 0.5, (i / 149) as f32 / 149.0 - 0.5);
            Vec3::new(a * 2.0, 0.3 + 0.1 * a * b, b * 2.0)
        };
        let points: Vec<_> = (0..149 * 149).map(point).collect();
        let both = vec![floor(0.3), ball(Vec3::ZERO, 0.3, 0.2)];
        let mut bench = Bench::new(both, 1.0 / 60.0, &points);
        pool.install(|| bench.run(0.5));
        (bench.x, bench.v, bench.contacts)
    };
    let one = run(1);
    assert!(one.2 > 10_000);
    assert!(one == run(2) && one == run(5));
}

#[test]
fn points_thrown_about_in_a_hollow_bowl_never_pass_its_wall() {
    // A wall of 1 cm; up to 60 m/s, which is up to 25 cm a step; no bounce and full bounce.
    let mesh = forms::bowl(0.2, 0.01, [48, 24]);
    let field = DistanceField::new(&mesh, Some(0.004), 0.002).unwrap();
    let mut rng = crate::rng::Rng::new(2);
    for (restitution, friction) in [(0.0, 0.3), (1.0, 0.0)] {
        let mut wall = collider(ColliderShape::DistanceField(field.clone()), Vec3::ZERO, friction);
        wall.restitution = restitution;
        let mut bench = Bench::new(vec![wall], 1.0 / 240.0, &[Vec3::Y * 0.1; 500]);
        bench.offset = 0.002;
        for i in 0..500 {
            let mut next = || rng.between(-35.0, 35.0) as f32;
            bench.v.set(i, Vec3::new(next(), next(), next()));
        }
        for step in 0..400 {
            let before = bench.x.clone();
            bench.step();
            for i in 0..500 {
                let (from, to) = (before.get(i), bench.x.get(i));
                let distance = field.signed_distance(to);
                assert!(distance > 0.0, "{step}: point {i} is {distance} m in the wall at {to}");
                let through = field.hit(from, to, -0.002);
                assert!(through.is_none(), "{step}: point {i} passes {from} → {to}");
            }
        }
    }
}
