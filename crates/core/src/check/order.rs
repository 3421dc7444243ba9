//! Proves that waves which do not commute run one after the other.

use super::flow::Error;
use crate::graph::{DataId, Resolved, Span, WaveId};
use crate::program::Effects;

/// For a range of bytes, the last group that touches it in each way, and who does.
#[derive(Debug, Clone, Copy, Default)]
struct Last {
    read: Option<(u32, WaveId)>,
    update: Option<(u32, WaveId)>,
    write: Option<(u32, WaveId)>,
}

impl Last {
    /// A wave that is not in an earlier group than this one, though it should be.
    fn late(&self, wave: WaveId, group: u32, effects: Effects) -> Option<WaveId> {
        let changes = effects.writes || effects.updates;
        let against = [
            (self.write, effects.reads || changes),
            (self.read, changes),
            (self.update, effects.reads || effects.writes),
        ];
        let late = |&(past, matters): &(Option<(u32, WaveId)>, bool)| {
            past.filter(|&(at, other)| matters && other != wave && at >= group)
        };
        against.iter().find_map(late).map(|(_, before)| before)
    }

    fn add(&mut self, wave: WaveId, group: u32, effects: Effects) {
        let now = Some((group, wave));
        for (done, of) in
            [(effects.reads, &mut self.read), (effects.updates, &mut self.update), (effects.writes, &mut self.write)]
        {
            if done {
                *of = (*of).max(now);
            }
        }
    }
}

/// All data, cut into pieces wherever a wave's range begins or ends.
struct Pieces {
    /// The first byte of each piece but the first of each data, ascending.
    cuts: Vec<(DataId, u64)>,
    /// By data: how many cuts are before it.
    first: Vec<usize>,
    lasts: Vec<Last>,
}

impl Pieces {
    fn new(graph: &Resolved) -> Self {
        let mut cuts = Vec::new();
        for (span, _) in graph.waves.iter().flat_map(|wave| graph.touches(wave)) {
            let whole = graph.data[span.data.0 as usize].bytes;
            let ends = [span.offset, span.offset + span.bytes].into_iter().filter(|&at| at > 0 && at < whole);
            cuts.extend(ends.map(|at| (span.data, at)));
        }
        cuts.sort_unstable();
        cuts.dedup();
        let before = |data| cuts.partition_point(|cut: &(DataId, u64)| cut.0 < DataId(data));
        let first = (0..graph.data.len() as u32).map(before).collect();
        let lasts = vec![Last::default(); cuts.len() + graph.data.len()];
        Self { cuts, first, lasts }
    }

    /// The pieces of a span. Each data has one more than it has cuts.
    fn of(&mut self, span: Span) -> &mut [Last] {
        let data = span.data.0 as usize;
        let cuts = &self.cuts[self.first[data]..self.first.get(data + 1).copied().unwrap_or(self.cuts.len())];
        let (start, end) = if cuts.is_empty() {
            (0, 1)
        } else {
            let end = span.offset + span.bytes;
            (cuts.partition_point(|cut| cut.1 <= span.offset), cuts.partition_point(|cut| cut.1 < end) + 1)
        };
        let base = self.first[data] + data;
        &mut self.lasts[base + start..base + end]
    }
}

/// Every wave must run in a later group than each one before it that it does not commute with.
pub(super) fn in_order(graph: &Resolved, ran: &[Option<u32>]) -> Result<(), Error> {
    let name = |wave: WaveId| graph.waves[wave.0 as usize].name.to_string();
    let group = |wave: WaveId| ran[wave.0 as usize].expect("invariant returned: every wave ran");
    for (after, befores) in graph.after.iter().enumerate() {
        let after = WaveId(after as u32);
        if let Some(&before) = befores.iter().find(|&&before| group(before) >= group(after)) {
            return Err(Error::Order { before: name(before), after: name(after), data: None });
        }
    }
    let mut pieces = Pieces::new(graph);
    for &wave in &graph.order {
        for (span, effects) in graph.touches(&graph.waves[wave.0 as usize]) {
            for last in pieces.of(span) {
                if let Some(before) = last.late(wave, group(wave), effects) {
                    let data = Some(graph.data[span.data.0 as usize].name.clone());
                    return Err(Error::Order { before: name(before), after: name(wave), data });
                }
                last.add(wave, group(wave), effects);
            }
        }
    }
    Ok(())
}
