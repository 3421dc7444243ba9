//! Downloads on the way from a belt to where they belong.

use seawall_core::device::{Host, Stats};

use crate::gate;
use crate::indirect;
use crate::memory::{Place, padded};
use crate::pieces::Counted;

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
        /// What says how much of it means something.
        length: Option<Counted>,
        /// Whether no more than that has crossed; else all of it has, and was counted.
        packed: bool,
    },
    /// A count.
    Count { which: usize },
    /// What was found about a grid that ran.
    Slot { which: usize },
    /// A grid that has not run yet.
    Grid,
    /// A word that the host asked for.
    Word,
    /// How often loops and branches were run.
    States,
    /// Whether a loop of this kernel was cut short.
    Cut { kernel: usize },
}

/// What only the device knew.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) counts: Vec<u32>,
    /// What became of grids that the device decides, in the last submission that had them.
    pub(crate) grids: Vec<Option<indirect::Found>>,
    /// By loop and branch: how often it was run in the last submission.
    pub(crate) turns: Vec<u64>,
    /// Whether a loop rests there because the submission has had its time.
    pub(crate) late: bool,
    /// What was asked for last: a word,
    pub(crate) word: u32,
    /// and a grid.
    pub(crate) grid: [u32; 3],
    /// The first kernel in which the driver cut a loop short.
    pub(crate) cut: Option<usize>,
    /// What was done.
    pub(crate) stats: Stats,
    /// What the downloads could have had.
    pub(crate) capacity_bytes: u64,
    /// What the caller's buffers hold in the end.
    pub(crate) residents: Vec<Place>,
}

impl Landing {
    /// Reads it.
    pub(crate) fn land(self, belt: &[u8], hosts: &mut [Host<'_>], found: &mut Found) {
        let from = &belt[self.from as usize..];
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| from[4 * at + i]));
        match self.to {
            To::Host { host, offset, bytes, length, packed } => {
                let counted = |Counted { which, length }: Counted| length.meaningful_bytes(found.counts[which], bytes);
                let meant = length.map_or(bytes, counted);
                if packed {
                    found.stats.readback.selected_bytes += if meant == 0 { 0 } else { padded(meant) };
                }
                found.stats.downloaded_bytes += meant;
                found.capacity_bytes += bytes;
                let meant = meant as usize;
                let Host::Write(to) = &mut hosts[host] else {
                    unreachable!("invariant writable-hosts: io_fits refuses downloads into read-only slices")
                };
                to[offset as usize..][..meant].copy_from_slice(&from[..meant]);
            }
            To::Count { which } => found.counts[which] = word(0),
            To::Slot { which } => found.grids[which] = Some(indirect::found(std::array::from_fn(word))),
            To::Cut { kernel } => found.cut = found.cut.or((word(0) != 0).then_some(kernel)),
            To::Grid => found.grid = std::array::from_fn(word),
            To::Word => found.word = word(0),
            To::States => {
                found.late = word(0) != 0;
                for (which, turns) in found.turns.iter_mut().enumerate() {
                    *turns = word(indirect::state(which) as usize * gate::STATE_WORDS + gate::TURNS_WORD).into();
                }
            }
        }
    }
}
