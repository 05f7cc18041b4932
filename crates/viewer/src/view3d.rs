//! The picture in the window.

use std::sync::{Arc, Mutex};

use eframe::egui_wgpu::RenderState;
use tkanina_render::{Camera, Frame, Image, Readback, Renderer, Target};

/// Draws frames into a texture of the window's device, and only when something changed.
#[derive(Default)]
pub struct View3d {
    drawing: Option<Drawing>,
    drawn: Option<Drawn>,
    wanted: Vec<Wanted>,
}

struct Drawing {
    renderer: Renderer,
    target: Target,
    texture: egui::TextureId,
}

/// What the texture shows.
#[derive(Clone, Copy, PartialEq)]
struct Drawn {
    key: u64,
    camera: Camera,
    size: [u32; 2],
}

/// A copy of the picture on its way back from the device.
struct Wanted {
    readback: Readback,
    slot: ImageSlot,
}

/// Receives an [`Image`] some frames after it was asked for.
#[derive(Clone, Default)]
pub struct ImageSlot(Arc<Mutex<Option<Image>>>);

impl ImageSlot {
    /// The image, once it is there.
    pub fn take(&self) -> Option<Image> {
        self.0.lock().ok()?.take()
    }
}

impl View3d {
    /// Draws `frame` if its `key`, the camera or the size changed. Returns the texture.
    pub fn draw(
        &mut self,
        state: &RenderState,
        frame: impl FnOnce() -> Frame,
        key: u64,
        camera: &Camera,
        size: [u32; 2],
    ) -> egui::TextureId {
        let size =
            size.map(|pixels| pixels.clamp(1, state.device.limits().max_texture_dimension_2d));
        let drawn = Drawn { key, camera: *camera, size };
        let drawing = match &mut self.drawing {
            Some(drawing) => drawing,
            None => self.drawing.insert(Drawing::new(state, size)),
        };
        if drawing.target.size() != size {
            drawing.resize(state, size);
        }
        if self.drawn != Some(drawn) {
            let (device, queue) = (&state.device, &state.queue);
            drawing.renderer.draw(device, queue, &frame(), camera, &drawing.target);
            self.drawn = Some(drawn);
        }
        drawing.texture
    }

    /// Asks for a copy of the picture as it was drawn last. Nothing waits for it.
    pub fn copy(&mut self, state: &RenderState) -> Option<ImageSlot> {
        let drawing = self.drawing.as_ref()?;
        let readback = Readback::start(&state.device, &state.queue, &drawing.target);
        let slot = ImageSlot::default();
        self.wanted.push(Wanted { readback, slot: slot.clone() });
        Some(slot)
    }

    /// Delivers copies that have arrived.
    pub fn deliver(&mut self, state: &RenderState) {
        if self.wanted.is_empty() {
            return;
        }
        self.wanted.retain_mut(|wanted| match wanted.readback.poll(&state.device) {
            Some(image) => {
                if let (Ok(mut slot), Ok(image)) = (wanted.slot.0.lock(), image) {
                    *slot = Some(image);
                }
                false
            }
            None => true,
        });
    }

    /// Waits for all copies, and delivers them.
    pub fn wait(&mut self, state: &RenderState) {
        for wanted in self.wanted.drain(..) {
            if let (Ok(image), Ok(mut slot)) =
                (wanted.readback.wait(&state.device), wanted.slot.0.lock())
            {
                *slot = Some(image);
            }
        }
    }

    /// Whether copies are still on their way.
    pub fn is_copying(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// Gives its texture back.
    pub fn release(self, state: &RenderState) {
        if let Some(drawing) = self.drawing {
            state.renderer.write().free_texture(&drawing.texture);
        }
    }
}

impl Drawing {
    fn new(state: &RenderState, size: [u32; 2]) -> Self {
        let target = Target::new(&state.device, size);
        let texture = state.renderer.write().register_native_texture(
            &state.device,
            target.sample_view(),
            eframe::wgpu::FilterMode::Linear,
        );
        Self { renderer: Renderer::new(&state.device), target, texture }
    }

    fn resize(&mut self, state: &RenderState, size: [u32; 2]) {
        self.target = Target::new(&state.device, size);
        state.renderer.write().update_egui_texture_from_wgpu_texture(
            &state.device,
            self.target.sample_view(),
            eframe::wgpu::FilterMode::Linear,
            self.texture,
        );
    }
}
