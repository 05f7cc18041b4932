//! Details over the picture (F3).

use egui::{Align2, Area, Color32, Context, Frame, Grid, Order, RichText};

use super::display::shown;
use super::{ForceSettings, PanelContext};
use crate::action::Tool;
use crate::snapshot::StrandCount;

/// Draws the details into the corner of the picture at `position`.
pub fn details_overlay(ctx: &Context, context: &PanelContext, position: egui::Pos2) {
    Area::new(egui::Id::unique("details"))
        .order(Order::Middle)
        .fixed_pos(position)
        .pivot(Align2::LEFT_TOP)
        .interactable(false)
        .show(ctx, |ui| {
            let frame = Frame::new()
                .fill(Color32::from_black_alpha(150))
                .corner_radius(6.0)
                .inner_margin(8.0);
            frame.show(ui, |ui| {
                Grid::new("details").num_columns(2).spacing([14.0, 2.0]).show(ui, |ui| {
                    for (name, value) in rows(context) {
                        let white =
                            |text: String| RichText::new(text).color(Color32::WHITE).size(12.5);
                        ui.label(white(name.to_owned()));
                        ui.label(white(value).monospace());
                        ui.end_row();
                    }
                });
            });
        });
}

/// Names and values, in the order in which they are shown.
fn rows<'a>(context: &PanelContext<'a>) -> Vec<(&'a str, String)> {
    let on = |on: bool| (if on { context.tr("on") } else { context.tr("off") }).to_owned();
    let ForceSettings { rectangle: [width, height], wind, strength, frozen } = context.force;
    let mut rows = vec![
        (context.tr("Pictures a second"), format!("{:.0}", context.fps)),
        (context.tr("Tool"), tool(context).to_owned()),
        (context.tr("Normals"), on(shown(context).normals)),
        (context.tr("Force rectangle"), format!("{width:.0} × {height:.0}")),
        (
            context.tr("Force type"),
            (if wind { context.tr("Wind") } else { context.tr("Punch") }).to_owned(),
        ),
        (
            context.tr("Force strength"),
            format!("{strength:.3} {}", if wind { "m/s²" } else { "m/s" }),
        ),
        (
            context.tr("Force source"),
            (if frozen { context.tr("frozen") } else { context.tr("at the cursor") }).to_owned(),
        ),
    ];
    let Some(snapshot) = context.snapshot else { return rows };
    let step_ms = snapshot.measures.last().map_or(0.0, |m| m.step_ms);
    let solver = snapshot.solver.split(',').next().unwrap_or_default();
    let h_ms = 1e3 * snapshot.frame_s / f64::from(snapshot.substeps.max(1));
    rows.extend([
        (context.tr("Time of a frame"), format!("{step_ms:.2} ms")),
        (context.tr("Particles"), snapshot.positions.len().to_string()),
    ]);
    rows.extend(strands(context, snapshot.strand_count()));
    rows.extend([
        (context.tr("Substeps"), format!("{} × {h_ms:.3} ms", snapshot.substeps)),
        (context.tr("Solver"), solver.to_owned()),
    ]);
    rows
}

/// Strands, if there are any: nodes that are left of all, pieces as they are cut off.
fn strands<'a>(context: &PanelContext<'a>, count: StrandCount) -> Vec<(&'a str, String)> {
    let all = [
        (context.tr("Strands"), count.strands, None),
        (context.tr("Nodes"), count.nodes_left(), Some(count.nodes)),
        (context.tr("Followers"), count.followers, None),
        (context.tr("Pieces cut off"), count.pieces, None),
    ];
    let shown = all.into_iter().filter(|&(_, number, _)| number > 0);
    let text = |number: usize, whole: Option<usize>| match whole {
        Some(whole) if whole != number => format!("{number} / {whole}"),
        _ => number.to_string(),
    };
    shown.map(|(name, number, whole)| (name, text(number, whole))).collect()
}

fn tool<'a>(context: &PanelContext<'a>) -> &'a str {
    match context.tool {
        Tool::Grab => context.tr("Grab"),
        Tool::Pin => context.tr("Pin"),
        Tool::Force => context.tr("Force"),
        Tool::Move => context.tr("Move obstacles"),
        Tool::Cut => context.tr("Cut"),
        Tool::Comb => context.tr("Comb"),
    }
}
