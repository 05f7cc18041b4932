//! The whole window, driven by real widgets, keys and mouse.

mod compare;
mod device;
mod editing;
mod keys;
mod picture;
mod playing;
mod scenes;

use std::time::{Duration, Instant};

use egui_kittest::Harness;
use tkanina_scene::schema::Scene;
use tkanina_viewer::{App, Preferences};

/// The window in a test.
pub struct Gui {
    /// It, as tests drive it.
    pub harness: Harness<'static, App>,
}

/// A stuck window fails a test after this.
const PATIENCE: Duration = Duration::from_secs(60);

impl Gui {
    /// A window on a built-in scene that draws no pictures.
    pub fn open(scene: &str) -> Self {
        Self::with_sets(scene, &[])
    }

    /// The same with fields of the scene replaced.
    pub fn with_sets(scene: &str, sets: &[&str]) -> Self {
        Self::build(Harness::builder(), app(scene, sets))
    }

    /// A window that draws pictures, on the software adapter if there is one.
    pub fn drawing(scene: &str) -> Self {
        Self::build(Harness::builder().wgpu(), app(scene, &[]))
    }

    fn build(builder: egui_kittest::HarnessBuilder<App>, mut app: App) -> Self {
        let builder = builder.with_size([1200.0, 1400.0]);
        let harness = builder.build_eframe(move |context| {
            app.attach(context);
            app
        });
        let mut gui = Self { harness };
        gui.until("the scene is built", |app| app.snapshot().generation > 1);
        gui
    }

    /// The application.
    pub fn app(&self) -> &App {
        self.harness.state()
    }

    /// Lets the window live until something is so.
    pub fn until(&mut self, what: &str, done: impl Fn(&App) -> bool) {
        let begin = Instant::now();
        loop {
            self.harness.step();
            if done(self.app()) {
                return;
            }
            assert!(begin.elapsed() < PATIENCE, "in vain: {what}; told: {:?}", self.app().told());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Lets clicks and keys that were sent do their work.
    pub fn settle(&mut self) {
        self.harness.run_steps(6);
    }

    /// Halts, and waits until that is seen.
    pub fn pause(&mut self) {
        self.until("it plays", |app| app.snapshot().playing);
        self.harness.key_press(egui::Key::P);
        self.until("it halts", |app| !app.snapshot().playing);
    }
}

fn app(scene: &str, sets: &[&str]) -> App {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let loaded = Scene::open(scene, &sets).unwrap();
    App::new(scene, None, loaded, Preferences::default()).unwrap()
}
