//! Plots of the kept frames over time.

mod solvers;

use egui::{Color32, RichText, ScrollArea, Ui};
use egui_plot::{HoverPosition, Legend, Line, Plot, PlotPoints, VLine};

use super::{Actions, PanelContext};
use crate::action::Action;
use crate::i18n::to_translate;
use crate::snapshot::{Measure, Snapshot};

/// Height of a plot. [points]
const HEIGHT: f32 = 150.0;

/// Points of a curve at most: more than the window has columns show nothing more.
const MOST_POINTS: usize = 1500;

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

/// A curve as it is drawn: the number of its colour, its name and its points.
struct Shown {
    color: usize,
    name: String,
    points: Vec<[f64; 2]>,
}

/// A plot: name, unit, curves.
struct Kind {
    name: &'static str,
    unit: &'static str,
    curves: &'static [Curve],
    /// Whether each curve stands on the ones before.
    stacked: bool,
    /// What is shown of each solver when they are compared.
    compared: Curve,
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
        compared: (to_translate("Total energy"), |m| m.kinetic + m.elastic + m.gravity),
    },
    Kind {
        name: to_translate("Stretch"),
        unit: "%",
        curves: &[
            (to_translate("Worst"), |m| 100.0 * m.stretch_max),
            (to_translate("Mean"), |m| 100.0 * m.stretch_mean),
        ],
        stacked: false,
        compared: (to_translate("Worst stretch"), |m| 100.0 * m.stretch_max),
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
        compared: (to_translate("Time of a frame"), |m| m.step_ms),
    },
    Kind {
        name: to_translate("Contacts"),
        unit: "",
        curves: &[(to_translate("Contacts"), |m| m.contacts as f64)],
        stacked: false,
        compared: (to_translate("Contacts"), |m| m.contacts as f64),
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
        if let Some(published) = solvers::compared(context) {
            solvers::legend(ui, published, context.language());
        }
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
    let compared = solvers::compared(context);
    let title = context.tr(if compared.is_some() { kind.compared.0 } else { kind.name });
    ui.label(
        RichText::new(if unit.is_empty() { title.to_owned() } else { format!("{title} [{unit}]") })
            .strong(),
    );
    let dark = ui.visuals().dark_mode;
    let time = context.tr("t");
    let mut plot = Plot::new(kind.name)
        .height(HEIGHT)
        .allow_scroll(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .y_axis_min_width(48.0)
        .include_y(0.0)
        .link_axis(egui::Id::unique("plots over time"), [true, false])
        .link_cursor(egui::Id::unique("plots over time"), [true, false])
        .label_formatter(move |position| match position {
            HoverPosition::NearDataPoint { plot_name, position, .. } if !plot_name.is_empty() => {
                Some(format!("{plot_name}: {:.4} {unit}\n{time} = {:.3} s", position.y, position.x))
            }
            _ => None,
        });
    if compared.is_none() {
        let legend = Legend::default().follow_insertion_order(true).background_alpha(0.6);
        plot = plot.legend(legend);
    }
    let response = plot.show(ui, |plot| {
        for curve in shown(context, kind, snapshot) {
            let line = Line::new(curve.name, PlotPoints::from(curve.points));
            plot.line(line.color(color(curve.color, dark)).width(1.6));
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
        // A solver that exploded knows nothing of what came after.
        let [first, last] = compared.map_or(snapshot, |all| all.furthest()).kept;
        actions.push(Action::Seek(frame.clamp(first, last)));
    }
}

fn color(curve: usize, dark: bool) -> Color32 {
    COLORS[curve % COLORS.len()][usize::from(!dark)]
}

/// Every curve: one a solver when they are compared.
fn shown(context: &PanelContext, kind: &Kind, snapshot: &Snapshot) -> Vec<Shown> {
    if let Some(published) = solvers::compared(context) {
        return solvers::curves(kind.compared.1, published, context.language());
    }
    let curves = curves(kind, &snapshot.measures).into_iter().enumerate();
    let shown = |(color, (name, points)): (usize, (&'static str, _))| Shown {
        color,
        name: context.tr(name).to_owned(),
        points,
    };
    curves.map(shown).collect()
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
