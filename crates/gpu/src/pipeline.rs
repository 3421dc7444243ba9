//! Compiled kernels, kept by what they were made from.

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::sync::Arc;

use seawall_core::cache::{self, Found, Hands};
use seawall_core::device::{self, Error, Stop};
use seawall_core::program::{Access, Kernel};
use seawall_core::quiet::quietly;

use crate::driver::Driver;
use crate::fault::Point;
use crate::module::{self, Form, Grid};
use crate::outer;

/// Bytes of what is found about a kernel's loops.
pub(crate) const WATCH_BYTES: u64 = 4;

/// Pipelines that a device keeps.
const KEPT_MAX: usize = 512;

/// A kernel that the device can run.
#[derive(Debug)]
pub(crate) struct Pipeline {
    pub(crate) raw: wgpu::ComputePipeline,
    /// One binding for each row of the kernel's buffer table.
    pub(crate) layout: wgpu::BindGroupLayout,
    /// What a folded grid is told by.
    pub(crate) folded: Option<wgpu::BindGroupLayout>,
}

/// The pipelines of one open device.
#[derive(Debug)]
pub(crate) struct Cache(cache::Cache<Form, Pipeline, Error>);

impl Cache {
    /// An empty one, whose pipelines are made by these threads.
    pub(crate) fn new(hands: Option<Arc<dyn Hands>>) -> Self {
        Self(cache::Cache::new(KEPT_MAX, hands))
    }

    /// The pipeline for a kernel in this form, and whether it was compiled or found in the cache.
    pub(crate) fn get(
        &self,
        driver: &Arc<Driver>,
        kernel: &Arc<Kernel>,
        form: &Form,
        stop: &Stop,
    ) -> Result<(Arc<Pipeline>, Found), Error> {
        let make = (driver.clone(), kernel.clone(), form.clone());
        let got = self.0.get(kernel, form, stop, move |_| compile(&make.0, &make.1, &make.2));
        got.map_err(|missed| device::missed(kernel, driver.id(), missed))
    }
}

fn compile(driver: &Driver, kernel: &Kernel, form: &Form) -> Result<Pipeline, Error> {
    let device = &driver.raw;
    let module = Cow::Owned(module::of(kernel, form));
    let mut entries: Vec<wgpu::BindGroupLayoutEntry> =
        (0..kernel.buffers.len()).map(|row| entry(kernel, form, row)).collect();
    if form.watched {
        let ty = wgpu::BufferBindingType::Storage { read_only: false };
        entries.push(layout_entry(entries.len(), ty, WATCH_BYTES));
    }
    let what = format!("kernel `{}`", kernel.name);
    let make = || {
        let source = wgpu::ShaderSource::Naga(module);
        let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let layout =
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
        let folded = (form.grid == Grid::Folded).then(|| {
            let told = wgpu::BindGroupLayoutDescriptor { label: None, entries: &[told()] };
            device.create_bind_group_layout(&told)
        });
        let groups = [Some(&layout), folded.as_ref()];
        let whole = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: if folded.is_some() { &groups } else { &groups[..1] },
            immediate_size: if form.grid == Grid::Part { outer::TOLD_BYTES } else { 0 },
        });
        let raw = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: Some(&whole),
            module: &shader,
            entry_point: Some(&kernel.entry().name),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        Pipeline { raw, layout, folded }
    };
    // naga panics where it meets what it cannot write.
    driver.call(Point::Compile, &what, 0, || quietly(make))?.map_err(|panic| driver.refused(&what, &panic))
}

fn entry(kernel: &Kernel, form: &Form, row: usize) -> wgpu::BindGroupLayoutEntry {
    let buffer = &kernel.buffers[row];
    let ty = match buffer.access {
        _ if form.shared.contains(&row) => wgpu::BufferBindingType::Storage { read_only: false },
        Access::Uniform => wgpu::BufferBindingType::Uniform,
        Access::Read => wgpu::BufferBindingType::Storage { read_only: true },
        Access::ReadWrite => wgpu::BufferBindingType::Storage { read_only: false },
    };
    layout_entry(row, ty, buffer.min_bytes)
}

fn layout_entry(at: usize, ty: wgpu::BufferBindingType, min_bytes: u64) -> wgpu::BindGroupLayoutEntry {
    let min_binding_size = NonZeroU64::new(min_bytes);
    wgpu::BindGroupLayoutEntry {
        binding: at as u32,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size },
        count: None,
    }
}

fn told() -> wgpu::BindGroupLayoutEntry {
    layout_entry(0, wgpu::BufferBindingType::Uniform, outer::TOLD_BYTES.into())
}
