//! From a frame to a picture.

use crate::buffers::Buffers;
use crate::camera::Camera;
use crate::color::linear;
use crate::frame::{Backdrop, Frame};
use crate::passes::globals::{Globals, GlobalsBinding};
use crate::passes::prepared::Known;
use crate::passes::shadow::{ShadowPass, ShadowPlan};
use crate::passes::sky::{self, SkyPass};
use crate::passes::strands::StrandPass;
use crate::passes::strokes::StrokePass;
use crate::passes::surface_uniform::LightKinds;
use crate::passes::surfaces::SurfacePass;
use crate::passes::veil::{VeilPass, VeilPlan};
use crate::target::Target;
use crate::textures::Textures;

/// Draws frames with one device and remembers what it has uploaded.
#[derive(Debug)]
pub struct Renderer {
    globals: GlobalsBinding,
    shadows: ShadowPass,
    surfaces: SurfacePass,
    sky: SkyPass,
    strands: StrandPass,
    veil: VeilPass,
    strokes: StrokePass,
    buffers: Buffers,
    textures: Textures,
    known: Known,
    uploaded: u64,
    /// Whether there is no graphics card.
    software: bool,
}

impl Renderer {
    /// For a device; all later calls are given the same.
    pub fn new(device: &wgpu::Device) -> Self {
        let globals = GlobalsBinding::new(device);
        let surfaces = SurfacePass::new(device, &globals.layout);
        let strands = StrandPass::new(device, &globals.layout);
        let software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        Self {
            veil: VeilPass::new(device, strands.layouts(), software),
            strands,
            shadows: ShadowPass::new(device, surfaces.surface_layout()),
            sky: SkyPass::new(device, &globals.layout),
            strokes: StrokePass::new(device, &globals.layout),
            surfaces,
            globals,
            buffers: Buffers::default(),
            textures: Textures::default(),
            known: Known::default(),
            uploaded: 0,
            software,
        }
    }

    /// Bytes that the last draw brought to the GPU.
    pub fn uploaded_bytes(&self) -> u64 {
        self.uploaded
    }

    /// Draws a frame as a camera sees it. What cannot be drawn is left out.
    pub fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        frame: &Frame,
        camera: &Camera,
        target: &Target,
    ) {
        self.buffers.begin();
        self.textures.begin();
        self.known.begin();
        let mut surfaces = self.known.prepare(device, queue, &mut self.buffers, frame);
        let mut uploaded = self.surfaces.upload(device, queue, &mut surfaces);
        let memory = (&mut self.buffers, &mut self.known);
        let seen = (camera, target.size()[1]);
        let mut strands = self.strands.prepare(device, queue, memory, frame, seen);
        let plan = ShadowPlan::new(&frame.lights, &surfaces, self.software);
        let veil = VeilPlan::new(&frame.lights, &strands, self.software);
        let veiled = veil.as_ref().map(|veil| veil.light);
        let lights = LightKinds::new(&frame.lights, &plan, veiled, self.software);
        uploaded += self.strands.upload(device, queue, &mut strands, lights);
        uploaded += self.veil.upload(device, queue, veil.as_ref(), &strands);
        let lit = (&surfaces[..], lights);
        let dressed = self.surfaces.dress(device, queue, &mut self.textures, lit);
        let sky = self.sky.dress(device, &frame.backdrop, lights);
        uploaded += self.shadows.upload(device, queue, &plan);
        let globals = Globals::new(frame, camera, target.size(), (&plan, veil.as_ref()));
        uploaded += self.globals.upload(queue, &globals);
        let memory = (&mut self.buffers, &mut self.known);
        uploaded += self.strokes.upload(device, queue, memory, frame, &surfaces);
        uploaded += self.strands.uploaded();
        self.uploaded = uploaded + self.buffers.uploaded() + self.textures.uploaded();

        let mut encoder = device.create_command_encoder(&Default::default());
        if let Some(uniforms) = self.surfaces.uniforms() {
            self.shadows.draw(&mut encoder, &plan, &surfaces, uniforms);
        }
        if let Some(looks) = self.strands.uniforms() {
            self.veil.draw(&mut encoder, veil.as_ref(), &strands, looks);
        }
        let group = self.globals.group(device, self.shadows.maps(), self.veil.maps());
        let mut pass = begin(&mut encoder, target, &frame.backdrop);
        pass.set_bind_group(0, &group, &[]);
        self.surfaces.draw(&mut pass, &surfaces, &dressed);
        if let Some(sky) = sky {
            sky::draw(&mut pass, sky);
        }
        self.strands.draw(&mut pass, &strands, lights);
        self.strokes.draw(&mut pass);
        drop(pass);
        queue.submit([encoder.finish()]);
    }
}

/// Begins the picture with its backdrop's colour and nothing near.
fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    target: &Target,
    backdrop: &Backdrop,
) -> wgpu::RenderPass<'a> {
    let (Backdrop::Plain(color) | Backdrop::Sky { horizon: color, .. }) = backdrop;
    let [r, g, b] = linear(*color).to_array().map(f64::from);
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("picture"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &target.samples,
            depth_slice: None,
            resolve_target: Some(&target.resolve),
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 }),
                store: wgpu::StoreOp::Discard,
            },
        })],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &target.depth,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(0.0),
                store: wgpu::StoreOp::Discard,
            }),
            stencil_ops: None,
        }),
        ..Default::default()
    })
}
