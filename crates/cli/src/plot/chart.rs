//! A chart of lines.

use super::marks::{classes, mark};
use super::scale::Scale;
use super::thin::thinned;
use super::{STYLE, escape, legend};

/// Lines over two axes.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The same for those who cannot see it, with the numbers that matter.
    pub description: String,
    /// Along.
    pub x: Axis,
    /// Upward.
    pub y: Axis,
    /// The lines, drawn in their order.
    pub lines: Vec<Line>,
    /// Whether it has title and names in it, to stand alone.
    pub alone: bool,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Quantity with its unit.
    pub label: String,
    /// Where values lie.
    pub scale: Scale,
}

/// A series of points.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Number of its colour and shape; none for the reference.
    pub style: Option<usize>,
    /// Places.
    pub points: Vec<[f64; 2]>,
    /// Whether every point has a dot.
    pub dots: bool,
    /// Points beside the line, not joined.
    pub beside: Vec<[f64; 2]>,
}

const SIZE: [f64; 2] = [560.0, 300.0];
const LEGEND: f64 = 200.0;
/// Space around the field: left, top, right, bottom.
const MARGIN: [f64; 4] = [80.0, 14.0, 14.0, 44.0];
const HEAD: f64 = 24.0;

impl Chart {
    /// As an element of a page that has the style.
    pub fn svg(&self) -> String {
        self.element("")
    }

    /// As a file of its own.
    pub fn file(&self) -> String {
        let inside = format!("<style>{STYLE}</style>");
        let element = self.element(&inside);
        element.replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1) + "\n"
    }

    fn element(&self, style: &str) -> String {
        let [width, mut height] = SIZE;
        let mut full = width;
        if self.alone {
            full += LEGEND;
            let names = MARGIN[1] + HEAD + legend::LINE * self.lines.len() as f64 + 10.0;
            height = (height + 40.0).max(names);
        }
        let top = MARGIN[1] + if self.alone { HEAD } else { 0.0 };
        let field =
            Field { left: MARGIN[0], top, right: width - MARGIN[2], bottom: height - MARGIN[3] };
        let mut out = format!(
            "<svg class=\"chart\" viewBox=\"0 0 {full} {height}\" role=\"img\"><title>{}</title>\
             <desc>{}</desc>{style}",
            escape(&self.title),
            escape(&self.description)
        );
        if self.alone {
            out += &format!("<rect class=\"paper\" width=\"{full}\" height=\"{height}\"/>");
            out += &format!(
                "<text class=\"head\" x=\"{}\" y=\"20\">{}</text>",
                field.left,
                escape(&self.title)
            );
        }
        out += &self.axes(&field);
        out += &self.curves(&field);
        if self.alone {
            out += &legend::column(&self.lines, [width + 4.0, top + 8.0]);
        }
        out + "</svg>"
    }

    fn axes(&self, field: &Field) -> String {
        let Field { left, top, right, bottom } = *field;
        let mut out = String::new();
        for tick in self.x.scale.ticks() {
            let x = field.x(self.x.scale.place(tick).unwrap_or(0.0));
            out += &format!(
                "<path class=\"fine\" d=\"M{x:.1} {top:.1}V{bottom:.1}\"/><text x=\"{x:.1}\" \
                 y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 16.0,
                self.x.scale.label(tick)
            );
        }
        for tick in self.y.scale.ticks() {
            let y = field.y(self.y.scale.place(tick).unwrap_or(0.0));
            out += &format!(
                "<path class=\"grid\" d=\"M{left:.1} {y:.1}H{right:.1}\"/><text x=\"{:.1}\" \
                 y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                left - 7.0,
                y + 4.0,
                self.y.scale.label(tick)
            );
        }
        let (middle, half) = (0.5 * (left + right), 0.5 * (top + bottom));
        out += &format!(
            "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text><text \
             transform=\"translate(13 {half:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            bottom + 36.0,
            escape(&self.x.label),
            escape(&self.y.label)
        );
        out
    }

    fn curves(&self, field: &Field) -> String {
        let Field { left, top, right, bottom } = *field;
        // Nested, so that what leaves the field is cut off without names that could clash.
        let mut out = format!(
            "<svg x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" viewBox=\"{left} {top} {0} \
             {1}\" preserveAspectRatio=\"none\">",
            right - left,
            bottom - top
        );
        let place = |[x, y]: [f64; 2]| {
            Some([field.x(self.x.scale.place(x)?), field.y(self.y.scale.place(y)?)])
        };
        let mut dots = String::new();
        for line in &self.lines {
            let class = line.style.map_or_else(|| "reference".to_owned(), classes);
            let mut path = String::new();
            let mut pen_is_down = false;
            for &point in &thinned(&line.points) {
                let Some([x, y]) = place(point) else {
                    pen_is_down = false;
                    continue;
                };
                path += &format!("{}{x:.1} {y:.1}", if pen_is_down { 'L' } else { 'M' });
                pen_is_down = true;
            }
            out += &format!("<path class=\"{class}\" d=\"{path}\"/>");
            let Some(style) = line.style else { continue };
            if line.dots {
                let places = line.points.iter().filter_map(|point| place(*point));
                dots.extend(places.map(|at| mark(style, at, false)));
            }
            let places = line.beside.iter().filter_map(|point| place(*point));
            dots.extend(places.map(|at| mark(style, at, true)));
        }
        // Dots at the edge stay whole.
        out + "</svg>" + &dots
    }
}

/// Where the lines are. [px]
#[derive(Clone, Copy)]
struct Field {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Field {
    fn x(&self, place: f64) -> f64 {
        self.left + place * (self.right - self.left)
    }

    fn y(&self, place: f64) -> f64 {
        self.bottom - place * (self.bottom - self.top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<[f64; 2]>) -> Chart {
        let scale = Scale::Linear { low: 0.0, high: 10.0 };
        let axis = |label: &str| Axis { label: label.to_owned(), scale };
        let line =
            Line { name: "a<b".into(), style: Some(1), points, dots: false, beside: Vec::new() };
        Chart {
            title: "T & U".into(),
            description: "what".into(),
            x: axis("time [s]"),
            y: axis("y"),
            lines: vec![line],
            alone: true,
        }
    }

    #[test]
    fn a_line_goes_from_corner_to_corner_and_text_is_escaped() {
        let svg = chart(vec![[0.0, 0.0], [10.0, 10.0]]).svg();
        assert!(svg.contains("d=\"M80.0 296.0L546.0 38.0\""), "{svg}");
        assert!(svg.contains("T &amp; U") && svg.contains("a&lt;b") && !svg.contains("xmlns"));
        assert!(chart(Vec::new()).file().starts_with("<svg xmlns="));
    }

    #[test]
    fn what_is_no_number_breaks_the_line() {
        let svg = chart(vec![[0.0, 0.0], [1.0, f64::NAN], [2.0, 1.0], [3.0, 1.0]]).svg();
        let path = svg.split("curve s1\" d=\"").nth(1).and_then(|p| p.split('"').next()).unwrap();
        assert_eq!((path.matches('M').count(), path.matches('L').count()), (2, 1), "{path}");
    }
}
