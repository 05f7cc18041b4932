//! Numbers for people.

/// Three figures, without zeros that say nothing: 0.00123, 12.3, 4570, 1.2e7.
pub fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return if value.is_nan() { "–".to_owned() } else { "∞".to_owned() };
    }
    let size = value.abs();
    if !(1e-4..1e6).contains(&size) {
        let text = format!("{value:.1e}");
        return minus(text.replace(".0e", "e"));
    }
    let digits = (2 - size.log10().floor() as i32).clamp(0, 6) as usize;
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    };
    minus(text)
}

/// With a minus sign as wide as the plus.
fn minus(text: String) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_figures() {
        let wanted = [
            (0.0, "0"),
            (12.345, "12.3"),
            (0.001234, "0.00123"),
            (4567.8, "4568"),
            (-0.5, "−0.5"),
            (9.999, "10"),
            (1.25e7, "1.2e7"),
            (1e-9, "1e−9"),
            (f64::INFINITY, "∞"),
        ];
        for (value, text) in wanted {
            assert_eq!(number(value), text);
        }
    }
}
