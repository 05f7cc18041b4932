//! From values to places, with ticks that people like.

use super::number;

/// How values lie along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Equal steps are equal lengths.
    Linear {
        /// Value at the start.
        low: f64,
        /// Value at the end.
        high: f64,
    },
    /// Equal factors are equal lengths.
    Log {
        /// Value at the start.
        low: f64,
        /// Value at the end.
        high: f64,
    },
}

/// Values that differ by more than this factor are shown by a logarithmic scale.
const FAR_APART: f64 = 40.0;
/// Most decades that a logarithmic scale shows: what is smaller is hardly more than nothing.
const MOST_DECADES: f64 = 8.0;

impl Scale {
    /// Around all values, from zero if they come near it.
    pub fn linear(values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = range(values).unwrap_or((0.0, 1.0));
        if low > 0.0 && low < 0.5 * high {
            low = 0.0;
        }
        if high < 0.0 && high > 0.5 * low {
            high = 0.0;
        }
        if high - low <= 1e-12 * high.abs().max(low.abs()) {
            let room = if high == 0.0 { 1.0 } else { 0.1 * high.abs() };
            (low, high) = (low - room, high + room);
        }
        let step = step(high - low);
        Self::Linear { low: (low / step).floor() * step, high: (high / step).ceil() * step }
    }

    /// Around all positive values, from a tick to a tick.
    pub fn log(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = range(values.filter(|v| *v > 0.0)).unwrap_or((0.1, 1.0));
        let low = low.max(high * 10f64.powf(-MOST_DECADES));
        let (low, mut high) = (tick_below(low), tick_above(high));
        if high <= low {
            high = 10.0 * low;
        }
        Self::Log { low, high }
    }

    /// Logarithmic where positive values are far apart, else linear.
    pub fn fitting(values: impl Iterator<Item = f64> + Clone) -> Self {
        match range(values.clone().filter(|v| *v > 0.0)) {
            Some((low, high)) if high > FAR_APART * low => Self::log(values),
            _ => Self::linear(values),
        }
    }

    /// Place of a value, 0 at the start and 1 at the end; none where it has no place.
    pub fn place(&self, value: f64) -> Option<f64> {
        let place = match *self {
            Self::Linear { low, high } => (value - low) / (high - low),
            Self::Log { low, high } if value > 0.0 => (value / low).ln() / (high / low).ln(),
            Self::Log { .. } => return None,
        };
        // Far outside is as good as just outside, and keeps the text short.
        place.is_finite().then(|| place.clamp(-2.0, 3.0))
    }

    /// A tick as text, with as many digits as its neighbours need to differ.
    pub fn label(&self, tick: f64) -> String {
        match *self {
            Self::Linear { low, high } if low.abs().max(high.abs()) < 1e6 => {
                let digits = -step(high - low).log10().floor();
                match digits {
                    0.0..=6.0 => format!("{tick:.0$}", digits as usize).replace('-', "−"),
                    ..0.0 => format!("{tick:.0}").replace('-', "−"),
                    _ => number(tick),
                }
            }
            _ => number(tick),
        }
    }

    /// Values to be written at the axis.
    pub fn ticks(&self) -> Vec<f64> {
        match *self {
            Self::Linear { low, high } => {
                let step = step(high - low);
                let count = ((high - low) / step).round() as i64;
                let first = (low / step).round() as i64;
                (0..=count).map(|i| (first + i) as f64 * step).collect()
            }
            Self::Log { low, high } => {
                let decades = (high / low).log10();
                let parts: &[f64] = if decades <= 2.1 { &[1.0, 2.0, 5.0] } else { &[1.0] };
                let every = if decades > 6.0 { 2 } else { 1 };
                let exponents = low.log10().floor() as i32..=high.log10().ceil() as i32;
                let exponents = exponents.filter(|e| e.rem_euclid(every) == 0);
                let ticks = exponents.flat_map(|e| parts.iter().map(move |p| p * 10f64.powi(e)));
                ticks.filter(|t| *t >= low * 0.999 && *t <= high * 1.001).collect()
            }
        }
    }
}

fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values
        .filter(|v| v.is_finite())
        .map(|v| (v, v))
        .reduce(|(low, high), (v, _)| (low.min(v), high.max(v)))
}

/// 1, 2 or 5 times a power of ten that cuts `span` into four to nine parts.
fn step(span: f64) -> f64 {
    let rough = span / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let part = rough / power;
    let nice = if part < 1.5 {
        1.0
    } else if part < 3.5 {
        2.0
    } else if part < 7.5 {
        5.0
    } else {
        10.0
    };
    nice * power
}

/// A value this near a tick is on it.
const ON: f64 = 1.000_001;

/// The largest 1, 2 or 5 times a power of ten that is not above `value`.
fn tick_below(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let ticks = [5.0, 2.0, 1.0].map(|part| part * power);
    ticks.into_iter().find(|tick| *tick <= value * ON).unwrap_or(power)
}

/// The least 1, 2 or 5 times a power of ten that is not below `value`.
fn tick_above(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let ticks = [1.0, 2.0, 5.0].map(|part| part * power);
    ticks.into_iter().find(|tick| tick * ON >= value).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(values: &[f64]) -> (f64, f64, usize) {
        let scale = Scale::linear(values.iter().copied());
        let Scale::Linear { low, high } = scale else { panic!("{scale:?}") };
        (low, high, scale.ticks().len())
    }

    #[test]
    fn linear_scales_end_at_ticks() {
        assert_eq!(linear(&[0.2, 9.7]), (0.0, 10.0, 6));
        assert_eq!(linear(&[-1.0, 1.0]), (-1.0, 1.0, 5));
        assert_eq!(linear(&[1013.0, 1017.0]), (1013.0, 1017.0, 5));
        assert_eq!(linear(&[]).0, 0.0);
        let (low, high, _) = linear(&[3.0, 3.0, f64::NAN]);
        assert!(low < 3.0 && high > 3.0);
    }

    #[test]
    fn ticks_that_differ_look_different() {
        let scale = Scale::linear([342.6, 343.9].into_iter());
        let labels: Vec<String> = scale.ticks().iter().map(|tick| scale.label(*tick)).collect();
        assert_eq!(labels[..3], ["342.6", "342.8", "343.0"]);
        assert_eq!(Scale::linear([-20.0, 4000.0].into_iter()).label(-1000.0), "−1000");
    }

    #[test]
    fn logarithmic_scales_place_factors_evenly() {
        let scale = Scale::log([0.011, 0.0, 95.0].into_iter());
        assert_eq!(scale, Scale::Log { low: 0.01, high: 100.0 });
        assert_eq!(scale.place(1.0), Some(0.5));
        assert_eq!(scale.place(0.0), None);
        assert_eq!(scale.ticks(), [0.01, 0.1, 1.0, 10.0, 100.0]);
        let fine = Scale::log([0.3, 4.0].into_iter());
        assert_eq!(fine.ticks(), [0.2, 0.5, 1.0, 2.0, 5.0]);
        assert!(matches!(Scale::fitting([1.0, 100.0].into_iter()), Scale::Log { .. }));
        assert!(matches!(Scale::fitting([1.0, 10.0].into_iter()), Scale::Linear { .. }));
    }
}
