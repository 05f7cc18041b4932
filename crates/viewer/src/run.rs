//! The window on a desktop: opened, and opened again if the graphics device is lost.

use std::cell::RefCell;
use std::rc::Rc;

use crate::app::App;

/// A device that is lost again and again will not get better.
const MOST_DEVICES: usize = 4;

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum ViewerError {
    /// No window or no graphics.
    #[error("the window cannot be opened: {0}")]
    Window(String),
    /// The graphics device was lost and none came in its place.
    #[error("the graphics device was lost ({reason}); {saved}")]
    Lost {
        /// What the driver said.
        reason: String,
        /// What became of the work.
        saved: String,
    },
}

/// Shows `app` until its window is closed. If the graphics device is lost the window opens again on
/// another device with everything as it was; if that fails the scene is saved.
pub fn run(app: App) -> Result<(), ViewerError> {
    let home = Rc::new(RefCell::new(Some(app)));
    for _ in 0..MOST_DEVICES {
        let result = open_window(&home);
        let Some(app) = home.borrow_mut().take() else {
            return result.map_err(ViewerError::Window);
        };
        match (result, app.lost_device()) {
            (Ok(()), None) => return Ok(()),
            (Err(why), None) => return Err(ViewerError::Window(why)),
            (Ok(()), Some(_)) => *home.borrow_mut() = Some(app),
            (Err(_), Some(reason)) => return Err(given_up(&app, reason)),
        }
    }
    match home.borrow_mut().take() {
        Some(app) => Err(given_up(&app, "again and again".to_owned())),
        None => Ok(()),
    }
}

fn given_up(app: &App, reason: String) -> ViewerError {
    let saved = match app.rescue() {
        Ok(path) => format!("the scene is saved as `{}`", path.display()),
        Err(why) => format!("the scene could not be saved: {why}"),
    };
    ViewerError::Lost { reason, saved }
}

fn open_window(home: &Rc<RefCell<Option<App>>>) -> Result<(), String> {
    let viewport = egui::ViewportBuilder::default()
        .with_title("Tkanina")
        .with_app_id("tkanina")
        .with_inner_size([1280.0, 800.0])
        .with_min_inner_size([480.0, 320.0]);
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    let creator_home = Rc::clone(home);
    let creator = move |context: &eframe::CreationContext<'_>| {
        let Some(mut app) = creator_home.borrow_mut().take() else {
            return Err("the application is already open".into());
        };
        app.attach(context);
        let shell = Shell { app: Some(app), home: creator_home };
        Ok(Box::new(shell) as Box<dyn eframe::App>)
    };
    eframe::run_native("tkanina", options, Box::new(creator)).map_err(|error| error.to_string())
}

/// Lends the application to a window, and brings it home when that closes.
struct Shell {
    app: Option<App>,
    home: Rc<RefCell<Option<App>>>,
}

impl eframe::App for Shell {
    fn logic(&mut self, ctx: &egui::Context, frame: &mut eframe::Frame) {
        if let Some(app) = &mut self.app {
            eframe::App::logic(app, ctx, frame);
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        if let Some(app) = &mut self.app {
            eframe::App::ui(app, ui, frame);
        }
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        if let Some(mut app) = self.app.take() {
            app.detach();
            *self.home.borrow_mut() = Some(app);
        }
    }
}
