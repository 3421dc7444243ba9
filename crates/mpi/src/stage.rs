//! What the exchanges of a stage do on this rank, found once: which bytes go to whom, and which come from where.
//!
//! Bytes are sent from the device's memory and received into it where that is the host's, and go through staging
//! memory where it is not, where waves beside read what is sent, and where small collectives carry a flag.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::exchange::{Exchange, Kind, Order};
use crate::graph::{Data, Graph};
use crate::part::Part;

/// Collectives of so many bytes carry a flag; before larger ones a vote costs nothing in comparison.
pub(crate) const FLAGGED_BYTES_MAX: usize = 16 << 10;
/// And of so many ranks: what they say lies between their data, and is taken out piece by piece.
const FLAGGED_RANKS_MAX: usize = 64;

/// The two pieces of staging memory stand before what is lent.
pub(crate) const SEND: usize = 0;
pub(crate) const RECEIVE: usize = 1;
pub(crate) const LENT: usize = 2;

/// Bytes of a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) memory: usize,
    pub(crate) range: Range<usize>,
}

/// Goes to a rank, or comes from it.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) peer: usize,
    pub(crate) tag: i32,
    /// Of what is sent, or of what is received.
    pub(crate) piece: usize,
}

/// Something that all ranks do at once.
#[derive(Debug, Clone)]
pub(crate) struct Collective {
    pub(crate) exchange: usize,
    pub(crate) out: usize,
    pub(crate) get: usize,
    /// Whether each rank says in it that it is well.
    pub(crate) flagged: bool,
    /// Of what is gathered: how many bytes come from each rank, and where they lie.
    pub(crate) counts: Vec<i32>,
    pub(crate) firsts: Vec<i32>,
}

/// Between a buffer and staging memory.
#[derive(Debug, Clone)]
pub(crate) struct Staged {
    pub(crate) data: usize,
    /// Where the data is lent.
    pub(crate) memory: Option<usize>,
    pub(crate) offset: usize,
    pub(crate) range: Range<usize>,
}

impl Staged {
    /// Whether the device has to copy it.
    pub(crate) fn goes_by_call(&self) -> bool {
        self.memory.is_none() && !self.range.is_empty()
    }
}

/// What a stage sends and receives.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mail {
    pub(crate) outs: Vec<Piece>,
    pub(crate) gets: Vec<Piece>,
    /// Of what is received and not empty, as it lies in memory.
    pub(crate) order: Vec<usize>,
    pub(crate) sends: Vec<Message>,
    pub(crate) receives: Vec<Message>,
    pub(crate) collectives: Vec<Collective>,
    /// From buffers, before.
    pub(crate) fills: Vec<Staged>,
    /// Into buffers, after.
    pub(crate) landings: Vec<Staged>,
    pub(crate) send_bytes: usize,
    pub(crate) receive_bytes: usize,
}

/// The exchanges of a step on this rank.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) exchanges: Vec<Exchange>,
    /// Data that the device lends, in the order of memories after those of staging.
    pub(crate) lent: Vec<usize>,
    pub(crate) mail: Mail,
    /// All-to-alls: what they send is known when it is counted.
    pub(crate) counted: Vec<usize>,
    /// Whether a vote has to come before, since it says nothing itself of how the ranks are.
    pub(crate) votes: bool,
    /// Whether waves run beside.
    pub(crate) overlaps: bool,
    /// Of all-to-alls, at the most.
    counted_bytes: u64,
}

/// What a stage is made of.
pub(crate) struct Made<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) part_bytes: usize,
    /// Whether data is in the host's memory, be it the device's or not.
    pub(crate) lends: &'a dyn Fn(usize) -> bool,
    /// Data that waves beside touch, if there are any.
    pub(crate) beside: Option<&'a BTreeSet<usize>>,
}

impl Stage {
    pub(crate) fn new(exchanges: Vec<Exchange>, made: &Made<'_>) -> Self {
        let flags = |kind: &Kind| match kind {
            Kind::Halo { .. } | Kind::AllToAll { .. } => true,
            Kind::AllGather { to: data, .. } | Kind::AllReduce { data, .. } => {
                let bytes = made.bytes(*data, made.of(*data).len);
                bytes <= FLAGGED_BYTES_MAX.min(made.part_bytes / 2) && made.graph.ranks <= FLAGGED_RANKS_MAX
            }
        };
        let votes = made.graph.ranks > 1 && !exchanges.iter().all(|exchange| flags(&exchange.kind));
        let (lent, mail, counted) = (Vec::new(), Mail::default(), Vec::new());
        let mut stage =
            Self { exchanges, lent, mail, counted, votes, overlaps: made.beside.is_some(), counted_bytes: 0 };
        for at in 0..stage.exchanges.len() {
            stage.add(at, made);
        }
        stage.mail.arrange();
        stage
    }

    /// Of staging memory; of all-to-alls, the most that there can be.
    pub(crate) fn staging_bytes(&self) -> u64 {
        let Mail { send_bytes, receive_bytes, .. } = self.mail;
        self.counted_bytes.saturating_add(send_bytes as u64).saturating_add(receive_bytes as u64)
    }

    fn add(&mut self, at: usize, made: &Made<'_>) {
        match self.exchanges[at].kind {
            Kind::Halo { data, into } => self.halo(at, data, into, made),
            Kind::AllGather { from, to } => self.gather(at, from, to, made),
            Kind::AllReduce { data, order, scalar, .. } => self.reduce(at, data, order, scalar.bytes() as usize, made),
            Kind::AllToAll { from, to, .. } => {
                for data in [from, to] {
                    let lent = self.lends(data, data == from, made);
                    if !lent {
                        let bytes = made.of(data).len.saturating_mul(made.of(data).element_bytes);
                        self.counted_bytes = self.counted_bytes.saturating_add(bytes);
                    }
                }
                self.counted.push(at);
            }
        }
    }

    fn halo(&mut self, at: usize, data: usize, into: usize, made: &Made<'_>) {
        let (sends, gets) = made.rows(data).halo_moves(made.graph.rank, data != into);
        let bytes = |range: &Range<u64>| made.bytes(data, range.start)..made.bytes(data, range.end);
        let tag = at as i32;
        for to in &sends {
            let piece = self.out(data, bytes(&to.range), made);
            self.mail.sends.push(Message { peer: to.peer, tag, piece });
        }
        for from in &gets {
            let piece = self.get(into, bytes(&from.range), made);
            self.mail.receives.push(Message { peer: from.peer, tag, piece });
        }
    }

    /// One collective; messages where MPI cannot count the whole.
    fn gather(&mut self, at: usize, from: usize, to: usize, made: &Made<'_>) {
        let (rows, Graph { rank, ranks, .. }) = (made.rows(from), made.graph);
        let first = made.bytes(from, rows.halo_len());
        let own = first..first.saturating_add(made.bytes(from, rows.own_len(*rank)));
        let all = made.bytes(from, rows.len());
        let flagged = !self.votes && *ranks > 1;
        if all == 0 {
            return;
        }
        let theirs = |peer| made.bytes(from, rows.own_len(peer));
        // How many bytes of each rank there are, with the flag, and where they begin.
        let layout = |flag: usize| -> (Vec<i32>, Vec<i32>) {
            let counts = (0..*ranks).map(|peer| (theirs(peer) + flag) as i32);
            let firsts = counts.clone().scan(0, |first, count| Some(std::mem::replace(first, *first + count)));
            (counts.clone().collect(), firsts.collect())
        };
        if all <= made.part_bytes && !flagged {
            let (out, get) = (self.out(from, own, made), self.get(to, 0..all, made));
            let (counts, firsts) = layout(0);
            self.mail.collectives.push(Collective { exchange: at, out, get, flagged, counts, firsts });
        } else if flagged {
            // Each rank's elements, and a byte.
            let memories = [(from, true), (to, false)].map(|(data, sent)| self.lent(data, sent, made));
            let out = self.mail.fill(from, memories[0], own, 1);
            let room = self.mail.room(all + ranks);
            let (mut place, mut offset) = (room.start, 0);
            for peer in 0..*ranks {
                let bytes = theirs(peer);
                let range = place..place + bytes;
                self.mail.landings.push(Staged { data: to, memory: memories[1], offset, range });
                (place, offset) = (place + bytes + 1, offset + bytes);
            }
            let get = self.mail.receive(RECEIVE, room);
            let (counts, firsts) = layout(1);
            self.mail.collectives.push(Collective { exchange: at, out, get, flagged, counts, firsts });
        } else {
            let (out, tag) = (self.out(from, own, made), at as i32);
            let mut first = 0usize;
            for peer in 0..*ranks {
                let end = first.saturating_add(theirs(peer));
                let get = self.get(to, first..end, made);
                first = end;
                self.mail.receives.push(Message { peer, tag, piece: get });
                self.mail.sends.push(Message { peer, tag, piece: out });
            }
        }
    }

    fn reduce(&mut self, at: usize, data: usize, order: Order, scalar_bytes: usize, made: &Made<'_>) {
        let (ranks, bytes) = (made.graph.ranks, made.bytes(data, made.of(data).len));
        if ranks == 1 || bytes == 0 {
            // It is what it is.
            return;
        }
        let flagged = !self.votes;
        let flag = if flagged { scalar_bytes } else { 0 };
        let memory = self.lent(data, false, made);
        let out = self.mail.fill(data, memory, 0..bytes, flag);
        let shares = if order == Order::Ranks { ranks } else { 1 };
        let get = if flagged || order == Order::Ranks || memory.is_none() {
            let room = self.mail.room((bytes + flag).saturating_mul(shares));
            // Folded, the result is where the first rank's share was.
            let range = room.start..room.start.saturating_add(bytes);
            self.mail.landings.push(Staged { data, memory, offset: 0, range });
            self.mail.receive(RECEIVE, room)
        } else {
            self.get(data, 0..bytes, made)
        };
        let (counts, firsts) = (Vec::new(), Vec::new());
        self.mail.collectives.push(Collective { exchange: at, out, get, flagged, counts, firsts });
    }

    /// Whether data can be sent from where it is, or received there; it is lent then.
    fn lends(&mut self, data: usize, sent: bool, made: &Made<'_>) -> bool {
        let lends = (made.lends)(data) && !(sent && made.beside.is_some_and(|touched| touched.contains(&data)));
        if lends && !self.lent.contains(&data) {
            self.lent.push(data);
        }
        lends
    }

    /// Where data is lent.
    pub(crate) fn memory(&self, data: usize) -> Option<usize> {
        self.lent.iter().position(|lent| *lent == data).map(|at| LENT + at)
    }

    /// Where data can be sent from or received into; nowhere but through staging memory, if not.
    fn lent(&mut self, data: usize, sent: bool, made: &Made<'_>) -> Option<usize> {
        if self.lends(data, sent, made) { self.memory(data) } else { None }
    }

    fn out(&mut self, data: usize, range: Range<usize>, made: &Made<'_>) -> usize {
        let memory = self.lent(data, true, made);
        self.mail.out(data, memory, range)
    }

    fn get(&mut self, data: usize, range: Range<usize>, made: &Made<'_>) -> usize {
        let memory = self.lent(data, false, made);
        self.mail.get(data, memory, range)
    }
}

impl Mail {
    /// Sends bytes of some data from its memory, or from staging memory.
    pub(crate) fn out(&mut self, data: usize, memory: Option<usize>, range: Range<usize>) -> usize {
        let Some(memory) = memory else { return self.fill(data, None, range, 0) };
        self.outs.push(Piece { memory, range });
        self.outs.len() - 1
    }

    /// Receives bytes of some data.
    pub(crate) fn get(&mut self, data: usize, memory: Option<usize>, range: Range<usize>) -> usize {
        if let Some(memory) = memory {
            return self.receive(memory, range);
        }
        let room = self.room(range.len());
        self.landings.push(Staged { data, memory: None, offset: range.start, range: room.clone() });
        self.receive(RECEIVE, room)
    }

    fn receive(&mut self, memory: usize, range: Range<usize>) -> usize {
        self.gets.push(Piece { memory, range });
        self.gets.len() - 1
    }

    /// Bytes that are copied before they are sent, with room for a flag after them.
    fn fill(&mut self, data: usize, memory: Option<usize>, from: Range<usize>, flag_bytes: usize) -> usize {
        let range = self.send_bytes..self.send_bytes.saturating_add(from.len());
        let end = range.end.saturating_add(flag_bytes);
        self.send_bytes = end.checked_next_multiple_of(8).unwrap_or(usize::MAX);
        self.fills.push(Staged { data, memory, offset: from.start, range: range.clone() });
        self.outs.push(Piece { memory: SEND, range: range.start..end });
        self.outs.len() - 1
    }

    /// When all is there.
    pub(crate) fn arrange(&mut self) {
        self.order = (0..self.gets.len()).filter(|&at| !self.gets[at].range.is_empty()).collect();
        self.order.sort_unstable_by_key(|&at| (self.gets[at].memory, self.gets[at].range.start));
    }

    /// Room for what comes.
    fn room(&mut self, bytes: usize) -> Range<usize> {
        let range = self.receive_bytes..self.receive_bytes.saturating_add(bytes);
        self.receive_bytes = range.end.checked_next_multiple_of(8).unwrap_or(usize::MAX);
        range
    }
}

impl Made<'_> {
    pub(crate) fn of(&self, data: usize) -> &Data {
        self.graph.data[data].as_ref().expect("invariant names: they are of shared data")
    }

    fn rows(&self, data: usize) -> &crate::part::Rows {
        match &self.of(data).part {
            Part::Rows(rows) => rows,
            Part::Replicated { .. } | Part::Local { .. } => unreachable!("invariant fits: it has rows"),
        }
    }

    /// Of sizes that no memory has, the most.
    fn bytes(&self, data: usize, elements: u64) -> usize {
        usize::try_from(elements.saturating_mul(self.of(data).element_bytes)).unwrap_or(usize::MAX)
    }
}
