//! Motions of every kind that detection has to be right about.

use glam::DVec3;
use tkanina_sim::contact::{PairKind, PairMotion};
use tkanina_sim::rng::Rng;

/// A kind of motion, and how it is made.
pub struct Family {
    pub name: &'static str,
    pub make: fn(PairKind, &mut Rng) -> PairMotion,
    /// How many in a thousand that do not touch may be taken for hits. What is aimed to pass within
    /// 10⁻⁷ of an edge may all be.
    pub false_hits: u32,
    /// Whether they touch, where that is known from how they are made.
    pub touching: Option<bool>,
}

const fn family(name: &'static str, make: fn(PairKind, &mut Rng) -> PairMotion) -> Family {
    Family { name, make, false_hits: 0, touching: None }
}

impl Family {
    const fn with_false_hits(self, false_hits: u32) -> Self {
        Self { false_hits, ..self }
    }

    const fn touching(self, touching: bool) -> Self {
        Self { touching: Some(touching), ..self }
    }
}

/// Every family, in the order in which it is reported.
pub const FAMILIES: &[Family] = &[
    family("random, short way", |_, rng| moved(rng, any, 0.3)),
    family("random, long way", |_, rng| moved(rng, any, 2.0)),
    family("aimed", |pair, rng| aimed(pair, rng, 0.0)),
    family("aimed, 1e-3 off", |pair, rng| aimed(pair, rng, 1e-3)).with_false_hits(10),
    family("aimed, 1e-6 off", |pair, rng| aimed(pair, rng, 1e-6)).with_false_hits(200),
    family("aimed, 1e-9 off", |pair, rng| aimed(pair, rng, 1e-9)).with_false_hits(1000),
    family("touching in a point of the grid", grazing).touching(true),
    family("tangent: touching and parting", tangent).touching(true),
    family("sliding at 1e-5 of an edge", sliding).touching(false),
    family("parallel", parallel),
    family("coplanar", coplanar),
    family("collinear", collinear),
    family("without length or area", degenerate),
    family("needles", needles),
    family("far: 1e-3 m at 1e6 m", far).with_false_hits(10),
    family("tiny: 1e-9 m", tiny).with_false_hits(10),
    family("in common flight", rigid),
    family("fast: way 1e3 to 1e6 sizes", fast),
    family("cloth in f32", cloth),
];

/// Uniform in a cube of side 2.
fn any(rng: &mut Rng) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| rng.between(-1.0, 1.0)))
}

/// A point of a grid of sixteenths within the same cube: sums and small multiples are exact.
fn grid(rng: &mut Rng) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| whole(rng, -16, 16) / 16.0))
}

fn whole(rng: &mut Rng, low: i32, high: i32) -> f64 {
    rng.between(f64::from(low), f64::from(high + 1)).floor()
}

fn four(rng: &mut Rng, place: fn(&mut Rng) -> DVec3) -> [DVec3; 4] {
    std::array::from_fn(|_| place(rng))
}

fn map(motion: PairMotion, f: impl Fn(DVec3) -> DVec3) -> PairMotion {
    PairMotion { start: motion.start.map(&f), end: motion.end.map(&f) }
}

fn moved(rng: &mut Rng, place: fn(&mut Rng) -> DVec3, way: f64) -> PairMotion {
    let start = four(rng, place);
    PairMotion { start, end: start.map(|x| x + place(rng) * way) }
}

/// At `points` at time t with velocity v. Exact for points and velocities of the grid and t in 1/16.
fn passing(points: [DVec3; 4], velocity: [DVec3; 4], t: f64) -> PairMotion {
    let at = |t: f64| std::array::from_fn(|i| points[i] + velocity[i] * t);
    PairMotion { start: at(-t), end: at(1.0 - t) }
}

/// Weights of side A and of side B in quarters, with corners and borders among them.
fn meeting_weights(pair: PairKind, rng: &mut Rng) -> [f64; 4] {
    const PLACES: [f64; 4] = [0.0, 0.25, 0.5, 1.0];
    let pick = |rng: &mut Rng| PLACES[whole(rng, 0, 3) as usize];
    match pair {
        PairKind::VertexTriangle => {
            let b = pick(rng);
            let c = pick(rng) * (1.0 - b);
            [1.0, 1.0 - b - c, b, c]
        }
        PairKind::EdgeEdge => {
            let (s, t) = (pick(rng), pick(rng));
            [1.0 - s, s, 1.0 - t, t]
        }
    }
}

/// Moves side A so that the weighted points of both sides meet.
fn meet(pair: PairKind, points: &mut [DVec3; 4], weights: &[f64; 4]) {
    let sum = |range: std::ops::Range<usize>| range.map(|i| points[i] * weights[i]).sum::<DVec3>();
    let a = pair.side_a();
    let shift = sum(a..4) - sum(0..a);
    points[..a].iter_mut().for_each(|x| *x += shift);
}

/// Random points and velocities that meet at a random time, but for an offset.
fn aimed(pair: PairKind, rng: &mut Rng, offset: f64) -> PairMotion {
    let mut points = four(rng, any);
    let (s, t) = (rng.unit(), rng.unit());
    let weights = match pair {
        PairKind::VertexTriangle => [1.0, s, (1.0 - s) * t, (1.0 - s) * (1.0 - t)],
        PairKind::EdgeEdge => [1.0 - s, s, 1.0 - t, t],
    };
    meet(pair, &mut points, &weights);
    let off = any(rng) * offset;
    points[..pair.side_a()].iter_mut().for_each(|x| *x += off);
    // A corner passes by at the offset in one of two cases, or nothing but hits come of this.
    if offset > 0.0 && rng.unit() < 0.5 {
        let mut corner = [0.0; 4];
        corner[pair.side_a() - 1] = 1.0;
        corner[3] = 1.0;
        meet(pair, &mut points, &corner);
        points[..pair.side_a()].iter_mut().for_each(|x| *x += off);
    }
    let velocity = four(rng, any);
    passing(points, velocity, rng.unit())
}

fn sixteenth(rng: &mut Rng) -> f64 {
    whole(rng, 0, 16) / 16.0
}

/// Touching exactly, in a corner or on a border as often as not.
fn grazing(pair: PairKind, rng: &mut Rng) -> PairMotion {
    let mut points = four(rng, grid);
    meet(pair, &mut points, &meeting_weights(pair, rng));
    let velocity = four(rng, grid);
    passing(points, velocity, sixteenth(rng))
}

/// All points in a plane when they touch, where the touching points have no speed across it.
fn tangent(pair: PairKind, rng: &mut Rng) -> PairMotion {
    let mut points = four(rng, grid).map(|x| x.with_z(0.0));
    let weights = meeting_weights(pair, rng);
    meet(pair, &mut points, &weights);
    let mut velocity = four(rng, grid);
    meet(pair, &mut velocity, &weights);
    let sideways = grid(rng).with_z(0.0);
    velocity[..pair.side_a()].iter_mut().for_each(|v| *v += sideways);
    let sheared = shear(rng);
    map(passing(points, velocity, sixteenth(rng)), sheared)
}

/// An exact map of space of determinant 1 that leaves nothing along the axes.
fn shear(rng: &mut Rng) -> impl Fn(DVec3) -> DVec3 + use<> {
    let [a, b, c] = std::array::from_fn(|_| whole(rng, -3, 3));
    move |v| {
        let x = v.x + a * v.z;
        let y = v.y + b * x;
        DVec3::new(x, y, v.z + c * y)
    }
}

/// Edges with the same direction at both ends; a vertex that moves in parallel with a triangle.
fn parallel(pair: PairKind, rng: &mut Rng) -> PairMotion {
    let mut motion = moved(rng, grid, 1.0);
    for points in [&mut motion.start, &mut motion.end] {
        match pair {
            PairKind::EdgeEdge => {
                points[3] = points[2] + (points[1] - points[0]) * whole(rng, -2, 2)
            }
            PairKind::VertexTriangle => points[1..].iter_mut().for_each(|x| x.z = 0.0),
        }
    }
    if pair == PairKind::VertexTriangle {
        let height = whole(rng, 0, 1) / 16.0;
        motion.start[0].z = height;
        motion.end[0].z = height;
    }
    let sheared = shear(rng);
    map(motion, sheared)
}

/// In two planes that are next to each other; what is in them changes shape and moves.
fn sliding(pair: PairKind, rng: &mut Rng) -> PairMotion {
    let mut motion = map(moved(rng, grid, 0.5), |x| x.with_z(0.0));
    for points in [&mut motion.start, &mut motion.end] {
        points[..pair.side_a()].iter_mut().for_each(|x| x.z = 1.0 / 65_536.0);
    }
    let sheared = shear(rng);
    map(motion, sheared)
}

fn coplanar(_: PairKind, rng: &mut Rng) -> PairMotion {
    let motion = map(moved(rng, grid, 1.0), |x| x.with_z(0.0));
    let sheared = shear(rng);
    map(motion, sheared)
}

fn collinear(_: PairKind, rng: &mut Rng) -> PairMotion {
    let motion = map(moved(rng, grid, 1.0), |x| DVec3::new(x.x, 0.0, 0.0));
    let sheared = shear(rng);
    map(motion, sheared)
}

/// Corners of a side in one place or on one line, at one end or at both; half of them aimed.
fn degenerate(pair: PairKind, rng: &mut Rng) -> PairMotion {
    let way = whole(rng, 0, 4);
    let squash = |x: &mut [DVec3; 4]| match (pair, way as i32) {
        (_, 0) => x[3] = x[2],
        (PairKind::VertexTriangle, 1) => (x[1], x[2]) = (x[3], x[3]),
        (PairKind::VertexTriangle, _) => x[3] = (x[1] + x[2]) * 0.5,
        (PairKind::EdgeEdge, 1) => (x[1], x[3]) = (x[0], x[2]),
        (PairKind::EdgeEdge, _) => x[1] = x[0],
    };
    let (mut points, mut velocity) = (four(rng, grid), four(rng, grid));
    squash(&mut points);
    if rng.unit() < 0.7 {
        squash(&mut velocity);
    }
    if rng.unit() < 0.5 {
        meet(pair, &mut points, &meeting_weights(pair, rng));
    }
    passing(points, velocity, sixteenth(rng))
}

/// Triangles and pairs of edges that are next to being lines, down to 1e-12 thin; half of them meet.
fn needles(pair: PairKind, rng: &mut Rng) -> PairMotion {
    let thin = libm::pow(10.0, rng.between(-12.0, -3.0));
    let (mut points, mut velocity) = (four(rng, any), four(rng, any));
    for x in [&mut points, &mut velocity] {
        match pair {
            PairKind::VertexTriangle => x[3] = (x[1] + x[2]) * 0.5 + any(rng) * thin,
            PairKind::EdgeEdge => x[3] = x[2] + (x[1] - x[0]) + any(rng) * thin,
        }
    }
    let weights = match pair {
        PairKind::VertexTriangle => [1.0, 0.3, 0.3, 0.4],
        PairKind::EdgeEdge => [0.3, 0.7, 0.6, 0.4],
    };
    meet(pair, &mut points, &weights);
    if rng.unit() < 0.5 {
        let off = any(rng) * 0.1;
        points[..pair.side_a()].iter_mut().for_each(|x| *x += off);
    }
    passing(points, velocity, rng.unit())
}

fn far(pair: PairKind, rng: &mut Rng) -> PairMotion {
    map(aimed(pair, rng, 0.1), |x| DVec3::new(1e6, -1e6, 1e6) + x * 1e-3)
}

fn tiny(pair: PairKind, rng: &mut Rng) -> PairMotion {
    map(aimed(pair, rng, 0.1), |x| x * 1e-9)
}

/// All four by the same way, exactly; sides 1/16 apart or more, or in contact from the start.
fn rigid(_: PairKind, rng: &mut Rng) -> PairMotion {
    let start = four(rng, grid);
    let way = grid(rng) * 64.0;
    PairMotion { start, end: start.map(|x| x + way) }
}

fn fast(pair: PairKind, rng: &mut Rng) -> PairMotion {
    let size = libm::pow(10.0, rng.between(-6.0, -3.0));
    let points = aimed(pair, rng, 0.5).start.map(|x| x * size);
    let (flight, turn) = (any(rng), size * rng.unit());
    let a = pair.side_a();
    let velocity =
        std::array::from_fn(|i| any(rng) * turn + if i < a { flight } else { DVec3::ZERO });
    let mut points = points;
    // Weights that meet at least near each other: about half of these hit.
    meet(pair, &mut points, &meeting_weights(pair, rng));
    let off = any(rng) * (size * 0.3);
    points[..a].iter_mut().for_each(|x| *x += off);
    passing(points, velocity, rng.unit())
}

/// Centimetres of cloth that come from a millimetre away, as a state stores them.
fn cloth(pair: PairKind, rng: &mut Rng) -> PairMotion {
    let motion = map(aimed(pair, rng, 0.1), |x| x * DVec3::new(0.01, 0.001, 0.01) + DVec3::ONE);
    map(motion, |x| x.as_vec3().as_dvec3())
}
