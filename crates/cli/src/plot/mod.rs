//! Line charts as SVG text: small, without scripts, in colours that follow light and dark and
//! that people who see few colours can tell apart.

mod chart;
mod legend;
mod marks;
mod number;
mod scale;
mod thin;

pub use chart::{Axis, Chart, Line};
pub use legend::swatch;
pub use number::number;
pub use scale::Scale;

/// Colours of charts, for the page or the file they stand in.
pub const STYLE: &str = include_str!("style.css");

/// Text that cannot be taken for markup.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Neither HTML nor XML has these.
            c if c.is_control() && c != '\n' && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
