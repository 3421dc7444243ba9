//! Which adapters there are, which of them can be used, and what they can do.

use std::cmp::Reverse;

use seawall_core::device::{Caps, Kind, Limits};

use crate::flaw::Flaw;
use crate::{outer, watch};

/// What to type to choose this device; `gpu:NAME` chooses an adapter by a part of its name.
pub const ID: &str = "gpu";

/// Memory that buffers may fill, in hundredths of what the driver says is free for us.
const MEMORY_PERCENT: u8 = 95;

/// What kernels may ask for; enabled where the adapter has it.
pub(crate) const WANTED: wgpu::Features = wgpu::Features::SHADER_F16
    .union(wgpu::Features::SHADER_F64)
    .union(wgpu::Features::SHADER_INT64)
    .union(wgpu::Features::SHADER_INT64_ATOMIC_ALL_OPS)
    .union(wgpu::Features::SHADER_INT64_ATOMIC_MIN_MAX)
    .union(wgpu::Features::SHADER_FLOAT32_ATOMIC)
    .union(wgpu::Features::SUBGROUP)
    .union(wgpu::Features::SUBGROUP_BARRIER)
    .union(wgpu::Features::TIMESTAMP_QUERY)
    .union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS)
    .union(wgpu::Features::MAPPABLE_PRIMARY_BUFFERS)
    .union(wgpu::Features::IMMEDIATES);

/// One adapter of one backend.
#[derive(Debug, Clone)]
pub struct Adapter {
    /// What the driver says about it.
    pub info: wgpu::AdapterInfo,
    pub(crate) raw: wgpu::Adapter,
}

/// All adapters of this machine, the best first: hardware before software, discrete before
/// integrated.
pub fn list() -> Vec<Adapter> {
    // No validation layers and no debug messages. Grids that a kernel decides need no check of wgpu's,
    // which would be a dispatch more for each: `indirect` and `gate` write all that are dispatched, within
    // the device's limits. On DX12 wgpu's check also tells kernels how many workgroups there are.
    let checked = wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL;
    let instances = [
        (wgpu::Backends::VULKAN | wgpu::Backends::METAL, wgpu::InstanceFlags::empty()),
        (wgpu::Backends::DX12, checked),
    ];
    let found = instances.into_iter().flat_map(|(backends, flags)| {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        (descriptor.backends, descriptor.flags) = (backends, flags);
        descriptor.memory_budget_thresholds.for_resource_creation = Some(MEMORY_PERCENT);
        pollster::block_on(wgpu::Instance::new(descriptor).enumerate_adapters(backends))
    });
    let mut adapters: Vec<Adapter> = found.map(|raw| Adapter { info: raw.get_info(), raw }).collect();
    adapters.sort_by_key(|adapter| Reverse(rank(adapter.info.device_type)));
    adapters
}

fn rank(kind: wgpu::DeviceType) -> u8 {
    match kind {
        wgpu::DeviceType::DiscreteGpu => 4,
        wgpu::DeviceType::IntegratedGpu => 3,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 1,
        wgpu::DeviceType::Cpu => 0,
    }
}

impl Adapter {
    /// Whether its name has this part, in small or capital letters.
    pub fn is_called(&self, part: &str) -> bool {
        self.info.name.to_lowercase().contains(&part.to_lowercase())
    }

    /// Why it cannot be used, as far as it says so itself.
    pub fn unusable(&self) -> Option<String> {
        let flags = self.raw.get_downlevel_capabilities().flags;
        if !flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) {
            return Some("it has no compute shaders".to_owned());
        }
        let (has, needs) = (self.raw.limits().max_immediate_size, outer::TOLD_BYTES);
        if !self.raw.features().contains(wgpu::Features::IMMEDIATES) || has < needs {
            return Some(format!("it takes {has} bytes of immediate data where {needs} are needed"));
        }
        None
    }

    /// Sizes it cannot go beyond, in numbers that kernels can count to.
    pub(crate) fn limits(&self) -> wgpu::Limits {
        let limits = self.raw.limits();
        let bytes_max = u64::from(u32::MAX - u32::MAX % 4);
        wgpu::Limits {
            max_buffer_size: limits.max_buffer_size.min(bytes_max),
            max_storage_buffer_binding_size: limits.max_storage_buffer_binding_size.min(bytes_max),
            max_uniform_buffer_binding_size: limits.max_uniform_buffer_binding_size.min(bytes_max),
            ..limits
        }
    }

    /// What it is and can do, as the device `id`.
    pub(crate) fn caps(&self, id: &str, without: wgpu::Features) -> Caps {
        let (features, limits) = (self.raw.features() - without, self.limits());
        // What watching loops takes.
        let watches = Flaw::loop_turns(&self.info).is_some();
        let invocations = limits.max_compute_invocations_per_workgroup;
        let note_bytes = if watches { watch::note_bytes(invocations) } else { 0 };
        let kind = if self.info.device_type == wgpu::DeviceType::Cpu { Kind::Software } else { Kind::Gpu };
        Caps {
            id: id.to_owned(),
            name: self.info.name.clone(),
            kind,
            limits: Limits {
                buffer_bytes_max: limits.max_buffer_size,
                binding_bytes_max: limits.max_storage_buffer_binding_size,
                uniform_bytes_max: limits.max_uniform_buffer_binding_size,
                storage_buffers_max: limits.max_storage_buffers_per_shader_stage - u32::from(watches),
                uniform_buffers_max: limits.max_uniform_buffers_per_shader_stage,
                workgroup_bytes_max: limits.max_compute_workgroup_storage_size.saturating_sub(note_bytes).into(),
                workgroup_invocations_max: invocations.into(),
                workgroup_size_max: [
                    limits.max_compute_workgroup_size_x,
                    limits.max_compute_workgroup_size_y,
                    limits.max_compute_workgroup_size_z,
                ],
            },
            native_grid_barrier: false,
            indirect: true,
            control: true,
            subgroup: features
                .contains(wgpu::Features::SUBGROUP)
                .then_some(self.info.subgroup_min_size..=self.info.subgroup_max_size),
            subgroup_barrier: features.contains(wgpu::Features::SUBGROUP_BARRIER),
            f16: features.contains(wgpu::Features::SHADER_F16),
            int64: features.contains(wgpu::Features::SHADER_INT64),
            f64: features.contains(wgpu::Features::SHADER_F64),
            atomic_f32: features.contains(wgpu::Features::SHADER_FLOAT32_ATOMIC),
            atomic_int64_min_max: features.intersects(
                wgpu::Features::SHADER_INT64_ATOMIC_ALL_OPS.union(wgpu::Features::SHADER_INT64_ATOMIC_MIN_MAX),
            ),
            atomic_int64: features.contains(wgpu::Features::SHADER_INT64_ATOMIC_ALL_OPS),
            threads: None,
            memory_bytes: None,
            facts: self.facts(),
        }
    }

    fn facts(&self) -> Vec<(String, String)> {
        let info = &self.info;
        let ty = match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete",
            wgpu::DeviceType::IntegratedGpu => "integrated",
            wgpu::DeviceType::VirtualGpu => "virtual",
            wgpu::DeviceType::Cpu => "software",
            wgpu::DeviceType::Other => "other",
        };
        let driver = format!("{} {}", info.driver, info.driver_info);
        let mut facts = vec![("backend", info.backend.to_string()), ("type", ty.to_owned())];
        facts.push(("driver", driver.trim().to_owned()));
        if self.raw.features().contains(wgpu::Features::SUBGROUP) {
            facts.push(("subgroup", format!("{} to {} invocations", info.subgroup_min_size, info.subgroup_max_size)));
        }
        let features = self.raw.features();
        let timestamps = if features.contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS) {
            "of every step"
        } else if features.contains(wgpu::Features::TIMESTAMP_QUERY) {
            "of dispatches"
        } else {
            "none"
        };
        facts.push(("timestamps", timestamps.to_owned()));
        facts.extend(Flaw::of(info).map(|flaw| ("flaw", flaw.to_string())));
        facts.into_iter().map(|(what, value)| (what.to_owned(), value)).collect()
    }

    /// What to type to choose it.
    pub fn id(&self) -> String {
        format!("{ID}:{}", self.info.name)
    }
}
