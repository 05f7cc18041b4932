//! Panels driven as people drive them: by pointer and keys.

pub(super) mod banner;
mod compare;
mod inspector;
mod inspector_schema;
mod look;
mod pages;
mod quick_strands;
mod transport;
mod windows;

use std::sync::Arc;

use egui::Ui;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use serde_json::{Value, json};
use tkanina_scene::builtin;
use tkanina_scene::schema::Scene;

use super::{Banner, ForceSettings, Menu, PanelContext, Tab, Transport};
use crate::action::Action;
use crate::i18n::Language;
use crate::preferences::Preferences;
use crate::snapshot::{Measure, Snapshot};

/// A window with panels, and what they asked for.
#[derive(Default)]
pub(super) struct Bench {
    pub scene: Value,
    pub preferences: Preferences,
    pub snapshot: Option<Snapshot>,
    pub scene_error: Option<String>,
    pub device_lost: bool,
    pub recording: bool,
    pub can_undo: bool,
    pub menu: Menu,
    pub transport: Transport,
    pub banner: Banner,
    pub actions: Vec<Action>,
    /// Draws the panels under test.
    pub draw: Option<Draw>,
}

pub(super) type Draw = fn(&mut Ui, &PanelContext, &mut Parts, &mut Vec<Action>);

/// The panels of a bench.
pub(super) struct Parts<'a> {
    pub menu: &'a mut Menu,
    pub transport: &'a mut Transport,
    pub banner: &'a mut Banner,
}

impl Bench {
    pub fn new(scene: Value, draw: Draw) -> Self {
        Self { scene, draw: Some(draw), ..Self::default() }
    }

    pub fn of_builtin(name: &str, draw: Draw) -> Self {
        let text = builtin::find(name).unwrap();
        let loaded = Scene::load_text(name, text, None, &[]).unwrap();
        Self::new(loaded.tree.to_json(), draw)
    }

    pub fn croatian(mut self) -> Self {
        self.preferences.language = Language::Croatian;
        self
    }

    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// A window of a size.
    pub fn window(self, size: [f32; 2]) -> Harness<'static, Self> {
        let mut harness = Harness::builder()
            .with_size(size)
            .with_max_steps(20)
            .with_context_setup(super::apply_style)
            .build_ui_state(|ui, bench: &mut Self| bench.draw(ui), self);
        harness.run();
        harness.state_mut().actions.clear();
        harness
    }

    fn draw(&mut self, ui: &mut Ui) {
        let Some(draw) = self.draw else { return };
        let context = PanelContext {
            snapshot: self.snapshot.as_ref(),
            scene_error: self.scene_error.as_deref(),
            device_lost: self.device_lost,
            recording: self.recording,
            can_undo: self.can_undo,
            fps: 60.0,
            force: ForceSettings {
                rectangle: [80.0, 60.0],
                wind: true,
                strength: 2.5,
                frozen: false,
            },
            ..PanelContext::new(&self.scene, &self.preferences)
        };
        let mut parts = Parts {
            menu: &mut self.menu,
            transport: &mut self.transport,
            banner: &mut self.banner,
        };
        draw(ui, &context, &mut parts, &mut self.actions);
    }
}

/// Draws the page with the parameters.
pub(super) fn draw_inspector(
    ui: &mut Ui,
    context: &PanelContext,
    parts: &mut Parts,
    actions: &mut Vec<Action>,
) {
    parts.menu.inspector.show(ui, context, actions);
}

/// Draws the whole menu.
pub(super) fn draw_menu(
    ui: &mut Ui,
    context: &PanelContext,
    parts: &mut Parts,
    actions: &mut Vec<Action>,
) {
    parts.menu.show(ui, context, actions);
}

/// A moment of a simulation.
pub(super) fn snapshot() -> Snapshot {
    let measure = |i: u64| {
        let t = i as f64 / 60.0;
        Measure {
            frame_number: i,
            time: t,
            kinetic: 1.0 + (3.0 * t).sin(),
            elastic: 0.6 * (1.0 + (2.0 * t).cos()),
            gravity: 4.0 - t,
            stretch_max: 0.1 + 0.05 * t.sin(),
            stretch_mean: 0.02,
            contacts: (10.0 * t) as usize,
            step_ms: 6.0,
            stage_ms: [0.4, 2.6, 0.8, 0.2, 2.0 + (5.0 * t).sin()],
        }
    };
    Snapshot {
        serial: 1,
        generation: 1,
        frame: Default::default(),
        legend: None,
        bounds: [glam::Vec3::ZERO, glam::Vec3::ONE],
        cameras: Vec::new(),
        model: Arc::new(Default::default()),
        positions: vec![glam::Vec3::ZERO; 400].into(),
        held: vec![false; 400].into(),
        cut: Arc::new([]),
        collider_poses: Vec::new(),
        time: 2.0,
        frame_number: 120,
        kept: [60, 180],
        frame_s: 1.0 / 60.0,
        substeps: 4,
        solver: "verlet".to_owned(),
        playing: false,
        speed: 1.0,
        real_speed: 0.98,
        measures: (60..=180).map(measure).collect(),
        explosion: None,
        error: None,
        notes: Vec::new(),
        tangled: 0,
        held_up: Default::default(),
    }
}

/// The one action that sets something, and that its edit ended.
#[track_caller]
pub(super) fn only_set(actions: &[Action]) -> (String, Value) {
    let sets: Vec<_> = actions
        .iter()
        .filter_map(|action| match action {
            Action::Set { pointer, value } => Some((pointer.clone(), value.clone())),
            _ => None,
        })
        .collect();
    assert_eq!(sets.len(), 1, "{actions:?}");
    assert!(actions.contains(&Action::EndEdit), "{actions:?}");
    sets[0].clone()
}

/// Opens a heading by clicking it.
pub(super) fn open(harness: &mut Harness<'static, Bench>, heading: &str) {
    harness.get_by_label(heading).click();
    harness.run();
    harness.state_mut().actions.clear();
}

/// A small scene.
pub(super) fn small_scene() -> Value {
    json!({
        "format": 1,
        "name": "Small",
        "materials": { "m": {
            "mass": { "per_point_kg": 1 },
            "springs": { "stencil": "neighbours-20", "stiffness": 40, "damping": 2 },
            "drag": 0.5,
        } },
        "bodies": [{
            "name": "flag", "kind": "cloth", "material": "m",
            "shape": { "kind": "grid", "points": [20, 20], "size_m": [1, 1] },
        }],
        "lights": [{ "kind": "sun", "direction": [0, -1, 0] }],
    })
}

/// The tab that a test looks at.
pub(super) fn on_tab(tab: Tab) -> impl FnOnce(&mut Bench) {
    move |bench| bench.menu.tab = tab
}
