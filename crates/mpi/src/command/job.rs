//! From a job that is shared out to a graph, and its data from files and to them.

use std::collections::HashMap;
use std::ops::Range;

use seawall::description::{self, Control};
use seawall::layout;
use seawall_cli::job::shared::{self, Exchange, Reduce, Request, Share, Shared, Task};
use seawall_mpi::{Cluster, Compiled, Graph, Op, Order, Part, Rows, Scalar};

use crate::Error;

/// A job, read and looked up.
pub(crate) struct Job {
    pub(crate) graph: Graph,
    shared: Shared,
    parts: HashMap<String, Part>,
}

impl Job {
    /// Reads the file and all that it names.
    pub(crate) fn read(cluster: &Cluster, request: &Request) -> Result<Self, Error> {
        let mut shared = Shared::read(request)?;
        let (mut graph, mut parts) = (cluster.graph(), HashMap::new());
        for buffer in &shared.buffers {
            let part = part(cluster, &buffer.share)?;
            graph.raw(&buffer.name, &part, buffer.element_bytes);
            parts.insert(buffer.name.clone(), part);
        }
        let bytes: HashMap<String, u64> =
            shared.buffers.iter().map(|buffer| (buffer.name.clone(), buffer.element_bytes)).collect();
        shared.bind(|name| {
            let (part, element_bytes) = (&parts[name], bytes[name]);
            let first = if let Part::Rows(rows) = part { rows.own(cluster.rank()).start } else { 0 };
            (part.local_len(cluster.rank()).max(1).saturating_mul(element_bytes), first)
        });
        let said = if let Task::Run { budget_bytes, .. } = request.task { budget_bytes } else { None };
        if let Some(bytes) = said.or(shared.budget_bytes) {
            graph.budget_bytes(bytes);
        }
        describe(&mut graph, &shared, 0..shared.graph.waves.len(), 0);
        Ok(Self { graph, shared, parts })
    }

    /// Writes the sources into this rank's memory.
    pub(crate) fn write(&self, cluster: &Cluster, compiled: &Compiled<'_>) -> Result<(), Error> {
        for buffer in &self.shared.buffers {
            let Some(bytes) = buffer.load()? else { continue };
            match &self.parts[&buffer.name] {
                Part::Rows(rows) => {
                    let rows = in_bytes(rows, buffer.element_bytes);
                    compiled.write(&buffer.name, &rows.cut(cluster.rank(), &bytes)?)?;
                }
                Part::Replicated { .. } | Part::Local { .. } => compiled.write(&buffer.name, &bytes)?,
            }
        }
        Ok(())
    }

    /// Writes outputs, from the first rank; what is local is the first rank's.
    pub(crate) fn save(&self, cluster: &Cluster, compiled: &Compiled<'_>) -> Result<(), Error> {
        let mut outputs = Vec::new();
        for buffer in self.shared.buffers.iter().filter(|buffer| buffer.is_saved()) {
            let mine = cluster.agree(compiled.read::<u8>(&buffer.name))?;
            let whole = match &self.parts[&buffer.name] {
                Part::Rows(rows) => cluster.collect(&in_bytes(rows, buffer.element_bytes), &mine)?,
                Part::Replicated { .. } | Part::Local { .. } => (cluster.rank() == 0).then_some(mine),
            };
            outputs.extend(whole.map(|bytes| (buffer, bytes)));
        }
        cluster.agree_as(shared::save(&outputs).map_err(Error::from))
    }
}

/// The same rows, of bytes.
fn in_bytes(rows: &Rows, element_bytes: u64) -> Rows {
    rows.clone().width(rows.row_len().saturating_mul(element_bytes))
}

fn part(cluster: &Cluster, share: &Share) -> Result<Part, Error> {
    Ok(match share {
        Share::Rows { rows, width, halo } => Part::Rows(cluster.block(*rows).width(*width).halo(*halo)),
        Share::At { offsets, width, halo } => Part::Rows(Rows::at(offsets)?.width(*width).halo(*halo)),
        Share::Replicated { len } => Part::Replicated { len: *len },
        Share::Local { len } => Part::Local { len: *len },
    })
}

/// Adds these waves, and the loops from `next` on that are around them; gives the loop after those.
fn describe(graph: &mut Graph, shared: &Shared, waves: Range<usize>, next: usize) -> usize {
    let (mut at, mut next) = (waves.start, next);
    while at < waves.end {
        // Loops stand in the order in which they begin, the outer before the inner.
        if let Some(block) = shared.graph.blocks.get(next).filter(|block| block.waves.start == at) {
            at = block.waves.end;
            next = repeat(graph, shared, block, next + 1);
        } else {
            add(graph, &shared.graph.waves[at], shared.exchanges[at].as_ref());
            at += 1;
        }
    }
    next
}

fn repeat(graph: &mut Graph, shared: &Shared, block: &description::Block, next: usize) -> usize {
    let Control::Repeat { word, limit, must_end, swaps } = &block.control else {
        unreachable!("invariant refuse: there are no branches")
    };
    let mut after = next;
    let mut repeat = graph.repeat(&block.name, |body| {
        after = describe(body, shared, block.waves.clone(), next);
        for (first, second) in swaps {
            body.swap(name(first), name(second));
        }
    });
    if let Some(word) = word {
        if word.zero {
            repeat.while_zero(name(&word.data))
        } else {
            repeat.while_nonzero(name(&word.data))
        };
    }
    if let Some(turns) = limit {
        repeat.limit(*turns);
    }
    if *must_end {
        repeat.must_end();
    }
    after
}

/// As the file has it.
fn name(key: &description::Key) -> &str {
    match key {
        description::Key::Name(name) => name,
        description::Key::At(_) => unreachable!("invariant lower: data has its name"),
    }
}

fn number(scalar: layout::Scalar) -> Scalar {
    match scalar {
        layout::Scalar::U32 => Scalar::U32,
        layout::Scalar::I32 => Scalar::I32,
        layout::Scalar::F32 => Scalar::F32,
        layout::Scalar::U64 => Scalar::U64,
        layout::Scalar::I64 => Scalar::I64,
        layout::Scalar::F64 => Scalar::F64,
        layout::Scalar::F16 | layout::Scalar::Bool => unreachable!("invariant exchange: MPI can reduce them"),
    }
}

fn add(graph: &mut Graph, wave: &description::Wave, exchange: Option<&Exchange>) {
    let at = &*wave.name;
    match exchange {
        None => _ = graph.wave(at, &wave.kernel).described(wave.clone()),
        Some(Exchange::Halo { of, into }) => _ = graph.halo_into(at, of, into),
        Some(Exchange::AllGather { of, into }) => _ = graph.all_gather(at, of, into),
        Some(Exchange::AllToAll { of, counts, into, received }) => _ = graph.all_to_all(at, of, counts, into, received),
        Some(Exchange::AllReduce { of, how, scalar, ordered }) => {
            let op = match how {
                Reduce::Sum => Op::Sum,
                Reduce::Min => Op::Min,
                Reduce::Max => Op::Max,
                Reduce::Or => Op::Or,
            };
            let order = if *ordered { Order::Ranks } else { Order::Any };
            graph.all_reduce_of(at, of, op, number(*scalar), order);
        }
    }
}
