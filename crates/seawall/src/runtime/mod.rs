//! The front door: devices, and the one that is open.

mod builder;

use std::sync::Arc;

use bytemuck::Pod;
use seawall_core::cache::Found;
use seawall_core::check::Checked;
use seawall_core::device::{self, Caps, Control, Device, Fitted};
use seawall_core::program::{Kernel, Overrides, Program};
use seawall_core::route::{Asker, Because, Choice, Registry};
use seawall_core::schedule::Schedule;
use seawall_core::split;
use seawall_core::texture::Shape;
use seawall_cpu::{Crew, Process};

use crate::buffer::Buffer;
use crate::error::Error;
use crate::image::Image;
use crate::loaded::{Loads, Ready, Splits};
use crate::process;

pub use builder::{Builder, DEVICE_VARIABLE, THREADS_VARIABLE};

/// Devices, one of them open. Shared between threads by reference.
#[derive(Debug)]
pub struct Runtime {
    registry: Registry,
    asked: Option<(String, Asker)>,
    /// Where resident buffers live.
    home: Choice,
    loaded: Loads,
    splits: Splits,
    /// For what cannot be interrupted.
    compilers: Arc<Crew>,
    jobs: Arc<Crew>,
    process: Process,
}

impl Runtime {
    /// Opens the device that [`DEVICE_VARIABLE`] names, or else the best one.
    pub fn new() -> Result<Self, Error> {
        Self::builder().open()
    }

    /// Opens with choices.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The open device itself, for schedules that are made by hand.
    pub fn device(&self) -> &Arc<dyn Device> {
        &self.home.device
    }

    /// What the open device is and can do.
    pub fn caps(&self) -> &Caps {
        self.home.device.caps()
    }

    /// Why it was chosen.
    pub fn because(&self) -> &Because {
        &self.home.because
    }

    /// Every device that this build knows.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The only entry point of a WGSL program, with its overrides as they are; for a choice
    /// of either see [`Program::kernel`].
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// use seawall::{Overrides, Program, Runtime};
    ///
    /// let runtime = Runtime::new()?;
    /// let text = "override by: f32 = 1.0;
    ///      @group(0) @binding(0) var<storage, read_write> v: array<f32>;
    ///      @compute @workgroup_size(64)
    ///      fn scale(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] *= by; }
    ///      @compute @workgroup_size(64)
    ///      fn shift(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] += by; }";
    /// let (program, by) = (Program::wgsl(text)?, Overrides::from([("by".to_owned(), 3.0)]));
    /// let (scale, shift) = (program.kernel("scale", &by)?, program.kernel("shift", &by)?);
    /// let mut v = [1.0f32, 2.0];
    /// runtime.call(&scale).bind("v", &mut v).over("v").run()?;
    /// runtime.call(&shift).bind("v", &mut v).over("v").run()?;
    /// assert_eq!(v, [6.0, 9.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn kernel(&self, wgsl: &str) -> Result<Arc<Kernel>, Error> {
        only_kernel(wgsl)
    }

    /// The same, while others may stop it through `control`, or [`within`](crate::within) does.
    pub fn kernel_with(&self, wgsl: &str, control: &Control) -> Result<Arc<Kernel>, Error> {
        let text = wgsl.to_owned();
        self.apart(control, move || only_kernel(&text))
    }

    /// Does what cannot be interrupted on a thread apart, and stops waiting for it when `control`
    /// says so; then it goes on by itself. Only so many threads do such work; if none is free,
    /// this waits for one. For a [`Program`] of another language, or to read a file:
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// use seawall::device::{Control, Reason};
    ///
    /// let (runtime, control) = (seawall::Runtime::new()?, Control::default());
    /// let program = runtime.apart(&control, || Ok(seawall::Program::wgsl("const pi = 3.14;")?));
    /// assert!(program.is_err(), "it has no entry point");
    /// control.stop.ask(Reason::Caller);
    /// assert!(runtime.apart(&control, || Ok(std::thread::park())).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn apart<T: Send + 'static>(
        &self,
        control: &Control,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.here()?;
        control.go_on()?;
        let promise = self.compilers.submit(work).map_err(|reason| Error::Thread { reason })?;
        promise.wait_with(&control.stop).map_err(device::Error::from)?
    }

    /// `len` zeroed elements on the device.
    pub fn buffer<T: Pod>(&self, len: usize) -> Result<Buffer<T>, Error> {
        Buffer::zeros(&self.home.device, len, self.process)
    }

    /// The elements of a slice, on the device.
    pub fn buffer_from<T: Pod>(&self, from: &[T]) -> Result<Buffer<T>, Error> {
        let buffer = self.buffer(from.len())?;
        buffer.write(0, from)?;
        Ok(buffer)
    }

    /// An image on the device, all its bits zero.
    pub fn image(&self, shape: Shape) -> Result<Image, Error> {
        Ok(Image::new(self.buffer((shape.bytes() / 4) as usize)?, shape))
    }

    /// An image on the device, of texels as other programs lay them out: as many bytes as their format has for
    /// each, level after level.
    pub fn image_from(&self, shape: Shape, texels: &[u8]) -> Result<Image, Error> {
        let image = self.image(shape)?;
        image.write(texels)?;
        Ok(image)
    }

    /// An error in a child of the process that opened this.
    pub(crate) fn here(&self) -> Result<(), Error> {
        process::same(self.process, &*self.home.device)
    }

    pub(crate) fn process(&self) -> Process {
        self.process
    }

    /// The threads that jobs run on.
    pub(crate) fn jobs(&self) -> &Arc<Crew> {
        &self.jobs
    }

    /// Who runs a schedule: the home of its resident buffers, or whoever suits it best.
    pub fn choose(&self, schedule: &Arc<Checked>) -> Result<(Choice, Fitted), Error> {
        if schedule.residents().next().is_some() {
            let fitted = device::fit(schedule.clone(), self.home.device.caps())?;
            return Ok((self.home.clone(), fitted));
        }
        Ok(self.registry.choose_for(named(self.asked.as_ref()), schedule)?)
    }

    /// The schedule as the open device can run it: cut at grid barriers, if it has none of its own.
    pub(crate) fn cut(&self, schedule: Schedule) -> Result<Schedule, Error> {
        let cuts = schedule.kernels.iter().any(|kernel| kernel.needs.grid_barrier.is_some());
        if !cuts || self.caps().native_grid_barrier {
            return Ok(schedule);
        }
        Ok(split::cut(schedule, &mut |kernel| self.splits.get(kernel))?)
    }

    /// The schedule, ready to run, and whether the code of each of its kernels was compiled or found.
    pub(crate) fn load(
        &self,
        device: &Arc<dyn Device>,
        fitted: Fitted,
        control: &Control,
    ) -> Result<(Ready, Vec<Found>), Error> {
        let (ready, code) = self.loaded.get(device, fitted, control)?;
        for (kernel, found) in ready.schedule.kernels.iter().zip(&code) {
            log::debug!("`{}` on {}: {found}", kernel.name, device.caps().id);
        }
        Ok((ready, code))
    }
}

fn only_kernel(wgsl: &str) -> Result<Arc<Kernel>, Error> {
    let program = Program::wgsl(wgsl)?;
    let entries: Vec<String> = program.entries().map(str::to_owned).collect();
    match entries.as_slice() {
        [entry] => Ok(program.kernel(entry, &Overrides::new())?),
        _ => Err(Error::SeveralEntries { entries }),
    }
}

fn named(asked: Option<&(String, Asker)>) -> Option<(&str, Asker)> {
    asked.map(|(id, asker)| (id.as_str(), *asker))
}
