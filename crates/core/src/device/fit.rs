//! Whether a schedule suits a device, and whether what is handed in suits the schedule.

use std::sync::Arc;

use super::{Buffer, Caps, Error, Host, Io, Unsupported, unsupported};
use crate::check::Checked;
use crate::diag::{Diagnostic, Report, Span};
use crate::program::{Access, Kernel};
use crate::schedule::{Binding, BufferId, Step};

/// A schedule that suits a device, which only [`fit`] can make: whoever has one need not look again.
#[derive(Debug, Clone)]
pub struct Fitted {
    schedule: Arc<Checked>,
    caps: Arc<Caps>,
}

impl Fitted {
    /// What suits the device.
    pub fn schedule(&self) -> &Arc<Checked> {
        &self.schedule
    }

    /// The schedule, for the device that has these caps and no other: no two devices share theirs, and while this one
    /// holds on to them nothing else can lie there.
    pub fn of(self, caps: &Arc<Caps>) -> Result<Arc<Checked>, Error> {
        if Arc::ptr_eq(&self.caps, caps) {
            return Ok(self.schedule);
        }
        Err(Error::ForeignSchedule { device: caps.id.clone(), fits: self.caps.id.clone() })
    }
}

/// The schedule as one that the device with these caps can run; or the first thing that the device lacks.
pub fn fit(schedule: Arc<Checked>, caps: &Arc<Caps>) -> Result<Fitted, Error> {
    schedule_fits(&schedule, caps)?;
    Ok(Fitted { schedule, caps: caps.clone() })
}

fn schedule_fits(schedule: &Checked, caps: &Caps) -> Result<(), Error> {
    let limits = &caps.limits;
    for buffer in &schedule.buffers {
        if buffer.bytes > limits.buffer_bytes_max {
            return Err(Error::BufferTooLarge {
                device: caps.id.clone(),
                buffer: buffer.name.clone(),
                bytes: buffer.bytes,
                limit_bytes: limits.buffer_bytes_max,
            });
        }
    }
    schedule.kernels.iter().try_for_each(|kernel| kernel_fits(kernel, caps))?;
    for step in &schedule.steps {
        let (kernel, bindings) = match step {
            Step::DispatchIndirect { kernel, .. } if !caps.indirect => {
                let kernel = &schedule.kernels[kernel.0 as usize];
                return Err(unsupported(kernel, &caps.id, "its grid is in a buffer"));
            }
            Step::Dispatch { kernel, bindings, .. } | Step::DispatchIndirect { kernel, bindings, .. } => {
                (kernel, bindings)
            }
            Step::Loop { .. } | Step::When { .. } if !caps.control => {
                return Err(Error::NoControl { device: caps.id.clone() });
            }
            Step::Upload { .. }
            | Step::Clear { .. }
            | Step::Copy { .. }
            | Step::Barrier
            | Step::Download { .. }
            | Step::Free { .. }
            | Step::Loop { .. }
            | Step::When { .. }
            | Step::Swap { .. }
            | Step::End => continue,
        };
        bindings_fit(&schedule.kernels[kernel.0 as usize], bindings, caps)?;
    }
    Ok(())
}

fn bindings_fit(kernel: &Kernel, bindings: &[Binding], caps: &Caps) -> Result<(), Error> {
    for (row, binding) in kernel.buffers.iter().zip(bindings) {
        let uniform = row.access == Access::Uniform;
        let limit_bytes = if uniform { caps.limits.uniform_bytes_max } else { caps.limits.binding_bytes_max };
        if binding.bytes > limit_bytes {
            return Err(Error::BindingTooLarge {
                device: caps.id.clone(),
                kernel: kernel.name.clone(),
                buffer: row.name.clone(),
                bytes: binding.bytes,
                limit_bytes,
            });
        }
    }
    Ok(())
}

/// The grid that an indirect dispatch found, if it is within the limit.
pub fn grid_within(step: usize, grid: [u32; 3], limit: [u32; 3]) -> Result<[u32; 3], Error> {
    if grid.iter().zip(&limit).any(|(count, most)| count > most) {
        return Err(Error::GridLimit { step, grid, limit });
    }
    Ok(grid)
}

fn kernel_fits(kernel: &Kernel, caps: &Caps) -> Result<(), Error> {
    let uncut = kernel.needs.grid_barrier.filter(|_| !caps.native_grid_barrier).map(|need| {
        let help = "cut the schedule at its grid barriers before it is loaded, with `split::cut`: the runtime does so by itself";
        refusal("`gridBarrier` is", need.span, caps).help(help)
    });
    match uncut.or_else(|| lacks(kernel, caps).into_iter().next()) {
        None => Ok(()),
        Some(diagnostic) => {
            let report = Report { source: kernel.source().clone(), diagnostics: vec![diagnostic] };
            Err(Error::Unsupported(Box::new(Unsupported { device: caps.id.clone(), report })))
        }
    }
}

fn refusal(what: &str, span: Option<Span>, caps: &Caps) -> Diagnostic {
    let message = format!("{what} not supported by device `{}`", caps.id);
    Diagnostic::error("unsupported", message).at(span, "needed here")
}

/// Everything for which a device with these caps would refuse a kernel, however it is called: one
/// diagnostic each. Grid barriers are not among them, since kernels are cut there.
pub fn lacks(kernel: &Kernel, caps: &Caps) -> Vec<Diagnostic> {
    let needs = &kernel.needs;
    let mut found = Vec::new();
    for (have, need, what) in [
        (caps.f16, needs.f16, "`f16` is"),
        (caps.int64, needs.int64, "64-bit integers are"),
        (caps.f64, needs.f64, "`f64` is"),
        (caps.subgroup.is_some(), needs.subgroup, "subgroup operations are"),
        (caps.subgroup_barrier, needs.subgroup_barrier, "subgroup barriers are"),
        (caps.atomic_f32, needs.atomic_f32, "atomics of `f32` are"),
        (caps.atomic_int64_min_max, needs.atomic_int64_min_max, "64-bit atomics are"),
        (caps.atomic_int64, needs.atomic_int64, "64-bit atomics other than minima and maxima without results are"),
    ] {
        if let (false, Some(need)) = (have, need) {
            found.push(refusal(what, need.span, caps));
        }
    }
    let mut refuse = |what: &str, fits: &str| found.push(refusal(what, None, caps).help(format!("{fits} would fit")));
    let (invocations, most) = (kernel.workgroup_invocations(), caps.limits.workgroup_invocations_max);
    if invocations > most {
        let fits = format!("a workgroup of {most} invocations");
        refuse(&format!("a workgroup of {invocations} invocations (limit {most}) is"), &fits);
    }
    for (dimension, (&size, most)) in kernel.workgroup_size.iter().zip(caps.limits.workgroup_size_max).enumerate() {
        if size > most {
            let axis = ["x", "y", "z"][dimension];
            let fits = format!("a workgroup of {most} invocations in {axis}");
            refuse(&format!("a workgroup of {size} invocations in {axis} (limit {most}) is"), &fits);
        }
    }
    let uniforms = kernel.buffers.iter().filter(|row| row.access == Access::Uniform).count();
    for (count, most, what) in [
        (uniforms, caps.limits.uniform_buffers_max, "uniform"),
        (kernel.buffers.len() - uniforms, caps.limits.storage_buffers_max, "storage"),
    ] {
        if count > most as usize {
            let fits = format!("{most} buffers, several arrays in one of them,");
            refuse(&format!("a kernel with {count} {what} buffers (limit {most}) is"), &fits);
        }
    }
    let (bytes, most) = (kernel.workgroup_bytes, caps.limits.workgroup_bytes_max);
    if bytes > most {
        refuse(&format!("{bytes} bytes of workgroup memory (limit {most}) are"), &format!("{most} bytes"));
    }
    found
}

/// Whether what was handed in is what the schedule asks for. Devices call it first in `run`.
pub fn io_fits(schedule: &Checked, io: &Io<'_>) -> Result<(), Error> {
    for index in 0..schedule.hosts.len().max(io.hosts.len()) {
        let expected_bytes = schedule.hosts.get(index).map(|host| host.bytes);
        let got_bytes = io.hosts.get(index).map(|host| host.bytes().len() as u64);
        if expected_bytes != got_bytes {
            return Err(Error::HostMismatch { index, expected_bytes, got_bytes });
        }
    }
    for host in schedule.written() {
        let index = host.0 as usize;
        if matches!(io.hosts[index], Host::Read(_)) {
            return Err(Error::HostReadOnly { index });
        }
    }
    let residents: Vec<u64> = schedule.residents().map(|id| schedule.buffers[id.0 as usize].bytes).collect();
    for index in 0..residents.len().max(io.residents.len()) {
        let expected_bytes = residents.get(index).copied();
        let got_bytes = io.residents.get(index).map(|buffer| buffer.bytes);
        if expected_bytes != got_bytes {
            return Err(Error::ResidentMismatch { index, expected_bytes, got_bytes });
        }
    }
    residents_apart(schedule, io)
}

/// Whether one buffer can be copied to another.
pub fn copy_fits(from: &Buffer, to: &Buffer) -> Result<(), Error> {
    let (from_bytes, to_bytes) = (from.bytes, to.bytes);
    if from_bytes == to_bytes { Ok(()) } else { Err(Error::CopySize { from_bytes, to_bytes }) }
}

/// Whether buffers can be lent at once: each has a memory of its own.
pub fn lend_fits(buffers: &[&Buffer]) -> Result<(), Error> {
    let mut memories: Vec<_> = buffers.iter().map(|buffer| Arc::as_ptr(&buffer.memory).addr()).zip(0..).collect();
    memories.sort_unstable();
    match memories.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(Error::ResidentOverlap { first: pair[0].1.to_string(), second: pair[1].1.to_string() }),
        None => Ok(()),
    }
}

/// A resident buffer: its memory, its bytes in it, and which it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    memory: usize,
    start: u64,
    end: u64,
    id: BufferId,
}

/// No two resident buffers share bytes that one step or another changes. Sorted by their first
/// byte, any two that overlap have neighbours that do.
fn residents_apart(schedule: &Checked, io: &Io<'_>) -> Result<(), Error> {
    let place = |(id, buffer): (BufferId, &&Buffer)| {
        let end = buffer.offset.saturating_add(buffer.bytes);
        Place { memory: Arc::as_ptr(&buffer.memory).addr(), start: buffer.offset, end, id }
    };
    let mut places: Vec<Place> = schedule.residents().zip(&io.residents).map(place).collect();
    places.sort_unstable();
    if places.windows(2).all(|pair| pair[0].memory != pair[1].memory || pair[0].end <= pair[1].start) {
        return Ok(());
    }
    let changed = changed(schedule);
    // Those so far that reach furthest: of all, and of those that are changed.
    let (mut any, mut written): (Option<Place>, Option<Place>) = (None, None);
    for place in places.into_iter().filter(|place| place.start < place.end) {
        let changes = changed[place.id.0 as usize];
        let meets = |other: &Place| other.memory == place.memory && other.end > place.start;
        if let Some(other) = written.filter(meets).or(any.filter(|other| changes && meets(other))) {
            let name = |id: BufferId| schedule.buffers[id.0 as usize].name.clone();
            let (first, second) = (other.id.min(place.id), other.id.max(place.id));
            return Err(Error::ResidentOverlap { first: name(first), second: name(second) });
        }
        let further = |old: Option<Place>| old.filter(|old| meets(old) && old.end > place.end).or(Some(place));
        any = further(any);
        written = if changes { further(written) } else { written };
    }
    Ok(())
}

/// By buffer: whether some step changes it.
fn changed(schedule: &Checked) -> Vec<bool> {
    let mut changed = vec![false; schedule.buffers.len()];
    for step in &schedule.steps {
        match step {
            Step::Upload { to, .. } | Step::Clear { range: to } | Step::Copy { to, .. } => {
                changed[to.buffer.0 as usize] = true;
            }
            Step::Dispatch { kernel, bindings, .. } | Step::DispatchIndirect { kernel, bindings, .. } => {
                for (row, binding) in schedule.kernels[kernel.0 as usize].buffers.iter().zip(bindings) {
                    changed[binding.buffer.0 as usize] |= row.effects.writes || row.effects.updates;
                }
            }
            Step::Swap { first, second } => {
                (changed[first.0 as usize], changed[second.0 as usize]) = (true, true);
            }
            Step::Barrier
            | Step::Download { .. }
            | Step::Free { .. }
            | Step::Loop { .. }
            | Step::When { .. }
            | Step::End => {}
        }
    }
    changed
}
