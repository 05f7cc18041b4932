//! Plots of the kept frames over time.

use std::sync::Arc;

use egui::{Color32, RichText, ScrollArea, Ui};
use egui_plot::{HoverPosition, Legend, Line, Plot, PlotPoints, VLine};

use super::inspector::solver_name;
use super::{Actions, PanelContext};
use crate::action::Action;
use crate::i18n::{Language, to_translate};
use crate::snapshot::{Measure, Published, Snapshot};

/// Height of a plot. [points]
const HEIGHT: f32 = 150.0;

/// Points of a curve at most: more than the window has columns show nothing more.
const MOST_POINTS: usize = 1500;

/// How far above the others a solver that exploded is still plotted. [1]
const ABOVE_OTHERS: f64 = 2.0;

/// Which plots are shown.
#[derive(Clone, Debug)]
pub struct Plots {
    chosen: [bool; 4],
}

impl Default for Plots {
    fn default() -> Self {
        Self { chosen: [true; 4] }
    }
}

/// A curve: its name and what it shows.
type Curve = (&'static str, fn(&Measure) -> f64);

/// A plot: name, unit, curves.
struct Kind {
    name: &'static str,
    unit: &'static str,
    curves: &'static [Curve],
    /// Whether each curve stands on the ones before.
    stacked: bool,
    /// What is shown of each solver when they are compared.
    compared: fn(&Measure) -> f64,
}

const KINDS: [Kind; 4] = [
    Kind {
        name: to_translate("Energies"),
        unit: "J",
        curves: &[
            (to_translate("Kinetic"), |m| m.kinetic),
            (to_translate("Elastic"), |m| m.elastic),
            (to_translate("Of height"), |m| m.gravity),
            (to_translate("Total"), |m| m.kinetic + m.elastic + m.gravity),
        ],
        stacked: false,
        compared: |m| m.kinetic + m.elastic + m.gravity,
    },
    Kind {
        name: to_translate("Stretch"),
        unit: "%",
        curves: &[
            (to_translate("Worst"), |m| 100.0 * m.stretch_max),
            (to_translate("Mean"), |m| 100.0 * m.stretch_mean),
        ],
        stacked: false,
        compared: |m| 100.0 * m.stretch_max,
    },
    Kind {
        name: to_translate("Step time by stage"),
        unit: "ms",
        curves: &[
            (to_translate("Outside"), |m| m.stage_ms[0]),
            (to_translate("Forces"), |m| m.stage_ms[1]),
            (to_translate("Move"), |m| m.stage_ms[2]),
            (to_translate("Limits"), |m| m.stage_ms[3]),
            (to_translate("Contacts"), |m| m.stage_ms[4]),
        ],
        stacked: true,
        compared: |m| m.step_ms,
    },
    Kind {
        name: to_translate("Contacts"),
        unit: "",
        curves: &[(to_translate("Contacts"), |m| m.contacts as f64)],
        stacked: false,
        compared: |m| m.contacts as f64,
    },
];

/// Colours that most colour-blind people tell apart (Okabe and Ito), for dark and light.
const COLORS: [[Color32; 2]; 5] = [
    [Color32::from_rgb(86, 180, 233), Color32::from_rgb(0, 114, 178)],
    [Color32::from_rgb(230, 159, 0), Color32::from_rgb(190, 120, 0)],
    [Color32::from_rgb(0, 175, 130), Color32::from_rgb(0, 130, 95)],
    [Color32::from_rgb(225, 225, 225), Color32::from_rgb(60, 60, 60)],
    [Color32::from_rgb(230, 140, 190), Color32::from_rgb(180, 80, 135)],
];

impl Plots {
    /// Draws the chosen plots. A click goes to the frame under the pointer.
    pub fn show(&mut self, ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
        ui.horizontal_wrapped(|ui| {
            for (on, kind) in self.chosen.iter_mut().zip(&KINDS) {
                ui.checkbox(on, context.tr(kind.name));
            }
        });
        let Some(snapshot) = context.snapshot else {
            ui.weak(context.tr("No scene"));
            return;
        };
        ScrollArea::vertical().id_salt("plots").auto_shrink([false, false]).show(ui, |ui| {
            for (kind, _) in KINDS.iter().zip(self.chosen).filter(|(_, on)| *on) {
                plot(ui, context, snapshot, kind, actions);
            }
        });
    }
}

fn plot(
    ui: &mut Ui,
    context: &PanelContext,
    snapshot: &Snapshot,
    kind: &Kind,
    actions: &mut Actions,
) {
    let unit = kind.unit;
    let title = context.tr(kind.name);
    ui.label(
        RichText::new(if unit.is_empty() { title.to_owned() } else { format!("{title} [{unit}]") })
            .strong(),
    );
    let dark = ui.visuals().dark_mode;
    let time = context.tr("t");
    let response = Plot::new(kind.name)
        .height(HEIGHT)
        .allow_scroll(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .y_axis_min_width(48.0)
        .include_y(0.0)
        .link_axis(egui::Id::unique("plots over time"), [true, false])
        .link_cursor(egui::Id::unique("plots over time"), [true, false])
        .legend(Legend::default().follow_insertion_order(true).background_alpha(0.6))
        .label_formatter(move |position| match position {
            HoverPosition::NearDataPoint { plot_name, position, .. } if !plot_name.is_empty() => {
                Some(format!("{plot_name}: {:.4} {unit}\n{time} = {:.3} s", position.y, position.x))
            }
            _ => None,
        })
        .show(ui, |plot| {
            for (i, (name, points)) in shown(context, kind, snapshot).into_iter().enumerate() {
                let line = Line::new(name, PlotPoints::from(points));
                plot.line(line.color(COLORS[i % COLORS.len()][usize::from(!dark)]).width(1.6));
            }
            let now =
                VLine::new("", snapshot.time).color(super::style::accent(dark)).allow_hover(false);
            plot.vline(now.width(1.0));
            plot.pointer_coordinate()
        });
    if response.response.clicked()
        && let Some(point) = response.inner
    {
        let frame = (point.x / snapshot.frame_s).round().max(0.0) as u64;
        actions.push(Action::Seek(frame.clamp(snapshot.kept[0], snapshot.kept[1])));
    }
}

/// Every curve by name: one a solver when they are compared.
fn shown(context: &PanelContext, kind: &Kind, snapshot: &Snapshot) -> Vec<(String, Vec<[f64; 2]>)> {
    match context.published.filter(|published| published.count() > 1) {
        Some(published) => by_solver(kind, published, context.language()),
        None => {
            let curves = curves(kind, &snapshot.measures).into_iter();
            curves.map(|(name, points)| (context.tr(name).to_owned(), points)).collect()
        }
    }
}

/// The same quantity under every solver. What explodes leaves the plot at the top: else nothing of
/// the others would be seen.
fn by_solver(
    kind: &Kind,
    published: &Published,
    language: Language,
) -> Vec<(String, Vec<[f64; 2]>)> {
    let points = |snapshot: &Snapshot| -> Vec<[f64; 2]> {
        let every = snapshot.measures.len().div_ceil(MOST_POINTS).max(1);
        let thinned = snapshot.measures.iter().step_by(every);
        thinned.map(|m| [m.time, (kind.compared)(m)]).collect()
    };
    let sound = published.snapshots().filter(|(_, snapshot)| snapshot.explosion.is_none());
    let values = sound.flat_map(|(_, snapshot)| points(snapshot)).map(|[_, y]| y.abs());
    let top = ABOVE_OTHERS * values.fold(0.0, f64::max);
    let curve = |(picture, snapshot): (usize, &Arc<Snapshot>)| {
        let mut points = points(snapshot);
        if snapshot.explosion.is_some() && top > 0.0 {
            points.retain(|[_, y]| y.abs() <= top);
        }
        (solver_name(published.solver(picture), language), points)
    };
    published.snapshots().map(curve).collect()
}

/// Points of every curve, thinned to what a window can show.
fn curves(kind: &Kind, measures: &[Measure]) -> Vec<(&'static str, Vec<[f64; 2]>)> {
    let every = measures.len().div_ceil(MOST_POINTS).max(1);
    let mut below = vec![0.0; measures.len().div_ceil(every)];
    let mut curve = |value: fn(&Measure) -> f64| {
        let point = |(m, below): (&Measure, &mut f64)| {
            let y = if kind.stacked { *below + value(m) } else { value(m) };
            *below = y;
            [m.time, y]
        };
        measures.iter().step_by(every).zip(&mut below).map(point).collect()
    };
    kind.curves.iter().map(|&(name, value)| (name, curve(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_stacked_up_to_the_step_time() {
        let measure =
            |time: f64| Measure { time, stage_ms: [1.0, 2.0, 3.0, 4.0, 5.0], ..Default::default() };
        let measures: Vec<Measure> = (0..10).map(|i| measure(i as f64)).collect();
        let curves = curves(&KINDS[2], &measures);
        let tops: Vec<f64> = curves.iter().map(|(_, points)| points[7][1]).collect();
        assert_eq!(tops, [1.0, 3.0, 6.0, 10.0, 15.0]);
    }

    #[test]
    fn long_runs_are_thinned() {
        let measures = vec![Measure::default(); 10_000];
        assert!(curves(&KINDS[0], &measures)[0].1.len() <= MOST_POINTS);
    }
}
