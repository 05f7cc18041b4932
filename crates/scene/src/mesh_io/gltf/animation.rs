//! Values over time.

use glam::{DQuat, DVec3};

use super::Wrong;
use super::container::Container;
use super::document::Animation as Described;

/// What an animation does to nodes.
#[derive(Debug, Default)]
pub struct Animation {
    channels: Vec<Channel>,
}

#[derive(Debug)]
struct Channel {
    node: usize,
    path: Path,
    times: Vec<f32>,
    values: Vec<f32>,
    width: usize,
    between: Between,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    Translation,
    Rotation,
    Scale,
    Weights,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    Step,
    Linear,
    /// Each key has a tangent in, a value and a tangent out.
    Cubic,
}

impl Animation {
    /// Reads the channels of an animation; those that move nothing known here are passed over.
    pub fn new(file: &Container, described: &Described) -> Result<Self, Wrong> {
        let mut channels = Vec::new();
        for channel in &described.channels {
            let (path, width) = match channel.target.path.as_str() {
                "translation" => (Path::Translation, 3),
                "rotation" => (Path::Rotation, 4),
                "scale" => (Path::Scale, 3),
                "weights" => (Path::Weights, 1),
                _ => continue,
            };
            let Some(node) = channel.target.node else { continue };
            if node >= file.document.nodes.len() {
                return Err(Wrong::new(format!(
                    "an animation moves node {node}, which is not there"
                )));
            }
            let sampler = described.samplers.get(channel.sampler);
            let sampler = sampler.ok_or_else(|| Wrong::new("an animation lacks a sampler"))?;
            let times = file.numbers(sampler.input, 1)?;
            let values = file.numbers(sampler.output, width)?;
            let between = match sampler.interpolation.as_deref() {
                Some("STEP") => Between::Step,
                Some("CUBICSPLINE") => Between::Cubic,
                _ => Between::Linear,
            };
            if times.is_empty() || times.windows(2).any(|pair| pair[1] <= pair[0]) {
                return Err(Wrong::new("the times of an animation do not increase"));
            }
            let parts = if between == Between::Cubic { 3 * times.len() } else { times.len() };
            // Weights come as many at each key as there are shapes.
            let width = if path == Path::Weights { values.len() / parts } else { width };
            if width == 0 || values.len() != parts * width {
                return Err(Wrong::new("an animation has not as many values as times"));
            }
            channels.push(Channel { node, path, times, values, width, between });
        }
        Ok(Self { channels })
    }

    /// When the last key is. [s]
    pub fn duration(&self) -> f64 {
        let last = |channel: &Channel| channel.times.last().map_or(0.0, |&t| f64::from(t));
        self.channels.iter().map(last).fold(0.0, f64::max)
    }

    /// Translation, rotation and scale of a node at a time, where the animation gives them.
    pub fn apply(&self, node: usize, time: f64, parts: &mut (DVec3, DQuat, DVec3)) {
        let three = |v: &[f64]| DVec3::new(v[0], v[1], v[2]);
        for channel in self.channels.iter().filter(|channel| channel.node == node) {
            let value = channel.at(time);
            match channel.path {
                Path::Translation => parts.0 = three(&value),
                Path::Rotation => {
                    let turn = DQuat::from_xyzw(value[0], value[1], value[2], value[3]);
                    parts.1 = if turn.length() > 1e-9 { turn.normalize() } else { parts.1 };
                }
                Path::Scale => parts.2 = three(&value),
                Path::Weights => {}
            }
        }
    }

    /// Weights of a node's shapes at a time, if the animation gives them.
    pub fn weights(&self, node: usize, time: f64) -> Option<Vec<f64>> {
        let of = |channel: &&Channel| channel.node == node && channel.path == Path::Weights;
        self.channels.iter().find(of).map(|channel| channel.at(time))
    }
}

impl Channel {
    fn at(&self, time: f64) -> Vec<f64> {
        let after = self.times.partition_point(|&t| f64::from(t) <= time);
        let last = self.times.len() - 1;
        if after == 0 || after > last {
            return self.value(if after == 0 { 0 } else { last });
        }
        let (k, next) = (after - 1, after);
        let (from, to) = (f64::from(self.times[k]), f64::from(self.times[next]));
        let (span, s) = (to - from, (time - from) / (to - from));
        match self.between {
            Between::Step => self.value(k),
            Between::Linear if self.path == Path::Rotation => {
                let quat = |v: Vec<f64>| DQuat::from_xyzw(v[0], v[1], v[2], v[3]).normalize();
                let (a, b) = (quat(self.value(k)), quat(self.value(next)));
                let turn =
                    if a.is_finite() && b.is_finite() { a.slerp(b, s) } else { DQuat::IDENTITY };
                turn.to_array().to_vec()
            }
            Between::Linear => {
                let pairs = self.value(k).into_iter().zip(self.value(next));
                pairs.map(|(a, b)| a + (b - a) * s).collect()
            }
            // Hermite: p₀(2s³−3s²+1) + m₀(s³−2s²+s) + p₁(−2s³+3s²) + m₁(s³−s²).
            Between::Cubic => {
                let (s2, s3) = (s * s, s * s * s);
                let (p0, p1) = (self.value(k), self.value(next));
                let (m0, m1) = (self.part(k, 2), self.part(next, 0));
                (0..self.width)
                    .map(|i| {
                        p0[i] * (2.0 * s3 - 3.0 * s2 + 1.0)
                            + span * m0[i] * (s3 - 2.0 * s2 + s)
                            + p1[i] * (3.0 * s2 - 2.0 * s3)
                            + span * m1[i] * (s3 - s2)
                    })
                    .collect()
            }
        }
    }

    fn value(&self, key: usize) -> Vec<f64> {
        self.part(key, usize::from(self.between == Between::Cubic))
    }

    fn part(&self, key: usize, part: usize) -> Vec<f64> {
        let at = if self.between == Between::Cubic { 3 * key + part } else { key };
        let values = &self.values[at * self.width..(at + 1) * self.width];
        values.iter().map(|&v| f64::from(v)).collect()
    }
}
