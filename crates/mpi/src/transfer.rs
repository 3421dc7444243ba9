//! Does the exchanges of a stage: from device memory, through MPI, and back.
//!
//! Each rank does its part of a stage even if it has failed, so that nobody waits for it; but what it has is no good
//! to the others, and it says so in what it sends: its messages are empty, and the flag of its collectives is set. Who
//! hears that has failed, too, and says so in turn, until all ranks hear of it in a flag or in a vote. No rank ever
//! computes from what a failed one had.

use std::borrow::Cow;
use std::cell::RefMut;

use mpi::Rank;
use mpi::datatype::PartitionMut;
use mpi::request::{self, LocalScope, Request};
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Equivalence, Source};
use seawall::Buffer;

use crate::carve::{Carved, Few};
use crate::cluster::Cluster;
use crate::error::Error;
use crate::exchange::{Exchange, Kind, Order, Scalar};
use crate::graph::Data;
use crate::memory::Memory;
use crate::reduce::{self, Pending, Reduction};
use crate::stage::{Collective, LENT, Mail, Message, Piece, RECEIVE, Stage, Staged};

/// Staging memory, kept from stage to stage. Words, so that numbers of every type lie where they may.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    send: Vec<u64>,
    receive: Vec<u64>,
}

/// How a stage went, on this rank.
#[derive(Debug, Default)]
pub(crate) struct Done {
    pub(crate) sent_bytes: u64,
    /// A rank that sent something had failed.
    pub(crate) spoiled: bool,
    /// All ranks have heard that one had failed.
    pub(crate) known: bool,
    /// What went wrong here; most often nothing, and then it is not to be carried about.
    pub(crate) error: Option<Box<Error>>,
}

/// The exchanges of a stage on this rank.
pub(crate) struct Transfer<'a> {
    pub(crate) cluster: &'a Cluster,
    pub(crate) stage: &'a Stage,
    pub(crate) data: &'a [Option<Data>],
    pub(crate) memories: &'a [Option<Memory>],
}

impl<'a> Transfer<'a> {
    /// Exchanges the counts of all-to-alls. What they say is to be sent once all ranks are known to be well.
    pub(crate) fn count(&self) -> Result<Vec<Counts>, Error> {
        let ranks = self.cluster.ranks();
        let mut counted = Ok(Vec::new());
        for &at in &self.stage.counted {
            let Exchange { kind: Kind::AllToAll { from, counts, to, .. }, name } = &self.stage.exchanges[at] else {
                unreachable!("invariant counted: it is an all-to-all")
            };
            let (mut sends, mut gets) = (vec![0u32; ranks], vec![0u32; ranks]);
            let read = self.memory(*counts).read(0, bytemuck::cast_slice_mut(&mut sends));
            // All counts are exchanged before one is found wrong: the others wait for them.
            self.cluster.comm.all_to_all_into(&sends[..], &mut gets[..]);
            let fits = read.map_err(Error::from).and_then(|()| self.fit(name, *from, &sends));
            let fits = fits.and_then(|()| self.fit(name, *to, &gets));
            counted = counted.and_then(|mut all| fits.map(|()| all.push(Counts { at, sends, gets })).map(|()| all));
        }
        counted
    }

    fn fit(&self, exchange: &str, data: usize, counts: &[u32]) -> Result<(), Error> {
        let (count, len) = (counts.iter().map(|&count| u64::from(count)).sum(), self.of(data).len);
        if count <= len {
            return Ok(());
        }
        let (exchange, data) = (exchange.to_owned(), self.of(data).name.clone());
        Err(Error::Counts { exchange, data, count, len })
    }

    /// Exchanges, with `beside` done while messages are under way. A rank that is not `well` says so.
    pub(crate) fn run(
        &self,
        staging: &mut Staging,
        well: bool,
        counts: &[Counts],
        beside: impl FnOnce() -> Result<(), seawall::Error>,
    ) -> Done {
        let mail = self.mail(counts);
        let mut done = Done::default();
        grow(&mut staging.send, mail.send_bytes);
        grow(&mut staging.receive, mail.receive_bytes);
        let mut well = well;
        if well && let Err(error) = self.fill(&mail, staging) {
            (well, done.error) = (false, Some(Box::new(error.into())));
        }
        self.flag(&mail, staging, well);
        let memories = || self.stage.lent.iter().map(|&data| self.memory(data));
        let device: Few<&Buffer<u8>> = memories().filter_map(Memory::device).collect();
        let mut host: Few<RefMut<'_, [u8]>> = memories().filter_map(Memory::host).collect();
        let worked = Buffer::lend(&device, |device| {
            // In the order of the stage, wherever they are.
            let (mut device, mut host) = (device.iter_mut(), host.iter_mut());
            let mut lent: Few<&mut [u8]> = Few::new();
            for memory in memories() {
                lent.extend(match memory {
                    Memory::Device(_) => device.next().map(|bytes| &mut **bytes),
                    Memory::Host { .. } => host.next().map(|bytes| &mut **bytes),
                });
            }
            let lent = &mut lent[..];
            if well {
                fill_lent(&mail, staging, lent);
            }
            let Staging { send, receive } = &mut *staging;
            let bytes: [&mut [u8]; 2] = [bytemuck::cast_slice_mut(send), bytemuck::cast_slice_mut(receive)];
            let (spoiled, ran) = if let Some(one) = self.only_flagged(&mail) {
                let [send, receive] = bytes;
                let (out, get) = (mail.outs[one.out].range.clone(), mail.gets[one.get].range.clone());
                self.collect(&mut self.work(one, &send[out], &mut receive[get]));
                (false, Ok(()))
            } else {
                let memories = bytes.into_iter().chain(lent.iter_mut().map(|bytes| &mut **bytes));
                self.send(&mail, Carved::new(memories, &mail), well, beside)
            };
            (done.spoiled, done.known) = (spoiled, self.fold(&mail, staging));
            if let Err(error) = ran {
                done.error.get_or_insert_with(|| Box::new(error.into()));
            }
            if well && !done.known {
                land_lent(&mail, staging, lent);
            }
        });
        // It was lent when the graph was compiled.
        assert!(matches!(worked, Ok(Some(()))), "invariant lent: the device lends each memory: {worked:?}");
        if done.error.is_none() && well && !done.known && !done.spoiled {
            done.error = self.land(&mail, counts, staging).err().map(|error| Box::new(error.into()));
        }
        let sent = |piece: usize| mail.outs[piece].range.len();
        let sent = mail.sends.iter().map(|message| sent(message.piece)).sum::<usize>()
            + mail.collectives.iter().map(|collective| sent(collective.out)).sum::<usize>();
        done.sent_bytes = sent as u64;
        done
    }

    fn memory(&self, data: usize) -> &'a Memory {
        self.memories[data].as_ref().expect("invariant memories: shared data has one")
    }

    fn of(&self, data: usize) -> &'a Data {
        self.data[data].as_ref().expect("invariant names: they are of shared data")
    }

    /// What is to be sent, with what was counted.
    fn mail(&self, counts: &[Counts]) -> Cow<'a, Mail> {
        let mut mail = Cow::Borrowed(&self.stage.mail);
        for Counts { at, sends, gets } in counts {
            let Kind::AllToAll { from, to, .. } = self.stage.exchanges[*at].kind else {
                unreachable!("invariant counted: it is an all-to-all")
            };
            let (mail, element) = (mail.to_mut(), self.of(from).element_bytes as usize);
            let (mut first_out, mut first_get) = (0, 0);
            for (peer, (&sent, &got)) in sends.iter().zip(gets).enumerate() {
                let (out_end, get_end) = (first_out + sent as usize * element, first_get + got as usize * element);
                let out = mail.out(from, self.stage.memory(from), first_out..out_end);
                let get = mail.get(to, self.stage.memory(to), first_get..get_end);
                mail.sends.push(Message { peer, tag: *at as i32, piece: out });
                mail.receives.push(Message { peer, tag: *at as i32, piece: get });
                (first_out, first_get) = (out_end, get_end);
            }
            mail.arrange();
        }
        mail
    }

    /// Copies what is to be sent from where it is into staging memory.
    fn fill(&self, mail: &Mail, staging: &mut Staging) -> Result<(), seawall::Error> {
        let send: &mut [u8] = bytemuck::cast_slice_mut(&mut staging.send);
        for Staged { data, offset, range, .. } in mail.fills.iter().filter(|copy| copy.goes_by_call()) {
            self.memory(*data).read(*offset, &mut send[range.clone()])?;
        }
        Ok(())
    }

    /// Copies what came through staging memory to where it belongs.
    fn land(&self, mail: &Mail, counts: &[Counts], staging: &Staging) -> Result<(), seawall::Error> {
        let received: &[u8] = bytemuck::cast_slice(&staging.receive);
        for Staged { data, offset, range, .. } in mail.landings.iter().filter(|copy| copy.goes_by_call()) {
            self.memory(*data).write(*offset, &received[range.clone()])?;
        }
        for Counts { at, gets, .. } in counts {
            if let Kind::AllToAll { received, .. } = self.stage.exchanges[*at].kind {
                self.memory(received).write(0, bytemuck::cast_slice(gets))?;
            }
        }
        Ok(())
    }

    /// Says in the collectives that carry a flag whether this rank is well.
    fn flag(&self, mail: &Mail, staging: &mut Staging, well: bool) {
        for Collective { exchange, out, .. } in mail.collectives.iter().filter(|collective| collective.flagged) {
            let range = &mail.outs[*out].range;
            let sent = &mut bytemuck::cast_slice_mut::<u64, u8>(&mut staging.send)[range.clone()];
            match self.stage.exchanges[*exchange].kind {
                Kind::AllReduce { op, scalar, .. } => reduce::flag(scalar, op, sent, well),
                Kind::Halo { .. } | Kind::AllGather { .. } | Kind::AllToAll { .. } => {
                    sent[range.len() - 1] = u8::from(!well);
                }
            }
        }
    }

    /// Folds what is reduced in the order of ranks. Gives whether a flag said that a rank had failed.
    fn fold(&self, mail: &Mail, staging: &mut Staging) -> bool {
        let mut failed = false;
        for Collective { exchange, out, get, flagged, counts, firsts } in &mail.collectives {
            let Piece { memory, range } = &mail.gets[*get];
            if *memory != RECEIVE {
                continue;
            }
            let got = &mut bytemuck::cast_slice_mut::<u64, u8>(&mut staging.receive)[range.clone()];
            match self.stage.exchanges[*exchange].kind {
                Kind::AllReduce { op, scalar, order, .. } => {
                    let bytes = mail.outs[*out].range.len();
                    if order == Order::Ranks {
                        reduce::fold(scalar, op, got, self.cluster.ranks(), bytes, self.cluster.part_bytes());
                    }
                    failed |= *flagged && reduce::flagged(scalar, op, &got[..bytes]);
                }
                Kind::Halo { .. } | Kind::AllGather { .. } | Kind::AllToAll { .. } => {
                    let mut ends = firsts.iter().zip(counts).map(|(first, count)| (first + count) as usize);
                    failed |= *flagged && ends.any(|end| got[end - 1] != 0);
                }
            }
        }
        failed
    }

    /// Starts all messages and collectives, does what is beside, and waits. Gives whether a message was of a rank that
    /// had failed.
    fn send<'b>(
        &self,
        mail: &'b Mail,
        mut carved: Carved<'b>,
        well: bool,
        beside: impl FnOnce() -> Result<(), seawall::Error>,
    ) -> (bool, Result<(), seawall::Error>) {
        let mut collectives: Few<Work<'_>> = Few::new();
        for one in &mail.collectives {
            let (sent, to) = (carved.outs[one.out], carved.get(one.get));
            if self.cluster.ranks() == 1 {
                to.copy_from_slice(sent);
            } else {
                collectives.push(self.work(one, sent, to));
            }
        }
        let (comm, part_bytes) = (&self.cluster.comm, self.cluster.part_bytes());
        request::scope(|scope| {
            let mut gets: Messages<'_, '_> = Few::new();
            for Message { peer, tag, piece } in &mail.receives {
                let from = comm.process_at_rank(*peer as Rank);
                for part in carved.get(*piece).chunks_mut(part_bytes) {
                    gets.push(from.immediate_receive_into_with_tag(scope, part, *tag));
                }
            }
            let mut sends: Messages<'_, '_> = Few::new();
            for Message { peer, tag, piece } in &mail.sends {
                let to = comm.process_at_rank(*peer as Rank);
                for part in carved.outs[*piece].chunks(part_bytes) {
                    sends.push(to.immediate_send_with_tag(scope, if well { part } else { &[] }, *tag));
                }
            }
            let mut pending = Vec::new();
            for work in &mut collectives {
                if self.stage.overlaps { self.start(scope, work, &mut pending) } else { self.collect(work) }
            }
            let ran = beside();
            for wait in pending {
                wait();
            }
            let mut spoiled = false;
            for get in gets {
                spoiled |= get.wait().count(u8::equivalent_datatype()) == 0;
            }
            sends.into_iter().for_each(Request::wait_without_status);
            (spoiled, ran)
        })
    }

    /// A collective with a flag that is all of the stage: a word that is reduced, most likely, where little counts.
    fn only_flagged<'b>(&self, mail: &'b Mail) -> Option<&'b Collective> {
        match &mail.collectives[..] {
            [one] if one.flagged && mail.sends.len() + mail.receives.len() == 0 && !self.stage.overlaps => Some(one),
            _ => None,
        }
    }

    fn work<'b>(&self, one: &'b Collective, sent: &'b [u8], to: &'b mut [u8]) -> Work<'b> {
        match self.stage.exchanges[one.exchange].kind {
            Kind::AllReduce { op, scalar, order, .. } => Work::Reduce(scalar, Reduction { sent, to, op, order }),
            Kind::Halo { .. } | Kind::AllGather { .. } | Kind::AllToAll { .. } => {
                Work::Gather(sent, PartitionMut::new(to, &one.counts[..], &one.firsts[..]))
            }
        }
    }

    fn collect(&self, work: &mut Work<'_>) {
        match work {
            Work::Gather(sent, to) => self.cluster.comm.all_gather_varcount_into(*sent, to),
            Work::Reduce(scalar, reduction) => reduce::run(*scalar, self.cluster, reduction),
        }
    }

    fn start<'b, 's: 'b>(&self, scope: &'b LocalScope<'s>, work: &'s mut Work<'_>, pending: &mut Vec<Pending<'b>>) {
        match work {
            Work::Gather(sent, to) => {
                let request = self.cluster.comm.immediate_all_gather_varcount_into(scope, *sent, to);
                pending.push(Box::new(|| request.wait_without_status()));
            }
            Work::Reduce(scalar, reduction) => reduce::start(*scalar, self.cluster, reduction, scope, pending),
        }
    }
}

/// What was counted for an all-to-all.
pub(crate) struct Counts {
    at: usize,
    sends: Vec<u32>,
    gets: Vec<u32>,
}

type Messages<'a, 'b> = Few<Request<'a, [u8], &'b LocalScope<'a>>>;

/// A collective on the memory that it has.
enum Work<'a> {
    Gather(&'a [u8], PartitionMut<'a, [u8], &'a [i32], &'a [i32]>),
    Reduce(Scalar, Reduction<'a>),
}

/// From memory that is lent into staging memory.
fn fill_lent(mail: &Mail, staging: &mut Staging, lent: &[&mut [u8]]) {
    let send: &mut [u8] = bytemuck::cast_slice_mut(&mut staging.send);
    for Staged { memory, offset, range, .. } in &mail.fills {
        if let Some(memory) = memory {
            send[range.clone()].copy_from_slice(&lent[memory - LENT][*offset..offset + range.len()]);
        }
    }
}

/// From staging memory into memory that is lent.
fn land_lent(mail: &Mail, staging: &Staging, lent: &mut [&mut [u8]]) {
    let received: &[u8] = bytemuck::cast_slice(&staging.receive);
    for Staged { memory, offset, range, .. } in &mail.landings {
        if let Some(memory) = memory {
            lent[memory - LENT][*offset..offset + range.len()].copy_from_slice(&received[range.clone()]);
        }
    }
}

fn grow(staging: &mut Vec<u64>, bytes: usize) {
    if staging.len() * 8 < bytes {
        staging.resize(bytes.div_ceil(8), 0);
    }
}
