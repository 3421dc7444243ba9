//! What the group form adds: loops over the lane groups of a workgroup, and what these keep between them.
//!
//! Code outside of a [`Group::Each`] runs once for the workgroup, and all its values are uniform; code inside is that
//! of one lane group. Nothing made inside is seen outside, nor in the next such loop: what is wanted there is left in
//! a slot, which is memory with a part for each lane group, or one scalar for the workgroup. There are no barriers:
//! a loop over lane groups is over before the next begins.

use super::Region;
use crate::ir::{Address, Function, Mem, Slot, Value};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Group {
    Each(Each),
    /// Leaves a value in a slot. Lanes that are not active may leave anything, or, if it merges, what is there.
    Keep {
        slot: Slot,
        value: Value,
        merges: bool,
    },
    /// Fills a slot with zeros, for all lane groups.
    Zero(Slot),
    /// Fills workgroup memory with zeros.
    Clear,
    /// Asks for memory that the next workgroup will read.
    Prefetch(Extent),
    /// A loop over the workgroups that go together.
    Workgroups(Region),
    /// Inside a lane group: stores the values of the active lanes, or in the vector form of a mask's, side by side: that
    /// of the first of them at the place, and of each further one where the index of its only term is one more.
    Compress {
        at: Address,
        value: Value,
        when: Option<Value>,
    },
}

/// A loop over the lane groups of the workgroup.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Each {
    /// All of them, if `None`.
    pub(crate) span: Option<Span>,
    /// Lanes that are not there: those for which one of these holds.
    pub(crate) gone: Vec<Slot>,
    /// Whether code seldom comes here.
    pub(crate) rare: bool,
    pub(crate) body: Region,
}

/// Lane groups by their first lanes: from one, and as long as they are below another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: Value,
    pub(crate) to: Value,
    /// A condition inside that holds in some lane of each of them, which need not exist.
    pub(crate) some: Option<Value>,
}

/// Bytes of a buffer, without a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Extent {
    pub(crate) memory: Mem,
    /// From one workgroup to the next.
    pub(crate) step: u64,
    /// The first workgroup's.
    pub(crate) start: u64,
    pub(crate) bytes: u64,
}

impl Function {
    /// Lanes from the workgroup's first to the last of those that a loop over lane groups is for, or more.
    pub(crate) fn lanes(&self, each: &Each, width: u32) -> u64 {
        let size = u64::from(self.invocations());
        let to = each.span.and_then(|span| self.constant(span.to)).unwrap_or(size);
        to.clamp(1, size).next_multiple_of(width.into())
    }
}

impl Group {
    /// Calls `f` for every operand, those inside loops left out.
    pub(crate) fn each(&self, mut f: impl FnMut(Value)) {
        match self {
            Self::Each(Each { span, .. }) => {
                span.iter().flat_map(|span| [span.from, span.to]).for_each(f);
            }
            Self::Keep { value, .. } => f(*value),
            Self::Compress { at, value, when } => {
                at.each(&mut f);
                [*value].into_iter().chain(*when).for_each(f);
            }
            Self::Zero(_) | Self::Clear | Self::Prefetch(_) | Self::Workgroups(_) => {}
        }
    }

    /// Replaces every operand, those inside loops left out.
    pub(crate) fn rename(&mut self, mut f: impl FnMut(Value) -> Value) {
        match self {
            Self::Each(Each { span, .. }) => {
                if let Some(span) = span {
                    (span.from, span.to) = (f(span.from), f(span.to));
                    span.some = span.some.map(&mut f);
                }
            }
            Self::Keep { value, .. } => *value = f(*value),
            Self::Compress { at, value, when } => {
                at.terms.iter_mut().for_each(|term| term.index = f(term.index));
                *value = f(*value);
                *when = when.map(f);
            }
            Self::Zero(_) | Self::Clear | Self::Prefetch(_) | Self::Workgroups(_) => {}
        }
    }

    pub(crate) fn region(&self) -> Option<&Region> {
        match self {
            Self::Each(each) => Some(&each.body),
            Self::Workgroups(body) => Some(body),
            Self::Keep { .. } | Self::Zero(_) | Self::Clear | Self::Prefetch(_) | Self::Compress { .. } => None,
        }
    }

    pub(crate) fn region_mut(&mut self) -> Option<&mut Region> {
        match self {
            Self::Each(each) => Some(&mut each.body),
            Self::Workgroups(body) => Some(body),
            Self::Keep { .. } | Self::Zero(_) | Self::Clear | Self::Prefetch(_) | Self::Compress { .. } => None,
        }
    }
}
