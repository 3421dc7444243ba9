//! Downloads on the way from a belt to where they belong.

use seawall_core::device::Host;

use crate::indirect;
use crate::record::Counted;

/// A piece of a belt that waits to be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Landing {
    /// Where it stands in the belt.
    pub(crate) from: u64,
    pub(crate) to: To,
}

/// Where it goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum To {
    /// A host slice.
    Host {
        host: usize,
        /// Where in the slice.
        offset: u64,
        bytes: u64,
        /// How much of it means something, if a count says so, and the range's size.
        length: Option<(Counted, u64)>,
    },
    /// A count.
    Count { which: usize },
    /// What was found about a grid that ran.
    Slot { which: usize },
    /// A grid that has not run yet.
    Grid { which: usize },
    /// Whether a loop of this kernel was cut short.
    Cut { kernel: usize },
}

/// What only the device knew.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) counts: Vec<u32>,
    /// Grids that the device decides.
    pub(crate) grids: Vec<Option<indirect::Found>>,
    /// The first kernel in which the driver cut a loop short.
    pub(crate) cut: Option<usize>,
    /// What really was downloaded.
    pub(crate) downloaded_bytes: u64,
}

impl Landing {
    /// Reads it.
    pub(crate) fn land(self, belt: &[u8], hosts: &mut [Host<'_>], found: &mut Found) {
        let from = &belt[self.from as usize..];
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| from[4 * at + i]));
        match self.to {
            To::Host { host, offset, bytes, length } => {
                let meant = match length {
                    None => bytes,
                    Some((Counted { which, length, .. }, range_bytes)) => {
                        length.meaningful_bytes(found.counts[which], range_bytes)
                    }
                } as usize;
                let Host::Write(to) = &mut hosts[host] else {
                    unreachable!("invariant writable-hosts: io_fits refuses downloads into read-only slices")
                };
                to[offset as usize..][..meant].copy_from_slice(&from[..meant]);
                found.downloaded_bytes += meant as u64;
            }
            To::Count { which } => found.counts[which] = word(0),
            To::Slot { which } => found.grids[which] = Some(indirect::found(std::array::from_fn(word))),
            To::Cut { kernel } => found.cut = found.cut.or((word(0) != 0).then_some(kernel)),
            To::Grid { which } => found.grids[which] = Some(indirect::Found::Ran(std::array::from_fn(word))),
        }
    }
}
