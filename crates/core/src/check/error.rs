//! Why a schedule is refused.

use super::{BINDING_ALIGN_BYTES, COPY_ALIGN_BYTES, NESTING_MAX};
use crate::schedule::{Binding, BufferId, HostId, KernelId};

/// The rule that a schedule breaks. Steps are named by their index.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A step names a kernel that is not there.
    #[error("step {step} names {kernel}, but the schedule has {count} kernels")]
    UnknownKernel {
        /// Which step.
        step: usize,
        /// What it names.
        kernel: KernelId,
        /// How many there are.
        count: usize,
    },
    /// A step names a buffer that is not there.
    #[error("step {step} names {buffer}, but the schedule has {count} buffers")]
    UnknownBuffer {
        /// Which step.
        step: usize,
        /// What it names.
        buffer: BufferId,
        /// How many there are.
        count: usize,
    },
    /// A step names a host slice that is not there.
    #[error("step {step} names {host}, but the schedule has {count} host slices")]
    UnknownHost {
        /// Which step.
        step: usize,
        /// What it names.
        host: HostId,
        /// How many there are.
        count: usize,
    },
    /// A range reaches past the end of its buffer.
    #[error("step {step} uses {binding} of a buffer of {buffer_bytes} bytes")]
    OutsideBuffer {
        /// Which step.
        step: usize,
        /// The range.
        binding: Binding,
        /// What there is.
        buffer_bytes: u64,
    },
    /// A copy reaches past the end of the host slice.
    #[error("step {step} copies {bytes} bytes at {at} of {host}, which has {host_bytes}")]
    OutsideHost {
        /// Which step.
        step: usize,
        /// The slice.
        host: HostId,
        /// Where it starts.
        at: u64,
        /// What is copied.
        bytes: u64,
        /// What there is.
        host_bytes: u64,
    },
    /// A download into a slice that may only be read.
    #[error("step {step} downloads into {host}, which is read-only")]
    ReadOnlyHost {
        /// Which step.
        step: usize,
        /// The slice.
        host: HostId,
    },
    /// Not one binding for each row of the kernel's buffer table.
    #[error("step {step} binds {got} buffers, but `{kernel}` uses {expected}")]
    BindingCount {
        /// Which step.
        step: usize,
        /// The kernel's name.
        kernel: String,
        /// Rows of its table.
        expected: usize,
        /// Bindings of the step.
        got: usize,
    },
    /// A binding smaller than the kernel's buffer.
    #[error("step {step} binds {got_bytes} bytes to `{buffer}`, which needs at least {min_bytes}")]
    BindingTooSmall {
        /// Which step.
        step: usize,
        /// The kernel's name for it.
        buffer: String,
        /// What it needs.
        min_bytes: u64,
        /// What it got.
        got_bytes: u64,
    },
    /// A binding that starts where no device can bind.
    #[error("step {step} binds `{buffer}` at byte {offset}, which is not a multiple of {BINDING_ALIGN_BYTES}")]
    BindingAlign {
        /// Which step.
        step: usize,
        /// The kernel's name for it.
        buffer: String,
        /// Where it starts.
        offset: u64,
    },
    /// One dispatch sees the same bytes under two names and writes them under one.
    #[error("step {step} binds overlapping bytes to `{first}` and `{second}`, and one of them is written")]
    Aliased {
        /// Which step.
        step: usize,
        /// One name.
        first: String,
        /// The other.
        second: String,
    },
    /// The grid has more invocations in a dimension than ids can count.
    #[error("step {step} runs {groups} workgroups of {size} in dimension {dimension}: over 2^32 invocations")]
    GridTooLarge {
        /// Which step.
        step: usize,
        /// 0, 1 or 2.
        dimension: usize,
        /// Workgroups in it.
        groups: u32,
        /// Invocations of each.
        size: u32,
    },
    /// Two steps of one group touch the same bytes, and the result depends on their order.
    #[error("steps {first} and {second} both touch {buffer} and at least one changes it, with no barrier between them")]
    Hazard {
        /// The earlier step.
        first: usize,
        /// The later step.
        second: usize,
        /// What both touch.
        buffer: BufferId,
    },
    /// Two steps of one group use the same bytes of a host slice, and one writes them.
    #[error(
        "steps {first} and {second} both use the same bytes of {host} and at least one writes it, with no barrier between them"
    )]
    HostHazard {
        /// The earlier step.
        first: usize,
        /// The later step.
        second: usize,
        /// What both use.
        host: HostId,
    },
    /// A copy, a clear or what a step reads for itself where no device can copy.
    #[error(
        "step {step} uses {binding}: copies and clears start at multiples of {COPY_ALIGN_BYTES} and are multiples \
         long, or end with the buffer"
    )]
    CopyAlign {
        /// Which step.
        step: usize,
        /// The range.
        binding: Binding,
    },
    /// A copy between ranges of different sizes.
    #[error("step {step} copies {from_bytes} bytes to {to_bytes}")]
    CopySize {
        /// Which step.
        step: usize,
        /// One size.
        from_bytes: u64,
        /// The other.
        to_bytes: u64,
    },
    /// A copy onto itself.
    #[error("step {step} copies between overlapping ranges of {buffer}")]
    CopyOverlap {
        /// Which step.
        step: usize,
        /// Whose.
        buffer: BufferId,
    },
    /// A grid or a length in a range of the wrong size.
    #[error("step {step} reads {binding} for itself, which must have {expected_bytes} bytes")]
    ArgumentSize {
        /// Which step.
        step: usize,
        /// The range.
        binding: Binding,
        /// What it must have.
        expected_bytes: u64,
    },
    /// A dispatch changes its own grid.
    #[error("step {step} takes its grid from bytes that `{buffer}` changes")]
    ChangesGrid {
        /// Which step.
        step: usize,
        /// The kernel's name for them.
        buffer: String,
    },
    /// A buffer is used in a group after the one that freed it.
    #[error("step {step} uses {buffer}, which step {freed} freed")]
    UsedAfterFree {
        /// Which step.
        step: usize,
        /// The buffer.
        buffer: BufferId,
        /// Who freed it.
        freed: usize,
    },
    /// A buffer is freed twice.
    #[error("steps {first} and {second} both free {buffer}")]
    FreedTwice {
        /// The earlier step.
        first: usize,
        /// The later step.
        second: usize,
        /// The buffer.
        buffer: BufferId,
    },
    /// A buffer is freed before it lives.
    #[error("step {step} frees {buffer}, which no step before it touches")]
    FreedUntouched {
        /// Which step.
        step: usize,
        /// The buffer.
        buffer: BufferId,
    },
    /// A buffer is freed that the caller owns.
    #[error("step {step} frees {buffer}, which is the caller's")]
    FreedResident {
        /// Which step.
        step: usize,
        /// The buffer.
        buffer: BufferId,
    },
    /// A loop or a branch that does not end.
    #[error("what step {step} begins does not end")]
    Unended {
        /// Which step.
        step: usize,
    },
    /// The end of nothing.
    #[error("step {step} ends neither a loop nor a branch")]
    StrayEnd {
        /// Which step.
        step: usize,
    },
    /// Loops and branches inside each other.
    #[error("step {step} is inside {NESTING_MAX} loops and branches already")]
    Nesting {
        /// Which step.
        step: usize,
    },
    /// The host, or a life, would have to wait for a turn.
    #[error("step {step} is inside what step {begun} begins: {what} there")]
    Inside {
        /// Which step.
        step: usize,
        /// What it is inside of.
        begun: usize,
        /// The rule.
        what: &'static str,
    },
    /// A swap that does not stand in a loop's body.
    #[error("step {step} swaps buffers outside of a loop, or in a branch inside of it")]
    SwapOutside {
        /// Which step.
        step: usize,
    },
    /// A swap of buffers that cannot stand for each other.
    #[error("step {step} swaps {first} and {second}, which are not two buffers of one size and one owner")]
    SwapUnlike {
        /// Which step.
        step: usize,
        /// The one.
        first: BufferId,
        /// The other.
        second: BufferId,
    },
    /// More is live at once than the schedule allows itself.
    #[error("{live_bytes} bytes are live in group {group}, over the budget of {budget_bytes}")]
    OverBudget {
        /// Barriers before it.
        group: u32,
        /// What is live.
        live_bytes: u64,
        /// What may be.
        budget_bytes: u64,
    },
}
