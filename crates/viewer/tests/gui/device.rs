//! A graphics device that is lost in the middle of everything.

use egui_kittest::Harness;
use tkanina_viewer::App;

/// The viewer on a device that is destroyed after some frames.
struct Unlucky {
    app: App,
    frames: u32,
}

impl eframe::App for Unlucky {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        self.frames += 1;
        if self.frames == 4 {
            frame.wgpu_render_state().expect("the harness draws").device.destroy();
        }
        eframe::App::ui(&mut self.app, ui, frame);
    }
}

#[test]
fn a_lost_device_is_noticed_and_takes_nothing_along() {
    let mut app = crate::app("hanging-cloth", &[]);
    let mut harness =
        Harness::builder().with_size([600.0, 400.0]).wgpu().build_eframe(move |context| {
            app.attach(context);
            Unlucky { app, frames: 0 }
        });
    for _ in 0..400 {
        harness.step();
        if harness.state().app.lost_device().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let app = &mut harness.state_mut().app;
    assert!(app.lost_device().is_some(), "the loss is not noticed");
    app.detach();
    assert_eq!(app.document().name(), "hanging-cloth");
    assert!(app.snapshot().positions.len() > 1);
}
