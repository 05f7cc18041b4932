//! Hair on a head that shakes, then holds still.

use std::fmt::Write;
use std::time::Instant;

use tkanina_scene::build::{Simulation, build};
use tkanina_scene::schema::Scene;
use tkanina_sim::measure;

use super::row::Row;

/// Frames of a run: three seconds of shaking, three of rest.
const FRAMES: u64 = 360;

/// How long the head shakes. [s]
const SHAKING: f64 = 3.0;

/// Fastest that a point may be at rest. [mm/s]
const REST: f64 = 0.1;

/// Most that strands may stretch. [%]
const STRETCH: f64 = 0.5;

/// Frames of a run of super-helices.
const HELIX_FRAMES: u64 = 60;

/// Straight, wavy and curly hair, and many of them.
pub fn head(_: u32) -> impl Iterator<Item = Row> {
    let cases = [
        (2000, "straight", Some(5.0)),
        (2000, "curly", Some(5.0)),
        (10_000, "straight", Some(20.0)),
    ];
    cases.into_iter().flat_map(|(count, preset, owed)| {
        let model = "{ kind: rod }";
        let run = Run::of(&scene(count, preset, model, SHAKING), FRAMES);
        run.rows("hair", &format!("{count} × 32 {preset}"), owed)
    })
}

/// Super-helices, and what more pieces cost.
pub fn helix(_: u32) -> impl Iterator<Item = Row> {
    [8, 4, 16, 32].into_iter().map(|pieces| {
        let model = format!("{{ kind: super-helix, pieces: {pieces} }}");
        let run = Run::of(&scene(100, "wavy", &model, SHAKING), HELIX_FRAMES);
        Row {
            bench: "super-helix",
            case: format!("100 × {pieces} pieces, median frame"),
            threads: 2,
            value: run.time(0.5),
            unit: "ms",
            owed: (pieces == 8).then_some(16.7),
            over_naive: None,
        }
    })
}

struct Run {
    /// Time of each frame, the least first. [ms]
    times: Vec<f64>,
    /// Stretch of the worst edge in any frame. [%]
    stretch: f64,
    /// Speed of the fastest point at the end. [mm/s]
    fastest: f64,
}

impl Run {
    fn of(text: &str, frames: u64) -> Self {
        let lost =
            Self { times: vec![f64::INFINITY], stretch: f64::INFINITY, fastest: f64::INFINITY };
        let Some(mut simulation) = simulation(text) else { return lost };
        // Without a second thread the row shows what one does.
        let _ = simulation.world.set_threads(2);
        let mut run = Self { times: Vec::new(), stretch: 0.0, fastest: 0.0 };
        for _ in 0..frames {
            let start = Instant::now();
            if simulation.advance().is_err() {
                return lost;
            }
            run.times.push(1e3 * start.elapsed().as_secs_f64());
            let world = &simulation.world;
            let stretch = measure::stretch(world.model().edges.edges(), &world.state().x).max;
            run.stretch = run.stretch.max(100.0 * stretch);
        }
        let v = &simulation.world.state().v;
        let speeds = (0..v.len()).map(|i| f64::from(v.get(i).length()));
        run.fastest = 1e3 * speeds.fold(0.0, f64::max);
        run.times.sort_by(f64::total_cmp);
        run
    }

    fn time(&self, part: f64) -> f64 {
        self.times[((self.times.len() - 1) as f64 * part) as usize]
    }

    fn rows(&self, bench: &'static str, case: &str, owed: Option<f64>) -> Vec<Row> {
        let row = |what: &str, value: f64, unit, owed| Row {
            bench,
            case: format!("{case}, {what}"),
            threads: 2,
            value,
            unit,
            owed,
            over_naive: None,
        };
        vec![
            row("median", self.time(0.5), "ms", owed),
            row("worst", self.time(1.0), "ms", None),
            row("stretch", self.stretch, "%", Some(STRETCH)),
            row("speed at rest", self.fastest, "mm/s", Some(REST)),
        ]
    }
}

fn simulation(text: &str) -> Option<Simulation> {
    build(&Scene::load_text("bench", text, None, &[]).ok()?).ok()
}

/// A ball as a head, φ = 60° sin(2πt) about its axis for some seconds.
fn scene(count: u32, preset: &str, model: &str, shaking: f64) -> String {
    let mut keys = String::new();
    let steps = (24.0 * shaking) as u32;
    for step in 0..=steps {
        let time = f64::from(step) / 24.0;
        let angle = 60.0 * (std::f64::consts::TAU * time).sin();
        let _ = write!(keys, "{{ t_s: {time}, rotation_deg: [0, {angle:.4}, 0] }}, ");
    }
    format!(
        "format: 1\nname: bench\ntime: {{ frame_rate_hz: 60, substeps: 1, duration_s: 6 }}\n\
         contact: {{ thickness_m: 0.001 }}\n\
         bodies:\n  - name: hair\n    kind: strands\n    nodes: 32\n    model: {model}\n    \
         shape: {{ kind: on-surface, on: head, count: {count}, length_m: 0.25, seed: 1, \
         region: {{ cone: {{ apex_m: [0, 0, 0], axis: [0, 1, 0], angle_deg: 90 }} }} }}\n    \
         start: {{ kind: combed, turn_m: 0.03 }}\n    fibre: {{ preset: {preset} }}\n\
         colliders:\n  - {{ name: head, kind: sphere, center_m: [0, 0, 0], radius_m: 0.1, \
         motion: {{ kind: keyframes, keys: [{keys}] }} }}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scene_is_one() {
        let simulation = simulation(&scene(20, "curly", "{ kind: rod }", 1.0));
        let count = simulation.map(|simulation| simulation.world.model().particle_count());
        assert_eq!(count, Some(640));
    }
}
