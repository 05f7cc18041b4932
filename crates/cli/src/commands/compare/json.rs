//! The comparison as data.

use serde_json::{Value, json};

use super::comparison::{Comparison, Row};

impl Comparison {
    /// Everything, frame by frame.
    pub fn json(&self, command: &str, machine: Value) -> Value {
        let reference = self.reference.as_ref().ok();
        let rows: Vec<Value> = self.rows.iter().map(Row::json).collect();
        json!({
            "tkanina": env!("CARGO_PKG_VERSION"),
            "machine": machine,
            "command": command,
            "scene": self.scene,
            "frames": self.frames,
            "frame_s": self.frame_s,
            "particles": self.points,
            "threads": self.threads,
            "repeat": self.repeat,
            "size_m": self.size_m,
            "energy_scale_J": self.scale_j,
            "notes": self.notes,
            "reference": {
                "about": self.reference_in_words(),
                "solver": reference.map(|r| r.case.entry.label.clone()),
                "substeps": reference.map(|r| r.track.substeps),
                "within_of_itself": reference.and_then(|r| r.within),
                "series": reference.map(|r| &r.track.series),
            },
            "solvers": rows,
        })
    }
}

impl Row {
    fn json(&self) -> Value {
        let mut out = json!({ "label": self.case.entry.label });
        out["warnings"] = self.case.warnings().collect();
        if let Ok(simulation) = &self.case.simulation {
            out["kind"] = simulation.world.solver_kind().name().into();
        }
        match &self.ran {
            Some(ran) => {
                out["frames"] = ran.track.frames().into();
                out["exploded"] = json!(ran.track.end);
                out["summary"] = json!(ran.summary);
                out["state_hash"] = ran.track.hash.clone().into();
                out["series"] = json!(ran.track.series);
            }
            None => out["cannot_run"] = self.case.reason().into(),
        }
        out
    }
}
