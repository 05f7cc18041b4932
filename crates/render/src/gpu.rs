//! The graphics device.

use std::sync::{Arc, Mutex, PoisonError};

use crate::error::RenderError;

/// A graphics device without a window.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    /// Name and driver of the adapter.
    pub adapter: String,
    /// Whether it is a program on the processor in place of a graphics card.
    pub software: bool,
    watch: DeviceWatch,
}

impl Gpu {
    /// The best adapter of this machine: a graphics card if there is one, else software.
    pub fn headless() -> Result<Self, RenderError> {
        pollster::block_on(Self::open())
    }

    async fn open() -> Result<Self, RenderError> {
        let mut refusal = RenderError::NoAdapter;
        // OpenGL comes second: its drivers look for a display and complain without one.
        for backends in [wgpu::Backends::PRIMARY, wgpu::Backends::GL] {
            let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
            descriptor.backends = backends;
            let instance = wgpu::Instance::new(descriptor);
            let mut adapters = instance.enumerate_adapters(backends).await;
            adapters.sort_by_key(|adapter| rank(adapter.get_info().device_type));
            for adapter in adapters {
                match Self::from_adapter(&adapter).await {
                    Ok(gpu) => return Ok(gpu),
                    Err(error) => refusal = error,
                }
            }
        }
        Err(refusal)
    }

    async fn from_adapter(adapter: &wgpu::Adapter) -> Result<Self, RenderError> {
        let info = adapter.get_info();
        // The limits of a browser without WebGPU, so that what works here works there; only
        // sizes are those of the adapter.
        let most = adapter.limits();
        let mut limits = wgpu::Limits::downlevel_webgl2_defaults().using_resolution(most.clone());
        limits.max_buffer_size = most.max_buffer_size;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("tkanina"),
            required_limits: limits,
            ..Default::default()
        };
        let name = if info.driver.is_empty() {
            info.name.clone()
        } else {
            format!("{} ({})", info.name, info.driver)
        };
        match adapter.request_device(&descriptor).await {
            Ok((device, queue)) => {
                let watch = DeviceWatch::watch(&device);
                let software = info.device_type == wgpu::DeviceType::Cpu;
                Ok(Self { device, queue, adapter: name, software, watch })
            }
            Err(error) => Err(RenderError::NoDevice { adapter: name, reason: error.to_string() }),
        }
    }

    /// Why the device can no longer draw, if so.
    pub fn lost(&self) -> Option<String> {
        self.watch.lost()
    }

    /// What the device complained of since this was last asked.
    pub fn take_error(&self) -> Option<String> {
        self.watch.take_error()
    }
}

fn rank(kind: wgpu::DeviceType) -> u8 {
    match kind {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    }
}

/// Hears what a device reports, so that its failure is a message and not a crash.
#[derive(Clone, Debug, Default)]
pub struct DeviceWatch {
    heard: Arc<Mutex<Heard>>,
}

#[derive(Debug, Default)]
struct Heard {
    lost: Option<String>,
    error: Option<String>,
}

impl DeviceWatch {
    /// Listens to a device from now on; whoever listened before hears nothing more.
    pub fn watch(device: &wgpu::Device) -> Self {
        let watch = Self::default();
        let heard = watch.clone();
        device.set_device_lost_callback(move |reason, message| {
            let why = if message.is_empty() { format!("{reason:?}") } else { message };
            heard.with(|heard| heard.lost = Some(why));
        });
        let heard = watch.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            heard.with(|heard| {
                let text = heard.error.get_or_insert(error.to_string());
                text.truncate(text.floor_char_boundary(MOST_TEXT));
            });
        }));
        watch
    }

    /// Why the device can no longer draw, if so.
    pub fn lost(&self) -> Option<String> {
        self.with(|heard| heard.lost.clone())
    }

    /// The first complaint since this was last asked: a fault of ours or want of memory.
    pub fn take_error(&self) -> Option<String> {
        self.with(|heard| heard.error.take())
    }

    fn with<R>(&self, act: impl FnOnce(&mut Heard) -> R) -> R {
        act(&mut self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Longer complaints tell a reader nothing more. [bytes]
const MOST_TEXT: usize = 2000;
