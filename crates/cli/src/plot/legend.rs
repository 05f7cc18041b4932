//! Which line is which.

use super::chart::Line;
use super::escape;
use super::marks::{classes, mark};

/// Height of a line of the legend. [px]
pub const LINE: f64 = 18.0;

/// A short piece of a series' line, for tables.
pub fn swatch(style: Option<usize>) -> String {
    let class = style.map_or_else(|| "reference".to_owned(), classes);
    format!(
        "<svg class=\"swatch\" width=\"26\" height=\"10\" aria-hidden=\"true\">\
         <line class=\"{class}\" x1=\"2\" y1=\"5\" x2=\"24\" y2=\"5\"/></svg>"
    )
}

/// Names of lines with a piece of each, downward from a place.
pub fn column(lines: &[Line], [x, mut y]: [f64; 2]) -> String {
    let mut out = String::new();
    for line in lines {
        let class = line.style.map_or_else(|| "reference".to_owned(), classes);
        out += &format!(
            "<line class=\"{class}\" x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>",
            x + 24.0
        );
        if let (true, Some(style)) = (line.dots, line.style) {
            out += &mark(style, [x + 12.0, y], false);
        }
        out += &format!(
            "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 31.0,
            y + 4.0,
            escape(&line.name)
        );
        y += LINE;
    }
    out
}
