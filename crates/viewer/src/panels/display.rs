//! What is shown: toggles, shading, strands, heat map.

mod strands;

use egui::{ComboBox, DragValue, Ui};
use tkanina_scene::schema::{HeatColors, HeatMap, HeatQuantity, Shading, Show};

use super::{Actions, PanelContext};
use crate::action::Action;
use crate::i18n::{Language, to_translate};

/// Draws the toggles; any change is a whole new [`Show`].
pub fn display(ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
    let before = shown(context);
    let mut show = before.clone();
    ui.heading(context.tr("Shown"));
    toggles(ui, context, &mut show);
    ui.add_space(8.0);
    ui.heading(context.tr("Shading"));
    shading(ui, context, &mut show);
    strands::strands(ui, context, actions);
    ui.add_space(8.0);
    ui.heading(context.tr("Heat map"));
    heat_map(ui, context, &mut show);
    if show != before {
        actions.push(Action::Show(show));
    }
}

/// What the scene shows now.
pub fn shown(context: &PanelContext) -> Show {
    let written = context.scene.pointer("/look/show").cloned();
    written.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default()
}

fn toggles(ui: &mut Ui, context: &PanelContext, show: &mut Show) {
    let toggles: [(&mut bool, &str, &str); 9] = [
        (&mut show.faces, context.tr("Faces"), context.tr("Surfaces of bodies")),
        (
            &mut show.wireframe,
            context.tr("Wireframe"),
            context.tr("Edges of the triangles of bodies"),
        ),
        (&mut show.particles, context.tr("Particles"), context.tr("Every particle as a dot")),
        (&mut show.springs, context.tr("Springs"), context.tr("Springs, coloured by kind")),
        (&mut show.normals, context.tr("Normals"), context.tr("Normals of vertices")),
        (&mut show.pins, context.tr("Pins"), context.tr("Pins and other held points")),
        (&mut show.wind, context.tr("Wind"), context.tr("Arrows of the wind")),
        (&mut show.colliders, context.tr("Colliders"), context.tr("Obstacles")),
        (&mut show.shadows, context.tr("Shadows"), context.tr("Shadows of things on each other")),
    ];
    for (on, name, tip) in toggles {
        ui.checkbox(on, name).on_hover_text(tip);
    }
}

fn shading(ui: &mut Ui, context: &PanelContext, show: &mut Show) {
    let all = [None, Some(Shading::Flat), Some(Shading::Gouraud), Some(Shading::Phong)];
    let name = |shading: Option<Shading>| match shading {
        None => context.tr("As each body says"),
        Some(Shading::Flat) => context.tr("Flat"),
        Some(Shading::Gouraud) => context.tr("Gouraud"),
        Some(Shading::Phong) => context.tr("Phong"),
    };
    let label = context.tr("Shading of all bodies");
    combo(ui, label, &mut show.shading, &all, name);
}

fn heat_map(ui: &mut Ui, context: &PanelContext, show: &mut Show) {
    let all = [
        None,
        Some(HeatQuantity::Stretch),
        Some(HeatQuantity::Bending),
        Some(HeatQuantity::Speed),
        Some(HeatQuantity::Contact),
        Some(HeatQuantity::Force),
    ];
    let mut of = show.heat_map.as_ref().map(|map| map.of);
    let before = of;
    combo(ui, context.tr("Quantity"), &mut of, &all, |of| quantity(of, context.language()));
    if of != before {
        // A range belongs to a quantity; colours may stay.
        let colors = show.heat_map.as_ref().map_or(HeatColors::default(), |map| map.colors);
        show.heat_map = of.map(|of| HeatMap { of, colors, range: None });
    }
    let Some(map) = &mut show.heat_map else { return };
    let name = |colors| match colors {
        HeatColors::Viridis => "Viridis",
        HeatColors::Cividis => "Cividis",
    };
    combo(
        ui,
        context.tr("Colours"),
        &mut map.colors,
        &[HeatColors::Viridis, HeatColors::Cividis],
        name,
    );
    let mut fixed = map.range.is_some();
    let tip = context.tr("If not, from 0 to the largest value of the frame");
    if ui.checkbox(&mut fixed, context.tr("Fixed range")).on_hover_text(tip).changed() {
        let seen = context.snapshot.and_then(|s| s.legend.as_ref()).map(|legend| legend.range);
        map.range = fixed.then(|| seen.map_or([0.0, 1.0], |[a, b]| [f64::from(a), f64::from(b)]));
    }
    if let Some([low, high]) = &mut map.range {
        ui.horizontal(|ui| {
            let speed = (0.01 * (*high - *low).abs()).max(1e-4);
            let drag = DragValue::new(low).speed(speed).range(-1e9..=1e9);
            ui.add(drag).accessible_name(context.tr("Least value"));
            ui.label("…");
            let drag = DragValue::new(high).speed(speed).range(-1e9..=1e9);
            ui.add(drag).accessible_name(context.tr("Greatest value"));
        });
    }
}

fn quantity(of: Option<HeatQuantity>, language: Language) -> &'static str {
    language.tr(match of {
        None => to_translate("None"),
        Some(HeatQuantity::Stretch) => to_translate("Stretch"),
        Some(HeatQuantity::Bending) => to_translate("Bending"),
        Some(HeatQuantity::Speed) => to_translate("Speed"),
        Some(HeatQuantity::Contact) => to_translate("Contact"),
        Some(HeatQuantity::Force) => to_translate("Force"),
    })
}

/// A labelled box to choose one of `all`.
pub(super) fn combo<T: Copy + PartialEq>(
    ui: &mut Ui,
    label: &str,
    chosen: &mut T,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) {
    ui.horizontal(|ui| {
        let shown = name(*chosen);
        let inner = ComboBox::from_id_salt(label).selected_text(shown).show_ui(ui, |ui| {
            for &one in all {
                ui.selectable_value(chosen, one, name(one));
            }
        });
        inner.response.accessible_name(label);
        ui.label(label);
    });
}
