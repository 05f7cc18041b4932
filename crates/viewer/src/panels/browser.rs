//! The scenes that come with the program, and files opened last.

use egui::{Color32, Rect, RichText, ScrollArea, Sense, Stroke, TextEdit, Ui, Vec2, WidgetInfo};
use serde_json::Value;
use tkanina_scene::builtin::builtin;
use tkanina_scene::schema::Scene;

use super::{Actions, PanelContext};
use crate::action::Action;

/// The scenes to choose from.
#[derive(Clone, Debug)]
pub struct Browser {
    /// Words that the scenes shown have.
    filter: String,
    /// Whether as a list in place of pictures.
    list: bool,
    cards: Vec<Card>,
}

/// What is said of a built-in scene.
#[derive(Clone, Debug)]
struct Card {
    name: &'static str,
    title: String,
    about: String,
}

/// Width of a picture, least. [points]
const CARD: f32 = 168.0;

impl Default for Browser {
    fn default() -> Self {
        let card = |&(name, text): &(&'static str, &'static str)| {
            let scene = Scene::load_text(name, text, None, &[]).ok();
            let value = scene.map_or(Value::Null, |loaded| loaded.tree.to_json());
            let word = |key: &str| value[key].as_str().unwrap_or_default().trim().to_owned();
            Card { name, title: word("name"), about: word("about") }
        };
        Self { filter: String::new(), list: false, cards: builtin().iter().map(card).collect() }
    }
}

impl Browser {
    /// Draws filter, files and scenes.
    pub fn show(&mut self, ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
        ui.horizontal_wrapped(|ui| {
            if ui.button(context.tr("Open…")).clicked() {
                actions.push(Action::OpenDialog);
            }
            recent(ui, context, actions);
            let list = context.tr("List");
            ui.checkbox(&mut self.list, list);
        });
        let hint = context.tr("Filter scenes");
        let filter = TextEdit::singleline(&mut self.filter).hint_text(hint);
        ui.add(filter.desired_width(f32::INFINITY)).accessible_name(hint);
        ui.add_space(4.0);
        ScrollArea::vertical().id_salt("scenes").auto_shrink([false, false]).show(ui, |ui| {
            let wanted = self.filter.to_lowercase();
            let cards: Vec<&Card> = self.cards.iter().filter(|card| card.has(&wanted)).collect();
            if cards.is_empty() {
                ui.weak(context.tr("No scene has these words"));
            }
            let columns =
                if self.list { 1 } else { (ui.available_width() / CARD).floor().max(1.0) as usize };
            for row in cards.chunks(columns) {
                ui.horizontal_top(|ui| {
                    let gap = ui.spacing().item_spacing.x * (columns - 1) as f32;
                    let width = (ui.available_width() - gap) / columns as f32;
                    for card in row {
                        if show_card(ui, card, context, [width, if self.list { 54.0 } else { 0.0 }])
                        {
                            actions.push(Action::OpenBuiltin(card.name.to_owned()));
                        }
                    }
                });
            }
        });
    }
}

impl Card {
    fn has(&self, words: &str) -> bool {
        let all = format!("{} {} {}", self.name, self.title, self.about).to_lowercase();
        words.split_whitespace().all(|word| all.contains(word))
    }
}

fn recent(ui: &mut Ui, context: &PanelContext, actions: &mut Actions) {
    let files = &context.preferences.recent;
    ui.add_enabled_ui(!files.is_empty(), |ui| {
        ui.menu_button(context.tr("Recent files"), |ui| {
            for path in files {
                let name = path.file_name().map_or(path.to_string_lossy(), |n| n.to_string_lossy());
                if ui.button(name).on_hover_text(path.display().to_string()).clicked() {
                    actions.push(Action::OpenFile(path.clone()));
                    ui.close();
                }
            }
        });
    });
}

/// Draws a card `size` wide; a height of 0 means picture above text. Returns whether it was chosen.
fn show_card(ui: &mut Ui, card: &Card, context: &PanelContext, size: [f32; 2]) -> bool {
    let [width, height] = size;
    let beside = height > 0.0;
    let picture = if beside {
        Vec2::new(height * 16.0 / 10.0, height)
    } else {
        Vec2::new(width, width * 10.0 / 16.0)
    };
    let text_width = if beside { width - picture.x - 16.0 } else { width - 12.0 };
    let color = ui.visuals().text_color();
    let weak = ui.visuals().weak_text_color();
    let title = wrapped(ui, RichText::new(&card.title).strong().size(13.5), text_width, (1, color));
    let lines = if beside { 2 } else { 3 };
    let about = wrapped(ui, RichText::new(&card.about).size(11.5), text_width, (lines, weak));
    let text_height = title.size().y + about.size().y + 12.0;
    let total = if beside { height } else { picture.y + text_height.max(64.0) };
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, total), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Button, true, &card.title));
    if ui.is_rect_visible(rect) {
        let visuals = ui.style().interact(&response);
        let edge =
            if response.has_focus() { ui.visuals().selection.stroke } else { visuals.bg_stroke };
        let painter = ui.painter();
        painter.rect(rect, 5.0, ui.visuals().faint_bg_color, edge, egui::StrokeKind::Inside);
        let picture = Rect::from_min_size(rect.min, picture).shrink(1.5);
        match (context.thumbnail)(card.name) {
            Some(texture) => {
                let whole = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
                painter.image(texture, picture, whole, Color32::WHITE);
            }
            None => {
                painter.rect_filled(picture, 4.0, ui.visuals().extreme_bg_color);
                weave(painter, picture, weak.gamma_multiply(0.35));
            }
        }
        let at = if beside {
            picture.right_top() + Vec2::new(8.0, 5.0)
        } else {
            picture.left_bottom() + Vec2::new(5.0, 5.0)
        };
        let below = at + Vec2::new(0.0, title.size().y + 2.0);
        painter.galley(at, title, color);
        painter.galley(below, about, weak);
    }
    response.on_hover_text(&card.about).clicked()
}

fn wrapped(
    ui: &Ui,
    text: RichText,
    width: f32,
    (rows, color): (usize, Color32),
) -> std::sync::Arc<egui::Galley> {
    let mut job = egui::text::LayoutJob::default();
    text.color(color).append_to(
        &mut job,
        ui.style(),
        egui::FontSelection::Default,
        egui::Align::Min,
    );
    job.wrap = egui::text::TextWrapping { max_width: width, max_rows: rows, ..Default::default() };
    ui.painter().layout_job(job)
}

/// Stands for a picture that is not made yet.
fn weave(painter: &egui::Painter, rect: Rect, color: Color32) {
    let center = rect.center();
    for i in -2..=2 {
        let offset = 7.0 * i as f32;
        painter.hline(
            center.x - 18.0..=center.x + 18.0,
            center.y + offset,
            Stroke::new(1.0, color),
        );
        painter.vline(
            center.x + offset,
            center.y - 18.0..=center.y + 18.0,
            Stroke::new(1.0, color),
        );
    }
}
