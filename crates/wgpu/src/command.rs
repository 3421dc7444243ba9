//! What an encoder records: plain data that names what it uses.

use std::ops;
use std::sync::Arc;

use seawall_core::program::Kernel;

use crate::buffer::Range;
use crate::copy::Copy;
use crate::query;

/// One thing to do. Between two barriers, in any order.
#[derive(Debug)]
pub(crate) enum Command {
    Barrier,
    Clear(Range),
    Copy(Copy),
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
    /// The pipeline's, for what is bound to it.
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) grid: Grid,
    /// For each row of the kernel's buffer table.
    pub(crate) bound: Vec<Bound>,
}

#[derive(Debug)]
pub(crate) enum Bound {
    Range(Range),
    /// What the encoder knows itself: immediates, and the shapes of images.
    Told(Box<[u8]>),
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
