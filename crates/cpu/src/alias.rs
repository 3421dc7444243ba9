//! Which of the caller's slices can stand for a buffer, so that nothing is copied.
//!
//! A slice stands for a buffer of its size if the schedule cannot tell: the buffer starts as
//! the slice's contents (or the slice is written only), whatever changes it is followed by a
//! download of the whole buffer into that slice, and no other buffer sees the slice change.
//! Loops and branches change nothing about that: they move no bytes to or from slices, so whatever
//! they do, however often, comes before or after all of a slice's copies. A buffer that is swapped
//! anywhere holds now its own memory, now another's; no slice stands for it.

use seawall_core::check::Checked;
use seawall_core::device::Io;
use seawall_core::schedule::{Binding, BufferId, HostId, Life, Step};

/// The widest scalar.
const ALIGN: usize = 8;

/// A slice in place of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Alias {
    pub(crate) host: usize,
    /// The buffer starts as zeros, not as what the slice holds.
    pub(crate) cleared: bool,
}

/// Who copies between a slice and buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Used {
    #[default]
    Never,
    /// Once, and all of it.
    By(BufferId),
    /// In other ways.
    Otherwise,
}

impl Used {
    fn add(&mut self, buffer: BufferId, whole: bool) {
        *self = if *self == Self::Never && whole { Self::By(buffer) } else { Self::Otherwise };
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Slice {
    uploads: Used,
    downloads: Used,
}

#[derive(Debug, Clone, Copy, Default)]
struct Story {
    touched: bool,
    /// The slice that the buffer starts as.
    from: Option<HostId>,
    swapped: bool,
    /// Something other than its first upload writes it.
    changed: bool,
    /// The slice that holds all of it since it last changed.
    to: Option<HostId>,
}

impl Story {
    fn touch(&mut self, changes: bool) {
        self.touched = true;
        if changes {
            (self.changed, self.to) = (true, None);
        }
    }
}

/// For each buffer, what may stand for it if it lies well.
pub(crate) fn candidates(schedule: &Checked) -> Vec<Option<Alias>> {
    let mut slices = vec![Slice::default(); schedule.hosts.len()];
    let mut stories = vec![Story::default(); schedule.buffers.len()];
    let whole = |range: &Binding, host: HostId, at: u64| {
        let buffer = &schedule.buffers[range.buffer.0 as usize];
        at == 0 && range.bytes == buffer.bytes && schedule.hosts[host.0 as usize].bytes == buffer.bytes
    };
    for step in &schedule.steps {
        match step {
            Step::Upload { host, at, to } => {
                let whole = whole(to, *host, *at);
                slices[host.0 as usize].uploads.add(to.buffer, whole);
                let story = &mut stories[to.buffer.0 as usize];
                if whole && !story.touched {
                    (story.touched, story.from) = (true, Some(*host));
                } else {
                    story.touch(true);
                }
            }
            Step::Download { from, host, at, length } => {
                let whole = length.is_none() && whole(from, *host, *at);
                slices[host.0 as usize].downloads.add(from.buffer, whole);
                let story = &mut stories[from.buffer.0 as usize];
                story.touch(false);
                story.to = if whole { Some(*host) } else { story.to };
                length.iter().for_each(|length| stories[length.count.buffer.0 as usize].touch(false));
            }
            Step::Clear { range } => stories[range.buffer.0 as usize].touch(true),
            Step::Copy { from, to } => {
                stories[from.buffer.0 as usize].touch(false);
                stories[to.buffer.0 as usize].touch(true);
            }
            Step::Dispatch { kernel, bindings, .. } | Step::DispatchIndirect { kernel, bindings, .. } => {
                let rows = &schedule.kernels[kernel.0 as usize].buffers;
                for (row, binding) in rows.iter().zip(bindings) {
                    stories[binding.buffer.0 as usize].touch(row.effects.writes || row.effects.updates);
                }
                if let Step::DispatchIndirect { args, .. } = step {
                    stories[args.buffer.0 as usize].touch(false);
                }
            }
            Step::Loop { test: Some(test), .. } | Step::When { test } => {
                stories[test.word.buffer.0 as usize].touch(false);
            }
            Step::Swap { first, second } => {
                [first, second].iter().for_each(|id| stories[id.0 as usize].swapped = true);
            }
            Step::Loop { test: None, .. } | Step::End | Step::Barrier | Step::Free { .. } => {}
        }
    }
    let alias = |(id, story): (usize, &Story)| {
        let buffer = BufferId(id as u32);
        let host = story.from.or(story.to)?;
        let Slice { uploads, downloads } = slices[host.0 as usize];
        let starts = if story.from.is_some() { Used::By(buffer) } else { Used::Never };
        let unseen = uploads == starts && story.to == Some(host);
        let as_it_was = story.from.is_some() && !story.changed;
        let stands = [Used::Never, Used::By(buffer)].contains(&downloads) && (unseen || as_it_was);
        let own = schedule.buffers[id].life == Life::Transient && !story.swapped;
        (stands && own).then_some(Alias { host: host.0 as usize, cleared: story.from.is_none() })
    };
    stories.iter().enumerate().map(alias).collect()
}

/// Those whose slice lies well.
pub(crate) fn aligned(candidates: &[Option<Alias>], io: &Io<'_>) -> Vec<Option<Alias>> {
    let lies_well = |alias: &Alias| io.hosts[alias.host].bytes().as_ptr().addr().is_multiple_of(ALIGN);
    candidates.iter().map(|alias| alias.filter(lies_well)).collect()
}
