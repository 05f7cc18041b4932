//! Pictures of the panels, to be looked at: `TKANINA_PANELS=DIR cargo test -p tkanina-viewer look`.

use egui::Theme;
use egui_kittest::Harness;

use super::banner::explosion;
use super::{Bench, Parts, draw_menu, on_tab, snapshot};
use crate::action::Action;
use crate::panels::{PanelContext, Tab, apply_style};
use crate::preferences::Theme as Chosen;
use tkanina_sim::solvers::SolverKind;

fn draw_all(
    ui: &mut egui::Ui,
    context: &PanelContext,
    parts: &mut Parts,
    actions: &mut Vec<Action>,
) {
    egui::Panel::bottom("transport").show(ui, |ui| parts.transport.show(ui, context, actions));
    egui::Panel::left("menu")
        .exact_size(400.0)
        .show(ui, |ui| draw_menu(ui, context, parts, actions));
    egui::CentralPanel::default().show(ui, |ui| {
        parts.banner.show(ui, context, actions);
        super::windows::draw_settings(ui, context, parts, actions);
        let at = ui.max_rect().left_bottom() + egui::vec2(8.0, -230.0);
        crate::panels::details::details_overlay(ui.ctx(), context, at);
    });
}

#[test]
fn panels_are_drawn_in_both_themes() {
    let Some(folder) = std::env::var_os("TKANINA_PANELS") else { return };
    let folder = std::path::PathBuf::from(folder);
    for theme in [Theme::Dark, Theme::Light] {
        for (i, tab) in [Tab::Scene, Tab::Display, Tab::Plots, Tab::Scenes].into_iter().enumerate()
        {
            let mut bench = Bench::of_builtin("cloth-over-table", draw_all).with(on_tab(tab));
            let mut moment = snapshot();
            moment.explosion = Some(explosion(SolverKind::Verlet { loss: 0.0 }, 1.0 / 720.0));
            moment.notes = vec!["solver: verlet, because it keeps energy".to_owned()];
            bench.snapshot = Some(moment);
            if theme == Theme::Light {
                bench = bench.croatian();
                bench.preferences.theme = Chosen::Light;
            }
            let mut harness = Harness::builder()
                .with_size([1200.0, 900.0])
                .with_theme(theme)
                .with_max_steps(20)
                .with_context_setup(apply_style)
                .wgpu()
                .build_ui_state(|ui, bench: &mut Bench| bench.draw(ui), bench);
            harness.run();
            let image = harness.render().expect("a picture");
            let name = format!("{theme:?}-{i}.png").to_lowercase();
            image.save(folder.join(name)).expect("a folder to write to");
        }
    }
}
