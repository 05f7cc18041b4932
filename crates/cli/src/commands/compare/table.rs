//! The comparison at the terminal.

use super::columns::{columns, state};
use super::comparison::Comparison;
use crate::plot::number;

/// Head, one row a solver, then what needs a sentence.
pub fn text(comparison: &Comparison) -> String {
    let columns = columns(comparison);
    let mut lines: Vec<Vec<String>> = vec![
        ["solver"].into_iter().chain(columns.iter().map(|c| c.title)).map(str::to_owned).collect(),
        [""].into_iter().chain(columns.iter().map(|c| c.unit)).map(str::to_owned).collect(),
    ];
    lines[0].push("state".to_owned());
    lines[1].push(String::new());
    for row in &comparison.rows {
        let mut line = vec![row.case.entry.label.clone()];
        line.extend(columns.iter().map(|column| column.cell(row, comparison)));
        line.push(state(row));
        lines.push(line);
    }
    let mut out = head(comparison);
    for line in aligned(&lines) {
        out += &line;
        out.push('\n');
    }
    if comparison
        .rows
        .iter()
        .filter_map(|row| row.ran.as_ref())
        .any(|r| comparison.is_unresolved(r))
    {
        out += "\n~ closer than the reference is to itself at twice the step\n";
    }
    for row in &comparison.rows {
        if let Some(reason) = row.trouble() {
            out += &format!("\n{}: {reason}\n", row.case.entry.label);
        }
    }
    for note in &comparison.notes {
        out += &format!("\nnote: {note}\n");
    }
    out
}

fn head(comparison: &Comparison) -> String {
    let Comparison { scene, frames, frame_s, points, threads, repeat, .. } = comparison;
    let threads = if *threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
    let best = if *repeat > 1 { format!(", best of {repeat}") } else { String::new() };
    format!(
        "{scene}: {frames} frames of {} ms, {points} points, {threads}{best}\nreference: {}\n\n",
        number(1e3 * frame_s),
        comparison.reference_in_words()
    )
}

/// Texts to the left in the first and last column, numbers to the right in the others.
fn aligned(lines: &[Vec<String>]) -> Vec<String> {
    let count = lines.first().map_or(0, Vec::len);
    let width = |column: usize| lines.iter().map(|l| l[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let line = |cells: &Vec<String>| {
        let cell = |(column, (cell, width)): (usize, (&String, &usize))| {
            if column == 0 || column + 1 == count {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        };
        let cells: Vec<String> = cells.iter().zip(&widths).enumerate().map(cell).collect();
        cells.join("  ").trim_end().to_owned()
    };
    lines.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let line = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let lines = [line(["solver", "time", "state"]), line(["rk4", "1.25", "stable"])];
        assert_eq!(aligned(&lines), ["solver  time  state", "rk4     1.25  stable"]);
    }
}
