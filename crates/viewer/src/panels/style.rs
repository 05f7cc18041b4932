//! A calm look, dark and light.

use egui::{Color32, CornerRadius, FontDefinitions, FontFamily, Stroke, Theme, Vec2};

/// The one colour that stands for "chosen" and "now".
pub(crate) fn accent(dark: bool) -> Color32 {
    if dark { Color32::from_rgb(95, 170, 220) } else { Color32::from_rgb(25, 105, 165) }
}

/// Colour of warnings that reads on the panels of both themes.
pub(crate) fn warning(dark: bool) -> Color32 {
    if dark { Color32::from_rgb(240, 180, 80) } else { Color32::from_rgb(155, 90, 0) }
}

/// Sets fonts, and colours, corners and distances of both themes.
pub fn apply_style(ctx: &egui::Context) {
    ctx.set_fonts(fonts());
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| {
            let dark = theme == Theme::Dark;
            style.spacing.item_spacing = Vec2::new(8.0, 5.0);
            style.spacing.button_padding = Vec2::new(8.0, 3.0);
            style.spacing.interact_size.y = 22.0;
            style.spacing.slider_width = 110.0;
            style.spacing.tooltip_width = 360.0;
            let visuals = &mut style.visuals;
            visuals.selection.bg_fill = if dark {
                Color32::from_rgb(35, 85, 120)
            } else {
                Color32::from_rgb(165, 210, 240)
            };
            visuals.selection.stroke =
                Stroke::new(1.0, if dark { Color32::WHITE } else { Color32::BLACK });
            visuals.hyperlink_color = accent(dark);
            visuals.slider_trailing_fill = true;
            visuals.panel_fill = grey(dark, 30, 245);
            visuals.window_fill = grey(dark, 34, 250);
            visuals.extreme_bg_color = grey(dark, 18, 255);
            visuals.faint_bg_color = grey(dark, 37, 238);
            for widget in [
                &mut visuals.widgets.noninteractive,
                &mut visuals.widgets.inactive,
                &mut visuals.widgets.hovered,
                &mut visuals.widgets.active,
                &mut visuals.widgets.open,
            ] {
                widget.corner_radius = CornerRadius::same(4);
            }
            visuals.widgets.noninteractive.fg_stroke.color = grey(dark, 205, 40);
            visuals.widgets.inactive.fg_stroke.color = grey(dark, 220, 30);
        });
    }
}

/// The fonts of egui; formulas need signs that only the one of fixed width has.
fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let fixed = fonts.families.get(&FontFamily::Monospace).cloned().unwrap_or_default();
    let proportional = fonts.families.entry(FontFamily::Proportional).or_default();
    let more: Vec<String> = fixed.into_iter().filter(|name| !proportional.contains(name)).collect();
    proportional.extend(more);
    fonts
}

fn grey(dark: bool, in_dark: u8, in_light: u8) -> Color32 {
    Color32::from_gray(if dark { in_dark } else { in_light })
}
