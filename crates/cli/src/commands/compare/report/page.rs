//! The report: one page that needs no other file.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tkanina_stage::film::jpeg_bytes;

use super::super::columns::{Column, columns, state};
use super::super::comparison::{Comparison, Row};
use super::pictures::{PictureRow, Pictures};
use super::{charts, words};
use crate::commands::bench::Machine;
use crate::plot::{STYLE, escape, number, swatch};

/// Where the comparison comes from.
pub struct About<'a> {
    /// The command that makes it again.
    pub command: &'a str,
    /// What it was measured on.
    pub machine: &'a Machine,
    /// What a reader should know.
    pub notes: &'a [String],
}

const PAGE_STYLE: &str = include_str!("page.css");
/// Quality of pictures: their folds stay clean and a page of thirty stays below a megabyte.
const QUALITY: u8 = 82;

/// The whole page.
pub fn html(comparison: &Comparison, pictures: Option<&Pictures>, about: &About<'_>) -> String {
    let scene = &comparison.loaded.scene;
    let title = if scene.name.is_empty() { escape(&comparison.scene) } else { escape(&scene.name) };
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}: solvers compared</title>\n<style>\n{STYLE}{PAGE_STYLE}</style>\n</head>\n\
         <body>\n<header>\n<p class=\"kicker\">Solvers compared</p>\n<h1>{title}</h1>\n\
         <p class=\"lead\">{}</p>\n<p class=\"facts\">{}</p>\n</header>\n<main>\n",
        escape(&scene.about),
        facts(comparison)
    );
    out += &short(comparison);
    out += &table(comparison, about.notes);
    out += &pictures.map_or_else(String::new, gallery);
    out += &plots(comparison);
    out += &explanations(comparison);
    out += &origin(comparison, about);
    out + "</main>\n</body>\n</html>\n"
}

fn facts(comparison: &Comparison) -> String {
    let Comparison { frames, frame_s, points, size_m, threads, repeat, .. } = comparison;
    let best = if *repeat > 1 { format!(" · best of {repeat} runs") } else { String::new() };
    format!(
        "{points} points · body of {} m · {frames} frames of {} ms · {threads} {}{best}",
        number(*size_m),
        number(1e3 * frame_s),
        if *threads == 1 { "thread" } else { "threads" },
    )
}

fn short(comparison: &Comparison) -> String {
    let items: String =
        words::in_short(comparison).iter().map(|item| format!("<li>{item}</li>")).collect();
    if items.is_empty() { String::new() } else { format!("<ul class=\"short\">{items}</ul>\n") }
}

fn table(comparison: &Comparison, notes: &[String]) -> String {
    let columns = columns(comparison);
    let head: String = columns
        .iter()
        .map(|c| format!("<th scope=\"col\">{}<small>{}</small></th>", c.title, c.unit))
        .collect();
    let rows: String =
        comparison.rows.iter().enumerate().map(|row| line(comparison, &columns, row)).collect();
    let notes: String = comparison
        .notes
        .iter()
        .chain(notes)
        .map(|note| format!("<p class=\"note\">Note: {}.</p>\n", escape(note)))
        .collect();
    let reasons: String = comparison
        .rows
        .iter()
        .filter_map(|row| Some((escape(&row.case.entry.label), escape(&row.trouble()?))))
        .map(|(label, reason)| format!("<p class=\"note\"><b>{label}</b>: {reason}.</p>\n"))
        .collect();
    format!(
        "<section>\n<h2>Numbers</h2>\n<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">solver</th>\
         {head}<th scope=\"col\" class=\"left\">state</th></tr></thead>\n<tbody>\n{rows}</tbody>\n\
         </table></div>\n<p class=\"note\">{}Reference: {}. Bold: best of those that stayed stable. ~: closer than \
         the reference is to itself, so that which is closer cannot be told.</p>\n\
         {reasons}{notes}</section>\n",
        swatch(None),
        escape(&comparison.reference_in_words()),
    )
}

fn line(comparison: &Comparison, columns: &[Column], (style, row): (usize, &Row)) -> String {
    let cells: String = columns
        .iter()
        .map(|column| {
            let text = column.cell(row, comparison);
            let value = row.ran.as_ref().filter(|ran| ran.summary.stable);
            let value = value.and_then(|ran| column.value(ran));
            if value.is_some() && value == column.best(comparison) {
                format!("<td><b>{text}</b></td>")
            } else {
                format!("<td>{text}</td>")
            }
        })
        .collect();
    let bad = row.ran.as_ref().is_none_or(|ran| !ran.summary.stable);
    format!(
        "<tr{}><th scope=\"row\">{}{}</th>{cells}<td class=\"left state\">{}</td></tr>\n",
        if bad { " class=\"bad\"" } else { "" },
        swatch(Some(style)),
        escape(&row.case.entry.label),
        state(row),
    )
}

fn gallery(pictures: &Pictures) -> String {
    let head: String =
        pictures.moments.iter().map(|m| format!("<th scope=\"col\">{m}</th>")).collect();
    let rows: String = pictures.rows.iter().map(|row| picture_row(pictures, row)).collect();
    format!(
        "<section>\n<h2>Pictures</h2>\n<div class=\"wide\"><table class=\"pictures\">\n<thead><tr><td></td>\
         {head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n<p class=\"note\">Drawn by {}.</p>\n\
         </section>\n",
        escape(&pictures.adapter)
    )
}

fn picture_row(pictures: &Pictures, row: &PictureRow) -> String {
    let label = escape(&row.label);
    let cell = |(image, moment): (&Result<tkanina_render::Image, String>, &String)| {
        let bytes = image.as_ref().map_err(Clone::clone);
        match bytes.and_then(|image| jpeg_bytes(image, QUALITY).map_err(|e| e.to_string())) {
            Ok(bytes) => format!(
                "<td><img alt=\"{label} after {moment}\" src=\"data:image/jpeg;base64,{}\"></td>",
                STANDARD.encode(bytes)
            ),
            Err(reason) => format!("<td class=\"gone\">{}</td>", escape(&reason)),
        }
    };
    let mut cells: String = row.cells.iter().zip(&pictures.moments).map(cell).collect();
    if let (Some(Err(reason)), true) = (row.cells.first(), row.cells.iter().all(Result::is_err)) {
        let columns = row.cells.len();
        cells = format!("<td class=\"gone\" colspan=\"{columns}\">{}</td>", escape(reason));
    }
    format!("<tr><th scope=\"row\">{}{label}</th>{cells}</tr>\n", swatch(row.style))
}

fn plots(comparison: &Comparison) -> String {
    let legend: String = comparison
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.ran.is_some())
        .map(|(i, row)| format!("<li>{}{}</li>", swatch(Some(i)), escape(&row.case.entry.label)))
        .collect();
    let reference = if comparison.reference.is_ok() {
        format!("<li>{}reference</li>", swatch(None))
    } else {
        String::new()
    };
    let figures: String = charts::charts(comparison)
        .iter()
        .map(|chart| {
            let title = escape(&chart.title);
            format!("<figure><figcaption>{title}</figcaption>{}</figure>\n", chart.svg())
        })
        .collect();
    format!(
        "<section>\n<h2>Over time</h2>\n<ul class=\"legend\">{reference}{legend}</ul>\n\
         <div class=\"plots\">\n{figures}</div>\n<p class=\"note\">Axes fit the solvers that stayed stable; \
         others may leave the field. The grey line in the distance plot is the \
         reference against itself at twice the step: below it distances say nothing.</p>\n</section>\n"
    )
}

fn explanations(comparison: &Comparison) -> String {
    let items: String = columns(comparison)
        .iter()
        .map(|c| {
            let about = escape(c.about);
            format!("<dt>{} <small>{}</small></dt><dd>{about}</dd>\n", c.title, c.unit)
        })
        .collect();
    format!("<section>\n<h2>What the columns mean</h2>\n<dl>\n{items}</dl>\n</section>\n")
}

fn origin(comparison: &Comparison, about: &About<'_>) -> String {
    format!(
        "<section>\n<h2>Where this comes from</h2>\n<pre>{}</pre>\n<p>tkanina {} on {}.</p>\n\
         <details><summary>The scene</summary><pre>{}</pre></details>\n</section>\n",
        escape(about.command),
        env!("CARGO_PKG_VERSION"),
        escape(&about.machine.to_string()),
        escape(&comparison.scene_text()),
    )
}
