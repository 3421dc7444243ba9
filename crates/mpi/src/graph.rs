//! Waves and exchanges over data that is shared out, by name.
//!
//! The graph is the same text on every rank. What stands between exchanges is an ordinary graph of waves; a
//! wave works on what its rank has.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::Pod;
use seawall::{Element, Kernel, Role, Wave, description};

use crate::error::Error;
use crate::exchange::{Exchange, Kind, Number, Op, Order, Scalar};
use crate::part::{Part, Rows};

/// Data, waves and exchanges, to be compiled by [`Cluster::compile`](crate::Cluster::compile).
#[derive(Debug, Clone)]
pub struct Graph {
    pub(crate) ranks: usize,
    pub(crate) rank: usize,
    /// All waves, as if there were no exchanges between them.
    pub(crate) inner: seawall::Graph,
    names: HashMap<String, usize>,
    /// By data; none of what waves brought along.
    pub(crate) data: Vec<Option<Data>>,
    pub(crate) items: Vec<Item>,
    /// Of the loop that is being described.
    swaps: Vec<(usize, usize)>,
    /// The first mistake; it is told when the graph is planned.
    pub(crate) refused: Option<Error>,
    pub(crate) budget_bytes: Option<u64>,
}

/// Data that is shared out.
#[derive(Debug, Clone)]
pub(crate) struct Data {
    pub(crate) name: String,
    pub(crate) part: Part,
    /// What callers read and write.
    pub(crate) element: Element,
    /// Of what is shared out and counted.
    pub(crate) element_bytes: u64,
    /// Elements on this rank, without what stands in for none.
    pub(crate) len: u64,
}

impl Data {
    /// Of what callers read and write.
    pub(crate) fn len_of_callers(&self) -> u64 {
        self.len.saturating_mul(self.element_bytes / self.element.bytes().max(1))
    }

    /// Whether it has the same elements.
    fn is_like(&self, other: &Self) -> bool {
        (&self.element, self.element_bytes) == (&other.element, other.element_bytes)
    }
}

/// What is done, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Item {
    /// Waves, with the loops and branches around them that the device decides.
    Unit {
        waves: Range<usize>,
        blocks: Range<usize>,
    },
    Exchange(Exchange),
    Loop(Loop),
}

/// A loop whose condition is global.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) name: String,
    pub(crate) items: Vec<Item>,
    pub(crate) word: Option<Word>,
    pub(crate) limit: Option<u32>,
    pub(crate) must_end: bool,
    pub(crate) swaps: Vec<(usize, usize)>,
}

/// A `u32` on each rank; together they say yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) data: usize,
    /// Yes if they are all zero, rather than if some is not.
    pub(crate) zero: bool,
}

impl Graph {
    pub(crate) fn new(rank: usize, ranks: usize) -> Self {
        Self {
            ranks,
            rank,
            inner: seawall::Graph::new(),
            names: HashMap::new(),
            data: Vec::new(),
            items: Vec::new(),
            swaps: Vec::new(),
            refused: None,
            budget_bytes: None,
        }
    }

    /// Rows that are shared out; each rank has its own, with the halos around them.
    pub fn rows<T: Pod>(&mut self, name: &str, rows: &Rows) -> &mut Self {
        if rows.ranks() != self.ranks {
            self.refuse(Error::Ranks { data: name.to_owned(), parts: rows.ranks(), ranks: self.ranks });
            return self;
        }
        self.add::<T>(name, Part::Rows(rows.clone()))
    }

    /// Data of the same length on all ranks. Exchanges make it the same; waves may make it differ.
    pub fn replicated<T: Pod>(&mut self, name: &str, len: u64) -> &mut Self {
        self.add::<T>(name, Part::Replicated { len })
    }

    /// Data that each rank has for itself; the length may differ.
    pub fn local<T: Pod>(&mut self, name: &str, len: u64) -> &mut Self {
        self.add::<T>(name, Part::Local { len })
    }

    /// Data of elements that only kernels know, of so many bytes each; callers read and write its bytes.
    pub fn raw(&mut self, name: &str, part: &Part, element_bytes: u64) -> &mut Self {
        match part {
            Part::Rows(rows) if rows.ranks() != self.ranks => {
                self.refuse(Error::Ranks { data: name.to_owned(), parts: rows.ranks(), ranks: self.ranks });
                self
            }
            part => self.add_of(name, part.clone(), Element::of::<u8>(), element_bytes),
        }
    }

    fn add<T: Pod>(&mut self, name: &str, part: Part) -> &mut Self {
        self.add_of(name, part, Element::of::<T>(), size_of::<T>() as u64)
    }

    fn add_of(&mut self, name: &str, part: Part, element: Element, element_bytes: u64) -> &mut Self {
        let (at, len) = (self.data.len(), part.local_len(self.rank));
        if self.names.insert(name.to_owned(), at).is_some() {
            self.refuse(Error::Twice { data: name.to_owned() });
        }
        // WGSL has no empty arrays: an element stands in for none.
        let count = len.max(1).saturating_mul(element_bytes / element.bytes().max(1));
        self.inner.data_of(Role::InOut, name, count as usize, element.clone());
        self.data.push(Some(Data { name: name.to_owned(), part, element, element_bytes, len }));
        self
    }

    /// Adds a wave, to be described. One that is [`over`](Wave::over) data of which a rank has nothing is left out
    /// there.
    pub fn wave(&mut self, name: &str, kernel: &Arc<Kernel>) -> Wave<'_> {
        let (waves, blocks) = self.reached();
        self.items.push(Item::Unit { waves: waves..waves + 1, blocks: blocks..blocks });
        self.inner.wave(name, kernel)
    }

    /// Adds waves, loops, branches and pieces of the kit as to an ordinary graph; each rank decides for
    /// itself in them. Data that `describe` adds is transient, and lives as long as this part of the graph runs.
    pub fn here<T>(&mut self, describe: impl FnOnce(&mut seawall::Graph) -> T) -> T {
        let (waves, blocks) = self.reached();
        let made = describe(&mut self.inner);
        let (end, blocks_end) = self.reached();
        self.data.resize(self.inner.description().data.len(), None);
        if let Some(queue) = self.inner.description().queues.first() {
            let error = Error::Queue { queue: queue.name.clone() };
            self.refuse(error);
        }
        let added = &self.inner.description().data;
        let foreign = added.iter().zip(&self.data).find(|(data, ours)| ours.is_none() && data.role != Role::Transient);
        if let Some((data, _)) = foreign {
            let error = Error::Role { data: data.name.clone() };
            self.refuse(error);
        }
        self.items.push(Item::Unit { waves: waves..end, blocks: blocks..blocks_end });
        made
    }

    fn reached(&self) -> (usize, usize) {
        let description::Graph { waves, blocks, .. } = self.inner.description();
        (waves.len(), blocks.len())
    }

    /// Brings the rows beside those of each rank from their owners, into the halos.
    pub fn halo(&mut self, name: &str, data: &str) -> &mut Self {
        self.halo_into(name, data, data)
    }

    /// The same, into other data (local, as long as both halos): waves that read the rows, and not that, can run
    /// beside the exchange.
    pub fn halo_into(&mut self, name: &str, data: &str, into: &str) -> &mut Self {
        let found = self.find(data).and_then(|data| Ok((data, self.find(into)?)));
        self.exchange(name, found.map(|(data, into)| Kind::Halo { data, into }))
    }

    /// Makes a whole of rows, in data that all ranks have.
    pub fn all_gather(&mut self, name: &str, from: &str, to: &str) -> &mut Self {
        let found = self.find(from).and_then(|from| Ok((from, self.find(to)?)));
        self.exchange(name, found.map(|(from, to)| Kind::AllGather { from, to }))
    }

    /// Makes the numbers of all ranks one, element by element.
    pub fn all_reduce<T: Number>(&mut self, name: &str, data: &str, op: Op) -> &mut Self {
        self.all_reduce_by::<T>(name, data, op, Order::Any)
    }

    /// The same in an order that may be fixed, which decides the last bits of sums of floats.
    pub fn all_reduce_by<T: Number>(&mut self, name: &str, data: &str, op: Op, order: Order) -> &mut Self {
        self.all_reduce_of(name, data, op, T::SCALAR, order)
    }

    /// The same of numbers whose type is known when the program runs.
    pub fn all_reduce_of(&mut self, name: &str, data: &str, op: Op, scalar: Scalar, order: Order) -> &mut Self {
        let kind = self.find(data).map(|data| Kind::AllReduce { data, op, scalar, order });
        self.exchange(name, kind)
    }

    /// Sends elements of `from` to the ranks, as many to each as `counts` says; `to` and `received` have what came.
    pub fn all_to_all(&mut self, name: &str, from: &str, counts: &str, to: &str, received: &str) -> &mut Self {
        let found = [from, counts, to, received].map(|data| self.find(data));
        let [from, counts, to, received] = found;
        let kind = from.and_then(|from| Ok(Kind::AllToAll { from, counts: counts?, to: to?, received: received? }));
        self.exchange(name, kind)
    }

    fn exchange(&mut self, name: &str, kind: Result<Kind, Error>) -> &mut Self {
        let checked = kind.and_then(|kind| self.fits(name, &kind).map(|()| kind));
        match checked {
            Ok(kind) => self.items.push(Item::Exchange(Exchange { name: name.to_owned(), kind })),
            Err(error) => self.refuse(error),
        }
        self
    }

    /// Whether data can be exchanged so.
    fn fits(&self, name: &str, kind: &Kind) -> Result<(), Error> {
        let of = |at: usize| self.data[at].as_ref().expect("invariant names: they are of shared data");
        let wrong = |at: usize, why| Err(Error::Exchange { exchange: name.to_owned(), data: of(at).name.clone(), why });
        let words = |at: usize| {
            let data = of(at);
            if data.element_bytes != 4 || data.len != self.ranks as u64 || matches!(data.part, Part::Rows(_)) {
                return wrong(at, "must have a `u32` for each rank");
            }
            Ok(())
        };
        let same = |a: usize, b: usize| {
            if of(a).is_like(of(b)) { Ok(()) } else { wrong(b, "has other elements than what is sent") }
        };
        match *kind {
            Kind::Halo { data, into } => match &of(data).part {
                Part::Rows(rows) if rows.halo_len() > 0 => {
                    let room = Part::Local { len: rows.halo_len().saturating_mul(2) };
                    if into != data && of(into).part != room {
                        return wrong(into, "must be local data, as long as both halos");
                    }
                    same(data, into)
                }
                Part::Rows(_) | Part::Replicated { .. } | Part::Local { .. } => wrong(data, "has no halo"),
            },
            Kind::AllGather { from, to } => match &of(from).part {
                Part::Rows(rows) => {
                    if of(to).part != (Part::Replicated { len: rows.len() }) {
                        return wrong(to, "must be replicated data, as long as all rows");
                    }
                    same(from, to)
                }
                Part::Replicated { .. } | Part::Local { .. } => wrong(from, "is not shared out by rows"),
            },
            Kind::AllReduce { data, op, scalar, .. } => {
                if !matches!(of(data).part, Part::Replicated { .. }) {
                    return wrong(data, "must be replicated data");
                }
                if of(data).element_bytes != scalar.bytes() {
                    return wrong(data, "has elements of another size than the numbers to reduce");
                }
                if op == Op::Or && !scalar.is_integer() {
                    return wrong(data, "has floats, which have no bits to be joined");
                }
                Ok(())
            }
            Kind::AllToAll { from, counts, to, received } => {
                if from == to || counts == received || [from, to].contains(&received) || [from, to].contains(&counts) {
                    return wrong(received, "must be other data than what is sent");
                }
                words(counts).and_then(|()| words(received)).and_then(|()| same(from, to))
            }
        }
    }

    /// Waves and exchanges that are done turn after turn: those that `body` adds. Whether there is another turn is
    /// decided by all ranks together; say how with the methods of what this gives.
    pub fn repeat(&mut self, name: &str, body: impl FnOnce(&mut Self)) -> Repeat<'_> {
        let outer = (std::mem::take(&mut self.items), std::mem::take(&mut self.swaps));
        body(self);
        let items = std::mem::replace(&mut self.items, outer.0);
        let swaps = std::mem::replace(&mut self.swaps, outer.1);
        let name = name.to_owned();
        self.items.push(Item::Loop(Loop { name, items, word: None, limit: None, must_end: false, swaps }));
        let Some(Item::Loop(looped)) = self.items.last_mut() else { unreachable!("invariant pushed: it is a loop") };
        Repeat { looped, names: &self.names, refused: &mut self.refused }
    }

    /// In the body of a loop: two data change places at the end of each turn.
    pub fn swap(&mut self, first: &str, second: &str) -> &mut Self {
        let found = self.find(first).and_then(|first| Ok((first, self.find(second)?)));
        let same = |(a, b): &(usize, usize)| match (&self.data[*a], &self.data[*b]) {
            (Some(a), Some(b)) => a.part == b.part && a.is_like(b),
            _ => false,
        };
        match found {
            Ok(pair) if pair.0 != pair.1 && same(&pair) => self.swaps.push(pair),
            Ok(_) => {
                let why = "they are not two data of the same type, shared out alike";
                self.refuse(Error::Swap { first: first.to_owned(), second: second.to_owned(), why });
            }
            Err(error) => self.refuse(error),
        }
        self
    }

    /// At most so many bytes on each rank, those that exchanges need among them.
    pub fn budget_bytes(&mut self, bytes: u64) -> &mut Self {
        self.budget_bytes = Some(bytes);
        self
    }

    pub(crate) fn find(&self, name: &str) -> Result<usize, Error> {
        find(&self.names, name)
    }

    fn refuse(&mut self, error: Error) {
        self.refused.get_or_insert(error);
    }

    /// Swaps that are in no loop.
    pub(crate) fn stray(&self) -> Option<(usize, usize)> {
        self.swaps.first().copied()
    }

    /// The name of data.
    pub(crate) fn name(&self, at: usize) -> &str {
        &self.inner.description().data[at].name
    }
}

fn find(names: &HashMap<String, usize>, name: &str) -> Result<usize, Error> {
    names.get(name).copied().ok_or_else(|| {
        let mut known: Vec<String> = names.keys().cloned().collect();
        known.sort_unstable();
        Error::UnknownData { data: name.to_owned(), known }
    })
}

/// A loop being described: its methods say when it ends.
#[derive(Debug)]
pub struct Repeat<'a> {
    looped: &'a mut Loop,
    names: &'a HashMap<String, usize>,
    refused: &'a mut Option<Error>,
}

impl Repeat<'_> {
    /// Another turn as long as the first `u32` of this data is not zero on some rank. It is asked before each turn,
    /// the first too.
    pub fn while_nonzero(&mut self, data: &str) -> &mut Self {
        self.word(data, false)
    }

    /// Another turn as long as it is zero on all ranks.
    pub fn while_zero(&mut self, data: &str) -> &mut Self {
        self.word(data, true)
    }

    fn word(&mut self, data: &str, zero: bool) -> &mut Self {
        match find(self.names, data) {
            Ok(data) => self.looped.word = Some(Word { data, zero }),
            Err(error) => drop(self.refused.get_or_insert(error)),
        }
        self
    }

    /// So many turns at the most.
    pub fn limit(&mut self, turns: u32) -> &mut Self {
        self.looped.limit = Some(turns);
        self
    }

    /// It is an error, on all ranks, if the limit ends it while there should be another turn.
    pub fn must_end(&mut self) -> &mut Self {
        self.looped.must_end = true;
        self
    }

    /// So many turns.
    pub fn times(&mut self, turns: u32) -> &mut Self {
        self.limit(turns)
    }
}
