//! Plots over time.

use tkanina_scene::compare::Track;

use super::super::comparison::Comparison;
use super::super::reference::Reference;
use crate::plot::{Axis, Chart, Line, Scale, number};

/// A quantity over time.
struct Quantity {
    title: &'static str,
    /// Quantity with its unit.
    label: &'static str,
    scale: fn(&[f64]) -> Scale,
    values: fn(&Track) -> Vec<f64>,
    /// Which run is drawn as the reference.
    reference: fn(&Reference) -> Option<&Track>,
}

fn linear(values: &[f64]) -> Scale {
    Scale::linear(values.iter().copied())
}

fn fitting(values: &[f64]) -> Scale {
    Scale::fitting(values.iter().copied())
}

fn log(values: &[f64]) -> Scale {
    Scale::log(values.iter().copied())
}

/// Nothing where nothing was measured, which leaves a gap.
fn gaps(values: &[Option<f64>], factor: f64) -> Vec<f64> {
    values.iter().map(|value| value.map_or(f64::NAN, |v| factor * v)).collect()
}

/// Where zero lies says nothing, and would hide small changes.
fn since_start(values: &[f64], start: f64) -> Vec<f64> {
    values.iter().map(|value| value - start).collect()
}

const QUANTITIES: &[Quantity] = &[
    Quantity {
        title: "Largest stretch",
        label: "stretch [%]",
        scale: linear,
        values: |t| t.series.stretch_max.iter().map(|v| 1e2 * v).collect(),
        reference: |r| Some(&r.track),
    },
    Quantity {
        title: "Distance to the reference",
        label: "distance, RMS [mm]",
        scale: log,
        values: |t| gaps(&t.series.distance_rms_m, 1e3),
        // How far it can be relied on.
        reference: |r| r.coarser.as_ref(),
    },
    Quantity {
        title: "Total energy since the start",
        label: "energy [J]",
        scale: linear,
        values: |t| since_start(&t.series.total, t.start.parts.iter().sum()),
        reference: |r| Some(&r.track),
    },
    Quantity {
        title: "Time a frame",
        label: "time [ms]",
        scale: fitting,
        values: |t| t.series.ms.clone(),
        reference: |_| None,
    },
    Quantity {
        title: "Kinetic energy",
        label: "energy [J]",
        scale: linear,
        values: |t| t.series.kinetic.clone(),
        reference: |r| Some(&r.track),
    },
    Quantity {
        title: "Elastic energy",
        label: "energy [J]",
        scale: linear,
        values: |t| t.series.elastic.clone(),
        reference: |r| Some(&r.track),
    },
    Quantity {
        title: "Gravity energy since the start",
        label: "energy [J]",
        scale: linear,
        values: |t| since_start(&t.series.gravity, t.start.parts[2]),
        reference: |r| Some(&r.track),
    },
    Quantity {
        title: "Mean stretch",
        label: "stretch [%]",
        scale: linear,
        values: |t| t.series.stretch_mean.iter().map(|v| 1e2 * v).collect(),
        reference: |r| Some(&r.track),
    },
];

/// All plots that there is something to show in.
pub fn charts(comparison: &Comparison) -> Vec<Chart> {
    QUANTITIES.iter().filter_map(|quantity| chart(quantity, comparison)).collect()
}

fn chart(quantity: &Quantity, comparison: &Comparison) -> Option<Chart> {
    let mut lines = Vec::new();
    // What unstable solvers did would flatten all others.
    let mut scaled: Vec<f64> = Vec::new();
    let mut everything: Vec<f64> = Vec::new();
    let mut ends = Vec::new();
    if let Some(track) = comparison.reference.as_ref().ok().and_then(quantity.reference) {
        let values = (quantity.values)(track);
        scaled.extend(&values);
        lines.push(line("reference", None, &track.series.time_s, &values));
    }
    for (style, row) in comparison.rows.iter().enumerate() {
        let Some(ran) = &row.ran else { continue };
        let label = &row.case.entry.label;
        let values = (quantity.values)(&ran.track);
        everything.extend(&values);
        if ran.summary.stable {
            scaled.extend(&values);
        }
        if let Some(last) = values.iter().rev().find(|value| value.is_finite()) {
            ends.push(format!("{label} {}", number(*last)));
        }
        lines.push(line(label, Some(style), &ran.track.series.time_s, &values));
    }
    if !everything.iter().any(|value| value.is_finite()) {
        return None;
    }
    if scaled.is_empty() {
        scaled = everything;
    }
    let times = lines.iter().flat_map(|line| line.points.iter().map(|point| point[0]));
    let (start, end) = times.fold((f64::MAX, 0.0f64), |(a, b), t| (a.min(t), b.max(t)));
    let start = if start < 0.2 * end { 0.0 } else { start };
    let description = format!(
        "{}, {}, over {} s. At the end: {}.",
        quantity.title,
        quantity.label,
        number(end),
        ends.join(", ")
    );
    let x = Axis { label: "time [s]".to_owned(), scale: Scale::Linear { low: start, high: end } };
    let y = Axis { label: quantity.label.to_owned(), scale: (quantity.scale)(&scaled) };
    let title = quantity.title.to_owned();
    Some(Chart { title, description, x, y, lines, alone: false })
}

fn line(name: &str, style: Option<usize>, times: &[f64], values: &[f64]) -> Line {
    let points = times.iter().zip(values).map(|(t, v)| [*t, *v]).collect();
    Line { name: name.to_owned(), style, points, dots: false, beside: Vec::new() }
}
