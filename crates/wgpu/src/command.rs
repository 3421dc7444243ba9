//! What an encoder records: plain data that names what it uses.

use std::ops;
use std::sync::Arc;

use crate::buffer::Range;
use crate::pipeline::Pipeline;
use crate::query;

/// One thing to do. Between two barriers, in any order.
#[derive(Debug)]
pub(crate) enum Command {
    Barrier,
    Clear(Range),
    Copy {
        from: Range,
        to: Range,
    },
    Dispatch(Dispatch),
    /// Notes the time.
    Stamp {
        set: query::Set,
        at: u32,
    },
    Reset {
        set: query::Set,
        range: ops::Range<u32>,
    },
    /// Copies queries to the first bytes of strides of a buffer.
    Resolve {
        set: query::Set,
        range: ops::Range<u32>,
        to: Range,
        stride: u64,
    },
}

#[derive(Debug)]
pub(crate) struct Dispatch {
    pub(crate) pipeline: Pipeline,
    pub(crate) grid: Grid,
    /// For each row of the kernel's buffer table but that of immediates.
    pub(crate) bound: Vec<Range>,
    pub(crate) immediates: Box<[u8]>,
}

/// Workgroups in each dimension, or where they are found.
#[derive(Debug)]
pub(crate) enum Grid {
    Given([u32; 3]),
    Found(Range),
}

/// What was recorded, for as many submissions as want it.
#[derive(Debug, Clone)]
pub(crate) struct Buffer(pub(crate) Arc<Vec<Command>>);
