//! Dots of different shapes, so that curves differ by more than colour.

/// A mark of the series `index` around a place.
pub fn mark(index: usize, [x, y]: [f64; 2], hollow: bool) -> String {
    let color = index % COLORS;
    let fill = if hollow { "hollow".to_owned() } else { format!("f{color}") };
    let class = format!("class=\"dot s{color} {fill}\"");
    let path = |corners: &[[f64; 2]]| {
        let points: Vec<String> =
            corners.iter().map(|[dx, dy]| format!("{:.1},{:.1}", x + dx, y + dy)).collect();
        format!("<polygon {class} points=\"{}\"/>", points.join(" "))
    };
    match index % 6 {
        0 => format!("<circle {class} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"),
        1 => path(&[[-3.6, -3.6], [3.6, -3.6], [3.6, 3.6], [-3.6, 3.6]]),
        2 => path(&[[0.0, -4.8], [4.4, 3.4], [-4.4, 3.4]]),
        3 => path(&[[0.0, -5.2], [5.2, 0.0], [0.0, 5.2], [-5.2, 0.0]]),
        4 => path(&[[0.0, 4.8], [4.4, -3.4], [-4.4, -3.4]]),
        _ => path(&[[-5.2, -2.2], [5.2, -2.2], [5.2, 2.2], [-5.2, 2.2]]),
    }
}

/// Colours before they come again, then dashed.
pub const COLORS: usize = 8;

/// Classes of the curve of the series `index`.
pub fn classes(index: usize) -> String {
    match index / COLORS {
        0 => format!("curve s{}", index % COLORS),
        round => format!("curve s{} d{}", index % COLORS, round.min(2)),
    }
}
