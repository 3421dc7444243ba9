//! Layers of waves cut into groups that fit in memory.
//!
//! A wave costs what its fused form keeps at once, and a group the sum of its waves; the
//! budget bounds each group. A layer that fits stays whole. One that does not is packed
//! next-fit in id order, and again first-fit decreasing; the fewer groups win, id order on a tie.
//! Groups hold waves of one layer only, ascend by their lowest wave, and waves ascend inside them.
//!
//! Of a layer of more than 4096 waves less is promised, so that it is packed in a small multiple of
//! the time that next-fit takes: never more groups than next-fit. It is packed some thousands of waves
//! at a time, with costs rounded up to a 1680th of the limit, and not where that could not
//! save one group in a hundred. Where the order of ids says nothing of costs, that is within a
//! hundredth of first-fit decreasing; where costly waves come first, or last, it may be no better
//! than next-fit.

mod pack;
mod rounded;
mod deal;
mod fit;
mod live;

#[cfg(any(test, feature = "arbitrary"))]
pub mod case;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::barrier;
use crate::bytes::{self, Allowance};
pub use crate::ids::WaveId;
pub use live::{Live, Read, live, live_with};

/// Copies of a wave's scratch that its fused form keeps at once.
pub const SCRATCH_COPIES: u64 = 4;

/// What a wave needs, or the sum over a group of waves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wave {
    /// What it works on.
    pub frontier_bytes: u64,
    /// One copy of what it works with.
    pub scratch_bytes: u64,
    /// What it leaves.
    pub output_bytes: u64,
}

/// What a wave, or a group, costs: frontier, every copy of scratch, and output.
pub fn fused_bytes(wave: &Wave) -> Result<u64, bytes::Error> {
    let scratch = bytes::mul("copied scratch bytes", wave.scratch_bytes, SCRATCH_COPIES)?;
    let kept = bytes::add("fused bytes", wave.frontier_bytes, scratch)?;
    bytes::add("fused bytes", kept, wave.output_bytes)
}

/// How much memory there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// In all.
    pub limit_bytes: u64,
    /// Taken all the time, whichever group runs.
    pub resident_bytes: u64,
}

impl Budget {
    /// What one group may cost.
    pub fn group_limit_bytes(&self) -> Result<u64, Error> {
        let Self { limit_bytes, resident_bytes } = *self;
        let over = Error::OverBudget { what: What::Resident, required_bytes: resident_bytes, limit_bytes, wave: None };
        limit_bytes.checked_sub(resident_bytes).ok_or(over)
    }
}

/// What to plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Input<'a> {
    /// By id.
    pub waves: &'a [Wave],
    /// The same waves in the groups that their edges allow.
    pub layers: &'a barrier::Plan,
    /// What they must fit in.
    pub budget: Budget,
    /// What the caller has seen read back.
    pub measured_readback_bytes: u64,
}

/// Waves in groups that fit; waves of one group may run at once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// All waves, group after group, ascending inside each.
    pub order: Vec<WaveId>,
    /// Where each group starts in `order`, and at last its length.
    pub offsets: Vec<u32>,
    /// What each group's waves need together.
    pub sums: Vec<Wave>,
    /// Where each layer's groups start, and at last the number of groups.
    pub layer_offsets: Vec<u32>,
    /// Groups more than there are layers.
    pub memory_splits: u32,
    /// The most frontier bytes of a group.
    pub peak_frontier_bytes: u64,
    /// The most scratch bytes of a group, one copy.
    pub peak_scratch_bytes: u64,
    /// The most output bytes of a group.
    pub peak_output_bytes: u64,
    /// The most that a group costs.
    pub peak_group_bytes: u64,
    /// What reading back may take: as measured, or the peak of the outputs.
    pub readback_bytes: u64,
    /// The most waves of a group.
    pub widest_group_waves: u32,
}

impl Plan {
    /// The groups, in order.
    pub fn groups(&self) -> impl DoubleEndedIterator<Item = &[WaveId]> + ExactSizeIterator {
        self.offsets.windows(2).map(|ends| &self.order[ends[0] as usize..ends[1] as usize])
    }

    /// How many times the whole device must wait: between groups.
    pub fn global_barriers(&self) -> usize {
        self.groups().len().saturating_sub(1)
    }

    /// Makes it empty, and keeps its memory.
    fn clear(&mut self) {
        let Self { mut order, mut offsets, mut sums, mut layer_offsets, .. } = std::mem::take(self);
        order.clear();
        offsets.clear();
        sums.clear();
        layer_offsets.clear();
        *self = Self { order, offsets, sums, layer_offsets, ..Self::default() };
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layers = self.layer_offsets.len().saturating_sub(1);
        writeln!(
            f,
            "frontier: {} waves in {} groups of {layers} layers, {} global barriers, {} memory splits",
            self.order.len(),
            self.groups().len(),
            self.global_barriers(),
            self.memory_splits
        )?;
        let Self { peak_frontier_bytes, peak_scratch_bytes, peak_output_bytes, peak_group_bytes, .. } = self;
        write!(f, "peaks: {peak_frontier_bytes} frontier, {peak_scratch_bytes} scratch, ")?;
        writeln!(f, "{peak_output_bytes} output, {peak_group_bytes} fused bytes; {} waves", self.widest_group_waves)?;
        writeln!(f, "readback: {} bytes", self.readback_bytes)?;
        let groups = self.groups().zip(&self.sums).collect::<Vec<_>>();
        for (layer, ends) in self.layer_offsets.windows(2).enumerate() {
            for group in ends[0]..ends[1] {
                let (waves, Wave { frontier_bytes, scratch_bytes, output_bytes }) = groups[group as usize];
                write!(f, "group {group} of layer {layer}:")?;
                waves.iter().try_for_each(|wave| write!(f, " {wave}"))?;
                writeln!(f, " ({frontier_bytes} + {SCRATCH_COPIES}*{scratch_bytes} + {output_bytes} bytes)")?;
            }
        }
        Ok(())
    }
}

/// What is over a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The bytes that are taken all the time.
    Resident,
    /// One wave, which no split can make smaller.
    Wave,
    /// A group with the outputs that later groups still read.
    Live {
        /// Its place in the plan.
        group: u32,
    },
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Layers of other waves.
    #[error(
        "the groups do not hold each of {waves} waves once, in ascending order; plan the barriers of the same waves"
    )]
    Groups {
        /// How many waves there are.
        waves: usize,
    },
    /// More than there is.
    #[error("{}", over_budget(*what, *required_bytes, *limit_bytes, *wave))]
    OverBudget {
        /// Of what.
        what: What,
        /// What it takes.
        required_bytes: u64,
        /// What it may take.
        limit_bytes: u64,
        /// Of which wave, if one is to blame.
        wave: Option<WaveId>,
    },
    /// A wave whose cost is over 64 bits.
    #[error("{wave}: {source}")]
    Wave {
        /// The wave.
        wave: WaveId,
        /// The quantity.
        source: bytes::Error,
    },
    /// A read of what is not there, or not yet.
    #[error("read {read} lets {reader} read the output of {output}, which is not in an earlier group; add an edge")]
    Read {
        /// Index of the read.
        read: usize,
        /// Whose output.
        output: WaveId,
        /// Who reads it.
        reader: WaveId,
    },
    /// A sum over 64 bits, or storage for the plan or for making it.
    #[error(transparent)]
    Bytes(#[from] bytes::Error),
}

fn over_budget(what: What, required_bytes: u64, limit_bytes: u64, wave: Option<WaveId>) -> String {
    let needs = format!("{required_bytes} bytes of {limit_bytes}");
    match (what, wave) {
        (What::Live { group }, _) => {
            format!("group {group} with all live outputs needs {needs}; raise the limit, or read outputs sooner")
        }
        (What::Wave, Some(wave)) => format!("{wave} alone needs {needs} for a group; raise the limit, or cut the wave"),
        (What::Resident | What::Wave, _) => {
            format!("resident buffers need {needs}; raise the limit, or keep less resident")
        }
    }
}

/// Memory to plan with, kept from call to call.
#[derive(Debug, Default)]
pub struct Scratch {
    limit_bytes: Option<u64>,
    fit: fit::Scratch,
    live: live::Scratch,
}

impl Scratch {
    /// One whose calls reserve at most `limit_bytes` each, for scratch and plan together.
    pub fn limited(limit_bytes: u64) -> Self {
        Self { limit_bytes: Some(limit_bytes), ..Self::default() }
    }
}

/// The plan of these waves.
pub fn plan(input: &Input<'_>) -> Result<Plan, Error> {
    let mut plan = Plan::default();
    plan_with(&mut Scratch::default(), &mut plan, input)?;
    Ok(plan)
}

/// As [`plan`], into a plan and with a scratch that may have served before; once they have
/// served waves as many, nothing is allocated. An error leaves the plan empty.
pub fn plan_with(scratch: &mut Scratch, plan: &mut Plan, input: &Input<'_>) -> Result<(), Error> {
    plan.clear();
    let mut allowance = Allowance::new(scratch.limit_bytes);
    let done = fit::fit(&mut allowance, &mut scratch.fit, plan, input);
    if done.is_err() {
        plan.clear();
    }
    done
}

/// Ids looked at without a branch.
const CHUNK: usize = 1024;

/// Whether groups laid out as `order` and `offsets` hold waves `0..waves` once each,
/// ascending in each group. `seen` is overwritten.
fn holds_all(
    allowance: &mut Allowance,
    seen: &mut Vec<bool>,
    waves: usize,
    (order, offsets): (&[WaveId], &[u32]),
) -> Result<bool, bytes::Error> {
    if waves == 0 && order.is_empty() && offsets.is_empty() {
        return Ok(true);
    }
    let ends = (offsets.first() == Some(&0), offsets.last().map(|&end| end as usize));
    if ends != (true, Some(order.len())) || !offsets.is_sorted_by(|a, b| a < b) || order.len() != waves {
        return Ok(false);
    }
    let in_order = |(at, ids): (usize, &[WaveId])| {
        // Every one of them is compared, which leaves no branch in the way of vectors.
        ids.iter().zip((at * CHUNK) as u32..).fold(0, |other, (wave, id)| other | (wave.0 ^ id)) == 0
    };
    if order.chunks(CHUNK).enumerate().all(in_order) {
        return Ok(true);
    }
    let seen = allowance.zeros("waves seen", seen, waves)?;
    let new = |wave: &WaveId| seen.get_mut(wave.0 as usize).is_some_and(|seen| !std::mem::replace(seen, true));
    let sorted = |ends: &[u32]| order[ends[0] as usize..ends[1] as usize].is_sorted();
    Ok(order.iter().all(new) && offsets.windows(2).all(sorted))
}
