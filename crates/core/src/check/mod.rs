//! Proves a schedule before any device sees it, from nothing but the schedule itself
//! and the effects of its kernels. It shares no code with whatever wrote the schedule.

mod error;
mod clash;
mod life;
mod flow;

use std::ops::Deref;
use std::sync::Arc;

use self::clash::{Clash, Kind, Touch};
use self::life::Lives;
use crate::program::{self, Access};
pub use crate::schedule::{BINDING_ALIGN_BYTES, COPY_ALIGN_BYTES, NESTING_MAX};
use crate::schedule::{Binding, BufferId, HostId, KernelId, Schedule, Step, Test};

pub use self::error::Error;
pub use self::flow::{Error as FlowError, Placement, Slot, check_graph};
pub use self::life::{Alive, Turnover};

/// Bytes of the grid that an indirect dispatch reads.
const GRID_BYTES: u64 = 12;

/// Bytes of the count that a download reads, and of the word that a test does.
const COUNT_BYTES: u64 = 4;

/// A schedule that keeps every rule below. Only [`check`] makes one.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    schedule: Arc<Schedule>,
    alive: Vec<Option<Alive>>,
    /// Each loop and branch: where it begins and ends, ascending.
    bodies: Vec<(usize, usize)>,
    /// Slices that some step writes, ascending.
    written: Vec<HostId>,
    peak_bytes: u64,
}

impl Checked {
    /// Slices that downloads land in, ascending.
    pub fn written(&self) -> &[HostId] {
        &self.written
    }

    /// Where each loop and branch begins and where it ends, in the order of their beginnings.
    pub fn bodies(&self) -> &[(usize, usize)] {
        &self.bodies
    }

    /// When a buffer has memory; `None` if it is resident or never touched.
    pub fn alive(&self, buffer: BufferId) -> Option<Alive> {
        self.alive[buffer.0 as usize]
    }

    /// For each group, which buffers get and lose their memory with it.
    pub fn turnover(&self) -> Vec<Turnover> {
        let boundaries = self.schedule.steps.iter().filter(|step| step.is_boundary()).count();
        let mut groups = vec![Turnover::default(); boundaries + 1];
        for (id, alive) in self.alive.iter().enumerate() {
            if let Some(Alive { first, last }) = *alive {
                groups[first as usize].come.push(BufferId(id as u32));
                groups[last as usize].go.push(BufferId(id as u32));
            }
        }
        groups
    }

    /// The bytes that are live in each group, resident buffers included.
    pub fn live_bytes(&self) -> Vec<u64> {
        let size = |id: &BufferId| self.buffers[id.0 as usize].bytes;
        let mut live: u64 = self.residents().map(|id| size(&id)).sum();
        let group = |turnover: &Turnover| {
            live += turnover.come.iter().map(size).sum::<u64>();
            let now = live;
            live -= turnover.go.iter().map(size).sum::<u64>();
            now
        };
        self.turnover().iter().map(group).collect()
    }

    /// The most bytes that are live in any group, resident buffers included.
    pub fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }
}

#[cfg(test)]
impl Checked {
    /// Without one of its steps: as if a fault of ours had let that through. Its buffers are resident.
    pub(crate) fn without(&self, step: usize) -> Self {
        let mut schedule = (*self.schedule).clone();
        schedule.steps.remove(step);
        Self { schedule: Arc::new(schedule), ..self.clone() }
    }
}

impl Deref for Checked {
    type Target = Schedule;

    fn deref(&self) -> &Schedule {
        &self.schedule
    }
}

/// Proves `schedule` or names the rule it breaks.
pub fn check(schedule: impl Into<Arc<Schedule>>) -> Result<Checked, Error> {
    let schedule = schedule.into();
    let mut run = Run {
        schedule: &schedule,
        group: 0,
        lives: Lives::new(&schedule.buffers),
        touched: Vec::new(),
        hosts: Vec::new(),
        open: Vec::new(),
        since: 0,
        bodies: Vec::new(),
    };
    for (step, what) in schedule.steps.iter().enumerate() {
        run.step(step, what)?;
    }
    run.group_ends()?;
    if let Some(&step) = run.open.last() {
        return Err(Error::Unended { step });
    }
    run.bodies.sort_unstable();
    let bodies = run.bodies;
    let (alive, peak_bytes) = run.lives.end(run.group + 1, schedule.budget_bytes)?;
    let mut written = vec![false; schedule.hosts.len()];
    for step in &schedule.steps {
        if let Step::Download { host, .. } = step {
            written[host.0 as usize] = true;
        }
    }
    let written = (0..).map(HostId).zip(written).filter_map(|(host, written)| written.then_some(host)).collect();
    Ok(Checked { schedule, alive, bodies, written, peak_bytes })
}

/// The steps so far.
struct Run<'a> {
    schedule: &'a Schedule,
    group: u32,
    lives: Lives<'a>,
    /// What the group's steps do to buffers.
    touched: Vec<Touch>,
    /// The same for host slices.
    hosts: Vec<Touch>,
    /// Loops and branches that have not ended, by their first steps.
    open: Vec<usize>,
    /// Since which group what is touched now lives.
    since: u32,
    bodies: Vec<(usize, usize)>,
}

impl Run<'_> {
    fn step(&mut self, step: usize, what: &Step) -> Result<(), Error> {
        match what {
            Step::Upload { host, at, to } => {
                self.outside(step, "nothing is uploaded")?;
                self.copied(step, *to, Kind::Write)?;
                self.use_host(step, *host, *at, to.bytes, Kind::Read)
            }
            Step::Clear { range } => self.copied(step, *range, Kind::Write),
            Step::Copy { from, to } => {
                self.copied(step, *from, Kind::Read)?;
                self.copied(step, *to, Kind::Write)?;
                if from.bytes != to.bytes {
                    return Err(Error::CopySize { step, from_bytes: from.bytes, to_bytes: to.bytes });
                }
                if overlap(*from, *to) {
                    return Err(Error::CopyOverlap { step, buffer: from.buffer });
                }
                Ok(())
            }
            Step::Dispatch { kernel, grid, bindings } => self.dispatch(step, *kernel, *grid, bindings),
            Step::DispatchIndirect { kernel, args, limit, bindings } => {
                self.argument(step, *args, GRID_BYTES)?;
                self.dispatch(step, *kernel, *limit, bindings)?;
                let rows = self.schedule.kernels[kernel.0 as usize].buffers.iter().zip(bindings);
                match { rows }.find(|(row, binding)| changes(row) && overlap(**binding, *args)) {
                    Some((row, _)) => Err(Error::ChangesGrid { step, buffer: row.name.clone() }),
                    None => Ok(()),
                }
            }
            Step::Barrier => self.boundary(),
            Step::Loop { test, .. } => self.begin(step, *test),
            Step::When { test } => self.begin(step, Some(*test)),
            Step::End => {
                let begun = self.open.pop().ok_or(Error::StrayEnd { step })?;
                self.bodies.push((begun, step));
                self.boundary()
            }
            Step::Swap { first, second } => self.swap(step, *first, *second),
            Step::Download { from, host, at, length } => {
                self.outside(step, "nothing is downloaded")?;
                self.copied(step, *from, Kind::Read)?;
                self.use_host(step, *host, *at, from.bytes, Kind::Write)?;
                length.map_or(Ok(()), |length| self.argument(step, length.count, COUNT_BYTES))
            }
            Step::Free { buffer } => {
                self.outside(step, "nothing is freed")?;
                self.lives.free(step, self.group, *buffer)
            }
        }
    }

    fn boundary(&mut self) -> Result<(), Error> {
        self.group_ends()?;
        self.group += 1;
        if self.open.is_empty() {
            self.since = self.group;
        }
        Ok(())
    }

    /// Begins a loop or a branch. Its test is asked between groups, and clashes with nothing.
    fn begin(&mut self, step: usize, test: Option<Test>) -> Result<(), Error> {
        if self.open.len() == NESTING_MAX {
            return Err(Error::Nesting { step });
        }
        if let Some(Test { word, .. }) = test {
            self.argument_fits(step, word, COUNT_BYTES)?;
            self.lives.touch(step, self.group, self.since, word.buffer)?;
        }
        self.open.push(step);
        self.boundary()
    }

    /// A step that may not stand in a body.
    fn outside(&self, step: usize, what: &'static str) -> Result<(), Error> {
        match self.open.last() {
            Some(&begun) => Err(Error::Inside { step, begun, what }),
            None => Ok(()),
        }
    }

    fn swap(&mut self, step: usize, first: BufferId, second: BufferId) -> Result<(), Error> {
        let looped = self.open.last().is_some_and(|&begun| matches!(self.schedule.steps[begun], Step::Loop { .. }));
        if !looped {
            return Err(Error::SwapOutside { step });
        }
        let of = |buffer: BufferId| match self.schedule.buffers.get(buffer.0 as usize) {
            Some(known) => Ok(known),
            None => Err(Error::UnknownBuffer { step, buffer, count: self.schedule.buffers.len() }),
        };
        let (one, other) = (of(first)?, of(second)?);
        if first == second || (one.bytes, one.life) != (other.bytes, other.life) {
            return Err(Error::SwapUnlike { step, first, second });
        }
        let bytes = one.bytes;
        for buffer in [first, second] {
            self.touch(step, Binding { buffer, offset: 0, bytes }, Kind::Write)?;
        }
        Ok(())
    }

    /// No two steps of the group may clash.
    fn group_ends(&mut self) -> Result<(), Error> {
        if let Some(Clash { memory, first, second }) = clash::find(&mut self.touched) {
            return Err(Error::Hazard { first, second, buffer: BufferId(memory) });
        }
        if let Some(Clash { memory, first, second }) = clash::find(&mut self.hosts) {
            return Err(Error::HostHazard { first, second, host: HostId(memory) });
        }
        self.touched.clear();
        self.hosts.clear();
        Ok(())
    }

    fn touch(&mut self, step: usize, range: Binding, kind: Kind) -> Result<(), Error> {
        self.lives.touch(step, self.group, self.since, range.buffer)?;
        let Binding { buffer, offset, bytes } = range;
        self.touched.push(Touch { memory: buffer.0, start: offset, end: offset + bytes, step, kind });
        Ok(())
    }

    fn use_host(&mut self, step: usize, host: HostId, at: u64, bytes: u64, kind: Kind) -> Result<(), Error> {
        let Some(slice) = self.schedule.hosts.get(host.0 as usize) else {
            return Err(Error::UnknownHost { step, host, count: self.schedule.hosts.len() });
        };
        let Some(end) = at.checked_add(bytes).filter(|&end| end <= slice.bytes) else {
            return Err(Error::OutsideHost { step, host, at, bytes, host_bytes: slice.bytes });
        };
        if kind == Kind::Write && !slice.writable {
            return Err(Error::ReadOnlyHost { step, host });
        }
        self.hosts.push(Touch { memory: host.0, start: at, end, step, kind });
        Ok(())
    }

    /// A range that is copied, or cleared.
    fn copied(&mut self, step: usize, range: Binding, kind: Kind) -> Result<(), Error> {
        self.copy_fits(step, range)?;
        self.touch(step, range, kind)
    }

    fn copy_fits(&self, step: usize, range: Binding) -> Result<(), Error> {
        let buffer_bytes = self.inside(step, range)?;
        let Binding { offset, bytes, .. } = range;
        let whole = bytes.is_multiple_of(COPY_ALIGN_BYTES) || offset + bytes == buffer_bytes;
        if !offset.is_multiple_of(COPY_ALIGN_BYTES) || !whole {
            return Err(Error::CopyAlign { step, binding: range });
        }
        Ok(())
    }

    /// A range that the step reads for itself.
    fn argument(&mut self, step: usize, range: Binding, expected_bytes: u64) -> Result<(), Error> {
        self.argument_fits(step, range, expected_bytes)?;
        self.touch(step, range, Kind::Read)
    }

    fn argument_fits(&self, step: usize, range: Binding, expected_bytes: u64) -> Result<(), Error> {
        if range.bytes != expected_bytes {
            return Err(Error::ArgumentSize { step, binding: range, expected_bytes });
        }
        self.copy_fits(step, range)
    }

    /// The buffer's size, if the range lies in it.
    fn inside(&self, step: usize, binding: Binding) -> Result<u64, Error> {
        let Some(buffer) = self.schedule.buffers.get(binding.buffer.0 as usize) else {
            return Err(Error::UnknownBuffer { step, buffer: binding.buffer, count: self.schedule.buffers.len() });
        };
        match binding.offset.checked_add(binding.bytes) {
            Some(end) if end <= buffer.bytes => Ok(buffer.bytes),
            _ => Err(Error::OutsideBuffer { step, binding, buffer_bytes: buffer.bytes }),
        }
    }

    fn dispatch(&mut self, step: usize, kernel: KernelId, grid: [u32; 3], all: &[Binding]) -> Result<(), Error> {
        let Some(kernel) = self.schedule.kernels.get(kernel.0 as usize) else {
            return Err(Error::UnknownKernel { step, kernel, count: self.schedule.kernels.len() });
        };
        if all.len() != kernel.buffers.len() {
            let (expected, got) = (kernel.buffers.len(), all.len());
            return Err(Error::BindingCount { step, kernel: kernel.name.clone(), expected, got });
        }
        for (dimension, (&groups, &size)) in grid.iter().zip(&kernel.workgroup_size).enumerate() {
            if u64::from(groups) * u64::from(size) > 1 << 32 {
                return Err(Error::GridTooLarge { step, dimension, groups, size });
            }
        }
        for (at, (row, &binding)) in kernel.buffers.iter().zip(all).enumerate() {
            self.inside(step, binding)?;
            binding_fits(step, row, binding)?;
            let before = kernel.buffers[..at].iter().zip(all);
            let told = |other: &program::Buffer| {
                kernel.is_aliased() && row.access != Access::Uniform && other.access != Access::Uniform
            };
            let aliased = |(other, with): &(&program::Buffer, &Binding)| {
                overlap(binding, **with) && (changes(row) || changes(other)) && !told(other)
            };
            if let Some((other, _)) = { before }.find(aliased) {
                return Err(Error::Aliased { step, first: other.name.clone(), second: row.name.clone() });
            }
            let effects = row.effects;
            // Bound is touched, even by a kernel that asks for nothing but its length.
            self.lives.touch(step, self.group, self.since, binding.buffer)?;
            for (done, kind) in
                [(effects.reads, Kind::Read), (effects.updates, Kind::Update), (effects.writes, Kind::Write)]
            {
                if done {
                    self.touch(step, binding, kind)?;
                }
            }
        }
        Ok(())
    }
}

fn binding_fits(step: usize, row: &program::Buffer, binding: Binding) -> Result<(), Error> {
    let buffer = || row.name.clone();
    if binding.bytes < row.min_bytes {
        let (min_bytes, got_bytes) = (row.min_bytes, binding.bytes);
        return Err(Error::BindingTooSmall { step, buffer: buffer(), min_bytes, got_bytes });
    }
    if !binding.offset.is_multiple_of(BINDING_ALIGN_BYTES) {
        return Err(Error::BindingAlign { step, buffer: buffer(), offset: binding.offset });
    }
    Ok(())
}

fn changes(row: &program::Buffer) -> bool {
    row.effects.writes || row.effects.updates
}

/// Both ranges are known to lie inside their buffers, so their ends do not overflow.
fn overlap(a: Binding, b: Binding) -> bool {
    a.buffer == b.buffer && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes
}
