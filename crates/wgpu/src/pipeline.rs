//! Shaders and compute pipelines: naga modules, and the kernels that the device makes of them.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use naga::ShaderStage;
use naga::compact::{KeepUnused, compact};
use seawall_core::check::check;
use seawall_core::device::{Device as _, Error, Loaded};
use seawall_core::program::texture::Misfit;
use seawall_core::program::{self, Kernel, Program};
use seawall_core::schedule::{Life, Step, Writer};
use seawall_core::texture::Format;
use wgpu::hal;

use crate::buffer::Range;
use crate::never::Unused;
use crate::texture::{Sampler, View};

/// A shader as wgpu has validated it. What else is asked of it is asked for each entry point: one that uses textures
/// is no harm to another.
pub(crate) struct Module {
    name: Cow<'static, str>,
    text: Cow<'static, str>,
    module: Cow<'static, naga::Module>,
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Module {
    pub(crate) fn new(shader: hal::NagaShader) -> Self {
        let source = shader.debug_source;
        let (name, text) = source.map_or(("<wgpu>".into(), "".into()), |it| (it.file_name, it.source_code));
        Self { name, text, module: shader.module }
    }

    fn kernel(&self, stage: &hal::ProgrammableStage<'_, Self>) -> Result<Arc<Kernel>, hal::PipelineError> {
        let refused =
            |reason: &dyn fmt::Display| hal::PipelineError::Linkage(wgpu::ShaderStages::COMPUTE, format!("\n{reason}"));
        let mut module = self.module.clone().into_owned();
        module.entry_points.retain(|point| point.stage == ShaderStage::Compute && point.name == stage.entry_point);
        if module.entry_points.is_empty() {
            return Err(hal::PipelineError::EntryPoint(ShaderStage::Compute));
        }
        compact(&mut module, KeepUnused::No);
        let program = Program::module(module, &self.name, &self.text).map_err(|report| refused(&report))?;
        // A constant may be for what this entry point does not use.
        let known = program.overrides();
        let known = |key: &str| known.iter().any(|known| known.is_called(key));
        let values = stage.constants.iter().filter(|(key, _)| known(key));
        let values = values.map(|(key, value)| (key.clone(), *value)).collect();
        program.kernel(stage.entry_point, &values).map_err(|report| refused(&report))
    }
}

/// A kernel for textures of some formats, or for ranges that overlap.
struct Variant {
    formats: Vec<Format>,
    aliased: bool,
    kernel: Arc<Kernel>,
}

/// Cheap to clone.
#[derive(Clone)]
pub(crate) struct Pipeline(Arc<Inner>);

struct Inner {
    kernel: Arc<Kernel>,
    /// What else the kernel has been made into.
    variants: Mutex<Vec<Variant>>,
    /// Bytes of immediates that the kernel reads.
    immediate_bytes: usize,
    /// Keeps the code.
    _loaded: Box<dyn Loaded>,
}

impl fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pipeline").field(&self.0.kernel.name).finish()
    }
}

type Descriptor<'a> = hal::ComputePipelineDescriptor<'a, Unused, Module, Unused>;

impl Pipeline {
    /// Compiles it, unless the device has done so before.
    pub(crate) fn new(cpu: &seawall_cpu::Device, desc: &Descriptor<'_>) -> Result<Self, hal::PipelineError> {
        let kernel = desc.stage.module.kernel(&desc.stage)?;
        let loaded = load(cpu, &kernel).map_err(|error| match error {
            Error::OutOfMemory { .. } => hal::PipelineError::Device(hal::DeviceError::OutOfMemory),
            error => hal::PipelineError::Linkage(wgpu::ShaderStages::COMPUTE, format!("\n{error}")),
        })?;
        let immediate = kernel.buffers.iter().find(|row| row.immediate);
        let immediate_bytes = immediate.map_or(0, |row| row.min_bytes as usize);
        Ok(Self(Arc::new(Inner { kernel, variants: Mutex::default(), immediate_bytes, _loaded: loaded })))
    }

    pub(crate) fn kernel(&self) -> &Arc<Kernel> {
        &self.0.kernel
    }

    pub(crate) fn immediate_bytes(&self) -> usize {
        self.0.immediate_bytes
    }

    /// The kernel for what is bound to it, in the order of its buffer table, with what it is told of its images and
    /// samplers. `view` and `sampler` are what is bound to a group's binding.
    pub(crate) fn bound<'a>(
        &self,
        ranges: &[Option<Range>],
        view: impl Fn(u32, u32) -> Option<&'a View>,
        sampler: impl Fn(u32, u32) -> Option<&'a Sampler>,
    ) -> Result<(Arc<Kernel>, Vec<u8>), Misfit> {
        let seen = |texture: &program::texture::Texture| view(texture.group, texture.binding)?.seen;
        let how = |slot: &program::texture::Sampler| Some(sampler(slot.group, slot.binding)?.0);
        let kernel = &self.0.kernel;
        let aliased = is_aliased(kernel, ranges);
        if kernel.textures.is_empty() && kernel.samplers.is_empty() && !aliased {
            return Ok((kernel.clone(), Vec::new()));
        }
        let formats: Vec<Format> = kernel.textures.iter().filter_map(seen).map(|seen| seen.shape().format()).collect();
        let mut variants = self.0.variants.lock().unwrap_or_else(PoisonError::into_inner);
        let known = variants.iter().find(|known| known.aliased == aliased && known.formats == formats);
        if let Some(known) = known {
            return known.kernel.viewing(seen, how);
        }
        let (made, told) = kernel.viewing(seen, how)?;
        let made = if aliased { made.aliased() } else { made };
        variants.push(Variant { formats, aliased, kernel: made.clone() });
        Ok((made, told))
    }
}

/// Whether a kernel may change bytes that it sees in two ways.
fn is_aliased(kernel: &Kernel, ranges: &[Option<Range>]) -> bool {
    let bound: Vec<(bool, &Range)> =
        kernel.buffers.iter().zip(ranges).filter_map(|(row, range)| Some((changes(row), range.as_ref()?))).collect();
    let meet = |(i, (changes, a)): (usize, &(bool, &Range))| {
        bound[..i].iter().any(|(changed, b)| (*changes || *changed) && a.overlaps(b))
    };
    bound.iter().enumerate().any(meet)
}

/// Whether a kernel changes what is bound to a row of its buffer table.
pub(crate) fn changes(row: &program::Buffer) -> bool {
    row.effects.writes || row.effects.updates
}

/// Readies a kernel, by a schedule that does nothing with it.
fn load(cpu: &seawall_cpu::Device, kernel: &Arc<Kernel>) -> Result<Box<dyn Loaded>, Error> {
    let mut writer = Writer::default();
    let rows = kernel.buffers.iter();
    let bindings = rows.map(|row| writer.buffer(&row.name, row.min_bytes, Life::Transient)).collect();
    let id = writer.kernel(kernel);
    writer.step(Step::Dispatch { kernel: id, grid: [0; 3], bindings });
    let checked = check(writer.schedule).unwrap_or_else(|error| unreachable!("invariant pipeline-schedule: {error}"));
    cpu.load(Arc::new(checked))
}
