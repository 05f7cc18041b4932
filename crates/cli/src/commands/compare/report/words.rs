//! What the numbers say, in sentences.

use tkanina_scene::compare::Track;

use super::super::comparison::{Comparison, Ran, Row};
use crate::plot::number;

/// Why a run has no picture of a moment.
pub fn end(track: &Track) -> String {
    match &track.end {
        Some(end) => format!("exploded at {} s", number(end.time_s)),
        None => "not reached".to_owned(),
    }
}

/// The findings that people ask for first.
pub fn in_short(comparison: &Comparison) -> Vec<String> {
    let ran = |row: &'_ Row| row.ran.as_ref().is_some_and(|ran| ran.summary.stable);
    let stable: Vec<&Row> = comparison.rows.iter().filter(|row| ran(row)).collect();
    let mut out = Vec::new();
    let least = |value: fn(&Ran) -> Option<f64>| {
        let values = stable.iter().filter_map(|row| {
            let found = value(row.ran.as_ref()?)?;
            Some((row.case.entry.label.as_str(), found))
        });
        values.min_by(|a, b| a.1.total_cmp(&b.1))
    };
    if let Some((label, ms)) = least(|ran| Some(ran.summary.frame_ms.median)) {
        out.push(format!("Fastest: <b>{}</b>, {} ms a frame", escape(label), number(ms)));
    }
    let alike = stable.iter().filter_map(|row| row.ran.as_ref());
    let alike = alike.filter(|ran| comparison.is_unresolved(ran)).count();
    if alike > 1 {
        out.push(format!("<b>{alike}</b> are as close to the reference as that is to itself"));
    } else if let Some((label, part)) = least(|ran| ran.summary.distance.map(|d| d.relative)) {
        let percent = number(1e2 * part);
        let label = escape(label);
        out.push(format!("Closest to the reference: <b>{label}</b>, {percent} % of the size"));
    }
    if let Some((label, drift)) = least(|ran| Some(ran.summary.energy_drift.abs())) {
        let percent = number(1e2 * drift);
        out.push(format!("Keeps energy best: <b>{}</b>, within {percent} %", escape(label)));
    }
    let unstable = comparison.rows.len() - stable.len();
    if unstable > 0 {
        let all = comparison.rows.len();
        out.push(format!("<b>{unstable} of {all}</b> did not stay stable or could not run"));
    }
    out
}

fn escape(text: &str) -> String {
    crate::plot::escape(text)
}
