//! What contact could not do in time, as `--stats` and people read it.

use serde::Serialize;
use tkanina_sim::contact::{Lag, Tally, Tangle, TangledPair};
use tkanina_sim::model::Model;
use tkanina_sim::world::World;

/// What was held back, and how far mesh colliders are behind.
#[derive(Clone, Debug, Default, Serialize)]
pub struct HeldUp {
    /// Steps in which points were held back.
    pub steps: u64,
    /// Points that were, counted in every step.
    pub points: u64,
    /// Steps that were not taken at all.
    pub standstills: u64,
    /// Simulated time that was not taken, as frames had spent their budget of detections. [s]
    pub over_budget_s: f64,
    /// The share of simulated time that was lost to both. [1]
    pub time_lost: f64,
    /// How far a mesh collider was behind its motion at most. [m]
    pub lag_m: f64,
    /// How far one is behind it now. [m]
    pub lag_now_m: f64,
    /// The collider that was furthest behind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lag_of: Option<String>,
    /// Since when it was. [s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lag_since_s: Option<f64>,
}

/// Lags below this are not worth a sentence. [m]
const WORTH_SAYING: f64 = 1e-3;

impl HeldUp {
    /// What is so of a world.
    pub fn of(world: &World) -> Self {
        world.contact_tally().map(|tally| Self::from(world.model(), &tally)).unwrap_or_default()
    }

    fn from(model: &Model, tally: &Tally) -> Self {
        let Lag { now, worst, worst_since, mesh, .. } = tally.lag;
        let name = mesh.and_then(|index| model.mesh_colliders.get(index));
        Self {
            steps: tally.steps_held,
            points: tally.held_back,
            standstills: tally.standstills,
            over_budget_s: tally.waited_s,
            time_lost: tally.time_lost(),
            lag_m: f64::from(worst),
            lag_now_m: f64::from(now),
            lag_of: name.map(|mesh| mesh.name.clone()),
            lag_since_s: mesh.map(|_| worst_since),
        }
    }

    /// A collider that was noticeably behind, with how far and since when.
    pub fn laggard(&self) -> Option<(&str, f64, f64)> {
        let name = self.lag_of.as_deref()?;
        (self.lag_m > WORTH_SAYING).then_some((name, self.lag_m, self.lag_since_s.unwrap_or(0.0)))
    }

    /// A sentence with a remedy for each thing that went wrong.
    pub fn sentences(&self) -> Vec<String> {
        let mut out = Vec::new();
        if self.standstills > 0 {
            out.push(format!(
                "time slowed: {} steps were not taken ({:.2} % of simulated time), as no way was found \
                 that surely passes through nothing; more `time.substeps`, slower motion or finer cloth helps",
                self.standstills,
                1e2 * self.time_lost
            ));
        }
        if self.over_budget_s > 0.0 {
            out.push(format!(
                "time slowed: {:.4} s of simulated time were not taken ({:.2} % lost in all), as frames had \
                 spent `contact.detections_per_frame`; a larger budget, fewer triangles or `contact.mode: fast` helps",
                self.over_budget_s,
                1e2 * self.time_lost
            ));
        }
        if let Some((name, behind, since)) = self.laggard() {
            let now = if self.lag_now_m > WORTH_SAYING {
                format!(", and is {:.4} m behind now", self.lag_now_m)
            } else {
                String::new()
            };
            out.push(format!(
                "held up: `{name}` was up to {behind:.4} m behind its motion from t = {since:.3} s on{now}; \
                 cloth in between cannot make way: let the motion end earlier, or free the cloth"
            ));
        }
        out
    }
}

/// A sentence for each pair of bodies that start tangled: which, how many, where, and what helps.
pub fn tangled_start(tangle: &Tangle) -> Vec<String> {
    tangle.pairs.iter().map(sentence).collect()
}

fn sentence(pair: &TangledPair) -> String {
    let TangledPair { names: [one, other], count, first } = pair;
    let shown: Vec<String> = first.iter().map(|[a, b]| format!("{a}–{b}")).collect();
    let (more, s) = if first.len() < *count { (", …", "s") } else { ("", plural(*count)) };
    let through = match (pair.is_itself(), *count) {
        (true, _) => format!("`{one}` passes through itself"),
        (false, _) => format!("`{one}` and `{other}` pass through each other"),
    };
    let remedy = if pair.is_itself() {
        "give it a shape that does not"
    } else {
        "place them apart (`place.position_m`)"
    };
    format!(
        "{through} at the start: {count} pair{s} of triangles ({}{more}); they are worked out over \
         time; to start clear, {remedy}",
        shown.join(", ")
    )
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
