//! Numbers and texts, plain where that reads back as the same.

use serde_json::Number;

use crate::node::{Value as Scalar, resolve_plain};

/// From here on and below a thousandth of it numbers are written with an exponent.
const MANY_DIGITS: f64 = 1e7;
const SMALL: f64 = 1e-4;

/// A number, as short as it can be without losing a bit.
pub fn number(number: &Number) -> String {
    let Some(float) = number.as_f64().filter(|_| number.is_f64()) else {
        return number.to_string();
    };
    let size = float.abs();
    if float == 0.0 && float.is_sign_negative() {
        // A whole number would lose the sign.
        "-0.0".to_owned()
    } else if float == 0.0 || (SMALL..MANY_DIGITS).contains(&size) {
        format!("{float}")
    } else {
        format!("{float:e}")
    }
}

/// A text on one line: plain where that means the same text, else in quotes.
pub fn text(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// Whether the bare text reads back as itself, here and to readers of YAML 1.1.
fn is_plain(text: &str) -> bool {
    const OLD_WORDS: &[&str] = &["y", "n", "yes", "no", "on", "off"];
    let starts_well = text.chars().next().is_some_and(char::is_alphanumeric);
    let ends_well = !text.ends_with([' ', ':']);
    let harmless = |c: char| c.is_alphanumeric() || " _-./()%+=×·²³°–—'!?;:".contains(c);
    let digits = text.chars().all(|c| c.is_ascii_digit() || "_-:.+eE".contains(c));
    starts_well
        && ends_well
        && text.chars().all(harmless)
        && !text.contains(": ")
        && !digits
        && !OLD_WORDS.contains(&text.to_lowercase().as_str())
        && matches!(resolve_plain(text), Scalar::String(_))
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_printable(c) => out.push(c),
            c if u32::from(c) > 0xffff => out.push_str(&format!("\\U{:08x}", u32::from(c))),
            c => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

/// What may stand in a text as it is: no control characters, breaks other than `\n`,
/// marks of byte order, or characters that only Unicode's own tables have.
fn is_printable(c: char) -> bool {
    let odd =
        matches!(u32::from(c), 0x85 | 0x2028 | 0x2029 | 0xfeff) || u32::from(c) & 0xfffe == 0xfffe;
    !c.is_control() && !odd
}

/// A long text as a block under its field, each line behind `indent` spaces; none if
/// only quotes keep it.
pub fn block(text: &str, indent: usize, width: usize) -> Option<String> {
    let margin = format!("\n{:indent$}", "");
    if !text.chars().all(|c| c == '\n' || is_printable(c)) {
        return None;
    }
    if text.contains('\n') {
        let (body, mark) = match text.strip_suffix('\n') {
            Some(body) => (body, "|"),
            None => (text, "|-"),
        };
        let safe = |line: &str| !line.is_empty() && !line.starts_with(' ') && !line.ends_with(' ');
        let lines: Vec<&str> = body.split('\n').collect();
        return lines.iter().all(|line| safe(line)).then(|| {
            let lines = lines.iter().map(|line| format!("{margin}{line}"));
            std::iter::once(mark.to_owned()).chain(lines).collect()
        });
    }
    let words: Vec<&str> = text.split(' ').collect();
    if words.len() < 2 || words.iter().any(|word| word.is_empty()) {
        return None;
    }
    let mut out = String::from(">-");
    let mut column = width;
    for word in words {
        let length = word.chars().count();
        if column + 1 + length > width {
            out.push_str(&margin);
            column = indent;
        } else {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    Some(out)
}
