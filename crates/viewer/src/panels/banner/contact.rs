//! What contact is still at, or could not do in time.

use egui::Ui;

use super::PanelContext;
use crate::i18n::fill;
use crate::snapshot::Snapshot;

/// Whether there is anything to say.
pub(super) fn has_content(snapshot: &Snapshot) -> bool {
    let held_up = &snapshot.held_up;
    let slowed = held_up.standstills > 0 || held_up.over_budget_s > 0.0;
    snapshot.tangled > 0 || slowed || held_up.laggard().is_some()
}

/// A sentence for each thing.
pub(super) fn explain(ui: &mut Ui, context: &PanelContext, snapshot: &Snapshot) {
    for text in sentences(context, snapshot) {
        ui.label(text);
    }
}

fn sentences(context: &PanelContext, snapshot: &Snapshot) -> Vec<String> {
    let mut out = Vec::new();
    let held_up = &snapshot.held_up;
    if snapshot.tangled > 0 {
        let count = snapshot.tangled.to_string();
        let text = context.tr("{count} pairs of triangles pass through each other (outlined). They come apart over time; to start clear, place the bodies apart.");
        out.push(fill(text, &[("count", &count)]));
    }
    if held_up.standstills > 0 {
        let share = format!("{:.2}", 1e2 * held_up.time_lost);
        let text = context.tr("Time slowed: {share} % of the simulated time was lost, as no way was found that surely passes through nothing. More substeps or slower motion helps.");
        out.push(fill(text, &[("share", &share)]));
    }
    if held_up.over_budget_s > 0.0 {
        let share = format!("{:.2}", 1e2 * held_up.time_lost);
        let lost = format!("{:.3}", held_up.over_budget_s);
        let text = context.tr("Time slowed: {lost} s of simulated time were not taken ({share} % lost in all), as frames had spent their budget of detections. A larger budget, fewer triangles or fast contact helps.");
        out.push(fill(text, &[("lost", &lost), ("share", &share)]));
    }
    if let Some((name, behind, since)) = held_up.laggard() {
        let (behind, since) = (format!("{behind:.3}"), format!("{since:.2}"));
        let text = context.tr("{name} was held up: up to {behind} m behind its motion from t = {since} s on. Cloth in between cannot make way: let the motion end earlier, or free the cloth.");
        out.push(fill(text, &[("name", name), ("behind", &behind), ("since", &since)]));
    }
    out
}
