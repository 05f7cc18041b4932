//! Icons that are drawn, so that no font needs to have them.

use egui::{Color32, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, pos2};

/// A drawn icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    /// A triangle to the right.
    Play,
    /// Two bars.
    Pause,
    /// A bar and a triangle.
    Step,
    /// A turned arrow.
    Reset,
    /// A bar and a triangle to the left.
    Default,
    /// A disc.
    Record,
    /// A square.
    Stop,
    /// A camera.
    Screenshot,
    /// A cross.
    Close,
}

/// A button with an icon, named for those who do not see it.
pub(crate) fn icon_button(ui: &mut Ui, icon: Icon, name: &str, enabled: bool) -> Response {
    let side = ui.spacing().interact_size.y.max(24.0);
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side + 4.0), sense);
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Button, enabled, name));
    if ui.is_rect_visible(rect) {
        let visuals = ui.style().interact(&response);
        let focus =
            if response.has_focus() { ui.visuals().selection.stroke } else { visuals.bg_stroke };
        ui.painter().rect(
            rect.shrink(1.0),
            visuals.corner_radius,
            visuals.weak_bg_fill,
            focus,
            egui::StrokeKind::Inside,
        );
        let color = if enabled { visuals.fg_stroke.color } else { ui.visuals().weak_text_color() };
        let color = if icon == Icon::Record && enabled { RECORD } else { color };
        ui.painter().extend(shapes(
            icon,
            Rect::from_center_size(rect.center(), Vec2::splat(12.0)),
            color,
        ));
    }
    response.on_hover_text(name)
}

/// Red as on every recorder.
const RECORD: Color32 = Color32::from_rgb(215, 70, 65);

fn shapes(icon: Icon, r: Rect, color: Color32) -> Vec<Shape> {
    let fill = |points: Vec<Pos2>| Shape::convex_polygon(points, color, Stroke::NONE);
    let bar = |x0: f32, x1: f32| {
        Shape::rect_filled(
            Rect::from_min_max(pos2(r.left() + x0, r.top()), pos2(r.left() + x1, r.bottom())),
            1.0,
            color,
        )
    };
    let right = |from: f32, to: f32| {
        fill(vec![
            pos2(r.left() + from, r.top()),
            pos2(r.left() + to, r.center().y),
            pos2(r.left() + from, r.bottom()),
        ])
    };
    let stroke = Stroke::new(1.8, color);
    match icon {
        Icon::Play => vec![right(1.5, 11.5)],
        Icon::Pause => vec![bar(1.5, 4.5), bar(7.5, 10.5)],
        Icon::Step => vec![bar(0.5, 3.0), right(4.5, 11.5)],
        Icon::Default => vec![
            bar(1.0, 3.5),
            fill(vec![
                pos2(r.right() - 0.5, r.top()),
                pos2(r.left() + 4.0, r.center().y),
                pos2(r.right() - 0.5, r.bottom()),
            ]),
        ],
        Icon::Reset => turned_arrow(r, stroke, color),
        Icon::Record => vec![Shape::circle_filled(r.center(), 5.0, color)],
        Icon::Stop => vec![Shape::rect_filled(r.shrink(1.5), 1.0, color)],
        Icon::Screenshot => {
            let body = Rect::from_min_max(pos2(r.left(), r.top() + 2.0), r.max);
            let hump =
                Rect::from_center_size(pos2(r.center().x, r.top() + 1.5), Vec2::new(5.0, 2.0));
            vec![
                Shape::rect_stroke(body, 2.0, Stroke::new(1.4, color), egui::StrokeKind::Inside),
                Shape::circle_stroke(body.center(), 2.6, Stroke::new(1.4, color)),
                Shape::rect_filled(hump, 0.5, color),
            ]
        }
        Icon::Close => {
            let s = r.shrink(2.0);
            vec![
                Shape::line_segment([s.left_top(), s.right_bottom()], stroke),
                Shape::line_segment([s.right_top(), s.left_bottom()], stroke),
            ]
        }
    }
}

fn turned_arrow(r: Rect, stroke: Stroke, color: Color32) -> Vec<Shape> {
    let center = r.center();
    let at = |turn: f32, radius: f32| {
        let angle = turn * std::f32::consts::TAU;
        center + radius * Vec2::new(angle.cos(), angle.sin())
    };
    let arc = (0..=20).map(|i| at(-0.15 + 0.78 * i as f32 / 20.0, 5.0)).collect();
    let tip = at(-0.15, 5.0);
    let head =
        vec![tip + Vec2::new(-4.5, 0.8), tip + Vec2::new(1.8, -4.2), tip + Vec2::new(1.8, 1.8)];
    vec![Shape::line(arc, stroke), Shape::convex_polygon(head, color, Stroke::NONE)]
}
