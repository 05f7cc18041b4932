//! The page and its plots.

use std::cmp::Ordering;

use super::NAME;
use super::measure::{Effort, Measured, Try};
use crate::commands::bench::Machine;
use crate::commands::compare::quoted;
use crate::plot::{Axis, Chart, Line, Scale, number};

/// What the page says around the numbers.
const TEMPLATE: &str = include_str!("choosing-a-solver.md");

/// Errors that count as good enough for the eye, and as exact, over the size of the body.
const GOOD: f64 = 0.01;
const EXACT: f64 = 0.001;
/// A quarter of a frame at 60 Hz: what a game or a live view can spare. [ms]
const LIVE_MS: f64 = 4.0;

/// The page as Markdown.
pub fn text(results: &[Measured], machine: &Machine, effort: &Effort) -> String {
    let choice: String = results.iter().map(choice).collect();
    let scenes: String = results.iter().map(scene).collect();
    let threads = effort.threads;
    let mut machine = format!(
        "tkanina {} on {machine}, {threads} {}",
        env!("CARGO_PKG_VERSION"),
        if threads == 1 { "thread" } else { "threads" }
    );
    if effort.quick {
        machine += ". **This is a quick run of a few frames: its numbers say nothing**";
    }
    let percent = |part: f64| number(1e2 * part);
    TEMPLATE
        .replace("{{choice}}", choice.trim_end())
        .replace("{{scenes}}", scenes.trim_end())
        .replace("{{machine}}", &machine)
        .replace("{{good}}", &percent(GOOD))
        .replace("{{exact}}", &percent(EXACT))
        .replace("{{live}}", &number(LIVE_MS))
}

/// A row of "what should I choose?".
fn choice(result: &Measured) -> String {
    let stable = || result.tries.iter().filter(|t| t.error.is_some());
    let error = |t: &Try| t.error.unwrap_or(f64::INFINITY);
    // Below what the reference is good for, the faster is the better.
    let floor = result.within.unwrap_or(0.0);
    let rank = |t: &&Try| (error(t).max(floor), t.ms);
    let fastest_within =
        |limit: f64| stable().filter(|t| error(t) <= limit).min_by(|a, b| a.ms.total_cmp(&b.ms));
    let live = stable().filter(|t| t.ms <= LIVE_MS);
    let cells = [
        fastest_within(GOOD),
        fastest_within(EXACT),
        live.min_by(|a, b| rank(a).partial_cmp(&rank(b)).unwrap_or(Ordering::Equal)),
    ];
    let cells = cells.map(|found| found.map_or_else(|| "none of those tried".to_owned(), cell));
    format!(
        "| [{}](#{}) | {} |\n",
        result.scene.title,
        anchor(result.scene.title),
        cells.join(" | ")
    )
}

fn cell(found: &Try) -> String {
    let percent = found.error.map_or_else(String::new, |e| format!(", {} %", number(1e2 * e)));
    format!("`{}` ({} ms{percent})", found.label, number(found.ms))
}

/// As GitHub makes links of headings.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-');
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// Plot and numbers of a scene.
fn scene(result: &Measured) -> String {
    let scene = result.scene;
    let sets: String = scene.sets.iter().map(|set| format!(" --set {}", quoted(set))).collect();
    let mut out = format!(
        "### {}\n\n{}\n\n![{}: error over time a frame of every solver]({NAME}/{}.svg)\n\n\
         `{}`{}: {} points, {} s. Reference: {}.\n",
        scene.title,
        scene.about,
        scene.title,
        scene.slug,
        scene.scene,
        if sets.is_empty() { String::new() } else { format!(" with `{}`", sets.trim()) },
        result.points,
        number(scene.seconds),
        result.reference,
    );
    let troubled: Vec<String> = result
        .tries
        .iter()
        .filter_map(|t| t.trouble.as_ref().map(|trouble| format!("`{}` {trouble}", t.label)))
        .collect();
    if !troubled.is_empty() {
        out += &format!("\nNot stable: {}.\n", troubled.join(", "));
    }
    if !result.left_out.is_empty() {
        let names: Vec<String> = result.left_out.iter().map(|name| format!("`{name}`")).collect();
        out += &format!("\nLeft out because they take too long: {}.\n", names.join(", "));
    }
    out += "\n<details><summary>Every setting</summary>\n\n\
            | solver | ms a frame | error [% of size] | worst stretch [%] | energy [%] |\n\
            | --- | ---: | ---: | ---: | ---: |\n";
    for t in &result.tries {
        let Some(error) = t.error else { continue };
        out += &format!(
            "| `{}` | {} | {} | {} | {} |\n",
            t.label,
            number(t.ms),
            number(1e2 * error),
            number(1e2 * t.stretch),
            number(1e2 * t.energy)
        );
    }
    out + "\n</details>\n\n"
}

/// Error over cost, a line a kind of solver.
pub fn chart(result: &Measured, kinds: &[String]) -> Chart {
    let mut lines = Vec::new();
    for (kind, name) in kinds.iter().enumerate() {
        let of_kind = || result.tries.iter().filter(move |t| t.kind == kind);
        let place = |t: &Try| t.error.map(|error| [t.ms, 1e2 * error]);
        let points: Vec<[f64; 2]> = of_kind().filter(|t| !t.beside).filter_map(place).collect();
        let beside: Vec<[f64; 2]> = of_kind().filter(|t| t.beside).filter_map(place).collect();
        if points.is_empty() && beside.is_empty() {
            continue;
        }
        lines.push(Line { name: name.clone(), style: Some(kind), points, dots: true, beside });
    }
    if let Some(within) = result.within.filter(|within| *within > 0.0) {
        let costs = || lines.iter().flat_map(|line| line.points.iter().map(|point| point[0]));
        let ends = [costs().reduce(f64::min), costs().reduce(f64::max)];
        let points = ends.into_iter().flatten().map(|ms| [ms, 1e2 * within]).collect();
        let name = "reference, to itself".to_owned();
        lines.insert(0, Line { name, style: None, points, dots: false, beside: Vec::new() });
    }
    let all = || lines.iter().flat_map(|line| line.points.iter().chain(&line.beside));
    let x = Scale::log(all().map(|point| point[0]));
    let y = Scale::log(all().map(|point| point[1]));
    let best = result.tries.iter().filter(|t| t.error.is_some());
    let best = best.min_by(|a, b| a.error.unwrap_or(1.0).total_cmp(&b.error.unwrap_or(1.0)));
    let best = best.map_or_else(String::new, |t| format!(" Least error: {}.", cell(t)));
    Chart {
        title: result.scene.title.to_owned(),
        description: format!(
            "Error against time a frame of {} solvers, both logarithmic; lower left is better.{best}",
            lines.iter().filter(|line| line.style.is_some()).count()
        ),
        x: Axis { label: "time [ms a frame]".to_owned(), scale: x },
        y: Axis { label: "distance to the reference [% of size]".to_owned(), scale: y },
        lines,
        alone: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::guide::scenes::SCENES;

    fn tried(label: &str, ms: f64, error: Option<f64>) -> Try {
        Try {
            label: label.to_owned(),
            kind: 0,
            beside: false,
            ms,
            error,
            stretch: 0.1,
            energy: 0.0,
            trouble: error.is_none().then(|| "exploded".to_owned()),
        }
    }

    #[test]
    fn the_fastest_that_is_good_enough_is_chosen() {
        let result = Measured {
            scene: &SCENES[0],
            points: 4,
            within: Some(0.0001),
            reference: "r".to_owned(),
            tries: vec![
                tried("quick", 0.1, Some(0.02)),
                tried("good", 0.5, Some(0.009)),
                tried("better", 2.0, Some(0.005)),
                tried("exact", 9.0, Some(0.0005)),
                tried("broken", 0.01, None),
            ],
            left_out: vec!["slow".to_owned()],
        };
        let row = choice(&result);
        let wanted = "| `good` (0.5 ms, 0.9 %) | `exact` (9 ms, 0.05 %) | `better` (2 ms, 0.5 %) |";
        assert!(row.contains(wanted), "{row}");
        let effort = Effort { quick: false, threads: 1, quiet: true };
        let page = text(&[result], &Machine::here(), &effort);
        assert!(!page.contains("{{"), "a place of the template was left empty");
        assert!(page.contains("`broken` exploded") && page.contains("`slow`"));
    }
}
