//! One curve a solver when they are compared.

use std::sync::Arc;

use egui::{RichText, Ui};

use super::super::PanelContext;
use super::super::inspector::solver_name;
use super::{MOST_POINTS, Shown, color};
use crate::i18n::Language;
use crate::snapshot::{Measure, Published, Snapshot};

/// How far above the others a solver that exploded is still plotted. [1]
const ABOVE_OTHERS: f64 = 2.0;

/// What is compared; none if there is one solver only.
pub(super) fn compared<'a>(context: &PanelContext<'a>) -> Option<&'a Published> {
    context.published.filter(|published| published.count() > 1)
}

/// Which colour is which solver, once for all plots.
pub(super) fn legend(ui: &mut Ui, published: &Published, language: Language) {
    let dark = ui.visuals().dark_mode;
    ui.horizontal_wrapped(|ui| {
        for (picture, _) in published.snapshots() {
            let name = solver_name(published.solver(picture), language);
            ui.label(RichText::new(name).color(color(picture, dark)).strong());
        }
    });
}

/// The same quantity under every solver. What explodes leaves the plot at the top: else nothing of
/// the others would be seen.
pub(super) fn curves(
    value: fn(&Measure) -> f64,
    published: &Published,
    language: Language,
) -> Vec<Shown> {
    let points = |snapshot: &Snapshot| -> Vec<[f64; 2]> {
        let every = snapshot.measures.len().div_ceil(MOST_POINTS).max(1);
        snapshot.measures.iter().step_by(every).map(|m| [m.time, value(m)]).collect()
    };
    let sound = published.snapshots().filter(|(_, snapshot)| snapshot.explosion.is_none());
    let values = sound.flat_map(|(_, snapshot)| points(snapshot)).map(|[_, y]| y.abs());
    let top = ABOVE_OTHERS * values.fold(0.0, f64::max);
    let curve = |(picture, snapshot): (usize, &Arc<Snapshot>)| {
        let mut points = points(snapshot);
        if snapshot.explosion.is_some() && top > 0.0 {
            points.retain(|[_, y]| y.abs() <= top);
        }
        Shown { color: picture, name: solver_name(published.solver(picture), language), points }
    };
    published.snapshots().map(curve).collect()
}

#[cfg(test)]
mod tests {
    use tkanina_sim::solvers::SolverKind;

    use super::super::super::tests::banner::explosion;
    use super::super::super::tests::snapshot;
    use super::*;
    use crate::snapshot::Beside;

    /// Stretch of frames 0 to 9, growing by `rate` each.
    fn stretched(rate: f64) -> Snapshot {
        let measure = |i: u32| Measure { stretch_max: rate * f64::from(i), ..Default::default() };
        Snapshot { measures: (0..10).map(measure).collect(), ..snapshot() }
    }

    #[test]
    fn every_solver_has_its_curve_and_an_explosion_does_not_hide_the_others() {
        let explode = |of: Snapshot| {
            let explosion = explosion(SolverKind::Xpbd { iterations: None }, 1.0);
            Arc::new(Snapshot { explosion: Some(explosion), ..of })
        };
        let beside = |name: &str, outcome| Beside {
            solver: SolverKind::all().find(|kind| kind.name() == name).unwrap(),
            outcome,
        };
        let published = Published {
            own: Arc::new(stretched(0.01)),
            beside: vec![
                beside("rk4", Err("no".to_owned())),
                beside("xpbd", Ok(explode(stretched(10.0)))),
            ],
        };
        let curves = curves(|m| m.stretch_max, &published, Language::English);
        let names: Vec<(usize, &str)> = curves.iter().map(|c| (c.color, &*c.name)).collect();
        assert_eq!(names, [(0, "Verlet"), (2, "XPBD")]);
        assert_eq!((curves[0].points.len(), curves[1].points.len()), (10, 1));
    }
}
