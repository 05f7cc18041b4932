//! How a run went, in a few lines.

use tkanina_scene::run::Stats;

use super::outputs::Outputs;

/// A line for each thing that people ask first.
pub fn text(stats: &Stats, outputs: &Outputs) -> String {
    let mut lines = vec![
        format!(
            "{}: {} frames, {} steps, {:.4} s simulated in {:.3} s",
            stats.scene, stats.frames, stats.steps, stats.simulated_s, stats.wall_s
        ),
        format!(
            "particles: {}, solver: {}, threads: {}",
            stats.particles, stats.solver, stats.threads
        ),
        format!(
            "frame: {:.3} ms median, {:.3} ms 99 %, {:.3} ms max; {:.3e} particle updates/s",
            stats.frame_ms.median,
            stats.frame_ms.p99,
            stats.frame_ms.max,
            stats.particle_updates_per_s
        ),
        format!(
            "stretch: {:.3} % max, {:.3} % ever",
            1e2 * stats.stretch.max,
            1e2 * stats.stretch.max_ever
        ),
        format!(
            "energy: {:.4e} J (kinetic {:.4e}, elastic {:.4e}, gravity {:.4e})",
            stats.energy_j.total,
            stats.energy_j.kinetic,
            stats.energy_j.elastic,
            stats.energy_j.gravity
        ),
        format!("contacts: {}, intersections: {}", stats.contacts, stats.intersections),
    ];
    if stats.tangled_start > 0 || stats.tangled_end > 0 {
        let [start, end] = [stats.tangled_start, stats.tangled_end];
        let left = if end > 0 { ": what is left has not come apart yet, or cannot" } else { "" };
        lines.push(format!(
            "tangled: {start} pairs of triangles at the start, {end} at the end{left}"
        ));
    }
    lines.extend(stats.held_up.sentences());
    if let Some(written) = outputs.in_words() {
        lines.push(format!("frames written: {written}"));
    }
    if stats.exploded.is_some() {
        lines.push(format!(
            "exploded: frame {} (t = {:.4} s) is the last good one",
            stats.frames, stats.simulated_s
        ));
    }
    lines.push(format!("state_hash: {}\n", stats.state_hash));
    lines.join("\n")
}
