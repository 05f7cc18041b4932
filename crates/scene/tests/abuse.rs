//! Stability proof by abuse: random scenes that no cloth was made for.
//!
//! Materials over six orders of magnitude, steps from 0.1 ms to 100 ms, grids of any aspect,
//! random pins, balls thrown through the cloth, points scattered, flattened and mirrored. Under
//! each solver everything must stay finite, must not gain energy, and must come to rest, on the
//! ball as well once it stands.
//! `TKANINA_ABUSE=20000` runs more draws than the 2,000 of every day, `TKANINA_ABUSE_FROM` later
//! ones. A failure prints the scene that reproduces it.

use std::fmt::Write;
use std::panic::resume_unwind;
use std::sync::OnceLock;

use glam::DVec3;
use tkanina_scene::build::{Simulation, build};
use tkanina_scene::schema::Scene;
use tkanina_sim::measure::{self, Energy};
use tkanina_sim::rng::Rng;

/// Each scene runs under all of them.
const SOLVERS: [&str; 4] = ["line-projection", "vertex-descent", "implicit-euler", "xpbd"];

/// Steps of a run. The medium takes a twentieth of a velocity each step: after these nothing
/// that is not driven is left of any motion.
const STEPS: u32 = 240;

/// Times that many steps which cloth may take if it is still in motion.
const PATIENCE: u32 = 10;

/// A scene as drawn.
struct Draw {
    text: String,
    h: f64,
    /// Whether something from outside can do work.
    driven: bool,
    size: f64,
    /// What is special, in a few words.
    tags: String,
}

fn draw(number: u64) -> Draw {
    let mut rng = Rng::new(0x7ca9_1d4a ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut log = |low: f64, high: f64| 10f64.powf(rng.between(low.log10(), high.log10()));
    let (h, mass, stiffness) = (log(1e-4, 0.1), log(1e-5, 1.0), log(0.1, 1e5));
    let size = [log(0.05, 5.0), log(0.05, 5.0)];
    let (shear, bend, damping) = (log(1e-3, 1.0), log(1e-4, 1.0), log(1e-4, 0.5));
    let (speed, radius) = (log(0.1, 30.0), log(0.05, 0.5));
    let mut chance = |part: f64| rng.unit() < part;
    let (pinned, thrown, damped) = (chance(0.7), chance(0.3), chance(0.5));
    let (limited, angled) = (chance(0.2), chance(0.3));
    let which = rng.between(0.0, 4.0) as u32;
    let points = [0, 1].map(|_| rng.between(2.0, 10.0) as u32);
    let longest = size[0].max(size[1]);
    let mut out = String::new();
    let _ = writeln!(out, "format: 1\nname: abuse {number}");
    let rate = 1.0 / h;
    let duration = h * f64::from(STEPS);
    let _ = writeln!(out, "time: {{ frame_rate_hz: {rate}, substeps: 1, duration_s: {duration} }}");
    // What nothing holds would fall for ever.
    let gravity = if pinned { -9.81 } else { 0.0 };
    let _ = writeln!(out, "gravity_m_s2: [0, {gravity}, 0]");
    let c = if damped { damping * (stiffness * mass).sqrt() } else { 0.0 };
    let law = |k: f64| format!("{{ stiffness: {k}, damping: {c} }}");
    let springs = format!(
        "springs: {{ stencil: neighbours-12, structural: {}, shear: {}, bend: {} }}",
        law(stiffness),
        law(stiffness * shear),
        law(if angled { 0.0 } else { stiffness * bend }),
    );
    let bending = if angled {
        let k = stiffness * bend * 0.01 * longest * longest;
        format!(", bending: {{ kind: angle, stiffness: {k} }}")
    } else {
        String::new()
    };
    let limit = if limited { ", max_stretch: 0.1" } else { "" };
    let _ = writeln!(
        out,
        "materials:\n  m: {{ mass: {{ per_point_kg: {mass} }}, {springs}{bending}, damping_kg_s: {}{limit} }}",
        mass / (20.0 * h)
    );
    let _ = writeln!(
        out,
        "bodies:\n  - name: sheet\n    kind: cloth\n    shape: {{ kind: grid, points: [{}, {}], size_m: [{}, {}] }}\n    material: m",
        points[0], points[1], size[0], size[1]
    );
    let _ = match which {
        0 => writeln!(
            out,
            "    disorder: {{ kind: scattered, spread_m: {}, seed: {} }}",
            longest * rng.between(0.0, 1.5),
            number % 1000
        ),
        1 => writeln!(out, "    disorder: {{ kind: flattened, axis: x }}"),
        2 => writeln!(out, "    disorder: {{ kind: mirrored, axis: z }}"),
        _ => writeln!(out, "    velocity_m_s: [0, {}, 1]", rng.between(-5.0, 5.0)),
    };
    if pinned {
        let count = 1 + rng.between(0.0, 3.0) as u32;
        let pins: Vec<String> = (0..count)
            .map(|_| {
                let [i, j] = points.map(|n| rng.between(0.0, f64::from(n)) as u32);
                format!("[{i}, {j}]")
            })
            .collect();
        let _ = writeln!(out, "    pins: [ {{ points: [{}] }} ]", pins.join(", "));
    }
    if thrown {
        // Through the middle and on; then it stands, perhaps with cloth caught on it.
        let [from, to] = [-0.5, 0.5].map(|part| part * duration * speed);
        let _ = writeln!(
            out,
            "colliders: [ {{ name: ball, kind: sphere, center_m: [0, {from}, 0], radius_m: {}, friction: 0.5, \
             motion: {{ kind: keyframes, keys: [{{ t_s: 0 }}, {{ t_s: {}, position_m: [0, {to}, 0] }}] }} }} ]",
            radius * longest,
            duration,
        );
    }
    let kind = ["scattered", "flattened", "mirrored", "moving"][which.min(3) as usize];
    let tags = format!(
        "{}x{} {kind}, kh²/m {:.0e}{}{}{}{}{}",
        points[0],
        points[1],
        stiffness * h * h / mass,
        if pinned { ", pinned" } else { "" },
        if thrown { ", ball" } else { "" },
        if limited { ", limited" } else { "" },
        if damped { ", damped" } else { "" },
        if angled { ", angled" } else { "" },
    );
    Draw { text: out, h, driven: thrown, size: longest, tags }
}

fn simulation(draw: &Draw, solver: &str) -> Simulation {
    let text = format!("{}solver: {{ kind: {solver} }}\n", draw.text);
    let loaded = Scene::load_text("abuse", &text, None, &[])
        .unwrap_or_else(|e| panic!("{}\n{text}", e.render()));
    build(&loaded).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// What may be wrong with a run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wrong {
    /// A number that is not finite.
    Exploded,
    /// Energy gained.
    Gained,
    /// Neither at rest in the end nor creeping smoothly.
    Shakes,
}

/// What is wrong with a run, if anything.
fn faults(draw: &Draw, solver: &str) -> Vec<(Wrong, String)> {
    let mut out = Vec::new();
    let mut run = simulation(draw, solver);
    let start = energy(&run);
    let mass: f64 = run.world.model().mass.iter().map(|&m| f64::from(m)).sum();
    // Lifting everything by its size, against which rounding is measured.
    let scale = start.kinetic + start.elastic + mass * 9.81 * draw.size;
    let (mut peak, mut held) = (start.kinetic, 0.0f64);
    // After a ball has come to stand cloth gets as long again to come to rest.
    for step in 0..if draw.driven { 2 * STEPS } else { STEPS } {
        run.world.step(draw.h);
        let at = format!("at step {} of {:.3e} s", step + 1, draw.h);
        if measure::nonfinite(run.world.state()) > 0 {
            out.push((Wrong::Exploded, format!("not finite {at}")));
            return out;
        }
        let now = energy(&run);
        // Constraints that a sweep leaves drawn out hold energy that nobody put in and nobody
        // gets: what counts there is motion and height.
        let gained = match solver {
            "vertex-descent" | "implicit-euler" => {
                now.total()
                    - measure::unresolved(run.world.model(), run.world.state())
                    - start.total()
            }
            _ => now.kinetic + now.gravity - start.total(),
        };
        if out.is_empty() && !draw.driven && gained > 1e-3 * scale {
            out.push((Wrong::Gained, format!("gained {gained:.3e} J of {scale:.3e} {at}")));
        }
        peak = peak.max(now.kinetic);
        if draw.driven {
            held = held.max(now.elastic);
        }
    }
    // What slides off a ball or falls in thick air takes its time: what must not go on is shaking.
    let mut shakes = None;
    for _ in 0..PATIENCE {
        let (left, jitter) = shaking(&mut run, draw.h);
        // A ball may have put megajoules into springs: against those, too, rounding is measured.
        let at_rest = left <= 1e-3 * peak || left <= 1e-6 * (scale + held);
        shakes = (!at_rest && jitter > 0.02 * left).then_some((left, jitter));
        if shakes.is_none() {
            break;
        }
        (0..STEPS).for_each(|_| run.world.step(draw.h));
    }
    if let Some((left, jitter)) = shakes {
        let what =
            format!("shakes: {left:.3e} J, {jitter:.3e} of it anew each step, at most {peak:.3e}");
        out.push((Wrong::Shakes, what));
    }
    out
}

/// Over one more step: the larger of ½ Σ m|v|² and ½ Σ m|Δx|²/h², so that neither velocities nor
/// positions shake alone, and ½ Σ m|Δv|². [J]
fn shaking(run: &mut Simulation, h: f64) -> (f64, f64) {
    let before = run.world.state().clone();
    run.world.step(h);
    let (model, after) = (run.world.model(), run.world.state());
    let sum = |change: &dyn Fn(usize) -> DVec3| -> f64 {
        (0..after.x.len())
            .filter(|&i| model.inverse_mass[i] > 0.0)
            .map(|i| 0.5 * f64::from(model.mass[i]) * change(i).length_squared())
            .sum()
    };
    let speed = |i| before.v.get(i).as_dvec3();
    let way = |i| (after.x.get(i) - before.x.get(i)).as_dvec3();
    let motion = sum(&speed).max(sum(&|i| way(i) / h));
    (motion, sum(&|i| after.v.get(i).as_dvec3() - speed(i)).max(sum(&|i| way(i) / h - speed(i))))
}

fn energy(run: &Simulation) -> Energy {
    measure::energy(run.world.model(), run.world.state())
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn nothing_explodes() {
    none(Wrong::Exploded);
}

#[test]
fn nothing_gains_energy() {
    none(Wrong::Gained);
}

#[test]
fn nothing_goes_on_shaking() {
    none(Wrong::Shakes);
}

/// A fault with the scene that has it.
struct Fault {
    wrong: Wrong,
    /// In a line.
    head: String,
    scene: String,
}

/// No run has this fault.
fn none(wrong: Wrong) {
    let (all, faults) = abused();
    let faults: Vec<&Fault> = faults.iter().filter(|f| f.wrong == wrong).collect();
    let heads: Vec<&str> = faults.iter().map(|f| f.head.as_str()).collect();
    let first = faults.first().map_or("", |f| f.scene.as_str());
    let (count, heads) = (faults.len(), heads.join("\n"));
    assert!(faults.is_empty(), "{count} of {all}:\n{heads}\n\n{first}");
}

/// The number of all runs and what is wrong with them. They are run once for all tests, on all
/// cores.
fn abused() -> &'static (u64, Vec<Fault>) {
    static RUNS: OnceLock<(u64, Vec<Fault>)> = OnceLock::new();
    RUNS.get_or_init(|| {
        let draws = number("TKANINA_ABUSE", 2000) / SOLVERS.len() as u64;
        let from = number("TKANINA_ABUSE_FROM", 0);
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
        let mut found: Vec<(u64, Fault)> = std::thread::scope(|scope| {
            let part = |first: u64| {
                let numbers = (from + first..from + draws).step_by(threads as usize);
                numbers.flat_map(|n| abuse(n).into_iter().map(move |fault| (n, fault))).collect()
            };
            let workers: Vec<_> =
                (0..threads).map(|t| scope.spawn(move || -> Vec<_> { part(t) })).collect();
            workers
                .into_iter()
                .flat_map(|w| w.join().unwrap_or_else(|e| resume_unwind(e)))
                .collect()
        });
        found.sort_by_key(|(n, _)| *n);
        (SOLVERS.len() as u64 * draws, found.into_iter().map(|(_, fault)| fault).collect())
    })
}

/// One draw under each solver.
fn abuse(n: u64) -> Vec<Fault> {
    let draw = draw(n);
    let mut out = Vec::new();
    for solver in SOLVERS {
        for (wrong, what) in faults(&draw, solver) {
            let head = format!("# draw {n}, {solver} ({}): {what}", draw.tags);
            let scene = format!("{head}\n{}solver: {{ kind: {solver} }}\n", draw.text);
            out.push(Fault { wrong, head, scene });
        }
    }
    out
}
