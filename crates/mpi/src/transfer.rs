//! Does the exchanges of a stage: out of device memory, through MPI, and back.
//!
//! What is sent lies in one piece of staging memory, what is received in another; both are kept from stage to
//! stage. Messages are bytes, in parts where they are longer than MPI can count.

use std::ops::Range;

use mpi::Rank;
use mpi::collective::SystemOperation;
use mpi::datatype::PartitionMut;
use mpi::request::{self, LocalScope, Request};
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Equivalence, Source};
use seawall::Buffer;

use crate::cluster::Cluster;
use crate::error::{Error, Failure};
use crate::exchange::{Exchange, Kind, Op, Order, Scalar};
use crate::graph::Data;
use crate::part::{Moves, Part};

/// Staging memory, kept from stage to stage. Words, so that numbers of every type lie where they may.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    send: Vec<u64>,
    receive: Vec<u64>,
}

/// A message: to or from a rank, with a tag, in bytes of staging memory.
struct Message {
    peer: usize,
    tag: i32,
    range: Range<usize>,
}

/// Staging memory that goes to the device when all is there.
struct Landing {
    data: usize,
    offset: usize,
    range: Range<usize>,
}

/// What a stage has to send and to receive.
#[derive(Default)]
struct Mail {
    send_bytes: usize,
    receive_bytes: usize,
    sends: Vec<Message>,
    gets: Vec<Message>,
    landings: Vec<Landing>,
    /// Collectives, by exchange: what they send, and where that comes to lie.
    collectives: Vec<(usize, Range<usize>, Range<usize>)>,
    /// All-to-alls, and where their counts lie: those of what is sent and those of what comes.
    counted: Vec<(usize, Range<usize>, Range<usize>)>,
}

/// The exchanges of a stage on this rank.
pub(crate) struct Transfer<'a> {
    pub(crate) cluster: &'a Cluster,
    pub(crate) exchanges: Vec<&'a Exchange>,
    /// Of those that are halos, who sends what to whom.
    pub(crate) moves: Vec<&'a Moves>,
    pub(crate) data: &'a [Option<Data>],
    pub(crate) buffers: &'a [Option<Buffer<u8>>],
}

impl Transfer<'_> {
    /// Exchanges, with `beside` done while messages are under way. Gives the bytes that were sent.
    pub(crate) fn run(
        &self,
        staging: &mut Staging,
        overlaps: bool,
        beside: impl FnOnce() -> Result<(), seawall::Error>,
    ) -> Result<u64, Failure> {
        let mut mail = Mail::default();
        let packed = self.pack(staging, &mut mail, overlaps);
        self.cluster.agree(packed.map_err(Error::from)).map_err(Failure::Told)?;
        if !mail.counted.is_empty() {
            let counted = self.count(staging, &mut mail);
            self.cluster.agree(counted).map_err(Failure::Told)?;
        }
        let done = self.send(staging, &mail, beside);
        // From here on nobody waits for this rank: what fails is said in the next vote.
        done?;
        let received: &[u8] = bytemuck::cast_slice(&staging.receive);
        for Landing { data, offset, range } in mail.landings.iter().filter(|landing| !landing.range.is_empty()) {
            self.buffer(*data).write(*offset, &received[range.clone()])?;
        }
        let collected: usize = mail.collectives.iter().map(|(_, sent, _)| sent.len()).sum();
        let sent: usize = mail.sends.iter().map(|message| message.range.len()).sum();
        Ok((collected + sent) as u64)
    }

    fn buffer(&self, data: usize) -> &Buffer<u8> {
        self.buffers[data].as_ref().expect("invariant buffers: shared data has one")
    }

    fn of(&self, data: usize) -> &Data {
        self.data[data].as_ref().expect("invariant names: they are of shared data")
    }

    fn bytes(&self, data: usize, elements: u64) -> usize {
        (elements * self.of(data).element.bytes()) as usize
    }

    /// Brings what is to be sent out of device memory, and finds where what comes goes to.
    fn pack(&self, staging: &mut Staging, mail: &mut Mail, overlaps: bool) -> Result<(), seawall::Error> {
        for (at, exchange) in self.exchanges.iter().enumerate() {
            let tag = at as i32;
            match &exchange.kind {
                Kind::Halo { data, into } => self.pack_halo(staging, mail, (tag, self.moves[at]), *data, *into)?,
                Kind::AllGather { from, to } => self.pack_gather(staging, mail, at, (*from, *to), overlaps)?,
                Kind::AllReduce { data, order, .. } => {
                    let bytes = self.bytes(*data, self.of(*data).len);
                    let sent = self.take(staging, mail, *data, 0, bytes)?;
                    let copies = if *order == Order::Ranks { self.cluster.ranks() } else { 1 };
                    let all = mail.room(bytes * copies);
                    // Folded, the result is where the first rank's share was.
                    mail.landings.push(Landing { data: *data, offset: 0, range: all.start..all.start + bytes });
                    mail.collectives.push((at, sent, all));
                }
                Kind::AllToAll { counts, received, .. } => {
                    let bytes = 4 * self.cluster.ranks();
                    let sent = self.take(staging, mail, *counts, 0, bytes)?;
                    let came = mail.room(bytes);
                    mail.landings.push(Landing { data: *received, offset: 0, range: came.clone() });
                    mail.counted.push((at, sent, came));
                }
            }
        }
        grow(&mut staging.receive, mail.receive_bytes);
        Ok(())
    }

    fn pack_halo(
        &self,
        staging: &mut Staging,
        mail: &mut Mail,
        (tag, (sends, gets)): (i32, &Moves),
        data: usize,
        into: usize,
    ) -> Result<(), seawall::Error> {
        for to in sends {
            let (offset, len) = (self.bytes(data, to.range.start), self.bytes(data, to.range.end - to.range.start));
            let range = self.take(staging, mail, data, offset, len)?;
            mail.sends.push(Message { peer: to.peer, tag, range });
        }
        for from in gets {
            let (offset, len) =
                (self.bytes(data, from.range.start), self.bytes(data, from.range.end - from.range.start));
            let range = mail.room(len);
            mail.landings.push(Landing { data: into, offset, range: range.clone() });
            mail.gets.push(Message { peer: from.peer, tag, range });
        }
        Ok(())
    }

    /// One collective; messages where waves run beside, or where MPI cannot count the whole.
    fn pack_gather(
        &self,
        staging: &mut Staging,
        mail: &mut Mail,
        at: usize,
        (from, to): (usize, usize),
        overlaps: bool,
    ) -> Result<(), seawall::Error> {
        let Part::Rows(rows) = &self.of(from).part else { unreachable!("invariant fits: it has rows") };
        let (rank, ranks) = (self.cluster.rank(), self.cluster.ranks());
        let own = self.bytes(from, rows.own_len(rank));
        let sent = self.take(staging, mail, from, self.bytes(from, rows.halo_len()), own)?;
        let whole = mail.room(self.bytes(from, rows.len()));
        mail.landings.push(Landing { data: to, offset: 0, range: whole.clone() });
        if !overlaps && whole.len() <= self.cluster.part_bytes() {
            mail.collectives.push((at, sent, whole));
            return Ok(());
        }
        let mut first = whole.start;
        for peer in 0..ranks {
            let range = first..first + self.bytes(from, rows.own_len(peer));
            first = range.end;
            mail.gets.push(Message { peer, tag: at as i32, range });
            mail.sends.push(Message { peer, tag: at as i32, range: sent.clone() });
        }
        Ok(())
    }

    /// Takes bytes of a buffer into staging memory.
    fn take(
        &self,
        staging: &mut Staging,
        mail: &mut Mail,
        data: usize,
        offset: usize,
        len: usize,
    ) -> Result<Range<usize>, seawall::Error> {
        let range = mail.send_bytes..mail.send_bytes + len;
        mail.send_bytes = range.end.next_multiple_of(8);
        grow(&mut staging.send, mail.send_bytes);
        if len > 0 {
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut staging.send);
            self.buffer(data).read(offset, &mut bytes[range.clone()])?;
        }
        Ok(range)
    }

    /// Exchanges the counts of all-to-alls, and makes messages of what they say.
    fn count(&self, staging: &mut Staging, mail: &mut Mail) -> Result<(), Error> {
        let mut wrong = Ok(());
        for (at, sent, came) in std::mem::take(&mut mail.counted) {
            let Kind::AllToAll { from, to, .. } = self.exchanges[at].kind else {
                unreachable!("invariant counted: it is an all-to-all")
            };
            let sends: Vec<u32> = bytemuck::cast_slice(&bytemuck::cast_slice::<u64, u8>(&staging.send)[sent]).to_vec();
            let mut gets = vec![0u32; sends.len()];
            self.cluster.comm.all_to_all_into(&sends[..], &mut gets[..]);
            bytemuck::cast_slice_mut::<u64, u8>(&mut staging.receive)[came]
                .copy_from_slice(bytemuck::cast_slice(&gets));
            // All counts are exchanged before one is found wrong: the others wait for them.
            let packed = self.pack_counted(staging, mail, at, (from, &sends), (to, &gets));
            wrong = wrong.and(packed);
        }
        grow(&mut staging.receive, mail.receive_bytes);
        wrong
    }

    fn pack_counted(
        &self,
        staging: &mut Staging,
        mail: &mut Mail,
        at: usize,
        (from, sends): (usize, &[u32]),
        (to, gets): (usize, &[u32]),
    ) -> Result<(), Error> {
        for (data, counts) in [(from, sends), (to, gets)] {
            let (count, len) = (counts.iter().map(|&count| u64::from(count)).sum(), self.of(data).len);
            if count > len {
                let exchange = self.exchanges[at].name.clone();
                return Err(Error::Counts { exchange, data: self.of(data).name.clone(), count, len });
            }
        }
        let all = |counts: &[u32]| counts.iter().map(|&count| self.bytes(from, u64::from(count))).sum::<usize>();
        let sent = self.take(staging, mail, from, 0, all(sends))?;
        let came = mail.room(all(gets));
        mail.landings.push(Landing { data: to, offset: 0, range: came.clone() });
        for (messages, first, counts) in [(&mut mail.sends, sent.start, sends), (&mut mail.gets, came.start, gets)] {
            let mut first = first;
            for (peer, &count) in counts.iter().enumerate() {
                let range = first..first + self.bytes(from, u64::from(count));
                first = range.end;
                messages.push(Message { peer, tag: at as i32, range });
            }
        }
        Ok(())
    }

    /// Starts all messages, does collectives and what is beside, and waits for the messages.
    fn send(
        &self,
        staging: &mut Staging,
        mail: &Mail,
        beside: impl FnOnce() -> Result<(), seawall::Error>,
    ) -> Result<(), seawall::Error> {
        let sent: &[u8] = bytemuck::cast_slice(&staging.send);
        for (at, from, to) in &mail.collectives {
            let words = &mut staging.receive[to.start / 8..to.end.div_ceil(8)];
            self.collect(*at, &sent[from.clone()], words, to.len());
        }
        let (comm, part_bytes) = (&self.cluster.comm, self.cluster.part_bytes());
        let mut received: &mut [u8] = bytemuck::cast_slice_mut(&mut staging.receive);
        request::scope(|scope| {
            let mut requests: Vec<Request<'_, [u8], &LocalScope<'_>>> = Vec::new();
            let mut gets: Vec<&Message> = mail.gets.iter().collect();
            gets.sort_unstable_by_key(|message| message.range.start);
            let mut at = 0;
            for Message { peer, tag, range } in gets {
                let (mine, rest) = std::mem::take(&mut received)[range.start - at..].split_at_mut(range.len());
                (received, at) = (rest, range.end);
                for part in mine.chunks_mut(part_bytes) {
                    let from = comm.process_at_rank(*peer as Rank);
                    requests.push(from.immediate_receive_into_with_tag(scope, part, *tag));
                }
            }
            for Message { peer, tag, range } in &mail.sends {
                for part in sent[range.clone()].chunks(part_bytes) {
                    let to = comm.process_at_rank(*peer as Rank);
                    requests.push(to.immediate_send_with_tag(scope, part, *tag));
                }
            }
            let done = beside();
            requests.into_iter().for_each(Request::wait_without_status);
            done
        })
    }

    fn collect(&self, at: usize, sent: &[u8], to: &mut [u64], bytes: usize) {
        match &self.exchanges[at].kind {
            Kind::AllGather { from, .. } => {
                let Part::Rows(rows) = &self.of(*from).part else { unreachable!("invariant fits: it has rows") };
                let count = |rank| self.bytes(*from, rows.own_len(rank)) as i32;
                let counts: Vec<i32> = (0..self.cluster.ranks()).map(count).collect();
                let firsts = counts.iter().scan(0, |first, count| Some(std::mem::replace(first, *first + count)));
                let firsts: Vec<i32> = firsts.collect();
                let to = &mut bytemuck::cast_slice_mut::<u64, u8>(to)[..bytes];
                self.cluster.comm.all_gather_varcount_into(sent, &mut PartitionMut::new(to, counts, firsts));
            }
            Kind::AllReduce { op, scalar, order, .. } => match scalar {
                Scalar::U32 => self.reduce(sent, to, *op, *order, integer(u32::wrapping_add, |a, b| a | b)),
                Scalar::I32 => self.reduce(sent, to, *op, *order, integer(i32::wrapping_add, |a, b| a | b)),
                Scalar::U64 => self.reduce(sent, to, *op, *order, integer(u64::wrapping_add, |a, b| a | b)),
                Scalar::I64 => self.reduce(sent, to, *op, *order, integer(i64::wrapping_add, |a, b| a | b)),
                Scalar::F32 => self.reduce(sent, to, *op, *order, float(|a: f32, b| a + b, f32::min, f32::max)),
                Scalar::F64 => self.reduce(sent, to, *op, *order, float(|a: f64, b| a + b, f64::min, f64::max)),
            },
            Kind::Halo { .. } | Kind::AllToAll { .. } => unreachable!("invariant collectives: these are messages"),
        }
    }

    fn reduce<T: Equivalence + bytemuck::Pod>(
        &self,
        sent: &[u8],
        to: &mut [u64],
        op: Op,
        order: Order,
        fold: impl Fn(Op, T, T) -> T,
    ) {
        let (sent, to): (&[T], &mut [T]) = (bytemuck::cast_slice(sent), bytemuck::cast_slice_mut(to));
        let part = (self.cluster.part_bytes() / size_of::<T>()).max(1);
        let (comm, ranks) = (&self.cluster.comm, self.cluster.ranks());
        match order {
            Order::Any => {
                let system = match op {
                    Op::Sum => SystemOperation::sum,
                    Op::Min => SystemOperation::min,
                    Op::Max => SystemOperation::max,
                    Op::Or => SystemOperation::bitwise_or,
                };
                for (sent, to) in sent.chunks(part).zip(to[..sent.len()].chunks_mut(part)) {
                    comm.all_reduce_into(sent, to, system());
                }
            }
            Order::Ranks => {
                let mut first = 0;
                for sent in sent.chunks(part) {
                    // Shares of this part lie behind each other; the fold of them goes where the part belongs,
                    // which is not behind the first of them.
                    let shares = &mut to[first..first + sent.len() * ranks];
                    comm.all_gather_into(sent, shares);
                    for at in 0..sent.len() {
                        let of = |rank: usize| shares[rank * sent.len() + at];
                        shares[at] = (1..ranks).fold(of(0), |sum, rank| fold(op, sum, of(rank)));
                    }
                    first += sent.len();
                }
            }
        }
    }
}

fn integer<T: Ord>(add: fn(T, T) -> T, or: fn(T, T) -> T) -> impl Fn(Op, T, T) -> T {
    move |op, a, b| match op {
        Op::Sum => add(a, b),
        Op::Min => a.min(b),
        Op::Max => a.max(b),
        Op::Or => or(a, b),
    }
}

fn float<T>(add: fn(T, T) -> T, min: fn(T, T) -> T, max: fn(T, T) -> T) -> impl Fn(Op, T, T) -> T {
    move |op, a, b| match op {
        Op::Sum => add(a, b),
        Op::Min => min(a, b),
        Op::Max => max(a, b),
        Op::Or => unreachable!("invariant fits: floats have no bits to be joined"),
    }
}

impl Mail {
    /// Room for what comes.
    fn room(&mut self, bytes: usize) -> Range<usize> {
        let range = self.receive_bytes..self.receive_bytes + bytes;
        self.receive_bytes = range.end.next_multiple_of(8);
        range
    }
}

fn grow(staging: &mut Vec<u64>, bytes: usize) {
    if staging.len() * 8 < bytes {
        staging.resize(bytes.div_ceil(8), 0);
    }
}
