//! Rods against known answers.

use glam::Vec3;
use tkanina_sim::builder::ModelBuilder;
use tkanina_sim::solvers::SolverKind;
use tkanina_sim::strands::{
    Fibre, FibreDrag, Root, RootPath, StrandBody, StrandCurve, StrandLaw, StrandTouch, TouchParts,
};
use tkanina_sim::world::World;

/// Laws under which a strand may be hinged.
const LAWS: [StrandLaw; 2] = [StrandLaw::Rod, StrandLaw::Cosserat { sweeps: 4 }];

/// Human hair of 60 µm.
fn hair() -> Fibre {
    let (d, young): (f64, f64) = (60e-6, 3.89e9);
    let bending = young * std::f64::consts::PI * d.powi(4) / 64.0;
    Fibre {
        bending: bending as f32,
        twisting: (0.46 * bending) as f32,
        density: (1320.0 * std::f64::consts::PI * d * d / 4.0) as f32,
        radius: 30e-6,
        taper: 1.0,
        inner_friction: 0.0,
        drag: FibreDrag::default(),
        rest_speed: 0.0,
    }
}

fn touch() -> StrandTouch {
    StrandTouch { friction: 0.0, parts: TouchParts::Points, crowd: None }
}

fn straight(from: Vec3, direction: Vec3, length: f32, points: usize) -> Vec<Vec3> {
    let at = |i: usize| from + direction * (length * i as f32 / (points - 1) as f32);
    (0..points).map(at).collect()
}

fn strand(fibre: Fibre, points: Vec<Vec3>, clamped: bool) -> StrandBody {
    let root = Root { path: RootPath::Fixed, clamped };
    StrandBody {
        name: "hair".into(),
        strands: vec![StrandCurve { start: points.clone(), rest: points, root }],
        law: StrandLaw::Rod,
        fibre,
        velocity: Vec3::ZERO,
        damping: 0.0,
        touch: touch(),
        clump: None,
        followers: None,
    }
}

fn world(body: &StrandBody) -> World {
    let mut builder = ModelBuilder::new(Vec3::new(0.0, -9.81, 0.0));
    builder.add_strands(body);
    let (model, state) = builder.build();
    World::new(model, state, SolverKind::LineProjection { iterations: None, embed: None })
}

/// Tip drop over reach of a cantilever, Γ = ρ g S L³/EI, by shooting.
fn elastica(gamma: f64) -> f64 {
    let shoot = |bend: f64| {
        let n = 2000;
        let ds = 1.0 / n as f64;
        let (mut angle, mut rate, mut x, mut y) = (0.0f64, bend, 0.0, 0.0);
        for i in 0..n {
            let f = |s: f64, a: f64| -gamma * (1.0 - s) * a.cos();
            let s = i as f64 * ds;
            let half = angle + 0.5 * ds * rate;
            let middle = rate + 0.5 * ds * f(s, angle);
            x += ds * half.cos();
            y += ds * half.sin();
            rate += ds * f(s + 0.5 * ds, half);
            angle += ds * middle;
        }
        (rate, x, y)
    };
    let (mut low, mut high) = (0.0, gamma);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if shoot(middle).0 > 0.0 { high = middle } else { low = middle }
    }
    let (_, x, y) = shoot(0.5 * (low + high));
    y / x
}

#[test]
fn a_cantilever_bends_as_the_elastica() {
    for gamma in [1.0f64, 10.0, 50.0] {
        let fibre = hair();
        let weight = f64::from(fibre.density) * 9.81;
        let length = (gamma * f64::from(fibre.bending) / weight).cbrt();
        let points = 32;
        // The first edge is held: what is free begins at its end.
        let whole = length * (points - 1) as f64 / (points - 2) as f64;
        let line = straight(Vec3::ZERO, Vec3::X, whole as f32, points);
        let mut body = strand(fibre, line, true);
        body.damping = 8.0 * fibre.density * (whole / 31.0) as f32;
        let mut world = world(&body);
        for _ in 0..600 {
            world.advance_frame(1.0 / 60.0, 1).unwrap();
        }
        let x = &world.state().x;
        let (root, tip) = (x.get(1), x.get(points - 1));
        let found = f64::from((root.y - tip.y) / (tip.x - root.x));
        let expected = elastica(gamma);
        assert!((found / expected - 1.0).abs() < 0.03, "{gamma}: {found} is not {expected}");
    }
}

/// A helix of radius `r` and pitch `p` along −y, resampled at equal chords.
fn helix(radius: f64, pitch: f64, length: f64, points: usize) -> Vec<Vec3> {
    let turn = std::f64::consts::TAU;
    let per_turn = ((turn * radius).powi(2) + pitch * pitch).sqrt();
    let at = |i: usize| {
        let turns = length * i as f64 / (points - 1) as f64 / per_turn;
        let a = turn * turns;
        glam::DVec3::new(radius * a.cos(), -pitch * turns, radius * a.sin()).as_vec3()
    };
    (0..points).map(at).collect()
}

fn run(world: &mut World, frames: usize) {
    for _ in 0..frames {
        world.advance_frame(1.0 / 60.0, 1).unwrap();
    }
}

fn edges(world: &World) -> f32 {
    let x = &world.state().x;
    let stretch = |e: &tkanina_sim::edges::Edge| {
        ((x.get(e.ends[1] as usize) - x.get(e.ends[0] as usize)).length() / e.rest - 1.0).abs()
    };
    world.model().edges.edges().iter().map(stretch).fold(0.0, f32::max)
}

#[test]
fn a_curl_without_load_stays_as_it_is() {
    let curl = helix(0.006, 0.03, 0.2, 32);
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    builder.add_strands(&strand(hair(), curl.clone(), true));
    let (model, state) = builder.build();
    let mut world = World::new(model, state, SolverKind::Xpbd { iterations: None });
    run(&mut world, 120);
    let far = |(i, p): (usize, &Vec3)| world.state().x.get(i).distance(*p);
    let farthest = curl.iter().enumerate().map(far).fold(0.0, f32::max);
    assert!(farthest < 1e-4, "a curl without load moved by {farthest} m");
}

/// Seconds that the tip of a hinged strand takes to and fro.
fn period(body: &StrandBody) -> f64 {
    let mut world = world(body);
    let tip = body.strands[0].start.len() - 1;
    let (mut crossings, mut last, mut step) = (Vec::new(), 1.0f32, 0u32);
    while crossings.len() < 3 && step < 4000 {
        world.advance_frame(1.0 / 960.0, 1).unwrap();
        step += 1;
        let x = world.state().x.get(tip).x;
        if x.signum() != last.signum() {
            crossings.push(f64::from(step) - f64::from(x / (x - last)));
        }
        last = x;
    }
    (crossings[2] - crossings[0]) / 960.0
}

/// T = 2π√(Σmr²/(gΣmr))/agm(1, cos(φ/2)) from an amplitude φ.
#[test]
fn a_stiff_strand_swings_as_a_pendulum() {
    let (length, points) = (0.2f64, 21);
    let edge = length / (points - 1) as f64;
    let sums = (1..points).fold([0.0; 2], |[first, second], i| {
        let (mass, r) = (if i + 1 == points { 0.5 } else { 1.0 }, edge * i as f64);
        [first + mass * r, second + mass * r * r]
    });
    for law in LAWS {
        for angle in [0.1f64, 1.2] {
            let mut fibre = hair();
            (fibre.bending, fibre.twisting) = (1e-5, 1e-5);
            let along = Vec3::new(angle.sin() as f32, -angle.cos() as f32, 0.0);
            let body = strand(fibre, straight(Vec3::ZERO, along, length as f32, points), false);
            let found = period(&StrandBody { law, ..body });
            let (mut a, mut b) = (1.0f64, (0.5 * angle).cos());
            for _ in 0..8 {
                (a, b) = (0.5 * (a + b), (a * b).sqrt());
            }
            let known = std::f64::consts::TAU * (sums[1] / (9.81 * sums[0])).sqrt() / a;
            assert!(
                (found / known - 1.0).abs() < 0.01,
                "{law:?}, {angle}: {found} s is not {known} s"
            );
        }
    }
}

#[test]
fn a_chain_without_stiffness_swings_with_the_modes_of_bessel() {
    for law in LAWS {
        swings_with_the_slowest_mode(law);
    }
}

/// ω = (j/2)√(g/L), j = 2.4048: the slowest mode J₀(j√(s/L)), s from the free end.
fn swings_with_the_slowest_mode(law: StrandLaw) {
    let (length, points) = (1.0f64, 101);
    // So thin that nothing stretches it.
    let mut fibre = Fibre { radius: 1e-7, ..hair() };
    (fibre.bending, fibre.twisting) = (1e-16, 1e-16);
    let mode = |i: usize| {
        let s = 1.0 - i as f64 / (points - 1) as f64;
        let z = 2.4048 * s.sqrt();
        let mut term = 1.0;
        let mut sum = 1.0;
        for k in 1..30 {
            term *= -z * z / 4.0 / f64::from(k * k);
            sum += term;
        }
        0.01 * sum
    };
    // Equal edges along a curve that is nearly upright.
    let edge = length / (points - 1) as f64;
    let mut line = vec![Vec3::new(mode(0) as f32, 0.0, 0.0)];
    let mut y = 0.0;
    for i in 1..points {
        let dx = mode(i) - mode(i - 1);
        y -= (edge * edge - dx * dx).sqrt();
        line.push(Vec3::new(mode(i) as f32, y as f32, 0.0));
    }
    let found = period(&StrandBody { law, ..strand(fibre, line, false) });
    let known = std::f64::consts::TAU / (2.4048 / 2.0 * (9.81f64 / length).sqrt());
    assert!((found / known - 1.0).abs() < 0.01, "{law:?}: {found} s is not {known} s");
}

#[test]
fn energy_never_grows_without_input() {
    for (curl, law) in [false, true].into_iter().flat_map(|curl| LAWS.map(|law| (curl, law))) {
        let rest = if curl {
            helix(0.006, 0.03, 0.2, 32)
        } else {
            straight(Vec3::ZERO, Vec3::NEG_Y, 0.2, 32)
        };
        let mut body = StrandBody { law, ..strand(hair(), rest.clone(), true) };
        // Let go from the side.
        let side = glam::Quat::from_rotation_z(1.2);
        body.strands[0].start = rest.iter().map(|p| side * *p).collect();
        let mut world = world(&body);
        let energy =
            |world: &World| tkanina_sim::measure::energy(world.model(), world.state()).total();
        let first = energy(&world);
        let (mut most, mut scale) = (first, 0.0f64);
        for _ in 0..240 {
            run(&mut world, 1);
            let now = energy(&world);
            scale = scale.max(tkanina_sim::measure::energy(world.model(), world.state()).kinetic);
            most = most.max(now);
        }
        assert!(
            most <= first + 0.02 * scale,
            "{law:?}, curl {curl}: {first} J grew to {most} J of {scale} J"
        );
        assert!(edges(&world) < 5e-3);
    }
}

#[test]
fn a_root_that_turns_about_its_own_axis_takes_its_curl_along() {
    let curl = helix(0.006, 0.03, 0.2, 32);
    let axis = (curl[1] - curl[0]).normalize();
    let times: Vec<f64> = (0..=60).map(|i| f64::from(i) / 60.0).collect();
    let turn = |t: &f64| glam::Quat::from_axis_angle(axis, 1.5 * *t as f32);
    let turns = times.iter().map(turn).collect();
    let still = vec![Vec3::ZERO; times.len()];
    let track = tkanina_sim::motion::Track::new(times, still, Some(turns)).unwrap();
    let mut body = strand(hair(), curl.clone(), true);
    body.strands[0].root.path = RootPath::Track { track, centre: curl[0] };
    // Near critical: its slowest swing has ω = 3.52 √(EI/ρS)/L² = 2.3/s.
    body.damping = 4.0 * body.fibre.density * 0.2 / 31.0;
    let mut builder = ModelBuilder::new(Vec3::ZERO);
    builder.add_strands(&body);
    let (model, state) = builder.build();
    let mut world = World::new(model, state, SolverKind::Xpbd { iterations: None });
    run(&mut world, 900);
    let turned = glam::Quat::from_axis_angle(axis, 1.5);
    let off =
        |(i, p): (usize, &Vec3)| world.state().x.get(i).distance(curl[0] + turned * (*p - curl[0]));
    let farthest = curl.iter().enumerate().map(off).fold(0.0, f32::max);
    assert!(farthest < 5e-4, "the curl is {farthest} m from where its root has taken it");
}

#[test]
fn a_falling_fibre_reaches_the_speed_at_which_air_bears_its_weight() {
    let mut fibre = hair();
    let viscous = 5e-5;
    fibre.drag = FibreDrag { viscous, inertial: 0.0, along: 0.5 };
    let mut body = strand(fibre, straight(Vec3::ZERO, Vec3::X, 0.1, 16), false);
    body.strands[0].root.path = RootPath::Free;
    let mut world = world(&body);
    run(&mut world, 120);
    let expected = fibre.density * 9.81 / viscous;
    let found = -world.state().v.get(8).y;
    assert!((found / expected - 1.0).abs() < 0.01, "{found} m/s is not {expected} m/s");
}

#[test]
fn same_bits_on_any_number_of_threads_and_after_going_back() {
    let mut body = strand(hair(), helix(0.006, 0.03, 0.2, 24), true);
    let one = body.strands[0].clone();
    body.strands = (0..200)
        .map(|k| {
            let by = Vec3::new(0.01 * (k % 20) as f32, 0.0, 0.01 * (k / 20) as f32);
            let turn = glam::Quat::from_rotation_y(k as f32);
            let moved = |points: &[Vec3]| points.iter().map(|p| turn * *p + by).collect();
            StrandCurve { start: moved(&one.start), rest: moved(&one.rest), root: one.root.clone() }
        })
        .collect();
    body.touch.crowd = Some(tkanina_sim::strands::Crowd {
        cell: 0.01,
        friction: 3.0,
        density: 0.02,
        pressure: 2.0,
    });
    let hash = |threads: usize, back: bool| {
        let mut world = world(&body);
        world.set_threads(threads).unwrap();
        run(&mut world, 20);
        if back {
            let then = world.state().clone();
            run(&mut world, 7);
            world.restore(then);
        }
        run(&mut world, 20);
        tkanina_sim::measure::state_hash(world.state())
    };
    let alone = hash(1, false);
    assert_eq!(alone, hash(1, true));
    for threads in [2, 3, 8] {
        assert_eq!(alone, hash(threads, false), "{threads} threads");
    }
}

/// How far out of its plane a rod of natural curvature settles, over its length: clamped pointing
/// down, GJ/EI = 1/(1 + ν) with ν = 0.5, let go a thousandth beside its plane.
fn out_of_plane(gamma: f64, turns: f64) -> f64 {
    let mut fibre = hair();
    fibre.twisting = fibre.bending / 1.5;
    let weight = f64::from(fibre.density) * 9.81;
    let length = (gamma * f64::from(fibre.bending) / weight).cbrt();
    let points = 66;
    let edge = length / (points - 2) as f64;
    let turn = 2.0 * libm::atan(0.5 * turns / length * edge);
    let mut rest = vec![glam::DVec3::ZERO];
    for i in 0..points - 1 {
        // The clamp is at the second point.
        let angle = turn * i as f64;
        let way = glam::DVec3::new(libm::sin(angle), -libm::cos(angle), 0.0);
        rest.push(rest[i] + edge * way);
    }
    let rest: Vec<Vec3> = rest.iter().map(|p| p.as_vec3()).collect();
    let mut body = strand(fibre, rest.clone(), true);
    let lean = |(i, p): (usize, &Vec3)| {
        let s = i.saturating_sub(1) as f32 / points as f32;
        *p + Vec3::Z * (1e-3 * length as f32 * s * s)
    };
    body.strands[0].start = rest.iter().enumerate().map(lean).collect();
    let slowest = (9.81 / length).sqrt();
    body.damping = (1.5 * slowest * f64::from(fibre.density) * edge) as f32;
    let mut world = world(&body);
    run(&mut world, (200.0 / slowest * 60.0) as usize);
    let off = |i: usize| f64::from(world.state().x.get(i).z.abs());
    (0..points).map(off).fold(0.0, f64::max) / length
}

#[test]
fn a_rod_of_natural_curvature_leaves_its_plane_where_theory_says() {
    for (gamma, turns) in [(20.0, 5.58), (100.0, 7.57)] {
        let below = out_of_plane(gamma, 0.97 * turns);
        let above = out_of_plane(gamma, 1.03 * turns);
        assert!(below < 1e-3, "Γ {gamma}: {below} of its length beside its plane below {turns}");
        assert!(above > 1e-2, "Γ {gamma}: {above} of its length beside its plane above {turns}");
    }
}
