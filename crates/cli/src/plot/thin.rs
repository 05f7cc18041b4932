//! Fewer points where there are more than an eye tells apart.

/// Groups of points that are drawn at most: more than that no eye tells apart.
const MOST_GROUPS: usize = 150;

/// Fewer points that look alike: of each group the lowest and the highest, in their order.
pub fn thinned(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    if points.len() <= 2 * MOST_GROUPS {
        return points.to_vec();
    }
    let mut out = Vec::with_capacity(2 * MOST_GROUPS + 2);
    for group in points.chunks(points.len().div_ceil(MOST_GROUPS)) {
        let by_height = |a: &(usize, &[f64; 2]), b: &(usize, &[f64; 2])| a.1[1].total_cmp(&b.1[1]);
        let low = group.iter().enumerate().min_by(by_height);
        let high = group.iter().enumerate().max_by(by_height);
        let (Some(low), Some(high)) = (low, high) else { continue };
        let (first, second) = if low.0 <= high.0 { (low, high) } else { (high, low) };
        out.push(*first.1);
        if first.0 != second.0 {
            out.push(*second.1);
        }
    }
    out.extend(points.last());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_the_extremes() {
        let mut spiked: Vec<[f64; 2]> = (0..10_000).map(|i| [f64::from(i), 0.0]).collect();
        spiked[4321][1] = 7.0;
        let thin = thinned(&spiked);
        assert!(thin.len() < 320 && thin.contains(&[4321.0, 7.0]), "{}", thin.len());
        assert_eq!(thinned(&spiked[..300]), spiked[..300]);
    }
}
