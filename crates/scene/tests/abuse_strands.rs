//! Strands by abuse: stiffness, thickness and length over orders of magnitude, roots jerked, started as
//! a random tangle. Everything stays finite, keeps its length and comes to rest. Rods of Cosserat are as
//! long as their weight makes them.
//!
//! `TKANINA_ABUSE_STRANDS=500` runs more draws than every day's, `TKANINA_ABUSE_FROM` later ones. A
//! failure prints the scene that reproduces it.

use std::fmt::Write;

use tkanina_scene::build::{Simulation, build};
use tkanina_scene::schema::Scene;
use tkanina_sim::measure;
use tkanina_sim::rng::Rng;
use tkanina_sim::world::World;

/// Bodies that are mistreated every day.
const DRAWS: u64 = 24;

/// Strands of each.
const STRANDS: usize = 5;

/// Longest that an edge may be at the end, as a part over its length and what its load stretches it by.
const STRETCH: f64 = 0.01;

struct Draw {
    scene: String,
    curves: String,
    /// √(g·length), what a strand falls at. [m/s]
    fall: f64,
    /// ρ g/E of a rod of Cosserat, by which it is stretched for each length that hangs below; all others
    /// cannot be stretched. [1/m]
    give: f64,
    tags: String,
}

/// Young's modulus from 10⁵ to 10¹¹ Pa, hairs and hawsers, and a medium that takes the motion away in
/// about a second.
fn draw(number: u64) -> Draw {
    let mut rng = Rng::new(0x57a4_d501 ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut log = |low: f64, high: f64| 10f64.powf(rng.between(low.log10(), high.log10()));
    let (young, length) = (log(1e5, 1e11), log(0.02, 2.0));
    let diameter = length * log(1e-4, 1e-2);
    let (shear, density) = (young * log(0.05, 0.5), log(100.0, 8000.0));
    let (pitch, radius) = (length * log(0.1, 1.0), length * log(0.001, 0.03));
    let jerk = length * log(0.1, 2.0);
    let nodes = log(4.0, 40.0) as u32;
    let curled = number % 3 == 1;
    let model = match number % 4 {
        3 => "{ kind: cosserat, sweeps: 40 }",
        2 => "{ kind: super-helix, pieces: 6 }",
        _ => "{ kind: rod }",
    };
    // Super-helices need a root that holds its direction.
    let hinged = number.is_multiple_of(5) && number % 4 != 2;
    let mass =
        std::f64::consts::FRAC_PI_4 * diameter * diameter * density * length / f64::from(nodes);
    let mut curves = "strands:\n".to_owned();
    for _ in 0..STRANDS {
        let mut point =
            || std::array::from_fn::<f64, 3, _>(|_| 0.3 * length * rng.between(-1.0, 1.0));
        let points: Vec<String> = (0..8).map(|_| format!("{:?}", point())).collect();
        let _ = writeln!(curves, "  - [{}]", points.join(", "));
    }
    let mut scene = String::new();
    let _ = write!(
        scene,
        "format: 1\nname: abuse {number}\ntime: {{ frame_rate_hz: 60, substeps: 2, duration_s: 12 }}\n\
         air: {{ density_kg_m3: 0 }}\n\
         bodies:\n  - name: strands\n    kind: strands\n    nodes: {nodes}\n    hinged: {hinged}\n    \
         shape: {{ kind: curves, file: tangle.yaml }}\n    rest: straight\n    model: {model}\n    \
         damping_kg_s: {:e}\n    \
         root: {{ kind: follow, keyframes: [{{ t_s: 0.2 }}, {{ t_s: 0.25, offset_m: [{jerk}, {jerk}, 0], \
         rotation_deg: [0, 0, 120] }}, {{ t_s: 0.3 }}] }}\n    \
         fibre: {{ young_Pa: {young:e}, shear_Pa: {shear:e}, density_kg_m3: {density}, \
         diameter_mm: {:e}, curl: {{ radius_m: {}, pitch_m: {pitch} }}, inner_friction_s: 0.01, drag: 0 }}\n",
        3.0 * mass,
        1e3 * diameter,
        if curled { radius } else { 0.0 },
    );
    let tags = format!("E {young:.0e}, d/L {:.0e}, {nodes} nodes, {model}", diameter / length);
    let give = if model.contains("cosserat") { density * 9.81 / young } else { 0.0 };
    Draw { scene, curves, give, fall: (9.81 * length).sqrt(), tags }
}

fn simulation(draw: &Draw) -> Simulation {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("tangle.yaml"), &draw.curves).unwrap();
    let loaded = Scene::load_text("abuse", &draw.scene, Some(dir.path()), &[]);
    build(&loaded.map_err(|e| e.render()).unwrap()).map_err(|e| e.to_string()).unwrap()
}

/// An edge that is longer than what hangs below it makes it: ε ≤ ρ g (L − s)/E, whatever the shape.
fn overstretched(draw: &Draw, world: &World) -> Option<String> {
    let strands = &world.model().strands[0].strands;
    for strand in strands {
        let points: Vec<_> = strand.particles().map(|i| world.state().x.get(i)).collect();
        for (i, ends) in points.windows(2).enumerate() {
            let strain = f64::from(ends[0].distance(ends[1]) / strand.edge) - 1.0;
            let below = (points.len() as f64 - i as f64 - 1.5) * f64::from(strand.edge);
            if !(strain <= STRETCH + draw.give * below) {
                let (strain, load) = (100.0 * strain, 100.0 * draw.give * below);
                return Some(format!("is stretched by {strain:.3} %, its load by {load:.3} %"));
            }
        }
    }
    None
}

/// What is wrong at the end, if anything.
fn fault(draw: &Draw) -> Option<String> {
    let mut simulation = simulation(draw);
    for _ in 0..simulation.schedule.frames {
        if let Err(explosion) = simulation.advance() {
            return Some(explosion.to_string());
        }
    }
    let world = &simulation.world;
    if measure::nonfinite(world.state()) > 0 {
        return Some("is not finite".to_owned());
    }
    if let Some(fault) = overstretched(draw, world) {
        return Some(fault);
    }
    let v = &world.state().v;
    let fastest = (0..v.len()).map(|i| f64::from(v.get(i).length())).fold(0.0, f64::max);
    (fastest > 0.02 * draw.fall)
        .then(|| format!("moves at {fastest:.2e} m/s; falls at {:.2e}", draw.fall))
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|text| text.parse().ok())
}

/// Numbers of draws that have something wrong, each with what.
fn faults(numbers: impl Iterator<Item = u64>) -> Vec<String> {
    let mut faults = Vec::new();
    for number in numbers {
        let draw = draw(number);
        if let Some(fault) = fault(&draw) {
            println!("{}{}", draw.scene, draw.curves);
            faults.push(format!("{number} ({}) {fault}", draw.tags));
        }
    }
    faults
}

#[test]
fn mistreated_strands_come_to_rest() {
    let from = number("TKANINA_ABUSE_FROM").unwrap_or(0);
    let draws = number("TKANINA_ABUSE_STRANDS").unwrap_or(DRAWS);
    let faults = faults(from..from + draws);
    assert!(faults.is_empty(), "{} of {draws}:\n{}", faults.len(), faults.join("\n"));
}

/// Limp super-helices wound about themselves: where Newton's method began at the speed of a moment ago, it
/// came down in hollows that lay higher than a strand could have climbed, and they fell for ever.
#[test]
fn limp_super_helices_do_not_climb() {
    let faults = faults([62, 70].into_iter());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Rods whose weight stretches them by up to a fifth, which is as far as it should.
#[test]
fn soft_rods_are_stretched_by_their_weight_alone() {
    let faults = faults([27, 47, 71, 79, 115, 119].into_iter());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
